// Pictures of a position as SVG: for small boards on the page, and to save as SVG or PNG.

import { svg } from "./dom.js";
import { moveName } from "./rules.js";
import { words } from "./words.js";

/** @typedef {import("./types").Position} Position */

const CELL = 40;
const EDGE = 22;

/** Draw a position. `numbers`: texts on squares; `best`, `bad`: squares with a ring and a cross; `plain`: without names.
 * @param {Position} position
 * @param {{ last?: number | null, best?: number | null, bad?: number | null, plain?: boolean, numbers?: Map<number, string>, label?: string }} [details] */
export function picture(position, { last = null, best = null, bad = null, plain = false, numbers = new Map(), label = "" } = {}) {
  const edge = plain ? 8 : EDGE;
  const size = 8 * CELL + 2 * edge;
  const drawing = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${size} ${size}`,
    class: "small-board",
    role: "img",
    "aria-label": label || words.board.position,
  });
  drawing.append(
    svg("rect", { width: size, height: size, rx: 8, fill: "#123d30" }),
    svg("rect", { x: edge, y: edge, width: 8 * CELL, height: 8 * CELL, fill: "#2b8465" }),
  );
  const lines = [];
  for (let at = 0; at <= 8; at += 1) {
    const place = edge + at * CELL;
    lines.push(`M${place} ${edge}V${edge + 8 * CELL}M${edge} ${place}H${edge + 8 * CELL}`);
  }
  drawing.append(svg("path", { d: lines.join(""), stroke: "#164f3c", "stroke-width": 1.5 }));
  for (let at = 0; at < 8 && !plain; at += 1) {
    const middle = edge + at * CELL + CELL / 2;
    drawing.append(
      text("abcdefgh"[at], middle, edge - 7, "#b9d8cb", 12),
      text(String(at + 1), edge / 2, middle + 4, "#b9d8cb", 12),
    );
  }
  for (let square = 0; square < 64; square += 1) {
    const x = edge + (square & 7) * CELL + CELL / 2;
    const y = edge + (square >> 3) * CELL + CELL / 2;
    const disc = position.cells[square];
    if (disc !== "-") {
      drawing.append(
        svg("circle", {
          cx: x,
          cy: y,
          r: CELL * 0.42,
          fill: disc === "X" ? "#16181b" : "#f5f4ee",
          stroke: disc === "X" ? "#000000" : "#c9c8c0",
        }),
      );
    }
    if (square === last) drawing.append(svg("circle", { cx: x, cy: y, r: 5, fill: "#e5484d" }));
    if (square === best) {
      drawing.append(svg("circle", { cx: x, cy: y, r: CELL * 0.36, fill: "none", stroke: "#ffd84d", "stroke-width": 4 }));
    }
    if (square === bad) {
      const reach = CELL * 0.22;
      const cross = `M${x - reach} ${y - reach}L${x + reach} ${y + reach}M${x - reach} ${y + reach}L${x + reach} ${y - reach}`;
      drawing.append(svg("path", { d: cross, stroke: "#ff6a5c", "stroke-width": 5, "stroke-linecap": "round" }));
    }
    const number = numbers.get(square);
    if (number) drawing.append(text(number, x, y + 5.5, disc === "X" ? "#ffffff" : "#16181b", 16));
  }
  return drawing;
}

/** @param {string} content @param {number} x @param {number} y @param {string} color @param {number} size */
function text(content, x, y, color, size) {
  const font = "system-ui, sans-serif";
  return svg("text", { x, y, fill: color, "font-size": size, "font-family": font, "text-anchor": "middle" }, content);
}

/** The text of an SVG file. @param {SVGElement} drawing @param {number} pixels */
export function svgText(drawing, pixels) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  copy.setAttribute("width", String(pixels));
  copy.setAttribute("height", String(pixels));
  copy.removeAttribute("class");
  return new XMLSerializer().serializeToString(copy);
}

/** The same drawing as a PNG. @param {SVGElement} drawing @param {number} pixels @returns {Promise<Blob>} */
export async function png(drawing, pixels) {
  const image = new Image(pixels, pixels);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(drawing, pixels))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = pixels;
  canvas.height = pixels;
  canvas.getContext("2d")?.drawImage(image, 0, 0, pixels, pixels);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

/** The name of a picture's file. @param {import("./types").Node} node */
export function pictureName(node) {
  return node.parent ? `othello-${node.ply}-${moveName(node.move)}` : "othello";
}

// Pictures of a position as SVG: for small boards on the page, and to save as SVG or PNG.

import { svg } from "./dom.js";
import { moveName } from "./rules.js";

/** @typedef {import("./types").Position} Position */

const CELL = 40;
const EDGE = 22;
const SIZE = 8 * CELL + 2 * EDGE;

/** Draw a position. `numbers`: texts on squares; `best`: a square with a ring.
 * @param {Position} position
 * @param {{ last?: number | null, best?: number | null, numbers?: Map<number, string>, label?: string }} [details] */
export function picture(position, { last = null, best = null, numbers = new Map(), label = "" } = {}) {
  const drawing = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${SIZE} ${SIZE}`,
    class: "small-board",
    role: "img",
    "aria-label": label || "Position",
  });
  drawing.append(
    svg("rect", { width: SIZE, height: SIZE, rx: 8, fill: "#123d30" }),
    svg("rect", { x: EDGE, y: EDGE, width: 8 * CELL, height: 8 * CELL, fill: "#2b8465" }),
  );
  const lines = [];
  for (let at = 0; at <= 8; at += 1) {
    const place = EDGE + at * CELL;
    lines.push(`M${place} ${EDGE}V${EDGE + 8 * CELL}M${EDGE} ${place}H${EDGE + 8 * CELL}`);
  }
  drawing.append(svg("path", { d: lines.join(""), stroke: "#164f3c", "stroke-width": 1.5 }));
  for (let at = 0; at < 8; at += 1) {
    const middle = EDGE + at * CELL + CELL / 2;
    drawing.append(
      text("abcdefgh"[at], middle, EDGE - 7, "#b9d8cb", 12),
      text(String(at + 1), EDGE / 2, middle + 4, "#b9d8cb", 12),
    );
  }
  for (let square = 0; square < 64; square += 1) {
    const x = EDGE + (square & 7) * CELL + CELL / 2;
    const y = EDGE + (square >> 3) * CELL + CELL / 2;
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

// The graph of the evaluation over a game, from Black's view. A click or an arrow key leads to the position.

import { put, svg } from "./dom.js";
import { signed } from "./rules.js";
import { words } from "./words.js";

const WIDTH = 420;
const HEIGHT = 140;
const LEFT = 30;
const TOP = 8;
const BOTTOM = 18;

/** A position of the game: its score in discs from Black's view, null while unknown, and the grade of a move to it that lost discs.
 * @typedef {{ ply: number, score: number | null, grade: string, label: string }} Point */

export class Graph {
  /** @param {HTMLElement} element @param {(ply: number) => void} choose */
  constructor(element, choose) {
    this.element = element;
    this.choose = choose;
    this.shown = "";
    /** @type {Point[]} */
    this.points = [];
    this.ply = 0;
    this.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", class: "graph" });
    /** The elements of the picture by what they are. @type {Map<string, Element>} */
    this.pieces = new Map();
    put(element, this.picture);
    element.setAttribute("role", "slider");
    element.tabIndex = 0;
    element.addEventListener("pointerdown", (event) => this.point(event));
    element.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.point(event);
    });
    element.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -999, End: 999 };
      const step = steps[/** @type {keyof typeof steps} */ (event.key)];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(Math.max(0, Math.min(this.points.length - 1, this.ply + step)));
    });
  }

  /** @param {PointerEvent} event */
  point(event) {
    const box = this.element.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const last = Math.max(1, this.span() - 1);
    const ply = Math.round(((x - LEFT) / (WIDTH - LEFT - 6)) * last);
    this.choose(Math.max(0, Math.min(this.points.length - 1, ply)));
  }

  span() {
    return Math.max(this.points.length, 61);
  }

  /** @param {Point[]} points @param {number} ply the current one */
  render(points, ply) {
    this.points = points;
    this.ply = ply;
    const now = points[ply];
    this.element.setAttribute("aria-label", words.graph.label);
    this.element.setAttribute("aria-valuemin", "0");
    this.element.setAttribute("aria-valuemax", String(points.length - 1));
    this.element.setAttribute("aria-valuenow", String(ply));
    this.element.setAttribute("aria-valuetext", now ? now.label : words.graph.start);
    const key = JSON.stringify([points, ply]);
    if (key === this.shown) return;
    this.shown = key;
    this.draw();
  }

  draw() {
    const known = this.points.filter((point) => point.score !== null);
    const largest = Math.max(8, ...known.map((point) => Math.abs(point.score ?? 0)));
    const most = [8, 16, 32, 64].find((one) => one >= largest) ?? 64;
    const x = (/** @type {number} */ ply) => LEFT + (ply / Math.max(1, this.span() - 1)) * (WIDTH - LEFT - 6);
    const middle = TOP + (HEIGHT - TOP - BOTTOM) / 2;
    // Small differences decide most games, so the scale is closer to a logarithm where scores are large.
    const y = (/** @type {number} */ score) => middle - (Math.asinh(score / 8) / Math.asinh(most / 8)) * (middle - TOP);
    const inner = most > 16 ? most / 4 : most / 2;
    /** @type {Map<string, Element>} */
    const pieces = new Map();
    // A review redraws the graph with each move, of which most stays.
    const piece = (/** @type {string} */ tag, /** @type {Record<string, any>} */ attributes, /** @type {string | null} */ text = null) => {
      const key = JSON.stringify([tag, attributes, text]);
      pieces.set(key, this.pieces.get(key) ?? svg(tag, attributes, text));
    };
    piece("rect", { class: "black-half", x: LEFT, y: TOP, width: WIDTH - LEFT - 6, height: middle - TOP });
    piece("rect", { class: "white-half", x: LEFT, y: middle, width: WIDTH - LEFT - 6, height: middle - TOP });
    for (const score of [most, inner, 0, -inner, -most]) {
      piece("line", { class: score ? "grid" : "zero", x1: LEFT, x2: WIDTH - 6, y1: y(score), y2: y(score) });
      piece("text", { x: LEFT - 5, y: y(score) + 3.5, "text-anchor": "end" }, signed(score));
    }
    const owner = (/** @type {string} */ text, /** @type {number} */ at) =>
      piece("text", { class: "owner", x: LEFT + 6, y: at }, text);
    owner(words.graph.ahead.X, TOP + 11);
    owner(words.graph.ahead.O, HEIGHT - BOTTOM - 5);
    for (let ply = 0; ply < this.span(); ply += 10) {
      piece("text", { x: x(ply), y: HEIGHT - 4, "text-anchor": "middle" }, String(ply));
    }
    for (const run of runs(known)) {
      const line = run.map((point) => `${x(point.ply)},${y(point.score ?? 0)}`);
      const area = [`${x(run[0].ply)},${middle}`, ...line, `${x(run[run.length - 1].ply)},${middle}`];
      piece("polygon", { class: "area", points: area.join(" ") });
      piece("polyline", { class: "curve", points: line.join(" ") });
    }
    for (const point of known) {
      if (!point.grade) continue;
      piece("circle", { class: `lost ${point.grade}`, cx: x(point.ply), cy: y(point.score ?? 0), r: 3.4 });
    }
    piece("line", { class: "now", x1: x(this.ply), x2: x(this.ply), y1: TOP, y2: HEIGHT - BOTTOM });
    const now = this.points[this.ply];
    if (now && now.score !== null) {
      piece("circle", { class: "here", cx: x(this.ply), cy: y(now.score), r: 4 });
    }
    this.pieces = pieces;
    put(this.picture, ...pieces.values());
  }
}

/** Points in runs without a gap: what is not known yet is not drawn. @param {Point[]} known @returns {Point[][]} */
function runs(known) {
  /** @type {Point[][]} */
  const found = [];
  known.forEach((point, index) => {
    if (index && known[index - 1].ply === point.ply - 1) found[found.length - 1].push(point);
    else found.push([point]);
  });
  return found;
}

// Where a person loses discs: by phase, by corners given, and over time.

import { el, put, svg } from "./dom.js";
import { legalMoves, passed } from "./rules.js";
import { words } from "./words.js";

/** @typedef {import("./types").Lost} Lost */
/** @typedef {import("./types").Review} Review */
/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").Summary} Summary */

const CORNERS = [0, 7, 56, 63];

/** Games of a person that the graph shows at most. */
const MOST = 100;

const WIDTH = 420;
const HEIGHT = 110;

/** What a side lost in a reviewed game. @param {Review} review @param {Side} side @returns {Lost | null} */
export function lostOf({ line, players }, side) {
  const sums = players?.[side === "X" ? "black" : "white"];
  if (!sums) return null;
  let corners = 0;
  for (const node of line.slice(1)) {
    if (!node.parent || node.parent.position.turn !== side || !node.judged?.loss) continue;
    const before = legalMoves(passed(node.parent.position));
    if (CORNERS.some((corner) => !before.includes(corner) && legalMoves(node.position).includes(corner))) corners += 1;
  }
  return { opening: sums.opening.loss, midgame: sums.midgame.loss, endgame: sums.endgame.loss, corners };
}

/** Show where a person loses, from the summaries of all kept games. @param {HTMLElement} element @param {Summary[]} summaries newest first */
export function showWeakness(element, summaries) {
  const own = summaries.filter((one) => one.mine && one.lost);
  element.hidden = !own.length;
  if (!own.length) return;
  const mean = (/** @type {keyof Lost} */ name) => own.reduce((sum, one) => sum + (one.lost?.[name] ?? 0), 0) / own.length;
  const cell = (/** @type {keyof Lost} */ name) => el("td", {}, mean(name).toFixed(1));
  put(
    element,
    el("h2", {}, words.weakness.title),
    el(
      "table",
      { class: "accuracies", id: "weakness" },
      el("caption", {}, words.weakness.caption(own.length)),
      el("thead", {}, el("tr", {}, ...words.weakness.heads.map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, el("tr", {}, cell("opening"), cell("midgame"), cell("endgame"), cell("corners"))),
    ),
    own.length > 1 ? overTime(own.slice(0, MOST).reverse()) : null,
  );
}

/** The graph of the discs lost in each game, oldest first. @param {Summary[]} own */
function overTime(own) {
  const losses = own.map(({ lost }) => (lost ? lost.opening + lost.midgame + lost.endgame : 0));
  const most = Math.max(10, ...losses);
  const x = (/** @type {number} */ place) => 34 + (place / (own.length - 1)) * (WIDTH - 44);
  const y = (/** @type {number} */ loss) => HEIGHT - 14 - (loss / most) * (HEIGHT - 24);
  const label = words.weakness.overTime(own.length, losses[0], losses[losses.length - 1]);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": label },
    svg("line", { class: "zero", x1: 34, x2: WIDTH - 10, y1: y(0), y2: y(0) }),
    svg("text", { x: 28, y: y(0) + 3.5, "text-anchor": "end" }, "0"),
    svg("text", { x: 28, y: y(most) + 3.5, "text-anchor": "end" }, String(most)),
    svg("text", { x: 34, y: HEIGHT - 2 }, own[0].date),
    svg("text", { x: WIDTH - 10, y: HEIGHT - 2, "text-anchor": "end" }, own[own.length - 1].date),
    svg("polyline", { class: "curve", points: losses.map((loss, place) => `${x(place)},${y(loss)}`).join(" ") }),
  );
}

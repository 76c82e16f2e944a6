// Thinking about the position on the board, then about those that follow in the game: the values of all moves, deeper and
// deeper, and the opening.

import { legalMoves, parseMove } from "./rules.js";
import { asked } from "./tree.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./connection").Connection} Connection */
/** @typedef {import("./types").Node} Node */

/** Positions of the game after the one on the board that are searched while a person still looks at it. */
const AHEAD = 2;

export class Thinker {
  /** @param {App} app @param {Connection} connection */
  constructor(app, connection) {
    this.app = app;
    this.connection = connection;
    /** @type {Node | null} */
    this.valued = null;
    this.level = 0;
    this.stopValues = () => {};
    /** The position and the rating for which it was asked last what people play. @type {Node | null} */
    this.watched = null;
    this.rating = 0;
    this.stopPeople = () => {};
    /** @type {Set<Node>} */
    this.named = new Set();
    app.watch(() => this.update());
  }

  update() {
    this.updateValues();
    this.updateOpening();
    this.updatePeople();
  }

  updatePeople() {
    const { node, mode, settings } = this.app;
    const { people } = settings;
    if (mode !== "learn" || !settings.values || !people || !legalMoves(node.position).length) return;
    if (node.people?.rating === people || (this.watched === node && this.rating === people)) return;
    this.watched = node;
    this.rating = people;
    this.stopPeople();
    this.stopPeople = this.connection.ask({ do: "people", ...asked(node), rating: people }, (reply) => {
      if (reply.kind !== "people") return;
      node.people = { rating: reply.rating, moves: reply.moves };
      this.app.changed();
    });
  }

  updateValues() {
    const { level } = this.app.settings;
    const node = this.app.showsValues ? this.next(level) : null;
    if (node && this.valued === node && this.level === level) return;
    this.stopValues();
    this.stopValues = () => {};
    this.valued = node;
    if (!node) return;
    this.level = level;
    const infinite = level > 60;
    const message = { do: "values", ...asked(node), level: infinite ? 60 : level, infinite };
    this.stopValues = this.connection.ask(message, (reply) => {
      if (reply.kind !== "values") return;
      const { lines, reached, nodes, time_s: time, done } = reply;
      node.values = { lines, reached, nodes, time_s: time, done, level };
      if (done && this.valued === node) this.valued = null;
      this.app.changed();
    });
  }

  /** The position whose values are searched next: the one on the board, or one soon after it; null if all are known.
   * @param {number} level @returns {Node | null} */
  next(level) {
    let node = /** @type {Node | null} */ (this.app.node);
    for (let ahead = 0; node && ahead <= AHEAD; ahead += 1, node = node.next) {
      const known = node.values && node.values.done && node.values.level >= level;
      if (!known && legalMoves(node.position).length) return node;
    }
    return null;
  }

  updateOpening() {
    const { node } = this.app;
    if (node.opening || this.named.has(node) || node.ply > 30) return;
    this.named.add(node);
    this.connection.ask({ do: "opening", ...asked(node) }, (reply) => {
      if (reply.kind !== "opening") return;
      node.opening = { name: reply.name, moves: reply.moves };
      this.app.changed();
    });
  }

  /** The lines of the position with their squares, best first. @param {Node} node */
  static linesOf(node) {
    return (node.values?.lines ?? []).map((line) => ({ ...line, square: parseMove(line.move) ?? -1 }));
  }
}

/** How good a move is, by the discs it loses against the best. @param {number} loss */
export function gradeOf(loss) {
  if (loss <= 0) return "best";
  if (loss <= 2) return "good";
  if (loss <= 5) return "fair";
  return loss <= 10 ? "poor" : "bad";
}

/** How bad a played move was: the colour of its mark, "" for one that lost nothing. @param {Node} node */
export function gradeOfSlip(node) {
  const grade = node.judged?.grade;
  return grade ? { inaccuracy: "fair", mistake: "poor", blunder: "bad" }[grade] : "";
}

/** The score of a position in discs from Black's view as far as known; null if unknown.
 * @param {Node} node @returns {number | null} */
export function blackScore(node) {
  const own = node.values?.lines[0];
  if (own && Number.isFinite(own.score)) return node.position.turn === "X" ? own.score : -own.score;
  const after = node.children.find((child) => child.judged)?.judged;
  if (after) return after.color === "black" ? after.best_score : -after.best_score;
  const before = node.judged;
  if (before) return before.color === "black" ? before.score : -before.score;
  return null;
}

/** The discs that each side has lost on the way to a node. @param {Node} node */
export function discsLost(node) {
  const lost = { X: 0, O: 0, known: false };
  for (let at = node; at.parent; at = at.parent) {
    if (!at.judged) continue;
    lost.known = true;
    lost[at.parent.position.turn] += at.judged.loss;
  }
  return lost;
}

// Who plays: the choices of the panel of Play as they are kept, and the seats that they mean.

import { NEWCOMERS, STRATEGIES, STRENGTHS } from "./players.js";
import { words } from "./words.js";

/** @typedef {import("./types").Choices} Choices */
/** @typedef {import("./types").Rival} Rival */
/** @typedef {import("./types").Seat} Seat */
/** @typedef {import("./types").Side} Side */

export const SIDES = /** @type {const} */ (["X", "O", "random", "both", "none"]);
export const STARTS = /** @type {const} */ (["usual", "balanced", "random"]);

/** Plies that a textbook player may look ahead. */
const DEEPEST = 8;

/** @returns {Seat} */
export function person() {
  return { kind: "person", strength: 25, strategy: "", depth: 3 };
}

/** The choices of a first visit. @returns {Choices} */
export function firstChoices() {
  return {
    side: "X",
    start: "usual",
    one: { player: "engine", strength: NEWCOMERS, depth: 3 },
    two: { player: "engine", strength: 13, depth: 3 },
    minutes: 0,
    increment: 0,
  };
}

/** Kept choices, each replaced by the first one if this version does not know it. @param {any} kept @returns {Choices} */
export function knownChoices(kept) {
  const first = firstChoices();
  if (typeof kept !== "object" || !kept) return first;
  return {
    side: SIDES.includes(kept.side) ? kept.side : first.side,
    start: STARTS.includes(kept.start) ? kept.start : first.start,
    one: knownRival(kept.one, first.one),
    two: knownRival(kept.two, first.two),
    minutes: within(kept.minutes, 0, 60, first.minutes),
    increment: within(kept.increment, 0, 60, first.increment),
  };
}

/** @param {any} kept @param {Rival} first @returns {Rival} */
function knownRival(kept, first) {
  const known = kept?.player === "engine" || STRATEGIES.some((one) => one.name === kept?.player);
  return {
    player: known ? kept.player : first.player,
    strength: within(kept?.strength, 1, STRENGTHS.length, first.strength),
    depth: within(kept?.depth, 1, DEEPEST, first.depth),
  };
}

/** @param {any} value @param {number} lowest @param {number} highest @param {number} otherwise */
function within(value, lowest, highest, otherwise) {
  return Number.isInteger(value) && value >= lowest && value <= highest ? value : otherwise;
}

/** The seats of a game. @param {Choices} choices @param {Side} [turn] the person's side if chance decides; else a coin does
 * @returns {Record<Side, Seat>} */
export function seatsOf({ side, one, two }, turn) {
  const own = side === "random" ? (turn ?? (Math.random() < 0.5 ? "X" : "O")) : side;
  return {
    X: own === "X" || own === "both" ? person() : seatOf(one),
    O: own === "O" || own === "both" ? person() : seatOf(own === "none" ? two : one),
  };
}

/** @param {string} strategy */
export function takesDepth(strategy) {
  return STRATEGIES.some((one) => one.name === strategy && one.searches);
}

/** The name of a computer player in no language, under which its games are kept; "" for a person. @param {Seat} seat */
export function keptName({ kind, strategy, strength, depth }) {
  if (kind === "strategy") return takesDepth(strategy) ? `${strategy}, depth ${depth}` : strategy;
  if (kind === "person") return "";
  const { name, more } = stepOf(strength);
  return `othello-bot, ${name}${more ? ` +${more}` : ""}`;
}

/** Whether a kept name is that of a computer player. @param {string} name */
export function isComputer(name) {
  return /^othello-bot, /.test(name) || STRATEGIES.some((one) => name === one.name || name.startsWith(`${one.name}, depth `));
}

/** A player's name in the page's language: that of a computer player is translated. @param {string} name */
export function shownName(name) {
  const [, step, more] = /^othello-bot, (\S+)(?: \+(\d+))?$/.exec(name) ?? [];
  if (step && STRENGTHS.includes(step)) return words.play.engine(strengthName(STRENGTHS.indexOf(step) + 1 + Number(more ?? 0)));
  const [, strategy, depth] = /^(\S+), depth (\d+)$/.exec(name) ?? [];
  return takesDepth(strategy) ? words.play.atDepth(strategy, Number(depth)) : name;
}

/** The name of a step of strength in the page's language. @param {number} number */
export function strengthName(number) {
  const { name, more } = stepOf(number);
  return more ? words.play.between(words.play.strengths[name], more) : words.play.strengths[name];
}

/** The named step at or below a step, and how many steps that is below it: the first step has a name.
 * @param {number} number from 1 */
function stepOf(number) {
  const below = STRENGTHS.slice(0, number).map(Boolean).lastIndexOf(true);
  return { name: STRENGTHS[below], more: number - below - 1 };
}

/** @param {Rival} rival @returns {Seat} */
function seatOf({ player, strength, depth }) {
  const engine = player === "engine";
  return { kind: engine ? "engine" : "strategy", strength, strategy: engine ? "" : player, depth };
}

// What the browser's database holds: one schema for all that comes into it, from files or from the page, and for all that is
// read from it. A check returns what it keeps of a value, or undefined for a value that is damaged.

import { START, mustPass, parseBoard, parseMove, parseMoves, passed, play } from "./rules.js";

/** Most characters of a text; no file of games has names as long. */
const LONGEST = 10_000;

/** Most items of a list: more than a game has moves. */
const MOST = 200;

/** The last moment that a Date can tell, in milliseconds. */
const LAST_MS = 8.64e15;

/** Highest number of a game, a day or a count. */
const HIGHEST = 2 ** 52;

/** @typedef {(value: any) => any} Check */

/** @type {Check} */
const text = (value) => (typeof value === "string" && value.length <= LONGEST ? value : undefined);

/** @param {number} least @param {number} most @returns {Check} */
const number = (least, most) => (value) => (typeof value === "number" && value >= least && value <= most ? value : undefined);

/** @param {number} least @param {number} most @returns {Check} */
const whole = (least, most) => (value) => (Number.isInteger(value) ? number(least, most)(value) : undefined);

/** @param {...(string | boolean)} values @returns {Check} */
const one = (...values) => (value) => (values.includes(value) ? value : undefined);

/** @param {Check} check @returns {Check} */
const orNull = (check) => (value) => (value === null ? null : check(value));

/** What an older page may not have written has a usual value. @param {any} usual @param {Check} check @returns {Check} */
const since = (usual, check) => (value) => (value === undefined ? usual : check(value));

/** A list without a damaged item. @param {Check} check @returns {Check} */
const list = (check) => (value) => {
  if (!Array.isArray(value) || value.length > MOST) return undefined;
  const kept = value.map(check);
  return kept.includes(undefined) ? undefined : kept;
};

/** An object with fields, of which `optional` ones may be absent; it loses all others.
 * @param {Record<string, Check>} fields @param {Record<string, Check>} [optional] @returns {Check} */
const record = (fields, optional = {}) => (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  /** @type {Record<string, any>} */
  const kept = {};
  for (const [name, check] of Object.entries({ ...fields, ...optional })) {
    if (value[name] === undefined && name in optional) continue;
    kept[name] = check(value[name]);
    if (kept[name] === undefined) return undefined;
  }
  return kept;
};

/** @type {Check} */
const move = (value) => (text(value) !== undefined && parseMove(value) !== null ? value : undefined);

/** @type {Check} */
const margin = (value) => (Number.isFinite(value) ? evenMargin(value) : undefined);

const score = number(-1000, 1000);
const percent = orNull(number(0, 100));
const share = orNull(number(0, 1));
const count = whole(0, HIGHEST);
const side = one("X", "O", "");

const discs = number(0, HIGHEST);

const TALLY = record({ moves: count, loss: discs, accuracy: percent, inaccuracies: count, mistakes: count, blunders: count });
const PLAYER = record({ total: TALLY, opening: TALLY, midgame: TALLY, endgame: TALLY }, { rating: orNull(number(0, 10_000)), rating_error: orNull(number(0, 10_000)) });

const JUDGED = record(
  {
    ply: whole(1, MOST),
    color: one("black", "white"),
    move,
    score,
    best: move,
    best_score: score,
    loss: discs,
    grade: orNull(one("inaccuracy", "mistake", "blunder")),
    reached: text,
    line: (value) => (text(value) !== undefined && parseMoves(value) ? value : undefined),
    level: whole(0, 60),
  },
  { played_by: share, found_by: share, note: orNull(one("few_find", "few_find_best", "many_make")) },
);

const REVIEW = record({ level: whole(0, 60), players: orNull(record({ black: PLAYER, white: PLAYER })), judged: list(orNull(JUDGED)) });

const SUMMARY = {
  newest: number(-LAST_MS, LAST_MS),
  date: text,
  black: text,
  white: text,
  event: text,
  result: orNull(margin),
  won: since("", side),
  mine: since("", side),
  accuracy: since(null, orNull(record({ X: percent, O: percent }))),
  print: text,
};

const SUMMARY_TOO = {
  lost: orNull(record({ opening: discs, midgame: discs, endgame: discs, corners: count })),
  begun: whole(0, MOST),
  first: text,
};

const GAME = { start: text, moves: text, review: since(null, orNull(REVIEW)) };

/** The number of a game and of a move. @type {Check} */
const place = (value) => (/^\d{1,16} \d{1,3}$/.test(text(value) ?? "") ? value : undefined);

const TASK = { id: place, game: count, start: text, moves: text, played: move, loss: discs, gap: count, due: count };

/** Whether moves can be played from a start; forced passes may be missing. @param {{ start: string, moves: string }} game */
function isPlayable({ start, moves }) {
  const all = parseMoves(moves);
  let position = all && (start ? parseBoard(start) : START);
  for (const move of all ?? []) {
    if (!position) break;
    position = play(position, move) ?? (mustPass(position) ? play(passed(position), move) : null);
  }
  return position !== null;
}

/** A check of the fields, and of the moves. @param {Check} check @returns {Check} */
const playable = (check) => (value) => {
  const kept = check(value);
  return kept && isPlayable(kept) ? kept : undefined;
};

/** The checks of the database's records, by the names of its stores. @type {Record<string, Check>} */
export const CHECKS = {
  summaries: record({ ...SUMMARY, id: count }, SUMMARY_TOO),
  games: playable(record({ ...GAME, id: count })),
  tasks: playable(record(TASK)),
  puzzles: record({ id: text, missed: one(true, false), day: since(0, count) }),
};

const summaryToKeep = record(SUMMARY, SUMMARY_TOO);
const gameToKeep = playable(record(GAME));

/** A game that is to be kept, of a backup or of the page, and how much of it is damaged and left out: its review, tasks, or itself.
 * @param {any} value @returns {{ kept: import("./types").Kept | null, damaged: number }} */
export function checkedGame(value) {
  const summary = summaryToKeep(value?.summary);
  const given = value?.game;
  const game = gameToKeep(given) ?? gameToKeep({ start: given?.start, moves: given?.moves, review: null });
  if (!summary || !game) return { kept: null, damaged: 1 };
  const all = value.tasks ?? [];
  const tasks = (Array.isArray(all) ? all : [all]).map(CHECKS.tasks);
  const sound = tasks.filter(Boolean);
  const reviewLost = game.review === null && (given.review ?? null) !== null;
  return { kept: { summary, game, ...(sound.length ? { tasks: sound } : {}) }, damaged: tasks.length - sound.length + Number(reviewLost) };
}

/** A margin in discs as a list shows it: even, as the empty squares count for the winner. Servers with a komi tell parts of discs.
 * @param {number} discs */
export function evenMargin(discs) {
  return Math.sign(discs) * 2 * Math.round(Math.min(64, Math.abs(discs)) / 2) || 0;
}

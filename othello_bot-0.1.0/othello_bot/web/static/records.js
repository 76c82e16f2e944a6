// Games as they are kept: what a list shows of each, and all of them as files.

import { keptName, shownName } from "./opponents.js";
import { boardText, finalScore, isOver, isUsualStart, parseBoard, parseMoves, transcript, PASS, START } from "./rules.js";
import { checkedGame, evenMargin } from "./schema.js";
import { lineThrough, rootOf } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./types").Kept} Kept */
/** @typedef {import("./types").Listed} Listed */
/** @typedef {import("./types").Node} Node */
/** @typedef {import("./types").Review} Review */
/** @typedef {import("./types").Summary} Summary */

/** The member by which a backup is known. */
const MARK = "othello-bot games";

/** The first words of a backup. */
export const BACKUP = `{"${MARK}":1,`;

/** How much of a file is looked at for the name of its first member. */
const HEAD = 512;

/** Letters of a game without players that a list shows. */
const FIRST = 24;

/** Today's date here, as in 2026-11-24. @param {Date} [now] */
export function today(now = new Date()) {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The number of a day here, where it begins at midnight. @param {Date} [now] */
export function localDay(now = new Date()) {
  return Math.round(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
}

/** A game of a file. @param {Listed} game @returns {Kept} */
export function recordOfListed(game) {
  const { start, moves } = game;
  const date = game.date ?? "";
  const time = Date.parse(date.replaceAll(".", "-").slice(0, 10));
  const result = game.result ?? null;
  const summary = {
    newest: Number.isFinite(time) ? -time : 0,
    date,
    black: game.black ?? "",
    white: game.white ?? "",
    event: game.event ?? "",
    result,
    won: game.won ?? winner(result),
    mine: /** @type {const} */ (""),
    accuracy: null,
    ...beginning(game, moves),
    print: printOf(game),
  };
  return { summary, game: { start, moves, review: null } };
}

/** Who plays the game on the board, or played it; also its date and event if it was opened.
 * @param {import("./app").App} app */
export function playersAt({ names, seats: { X, O }, ending, begun }) {
  if (names) {
    const { mine = "", won = "", date = "", event = "", result = null } = names;
    return { black: names.X, white: names.O, mine, won, date, event, result, begun };
  }
  const mine = /** @type {Summary["mine"]} */ (X.kind === O.kind ? "" : X.kind === "person" ? "X" : O.kind === "person" ? "O" : "");
  const won = /** @type {Summary["won"]} */ (ending ? (ending.loser === "X" ? "O" : "X") : "");
  return { black: keptName(X), white: keptName(O), mine, won, begun };
}

/** The names of a kept game, or one of a file, for the board. @param {Summary | Listed} game @returns {import("./types").Names} */
export function namesOf({ black = "", white = "", date = "", event = "", result = null, ...rest }) {
  const { mine = "", won = "", begun = 0 } = /** @type {Partial<Summary>} */ (rest);
  return { X: black, O: white, mine, won, date, event, result, begun };
}

/** The game on the board. @param {Node} node @param {ReturnType<typeof playersAt>} players @returns {Kept} */
export function recordOfNode(node, players) {
  const line = lineThrough(node);
  const end = line[line.length - 1].position;
  const root = rootOf(node).position;
  const now = Date.now();
  const result = isOver(end) ? finalScore(end) : (players.result ?? null);
  const moves = transcript(line.slice(1).map((one) => one.move), { passes: true });
  const won = players.won || winner(result);
  const start = isUsualStart(root) ? "" : boardText(root);
  const { X, O } = writtenNames(players);
  const { date = today() } = players;
  return {
    summary: { newest: -now, event: "", accuracy: null, ...players, ...beginning(players, moves), date, result, won, print: printOf({ date, black: X, white: O, start, moves }) },
    game: { start, moves, review: null },
  };
}

/** What makes a game the same as another, also as a file that it was written to tells it. @param {Listed} game */
function printOf({ date, black, white, start, moves }) {
  return [date, black, white, start, moves].join("|");
}

/** The players' names as files have them. @param {Pick<Summary, "black" | "white" | "mine">} players */
function writtenNames({ black, white, mine }) {
  return { X: mine === "X" ? words.you : black, O: mine === "O" ? words.you : white };
}

/** The first moves of a game whose players are unknown: a list tells it by them.
 * @param {{ black?: string, white?: string, mine?: string }} players @param {string} moves */
function beginning({ black, white, mine }, moves) {
  return black || white || mine ? {} : { first: moves.slice(0, FIRST) };
}

/** The side that a result is good for; "" for a draw, or if it is unknown.
 * @param {number | null} result @returns {import("./types").Side | ""} */
function winner(result) {
  return result ? (result > 0 ? "X" : "O") : "";
}

/** The accuracies of a review by side. @param {Review} review */
export function accuracyOf({ players }) {
  return players && { X: players.black.total.accuracy, O: players.white.total.accuracy };
}

/** The players' names in the page's language. @param {Summary} summary @returns {Record<import("./types").Side, string>} */
export function playersOf({ black, white, mine }) {
  const { X, O } = writtenNames({ black, white, mine });
  return { X: shownName(X), O: shownName(O) };
}

/** What a search looks at. @param {Summary} summary */
export function searched(summary) {
  const { date, black, white, event, first = "" } = summary;
  const { X, O } = playersOf(summary);
  return `${date} ${black} ${white} ${event} ${X} ${O} ${first}`.toLowerCase();
}

/** The result as a list shows it, "" if unknown. @param {Pick<Summary, "result" | "won">} game */
export function resultOf({ result, won }) {
  if (result !== null) return `${32 + evenMargin(result) / 2}–${32 - evenMargin(result) / 2}`;
  return won ? (won === "X" ? "1–0" : "0–1") : "";
}

/** A game as PGN, which othello-bot convert makes any other format of.
 * @param {Summary} summary @param {{ start: string, moves: string }} game */
export function pgn(summary, { start, moves }) {
  const told = (/** @type {string} */ text) => text.replace(/[\s\p{Cc}]+/gu, " ").replace(/["\\]/g, "\\$&");
  const score = summary.result === null ? resultOf(summary).replace("–", "-") || "*" : resultOf(summary).replace("–", "-");
  const position = start ? parseBoard(start) : START;
  const { X, O } = writtenNames(summary);
  const tags = [
    ["Event", summary.event || "?"],
    ["Date", summary.date.replaceAll("-", ".") || "????.??.??"],
    ["Black", X || "?"],
    ["White", O || "?"],
    ["Result", score],
    ...(start && position ? [["FEN", fen(position)]] : []),
  ];
  const names = (parseMoves(moves) ?? []).map((move) => (move === PASS ? "pass" : transcript([move])));
  const first = position?.turn === "O" ? ["...", ...names] : names;
  const numbered = first.map((name, place) => (place % 2 ? name : `${place / 2 + 1}. ${name}`));
  const text = [...numbered, score].join(" ").replace("1. ... ", "1... ");
  return `${tags.map(([name, value]) => `[${name} "${told(value)}"]`).join("\n")}\n\n${text.replace(/(.{1,78})(?: |$)/g, "$1\n")}\n`;
}

/** @param {import("./types").Position} position */
function fen({ cells, turn }) {
  const rows = (cells.match(/.{8}/g) ?? []).map((row) =>
    row.replaceAll("X", "p").replaceAll("O", "P").replace(/-+/g, (gap) => String(gap.length)),
  );
  return `${rows.join("/")} ${turn === "X" ? "b" : "w"} - - 0 1`;
}

/** Whether a file is a backup, also one that another program has written again. @param {Blob} file */
export async function isBackup(file) {
  const first = /^\s*\{\s*"([^"]*)"\s*:/.exec(await file.slice(0, HEAD).text())?.[1];
  if (first !== "games" && first !== "puzzles") return first === MARK;
  return (await file.text()).includes(`"${MARK}"`);
}

/** The games of a backup, as a list to choose one from has them. @param {Blob} file @returns {Promise<import("./types").Reply>} */
export async function gamesOfBackup(file) {
  try {
    const { games } = readBackup(await file.text());
    const listed = [];
    let damaged = 0;
    for (const { kept } of games.map(checkedGame)) {
      if (!kept) {
        damaged += 1;
        continue;
      }
      const { X, O } = writtenNames(kept.summary);
      const { start, moves } = kept.game;
      listed.push({ ...kept.summary, black: X, white: O, start, moves });
    }
    return { kind: "games", games: listed, more: false, damaged };
  } catch (error) {
    return { kind: "error", text: error instanceof Error ? error.message : String(error) };
  }
}

/** What a backup's text has for games, and for results of puzzles; raise an Error if it is no whole backup.
 * @param {string} text @returns {{ games: any[], puzzles: any[] }} */
export function readBackup(text) {
  /** @type {any} */
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error(words.games.notWhole);
  }
  if (!Array.isArray(content?.games)) throw new Error(words.games.notWhole);
  return { games: content.games, puzzles: Array.isArray(content.puzzles) ? content.puzzles : [] };
}

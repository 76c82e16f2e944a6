// Takes backups (a JSON list of texts on standard input) as the page does, and does with what is kept of each what the list, a
// review, an export and a backup do; prints for each the number of games that are kept and of damaged entries, or what is wrong.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { namesOf, pgn, playersOf, readBackup, resultOf, searched } from "./records.js";
import { CHECKS, checkedGame } from "./schema.js";
import { readTree, restoredReview, rootOf } from "./tree.js";

function used({ summary, game, tasks = [] }) {
  for (const text of [searched(summary), resultOf(summary), ...Object.values(playersOf(summary)), pgn(summary, game)]) {
    if (typeof text !== "string") throw new Error(`no text: ${text}`);
  }
  if (!/^\d+–\d+$|^[01]–[01]$|^$/.test(resultOf(summary))) throw new Error(`result ${resultOf(summary)}`);
  if (!/^(\[\w+ "(?:[^"\\\n]|\\.)*"\]\n)+\n/.test(pgn(summary, game))) throw new Error(`tags ${pgn(summary, game)}`);
  namesOf(summary);
  const { node, why } = readTree(game.start, game.moves);
  if (!node) throw new Error(why);
  if (game.review) restoredReview(rootOf(node), game.review);
  for (const task of tasks) if (!readTree(task.start, task.moves).node) throw new Error("a task");
}

function taken(text) {
  let content;
  try {
    content = readBackup(text);
  } catch (error) {
    return error.message;
  }
  const checked = content.games.map(checkedGame);
  const kept = checked.map((one) => one.kept).filter(Boolean);
  kept.forEach(used);
  const again = JSON.parse(JSON.stringify(kept)).map(checkedGame);
  if (!isDeepStrictEqual(again, kept.map((one) => ({ kept: one, damaged: 0 })))) throw new Error("a backup of it differs");
  content.puzzles.map(CHECKS.puzzles);
  return { kept: kept.map(({ summary }) => summary.print), results: kept.map(({ summary }) => summary.result), damaged: checked.reduce((sum, one) => sum + one.damaged, 0) };
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(taken)));

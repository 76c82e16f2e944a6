// Walks games of standard input (a JSON list of [start, transcript]) with the page's own rules and tree; prints what it found.
import { readFileSync } from "node:fs";
import { boardText, finalScore, legalMoves } from "./rules.js";
import { add, lineThrough, pathTo, queryOf, readTree, remove, restored, rootOf, stored } from "./tree.js";

const boards = (node) => pathTo(node).map((one) => boardText(one.position));

function walked([start, moves]) {
  const { node } = readTree(start, moves);
  if (!node) return null;
  const line = pathTo(node);
  const linked = new URLSearchParams(queryOf(node));
  const reread = readTree(linked.get("start") ?? "", linked.get("game") ?? "").node;
  const kept = restored(JSON.parse(JSON.stringify(stored(line[line.length >> 1]))));
  // A variation at the start, shown and taken away again.
  const root = rootOf(node);
  const other = legalMoves(root.position).find((move) => move !== line[1]?.move);
  if (line.length > 1 && other !== undefined) {
    const child = add(root, other);
    if (lineThrough(root)[1] !== child || remove(child) !== root) throw new Error("a variation that does not come or go");
  }
  return {
    positions: line.map(({ position, move }) => [boardText(position), legalMoves(position), move]),
    score: finalScore(node.position),
    linked: reread && boards(reread),
    kept: kept && lineThrough(kept).map((one) => boardText(one.position)),
    line: lineThrough(root).map((one) => boardText(one.position)),
  };
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(walked)));

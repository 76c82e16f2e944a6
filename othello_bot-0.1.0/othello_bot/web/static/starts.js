// Where a game begins: at the usual start, after a balanced opening as in XOT, or after random moves.

import { PASS, legalMoves, mustPass } from "./rules.js";
import { add, newTree, readTree } from "./tree.js";

/** @typedef {import("./types").Node} Node */

/** Plies of random moves; the balanced openings have as many. */
const PLIES = 8;

/** The position where a game begins. @param {string} start usual, balanced or random @returns {Promise<Node>} */
export async function beginning(start) {
  if (start === "random") return afterRandomMoves();
  if (start === "balanced") return afterBalancedOpening();
  return newTree();
}

/** @template T @param {T[]} items @returns {T} */
function chosen(items) {
  return items[Math.floor(Math.random() * items.length)];
}

/** @returns {Node} */
function afterRandomMoves() {
  let node = newTree();
  while (node.ply < PLIES) {
    const next = add(node, mustPass(node.position) ? PASS : chosen(legalMoves(node.position)));
    node = next ?? newTree(); // the game was over: begin again
  }
  return node;
}

/** @returns {Promise<Node>} */
async function afterBalancedOpening() {
  const reply = await fetch(new URL("openings.txt", import.meta.url));
  if (!reply.ok) throw new Error(String(reply.status));
  const lines = (await reply.text()).split("\n").filter((line) => /^[a-h][1-8]/.test(line));
  const { node } = readTree("", chosen(lines).split(" ")[0]);
  if (!node) throw new Error("an opening cannot be read");
  return node;
}

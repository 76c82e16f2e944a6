// The game as a tree of positions: its variations, and the line that is shown.

import {
  PASS, START, boardText, flips, isOver, isUsualStart, moveParts, mustPass, parseBoard, parseMove, play, transcript,
} from "./rules.js";
import { words } from "./words.js";

/** @typedef {import("./types").Node} Node */
/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").Review} Review */

/** A new node. @param {Position} position @param {Node | null} parent @param {number} move @returns {Node} */
function made(position, parent, move) {
  return {
    move,
    parent,
    children: [],
    next: null,
    position,
    flipped: parent && move !== PASS ? flips(parent.position, move) : [],
    ply: parent ? parent.ply + 1 : 0,
    values: null,
    judged: null,
    opening: null,
  };
}

/** The root of a new tree. @param {Position} [start] @returns {Node} */
export function newTree(start = START) {
  return made(start, null, -1);
}

/** Play a move: return the child, which may have been there before; null if the move is illegal.
 * @param {Node} node @param {number} move @returns {Node | null} */
export function add(node, move) {
  const known = node.children.find((child) => child.move === move);
  if (known) {
    node.next = known;
    return known;
  }
  const position = play(node.position, move);
  if (!position) return null;
  const child = made(position, node, move);
  node.children.push(child);
  node.next = child;
  return child;
}

/** Play moves, inserting passes that they omit; return the last node, or the name of what is wrong.
 * @param {Node} node @param {number[]} moves @returns {{ node: Node, played: number }} */
export function addAll(node, moves) {
  let at = node;
  let played = 0;
  for (const move of moves) {
    if (move !== PASS && mustPass(at.position)) at = add(at, PASS) ?? at;
    const child = add(at, move);
    if (!child) break;
    at = child;
    played += 1;
  }
  return { node: at, played };
}

/** @param {Node} node @returns {Node} */
export function rootOf(node) {
  let at = node;
  while (at.parent) at = at.parent;
  return at;
}

/** The nodes from the root to this one. @param {Node} node @returns {Node[]} */
export function pathTo(node) {
  const path = [];
  for (let at = /** @type {Node | null} */ (node); at; at = at.parent) path.unshift(at);
  return path;
}

/** The line through a node: the nodes from the root to it, and on to the end. @param {Node} node @returns {Node[]} */
export function lineThrough(node) {
  const line = pathTo(node);
  for (let at = node.next; at; at = at.next) line.push(at);
  return line;
}

/** @param {Node} node @returns {number[]} */
export function movesTo(node) {
  return pathTo(node).slice(1).map((one) => one.move);
}

/** The start and the moves of the game up to a node, as the server reads them. @param {Node} node */
export function asked(node) {
  const start = rootOf(node).position;
  return { start: isUsualStart(start) ? "" : boardText(start), moves: transcript(movesTo(node), { passes: true }) };
}

/** The line of a game without its variations. @param {Node} root @returns {Node[]} */
export function mainLine(root) {
  const line = [rootOf(root)];
  for (let at = line[0].children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** What is kept of a finished review: the judgements of the moves, and the sums. @param {Review} review */
export function storedReview({ line, level, players }) {
  return { level, players, judged: line.slice(1).map((node) => node.judged) };
}

/** The kept review of a game. @param {Node} root @param {ReturnType<typeof storedReview>} review @returns {Review} */
export function restoredReview(root, { level, players, judged }) {
  const line = mainLine(root).slice(0, judged.length + 1);
  line.slice(1).forEach((node, index) => (node.judged = judged[index]));
  return { line, level, done: line.length - 1, players, error: "" };
}

/** The query of a link that opens the game at a node; "" for a game without moves.
 * @param {Node} node */
export function queryOf(node) {
  const fields = new URLSearchParams();
  const line = lineThrough(node);
  const start = line[0].position;
  if (!isUsualStart(start)) fields.set("start", boardText(start));
  else if (line.length === 1) return "";
  fields.set("game", transcript(line.slice(1).map((one) => one.move)));
  if (node.next) fields.set("ply", String(node.ply));
  return `?${fields}`;
}

/** Remove a node and all that follows it; return its parent. @param {Node} node @returns {Node} */
export function remove(node) {
  const parent = node.parent;
  if (!parent) return node;
  parent.children.splice(parent.children.indexOf(node), 1);
  if (parent.next === node) parent.next = parent.children[0] ?? null;
  return parent;
}

/** The tree as a value for the browser's storage: for each node its parent's number and its move.
 * @param {Node} node the current node */
export function stored(node) {
  const root = rootOf(node);
  /** @type {Node[]} */
  const order = [];
  const visit = (/** @type {Node} */ one) => {
    order.push(one);
    one.children.forEach(visit);
  };
  visit(root);
  const numbers = new Map(order.map((one, index) => [one, index]));
  return {
    start: boardText(root.position),
    nodes: order.slice(1).map((one) => [numbers.get(/** @type {Node} */ (one.parent)), one.move]),
    next: order.map((one) => (one.next ? one.children.indexOf(one.next) : -1)),
    at: numbers.get(node),
  };
}

/** The current node of a stored tree; null if the value is not one. @param {any} value @returns {Node | null} */
export function restored(value) {
  try {
    const start = parseBoard(value.start);
    if (!start) return null;
    const order = [newTree(start)];
    for (const [parent, move] of value.nodes) {
      const child = add(order[parent], move);
      if (!child) return null;
      order.push(child);
    }
    order.forEach((one, index) => {
      one.next = one.children[value.next[index]] ?? one.children[0] ?? null;
    });
    return order[value.at] ?? null;
  } catch {
    return null;
  }
}

/** The last node of the game of a start and a transcript; or null, and why it cannot be read.
 * @param {string} start @param {string} moves @returns {{ node: Node | null, why: string }} */
export function readTree(start, moves) {
  const position = start ? parseBoard(start) : START;
  if (!position) {
    return { node: null, why: words.reading.noBoard(cut(start)) };
  }
  const parts = moveParts(moves);
  const known = parts.map(parseMove);
  const wrong = known.indexOf(null);
  if (wrong >= 0) {
    return { node: null, why: words.reading.noSquare(wrong + 1, cut(parts[wrong])) };
  }
  const { node, played } = addAll(newTree(position), /** @type {number[]} */ (known));
  if (played === parts.length) return { node, why: "" };
  const why = isOver(node.position)
    ? words.reading.afterEnd(played + 1, parts[played])
    : words.reading.illegal(played + 1, parts[played], node.position.turn);
  return { node: null, why };
}

/** Somebody else's text, short enough for a message. @param {string} text */
function cut(text) {
  return text.length > 24 ? `${text.slice(0, 24)}…` : text;
}

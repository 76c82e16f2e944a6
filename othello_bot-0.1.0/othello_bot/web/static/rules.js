// The rules of Othello for a board of text: 64 cells from a1 to h8, X black, O white, - empty.

/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").Side} Side */

export const PASS = 64;

/** @type {Position} */
export const START = { cells: "---------------------------OX------XO---------------------------", turn: "X" };

const STEPS = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => [row, column])).filter(([row, column]) => row || column);

/** Rays from each square: for each direction the squares up to the edge. */
const RAYS = Array.from({ length: 64 }, (_, square) =>
  STEPS.map(([down, right]) => {
    const ray = [];
    let row = (square >> 3) + down;
    let column = (square & 7) + right;
    while (row >= 0 && row < 8 && column >= 0 && column < 8) {
      ray.push(8 * row + column);
      row += down;
      column += right;
    }
    return ray;
  }),
);

/** @param {Side} side @returns {Side} */
export function other(side) {
  return side === "X" ? "O" : "X";
}

/** The discs that a move turns over; none if it is illegal.
 * @param {Position} position @param {number} square @returns {number[]} */
export function flips({ cells, turn }, square) {
  if (cells[square] !== "-") return [];
  const found = [];
  for (const ray of RAYS[square]) {
    let length = 0;
    while (length < ray.length && cells[ray[length]] === other(turn)) length += 1;
    if (length && length < ray.length && cells[ray[length]] === turn) found.push(...ray.slice(0, length));
  }
  return found;
}

/** @param {Position} position @returns {number[]} */
export function legalMoves(position) {
  const found = [];
  for (let square = 0; square < 64; square += 1) if (flips(position, square).length) found.push(square);
  return found;
}

/** @param {Position} position @returns {Position} */
export function passed(position) {
  return { cells: position.cells, turn: other(position.turn) };
}

/** @param {Position} position */
export function mustPass(position) {
  return !legalMoves(position).length && legalMoves(passed(position)).length > 0;
}

/** @param {Position} position */
export function isOver(position) {
  return !legalMoves(position).length && !legalMoves(passed(position)).length;
}

/** The position after a move; null if the move is illegal.
 * @param {Position} position @param {number} move @returns {Position | null} */
export function play(position, move) {
  if (move === PASS) return mustPass(position) ? passed(position) : null;
  const turned = flips(position, move);
  if (!turned.length) return null;
  const cells = [...position.cells];
  for (const square of [move, ...turned]) cells[square] = position.turn;
  return { cells: cells.join(""), turn: other(position.turn) };
}

/** @param {Position} position @param {string} cell */
export function count(position, cell) {
  return [...position.cells].filter((one) => one === cell).length;
}

/** The disc difference from Black's view; empty squares count for the winner.
 * @param {Position} position */
export function finalScore(position) {
  const black = count(position, "X");
  const white = count(position, "O");
  const empty = 64 - black - white;
  return black - white + Math.sign(black - white) * empty;
}

/** @param {number} move */
export function moveName(move) {
  return move === PASS ? "pass" : "abcdefgh"[move & 7] + String((move >> 3) + 1);
}

/** The move of a name: "f5", "F5", "pa" or "pass"; null for any other text.
 * @param {string} text @returns {number | null} */
export function parseMove(text) {
  const name = text.toLowerCase();
  if (/^(pass|pa|ps|--)$/.test(name)) return PASS;
  return /^[a-h][1-8]$/.test(name) ? "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1) : null;
}

/** The names of moves of which a transcript consists, two characters each. @param {string} text */
export function moveParts(text) {
  return text.replace(/\s+/g, "").match(/.{1,2}/gu) ?? [];
}

/** The moves of a transcript of this page or of the server: "f5d6pac3"; null for any other text.
 * @param {string} text @returns {number[] | null} */
export function parseMoves(text) {
  const moves = moveParts(text).map(parseMove);
  return moves.some((move) => move === null) ? null : /** @type {number[]} */ (moves);
}

/** @param {number[]} moves @param {{ passes?: boolean }} [how] whether passes are written, as "pa" */
export function transcript(moves, { passes = false } = {}) {
  const written = passes ? moves : moves.filter((move) => move !== PASS);
  return written.map((move) => (move === PASS ? "pa" : moveName(move))).join("");
}

/** @param {Position} position */
export function boardText(position) {
  return `${position.cells} ${position.turn}`;
}

/** Most characters of a board text. To normalise a long run of accents takes minutes. */
const LONGEST_BOARD = 4096;

/** The position of a board text; null for any other text.
 * @param {string} text @returns {Position | null} */
export function parseBoard(text) {
  if (text.length > LONGEST_BOARD) return null;
  const plain = text.normalize("NFKC").replace(/[●⚫黒]/g, "X").replace(/[○◯⚪白]/g, "O").replace(/[・·□]/g, "-").replace(/番$/, "");
  const cells = plain.replace(/\s+/g, "").replace(/;$/, "");
  const match = /^([xob*wX.O_-]{64})([xobw*]?)$/i.exec(cells);
  if (!match) return null;
  const read = (/** @type {string} */ cell) =>
    /[xb*]/i.test(cell) ? "X" : /[ow]/i.test(cell) ? "O" : "-";
  return { cells: [...match[1]].map(read).join(""), turn: match[2] && read(match[2]) === "O" ? "O" : "X" };
}

/** @param {Position} position */
export function isUsualStart(position) {
  return position.cells === START.cells && position.turn === START.turn;
}

/** @param {number} score */
export function signed(score) {
  return score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0";
}

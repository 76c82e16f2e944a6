// The board: 64 buttons in a grid, with discs that turn over, values of moves and lines that are played out.

import { el, put, write } from "./dom.js";
import { moveName } from "./rules.js";
import { words } from "./words.js";

/** @typedef {import("./types").Position} Position */

/** A mark on an empty square: the value of a move.
 * @typedef {{ text: string, detail: string, grade: string, book: boolean, label: string }} Mark */

/** @typedef {object} Scene
 * @property {Position} position
 * @property {number | null} last the square of the last move
 * @property {number[]} flipped the discs that it turned over
 * @property {number[]} legal the squares to show as legal
 * @property {Map<number, Mark>} marks
 * @property {Map<number, string>} numbers of the moves of a line that is played out
 * @property {boolean} playable whether a click plays
 * @property {boolean} [free] whether a click on any square does something
 * @property {boolean} quiet whether discs change without turning over
 */

/** Milliseconds between the turns of discs at one step's distance from the move. */
const RIPPLE_MS = 45;

/** Milliseconds after which a finger on a square holds it, and does not click. */
const HOLD_MS = 400;

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Board {
  /** @param {HTMLElement} element
   * @param {{ play: (square: number, covered: boolean) => void, look: (square: number | null) => void, hold: (square: number) => void,
   * covered: () => boolean }} events */
  constructor(element, events) {
    this.element = element;
    this.events = events;
    this.focused = 19;
    /** @type {HTMLElement[]} */
    this.cells = [];
    /** What each square looks like, as a text. @type {string[]} */
    this.looks = [];
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {number | null} */
    this.looked = null;
    /** Whether the finger on the board, or the last one, has held a square. */
    this.holding = false;
    /** Whether a line lay over the position when the finger came. */
    this.covered = false;
    this.build();
    this.listen();
  }

  build() {
    const pattern = el(
      "button",
      { role: "gridcell", class: "cell", type: "button" },
      el("span", { class: "disc" }, el("i", { class: "black" }), el("i", { class: "white" })),
      el("span", { class: "mark", "aria-hidden": "true" }, el("b"), el("small")),
      el("span", { class: "number", "aria-hidden": "true" }),
    );
    const rows = [];
    for (let row = 0; row < 8; row += 1) {
      const cells = [];
      for (let column = 0; column < 8; column += 1) cells.push(this.cell(pattern, 8 * row + column));
      this.cells.push(...cells);
      rows.push(el("div", { role: "row", class: "row" }, ...cells));
    }
    const names = (/** @type {string} */ text, /** @type {string} */ kind) =>
      el("div", { class: `names ${kind}`, "aria-hidden": "true" }, ...[...text].map((one) => el("span", {}, one)));
    const surface = el("div", { class: "surface", role: "presentation" }, ...rows);
    put(this.element, names("abcdefgh", "files"), names("12345678", "ranks"), surface);
    for (const square of [18, 21, 42, 45]) this.cells[square].classList.add("star");
  }

  /** @param {Element} pattern a cell without what is its own @param {number} square */
  cell(pattern, square) {
    const cell = /** @type {HTMLElement} */ (pattern.cloneNode(true));
    cell.dataset.square = String(square);
    cell.tabIndex = square === this.focused ? 0 : -1;
    return cell;
  }

  listen() {
    const { element, events } = this;
    this.listenForFingers();
    element.addEventListener("click", (event) => {
      const square = squareOf(event);
      if (square === null || this.holding) return;
      this.focused = square;
      events.play(square, this.covered);
    });
    // A finger does not hover: what it touches is played, or held.
    element.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.look(squareOf(event)));
    element.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.look(null));
    element.addEventListener("focusin", (event) => {
      const square = squareOf(event);
      if (square === null) return;
      this.rove(square);
      if (this.cells[square].matches(":focus-visible")) this.look(square);
    });
    element.addEventListener("focusout", () => this.look(null));
  }

  /** A finger that stays on a square looks at it; the click that may follow plays nothing. */
  listenForFingers() {
    const { element } = this;
    let timer = 0;
    let began = 0;
    element.addEventListener("pointerdown", (event) => {
      clearTimeout(timer);
      began = event.timeStamp;
      this.holding = false;
      this.covered = event.pointerType === "touch" && this.events.covered();
      const square = squareOf(event);
      if (event.pointerType !== "touch" || square === null) return;
      timer = window.setTimeout(() => {
        this.holding = true;
        this.events.hold(square);
      }, HOLD_MS);
    });
    element.addEventListener("pointercancel", () => clearTimeout(timer));
    element.addEventListener("pointerup", (event) => {
      clearTimeout(timer);
      // The timer of a busy page may come before the end of a short touch is known.
      if (event.timeStamp - began < HOLD_MS) this.holding = false;
    });
    element.addEventListener("contextmenu", (event) => {
      if (this.holding) event.preventDefault();
    });
  }

  /** The pointer or the focus is on a square, or on none. @param {number | null} square */
  look(square) {
    if (square === this.looked || this.holding) return;
    this.looked = square;
    this.events.look(square);
  }

  /** Move the focus to a neighbouring square. @param {keyof typeof STEPS} arrow */
  walk(arrow) {
    const step = STEPS[arrow];
    const row = Math.max(0, Math.min(7, (this.focused >> 3) + step[0]));
    const column = Math.max(0, Math.min(7, (this.focused & 7) + step[1]));
    this.focus(8 * row + column);
  }

  /** @param {number} square */
  focus(square) {
    this.rove(square);
    this.cells[square].focus();
  }

  /** Make a square the one that the tab key reaches. @param {number} square */
  rove(square) {
    this.cells[this.focused].tabIndex = -1;
    this.focused = square;
    this.cells[square].tabIndex = 0;
  }

  /** Move to the next legal square. */
  nextLegal() {
    const legal = this.scene?.legal ?? [];
    if (!legal.length) return;
    const here = document.activeElement === this.cells[this.focused] ? this.focused : -1;
    this.focus(legal.find((square) => square > here) ?? legal[0]);
  }

  /** @param {Scene} scene */
  render(scene) {
    const before = this.scene;
    this.scene = scene;
    this.element.classList.toggle("playable", scene.playable);
    this.element.dataset.turn = scene.position.turn;
    for (let square = 0; square < 64; square += 1) this.draw(square, scene, before);
  }

  /** Draw a square, unless it looks so already. @param {number} square @param {Scene} scene @param {Scene | null} before */
  draw(square, scene, before) {
    const disc = scene.position.cells[square];
    const was = before?.position.cells[square] ?? "-";
    const last = square === scene.last;
    const flipped = scene.flipped.includes(square);
    const legal = scene.legal.includes(square);
    const mark = scene.marks.get(square);
    const number = scene.numbers.get(square) ?? "";
    const label = squareLabel(square, disc, legal, last, mark);
    const look = [disc, last, flipped, legal && scene.playable, scene.free, mark?.text, mark?.detail, mark?.grade, number, label].join();
    if (look === this.looks[square]) return;
    this.looks[square] = look;
    const cell = this.cells[square];
    const { classList } = cell;
    if (disc !== was || !before) {
      const far = scene.last === null ? 0 : distance(square, scene.last);
      cell.style.setProperty("--wait", `${scene.quiet ? 0 : far * RIPPLE_MS}ms`);
      cell.dataset.disc = disc;
      classList.toggle("turns", !scene.quiet && disc !== "-" && was !== "-");
      classList.toggle("placed", !scene.quiet && disc !== "-" && was === "-");
    }
    classList.toggle("last", last);
    classList.toggle("flipped", flipped);
    classList.toggle("legal", legal);
    classList.toggle("book", Boolean(mark?.book));
    cell.dataset.grade = mark ? mark.grade : "";
    const [, shown, numbered] = cell.children;
    write(shown.children[0], mark ? mark.text : "");
    write(shown.children[1], mark ? mark.detail : "");
    write(numbered, number);
    cell.setAttribute("aria-label", label);
    cell.setAttribute("aria-disabled", String(!scene.free && !(legal && scene.playable)));
  }

  /** Outline the discs that a move would turn over. @param {number[]} squares */
  wouldTurn(squares) {
    this.cells.forEach((cell, square) => cell.classList.toggle("would-turn", squares.includes(square)));
  }
}

/** The square that an event is about; null if it is about none. @param {Event} event */
function squareOf(event) {
  const cell = event.target instanceof Element ? event.target.closest("[data-square]") : null;
  return cell ? Number(cell.getAttribute("data-square")) : null;
}

/** @param {number} one @param {number} two */
function distance(one, two) {
  return Math.max(Math.abs((one >> 3) - (two >> 3)), Math.abs((one & 7) - (two & 7)));
}

/** @param {number} square @param {string} disc @param {boolean} legal @param {boolean} last @param {Mark} [mark] */
function squareLabel(square, disc, legal, last, mark) {
  const what = disc === "X" || disc === "O" ? words.board.disc[disc] : legal ? words.board.legal : words.board.empty;
  return [moveName(square), what, last ? words.board.last : "", mark ? mark.label : ""].filter(Boolean).join(", ");
}

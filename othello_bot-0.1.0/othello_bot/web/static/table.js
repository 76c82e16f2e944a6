// What stands around the game: the board with its marks, the players, the status line and the buttons below.

import { Board } from "./board.js";
import { byId, el, icon, write } from "./dom.js";
import { Thinker, blackScore, discsLost, gradeOf } from "./learn.js";
import {
  PASS, count, finalScore, flips, isOver, legalMoves, moveName, mustPass, other, parseMove, play, signed,
} from "./rules.js";
import { rootOf } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./game").Course} Course */
/** @typedef {import("./types").Side} Side */

/** Milliseconds between two moves of a line that is played out. */
const STEP_MS = 420;

/** Milliseconds for which the end of a line is shown, if the position comes back by itself. */
const END_MS = 1600;

/** Milliseconds for which the pointer rests on a move before its line is played out. */
const REST_MS = 350;

export class Table {
  /** @param {App} app @param {Course} course */
  constructor(app, course) {
    this.app = app;
    this.course = course;
    this.element = /** @type {HTMLElement} */ (document.querySelector(".table"));
    /** What a click sets in Edit. @type {(square: number) => void} */
    this.touched = () => {};
    /** A line that is played out: its moves, how many are on the board, and whether it stays when the pointer moves.
     * @type {{ moves: number[], shown: number, stays: boolean } | null} */
    this.line = null;
    this.timer = 0;
    /** @type {import("./types").Node | null} */
    this.drawn = null;
    this.board = new Board(byId("board"), {
      play: (square, covered) => this.clicked(square, covered),
      look: (square) => this.looked(square),
      hold: (square) => this.held(square),
      covered: () => this.line !== null,
    });
    this.buttons = this.controls();
    app.watch(() => this.render());
    course.ticks.push(() => this.renderClocks());
  }

  // -- what the pointer does ----------------------------------------------------------------------------------------

  /** @param {number} square @param {boolean} [covered] whether a finger touched a line: that brings the position back */
  clicked(square, covered = false) {
    this.endLine();
    if (covered) return;
    if (this.app.mode === "edit" && this.editing) {
      this.touched(square);
      return;
    }
    const { trial } = this.app;
    if (!this.app.mayPlay(square)) return;
    if (trial && trial.node === this.app.node) trial.tried(square);
    else this.course.play(square);
  }

  /** Whether a click sets a disc instead of playing. */
  editing = false;

  /** @param {number | null} square */
  looked(square) {
    if (!this.line?.stays) clearTimeout(this.timer);
    if (this.line?.stays) return;
    if (this.line) {
      this.line = null;
      this.render();
    }
    const { app } = this;
    const playable = square !== null && !this.editing && app.mayPlay(square);
    this.board.wouldTurn(playable ? flips(app.position, square) : []);
    if (square === null || !this.app.showsValues) return;
    const line = Thinker.linesOf(app.node).find((one) => one.square === square);
    if (line) this.timer = window.setTimeout(() => this.playOut(line.pv), REST_MS);
  }

  /** A finger rests on a square. @param {number} square */
  held(square) {
    const line = this.app.showsValues ? Thinker.linesOf(this.app.node).find((one) => one.square === square) : null;
    if (line) this.playOut(line.pv);
    else if (this.app.mayPlay(square)) this.board.wouldTurn(flips(this.app.position, square));
  }

  /** Scroll to the board if a part of it is out of sight, as on a telephone: with the players and the buttons if all of it fits. */
  reveal() {
    const shown = this.element.offsetHeight <= window.innerHeight ? this.element : byId("board");
    const { top, bottom, height } = shown.getBoundingClientRect();
    const covered = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    const seen = Math.min(bottom, window.innerHeight) - Math.max(top, covered);
    if (seen < Math.min(height, window.innerHeight - covered) - 1) shown.scrollIntoView({ block: "nearest" });
  }

  /** Play out a line of move names on the board. @param {string[]} names @param {boolean} [stays] until the next click
   * @param {boolean} [returns] whether the position comes back after the line */
  playOut(names, stays = false, returns = false) {
    clearTimeout(this.timer);
    const moves = names.map((name) => parseMove(name) ?? PASS);
    this.line = { moves, shown: 0, stays };
    this.board.wouldTurn([]);
    const step = () => {
      if (!this.line) return;
      this.line.shown += 1;
      this.render();
      if (this.line.shown < this.line.moves.length) this.timer = window.setTimeout(step, STEP_MS);
      else if (returns) this.timer = window.setTimeout(() => this.endLine(), END_MS);
    };
    step();
  }

  endLine() {
    clearTimeout(this.timer);
    if (this.line) {
      this.line = null;
      this.render();
    }
  }

  // -- drawing ------------------------------------------------------------------------------------------------------

  render() {
    const { app } = this;
    const { node } = app;
    const anew = this.drawn !== null && rootOf(this.drawn) !== app.root;
    if (this.drawn !== node) {
      this.line = null;
      clearTimeout(this.timer);
      this.board.wouldTurn([]);
    }
    this.board.render(this.line ? this.lineScene(this.line) : this.scene());
    this.drawn = node;
    const bottom = app.settings.bottom === "O" ? "O" : "X";
    this.renderSeat(byId("seat-top"), other(bottom));
    this.renderSeat(byId("seat-bottom"), bottom);
    this.renderBalance();
    this.renderStatus();
    this.renderControls();
    if (anew && app.mode !== "edit") this.reveal();
  }

  renderStatus() {
    write(byId("status"), this.status());
  }

  /** @returns {import("./board").Scene} */
  scene() {
    const { app } = this;
    const { node } = app;
    const legal = legalMoves(node.position);
    const playable = !this.editing && (app.mode !== "play" || legal.some((square) => app.mayPlay(square)));
    return {
      position: node.position,
      last: node.parent && node.move !== PASS ? node.move : null,
      flipped: node.flipped,
      legal: playable ? legal : [],
      marks: this.editing ? new Map() : this.marks(),
      numbers: new Map(),
      playable,
      free: this.editing,
      quiet: this.drawn !== node.parent && this.drawn !== node,
    };
  }

  /** @returns {Map<number, import("./board").Mark>} */
  marks() {
    const { app } = this;
    const marks = new Map();
    const { hinted } = this.course;
    if (hinted && hinted.node === app.node) {
      const text = signed(hinted.score);
      marks.set(hinted.move, { text, detail: "", grade: "best", book: false, label: words.board.hint(hinted.score) });
    }
    if (!this.app.showsValues) return marks;
    const lines = Thinker.linesOf(app.node);
    const book = new Map((app.node.opening?.moves ?? []).map((one) => [parseMove(one.move), one]));
    for (const line of lines) {
      const grade = gradeOf(lines[0].score - line.score);
      const known = book.get(line.square);
      const detail = line.exact ? words.board.exact : `${line.depth}`;
      const reached = line.exact ? words.board.exact : words.board.depth(line.depth);
      const label = [words.signedDiscs(line.score), reached, known ? words.board.book(known.name ?? "") : ""].filter(Boolean).join(", ");
      marks.set(line.square, { text: signed(line.score), detail, grade, book: Boolean(known), label });
    }
    return marks;
  }

  /** @param {{ moves: number[], shown: number }} line @returns {import("./board").Scene} */
  lineScene({ moves, shown }) {
    let position = this.app.position;
    const numbers = new Map();
    let last = null;
    for (const [index, move] of moves.slice(0, shown).entries()) {
      const next = play(position, move);
      if (!next) break;
      position = next;
      if (move !== PASS) {
        numbers.set(move, String(index + 1));
        last = move;
      }
    }
    return { position, last, flipped: [], legal: [], marks: new Map(), numbers, playable: true, quiet: false };
  }

  /** @param {HTMLElement} element @param {Side} side */
  renderSeat(element, side) {
    const { app } = this;
    const position = this.board.scene?.position ?? app.position;
    const toMove = app.position.turn === side && !isOver(app.position) && !(app.ending && app.node === app.live);
    const thinks = this.course.askedFor !== null && app.live.position.turn === side;
    if (!element.childElementCount) {
      element.append(
        el("span", { class: "chip", "aria-hidden": "true" }),
        el("span", { class: "who" }),
        el("span", { class: "given" }),
        el("span", { class: "clock", role: "timer" }),
        el("span", { class: "discs" }),
      );
    }
    element.classList.toggle("to-move", toMove);
    element.classList.toggle("thinks", thinks);
    element.dataset.side = side;
    const [, who, lost, clock, discs] = element.children;
    write(who, app.nameOf(side));
    const losses = discsLost(app.node);
    const shows = losses.known && app.mode !== "play";
    write(lost, shows ? words.board.lost(losses[side]) : "");
    lost.setAttribute("title", shows ? words.board.aboutLost : "");
    write(discs, String(count(position, side)));
    discs.setAttribute("aria-label", words.board.has(side, count(position, side)));
    discs.setAttribute("role", "img");
    /** @type {HTMLElement} */ (clock).hidden = !app.control;
    this.renderClock(element);
  }

  renderClocks() {
    this.renderClock(byId("seat-top"));
    this.renderClock(byId("seat-bottom"));
  }

  /** @param {HTMLElement} element */
  renderClock(element) {
    if (!this.app.control) return;
    const side = element.dataset.side === "O" ? "O" : "X";
    const clock = element.children[3];
    const left = Math.max(0, this.course.leftOf(side));
    clock.classList.toggle("short", left < 20);
    write(clock, clockText(left));
  }

  renderBalance() {
    const balance = byId("balance");
    const score = this.app.showsValues ? blackScore(this.app.node) : null;
    const final = isOver(this.app.position) ? finalScore(this.app.position) : null;
    const shown = final ?? score;
    balance.hidden = !this.app.showsValues;
    const share = 50 + 50 * Math.tanh((shown ?? 0) / 18);
    balance.style.setProperty("--black", `${share}%`);
    balance.classList.toggle("turned", this.app.settings.bottom === "O");
    write(balance.children[1], shown === null ? "" : signed(shown));
  }

  /** The line below the board: whose turn it is, a pass, or the result and what it means. */
  status() {
    const { app } = this;
    const { position, parent, move } = app.node;
    if (app.trial?.node === app.node) return app.trial.told;
    if (app.mode === "play" && app.node === app.live && this.course.verdict()) return this.course.verdict();
    if (isOver(position)) return app.mode === "edit" && !parent ? words.edit.stuck : resultText(position);
    const { turn } = position;
    if (mustPass(position)) return words.status.mustPass(turn);
    const after = parent && move === PASS ? words.status.passed(other(turn)) : "";
    if (app.mode === "play" && app.paused) return words.status.paused;
    if (this.course.askedFor) return `${after}${words.status.thinking(app.nameOf(turn))}`;
    const { hinted } = this.course;
    if (hinted && hinted.node === app.node) {
      return words.status.hint(moveName(hinted.move), hinted.score, turn);
    }
    const you = app.mode === "play" && app.nameOf(turn) === words.you;
    const judged = app.mode === "review" ? app.node.next?.judged : null;
    const slip = judged?.loss ? `${words.space}${words.status.slip(judged.move, judged.loss, judged.best)}` : "";
    return `${after}${words.status[you ? "yourTurn" : "toMove"](turn)}${slip}`;
  }

  // -- buttons ------------------------------------------------------------------------------------------------------

  controls() {
    const { app, course } = this;
    const button = (
      /** @type {Parameters<typeof icon>[0]} */ name,
      /** @type {string} */ label,
      /** @type {string} */ text,
      /** @type {() => void} */ act,
    ) => {
      const made = el("button", { type: "button", title: label, "aria-label": label, onclick: act }, icon(name), caption(text));
      byId("controls").append(made);
      return /** @type {HTMLButtonElement} */ (made);
    };
    return {
      first: button("first", words.controls.first, "", () => app.step(-999)),
      back: button("back", words.controls.back, "", () => app.step(-1)),
      forward: button("forward", words.controls.forward, "", () => app.step(1)),
      last: button("last", words.controls.last, "", () => app.step(999)),
      takeBack: button("takeback", words.controls.takeBackKey, words.controls.takeBack, () => course.takeBack()),
      hint: button("hint", words.controls.hintKey, words.controls.hint, () => course.hint()),
      turn: button("turn", words.controls.turn, "", () => {
        app.settings.bottom = app.settings.bottom === "O" ? "X" : "O";
        app.changed();
      }),
    };
  }

  renderControls() {
    const { first, back, forward, last, takeBack, hint } = this.buttons;
    const { node } = this.app;
    first.disabled = back.disabled = !node.parent;
    last.disabled = forward.disabled = !node.next;
    takeBack.disabled = !this.course.mayTakeBack;
    hint.disabled = !this.course.mayHint;
    const inPlay = this.app.mode === "play";
    write(/** @type {Element} */ (takeBack.lastElementChild), inPlay ? words.controls.takeBack : words.controls.remove);
    for (const name of ["title", "aria-label"]) takeBack.setAttribute(name, inPlay ? words.controls.takeBackKey : words.controls.removeKey);
  }
}

/** The words of a button, which a narrow screen omits. @param {string} text */
function caption(text) {
  return text ? el("span", { class: "words" }, text) : null;
}

/** @param {number} seconds */
function clockText(seconds) {
  const tenths = Math.floor(seconds * 10) / 10;
  if (tenths < 10) return tenths.toFixed(1);
  const whole = Math.floor(tenths);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The result of a finished game, explained. @param {import("./types").Position} position */
function resultText(position) {
  const black = count(position, "X");
  const white = count(position, "O");
  const empty = 64 - black - white;
  const score = finalScore(position);
  const why = empty ? words.status.stuck : "";
  if (!score) return `${words.status.draw(black, white)}${why}`;
  const counted = empty ? words.status.empties(empty, 32 + Math.abs(score) / 2, 32 - Math.abs(score) / 2) : "";
  const won = words.status.wins(score > 0 ? "X" : "O", Math.abs(score), Math.max(black, white), Math.min(black, white));
  return `${won}${why}${counted}`;
}

// The panel of Puzzles: endgames with one good move, by rating; one of them is that of the day.

import { el, put, write } from "./dom.js";
import { Exercise } from "./exercise.js";
import { localDay } from "./records.js";
import { moveName, parseBoard, parseMove } from "./rules.js";
import { newTree } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./connection").Connection} Connection */
/** @typedef {import("./store").Store} Store */
/** @typedef {import("./table").Table} Table */
/** @typedef {import("./types").Node} Node */

/** A puzzle: its board's text, the exact score of each move, best first, and its rating.
 * @typedef {{ id: string, scores: [string, number][], rating: number }} Puzzle */

/** Ratings that may be chosen: from the first one up to the second one, 0 for no bound. */
const RATINGS = [[0, 0], [0, 1000], [1000, 1500], [1500, 1800], [1800, 0]];

/** The step from the puzzle of a day to that of the next one: a prime, so that easy and hard ones take turns and none is left out. */
const STEP = 619;

/** The puzzles of a file in OBF. @param {string} text @returns {Puzzle[]} */
function readPuzzles(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const [board, ...fields] = line.split("%")[0].split(";");
    const scores = fields.map((field) => /([a-h][1-8]):([+-]\d+)/i.exec(field)).filter((match) => match !== null);
    const rating = Number(/rating (\d+)/.exec(line)?.[1] ?? 0);
    if (scores.length > 1 && parseBoard(board)) {
      found.push({ id: board.trim(), scores: /** @type {[string, number][]} */ (scores.map((match) => [match[1].toLowerCase(), Number(match[2])])), rating });
    }
  }
  return found;
}

/** @extends {Exercise<Puzzle>} */
export class Puzzles extends Exercise {
  /** @param {HTMLElement} element @param {App} app @param {Connection} connection @param {Store} store @param {Table} table */
  constructor(element, app, connection, store, table) {
    super(app, connection, table, "puzzles", "puzzle-said");
    this.store = store;
    /** @type {Puzzle[]} */
    this.all = [];
    /** Whether each puzzle that was tried was missed, by its id. @type {Map<string, boolean>} */
    this.results = new Map();
    this.asked = false;
    /** The day of the puzzle of the day that is shown. */
    this.day = localDay();
    this.score = el("p", { class: "about", id: "puzzle-score" });
    this.daily = el("button", { type: "button", id: "daily-puzzle", onclick: () => this.beginWith(this.ofTheDay()) });
    this.onward = el("button", { type: "button", class: "primary", id: "next-puzzle", onclick: () => this.beginWith(this.chosen()) }, words.puzzles.next);
    this.rating = /** @type {HTMLSelectElement} */ (
      el(
        "select",
        { id: "puzzle-rating", onchange: () => this.renderScore() },
        ...RATINGS.map(([low, high], place) => el("option", { value: place, selected: place === app.settings.puzzles }, words.puzzles.ratings(low, high))),
      )
    );
    put(
      element,
      el("h2", {}, words.puzzles.title),
      el("div", { class: "line" }, el("label", { for: "puzzle-rating" }, words.puzzles.rating), this.rating),
      el("div", { class: "actions" }, this.onward, this.daily),
      this.said,
      this.buttons,
      this.score,
      el("p", { class: "about" }, words.puzzles.about),
    );
  }

  update() {
    super.update();
    if (this.app.mode !== "puzzles") return;
    if (this.all.length && this.day !== localDay()) this.renderScore();
    if (this.asked) return;
    this.asked = true;
    this.load();
  }

  /** Load the puzzles, and which ones were tried: when the panel is opened first. */
  async load() {
    write(this.said, words.puzzles.loading);
    this.onward.hidden = this.daily.hidden = true;
    try {
      const reply = await fetch(new URL("puzzles.obf", import.meta.url));
      if (!reply.ok) throw new Error(String(reply.status));
      this.all = readPuzzles(await reply.text());
    } catch {
      write(this.said, words.puzzles.failed);
      this.asked = false;
      return;
    }
    try {
      for await (const piece of this.store.pieces("puzzles")) for (const { id, missed } of piece) this.results.set(id, missed);
    } catch {
      // A browser that keeps nothing has puzzles, too.
    }
    this.onward.hidden = this.daily.hidden = false;
    await this.offer();
    performance.mark("puzzles shown");
  }

  async offer() {
    if (this.now || !this.all.length) return;
    write(this.said, "");
    put(this.buttons);
    this.renderScore();
  }

  renderScore() {
    this.onward.hidden = this.now !== null;
    this.day = localDay();
    this.app.settings.puzzles = Number(this.rating.value);
    this.app.keep();
    const among = this.among();
    const missed = among.filter(({ id }) => this.results.get(id)).length;
    const solved = among.filter(({ id }) => this.results.get(id) === false).length;
    write(this.score, words.puzzles.score(solved, missed, among.length));
    const today = this.results.get(this.ofTheDay()?.id ?? "");
    write(this.daily, today === undefined ? words.puzzles.daily : today ? words.puzzles.dailyMissed : words.puzzles.dailySolved);
  }

  /** The puzzles of the ratings that are chosen. */
  among() {
    const [low, high] = RATINGS[Number(this.rating.value)] ?? RATINGS[0];
    return this.all.filter(({ rating }) => rating >= low && (!high || rating < high));
  }

  /** A puzzle that was not tried yet; if there is none, one that was missed; else any. @returns {Puzzle | undefined} */
  chosen() {
    const among = this.among();
    const fresh = among.filter(({ id }) => !this.results.has(id));
    const missed = among.filter(({ id }) => this.results.get(id));
    const from = fresh.length ? fresh : missed.length ? missed : among;
    return from[Math.floor(Math.random() * from.length)];
  }

  /** @returns {Puzzle | undefined} */
  ofTheDay() {
    return this.all[(localDay() * STEP) % Math.max(1, this.all.length)];
  }

  /** @param {Puzzle | undefined} puzzle */
  beginWith(puzzle) {
    if (puzzle) this.begin([puzzle]);
  }

  /** @param {Puzzle} puzzle */
  nodeOf({ id }) {
    const position = parseBoard(id);
    return position && newTree(position);
  }

  /** @param {Puzzle} puzzle @param {Node} node */
  question({ scores, rating }, node) {
    const decides = scores[0][1] > 0 && scores[1][1] <= 0;
    return `${words.puzzles[decides ? "wins" : "better"](node.position.turn)}${words.space}${words.puzzles.rated(rating)}`;
  }

  /** @param {Puzzle} puzzle @param {Node} node @param {number} square */
  judge({ scores }, node, square) {
    const found = scores.find(([move]) => parseMove(move) === square);
    if (!found) return null;
    const [move, score] = found;
    const right = move === scores[0][0];
    const text = words.puzzles[right ? "right" : "notYet"](moveName(square), words.puzzles.result(score));
    return { right, text, pv: this.lineOf(node, move) };
  }

  /** @param {Puzzle} puzzle @param {Node} node */
  answer({ scores }, node) {
    const [move, score] = scores[0];
    return { right: true, text: words.puzzles.best(move, words.puzzles.result(score)), pv: this.lineOf(node, move) };
  }

  /** A puzzle that was missed once stays missed until it is solved at once. @param {Puzzle} puzzle @param {boolean} missed */
  async record({ id }, missed) {
    this.results.set(id, missed);
    this.renderScore();
    await this.store.putPuzzles([{ id, missed, day: localDay() }]);
    return "";
  }

  /** After each puzzle there is another. */
  next() {
    const another = this.now ? this.chosen() : undefined;
    if (another) {
      this.queue = [another];
      this.number = 0;
    }
    super.next();
    this.renderScore();
  }

  /** @returns {string} */
  get onwards() {
    return words.exercise.next;
  }
}

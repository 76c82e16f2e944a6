// The panel of Review: how well both played, and the moves that lost discs, with what was better as small boards.

import { byId, el, put, write } from "./dom.js";
import { picture } from "./picture.js";
import { tasksOf } from "./practice.js";
import { playersAt } from "./records.js";
import { PASS, moveName, parseMoves, play, signed } from "./rules.js";
import { moveText, words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./judging").Judge} Judge */
/** @typedef {import("./table").Table} Table */
/** @typedef {import("./types").Judged} Judged */
/** @typedef {import("./types").Node} Node */
/** @typedef {import("./types").Review} Review */

const LEVELS = [8, 12, 16, 20];

/** Moves of the line behind a better move that a small board shows. */
const SHOWN_PLIES = 7;

const PHASES = /** @type {const} */ (["total", "opening", "midgame", "endgame"]);

export class ReviewPanel {
  /** @param {HTMLElement} element @param {App} app @param {Judge} judge @param {Table} table
   * @param {(tasks: import("./types").Task[]) => void} practise */
  constructor(element, app, judge, table, practise) {
    this.app = app;
    this.judge = judge;
    this.table = table;
    this.shown = "";
    /** The cards of the moves that lost discs, kept while more come. @type {Map<Judged, HTMLElement>} */
    this.cards = new Map();
    this.bar = el("progress", { max: 1, value: 0, "aria-label": words.review.progress });
    this.said = el("p", { class: "about", role: "status", id: "review-said" });
    this.sums = el("div", { class: "sums" });
    this.filter = this.sides();
    this.practise = /** @type {HTMLButtonElement} */ (
      el("button", { type: "button", id: "practise-review", onclick: () => practise(this.tasks()) }, words.practice.thisGame)
    );
    this.list = el("ol", { class: "slips", id: "slips", "aria-label": words.review.slips });
    const step = (/** @type {string} */ id, /** @type {string} */ text, /** @type {number} */ by) =>
      /** @type {HTMLButtonElement} */ (el("button", { type: "button", id, title: `${text} (${by > 0 ? "m" : "M"})`, onclick: () => this.step(by) }, text));
    this.previous = step("previous-mistake", words.review.previousMistake, -1);
    this.next = step("next-mistake", words.review.nextMistake, 1);
    this.place = el("span", { class: "about", id: "mistake-place" });
    byId("mistakes").append(this.previous, this.next, this.place);
    this.game = el("div", { id: "review-game" }, this.head(), this.bar, this.said, this.sums, this.practise, this.filter, this.list);
    element.append(this.game);
    app.watch(() => this.render());
  }

  head() {
    const { app } = this;
    return el(
      "div",
      { class: "line" },
      el("label", { for: "review-level" }, words.review.depth),
      el(
        "select",
        {
          id: "review-level",
          onchange: (/** @type {any} */ event) => {
            app.settings.reviewLevel = Number(event.target.value);
            app.changed();
          },
        },
        ...LEVELS.map((level) => el("option", { value: level, selected: level === app.settings.reviewLevel }, words.review.level(level))),
      ),
      el("button", { type: "button", onclick: () => this.judge.begin() }, words.review.again),
    );
  }

  render() {
    const { app } = this;
    this.renderSteps();
    if (app.mode !== "review") return;
    const { review } = app;
    this.game.hidden = review === null;
    if (!review) return;
    const { slipsOf } = app.settings;
    const key = [review.done, review.level, review.players !== null, review.error, app.node.ply, app.names?.X, slipsOf].join();
    if (key === this.shown && this.cards.size) return;
    if (review.players && !this.shown.includes(",true,")) this.cards.clear(); // what people find is known only now
    this.shown = key;
    const total = Math.max(0, review.line.length - 1 - app.begun);
    this.bar.hidden = review.players !== null || review.error !== "";
    this.bar.setAttribute("max", String(total));
    this.bar.setAttribute("value", String(review.done));
    const slips = this.slips(review);
    write(this.said, review.error || (review.players ? verdict(slips.filter(({ judged }) => judged.loss).length) : words.review.judged(review.done, total)));
    put(this.sums, review.players ? this.accuracies(review) : null);
    this.filter.hidden = !slips.length;
    this.practise.hidden = !review.players || !this.tasks().length;
    this.fill(slips.filter(({ node }) => isOf(node, slipsOf)));
  }

  /** The moves that lost discs of the player whose slips are shown, as far as they are known. */
  mistakes() {
    const { review, settings } = this.app;
    return review ? this.slips(review).filter(({ node, judged }) => judged.loss > 0 && isOf(node, settings.slipsOf)) : [];
  }

  /** The buttons that lead from mistake to mistake, and which one is on the board. */
  renderSteps() {
    const { app } = this;
    const mistakes = app.mode === "review" ? this.mistakes() : [];
    byId("mistakes").hidden = !mistakes.length;
    if (!mistakes.length) return;
    const { ply } = app.node;
    const here = mistakes.findIndex(({ node }) => node.parent === app.node);
    this.previous.disabled = mistakes[0].node.ply - 1 >= ply;
    this.next.disabled = mistakes[mistakes.length - 1].node.ply - 1 <= ply;
    write(this.place, here < 0 ? "" : words.review.mistake(here + 1, mistakes.length));
  }

  /** Go to the position of the next mistake, or of the one before. @param {number} by 1 or -1 */
  step(by) {
    const { app } = this;
    const beyond = this.mistakes().filter(({ node }) => by * (node.ply - 1 - app.node.ply) > 0);
    const found = by > 0 ? beyond[0] : beyond[beyond.length - 1];
    if (!found?.node.parent) return;
    found.node.parent.next = found.node;
    app.goTo(found.node.parent);
    this.table.reveal();
    if (getComputedStyle(this.table.element).position === "sticky") this.cards.get(found.judged)?.scrollIntoView({ block: "nearest" });
  }

  /** The choice of the player whose slips are shown. */
  sides() {
    const { app } = this;
    const choice = (/** @type {string} */ value, /** @type {string} */ name) =>
      el(
        "label",
        {},
        el("input", {
          type: "radio",
          name: "slips-of",
          value,
          checked: value === app.settings.slipsOf,
          onchange: () => {
            app.settings.slipsOf = value;
            app.changed();
          },
        }),
        el("span", {}, name),
      );
    const choices = [choice("both", words.review.both), choice("X", words.side.X), choice("O", words.side.O)];
    return el("fieldset", { class: "segmented" }, el("legend", {}, words.review.slips), ...choices);
  }

  /** What is to be practised: the mistakes of the player whose slips are shown, or else one's own in a game against a computer. */
  tasks() {
    const { review, settings } = this.app;
    const chosen = settings.slipsOf === "X" || settings.slipsOf === "O" ? settings.slipsOf : playersAt(this.app).mine;
    return review ? tasksOf(review, 0, chosen) : [];
  }

  /** The moves of a review that lost discs or that few people find, with their nodes. @param {Review} review */
  slips(review) {
    const found = [];
    for (const node of review.line) {
      const { judged } = node;
      if (judged && (judged.loss > 0 || judged.note) && judged.level === review.level) found.push({ node, judged });
    }
    return found;
  }

  /** Show the cards of the slips; those that are shown already stay. @param {{ node: Node, judged: Judged }[]} slips */
  fill(slips) {
    const cards = new Map(slips.map(({ node, judged }) => [judged, this.cards.get(judged) ?? this.card(node, judged)]));
    for (const [{ ply }, card] of cards) {
      const button = /** @type {Element} */ (card.firstElementChild);
      if (this.app.node.ply === ply - 1) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const same = cards.size === this.cards.size && [...cards.keys()].every((judged) => this.cards.has(judged));
    this.cards = cards;
    if (!same || this.list.childElementCount !== cards.size) put(this.list, ...cards.values());
  }

  /** @param {Node} node @param {Judged} judged */
  card(node, judged) {
    const before = /** @type {Node} */ (node.parent);
    const side = before.position.turn;
    const better = parseMoves(judged.line)?.slice(0, SHOWN_PLIES) ?? [];
    const played = `${node.ply}. ${moveText(node.move)}`;
    const names = better.map(moveText).join(" ");
    const { loss } = judged;
    const rating = this.app.review?.players?.[side === "X" ? "black" : "white"].rating;
    const said = judged.note && rating ? words.review.notes[judged.note](rating, judged) : "";
    const label = `${words.review.card(node.ply, side, moveText(node.move), loss, judged.best, names)}${said ? ` (${said})` : ""}`;
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "slip", onclick: () => this.lookAt(before, better.map(moveName)), "aria-label": label },
        el(
          "span",
          { class: "slip-head" },
          el("i", { class: `dot ${side === "X" ? "black" : "white"}` }),
          el("strong", {}, played),
          loss ? el("span", { class: `lost-discs ${judged.grade ?? ""}` }, `−${loss}`) : null,
          el("span", { class: "grade" }, judged.grade ? words.review.grades[judged.grade] : ""),
        ),
        el(
          "span",
          { class: "pair-of-boards" },
          el("span", {}, picture(before.position, { bad: loss ? node.move : null, best: parseMoves(judged.best)?.[0] ?? null, plain: true }), `${moveText(node.move)} ${signed(judged.score)}`),
          el("span", {}, lineBoard(before, better), `${judged.best} ${signed(judged.best_score)}`),
        ),
        said ? el("span", { class: "slip-said" }, said) : null,
        el("span", { class: "slip-line" }, names),
      ),
    );
  }

  /** Go to the position of a card; if it is on the board already, play out the better line. @param {Node} node @param {string[]} line */
  lookAt(node, line) {
    if (this.app.node === node) this.table.playOut(line, true);
    else this.app.goTo(node);
    this.table.reveal();
  }

  /** The table of accuracies. @param {Review} review */
  accuracies({ players }) {
    if (!players) return null;
    const looks = Object.entries({ black: "X", white: "O" }).flatMap(([color, side]) => {
      const { rating, rating_error: error } = players[/** @type {"black" | "white"} */ (color)];
      const name = this.app.nameOf(/** @type {import("./types").Side} */ (side));
      return rating ? [words.review.looks(name, rating, Number(error))] : [];
    });
    const cell = (/** @type {import("./types").Tally} */ tally) =>
      el("td", {}, tally.accuracy === null ? "–" : words.percent(tally.accuracy));
    const row = (/** @type {"black" | "white"} */ color) => {
      const sums = players[color];
      const { loss, inaccuracies, mistakes, blunders } = sums.total;
      const cells = [
        ...PHASES.map((phase) => cell(sums[phase])),
        el("td", {}, String(loss)),
        el("td", { title: words.review.grade(inaccuracies, mistakes, blunders) }, `${inaccuracies} · ${mistakes} · ${blunders}`),
      ];
      const name = this.app.nameOf(color === "black" ? "X" : "O");
      return el("tbody", {}, el("tr", {}, el("th", { scope: "rowgroup", colspan: cells.length }, el("i", { class: `dot ${color}` }), name)), el("tr", {}, ...cells));
    };
    return el(
      "table",
      { class: "accuracies", id: "accuracies" },
      el("caption", {}, words.review.caption, el("span", { class: "of-slips" }, words.review.aboutSlips), [words.review.captionEnd, ...looks].join(words.space)),
      el("thead", {}, el("tr", {}, ...words.review.heads.map((text) => el("th", { scope: "col" }, text)))),
      row("black"),
      row("white"),
    );
  }
}

/** Whether a move is one of a side. @param {Node} node @param {string} side X, O or both */
function isOf(node, side) {
  return side === "both" || node.parent?.position.turn === side;
}

/** @param {number} slips */
function verdict(slips) {
  if (!slips) return words.review.noSlips;
  return words.review.foundSlips(slips);
}

/** The board after a line, with the numbers of its moves. @param {Node} before @param {number[]} moves */
function lineBoard(before, moves) {
  let position = before.position;
  const numbers = new Map();
  for (const [index, move] of moves.entries()) {
    const next = play(position, move);
    if (!next) break;
    position = next;
    if (move !== PASS) numbers.set(move, String(index + 1));
  }
  return picture(position, { numbers, plain: true });
}

// The panel of Learn: the opening, the best lines, how deep they were searched.

import { byId, el, field, put, write } from "./dom.js";
import { Thinker, gradeOf } from "./learn.js";
import { PASS, isOver, parseMove, signed } from "./rules.js";
import { moveText, words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./table").Table} Table */

const LEVELS = [6, 12, 16, 21, 28, 36, 61];

/** Ratings of people that can be chosen; 1500 is the mean of active tournament players, and the data end at the last one. */
const RATINGS = [600, 800, 1000, 1200, 1350, 1500, 1650, 1800, 1950];

/** Moves of people that are shown. */
const PEOPLES = 5;

/** Lines shown in the list. */
const LINES = 6;

export class Study {
  /** @param {HTMLElement} element @param {App} app @param {Table} table */
  constructor(element, app, table) {
    this.element = element;
    this.app = app;
    this.table = table;
    this.shown = "";
    /** The line that was touched last. @type {{ node: import("./types").Node, move: string } | null} */
    this.touched = null;
    /** The line at which the pointer points: its place in the game and its move. */
    this.pointed = "";
    /** The lines that are shown, best first. @type {ReturnType<typeof Thinker.linesOf>} */
    this.best = [];
    this.rows = Array.from({ length: LINES }, (_, index) => this.row(index));
    this.lines = el("ol", { class: "lines", "aria-label": words.learn.lines });
    this.over = el("li", { class: "none" }, words.learn.over);
    this.people = el("ol", { class: "people", id: "people-moves", "aria-label": words.learn.peoplePlay });
    this.reached = el("p", { class: "reached" });
    this.build();
    app.watch(() => this.render());
  }

  build() {
    const { app } = this;
    const levels = LEVELS.map((level) => el("option", { value: level, selected: level === app.settings.level }, words.learn.level(level)));
    put(
      this.element,
      el(
        "div",
        { class: "line" },
        el(
          "label",
          { class: "check" },
          el("input", {
            type: "checkbox",
            id: "values",
            checked: app.settings.values,
            onchange: (/** @type {any} */ event) => {
              app.settings.values = event.target.checked;
              app.changed();
            },
          }),
          words.learn.values,
        ),
        el("label", { for: "level", class: "hidden" }, words.learn.depth),
        el(
          "select",
          {
            id: "level",
            onchange: (/** @type {any} */ event) => {
              app.settings.level = Number(event.target.value);
              app.changed();
            },
          },
          ...levels,
        ),
      ),
      this.lines,
      el("p", { class: "about by-touch" }, words.learn.byTouch),
      this.reached,
      el(
        "div",
        { class: "line" },
        el("label", { for: "people" }, words.learn.people),
        el(
          "select",
          {
            id: "people",
            onchange: (/** @type {any} */ event) => {
              app.settings.people = Number(event.target.value);
              app.changed();
            },
          },
          ...[0, ...RATINGS].map((rating) => el("option", { value: rating }, words.learn.rated(rating, rating === RATINGS.at(-1)))),
        ),
      ),
      this.people,
    );
  }

  /** Show what people play, with what each move loses as far as that is known. */
  renderPeople() {
    const { node, settings } = this.app;
    field("people").value = String(settings.people);
    const people = settings.values && node.people?.rating === settings.people ? node.people.moves.slice(0, PEOPLES) : [];
    const lines = Thinker.linesOf(node);
    const rows = people.map(({ move, probability }) => {
      const line = lines.find((one) => one.move === move);
      const percent = words.learn.share(probability);
      const loss = line ? lines[0].score - line.score : null;
      const worth = line && loss !== null ? el("b", { class: gradeOf(loss) }, signed(line.score)) : el("b", {}, "");
      const bar = el("meter", { value: probability, max: 1, "aria-hidden": "true" });
      return el("li", {}, worth, el("strong", {}, move), bar, el("span", {}, percent));
    });
    put(this.people, ...rows);
  }

  render() {
    const { node, settings, mode } = this.app;
    field("values").checked = settings.values;
    if (mode !== "learn") return;
    const values = settings.values ? node.values : null;
    const { people } = settings;
    const key = JSON.stringify([values?.reached, values?.lines, values?.done, node.ply, settings.values, people, node.people]);
    if (key === this.shown) return;
    this.shown = key;
    this.renderPeople();
    this.renderLines(values ? Thinker.linesOf(node).slice(0, LINES) : []);
    if (isOver(node.position)) this.lines.append(this.over);
    else this.over.remove();
    const speed = values && values.time_s > 0.05 ? words.learn.speed(values.nodes / values.time_s / 1e6) : "";
    const text = !settings.values
      ? words.learn.guess
      : values?.lines.length
        ? `${words.learn[values.done ? "searched" : "searching"](reachedText(values.reached))}${speed}`
        : "";
    write(this.reached, text);
  }

  /** Play the move of a line; a finger, which cannot rest on it, sees the line first.
   * @param {import("./types").Line & { square: number }} line @param {boolean} touched */
  chosen(line, touched) {
    const { node } = this.app;
    if (touched && (this.touched?.node !== node || this.touched.move !== line.move)) {
      this.touched = { node, move: line.move };
      this.table.playOut(line.pv);
      this.table.reveal();
    } else {
      this.app.play(line.square);
    }
  }

  /** The rows stay while their values change: the focus and a line that is played out stay with them.
   * @param {Study["best"]} lines */
  renderLines(lines) {
    this.best = lines;
    for (const [index, line] of lines.entries()) {
      const row = this.rows[index];
      const button = /** @type {Element} */ (row.firstElementChild);
      const [score, move, rest] = button.children;
      const names = line.pv.slice(1).map((name) => moveText(parseMove(name) ?? PASS)).join(" ");
      button.setAttribute("aria-label", words.learn.line(line.move, line.score, names));
      score.className = gradeOf(lines[0].score - line.score);
      write(score, signed(line.score));
      write(move, line.move);
      write(rest, names);
      if (!row.isConnected) this.lines.append(row);
    }
    for (const row of this.rows.slice(lines.length)) row.remove();
  }

  /** @param {number} index of its line */
  row(index) {
    const show = () => this.table.playOut(this.best[index].pv);
    const end = () => {
      this.pointed = "";
      this.table.endLine();
    };
    // Where a row comes to lie under a pointer that rests, nothing is played out.
    const move = (/** @type {PointerEvent} */ event) => {
      const here = `${this.app.node.ply} ${this.best[index].move}`;
      if (event.pointerType === "touch" || here === this.pointed) return;
      this.pointed = here;
      show();
    };
    const chosen = (/** @type {PointerEvent} */ event) => this.chosen(this.best[index], event.pointerType === "touch");
    const button = el("button", { type: "button", onclick: chosen, onpointermove: move, onpointerleave: end, onfocus: show, onblur: end });
    button.append(el("b"), el("strong"), el("span"));
    return el("li", {}, button);
  }
}

/** The depth of a search in words. @param {string} reached as the engine writes it: "21@73%", "exact" */
function reachedText(reached) {
  if (reached === "exact") return words.learn.solved;
  const [depth, certainty] = reached.split("@");
  return words.learn.reached(depth, certainty === "100%" ? "" : certainty);
}

/** Write the opening's name beside the moves. @param {App} app */
export function renderOpening(app) {
  let name = "";
  for (let node = /** @type {import("./types").Node | null} */ (app.node); node && !name; node = node.parent) {
    name = node.opening?.name ?? "";
  }
  write(byId("opening"), words.learn.openings[name] ?? name);
}

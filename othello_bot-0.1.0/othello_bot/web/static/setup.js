// The panel of Play: who plays, how strong, with which clock; and the buttons of a game in play.

import { el, field, put } from "./dom.js";
import { SIDES, STARTS, seatsOf, strengthName, takesDepth } from "./opponents.js";
import { STEPS, STRATEGIES, STRENGTHS } from "./players.js";
import { rootOf } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./game").Course} Course */

const MINUTES = [0, 1, 3, 5, 10, 20];
const INCREMENTS = [0, 1, 2, 5, 10];

export class Setup {
  /** @param {HTMLElement} element @param {App} app @param {Course} course */
  constructor(element, app, course) {
    this.element = element;
    this.app = app;
    this.course = course;
    this.choices = app.settings.choices;
    this.actions = el("div", { class: "actions" });
    this.build();
    app.watch(() => this.renderActions());
  }

  build() {
    const choices = SIDES.map((value) =>
      el(
        "label",
        {},
        el("input", {
          type: "radio",
          name: "side",
          value,
          checked: value === this.choices.side,
          onchange: () => {
            this.choices.side = value;
            this.show();
          },
        }),
        el("span", {}, words.play.sides[value]),
      ),
    );
    put(
      this.element,
      this.actions,
      el("h2", {}, words.play.newGame),
      el("fieldset", { class: "segmented" }, el("legend", {}, words.play.youPlay), ...choices),
      el("p", { class: "about", id: "about-side" }),
      this.opponent("one", words.play.opponent),
      this.opponent("two", words.side.O),
      el(
        "div",
        { class: "line" },
        el("label", { for: "minutes" }, words.play.clock),
        this.select("minutes", MINUTES, words.play.minutes),
        el("label", { for: "increment", class: "plus" }, words.play.perMove),
        this.select("increment", INCREMENTS, words.play.seconds),
      ),
      el(
        "div",
        { class: "line" },
        el("label", { for: "start" }, words.play.start),
        el("select", { id: "start", onchange: () => this.show() }, ...STARTS.map((value) => el("option", { value, selected: value === this.choices.start }, words.play.starts[value]))),
      ),
      el("button", { class: "primary", type: "button", id: "new-game", onclick: () => this.start() }, words.play.newGame),
    );
    this.show();
  }

  /** The fields of a computer player. @param {"one" | "two"} name @param {string} label */
  opponent(name, label) {
    const chosen = this.choices[name];
    const option = (/** @type {string} */ value, /** @type {string} */ text) =>
      el("option", { value, selected: value === chosen.player }, text);
    const names = STRATEGIES.map((one) => option(one.name, one.name));
    return el(
      "div",
      { class: "opponent", id: `opponent-${name}` },
      el(
        "div",
        { class: "line" },
        el("label", { for: `player-${name}`, id: `label-${name}` }, label),
        el(
          "select",
          { id: `player-${name}`, onchange: () => this.show() },
          option("engine", "othello-bot"),
          el("optgroup", { label: words.play.textbook }, ...names),
        ),
      ),
      el(
        "div",
        { class: "line", id: `strength-line-${name}` },
        el("label", { for: `strength-${name}` }, words.play.strength),
        el("input", {
          type: "range",
          id: `strength-${name}`,
          min: 1,
          max: STRENGTHS.length,
          value: chosen.strength,
          oninput: () => this.show(),
        }),
        el("output", { for: `strength-${name}`, id: `strength-name-${name}` }),
      ),
      el(
        "div",
        { class: "line", id: `depth-line-${name}` },
        el("label", { for: `depth-${name}` }, words.play.depth),
        el("input", { type: "number", id: `depth-${name}`, min: 1, max: 8, value: chosen.depth, oninput: () => this.show() }),
        el("span", {}, words.play.plies),
      ),
      el("p", { class: "about", id: `about-${name}` }),
    );
  }

  /** Keep the choices, and show the fields that they need. */
  show() {
    const { choices } = this;
    choices.one = rival("one");
    choices.two = rival("two");
    choices.start = STARTS.find((one) => one === field("start").value) ?? choices.start;
    choices.minutes = Number(field("minutes").value);
    choices.increment = Number(field("increment").value);
    this.app.keep();
    const alone = choices.side === "both";
    const watching = choices.side === "none";
    field("opponent-one").hidden = alone;
    field("opponent-two").hidden = !watching;
    field("label-one").textContent = watching ? words.side.X : words.play.opponent;
    field("about-side").textContent = words.play.aboutSides[choices.side];
    for (const name of ["one", "two"]) {
      const player = field(`player-${name}`).value;
      const strength = Number(field(`strength-${name}`).value);
      field(`strength-line-${name}`).hidden = player !== "engine";
      field(`depth-line-${name}`).hidden = !takesDepth(player);
      const step = stepText(strength);
      field(`strength-name-${name}`).textContent = strengthName(strength);
      field(`strength-${name}`).setAttribute("aria-valuetext", words.play.told(strengthName(strength), step));
      field(`about-${name}`).textContent = player === "engine" ? step : (words.play.strategies[player] ?? "");
    }
  }

  /** Begin a game; ask before one is given up for it. */
  async start() {
    this.show();
    if (this.app.underway && !(await this.agreed(words.keys.giveUp, words.play.newGame))) return;
    const { minutes, increment, start } = this.choices;
    const control = minutes ? { minutes, increment } : null;
    if (start === "usual") {
      this.app.begin(seatsOf(this.choices), control);
      return;
    }
    try {
      const { beginning } = await import("./starts.js");
      this.app.begin(seatsOf(this.choices), control, await beginning(start));
    } catch {
      this.app.message = words.play.noOpenings;
      this.app.changed();
    }
  }

  async resign() {
    const { live } = this.app;
    const sure = await this.agreed(words.play.sureToResign, words.play.resign);
    if (sure && rootOf(live) === rootOf(this.app.live) && !this.app.over) this.course.resign();
  }

  /** Ask, because a finger may touch a button by mistake. @param {string} question @param {string} yes */
  async agreed(question, yes) {
    const { agreed } = await import("./asking.js");
    return agreed(question, yes, words.keys.goOn);
  }

  /** @param {"minutes" | "increment"} id @param {number[]} options @param {(value: number) => string} named */
  select(id, options, named) {
    const choices = options.map((value) => el("option", { value, selected: value === this.choices[id] }, named(value)));
    return el("select", { id, onchange: () => this.show() }, ...choices);
  }

  /** Buttons for the game in play: always some, so that what is below stays where it is. */
  renderActions() {
    const { app, course } = this;
    const watching = app.seats.X.kind !== "person" && app.seats.O.kind !== "person";
    const key = [app.over, app.paused, app.control !== null, watching, app.node === app.live, app.live.ply > app.begun].join();
    if (this.actions.dataset.key === key) return;
    this.actions.dataset.key = key;
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, disabled = false) =>
      el("button", { type: "button", disabled, onclick: act }, text);
    put(
      this.actions,
      !app.over && (watching || app.control || app.paused) ? button(app.paused ? words.play.goOn : words.play.pause, () => course.pause()) : null,
      !app.over && !watching ? button(words.play.resign, () => this.resign(), app.live.ply <= app.begun) : null,
      app.over ? button(words.play.lookAt, () => app.setMode("learn")) : null,
      app.node !== app.live ? button(words.play.backToGame, () => app.goTo(app.live)) : null,
    );
  }
}

/** What a step of strength is. @param {number} step */
function stepText(step) {
  const { rating, level } = STEPS[step - 1];
  return rating ? words.play.rated(rating) : words.play.level(level);
}

/** A computer player as its fields say. @param {string} name @returns {import("./types").Rival} */
function rival(name) {
  const depth = Math.max(1, Math.min(8, Math.round(Number(field(`depth-${name}`).value)) || 3));
  return { player: field(`player-${name}`).value, strength: Number(field(`strength-${name}`).value), depth };
}

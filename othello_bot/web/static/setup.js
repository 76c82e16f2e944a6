// The panel of Play: who plays, how strong, with which clock; and the buttons of a game in play.

import { el, field, put } from "./dom.js";
import { seatsOf } from "./opponents.js";
import { STEPS, STRATEGIES, STRENGTHS } from "./players.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./game").Course} Course */

const SIDES = [
  ["X", "Black"],
  ["O", "White"],
  ["random", "Random"],
  ["both", "Both"],
  ["none", "Watch"],
];

const STARTS = [
  ["usual", "usual start"],
  ["balanced", "balanced opening, as in XOT"],
  ["random", "after 8 random moves"],
];

const ABOUT_SIDES = {
  random: "Black or White, by chance.",
  both: "Two people at one board.",
  none: "Two computers play; you watch.",
};

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
    const choices = SIDES.map(([value, name]) =>
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
        el("span", {}, name),
      ),
    );
    put(
      this.element,
      this.actions,
      el("h2", {}, "New game"),
      el("fieldset", { class: "segmented" }, el("legend", {}, "You play"), ...choices),
      el("p", { class: "about", id: "about-side" }),
      this.opponent("one", "Opponent"),
      this.opponent("two", "White"),
      el(
        "div",
        { class: "line" },
        el("label", { for: "minutes" }, "Clock"),
        this.select("minutes", [["0", "none"], ["1", "1 min"], ["3", "3 min"], ["5", "5 min"], ["10", "10 min"], ["20", "20 min"]]),
        el("label", { for: "increment", class: "plus" }, "and per move"),
        this.select("increment", [["0", "0 s"], ["1", "1 s"], ["2", "2 s"], ["5", "5 s"], ["10", "10 s"]]),
      ),
      el(
        "div",
        { class: "line" },
        el("label", { for: "start" }, "Start"),
        el("select", { id: "start", onchange: () => this.show() }, ...STARTS.map(([value, text]) => el("option", { value, selected: value === this.choices.start }, text))),
      ),
      el("button", { class: "primary", type: "button", id: "new-game", onclick: () => this.start() }, "New game"),
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
          el("optgroup", { label: "Textbook players" }, ...names),
        ),
      ),
      el(
        "div",
        { class: "line", id: `strength-line-${name}` },
        el("label", { for: `strength-${name}` }, "Strength"),
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
        el("label", { for: `depth-${name}` }, "Depth"),
        el("input", { type: "number", id: `depth-${name}`, min: 1, max: 8, value: chosen.depth, oninput: () => this.show() }),
        el("span", {}, "plies"),
      ),
      el("p", { class: "about", id: `about-${name}` }),
    );
  }

  /** Keep the choices, and show the fields that they need. */
  show() {
    const { choices } = this;
    choices.one = rival("one");
    choices.two = rival("two");
    choices.start = field("start").value;
    choices.minutes = Number(field("minutes").value);
    choices.increment = Number(field("increment").value);
    this.app.keep();
    const alone = choices.side === "both";
    const watching = choices.side === "none";
    field("opponent-one").hidden = alone;
    field("opponent-two").hidden = !watching;
    field("label-one").textContent = watching ? "Black" : "Opponent";
    field("about-side").textContent = ABOUT_SIDES[/** @type {keyof typeof ABOUT_SIDES} */ (choices.side)] ?? "";
    for (const name of ["one", "two"]) {
      const player = field(`player-${name}`).value;
      const strength = Number(field(`strength-${name}`).value);
      field(`strength-line-${name}`).hidden = player !== "engine";
      field(`depth-line-${name}`).hidden = !this.app.takesDepth(player);
      const told = `${this.app.strengthName(strength)}, ${STEPS[strength - 1]}`;
      field(`strength-name-${name}`).textContent = told;
      field(`strength-${name}`).setAttribute("aria-valuetext", told);
      const about = STRATEGIES.find((one) => one.name === player)?.about ?? "";
      field(`about-${name}`).textContent = about.split("; depth")[0];
    }
  }

  async start() {
    this.show();
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
      this.app.message = "The openings could not be loaded: the engine is not reachable.";
      this.app.changed();
    }
  }

  /** @param {"minutes" | "increment"} id @param {string[][]} options */
  select(id, options) {
    const choices = options.map(([value, text]) => el("option", { value, selected: Number(value) === this.choices[id] }, text));
    return el("select", { id, onchange: () => this.show() }, ...choices);
  }

  /** Buttons for the game in play. */
  renderActions() {
    const { app, course } = this;
    const watching = app.seats.X.kind !== "person" && app.seats.O.kind !== "person";
    const key = [app.over, app.paused, watching, app.node === app.live, app.live.ply > 0].join();
    if (this.actions.dataset.key === key) return;
    this.actions.dataset.key = key;
    const button = (/** @type {string} */ text, /** @type {() => void} */ act) =>
      el("button", { type: "button", onclick: act }, text);
    const going = !app.over && app.live.ply > 0;
    put(
      this.actions,
      app.node !== app.live ? button("Back to the game", () => app.goTo(app.live)) : null,
      !app.over && (watching || app.control || app.paused) ? button(app.paused ? "Go on" : "Pause", () => course.pause()) : null,
      going && !watching ? button("Resign", () => course.resign()) : null,
      app.over ? button("Look at the game", () => app.setMode("learn")) : null,
    );
    this.actions.hidden = !this.actions.childElementCount;
  }
}

/** A computer player as its fields say. @param {string} name @returns {import("./types").Rival} */
function rival(name) {
  const depth = Math.max(1, Math.min(8, Math.round(Number(field(`depth-${name}`).value)) || 3));
  return { player: field(`player-${name}`).value, strength: Number(field(`strength-${name}`).value), depth };
}

// The panel of Edit: setting up a position, and free play for both sides from there.

import { byId, el, field, put, write } from "./dom.js";
import { START, boardText, other, parseBoard } from "./rules.js";
import { person, seatsOf } from "./opponents.js";
import { newTree } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./table").Table} Table */
/** @typedef {import("./types").Position} Position */

const TOOLS = /** @type {const} */ (["play", "X", "O", "-"]);

export class Editor {
  /** @param {HTMLElement} element @param {App} app @param {Table} table */
  constructor(element, app, table) {
    this.element = element;
    this.app = app;
    this.table = table;
    /** @type {string} */
    this.tool = "play";
    /** The position on the board when a text was refused. @type {import("./types").Node | null} */
    this.refused = null;
    this.build();
    app.watch(() => this.render());
  }

  build() {
    const { app } = this;
    const tools = TOOLS.map((value) =>
      el(
        "label",
        {},
        el("input", { type: "radio", name: "tool", value, checked: value === this.tool, onchange: () => this.choose(value) }),
        el("span", {}, words.edit.tools[value]),
      ),
    );
    const button = (/** @type {string} */ text, /** @type {() => void} */ act) =>
      el("button", { type: "button", onclick: act }, text);
    put(
      this.element,
      el("fieldset", { class: "segmented" }, el("legend", {}, words.edit.clickOn), ...tools),
      el("p", { class: "about", id: "edit-about" }),
      el(
        "div",
        { class: "actions" },
        button(words.edit.start, () => this.set(START)),
        button(words.edit.clear, () => this.set({ cells: "-".repeat(64), turn: "X" })),
        button(words.edit.swap, () => this.set(exchanged(app.position))),
        button(words.edit.mirror, () => this.set(turned(app.position, (row, column) => 8 * row + 7 - column))),
        button(words.edit.rotate, () => this.set(turned(app.position, (row, column) => 8 * (7 - column) + row))),
      ),
      el(
        "div",
        { class: "line" },
        el("label", { for: "to-move" }, words.edit.toMove),
        el(
          "select",
          { id: "to-move", onchange: () => this.set({ cells: app.position.cells, turn: field("to-move").value === "O" ? "O" : "X" }) },
          el("option", { value: "X" }, words.side.X),
          el("option", { value: "O" }, words.side.O),
        ),
      ),
      el(
        "div",
        { class: "line" },
        el("label", { for: "board-text" }, words.edit.board),
        el("input", { id: "board-text", spellcheck: "false", autocomplete: "off", onchange: () => this.read() }),
      ),
      el("p", { class: "error", id: "edit-error", role: "alert" }),
      el(
        "div",
        { class: "actions" },
        button(words.edit.playFrom, () => app.begin(seatsOf(app.settings.choices, app.position.turn), null, newTree(app.position))),
        button(words.edit.twoPeople, () => app.begin({ X: person(), O: person() }, null, newTree(app.position))),
        button(words.edit.learnFrom, () => app.setMode("learn")),
      ),
    );
  }

  /** @param {string} tool */
  choose(tool) {
    this.tool = tool;
    this.app.changed();
  }

  render() {
    const { app } = this;
    this.table.editing = app.mode === "edit" && this.tool !== "play";
    if (app.mode !== "edit") return;
    field("to-move").value = app.position.turn;
    if (document.activeElement !== byId("board-text")) field("board-text").value = boardText(app.position);
    const about =
      this.tool === "play"
        ? words.edit.aboutPlay
        : words.edit.aboutSet;
    write(byId("edit-about"), about);
    if (app.node !== this.refused) write(byId("edit-error"), "");
  }

  /** Put a disc of the tool on a square, or take it away. @param {number} square */
  touched(square) {
    const cells = [...this.app.position.cells];
    cells[square] = cells[square] === this.tool ? "-" : this.tool;
    this.set({ cells: cells.join(""), turn: this.app.position.turn });
  }

  /** @param {Position} position */
  set(position) {
    this.app.take(newTree(position));
  }

  /** Read the board's text. */
  read() {
    const position = parseBoard(field("board-text").value);
    this.refused = position ? null : this.app.node;
    if (position) this.set(position);
    else write(byId("edit-error"), words.edit.expected);
  }
}

/** @param {Position} position @returns {Position} */
function exchanged({ cells, turn }) {
  const swap = (/** @type {string} */ cell) => (cell === "X" ? "O" : cell === "O" ? "X" : "-");
  return { cells: [...cells].map(swap).join(""), turn: other(turn) };
}

/** @param {Position} position @param {(row: number, column: number) => number} from @returns {Position} */
function turned({ cells, turn }, from) {
  return { cells: [...cells].map((_, square) => cells[from(square >> 3, square & 7)]).join(""), turn };
}

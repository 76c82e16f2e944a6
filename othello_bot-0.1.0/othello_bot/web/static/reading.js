// Reading games for Review: pasted, dropped or chosen, with a list where a file has several.

import { byId, el, put, write } from "./dom.js";
import { fault, readGames } from "./connection.js";
import { gamesOfBackup, isBackup, namesOf, resultOf } from "./records.js";
import { readTree, rootOf } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./types").Listed} Listed */

export class Reader {
  /** @param {HTMLElement} element @param {App} app */
  constructor(element, app) {
    this.element = element;
    this.app = app;
    this.list = el("div", { class: "games" });
    this.section = /** @type {HTMLDetailsElement} */ (el("details", { id: "reading", open: true }));
    /** The number of the last text or files: what was begun later goes before. */
    this.number = 0;
    /** The mode in which it was given: one that is chosen while it is read stays. @type {import("./types").Mode} */
    this.mode = app.mode;
    this.build();
    this.reviewed = false;
    app.watch(() => this.update());
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => this.dropped(event));
    document.addEventListener("paste", (event) => this.pasted(event));
  }

  build() {
    const paste = /** @type {HTMLTextAreaElement} */ (
      el("textarea", { id: "paste", rows: 3, spellcheck: "false", placeholder: words.reading.example })
    );
    const files = /** @type {HTMLInputElement} */ (
      el("input", { type: "file", id: "files", multiple: true, class: "hidden", onchange: () => this.chosen(files) })
    );
    put(
      this.section,
      el("summary", {}, words.reading.title),
      el("label", { for: "paste", class: "hidden" }, words.reading.paste),
      paste,
      el(
        "div",
        { class: "actions" },
        el("button", { class: "primary", type: "button", id: "read", onclick: () => this.readText(paste.value) }, words.open),
        el("label", { class: "button", for: "files" }, words.reading.file),
        files,
      ),
      el("p", { class: "about" }, words.reading.about),
      el("p", { class: "about", id: "review-reading", role: "status" }),
      el("p", { class: "error", id: "review-error", role: "alert" }),
      this.list,
    );
    this.element.prepend(this.section);
  }

  /** Make room for the review of a game that is on the board when Review is chosen. */
  update() {
    const reviewed = this.app.mode === "review";
    if (reviewed && !this.reviewed) this.section.open = !this.app.root.children.length;
    this.reviewed = reviewed;
  }

  /** Read the files of a field, which may be chosen again. @param {HTMLInputElement} field */
  chosen(field) {
    const files = [...(field.files ?? [])];
    field.value = "";
    if (files.length) this.read(files);
  }

  /** @param {DragEvent} event */
  dropped(event) {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    const text = event.dataTransfer?.getData("text/plain") ?? "";
    if (files.length) this.read(files);
    else if (text.trim()) this.readText(text);
  }

  /** @param {ClipboardEvent} event */
  pasted(event) {
    if (event.target instanceof HTMLElement && event.target.matches("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim()) this.readText(text);
  }

  /** @param {string} text */
  readText(text) {
    if (!text.trim()) {
      byId("paste").focus();
      return;
    }
    this.begin();
    const link = /[?&](?:game|start)=[^\s]*/.exec(text);
    const query = link ? `?${text.slice(text.indexOf("?") + 1).trim()}` : "";
    if (query && this.app.restoreLink(query)) {
      this.app.setMode("review");
      this.section.open = false;
      return;
    }
    if (query && !/\s/.test(text.trim())) {
      this.failed(this.app.message);
      this.app.message = "";
      this.app.changed();
      return;
    }
    this.read([new File([text], "pasted.txt")]);
  }

  /** Forget what was read before, or is still being read. */
  begin() {
    this.number += 1;
    this.mode = this.app.mode;
    write(byId("review-error"), "");
    write(byId("review-reading"), "");
    put(this.list);
  }

  /** @param {File[]} files */
  async read(files) {
    this.begin();
    const { number } = this;
    write(byId("review-reading"), words.games.reading);
    const alone = files.length === 1 && (await isBackup(files[0]));
    const reply = alone ? await gamesOfBackup(files[0]) : await readGames(files);
    if (number !== this.number) return;
    write(byId("review-reading"), "");
    if (reply.kind !== "games") {
      this.failed(fault(reply, words.games.unreadable));
      return;
    }
    if (reply.games.length === 1 && !reply.damaged) this.open(reply.games[0]);
    else this.show(reply.games, reply.more, reply.damaged ?? 0);
  }

  /** @param {string} text */
  failed(text) {
    this.app.setMode("review");
    this.section.open = true;
    write(byId("review-error"), text);
  }

  /** A list to choose a game from. @param {Listed[]} games @param {boolean} more @param {number} damaged games that are left out */
  show(games, more, damaged) {
    this.mode = "review";
    this.app.setMode(this.mode);
    this.section.open = true;
    const rows = el("ul", { "aria-label": words.reading.games });
    const search = /** @type {HTMLInputElement} */ (
      el("input", { type: "search", "aria-label": words.reading.find, placeholder: words.reading.findShort, oninput: () => fill() })
    );
    const fill = () => {
      const words = search.value.toLowerCase().split(/\s+/);
      const found = games.filter((game) => words.every((word) => titleOf(game).toLowerCase().includes(word)));
      put(
        rows,
        ...found.slice(0, 200).map((game) =>
          el("li", {}, el("button", { type: "button", onclick: () => this.open(game) }, titleOf(game))),
        ),
      );
    };
    fill();
    const count = words.reading.count(games.length, more);
    put(this.list, el("p", { class: "about" }, damaged ? `${count}${words.space}${words.games.damaged(damaged)}` : count), search, rows);
  }

  /** @param {Listed} game */
  open(game) {
    const { node, why } = readTree(game.start, game.moves);
    if (!node) {
      this.failed(words.reading.failed(why));
      return;
    }
    const { app } = this;
    const { mode } = app;
    app.open(node, node.parent ? "review" : "learn", namesOf(game));
    app.goTo(node.parent ? rootOf(node) : node);
    if (mode !== this.mode) app.setMode(mode);
    this.section.open = false;
  }
}

/** @param {Listed} game */
function titleOf(game) {
  if (game.title) return game.title;
  const result = resultOf({ result: game.result ?? null, won: game.won ?? "" });
  const who = `${game.black || "?"} – ${game.white || "?"}`;
  const parts = [who, result, game.date ?? "", game.event ?? ""].filter(Boolean);
  return game.black || game.white ? parts.join("  ") : game.moves.slice(0, 40) || words.reading.position;
}

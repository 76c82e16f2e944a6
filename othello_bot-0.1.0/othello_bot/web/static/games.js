// The panel of Games: those that this browser keeps, to search, open, delete, export and import.

import { agreed } from "./asking.js";
import { fault, readGames } from "./connection.js";
import { byId, el, put, saveFile, write } from "./dom.js";
import { BACKUP, isBackup, localDay, namesOf, pgn, playersAt, playersOf, readBackup, recordOfListed, recordOfNode, resultOf, searched, today } from "./records.js";
import { lineThrough, readTree, restoredReview, rootOf } from "./tree.js";
import { showWeakness } from "./weakness.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./practice").Practice} Practice */
/** @typedef {import("./store").Store} Store */
/** @typedef {import("./types").Summary} Summary */

/** Games that are shown at a time. */
const SHOWN = 50;

/** Milliseconds after a change until the list is read again. */
const SETTLE_MS = 150;

export class GamesPanel {
  /** @param {HTMLElement} element @param {App} app @param {Store} store @param {Practice} practice */
  constructor(element, app, store, practice) {
    this.app = app;
    this.store = store;
    /** All summaries, newest first, and what a search looks at in each. @type {{ summary: Summary, text: string }[]} */
    this.all = [];
    this.loaded = false;
    this.stale = true;
    /** The day of what is offered to practise. */
    this.day = localDay();
    /** The number of the last reading of the store: an earlier one, which began before a change, is given up. */
    this.loading = 0;
    /** What was done last, told until something else is asked for. */
    this.told = "";
    this.most = SHOWN;
    this.timer = 0;
    this.query = /** @type {HTMLInputElement} */ (
      el("input", { type: "search", id: "find-games", "aria-label": words.games.find, placeholder: words.games.findShort, oninput: () => this.filter() })
    );
    this.result = /** @type {HTMLSelectElement} */ (
      el("select", { id: "games-result", "aria-label": words.games.which, onchange: () => this.filter() }, ...Object.entries(words.games.results).map(([value, name]) => el("option", { value }, name)))
    );
    this.list = el("ul", { class: "kept", "aria-label": words.games.title });
    this.more = el("button", { type: "button", onclick: () => this.show(this.most + SHOWN) }, words.games.more);
    this.weakness = el("section", { hidden: true });
    this.practice = practice;
    this.build(element);
    store.changed = () => this.outdated();
    app.watch(() => this.render());
  }

  /** @param {HTMLElement} element */
  build(element) {
    const files = /** @type {HTMLInputElement} */ (
      el("input", {
        type: "file",
        id: "import-files",
        multiple: true,
        class: "hidden",
        onchange: async () => {
          await this.work(() => this.import([...(files.files ?? [])]));
          files.value = "";
        },
      })
    );
    const button = (/** @type {string} */ text, /** @type {() => Promise<void>} */ act, /** @type {string} */ id) =>
      el("button", { type: "button", id, onclick: () => this.work(act) }, text);
    put(
      element,
      this.practice.element,
      el("h2", {}, words.games.title),
      el(
        "div",
        { class: "actions" },
        button(words.games.keep, () => this.keepThis(), "keep-game"),
        el("label", { class: "button", for: "import-files" }, words.games.import),
        files,
        button(words.games.export, () => this.export(), "export-games"),
        button(words.games.backUp, () => this.backUp(), "back-up"),
      ),
      el("p", { class: "about" }, words.games.about),
      el("p", { class: "about", id: "games-said", role: "status" }),
      el("div", { class: "line" }, this.query, this.result),
      this.list,
      el("div", { class: "actions" }, this.more, button(words.games.deleteThese, () => this.deleteFound(), "delete-games")),
      this.weakness,
    );
    this.show();
  }

  /** Do something with the store; say what went wrong. @param {() => Promise<void>} act */
  async work(act) {
    try {
      await act();
    } catch (error) {
      this.tell(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {string} text */
  tell(text) {
    this.told = text;
    write(byId("games-said"), text);
  }

  /** A text, and how many damaged entries were left out, if any were. @param {string} text @param {number} damaged */
  withDamage(text, damaged) {
    return damaged ? `${text}${words.space}${words.games.damaged(damaged)}` : text;
  }

  render() {
    const { app } = this;
    if (app.mode !== "games") return;
    const keep = /** @type {HTMLButtonElement} */ (byId("keep-game"));
    keep.disabled = app.kept !== null || lineThrough(app.node).length < 2;
    if (this.stale || this.day !== localDay()) {
      this.stale = false;
      this.day = localDay();
      this.work(() => this.load());
    }
  }

  /** The list is no longer that of the store. */
  outdated() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.stale = true;
      this.render();
    }, SETTLE_MS);
  }

  /** Show the newest games at once, by their index; then read all. */
  async load() {
    this.loading += 1;
    const number = this.loading;
    if (!this.loaded) {
      const newest = listed(await this.store.newest(SHOWN));
      if (number !== this.loading) return;
      this.all = newest;
      this.show();
      performance.mark("games shown");
    }
    /** @type {GamesPanel["all"]} */
    const all = [];
    for await (const piece of this.store.pieces("summaries")) all.push(...listed(piece));
    if (number !== this.loading) return;
    this.all = all.sort((one, two) => one.summary.newest - two.summary.newest);
    this.loaded = true;
    performance.mark("games loaded");
    await breath();
    await this.forgetDeleted();
    this.show(this.most);
    await breath();
    showWeakness(this.weakness, this.all.map(({ summary }) => summary));
    await this.practice.offer();
  }

  /** The game on the board is no longer kept once another tab has deleted it. */
  async forgetDeleted() {
    const { kept } = this.app;
    if (kept === null || (await this.store.summary(kept)) || this.app.kept !== kept) return;
    this.app.kept = null;
    this.app.changed();
  }

  /** The games that the search and the choice of results leave. */
  found() {
    const words = this.query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const which = this.result.value;
    return this.all.filter(({ summary, text }) => {
      if (which === "mine" && !summary.mine) return false;
      if (which === "draw" && (summary.result !== 0 || summary.won)) return false;
      if ((which === "X" || which === "O") && summary.won !== which) return false;
      return words.every((word) => text.includes(word));
    });
  }

  /** Show what a new search finds. */
  filter() {
    this.told = "";
    this.show();
  }

  /** @param {number} [most] games to show */
  show(most = SHOWN) {
    this.most = most;
    const found = this.found();
    put(this.list, ...found.slice(0, most).map(({ summary }) => this.row(summary)));
    this.more.hidden = found.length <= most;
    byId("delete-games").hidden = !this.loaded || !(found.length || (!this.all.length && this.leftOut("summaries")));
    const all = this.all.length;
    if (!this.loaded || this.told) return;
    const text = found.length === all ? words.games.all(all) : words.games.some(found.length, all);
    write(byId("games-said"), this.withDamage(text, this.leftOut("summaries")));
  }

  /** @param {Summary} summary */
  row(summary) {
    const { date, accuracy, event, first } = summary;
    const { X, O } = playersOf(summary);
    const title = `${X || words.side.X} – ${O || words.side.O}`;
    const part = (/** @type {number | null | undefined} */ one) => (typeof one === "number" ? words.percent(one) : "–");
    const moves = first === undefined ? "" : first || words.reading.position;
    const details = [date, resultOf(summary), accuracy ? `${part(accuracy.X)} · ${part(accuracy.O)}` : "", event, moves].filter(Boolean);
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "kept-game", "aria-current": this.app.kept === summary.id ? "true" : null, onclick: () => this.work(() => this.open(summary)) },
        el("span", {}, title),
        el("small", {}, details.join("  ")),
      ),
      el("button", { type: "button", class: "delete", "aria-label": words.games.deleteOne(`${title} ${date}`), title: words.games.delete, onclick: () => this.work(() => this.delete([summary], title)) }, "×"),
    );
  }

  /** @param {Summary} summary */
  async open(summary) {
    const game = await this.store.game(summary.id);
    const { node, why } = game ? readTree(game.start, game.moves) : { node: null, why: words.games.gone };
    if (!game || !node) throw new Error(words.games.notOpened(why));
    const { app } = this;
    if (game.review) {
      app.settings.reviewLevel = game.review.level;
      app.review = restoredReview(rootOf(node), game.review);
    }
    if (summary.mine) app.settings.bottom = summary.mine;
    app.open(node, "review", namesOf(summary));
    app.kept = summary.id;
    app.goTo(rootOf(node));
  }

  async keepThis() {
    const { app } = this;
    const line = lineThrough(app.node);
    const [id = null] = await this.keep([recordOfNode(line[line.length - 1], playersAt(app))], 0);
    app.kept = id;
    app.changed();
  }

  /** Keep games as far as they are not damaged, and say how many. @param {any[]} records @param {number} damaged other entries */
  async keep(records, damaged) {
    const added = await this.store.add(records);
    await this.store.persist();
    this.loaded = false;
    await this.load();
    this.tell(this.withDamage(words.games.kept(added.ids.length, added.double), damaged + added.damaged));
    return added.ids;
  }

  /** Keep the games of files, backups among them: all, or none if one of the files cannot be read. @param {File[]} files */
  async import(files) {
    if (!files.length) return;
    this.tell(words.games.reading);
    const others = [];
    const records = [];
    const tried = [];
    for (const file of files) {
      if (!(await isBackup(file))) {
        others.push(file);
        continue;
      }
      const { games, puzzles } = readBackup(await file.text());
      records.push(games);
      tried.push(...puzzles);
    }
    const reply = others.length ? await readGames(others) : { kind: "games", games: [] };
    if (reply.kind !== "games") throw new Error(fault(reply, words.games.unreadable));
    const damaged = tried.length ? await this.store.putPuzzles(tried) : 0;
    await this.keep(records.concat(reply.games.map(recordOfListed)).flat(), damaged);
    if (reply.more) this.tell(words.games.keptFirst(reply.games.length));
  }

  /** What the store has now, by numbers: the list may not be read yet. */
  async summaries() {
    this.tell(words.games.reading);
    do await this.load();
    while (!this.loaded);
    return new Map(this.all.map(({ summary }) => [summary.id, summary]));
  }

  async export() {
    /** @type {string[]} */
    const parts = [];
    const summaries = await this.summaries();
    for await (const piece of this.store.pieces("games")) {
      for (const game of piece) {
        const summary = summaries.get(game.id);
        if (summary) parts.push(pgn(summary, game), "\n");
      }
    }
    saveFile(new Blob(parts), `othello-games-${today()}.pgn`);
    this.tell(this.withDamage(words.games.exported(parts.length / 2), this.leftOut("summaries", "games")));
  }

  async backUp() {
    const summaries = await this.summaries();
    /** @type {Map<number, any[]>} */
    const tasks = new Map();
    for await (const piece of this.store.pieces("tasks")) {
      for (const task of piece) tasks.set(task.game, [...(tasks.get(task.game) ?? []), task]);
    }
    const puzzles = [];
    for await (const piece of this.store.pieces("puzzles")) puzzles.push(...piece);
    const parts = [`${BACKUP}"puzzles":${JSON.stringify(puzzles)},\n"games":[`];
    for await (const piece of this.store.pieces("games")) {
      for (const { id, ...game } of piece) {
        const summary = summaries.get(id);
        if (!summary) continue;
        const { id: _, ...rest } = summary;
        parts.push(parts.length > 1 ? ",\n" : "\n", JSON.stringify({ summary: rest, game, tasks: tasks.get(id) }));
      }
    }
    parts.push("\n]}\n");
    saveFile(new Blob(parts), `othello-bot-${today()}.json`);
    this.tell(this.withDamage(words.games.backedUp, this.leftOut("summaries", "games", "tasks", "puzzles")));
  }

  /** How many damaged entries were left out when stores were read. @param {...string} stores */
  leftOut(...stores) {
    return stores.reduce((sum, name) => sum + (this.store.leftOut.get(name) ?? 0), 0);
  }

  /** @param {Summary[]} summaries @param {string} what @param {boolean} [everything] whether damaged entries go, too */
  async delete(summaries, what, everything = false) {
    if (!(await agreed(words.games.sure(what), words.games.delete, words.games.keepOn))) return;
    const ids = new Set(summaries.map((one) => one.id));
    this.tell(words.games.deleting);
    if (everything) await this.store.removeAll();
    else await this.store.remove(ids);
    this.told = "";
    if (this.app.kept !== null && ids.has(this.app.kept)) this.app.kept = null;
    await this.load();
    this.app.changed();
  }

  async deleteFound() {
    const found = this.found().map(({ summary }) => summary);
    const everything = found.length === this.all.length;
    await this.delete(found, words.games.number(found.length, everything ? this.leftOut("summaries") : 0), everything);
  }
}

/** Let the browser do what waits, so that thousands of games block nothing. */
function breath() {
  return new Promise((go) => setTimeout(go));
}

/** Summaries with what a search looks at. @param {Summary[]} summaries */
function listed(summaries) {
  return summaries.map((summary) => ({ summary, text: searched(summary) }));
}

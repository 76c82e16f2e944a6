// The address follows the game and the position, so that it can be copied, and the browser's Back leads to the game before.

import { newTree, queryOf, rootOf } from "./tree.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./types").Node} Node */

/** Milliseconds between two changes: browsers allow few in a second. */
const PAUSE_MS = 400;

export class Address {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.root = app.root;
    this.timer = 0;
    /** The number of the entry of the browser's history, and the game of each entry as it was seen last, while the tab is open.
     * @type {Map<number, ReturnType<App["state"]>>} */
    this.games = new Map();
    this.entry = Number(history.state?.entry ?? 0);
    /** The address with which the tab was last about to be left. @type {string | undefined} */
    this.left = undefined;
    app.watch(() => {
      if (app.root === this.root && !app.trial) this.games.set(this.entry, app.state());
      this.timer ||= window.setTimeout(() => this.write(), PAUSE_MS);
    });
    window.addEventListener("popstate", (event) => this.back(event.state));
    // A reload that has begun loads the address which the tab had then, even if the address follows the game in the meantime.
    window.addEventListener("beforeunload", () => {
      this.left = location.search;
    });
    window.addEventListener("pagehide", () => app.addressed(this.left));
    this.write();
  }

  write() {
    clearTimeout(this.timer);
    this.timer = 0;
    const { app } = this;
    if (app.trial) return;
    const query = queryOf(app.node);
    const other = app.root !== this.root;
    this.root = app.root;
    const { names, kept, mode } = app;
    const anew = other && location.search !== "" && location.search !== query;
    if (anew) this.entry += 1;
    const state = { names, kept, mode, entry: this.entry };
    this.games.set(this.entry, app.state());
    history[anew ? "pushState" : "replaceState"](state, "", query || location.pathname);
    app.addressed();
  }

  /** Open the game of an entry of the browser's history. @param {any} state */
  back(state) {
    clearTimeout(this.timer);
    this.timer = 0;
    const { app } = this;
    this.entry = Number(state?.entry ?? 0);
    const mode = state?.mode ?? app.mode;
    const game = this.games.get(this.entry);
    if (game) {
      this.root = rootOf(game.node);
      app.putBack(game, mode);
    } else {
      if (!app.restoreLink(location.search)) app.take(newTree());
      app.names = state?.names ?? app.names;
      app.kept = state?.kept ?? null;
      this.root = rootOf(app.node);
      app.setMode(mode);
    }
    app.addressed();
  }
}

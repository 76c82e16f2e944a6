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
    app.watch(() => {
      this.timer ||= window.setTimeout(() => this.write(), PAUSE_MS);
    });
    window.addEventListener("popstate", (event) => this.back(event.state));
    // Too late to change the address: a reload is one of that which the tab has.
    window.addEventListener("pagehide", () => app.addressed());
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
    const state = { names, kept, mode };
    if (other && location.search && location.search !== query) history.pushState(state, "", query || location.pathname);
    else history.replaceState(state, "", query || location.pathname);
    app.addressed();
  }

  /** Open the game of an entry of the browser's history. @param {any} state */
  back(state) {
    clearTimeout(this.timer);
    this.timer = 0;
    const { app } = this;
    if (!app.restoreLink(location.search)) app.take(newTree());
    app.names = state?.names ?? app.names;
    app.kept = state?.kept ?? null;
    this.root = rootOf(app.node);
    app.setMode(state?.mode ?? app.mode);
    app.addressed();
  }
}

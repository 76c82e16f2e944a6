// Keeping games without being asked: those played here, as they end or are given up, and the reviews of kept ones.

import { isComputer } from "./opponents.js";
import { tasksOf } from "./practice.js";
import { accuracyOf, playersAt, recordOfNode } from "./records.js";
import { checkedGame } from "./schema.js";
import { rootOf, storedReview } from "./tree.js";
import { lostOf } from "./weakness.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./store").Store} Store */
/** @typedef {import("./types").Node} Node */

/** Moves from which on a game that was given up is kept. */
const WORTH_PLIES = 10;

/** The first letters of the names under which all tabs find games that are not in the store yet: a tab that is closed or loaded
 * anew loses none. */
const PENDING = "othello-bot pending ";

/** The games that are not in the store yet, as far as they are known; damaged ones are given up. @returns {import("./types").Pending[]} */
function pendingGames() {
  const found = [];
  try {
    for (const name of Object.keys(localStorage).filter((one) => one.startsWith(PENDING))) {
      const value = valueOf(localStorage[name]);
      const { kept } = checkedGame(value);
      if (kept) found.push({ ...kept, kept: Number.isInteger(value.kept) ? value.kept : null });
      if (name !== PENDING + kept?.summary.print) localStorage.removeItem(name);
    }
  } catch {
    // A browser that keeps nothing.
  }
  return found;
}

/** The value of a text of JSON; null if it is none. @param {string} text */
function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Note a game until it is in the store, or forget it then. @param {import("./types").Pending} record @param {boolean} pending */
function note(record, pending) {
  const name = PENDING + record.summary.print;
  try {
    if (pending) localStorage.setItem(name, JSON.stringify(record));
    else localStorage.removeItem(name);
  } catch {
    // The store may take it all the same.
  }
}

export class Keeper {
  /** @param {App} app @param {Store} store */
  constructor(app, store) {
    this.app = app;
    this.store = store;
    /** The game in play as it was last seen. @type {{ live: Node, players: ReturnType<typeof playersAt>, over: boolean } | null} */
    this.seen = null;
    /** What is kept of each game: the end of its line. @type {WeakMap<Node, Node>} */
    this.ends = new WeakMap();
    /** The last review that was kept. @type {import("./types").Review | null} */
    this.review = null;
    const pending = pendingGames();
    app.watch(() => this.update());
    this.update();
    for (const record of pending) this.attempt(this.write(record));
  }

  update() {
    const { app, seen } = this;
    if (app.trial || app.aside) return;
    if (seen && rootOf(app.live) !== rootOf(seen.live)) {
      this.seen = null;
      if (!seen.over && !this.ends.has(rootOf(seen.live)) && seen.live.ply >= seen.players.begun + WORTH_PLIES) this.keep(seen.live, seen.players, null);
    }
    if (app.mode === "play" && !app.names && app.live.ply > app.begun) {
      this.seen = { live: app.live, players: playersAt(app), over: app.over };
      if (app.over) this.keep(app.live, this.seen.players, app.kept);
    }
    const { review } = app;
    if (app.kept !== null && review?.players && review !== this.review && review.line[0] === app.root) {
      this.review = review;
      this.attempt(this.keepReview(app.kept, review));
    }
  }

  /** @param {number} id @param {import("./types").Review} review */
  async keepReview(id, review) {
    const { mine = "", black = "", white = "" } = (await this.store.summary(id)) ?? {};
    const lost = mine ? lostOf(review, mine) : null;
    await this.store.change(id, { accuracy: accuracyOf(review), lost }, { review: storedReview(review) });
    await this.store.renewTasks(id, isComputer(black) && isComputer(white) ? [] : tasksOf(review, id, mine));
  }

  /** Keep a game, or what has become of it since. @param {Node} end @param {any} players @param {number | null} kept its id */
  keep(end, players, kept) {
    const root = rootOf(end);
    const key = this.ends.get(root);
    if (key === end) return;
    this.ends.set(root, end);
    this.attempt(this.write({ ...recordOfNode(end, players), kept }, root));
  }

  /** Write a game to the store, which takes a while. @param {import("./types").Pending} record @param {Node} [root] its beginning */
  async write(record, root) {
    const { app, store } = this;
    const { summary, game, kept } = record;
    note(record, true);
    try {
      if (kept !== null) await this.renew(kept, summary, game);
      else {
        const [id = null] = (await store.add([{ summary, game }])).ids;
        if (app.root === root) app.kept = id;
      }
    } finally {
      note(record, false);
      app.keep();
    }
    await store.persist();
  }

  /** Write what a kept game has become, if it went on in another way; its review is void then.
   * @param {number} id @param {import("./types").Kept["summary"]} summary @param {import("./types").Kept["game"]} game */
  async renew(id, summary, game) {
    const { print: _, ...changed } = summary;
    if ((await this.store.game(id))?.moves !== game.moves) await this.store.change(id, changed, game);
  }

  /** Let the list follow, or say why something could not be kept. @param {Promise<any>} work */
  attempt(work) {
    work.then(this.store.changed, (error) => {
      this.app.message = error.message;
      this.app.changed();
    });
  }
}

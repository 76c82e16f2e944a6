// What the moves of the game were worth: a review of the whole game, and of each move that is added to it.

import { fault } from "./connection.js";
import { asked, lineThrough, mainLine } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./connection").Connection} Connection */
/** @typedef {import("./types").Node} Node */
/** @typedef {import("./types").Review} Review */

export class Judge {
  /** @param {App} app @param {Connection} connection */
  constructor(app, connection) {
    this.app = app;
    this.connection = connection;
    /** The end of the line whose last moves are being judged. @type {Node | null} */
    this.judging = null;
    this.level = 0;
    this.withdraw = () => {};
    app.watch(() => this.update());
  }

  /** Whether the review of the whole game is still going on. */
  get reviewing() {
    const { review } = this.app;
    return review !== null && !review.players && !review.error;
  }

  update() {
    const { app } = this;
    const { review } = app;
    const line = mainLine(app.root);
    const gone = review !== null && review.line[0] !== app.root;
    const other = review === null || gone || review.level !== app.settings.reviewLevel;
    if (app.mode === "review" && other && line.length > 1) this.begin(line);
    else if (gone) this.drop();
    if (!this.reviewing) this.judgeTheRest();
  }

  drop() {
    this.withdraw();
    this.app.review = null;
    this.judging = null;
  }

  /** Review a game anew, at the level that the person prefers. @param {Node[]} [line] */
  begin(line = mainLine(this.app.root)) {
    this.drop();
    const level = this.app.settings.reviewLevel;
    /** @type {Review} */
    const review = { line, level, done: 0, players: null, error: "" };
    this.app.review = review;
    this.ask(line, Math.min(this.app.begun, line.length - 1), level, (reply) => {
      if (reply.kind === "judged") review.done = reply.done;
      else if (reply.kind === "reviewed") {
        review.players = reply.players;
        for (const node of line) if (node.judged) Object.assign(node.judged, reply.people[node.ply]);
      } else review.error = fault(reply, words.review.failed);
    });
    this.app.changed();
  }

  /** Judge the moves of the line on the board that are not judged at the level of reviews: a loss is the same wherever it is shown. */
  judgeTheRest() {
    const { app } = this;
    const level = app.settings.reviewLevel;
    const line = lineThrough(app.node);
    const end = line[line.length - 1];
    const first = line.findIndex((node) => node.ply > app.begun && node.judged?.level !== level);
    if ((app.mode !== "learn" && app.mode !== "review") || first < 0) {
      if (this.judging) this.withdraw();
      this.judging = null;
      return;
    }
    if (this.judging === end && this.level === level) return;
    this.withdraw();
    this.judging = end;
    this.level = level;
    this.ask(line, first - 1, level, () => {});
  }

  /** Ask for the worth of the moves of a line after the first ones.
   * @param {Node[]} line @param {number} first @param {number} level
   * @param {(reply: import("./types").Reply) => void} told called with each reply */
  ask(line, first, level, told) {
    const message = { do: "review", ...asked(line[line.length - 1]), first_ply: first, level };
    this.withdraw = this.connection.ask(message, (reply) => {
      const node = reply.kind === "judged" ? line[reply.ply] : null;
      if (node) node.judged = /** @type {import("./types").Judged} */ (/** @type {unknown} */ ({ ...reply, level }));
      told(reply);
      this.app.changed();
    });
  }
}

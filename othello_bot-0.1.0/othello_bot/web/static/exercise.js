// Positions in which a move is sought: one after the other is set on the board, and each try is judged.

import { byId, el, onwardButton, put, write } from "./dom.js";
import { Thinker } from "./learn.js";
import { asked, pathTo } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./connection").Connection} Connection */
/** @typedef {import("./table").Table} Table */
/** @typedef {import("./types").Node} Node */

/** What a try is worth: the words for it, and the line that is played out. @typedef {{ right: boolean, text: string, pv: string[] }} Verdict */

/** Level at which the moves of a position are valued. */
const LEVEL = 16;

/** Moves of the line behind a wrong try that are played out, the try among them. */
const REPLY_PLIES = 5;

/** @template Task */
export class Exercise {
  /** @param {App} app @param {Connection} connection @param {Table} table @param {import("./types").Mode} mode that of its panel
   * @param {string} name of the element in which it speaks */
  constructor(app, connection, table, mode, name) {
    this.app = app;
    this.connection = connection;
    this.table = table;
    this.mode = mode;
    /** @type {Task[]} */
    this.queue = [];
    this.number = 0;
    /** The position on the board: its task, whether a try failed, whether it is over.
     * @type {{ task: Task, node: Node, missed: boolean, over: boolean } | null} */
    this.now = null;
    /** What waits until the values are known: the judgement on a move, or the answer. @type {(() => void) | null} */
    this.later = null;
    this.backTo = mode;
    this.withdraw = () => {};
    this.said = el("p", { id: name });
    this.buttons = el("div", { class: "actions" });
    app.watch(() => this.update());
    window.addEventListener("resize", () => this.now && this.tell(this.said.textContent ?? ""));
  }

  // -- what each kind of exercise says ------------------------------------------------------------------------------

  /** The position of a task; null if it cannot be read. @param {Task} _task @returns {Node | null} */
  nodeOf(_task) {
    return null;
  }

  /** What is asked. @param {Task} _task @param {Node} _node */
  question(_task, _node) {
    return "";
  }

  /** What a move is worth; null while that is not known. @param {Task} _task @param {Node} _node @param {number} _square @returns {Verdict | null} */
  judge(_task, _node, _square) {
    return null;
  }

  /** The answer; null while it is not known. @param {Task} _task @param {Node} _node @returns {Verdict | null} */
  answer(_task, _node) {
    return null;
  }

  /** Keep what has become of a task; return what is said about that. @param {Task} _task @param {boolean} _missed @returns {Promise<string>} */
  async record(_task, _missed) {
    return "";
  }

  /** Offer to begin, when nothing is on the board. @returns {Promise<void>} */
  async offer() {}

  // -- the course of an exercise ------------------------------------------------------------------------------------

  update() {
    const { app, now } = this;
    if (!now) return;
    if (pathTo(app.node)[0] !== pathTo(now.node)[0]) {
      app.forgetAside();
      this.end();
    } else if (app.mode !== this.mode) {
      this.end();
      app.resume(app.mode);
    }
  }

  /** @param {Task[]} queue @param {import("./types").Mode} [backTo] the mode afterwards */
  begin(queue, backTo = this.mode) {
    this.backTo = backTo;
    this.queue = queue;
    this.number = 0;
    this.next();
  }

  next() {
    const task = this.queue[this.number];
    this.number += 1;
    const node = task ? this.nodeOf(task) : null;
    if (!task || !node) {
      this.stop();
      return;
    }
    this.now = null;
    this.later = null;
    this.app.seek(node, this.mode, (square) => this.tried(square));
    this.now = { task, node, missed: false, over: false };
    this.withdraw();
    this.withdraw = this.connection.ask({ do: "values", ...asked(node), level: LEVEL }, (reply) => this.valued(node, reply));
    const place = this.queue.length > 1 ? `${words.exercise.place(this.number, this.queue.length)}${words.space}` : "";
    this.tell(`${place}${this.question(task, node)}`);
    this.table.reveal();
  }

  /** @param {Node} node @param {import("./types").Reply} reply */
  valued(node, reply) {
    if (reply.kind !== "values") return;
    const { lines, reached, nodes, time_s: time, done } = reply;
    node.values = { lines, reached, nodes, time_s: time, done, level: LEVEL };
    if (done) this.later?.();
  }

  /** The line behind a move as far as it is known: at least the move. @param {Node} node @param {string} move */
  lineOf(node, move) {
    return Thinker.linesOf(node).find((line) => line.move === move)?.pv ?? [move];
  }

  /** A move is tried on the board. @param {number} square */
  tried(square) {
    const { now } = this;
    if (!now || now.over) return;
    const verdict = this.judge(now.task, now.node, square);
    this.later = verdict ? null : () => this.tried(square);
    if (!verdict) {
      this.tell(words.exercise.moment);
      return;
    }
    if (verdict.right) {
      this.over(verdict);
      return;
    }
    // At once: who stops now, or closes the page, has missed it.
    if (!now.missed) this.record(now.task, true).catch((error) => this.now === now && this.tell(`${verdict.text}${words.space}${error.message}`));
    now.missed = true;
    this.tell(verdict.text);
    this.table.playOut(verdict.pv.slice(0, REPLY_PLIES), true, true);
  }

  /** The end of a task. @param {Verdict} verdict */
  over({ text, pv }) {
    const { now } = this;
    if (!now) return;
    now.over = true;
    this.tell(text);
    this.table.playOut(pv, true);
    this.record(now.task, now.missed)
      .catch((error) => error.message)
      .then((more) => this.now === now && more && this.tell(`${text}${words.space}${more}`));
  }

  showAnswer() {
    const { now } = this;
    if (!now) return;
    const answer = this.answer(now.task, now.node);
    this.later = answer ? null : () => this.showAnswer();
    now.missed = true;
    if (answer) this.over(answer);
    else this.tell(words.exercise.moment);
  }

  /** Say something, below the board too, and show the buttons: where all stands in one column, also there. The one that goes on
   * is always the first, and the answer the last one: a second click, also on what began it all, does not show the answer. @param {string} text */
  tell(text) {
    const { app, now } = this;
    write(this.said, text);
    if (app.trial) app.trial.told = text;
    const buttons = [
      now ? this.button(now.over ? this.onwards : words.exercise.next, () => this.next(), "next-task", !now.over) : null,
      now ? this.button(words.exercise.stop, () => this.stop(), "end-practice") : null,
      now && !now.over ? this.button(words.exercise.answer, () => this.showAnswer(), "show-answer") : null,
      now?.over ? this.button(words.exercise.study, () => this.study(), "study-task") : null,
    ];
    const below = this.buttons.getBoundingClientRect().top >= byId("board").getBoundingClientRect().bottom;
    const focused = document.activeElement?.id;
    put(this.buttons, ...(below ? [] : buttons));
    put(byId("trial"), ...(below ? buttons : []));
    if (focused && ["show-answer", "next-task"].includes(focused)) this.focus();
    this.table.renderStatus();
  }

  /** Keep the focus among the buttons when they are drawn anew. */
  focus() {
    (onwardButton() ?? document.getElementById("show-answer"))?.focus();
  }

  /** What the button says that goes on. */
  get onwards() {
    return this.number >= this.queue.length ? words.exercise.done : words.exercise.next;
  }

  /** @param {string} text @param {() => void} act @param {string} id @param {boolean} [disabled] */
  button(text, act, id, disabled = false) {
    return el("button", { type: "button", id, disabled, class: ["end-practice", "show-answer", "study-task"].includes(id) ? "" : "primary", onclick: act }, text);
  }

  /** End, and bring back what was on the board. */
  stop() {
    this.end();
    this.app.resume(this.backTo);
  }

  /** Leave the position on the board, for Learn; the game that was set aside comes back with its mode. */
  study() {
    this.end();
    this.app.setMode("learn");
  }

  end() {
    this.now = null;
    this.later = null;
    this.withdraw();
    this.app.trial = null;
    put(byId("trial"));
    this.table.endLine();
    this.table.renderStatus();
    this.offer().catch((error) => write(this.said, error.message));
  }
}

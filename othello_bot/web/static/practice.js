// Learning from mistakes: positions of reviewed games where a move lost discs are set again, and come back after days.

import { el, put, write } from "./dom.js";
import { Thinker } from "./learn.js";
import { moveName } from "./rules.js";
import { asked, pathTo, readTree } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./connection").Connection} Connection */
/** @typedef {import("./store").Store} Store */
/** @typedef {import("./table").Table} Table */
/** @typedef {import("./types").Node} Node */
/** @typedef {import("./types").Review} Review */
/** @typedef {import("./types").Task} Task */

/** Discs from which on a lost move is worth practising. */
const WORTH_DISCS = 3;

/** Discs that a move may be behind the best one to count as found. */
const NEAR_DISCS = 1;

/** Level at which the moves of a task are valued. */
const LEVEL = 16;

/** Days until a task that was solved at once comes again, and how much longer each further time. */
const FIRST_DAYS = 4;
const GROWTH = 2.5;

/** Tasks of a session at most. */
const MOST = 20;

const DAY_MS = 86_400_000;

/** The number of a day. @param {number} [now] milliseconds */
export function dayOf(now = Date.now()) {
  return Math.floor(now / DAY_MS);
}

/** The task once it was tried: missed ones come again tomorrow, others later each time. @param {Task} task @param {boolean} missed
 * @param {number} [day] today @returns {Task} */
export function scheduled(task, missed, day = dayOf()) {
  const gap = missed ? 1 : task.gap ? Math.ceil(task.gap * GROWTH) : FIRST_DAYS;
  return { ...task, gap: missed ? 0 : gap, due: day + gap };
}

/** The tasks of a review: the moves of a side, or of both, that lost several discs.
 * @param {Review} review @param {number} game @param {import("./types").Side | ""} side @returns {Task[]} */
export function tasksOf(review, game, side) {
  const tasks = [];
  for (const node of review.line.slice(1)) {
    const { judged, parent } = node;
    if (!judged || !parent || judged.loss < WORTH_DISCS || (side && parent.position.turn !== side)) continue;
    const { start, moves } = asked(parent);
    tasks.push({ id: `${game} ${node.ply}`, game, start, moves, played: judged.move, loss: judged.loss, gap: 0, due: dayOf() });
  }
  return tasks;
}

export class Practice {
  /** @param {HTMLElement} element @param {App} app @param {Connection} connection @param {Store} store @param {Table} table */
  constructor(element, app, connection, store, table) {
    this.app = app;
    this.connection = connection;
    this.store = store;
    this.table = table;
    /** @type {Task[]} */
    this.queue = [];
    this.number = 0;
    /** The task on the board: its position, what is known of its moves, whether a try failed, whether it is over.
     * @type {{ task: Task, node: Node, missed: boolean, over: boolean } | null} */
    this.now = null;
    this.withdraw = () => {};
    this.said = el("p", { id: "practice-said", role: "status" });
    this.buttons = el("div", { class: "actions" });
    put(element, el("h2", {}, words.practice.title), this.said, this.buttons);
    app.watch(() => this.update());
  }

  update() {
    const { app, now } = this;
    if (now && (app.mode !== "games" || pathTo(app.node)[0] !== pathTo(now.node)[0])) this.end();
  }

  /** Say how many tasks are due. */
  async offer() {
    if (this.now) return;
    const due = await this.store.dueTasks(dayOf());
    if (this.now) return;
    const text = due.length
      ? words.practice.due(due.length, WORTH_DISCS)
      : words.practice.nothing;
    write(this.said, text);
    put(this.buttons, due.length ? this.button(words.practice.begin, () => this.begin(due), "practise") : null);
  }

  /** @param {string} text @param {() => void} act @param {string} id */
  button(text, act, id) {
    return el("button", { type: "button", id, class: id === "next-task" || id === "practise" ? "primary" : "", onclick: act }, text);
  }

  /** @param {Task[]} due */
  begin(due) {
    this.queue = due.slice(0, MOST);
    this.number = 0;
    this.next();
  }

  next() {
    const task = this.queue[this.number];
    this.number += 1;
    const { node } = task ? readTree(task.start, task.moves) : { node: null };
    if (!task || !node) {
      this.end();
      return;
    }
    this.now = null;
    const { app } = this;
    app.settings.bottom = node.position.turn;
    app.open(node, "games");
    this.now = { task, node, missed: false, over: false };
    app.trial = { node, tried: (/** @type {number} */ square) => this.tried(square) };
    this.withdraw();
    this.withdraw = this.connection.ask({ do: "values", ...asked(node), level: LEVEL }, (reply) => this.valued(node, reply));
    const which = words.exercise.place(this.number, this.queue.length);
    this.tell(`${which} ${words.practice.task(node.position.turn, task.played, task.loss)}`);
    this.table.reveal();
  }

  /** @param {Node} node @param {import("./types").Reply} reply */
  valued(node, reply) {
    if (reply.kind !== "values") return;
    const { lines, reached, nodes, time_s: time, done } = reply;
    node.values = { lines, reached, nodes, time_s: time, done, level: LEVEL };
    if (done && this.waiting !== null) this.tried(this.waiting);
  }

  /** A move that was tried before the values were known. @type {number | null} */
  waiting = null;

  /** A move is tried on the board. @param {number} square */
  tried(square) {
    const { now } = this;
    if (!now || now.over) return;
    this.waiting = now.node.values?.done ? null : square;
    if (this.waiting !== null) {
      this.tell(words.exercise.moment);
      return;
    }
    const lines = Thinker.linesOf(now.node);
    const line = lines.find((one) => one.square === square);
    if (!line) return;
    const behind = lines[0].score - line.score;
    if (behind <= NEAR_DISCS) {
      this.over(words.practice.right(moveName(square), behind), line.pv);
      return;
    }
    now.missed = true;
    this.tell(words.exercise.notYet(moveName(square), behind));
    this.table.playOut(line.pv, true);
  }

  /** The end of a task: what is said of it, and the line that is played out. @param {string} text @param {string[]} pv */
  over(text, pv) {
    const { now } = this;
    if (!now) return;
    now.over = true;
    const task = scheduled(now.task, now.missed);
    this.store.putTasks([task]).catch((error) => this.tell(error.message));
    this.tell(`${text} ${words.practice.again(task.due - dayOf())}`);
    this.table.playOut(pv, true);
  }

  showAnswer() {
    const { now } = this;
    const [best] = now ? Thinker.linesOf(now.node) : [];
    if (!now || !best || !now.node.values?.done) return;
    now.missed = true;
    this.over(words.practice.best(best.move), best.pv);
  }

  /** @param {string} text */
  tell(text) {
    write(this.said, text);
    const { now } = this;
    const last = this.number >= this.queue.length;
    put(
      this.buttons,
      now && !now.over ? this.button(words.exercise.answer, () => this.showAnswer(), "show-answer") : null,
      now?.over ? this.button(last ? words.exercise.done : words.exercise.next, () => this.next(), "next-task") : null,
      now ? this.button(words.exercise.stop, () => this.end(), "end-practice") : null,
    );
  }

  end() {
    this.now = null;
    this.waiting = null;
    this.withdraw();
    this.app.trial = null;
    this.offer().catch((error) => write(this.said, error.message));
  }
}

// Learning from mistakes: positions of reviewed games where a move lost discs are set again, and come back after days.

import { el, put, write } from "./dom.js";
import { Exercise } from "./exercise.js";
import { Thinker } from "./learn.js";
import { localDay } from "./records.js";
import { moveName } from "./rules.js";
import { asked, readTree } from "./tree.js";
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

/** Days until a task that was solved at once comes again, and how much longer each further time. */
const FIRST_DAYS = 4;
const GROWTH = 2.5;

/** Tasks of a session at most. */
const MOST = 20;

/** The task once it was tried: missed ones come again tomorrow, others later each time. @param {Task} task @param {boolean} missed
 * @param {number} [day] today @returns {Task} */
export function scheduled(task, missed, day = localDay()) {
  const gap = missed ? 1 : task.gap ? Math.ceil(task.gap * GROWTH) : FIRST_DAYS;
  return { ...task, gap: missed ? 0 : gap, due: day + gap };
}

/** The tasks of a review: the moves of a side, or of both, that lost several discs.
 * @param {Review} review @param {number} game 0 if it is not kept @param {import("./types").Side | ""} side @returns {Task[]} */
export function tasksOf(review, game, side) {
  const tasks = [];
  for (const node of review.line.slice(1)) {
    const { judged, parent } = node;
    if (!judged || !parent || judged.loss < WORTH_DISCS || (side && parent.position.turn !== side)) continue;
    const { start, moves } = asked(parent);
    tasks.push({ id: `${game} ${node.ply}`, game, start, moves, played: judged.move, loss: judged.loss, gap: 0, due: localDay() });
  }
  return tasks;
}

/** @extends {Exercise<Task>} */
export class Practice extends Exercise {
  /** @param {App} app @param {Connection} connection @param {Store} store @param {Table} table */
  constructor(app, connection, store, table) {
    super(app, connection, table, "games", "practice-said");
    this.store = store;
    this.element = el("section", { class: "practice" }, el("h2", {}, words.practice.title), this.said, this.buttons);
  }

  /** Say how many tasks are due. */
  async offer() {
    if (this.now) return;
    const due = await this.store.dueTasks(localDay());
    if (this.now) return;
    write(this.said, due.length ? words.practice.due(due.length, WORTH_DISCS) : words.practice.nothing);
    put(this.buttons, due.length ? this.button(words.practice.begin, () => this.begin(due), "practise") : null);
  }

  /** Set the tasks again, a session of them at most. @param {Task[]} tasks @param {import("./types").Mode} [backTo] */
  begin(tasks, backTo) {
    super.begin(tasks.slice(0, MOST), backTo);
  }

  /** @param {Task} task */
  nodeOf(task) {
    return readTree(task.start, task.moves).node;
  }

  /** @param {Task} task @param {Node} node */
  question(task, node) {
    return words.practice.task(node.position.turn, task.played, task.loss);
  }

  /** @param {Task} _ @param {Node} node @param {number} square */
  judge(_, node, square) {
    const lines = Thinker.linesOf(node);
    const line = node.values?.done ? lines.find((one) => one.square === square) : null;
    if (!line) return null;
    const behind = lines[0].score - line.score;
    const right = behind <= NEAR_DISCS;
    const text = right ? words.practice.right(moveName(square), behind) : words.exercise.notYet(moveName(square), behind);
    return { right, text, pv: line.pv };
  }

  /** @param {Task} _ @param {Node} node */
  answer(_, node) {
    const [best] = Thinker.linesOf(node);
    return best && node.values?.done ? { right: true, text: words.practice.best(best.move), pv: best.pv } : null;
  }

  /** @param {Task} task @param {boolean} missed */
  async record(task, missed) {
    if (!task.game) return "";
    const next = scheduled(task, missed);
    await this.store.putTask(next);
    return words.practice.again(next.due - localDay());
  }
}

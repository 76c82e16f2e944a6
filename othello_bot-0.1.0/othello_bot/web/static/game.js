// The course of a game: the computers' moves, the clocks, taking back, resigning, hints. Turns, clocks and ends are those of
// othello_bot/game; a test plays the same scripts through both.

import { takesDepth } from "./opponents.js";
import { isOver, mustPass, other, parseMove } from "./rules.js";
import { asked, remove } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./connection").Connection} Connection */
/** @typedef {import("./types").Node} Node */
/** @typedef {import("./types").Side} Side */

/** Level of the engine's hints, which are shown while they deepen. */
const HINT_LEVEL = 21;

/** Milliseconds that a computer's move takes at least, so that one can follow the game. */
const PACE_MS = 450;

export class Course {
  /** @param {App} app @param {Connection} connection */
  constructor(app, connection) {
    this.app = app;
    this.connection = connection;
    /** The position whose move is asked for. @type {Node | null} */
    this.askedFor = null;
    this.withdraw = () => {};
    /** The hint for a position. @type {{ node: Node, move: number, score: number } | null} */
    this.hinted = null;
    /** Milliseconds up to which the clock of the side to move was charged. */
    this.since = performance.now();
    /** @type {Node | null} */
    this.turnOf = null;
    app.watch(() => this.update());
    setInterval(() => this.tick(), 100);
    window.addEventListener("pagehide", () => {
      this.charge();
      app.keep();
    });
  }

  /** Whether the clock of the side to move is running: not before a forced pass, and a computer's not while the engine is
   * out of reach, or a part of it is still to come. */
  get running() {
    const { app } = this;
    const { position } = app.live;
    const thinks = (app.loaded || app.seats[position.turn].kind === "person") && !mustPass(position);
    return app.control !== null && !app.over && app.mode === "play" && !app.paused && thinks;
  }

  update() {
    const { app } = this;
    if (this.turnOf !== app.live) {
      this.turnOf = app.live;
      this.since = performance.now();
    }
    const seat = app.seats[app.live.position.turn];
    const wanted = app.playing && !app.paused && seat.kind !== "person" && !mustPass(app.live.position);
    if (this.askedFor && (!wanted || this.askedFor !== app.live)) {
      this.withdraw();
      this.askedFor = null;
    }
    if (wanted && !this.askedFor) this.askForMove(app.live);
  }

  /** @param {Node} node */
  askForMove(node) {
    const { app } = this;
    const side = node.position.turn;
    const seat = app.seats[side];
    const began = performance.now();
    this.askedFor = node;
    const spec = takesDepth(seat.strategy) ? `${seat.strategy}:${seat.depth}` : seat.strategy;
    const clock = app.control ? { left_s: Math.max(0, this.leftOf(side)), increment_s: app.control.increment } : null;
    const player = seat.kind === "engine" ? { strength: seat.strength } : { strategy: spec };
    this.withdraw = this.connection.ask({ do: "move", ...asked(node), ...player, seed: app.seed, clock }, (reply) => {
      const pause = Math.max(0, PACE_MS - (performance.now() - began));
      const wait = app.control || document.hidden ? 0 : pause;
      setTimeout(() => this.made(node, reply), wait);
    });
  }

  /** @param {Node} node @param {import("./types").Reply} reply */
  made(node, reply) {
    if (this.askedFor !== node) return;
    this.askedFor = null;
    const move = reply.kind === "move" ? parseMove(reply.move) : null;
    if (move === null) {
      this.app.message = words.status.noMove(reply.text ?? "");
      this.app.paused = true;
      this.app.changed();
      return;
    }
    this.play(move);
  }

  /** Play a move, of a person or a computer, and stop its clock. @param {number} move */
  play(move) {
    const { app } = this;
    const live = app.node === app.live;
    const side = app.node.position.turn;
    if (live && app.paused && app.seats[side].kind === "person") this.pause(); // a person who plays goes on
    if (live) {
      this.charge();
      if (this.flagged(side)) return;
    }
    if (!app.play(move)) return;
    if (live && app.control && app.mode === "play") app.left[side] += app.control.increment;
    this.hinted = null;
  }

  /** Subtract the time of the turn so far from the clock. */
  charge() {
    const { app } = this;
    if (this.running) app.left[app.live.position.turn] = this.leftOf(app.live.position.turn);
    this.since = performance.now();
  }

  /** Seconds left on a clock now. @param {Side} side */
  leftOf(side) {
    const { app } = this;
    const runs = this.running && app.live.position.turn === side;
    return app.left[side] - (runs ? (performance.now() - this.since) / 1000 : 0);
  }

  /** Charge the clock that runs, so that one that stops, as in another mode, loses nothing of its turn. */
  tick() {
    if (this.running) this.flagged(this.app.live.position.turn);
    this.charge();
    if (!this.running) return;
    for (const watcher of this.ticks) watcher();
  }

  /** @type {(() => void)[]} */
  ticks = [];

  /** End the game if a side has no time left. @param {Side} side */
  flagged(side) {
    const { app } = this;
    if (!this.running || this.leftOf(side) > 0) return false;
    app.left[side] = 0;
    app.ending = { reason: "time", loser: side };
    app.goTo(app.live);
    return true;
  }

  resign() {
    const { app } = this;
    this.charge();
    const own = /** @type {Side[]} */ (["X", "O"]).filter((side) => app.seats[side].kind === "person");
    app.ending = { reason: "resignation", loser: own.length === 1 ? own[0] : app.live.position.turn };
    app.goTo(app.live);
  }

  pause() {
    this.charge();
    this.app.paused = !this.app.paused;
    this.since = performance.now();
    this.app.changed();
  }

  get mayTakeBack() {
    if (this.app.trial) return false;
    if (this.app.mode === "play" && this.app.ending?.reason === "time") return false; // the clock stays at zero
    return this.app.mode === "play" ? this.backTo() !== null : this.app.node.parent !== null;
  }

  /** The move to take back: the last one of a person, with all that followed. @returns {Node | null} */
  backTo() {
    const { app } = this;
    const people = app.seats.X.kind === "person" || app.seats.O.kind === "person";
    for (let node = app.live; node.parent && node.ply > app.begun; node = node.parent) {
      const position = node.parent.position;
      if (mustPass(position)) continue;
      if (!people || app.seats[position.turn].kind === "person") return node;
    }
    return null;
  }

  /** Take back the last move of a person, in a game that has ended too. */
  takeBack() {
    const { app } = this;
    const move = app.mode === "play" ? this.backTo() : app.node;
    if (!move || !move.parent || !this.mayTakeBack) return;
    this.charge();
    if (isWithin(app.live, move)) app.live = move.parent;
    app.ending = app.mode === "play" ? null : app.ending;
    const parent = remove(move);
    if (app.mode === "play") app.live = parent;
    this.hinted = null;
    app.goTo(parent);
    app.passIfForced();
  }

  /** Whether a hint may be asked for: not in a puzzle, nor while a computer is to move. */
  get mayHint() {
    const { app } = this;
    const { position } = app.node;
    const human = app.mode !== "play" || app.seats[position.turn].kind === "person";
    return human && !app.trial && !isOver(position) && !mustPass(position);
  }

  /** Show the best move of the position on the board, as far as it is known. Where values are shown, a question of its own would end theirs. */
  hint() {
    const { app } = this;
    const node = app.node;
    if (!this.mayHint) return;
    const show = (/** @type {import("./types").Line} */ best) => {
      this.hinted = { node, move: parseMove(best.move) ?? -1, score: best.score };
      app.changed();
    };
    const known = node.values?.lines[0];
    if (known) show(known);
    else if (!app.showsValues) {
      const withdraw = this.connection.ask({ do: "values", ...asked(node), level: HINT_LEVEL }, (reply) => {
        if (app.node !== node) withdraw();
        else if (reply.kind === "values" && reply.lines.length > 0) show(reply.lines[0]);
      });
    }
  }

  /** The result of the game in play in words; "" while it goes on. */
  verdict() {
    const { app } = this;
    if (app.ending) {
      const { reason, loser } = app.ending;
      return words.status[reason === "time" ? "timeout" : "resigned"](other(loser), loser);
    }
    return "";
  }
}

/** @param {Node} node @param {Node} top */
function isWithin(node, top) {
  for (let at = /** @type {Node | null} */ (node); at; at = at.parent) if (at === top) return true;
  return false;
}

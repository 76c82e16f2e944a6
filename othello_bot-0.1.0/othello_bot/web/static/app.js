// The state of the page: the game's tree, who plays, the mode. Everything else draws it and changes it through here.

import { firstChoices, keptName, knownChoices, seatsOf, shownName } from "./opponents.js";
import { PASS, isOver, legalMoves, mustPass } from "./rules.js";
import { add, addAll, lineThrough, mainLine, movesTo, newTree, readTree, restored, restoredReview, rootOf, stored, storedReview } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./types").Node} Node */
/** @typedef {import("./types").Mode} Mode */
/** @typedef {import("./types").Seat} Seat */
/** @typedef {import("./types").Side} Side */

const KEPT = "othello-bot game";
const SETTINGS = "othello-bot settings";
const ADDRESS = "othello-bot address";

/** Milliseconds for which a pass is shown before the other side goes on. */
const PASS_MS = 900;

export class App {
  constructor() {
    /** @type {Node} */
    this.node = newTree();
    /** The last position of the game in play. @type {Node} */
    this.live = this.node;
    /** @type {Mode} */
    this.mode = "play";
    /** @type {Record<Side, Seat>} */
    this.seats = seatsOf(firstChoices());
    /** @type {import("./types").Control | null} */
    this.control = null;
    /** @type {Record<Side, number>} */
    this.left = { X: 0, O: 0 };
    /** @type {import("./types").Ending | null} */
    this.ending = null;
    this.seed = Math.floor(Math.random() * 2 ** 31);
    this.paused = false;
    /** Who played a game that was opened, as its file or the list of kept games tells; null for one that is played here.
     * @type {import("./types").Names | null} */
    this.names = null;
    /** Whether the engine was reachable once, whether it is now, and whether all of it is loaded. */
    this.greeted = false;
    this.connected = false;
    this.loaded = false;
    /** The position in which a move is sought: what is said about it, and what a try does.
     * @type {{ node: Node, told: string, tried: (square: number) => void } | null} */
    this.trial = null;
    /** What is set aside while a move is sought in another position. @type {ReturnType<App["state"]> | null} */
    this.aside = null;
    /** The number under which the browser keeps the game; null if it does not. @type {number | null} */
    this.kept = null;
    /** The first moves of the game that no player chose: those of an opening that it began with. */
    this.begun = 0;
    /** What the person prefers, kept for the next visit. */
    this.settings = { theme: "system", language: "", level: 21, reviewLevel: 16, values: true, people: 1500, bottom: "X", slipsOf: "both", puzzles: 0, played: false, playedBy: {}, choices: firstChoices() };
    /** The settings as they were read or written last: what another tab has set since stays. */
    this.keptSettings = "";
    /** The review of the game on the board, in progress or done. @type {import("./types").Review | null} */
    this.review = null;
    /** @type {(() => void)[]} */
    this.watchers = [];
    this.waiting = 0;
    this.message = "";
  }

  /** @param {() => void} watcher called after every change */
  watch(watcher) {
    this.watchers.push(watcher);
  }

  /** Say that something has changed. */
  changed() {
    for (const watcher of this.watchers) watcher();
    this.keep();
  }

  /** Close the message. */
  dismiss() {
    if (!this.message) return;
    this.message = "";
    this.changed();
  }

  get root() {
    return rootOf(this.node);
  }

  get position() {
    return this.node.position;
  }

  /** Whether the game in play has ended. */
  get over() {
    return this.ending !== null || isOver(this.live.position);
  }

  /** Whether a game has begun here that a new one would give up. */
  get underway() {
    return this.live.ply > this.begun && !this.over && !this.names;
  }

  /** Whether the game in play is on the board, at its last position. */
  get playing() {
    return this.mode === "play" && this.node === this.live && !this.over;
  }

  /** Whether values are shown and worked on. */
  get showsValues() {
    return this.settings.values && (this.mode === "learn" || this.mode === "edit");
  }

  /** @param {Mode} mode */
  setMode(mode) {
    // A position that was sought is studied in Learn and Edit; elsewhere the game goes on that was set aside for it.
    if (this.aside && !this.trial && mode !== "learn" && mode !== "edit") {
      this.resume(mode);
      return;
    }
    this.mode = mode;
    if (mode === "play" && this.node !== this.live && (this.names || rootOf(this.live) !== this.root)) {
      this.live = this.node; // playing begins at the position on the board
      this.ending = null;
    }
    this.changed();
  }

  /** @param {Node} node */
  goTo(node) {
    this.node = node;
    for (let at = node; at.parent; at = at.parent) at.parent.next = at;
    this.changed();
  }

  /** @param {number} steps forward, or back if negative */
  step(steps) {
    const line = lineThrough(this.node);
    this.goTo(line[Math.max(0, Math.min(line.length - 1, this.node.ply + steps))]);
  }

  /** Play a move on the board; return whether it was legal. @param {number} move */
  play(move) {
    if (this.mode === "play" && this.over && this.node === this.live) return false;
    const child = add(this.node, move);
    if (!child) return false;
    if (this.mode === "play") {
      if (this.node !== this.live) this.ending = null;
      this.live = child;
      if (this.names) Object.assign(this, { names: null, kept: null, begun: this.node.ply }); // another game begins here
    }
    this.node = child;
    this.changed();
    this.passIfForced();
    return true;
  }

  /** Play the pass of a side without a move, after a moment in which it is shown. */
  passIfForced() {
    clearTimeout(this.waiting);
    if (!mustPass(this.position) || this.node.next) return;
    const here = this.node;
    this.waiting = window.setTimeout(() => {
      if (this.node === here && !this.ending) this.play(PASS);
    }, PASS_MS);
  }

  /** Put another game on the board. @param {Node} node its current position
   * @param {import("./types").Names | null} [names] who played it, if it was opened */
  take(node, names = null) {
    clearTimeout(this.waiting);
    if (!this.trial) this.forgetAside();
    this.node = node;
    this.live = node;
    this.ending = null;
    this.names = names;
    this.begun = names ? (names.begun ?? 0) : node.ply;
    this.kept = null;
    this.changed();
    this.passIfForced();
  }

  /** Open a game that was played elsewhere: who plays on does so against the opponent that is set.
   * @param {Node} node its last position @param {Mode} mode @param {import("./types").Names} [names] */
  open(node, mode, names = { X: "", O: "" }) {
    this.seats = seatsOf(this.settings.choices, node.position.turn);
    this.control = null;
    this.paused = this.settings.choices.side === "none";
    this.mode = mode;
    this.take(node, names);
  }

  /** Begin a game. @param {Record<Side, Seat>} seats @param {import("./types").Control | null} control
   * @param {Node} [node] where it begins; else at the usual start */
  begin(seats, control, node) {
    this.seats = seats;
    this.control = control;
    const seconds = control ? 60 * control.minutes : 0;
    this.left = { X: seconds, O: seconds };
    this.seed = Math.floor(Math.random() * 2 ** 31);
    this.paused = false;
    this.mode = "play";
    this.aside = null;
    this.facePerson();
    this.take(node ?? newTree());
  }

  /** Turn the board so that a person who plays against a computer has the side below. */
  facePerson() {
    const { X, O } = this.seats;
    if (X.kind !== O.kind && [X.kind, O.kind].includes("person")) this.settings.bottom = X.kind === "person" ? "X" : "O";
  }

  /** The game on the board with all that belongs to it. */
  state() {
    const { node, live, seats, control, left, ending, seed, paused, names, begun, kept, review } = this;
    const { bottom } = this.settings;
    return { node, live, seats, control, left: { ...left }, ending, seed, paused, names, begun, kept, review, bottom };
  }

  /** Put a position on the board in which a move is sought; the game there is set aside.
   * @param {Node} node @param {Mode} mode @param {(square: number) => void} tried called with each move */
  seek(node, mode, tried) {
    this.aside ??= this.state();
    this.trial = { node, told: "", tried };
    this.settings.bottom = node.position.turn;
    this.open(node, mode);
  }

  /** Bring back the game that was set aside. @param {Mode} mode */
  resume(mode) {
    this.trial = null;
    if (this.aside) this.putBack(this.aside, mode);
  }

  /** Put a game on the board as it was. @param {ReturnType<App["state"]>} state @param {Mode} mode */
  putBack({ bottom, left, ...state }, mode) {
    this.aside = null;
    this.settings.bottom = bottom;
    Object.assign(this, state, { left: { ...left } });
    this.setMode(mode);
    this.passIfForced();
  }

  /** Give up the game that was set aside; the board is turned as it was. */
  forgetAside() {
    if (this.aside) this.settings.bottom = this.aside.bottom;
    this.aside = null;
  }

  /** @param {Side} side */
  nameOf(side) {
    if (this.names && this.mode !== "play") return this.names.mine === side ? words.you : shownName(this.names[side]) || words.side[side];
    if (this.seats[side].kind !== "person") return shownName(keptName(this.seats[side]));
    return this.seats[side === "X" ? "O" : "X"].kind === "person" ? words.side[side] : words.you;
  }

  /** Whether a person may play on the square now. @param {number} square */
  mayPlay(square) {
    if (!legalMoves(this.position).includes(square)) return false;
    if (this.mode !== "play") return true;
    if (this.node !== this.live) return this.seats[this.position.turn].kind === "person";
    return !this.over && this.seats[this.position.turn].kind === "person";
  }

  /** Keep the game for a reload of the tab, and the settings for the next visit. */
  keep() {
    const { node, live, review, ...rest } = this.aside ?? this.state();
    const whole = review?.players && mainLine(node)[review.line.length - 1] === review.line[review.line.length - 1];
    const game = { ...rest, mode: this.mode, tree: stored(node), live: movesTo(live), reviewed: whole ? storedReview(review) : null };
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(game));
      const settings = JSON.stringify({ ...this.settings, bottom: this.aside?.bottom ?? this.settings.bottom });
      if (settings !== this.keptSettings) localStorage.setItem(SETTINGS, settings);
      this.keptSettings = settings;
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  /** Take up the game of the address, or else the tab's former one. */
  restore() {
    try {
      Object.assign(this.settings, JSON.parse(localStorage.getItem(SETTINGS) ?? "{}"));
    } catch {
      // Settings of another version.
    }
    this.settings.choices = knownChoices(this.settings.choices);
    this.keptSettings = JSON.stringify(this.settings);
    this.seats = seatsOf(this.settings.choices);
    this.paused = this.settings.choices.side === "none";
    this.facePerson();
    const own = keptBy(ADDRESS) === location.search;
    const kept = keptGame();
    if (own || !this.restoreLink(location.search)) this.restoreKept(kept);
  }

  /** Open the game of a link's query; return whether there is one. @param {string} query */
  restoreLink(query) {
    const fields = new URLSearchParams(query);
    const moves = fields.get("game");
    if (moves === null && !fields.get("start")) return false;
    const { node, why } = readTree(fields.get("start") ?? "", moves ?? "");
    if (!node) {
      this.message = words.page.badLink(why);
      return false;
    }
    this.open(node, "learn");
    const ply = Number(fields.get("ply") ?? node.ply);
    const line = lineThrough(rootOf(node));
    this.goTo(line[Math.max(0, Math.min(line.length - 1, Number.isInteger(ply) ? ply : node.ply))]);
    return true;
  }

  /** Remember that an address is that of the tab's own game, which a reload takes up as it was. @param {string} [query] */
  addressed(query = location.search) {
    try {
      sessionStorage.setItem(ADDRESS, query);
    } catch {
      // A reload then opens the game of the address.
    }
  }

  /** @param {any} kept what the tab keeps */
  restoreKept(kept) {
    try {
      const node = kept && restored(kept.tree);
      if (!node) return;
      this.node = node;
      this.live = addAll(rootOf(node), kept.live).node;
      for (let at = node; at.parent; at = at.parent) at.parent.next = at;
      const { mode, seats, control, left, ending, seed, paused, names, begun = 0 } = kept;
      Object.assign(this, { mode, seats, control, left, ending, seed, paused, names, begun, kept: kept.kept ?? null });
      this.review = kept.reviewed ? restoredReview(node, kept.reviewed) : null;
      this.passIfForced();
    } catch {
      // A game of another version.
    }
  }
}

/** The game that the tab keeps, with all that belongs to it; null if there is none. */
function keptGame() {
  try {
    return JSON.parse(keptBy(KEPT) || "null");
  } catch {
    return null;
  }
}

/** What the tab keeps under a name; "" if nothing, or if the browser keeps nothing. @param {string} name */
function keptBy(name) {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

// What was played in the position on the board, in the server's base of games: the moves with their results, and the games.

import { el, put, write } from "./dom.js";
import { legalMoves, parseMove } from "./rules.js";
import { asked, readTree } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./connection").Connection} Connection */
/** @typedef {import("./types").Node} Node */
/** @typedef {import("./types").PlayedGame} PlayedGame */
/** @typedef {import("./types").PlayedMove} PlayedMove */

/** Milliseconds without a key after which a filter counts. */
const TYPED_MS = 400;

/** Games of a page. */
const PAGE = 8;

export class Played {
  /** @param {HTMLElement} element @param {App} app @param {Connection} connection */
  constructor(element, app, connection) {
    this.app = app;
    this.connection = connection;
    this.asked = "";
    /** @type {import("./types").Reply | null} */
    this.reply = null;
    /** @type {Node | null} */
    this.node = null;
    this.first = 0;
    this.last = true;
    this.typing = 0;
    /** Hidden where the base does not know which players are programs. */
    this.between = this.choice("between", words.played.between);
    this.between.hidden = true;
    this.stop = () => {};
    this.told = el("p", { class: "reached", id: "played-told" });
    this.view = el("p", { class: "reached", id: "played-view" });
    this.moves = el("ol", { class: "played", id: "played-moves", "aria-label": words.played.moves });
    this.games = el("ol", { class: "played-games", id: "played-games", "aria-label": words.played.games });
    this.more = el("button", { type: "button", id: "played-more", onclick: () => this.turn() }, words.played.more);
    this.details = /** @type {HTMLDetailsElement} */ (
      el(
        "details",
        { id: "played", open: app.settings.played, ontoggle: () => this.toggled() },
        el("summary", {}, words.played.heading),
        this.filters(),
        this.told,
        this.view,
        this.moves,
        this.games,
        this.more,
      )
    );
    element.append(this.details);
    app.watch(() => this.update());
  }

  /** The filters as the browser keeps them. */
  get kept() {
    return /** @type {Record<string, string>} */ (this.app.settings.playedBy);
  }

  /** Whether a filter is set. */
  get filtered() {
    return Object.entries(this.kept).some(([name, value]) => value && name !== "order");
  }

  /** What keeps a filter when its field changes. @param {string} name */
  changed(name) {
    return (/** @type {any} */ event) => {
      this.kept[name] = event.target.value;
      clearTimeout(this.typing);
      this.typing = window.setTimeout(() => this.app.changed(), TYPED_MS);
    };
  }

  /** @param {"years" | "rating" | "player" | "opponent" | "event"} name @param {number} most */
  text(name, most) {
    const shown = words.played[name];
    return el("input", { id: `played-${name}`, maxlength: most, placeholder: shown, "aria-label": shown, value: this.kept[name] ?? "", oninput: this.changed(name) });
  }

  /** @param {string} name @param {Record<string, string>} names */
  choice(name, names) {
    return el(
      "select",
      { id: `played-${name}`, "aria-label": words.played.choose, onchange: this.changed(name) },
      ...Object.entries(names).map(([value, shown]) => el("option", { value, selected: value === (this.kept[name] ?? "") }, shown)),
    );
  }

  filters() {
    return el(
      "div",
      { class: "played-by" },
      this.text("player", 80),
      this.choice("color", words.played.colors),
      this.text("opponent", 80),
      this.choice("result", words.played.results),
      this.text("years", 9),
      this.text("rating", 9),
      this.text("event", 80),
      this.choice("order", words.played.orders),
      this.between,
    );
  }

  toggled() {
    if (this.app.settings.played === this.details.open) return;
    this.app.settings.played = this.details.open;
    this.app.changed();
  }

  turn() {
    this.first = this.last ? 0 : this.first + PAGE;
    this.update();
  }

  update() {
    const { app } = this;
    if (app.mode !== "learn" || !app.settings.played) return;
    const { player, color, opponent, years, rating, event, result, between, order } = this.kept;
    const where = asked(app.node);
    // A colour and an opponent are those of a player; an opponent alone is a player like any other.
    const pair = player ? { player, color, opponent } : { player: opponent };
    const by = { ...pair, years, rating, event, result, between: this.between.hidden ? "" : (between ?? ""), order: order || "newest" };
    if (this.node !== app.node || this.by !== JSON.stringify(by)) this.first = 0;
    this.node = app.node;
    this.by = JSON.stringify(by);
    const key = JSON.stringify([where, by, this.first]);
    if (key === this.asked) return;
    this.asked = key;
    this.stop();
    this.stop = this.connection.ask({ do: "played", ...where, ...by, first: this.first, count: PAGE + 1 }, (reply) => this.render(reply));
  }

  /** @param {import("./types").Reply} reply */
  render(reply) {
    if (reply.kind !== "played") {
      put(this.moves);
      put(this.games);
      write(this.view, "");
      this.more.hidden = true;
      write(this.told, reply.code === "base" ? words.played.broken : words.played.wrong);
      return;
    }
    if (this.between.hidden === reply.programs) {
      this.between.hidden = !reply.programs;
      this.update(); // a kept choice counts from now on, or no more
    }
    const { base, counts, moves, list } = reply;
    write(this.told, !base ? words.played.noBase : counts.games ? words.played.total(counts.games) : words.played.none(this.filtered));
    write(this.view, moves.length ? words.played.view(this.app.position.turn) : "");
    put(this.moves, ...moves.map((/** @type {PlayedMove} */ one) => this.row(one, counts.games)));
    put(this.games, ...list.slice(0, PAGE).map((/** @type {PlayedGame} */ one) => this.line(one)));
    this.last = list.length <= PAGE;
    this.more.hidden = this.last && this.first === 0;
    write(this.more, this.last ? words.played.again : words.played.more);
  }

  /** A move with a bar of its wins, draws and losses. @param {PlayedMove} one @param {number} all */
  row(one, all) {
    const known = one.won + one.drawn + one.lost;
    const part = (/** @type {"won" | "drawn" | "lost"} */ name) => {
      const share = known ? (100 * one[name]) / known : 0;
      const made = el("i", { class: name }, share >= 14 ? words.played.percent(share) : "");
      made.style.flexGrow = String(one[name]); // as an attribute, the page's security policy would refuse it
      return made;
    };
    const bar = el("span", { class: "results", "aria-hidden": "true" }, part("won"), part("drawn"), part("lost"));
    const play = () => this.choose(one.move);
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", "aria-label": words.played.row(one), onclick: play },
        el("strong", {}, one.move),
        el("b", {}, words.played.count(one.games)),
        el("small", {}, words.played.percent((100 * one.games) / all)),
        bar,
      ),
    );
  }

  /** @param {string} name */
  choose(name) {
    const move = parseMove(name);
    if (move !== null && (legalMoves(this.app.position).includes(move) || move === 64)) this.app.play(move);
  }

  /** A game, which a click opens at the position on the board. @param {PlayedGame} one */
  line(one) {
    const open = () => {
      const { node } = readTree(one.start ?? "", one.moves);
      if (!node) return;
      const names = { X: one.black, O: one.white };
      this.app.open(node, "learn", names);
      this.app.step(one.ply - node.ply);
    };
    const result = one.result === null ? words.played.winner(one.winner) : words.played.result(one.result);
    return el("li", {}, el("button", { type: "button", onclick: open }, el("span", {}, `${one.black || "?"} – ${one.white || "?"}`), el("b", {}, result), el("small", {}, `${one.event} ${one.date}`.trim())));
  }
}

// Taking the game along: as text to copy, as files, as pictures, as a link.

import { fault } from "./connection.js";
import { byId, el, put, saveFile } from "./dom.js";
import { picture, pictureName, png, svgText } from "./picture.js";
import { playersAt, today } from "./records.js";
import { PASS, boardText, transcript } from "./rules.js";
import { asked, lineThrough, queryOf } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./connection").Connection} Connection */

/** Pixels of a saved picture. */
const PIXELS = 728;

export class Share {
  /** @param {App} app @param {Connection} connection */
  constructor(app, connection) {
    this.app = app;
    this.connection = connection;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("share"));
  }

  /** The last position of the line on the board. */
  get end() {
    const line = lineThrough(this.app.node);
    return line[line.length - 1];
  }

  open() {
    const { app } = this;
    const moves = transcript(lineThrough(app.node).slice(1).map((node) => node.move));
    put(
      this.dialog,
      el("h2", { id: "share-title" }, words.page.share),
      this.text(words.share.moves, "share-moves", moves || words.share.noMove),
      this.text(words.share.link, "share-link", `${location.origin}${location.pathname}${this.link()}`),
      this.text(words.share.anyLink, "share-any-link", this.link()),
      this.text(words.share.position, "share-position", boardText(app.position)),
      el("h3", {}, words.share.gameAs),
      el("div", { class: "actions" }, ...["ggf", "sgf", "pgn"].flatMap((format) => this.format(format))),
      el("h3", {}, words.share.pictureAs),
      el(
        "div",
        { class: "actions" },
        el("button", { type: "button", onclick: () => this.saveSvg() }, "SVG"),
        el("button", { type: "button", onclick: () => this.savePng() }, "PNG"),
      ),
      el("p", { class: "about", id: "share-said", role: "status" }),
      el("button", { class: "primary", type: "button", onclick: () => this.dialog.close() }, words.close),
    );
    this.dialog.showModal();
  }

  /** A link that opens the game at the same position, on any server of the page. */
  link() {
    return queryOf(this.app.node) || "?game=";
  }

  /** @param {string} label @param {string} id @param {string} value */
  text(label, id, value) {
    return el(
      "div",
      { class: "line" },
      el("label", { for: id }, label),
      el("input", { id, value, readonly: true, onfocus: (/** @type {any} */ event) => event.target.select() }),
      el("button", { type: "button", "aria-label": words.share.copyOf(label), onclick: () => this.copy(value) }, words.share.copy),
    );
  }

  /** @param {string} format */
  format(format) {
    const name = format.toUpperCase();
    return [
      el("button", { type: "button", onclick: () => this.written(format, (text) => this.copy(text)) }, words.share.copyAs(name)),
      el(
        "button",
        { type: "button", onclick: () => this.written(format, (text) => this.save(new Blob([text]), `game.${format}`)) },
        words.share.saveAs(format),
      ),
    ];
  }

  /** Let the server write the game. @param {string} format @param {(text: string) => void} use */
  written(format, use) {
    const { app } = this;
    const ending = app.ending && this.end === app.live ? app.ending : null;
    const message = {
      do: "text",
      ...asked(this.end),
      format,
      black: app.nameOf("X"),
      white: app.nameOf("O"),
      ending: ending?.reason ?? "",
      loser: ending ? (ending.loser === "X" ? "black" : "white") : "",
      date: playersAt(app).date ?? today(),
    };
    this.connection.ask(message, (reply) => {
      if (reply.kind === "text") use(reply.text ?? "");
      else this.say(fault(reply, words.share.failed));
    });
  }

  /** @param {string} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(words.share.copied);
    } catch {
      this.say(words.share.notCopied);
    }
  }

  /** @param {string} text */
  say(text) {
    byId("share-said").textContent = text;
  }

  drawing() {
    const { node } = this.app;
    return picture(node.position, { last: node.parent && node.move !== PASS ? node.move : null });
  }

  saveSvg() {
    this.save(new Blob([svgText(this.drawing(), PIXELS)], { type: "image/svg+xml" }), `${pictureName(this.app.node)}.svg`);
  }

  async savePng() {
    this.save(await png(this.drawing(), PIXELS), `${pictureName(this.app.node)}.png`);
  }

  /** @param {Blob} blob @param {string} name */
  save(blob, name) {
    saveFile(blob, name);
    this.say(words.share.saved(name));
  }
}

// The keyboard: letters for what the buttons do, and squares typed by name.

import { byId, el, onwardButton, put } from "./dom.js";
import { parseMove } from "./rules.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./game").Course} Course */
/** @typedef {import("./table").Table} Table */

/** Milliseconds within which the second character of a square must be typed. */
const TYPING_MS = 1500;

export function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("keys"));
  put(
    dialog,
    el("h2", { id: "keys-title" }, words.keys.title),
    el("dl", {}, ...words.keys.list.flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, what)])),
    el("button", { class: "primary", type: "button", onclick: () => dialog.close() }, words.close),
  );
  dialog.showModal();
  dialog.scrollTop = 0; // the focus is on the last button
}

/** @param {App} app @param {Course} course @param {Table} table */
export function listenForKeys(app, course, table) {
  leaveFields();
  let typed = "";
  let typedAt = 0;
  /** @type {Record<string, () => void>} */
  const actions = {
    ArrowLeft: () => app.step(-1),
    ArrowRight: () => app.step(1),
    Home: () => app.step(-999),
    End: () => app.step(999),
    l: () => table.board.nextLegal(),
    t: () => course.takeBack(),
    i: () => course.hint(),
    n: () => {
      const onward = onwardButton() ?? (app.mode === "puzzles" ? byId("next-puzzle") : null);
      if (onward) {
        onward.click();
        return;
      }
      app.setMode("play");
      byId("new-game").click();
    },
    m: () => nextMistake(app, "next-mistake"),
    M: () => nextMistake(app, "previous-mistake"),
    Escape: () => app.dismiss(),
    v: () => {
      app.settings.values = !app.settings.values;
      app.changed();
    },
    1: () => app.setMode("play"),
    2: () => app.setMode("learn"),
    3: () => app.setMode("review"),
    4: () => app.setMode("puzzles"),
    5: () => app.setMode("edit"),
    6: () => app.setMode("games"),
    "?": showKeys,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
    if (event.shiftKey && /^Arrow/.test(event.key)) {
      event.preventDefault();
      table.board.walk(/** @type {Parameters<typeof table.board.walk>[0]} */ (event.key));
      return;
    }
    const recent = event.timeStamp - typedAt < TYPING_MS;
    const name = (recent ? typed : "") + event.key.toLowerCase();
    typed = "";
    if (/^[a-h]$/i.test(event.key)) {
      typed = event.key.toLowerCase();
      typedAt = event.timeStamp;
      return;
    }
    const square = name.length === 2 ? parseMove(name) : null;
    if (square !== null) {
      event.preventDefault();
      table.clicked(square);
      return;
    }
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** Press a button that Review has below the board. @param {App} app @param {string} id */
function nextMistake(app, id) {
  if (app.mode === "review") document.getElementById(id)?.click();
}

/** Leave a field that the pointer has set, so that arrow keys step through the game and do not change it again. */
function leaveFields() {
  let pointed = false;
  document.addEventListener("pointerdown", () => (pointed = true), true);
  document.addEventListener("keydown", () => (pointed = false), true);
  document.addEventListener("change", ({ target }) => {
    if (pointed && target instanceof HTMLElement && target.matches("select, [type=radio], [type=range]")) target.blur();
  });
}

/** Whether keys belong to the element that has the focus. @param {EventTarget | null} target */
function isTyping(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog")) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "button"].includes(target.type);
  return target.matches("select, textarea, [contenteditable]");
}

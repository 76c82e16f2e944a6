// Questions before something is lost.

import { el } from "./dom.js";

/** Ask in a dialog, where Enter and Escape lose nothing; return whether the person agreed. @param {string} question @param {string} yes @param {string} no
 * @returns {Promise<boolean>} */
export function agreed(question, yes, no) {
  const close = (/** @type {string} */ answer) => () => dialog.close(answer);
  const dialog = /** @type {HTMLDialogElement} */ (
    el(
      "dialog",
      { class: "asking", "aria-labelledby": "question" },
      el("p", { id: "question" }, question),
      el(
        "div",
        { class: "actions" },
        el("button", { type: "button", class: "primary", onclick: close("yes") }, yes),
        el("button", { type: "button", autofocus: true, onclick: close("no") }, no),
      ),
    )
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    });
  });
}

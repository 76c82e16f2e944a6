// The language of the page: the one that was chosen, or else the first of the browser's that there is.

import { PASS, moveName } from "./rules.js";

const SETTINGS = "othello-bot settings";

/** The languages by their codes, each with its own name. */
export const LANGUAGES = { en: "English", ja: "日本語" };

/** @typedef {keyof typeof LANGUAGES} Language */

/** @returns {Language} */
function preferred() {
  const known = (/** @type {any} */ code) => /** @type {Language | undefined} */ (Object.keys(LANGUAGES).find((one) => one === code));
  let chosen = "";
  try {
    chosen = JSON.parse(localStorage.getItem(SETTINGS) ?? "{}").language;
  } catch {
    // A browser that keeps nothing, or settings of another version.
  }
  return known(chosen) ?? navigator.languages.map((one) => known(one.slice(0, 2).toLowerCase())).find(Boolean) ?? "en";
}

export const language = preferred();

const { words: chosen } = language === "ja" ? await import("./ja.js") : await import("./en.js");

export const words = chosen;

/** A move as it is shown. @param {number} move */
export function moveText(move) {
  return move === PASS ? words.pass : moveName(move);
}

/** The words of a path such as "page.play". @param {string} path @returns {string} */
export function wordsAt(path) {
  return path.split(".").reduce((/** @type {any} */ inner, name) => inner[name], words);
}

/** Write the words of the page's elements that name some. */
export function nameAll() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-words]")) element.textContent = wordsAt(element.getAttribute("data-words") ?? "");
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", wordsAt(element.getAttribute("data-label") ?? ""));
}

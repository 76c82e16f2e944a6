// Making and finding elements.

/** @typedef {Record<string, any>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; `on...` attributes are listeners, false and null ones are skipped.
 * @param {string} tag @param {Attributes} [attributes] @param {...(Element | string | null)} children
 * @returns {HTMLElement} */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** The same for an element of SVG.
 * @param {string} tag @param {Attributes} [attributes] @param {...(Element | string | null)} children
 * @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  fill(element, attributes, children);
  return element;
}

/** @param {Element} element @param {Attributes} attributes @param {(Element | string | null)[]} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(.../** @type {(Element | string)[]} */ (children.filter((child) => child !== null)));
}

/** The element of an id, which the page has. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/** The button that goes on to the next exercise, once it may be pressed. @returns {HTMLElement | null} */
export function onwardButton() {
  return document.querySelector("#next-task:enabled");
}

/** The field of an id. @param {string} id @returns {HTMLInputElement} */
export function field(id) {
  return /** @type {HTMLInputElement} */ (byId(id));
}

/** Let an element have these children; those that it has already stay, since taking one out costs its whole layout. What has the focus
 * among the others hands it on to what takes its place.
 * @param {Element} element @param {...(Element | string | null)} children */
export function put(element, ...children) {
  /** @type {number[]} */
  const path = [];
  const active = document.activeElement;
  for (let at = element.contains(active) ? active : element; at && at !== element; at = at.parentElement) {
    path.unshift([...(at.parentElement?.children ?? [])].indexOf(at));
  }
  const wanted = new Set(children);
  for (const child of [...element.childNodes]) if (!wanted.has(/** @type {Element} */ (child))) child.remove();
  let at = element.firstChild;
  for (const child of children) {
    if (child === null) continue;
    if (child === at) at = at.nextSibling;
    else element.insertBefore(typeof child === "string" ? new Text(child) : child, at);
  }
  if (!path.length || element.contains(document.activeElement)) return;
  /** @type {Element | undefined} */
  let next = element;
  for (const index of path) next = next?.children[Math.min(index, next.childElementCount - 1)];
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/** Write a text, unless it stands there already: screen readers read changes aloud.
 * @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Save a file where the browser puts downloads. @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The drawings of buttons, as paths in a square of 24. */
const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  takeback: "M9 6L4 11l5 5M4 11h9a5 5 0 0 1 0 10h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9V16h7v-2.1A6 6 0 0 0 12 3z",
  share: "M12 3v12M8 7l4-4 4 4M5 12v8h14v-8",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  leave: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
  turn: "M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5",
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

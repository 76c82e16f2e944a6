// The page: makes what a game needs, then the rest; and what all have in common: modes, keys, theme, the banner.

import { ALONE, canRunEngine } from "./alone.js";
import { App } from "./app.js";
import { Connection, logOut } from "./connection.js";
import { byId, el, icon, put, write } from "./dom.js";
import { Course } from "./game.js";
import { listenForKeys, showKeys } from "./keys.js";
import { MoveList } from "./moves.js";
import { keepPage } from "./offline.js";
import { Setup } from "./setup.js";
import { Table } from "./table.js";
import { LANGUAGES, language, nameAll, words } from "./words.js";

/** @typedef {import("./types").Mode} Mode */

const MODES = /** @type {Mode[]} */ (["play", "learn", "review", "puzzles", "edit", "games"]);

/** Milliseconds for which a message is shown that nobody closes. */
const MESSAGE_MS = 12_000;

const THEMES = ["system", "light", "dark"];

nameAll();

const app = new App();
app.restore();

/** Shown where the server has a password. */
const leave = tool("leave", words.login.leave, logOut);
leave.hidden = true;

/** The page's keeping, which begins once: workers may be lost. @type {Promise<void> | null} */
let kept = null;

const connection = new Connection((connected, locked = false) => {
  course.charge();
  app.connected = connected;
  app.loaded = connected && !ALONE;
  app.greeted ||= connected;
  leave.hidden = !locked;
  renderBanner();
  if (connected) performance.mark("greeted"); // scripts/measure browser reads the marks
}, whole);

/** Called when a worker has loaded all of the engine. */
function whole() {
  course.charge();
  app.loaded = true;
  kept ||= keepPage(() => {
    app.message = words.page.noRoom;
    app.changed();
  });
}

const course = new Course(app, connection);
const table = new Table(app, course);
new Setup(byId("panel-play"), app, course);
const moves = new MoveList(byId("moves"), (node) => app.goTo(node));

/** How far each mode was scrolled when it was left, in pixels. @type {Record<string, number>} */
let places = {};
let placesOf = app.root;

/** Begin a mode where it was left, and with another game at its top; where the board is scrolled too, it stays in sight. */
function scrollToPlace() {
  const before = document.documentElement.dataset.mode;
  const { mode, root } = app;
  const anew = root !== placesOf;
  if (before) places[before] = window.scrollY;
  if (anew) places = { games: places.games };
  placesOf = root;
  if (before === mode && (!anew || mode === "edit")) return;
  const place = before === mode ? 0 : (places[mode] ?? 0);
  requestAnimationFrame(() => {
    if (getComputedStyle(table.element).position === "sticky") window.scrollTo(0, place);
  });
}

/** The panels and tabs of the mode. */
function renderModes() {
  scrollToPlace();
  for (const mode of MODES) {
    const tab = byId(`tab-${mode}`);
    tab.setAttribute("aria-selected", String(mode === app.mode));
    byId(`panel-${mode}`).hidden = mode !== app.mode;
  }
  byId("graph-panel").hidden = app.mode !== "learn" && (app.mode !== "review" || !app.root.children.length);
  document.documentElement.dataset.mode = app.mode;
  document.documentElement.classList.toggle("sought", app.trial !== null);
}

/** The message that is shown, and the timer that closes it. */
let told = "";
let closing = 0;

/** Close the message after a while, unless it is being read. */
function closeLater() {
  clearTimeout(closing);
  closing = window.setTimeout(() => (byId("banner").matches(":hover, :focus-within") ? closeLater() : app.dismiss()), MESSAGE_MS);
}

function renderBanner() {
  const old = ALONE && !canRunEngine();
  const unreachable = old || (app.greeted && !app.connected);
  const lost = ALONE ? words.page.restarting : words.page.unreachable;
  const text = old ? words.page.oldBrowser : unreachable ? lost : app.message;
  write(byId("banner-said"), text);
  write(byId("banner-closes"), text && !unreachable ? words.page.closes : "");
  byId("banner-close").hidden = unreachable;
  byId("banner").hidden = !text;
  if (app.message !== told && app.message) closeLater();
  told = app.message;
}

function renderTheme() {
  const { theme } = app.settings;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

app.watch(() => {
  renderModes();
  moves.render(app.root, app.node);
  renderBanner();
  renderTheme();
});

for (const mode of MODES) byId(`tab-${mode}`).addEventListener("click", () => app.setMode(mode));
byId("banner-close").addEventListener("click", () => app.dismiss());

/** The moves stand beside the board where the style sheet has room for them, and else below the panels. */
function placeMoves() {
  const panel = byId("moves-panel");
  const beside = getComputedStyle(document.documentElement).getPropertyValue("--moves").trim() === "beside";
  const home = beside ? table.element : byId("side");
  if (panel.parentElement !== home) home.append(panel);
}
window.addEventListener("resize", placeMoves);
placeMoves();

/** @param {Parameters<typeof icon>[0]} name @param {string} label @param {() => void} act */
function tool(name, label, act) {
  return el("button", { type: "button", id: `${name}-button`, title: label, "aria-label": label, onclick: act }, icon(name));
}

/** The choice of the language: the page is loaded anew in it. */
function languages() {
  const choices = Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code, lang: code, selected: code === language }, name));
  const select = /** @type {HTMLSelectElement} */ (
    el("select", {
      id: "language",
      "aria-label": words.page.language,
      onchange: () => {
        app.settings.language = select.value;
        app.keep();
        location.reload();
      },
    }, ...choices)
  );
  return select;
}

put(
  byId("tools"),
  languages(),
  tool("share", words.page.share, () => studio.then(({ share }) => share.open())),
  tool("keys", words.page.keys, () => showKeys()),
  tool("theme", words.page.theme, () => {
    app.settings.theme = THEMES[(THEMES.indexOf(app.settings.theme) + 1) % THEMES.length];
    app.message = "";
    app.changed();
  }),
  leave,
);

listenForKeys(app, course, table);
app.changed();
performance.mark("ready");

/** The rest, once the board is drawn. */
const studio = new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
  .then(() => import("./studio.js"))
  .then(({ Studio }) => {
    const made = new Studio(app, connection, table);
    app.changed();
    document.documentElement.dataset.ready = "true";
    return made;
  });

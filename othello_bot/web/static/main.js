// The page: makes its parts, and what they have in common: modes, keys, theme, the connection's banner.

import { App } from "./app.js";
import { Connection } from "./connection.js";
import { byId, el, icon, put, write } from "./dom.js";
import { Editor } from "./edit.js";
import { Course } from "./game.js";
import { Graph } from "./graph.js";
import { listenForKeys, showKeys } from "./keys.js";
import { Judge } from "./judging.js";
import { Thinker, blackScore, gradeOfSlip } from "./learn.js";
import { MoveList } from "./moves.js";
import { Reader } from "./reading.js";
import { ReviewPanel } from "./review.js";
import { PASS, finalScore, isOver, moveName, signed } from "./rules.js";
import { Setup } from "./setup.js";
import { Share } from "./share.js";
import { Study, renderOpening } from "./study.js";
import { Table } from "./table.js";
import { lineThrough } from "./tree.js";

/** @typedef {import("./types").Mode} Mode */

const MODES = /** @type {Mode[]} */ (["play", "learn", "review", "edit"]);
const THEMES = ["system", "light", "dark"];

const app = new App();
app.restore();

const connection = new Connection(
  (greeting) => {
    app.greeting = greeting;
    app.changed();
  },
  (connected) => {
    app.connected = connected;
    app.changed();
  },
);

const course = new Course(app, connection);
const editor = new Editor(byId("panel-edit"), app);
const table = new Table(app, course, (square) => editor.touched(square));
editor.table = table;
new Setup(byId("panel-play"), app, course);
new Thinker(app, connection);
new Study(byId("panel-learn"), app, table);
new Reader(byId("panel-review"), app);
new ReviewPanel(byId("panel-review"), app, new Judge(app, connection), table);
const share = new Share(app, connection);
const moves = new MoveList(byId("moves"), (node) => app.goTo(node));
const graph = new Graph(byId("graph"), (ply) => app.goTo(lineThrough(app.node)[ply]));

/** The panels and tabs of the mode. */
function renderModes() {
  for (const mode of MODES) {
    const tab = byId(`tab-${mode}`);
    tab.setAttribute("aria-selected", String(mode === app.mode));
    tab.tabIndex = mode === app.mode ? 0 : -1;
    byId(`panel-${mode}`).hidden = mode !== app.mode;
  }
  byId("graph-panel").hidden = app.mode === "play" || app.mode === "edit";
  document.documentElement.dataset.mode = app.mode;
}

function renderGraph() {
  if (byId("graph-panel").hidden) return;
  const line = lineThrough(app.node);
  const points = line.map((node) => {
    const score = isOver(node.position) ? finalScore(node.position) : blackScore(node);
    const move = node.parent ? `after ${node.move === PASS ? "a pass" : moveName(node.move)}` : "start";
    const label = score === null ? move : `${move}: ${signed(score)} for Black`;
    return { ply: node.ply, score, grade: gradeOfSlip(node), label };
  });
  graph.render(points, app.node.ply);
}

function renderBanner() {
  const banner = byId("banner");
  const text = app.greeting && !app.connected ? "The engine is not reachable. The game is kept; trying again…" : app.message;
  write(banner, text);
  banner.hidden = !text;
}

function renderTheme() {
  const { theme } = app.wishes;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

app.watch(() => {
  renderModes();
  moves.render(app.root, app.node);
  renderGraph();
  renderOpening(app);
  renderBanner();
  renderTheme();
});

for (const mode of MODES) byId(`tab-${mode}`).addEventListener("click", () => app.setMode(mode));
byId("modes").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const mode = MODES[(MODES.indexOf(app.mode) + step + MODES.length) % MODES.length];
  app.setMode(mode);
  byId(`tab-${mode}`).focus();
});
byId("banner").addEventListener("click", () => {
  app.message = "";
  app.changed();
});

/** @param {Parameters<typeof icon>[0]} name @param {string} label @param {() => void} act */
function tool(name, label, act) {
  return el("button", { type: "button", title: label, "aria-label": label, onclick: act }, icon(name));
}

put(
  byId("tools"),
  tool("share", "Take the game along", () => share.open()),
  tool("keys", "Keys (?)", () => showKeys()),
  tool("theme", "Light or dark", () => {
    app.wishes.theme = THEMES[(THEMES.indexOf(app.wishes.theme) + 1) % THEMES.length];
    app.message = "";
    app.changed();
  }),
);

listenForKeys(app, course, table);
app.changed();
document.documentElement.dataset.ready = "true";

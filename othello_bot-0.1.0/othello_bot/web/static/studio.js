// What is around the game: the panels of Learn, Review and Edit, the graph, and what takes the game along. The page loads
// it after the board.

import { Address } from "./address.js";
import { ALONE } from "./alone.js";
import { byId } from "./dom.js";
import { Editor } from "./edit.js";
import { GamesPanel } from "./games.js";
import { Graph } from "./graph.js";
import { Judge } from "./judging.js";
import { Keeper } from "./keeper.js";
import { Thinker, blackScore, gradeOfSlip } from "./learn.js";
import { Played } from "./played.js";
import { Practice } from "./practice.js";
import { Puzzles } from "./puzzles.js";
import { Reader } from "./reading.js";
import { ReviewPanel } from "./review.js";
import { PASS, finalScore, isOver, moveName } from "./rules.js";
import { Share } from "./share.js";
import { Store } from "./store.js";
import { Study, renderOpening } from "./study.js";
import { lineThrough } from "./tree.js";
import { words } from "./words.js";

/** @typedef {import("./app").App} App */
/** @typedef {import("./connection").Connection} Connection */
/** @typedef {import("./table").Table} Table */

export class Studio {
  /** @param {App} app @param {Connection} connection @param {Table} table */
  constructor(app, connection, table) {
    const editor = new Editor(byId("panel-edit"), app, table);
    table.touched = (square) => editor.touched(square);
    new Thinker(app, connection);
    new Study(byId("panel-learn"), app, table);
    if (!ALONE) new Played(byId("panel-learn"), app, connection);
    new Reader(byId("panel-review"), app);
    const store = new Store();
    const practice = new Practice(app, connection, store, table);
    const judge = new Judge(app, connection);
    new ReviewPanel(byId("panel-review"), app, judge, table, (tasks) => practice.begin(tasks, "review"));
    new Keeper(app, store);
    new GamesPanel(byId("panel-games"), app, store, practice);
    new Puzzles(byId("panel-puzzles"), app, connection, store, table);
    new Address(app);
    this.share = new Share(app, connection);
    // A page may lie open for days.
    document.addEventListener("visibilitychange", () => document.hidden || app.changed());
    const graph = new Graph(byId("graph"), (ply) => app.goTo(lineThrough(app.node)[ply]));
    app.watch(() => {
      renderGraph(graph, app);
      renderOpening(app);
    });
  }
}

/** @param {Graph} graph @param {App} app */
function renderGraph(graph, app) {
  if (byId("graph-panel").hidden) return;
  const line = lineThrough(app.node);
  const points = line.map((node) => {
    const score = isOver(node.position) ? finalScore(node.position) : blackScore(node);
    const move = node.parent ? words.graph.after(node.move === PASS ? "" : moveName(node.move)) : words.graph.start;
    const label = score === null ? move : words.graph.forBlack(move, score);
    return { ply: node.ply, score, grade: gradeOfSlip(node), label };
  });
  graph.render(points, app.node.ply);
}

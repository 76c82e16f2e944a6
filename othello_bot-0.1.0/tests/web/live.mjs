// Plays scripts of standard input (a JSON list of lists of steps) with the page's own course of a game; prints the state after each step.
import { readFileSync } from "node:fs";

// A browser without a screen, whose time passes where a script says so.
let now = 0; // milliseconds
let timers = [];
const intervals = [];
globalThis.window = globalThis;
globalThis.document = { hidden: false };
globalThis.addEventListener = () => {};
Object.defineProperty(globalThis, "performance", { value: { now: () => now } });
globalThis.setTimeout = (act, delay = 0) => {
  const timer = { act, at: now + delay };
  timers.push(timer);
  return timer;
};
globalThis.clearTimeout = (timer) => (timers = timers.filter((one) => one !== timer));
globalThis.setInterval = (act, every) => intervals.push({ act, every, at: now + every });

/** Let time pass, with all that falls due meanwhile. */
function pass(milliseconds) {
  const end = now + milliseconds;
  for (;;) {
    const due = [...timers, ...intervals].filter(({ at }) => at <= end).sort((one, two) => one.at - two.at)[0];
    now = due ? Math.max(now, due.at) : end;
    if (!due) return;
    if (due.every) due.at += due.every;
    else timers = timers.filter((one) => one !== due);
    due.act();
  }
}

const { App } = await import("./app.js");
const { Course } = await import("./game.js");
const { moveName, parseBoard, boardText } = await import("./rules.js");
const { movesTo, newTree } = await import("./tree.js");

function played(steps) {
  timers = [];
  intervals.length = 0;
  const app = new App();
  app.loaded = true;
  let answer = null; // of the computer that was asked for a move
  const ask = (question, reply) => {
    answer = reply;
    return () => (answer = null);
  };
  const course = new Course(app, { ask });
  const seat = (person) => ({ kind: person ? "person" : "engine", strength: 1, strategy: "", depth: 1 });
  const acts = {
    begin: ({ start, people, control }) =>
      app.begin({ X: seat(people.includes("X")), O: seat(people.includes("O")) }, control, newTree(parseBoard(start))),
    move: (square) => {
      if (app.seats[app.live.position.turn].kind === "person") course.play(square);
      else answer?.({ kind: "move", move: moveName(square) });
      pass(app.control ? 0 : 450); // a computer's move without a clock is shown after a moment
    },
    undo: () => course.takeBack(),
    resign: () => course.resign(),
    pause: () => course.pause(),
    wait: (milliseconds) => pass(milliseconds),
  };
  return steps.map(([act, value]) => {
    acts[act](value);
    return {
      board: boardText(app.live.position),
      moves: movesTo(app.live),
      left: app.control ? [course.leftOf("X"), course.leftOf("O")] : null,
      ending: app.ending && [app.ending.reason, app.ending.loser],
      over: app.over,
    };
  });
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(played)));

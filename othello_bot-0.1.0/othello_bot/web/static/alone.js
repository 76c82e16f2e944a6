// The engine of a page that no server serves, in a web worker. The first begins before the page's other modules are there.

/** The parts of the engine. */
const PARTS = document.documentElement.dataset.engine;

/** Whether no server serves the page. */
export const ALONE = PARTS !== undefined;

/** A program with one vector: browsers that refuse it cannot run the engine. */
const VECTOR = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** Whether this browser has what the engine in a worker needs. */
export function canRunEngine() {
  return typeof DecompressionStream === "function" && typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(VECTOR));
}

function begin() {
  return new Worker(new URL("worker.js", import.meta.url), { type: "module", name: PARTS });
}

/** The one that nobody has yet. @type {Worker | null} */
let first = null;
if (ALONE && canRunEngine()) {
  first = begin();
  first.onerror = () => (first = null);
}

/** A worker with the engine, which greets once it is made. */
export function engineWorker() {
  const worker = first ?? begin();
  first = null;
  return worker;
}

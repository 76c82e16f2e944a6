// The engine in a web worker: Python in the browser (Pyodide) for a page without a server. The page and this worker
// exchange the texts that a server's tab has; an upload is { games, id }, its reply { id, reply }.

/** What stands packed beside the page, because plain hosts compress nothing. @type {Record<string, string>} */
const PACKED = {
  "pyodide.asm.mjs": "text/javascript",
  "pyodide.asm.wasm": "application/wasm",
  "python_stdlib.zip": "application/zip",
};

const PYTHON = new URL("../pyodide/", import.meta.url).href;
const EDITION = new URL(".", import.meta.url).pathname.split("/").at(-2);

/** Messages that came before the engine. @type {MessageEvent[]} */
const early = [];
self.onmessage = (event) => early.push(event);

const fetched = self.fetch.bind(self);

/** @param {RequestInfo | URL} what @param {RequestInit} [how] */
self.fetch = async (what, how) => {
  const address = what instanceof Request ? what.url : String(what);
  const type = PACKED[address.slice(address.lastIndexOf("/") + 1)];
  if (!type) return fetched(what, how);
  const answer = await fetched(`${address}.packed`);
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": type } });
};

async function begin() {
  const package_ = fetched(new URL("engine.zip", import.meta.url)).then((answer) => {
    if (!answer.ok) throw new Error(`engine.zip: ${answer.status}`);
    return answer.arrayBuffer();
  });
  const [{ loadPyodide }, module] = await Promise.all([
    import(`${PYTHON}pyodide.mjs`),
    self.fetch(`${PYTHON}pyodide.asm.mjs`).then((answer) => answer.blob()),
  ]);
  const address = URL.createObjectURL(module);
  const { default: createPyodideModule } = await import(address);
  URL.revokeObjectURL(address);
  const python = await loadPyodide({ indexURL: PYTHON, createPyodideModule });
  python.unpackArchive(await package_, "zip");
  const { Worker } = python.pyimport("othello_bot.web.worker");
  const worker = Worker((/** @type {string} */ text) => self.postMessage(text), EDITION);
  self.onmessage = ({ data }) => {
    if (typeof data === "string") worker.receive(data);
    else self.postMessage({ id: data.id, reply: worker.games(data.games) });
  };
  for (const event of early) self.onmessage(event);
}

begin().catch((error) => {
  self.postMessage({ failed: String(error?.message ?? error) });
});

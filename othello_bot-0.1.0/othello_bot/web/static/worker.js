// The engine in a web worker: Python in the browser (Pyodide) for a page without a server. The page and this worker
// exchange the texts that a server's tab has; an upload is { games, id }, its reply { id, reply }; { pulse } comes back at once,
// and { whole } once all is loaded.

/** What stands packed beside the page, because plain hosts compress nothing. @type {Record<string, string>} */
const PACKED = {
  "pyodide.asm.mjs": "text/javascript",
  "pyodide.asm.wasm": "application/wasm",
  "python_stdlib.zip": "application/zip",
};

/** The folder of Pyodide, the engine, and what it needs for people's moves: the worker's name says where they are. */
const [PYTHON, ENGINE, PEOPLE] = self.name.split(" ").map((part) => new URL(`../${part}`, import.meta.url).href);
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

/** @param {string} address */
async function archive(address) {
  const answer = await fetched(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.arrayBuffer();
}

async function begin() {
  const compiled = WebAssembly.compileStreaming(self.fetch(`${PYTHON}pyodide.asm.wasm`));
  const engine = archive(ENGINE);
  const people = engine.then(() => archive(PEOPLE));
  people.catch(() => {}); // told below
  const [{ loadPyodide }, module] = await Promise.all([
    import(`${PYTHON}pyodide.mjs`),
    self.fetch(`${PYTHON}pyodide.asm.mjs`).then((answer) => answer.blob()),
  ]);
  const address = URL.createObjectURL(module);
  const { default: createPyodideModule } = await import(address);
  URL.revokeObjectURL(address);
  // Pyodide would begin to compile only now.
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  const python = await loadPyodide({ indexURL: PYTHON, createPyodideModule });
  python.unpackArchive(await engine, "zip");
  const { Worker } = python.pyimport("othello_bot.web.worker");
  const worker = Worker((/** @type {string} */ text) => self.postMessage(text), EDITION);
  self.onmessage = ({ data }) => {
    if (typeof data === "string") worker.receive(data);
    else if (data.pulse) self.postMessage(data);
    else self.postMessage({ id: data.id, reply: worker.games(data.games) });
  };
  for (const event of early) self.onmessage(event);
  python.unpackArchive(await people, "zip");
  await worker.complete();
  self.postMessage({ whole: true });
}

begin().catch((error) => {
  self.postMessage({ failed: String(error?.message ?? error) });
});

// Runs pytest in Pyodide under Node.js: node pyodide.mjs PYODIDE ENGINE FOLDER ARGUMENT...
// PYODIDE: the folder of its files; ENGINE: an archive with the engine; FOLDER: what Python sees as /checkout.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [place, engine, folder, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${place}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${place}/` });
for (const [set, to] of [["setStdout", process.stdout], ["setStderr", process.stderr]]) {
  python[set]({ write: (bytes) => (to.write(bytes.slice()), bytes.length) });
}
python.unpackArchive(new Uint8Array(readFileSync(engine)), "zip", { extractDir: "/engine" });
python.FS.mkdir("/checkout");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/checkout");
python.globals.set("words", python.toPy(words));
process.exitCode = await python.runPythonAsync(`
import os, sys
os.chdir("/checkout")
sys.path[:0] = ["/engine", "/checkout", "/checkout/packages"]
sys.dont_write_bytecode = True
import pytest
int(pytest.main(["-p", "no:cacheprovider", *words]))
`);

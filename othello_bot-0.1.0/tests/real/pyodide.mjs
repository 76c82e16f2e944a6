// Runs a module as Python's -m does, in Pyodide under Node.js: node pyodide.mjs PYODIDE ENGINE FOLDER MODULE ARGUMENT...
// PYODIDE: the folder of its files; ENGINE: an archive with the engine; FOLDER: what Python sees as /checkout. Files that the
// arguments name can be read. If FOLDER has micropip among its packages, that installs ENGINE, which is then a wheel.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";

const [place, engine, folder, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${place}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${place}/` });
for (const [set, to] of [["setStdout", process.stdout], ["setStderr", process.stderr]]) {
  python[set]({ write: (bytes) => (to.write(bytes.slice()), bytes.length) });
}
const content = new Uint8Array(readFileSync(engine));
const mount = (root, at) => {
  python.FS.mkdirTree(at);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, at);
};
mount(folder, "/checkout");
if (existsSync(`${folder}/packages/micropip`)) {
  python.FS.writeFile(`/tmp/${basename(engine)}`, content);
  await python.runPythonAsync(`
import sys
sys.path.insert(0, "/checkout/packages")
import micropip
await micropip.install("emfs:/tmp/${basename(engine)}")
`);
} else python.unpackArchive(content, "zip", { extractDir: "/engine" });
for (const file of new Set(words.filter((word) => isAbsolute(word) && existsSync(word)).map(dirname))) mount(file, file);
python.globals.set("words", python.toPy(words));
process.exitCode = await python.runPythonAsync(`
import os, runpy, sys
os.chdir("/checkout")
sys.path[:0] = ["/engine", "/checkout", "/checkout/packages"]
sys.dont_write_bytecode = True
sys.argv = list(words)
ended = 0
try:
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
except SystemExit as end:
    if isinstance(end.code, str):
        print(end.code, file=sys.stderr)
    ended = end.code if isinstance(end.code, int) else int(end.code is not None)
ended
`);

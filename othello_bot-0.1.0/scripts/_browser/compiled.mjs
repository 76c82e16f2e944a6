// Runs compiled.py in Pyodide under Node.js: node compiled.mjs PYODIDE FROM TO [NAME...]
// PYODIDE: the folder of its files; FROM, TO: archives; NAME: what is left out.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [place, source, target, ...names] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${place}/pyodide.mjs`));
// The same bytes each time, and no columns: a line says where an error was.
const env = { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1", LEFT_OUT: names.join(" ") };
const python = await loadPyodide({ indexURL: `${place}/`, env });
python.FS.writeFile("/from.zip", readFileSync(source));
python.runPython(readFileSync(new URL("compiled.py", import.meta.url), "utf8"));
writeFileSync(target, python.FS.readFile("/to.zip"));

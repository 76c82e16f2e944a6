// Prints which modules Pyodide does not find: node imports.mjs PYODIDE ENGINE NAME...
// PYODIDE: the folder of its files; ENGINE: an archive with the engine. Looking for a module imports the packages around it.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [place, engine, ...names] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${place}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${place}/` });
python.unpackArchive(new Uint8Array(readFileSync(engine)), "zip");
python.globals.set("names", python.toPy(names));
console.log(
  python.runPython(`
import importlib


def missing(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return True
    return False


" ".join(sorted(filter(missing, names)))
`),
);

#!/bin/sh
# Guess:   Pyodide's archive of the standard library holds bytecode, as its packages do; Python in a browser begins slowly because the
#          browser compiles 9 MB of WebAssembly.
# Fact:    python_stdlib.zip of the npm package holds 559 modules as source and none as bytecode. WebAssembly is there after a few tenths of
#          a second; then Python compiles some 150 modules before the first line of one's own runs. With the same archive compiled
#          beforehand, loadPyodide() takes less than half the time (seen: 1.0 instead of 4.7 s, two cores, AMD EPYC).
# Version: pyodide 314.0.7 (npm), Node.js 20.20.
# Date:    2026-11-28
# Why:     who plays in a browser waits for that at each visit, also where everything is in its cache. Bytecode is larger, though: 4.5 MB
#          instead of 2.5; only what is imported needs it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund pyodide@314.0.7 >log 2>&1 || { cat log >&2; exit 1; }
cp -r node_modules/pyodide compiled
cat >compile.mjs <<'END'
import fs from "node:fs";
import { loadPyodide } from "pyodide";
const python = await loadPyodide();
python.FS.writeFile("/in.zip", fs.readFileSync("compiled/python_stdlib.zip"));
python.runPython(`
import importlib.util, marshal, zipfile
names = zipfile.ZipFile("/in.zip").namelist()
print(sum(name.endswith(".py") for name in names), "modules as source,", sum(name.endswith(".pyc") for name in names), "as bytecode")
with zipfile.ZipFile("/in.zip") as source, zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_DEFLATED) as target:
    for name in names:
        content = source.read(name)
        if name.endswith(".py"):
            content = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(content, name, "exec", dont_inherit=True))
            name += "c"
        target.writestr(name, content)
`);
fs.writeFileSync("compiled/python_stdlib.zip", python.FS.readFile("/out.zip"));
END
cat >load.mjs <<'END'
const { loadPyodide } = await import(process.argv[2]);
const began = performance.now();
await loadPyodide();
console.log(performance.now() - began);
END
node compile.mjs | tee seen
seconds() { node load.mjs "$1" >/dev/null; node load.mjs "$1"; }
shipped=$(seconds "$folder/node_modules/pyodide/pyodide.mjs")
compiled=$(seconds "$folder/compiled/pyodide.mjs")
printf 'milliseconds as shipped: %s, compiled beforehand: %s\n' "$shipped" "$compiled"
awk "BEGIN { print ($compiled * 2 < $shipped ? \"less than half the time\" : \"not twice as fast\") }" | tee -a seen
cat >expected <<'END'
559 modules as source, 0 as bytecode
less than half the time
END
diff expected seen

#!/bin/sh
# Guess:   in a web worker, `await asyncio.sleep(0)` after each slice of work lets the messages of the page in, since Pyodide's loop is
#          the browser's: a message waits for the end of a slice of 50 ms, whatever other tasks do.
# Fact:    it holds for one task alone. If each slice also hands something to another task (here by a queue), messages of the page wait
#          longer and longer, for seconds after ten seconds of work. Each callback of the loop sends a message to the worker itself, but one
#          message runs all callbacks that are ready, the next slice among them: the others stay behind, and the page's stand behind those.
#          `asyncio.sleep(0.004)` sets a timer, during which they are used up: then no message waits longer than a slice.
#          Node.js and Firefox were not asked.
# Version: pyodide 314.0.7 (npm), Chromium 156 (Debian 12).
# Date:    2026-11-28
# Why:     an engine that searches in slices in a browser, and reports what it finds, is stopped seconds late, as if it hung.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund pyodide@314.0.7 >log 2>&1 || { cat log >&2; exit 1; }
chromium --version 2>/dev/null
cat >worker.js <<'END'
import { loadPyodide } from "./node_modules/pyodide/pyodide.mjs";
self.onmessage = ({ data }) => self.postMessage(data);
const python = await loadPyodide();
self.postMessage("ready");
await python.runPythonAsync(`
import asyncio, time
found = asyncio.Queue()
async def report():
    while True:
        await found.get()
reporting = asyncio.ensure_future(report())
while True:
    end = time.perf_counter() + 0.05
    while time.perf_counter() < end:
        pass
    found.put_nowait("a result")
    await asyncio.sleep(${self.name})
`);
END
cat >index.html <<'END'
<script type="module">
async function longest(pause) {
  const worker = new Worker("worker.js", { type: "module", name: pause });
  const waits = [];
  await new Promise((ready) => (worker.onmessage = ready));
  worker.onmessage = ({ data }) => waits.push(performance.now() - data);
  for (let asked = 0; asked < 50; asked += 1) {
    worker.postMessage(performance.now());
    await new Promise((go) => setTimeout(go, 200));
  }
  while (waits.length < 50) await new Promise((go) => setTimeout(go, 200));
  worker.terminate();
  return Math.max(...waits);
}
fetch("told", { method: "POST", body: JSON.stringify([await longest("0"), await longest("0.004")]) });
</script>
END
cat >serve.py <<'END'
import http.server, json, subprocess, sys, threading

told = threading.Event()

class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *said):
        pass

    def do_POST(self):
        zero, timer = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        print(f"longest wait of a message: sleep(0) {zero:.0f} ms, sleep(0.004) {timer:.0f} ms", file=sys.stderr)
        print("sleep(0): at least four times as long as sleep(0.004)" if zero > 4 * timer else "about the same")
        told.set()

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
browser = subprocess.Popen(
    ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=profile", f"http://127.0.0.1:{server.server_address[1]}/"],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
)
told.wait(120)
browser.terminate()
browser.wait()
sys.stdout.flush()
END
python3 serve.py | tee seen
echo "sleep(0): at least four times as long as sleep(0.004)" >expected
diff expected seen

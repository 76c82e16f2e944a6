// A page without a server is kept by a service worker (sw.js) for visits without a network, on https and on this machine;
// elsewhere browsers have none.

/** Files that no other version of the page has all. */
function ownFiles() {
  const [python, ...archives] = (document.documentElement.dataset.engine ?? "").split(" ");
  const script = new URL(import.meta.url).pathname.split("/").slice(-2).join("/");
  return [`${python}pyodide.mjs`, ...archives, script];
}

/** Have the page kept, and a newer version of it, which is there when the page is loaded next. Call it once all is loaded that
 * the page needs: Chromium may keep the former service worker for five minutes if it is asked for a file as it is replaced.
 * @param {() => void} full called if the browser has no room for the page */
export async function keepPage(full) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "full") full();
  });
  try {
    const kept = await serviceWorker.register("sw.js", { updateViaCache: "none" });
    const replace = () => kept.waiting?.postMessage({ replace: true });
    const watch = () => kept.installing?.addEventListener("statechange", replace);
    kept.addEventListener("updatefound", watch);
    watch();
    replace();
    kept.active?.postMessage({ files: ownFiles() });
  } catch {
    // A page that cannot be kept needs the network, as others do.
  }
}

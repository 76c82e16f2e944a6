// A page without a server is kept for visits without a network, on https and on this machine: here its files are put into a cache, from
// which a service worker answers (sw.js). Elsewhere browsers have neither. All files but the first page and the manifest are named by
// their content, so one cache has those of several versions; the first page comes last, and with it the newer version is there.

/** The name of the cache. */
const CACHE = `othello-bot ${new URL("./", location.href).pathname}`;

const HOME = "./";

/** The list of all files of a version, in its first page. @param {Document} page */
function listOf(page) {
  return page.getElementById("all-files")?.textContent ?? "";
}

/** @param {string} name @param {RequestCache} cache how the browser's own cache is used */
async function fetched(name, cache) {
  const answer = await fetch(name, { cache });
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

/** Keep files, those that are not there yet; those that were loaded a moment ago come from the browser's own cache.
 * @param {Cache} cache @param {string[]} files */
async function keepFiles(cache, files) {
  const known = new Set((await cache.keys()).map((request) => request.url));
  /** @type {string[]} */
  const added = [];
  try {
    for (const name of files) {
      const named = /[0-9a-f]{24}/.test(name); // by its content
      if (named && known.has(new URL(name, location.href).href)) continue;
      if (named) added.push(name);
      await cache.put(name, await fetched(name, named ? "default" : "no-store"));
    }
  } catch (error) {
    if (isFull(error)) for (const name of added) await cache.delete(name); // games need the room
    throw error;
  }
}

/** @param {unknown} error */
function isFull(error) {
  return error instanceof DOMException && error.name === "QuotaExceededError";
}

/** Keep the newest version of the page, which is there when the page is loaded next. Call it once all is loaded that the page needs.
 * @param {() => void} full called if the browser has no room for the page */
export async function keepPage(full) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    const newest = await fetched(HOME, "no-store");
    const list = listOf(new DOMParser().parseFromString(await newest.clone().text(), "text/html"));
    /** @type {string[]} */
    const files = JSON.parse(list);
    const cache = await caches.open(CACHE);
    await keepFiles(cache, files);
    await cache.put(HOME, newest);
    await serviceWorker.register("sw.js", { updateViaCache: "none" });
    const { active } = await serviceWorker.ready;
    if (list === listOf(document)) active?.postMessage({ files: [HOME, ...files] });
  } catch (error) {
    if (isFull(error)) full(); // else a page that cannot be kept needs the network, as others do
  }
}

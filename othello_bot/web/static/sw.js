// The service worker of a page without a server: it keeps the page's files, so that later visits need no network. The exported
// file begins with VERSION and FILES. A newer version takes over once a page has loaded all that it needs; it also answers pages of
// the former one, whose files stay until the only page is of the newer one.

/* global VERSION, FILES */
/** @typedef {any} Event_ what TypeScript's library for pages does not know: ExtendableEvent, FetchEvent */

const PREFIX = `othello-bot ${new URL("./", self.location.href).pathname} `;
// @ts-expect-error VERSION is in the exported file
const NAME = PREFIX + VERSION;

/** Keep all files; those that were loaded a moment ago come from the browser's own cache. */
async function keep() {
  const cache = await caches.open(NAME);
  try {
    // @ts-expect-error FILES is in the exported file
    for (const name of FILES) await keepOne(cache, name);
  } catch (error) {
    await caches.delete(NAME);
    // @ts-expect-error a worker's own
    const pages = await self.clients.matchAll({ includeUncontrolled: true });
    const full = error instanceof DOMException && error.name === "QuotaExceededError";
    for (const page of pages) if (full) page.postMessage("full");
    throw error;
  }
}

/** Keep a file; one that a former version has is taken from there. @param {Cache} cache @param {string} name */
async function keepOne(cache, name) {
  const named = /[0-9a-f]{24}/.test(name); // by its content
  const known = named && (await caches.match(name));
  const answer = known || (await fetch(name, { cache: named ? "default" : "no-cache" }));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  await cache.put(name, answer);
}

/** Give up what former versions kept, if the page that has these files is of this version, and no other page is open.
 * @param {string[]} files */
async function giveUpFormer(files) {
  // @ts-expect-error FILES is in the exported file
  if (!files.every((name) => FILES.includes(name))) return;
  const former = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  // @ts-expect-error a worker's own
  const { clients, registration } = self;
  const pages = await clients.matchAll({ includeUncontrolled: true });
  if (pages.length > 1 || registration.installing || registration.waiting) return;
  for (const name of former) await caches.delete(name);
}

/** @param {Request} request */
async function answerTo(request) {
  const home = new URL("./", self.location.href).href;
  const asked = request.url.replace(/[?#].*/, "");
  const name = asked === home ? "index.html" : asked;
  return (await caches.match(name, { cacheName: NAME })) ?? (await caches.match(name)) ?? fetch(request);
}

self.addEventListener("install", (/** @type {Event_} */ event) => event.waitUntil(keep()));
// @ts-expect-error a worker's own
self.addEventListener("activate", (/** @type {Event_} */ event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (/** @type {Event_} */ event) => {
  if (event.request.method === "GET") event.respondWith(answerTo(event.request));
});
self.addEventListener("message", (/** @type {Event_} */ event) => {
  const { replace, files } = event.data;
  // @ts-expect-error a worker's own
  event.waitUntil(replace ? self.skipWaiting() : giveUpFormer(files));
});

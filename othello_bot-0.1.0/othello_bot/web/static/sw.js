// The service worker of a page without a server: it answers from what the page has kept (offline.js), so that later visits need no
// network. It is the same for all versions of the page: Chromium may keep a former service worker for five minutes.

/** @typedef {any} Event_ what TypeScript's library for pages does not know: ExtendableEvent, FetchEvent */

const HOME = new URL("./", self.location.href);

/** The name of the cache, which offline.js fills. */
const CACHE = `othello-bot ${HOME.pathname}`;

/** @param {Request} request */
async function answerTo(request) {
  const asked = request.url.replace(/[?#].*/, "");
  return (await caches.match(asked === `${HOME}index.html` ? HOME : asked, { cacheName: CACHE })) ?? fetch(request);
}

/** What the page asks the host for, to be kept; empty without a network, which is no error. @param {Request} request */
function newest(request) {
  return fetch(request).catch(() => new Response(null, { status: 204 }));
}

/** Give up what former versions of the page have left, unless another page is open, which may be one of them.
 * @param {string[]} files those of the newest version, which the page is that asks */
async function giveUpFormer(files) {
  // @ts-expect-error a worker's own
  const pages = await self.clients.matchAll({ includeUncontrolled: true });
  if (pages.length > 1) return;
  const wanted = new Set(files.map((name) => new URL(name, HOME).href));
  const cache = await caches.open(CACHE);
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
}

// @ts-expect-error a worker's own
self.addEventListener("install", () => self.skipWaiting());
// @ts-expect-error a worker's own
self.addEventListener("activate", (/** @type {Event_} */ event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (/** @type {Event_} */ event) => {
  const { request } = event;
  if (request.method === "GET") event.respondWith(request.cache === "no-store" ? newest(request) : answerTo(request));
});
self.addEventListener("message", (/** @type {Event_} */ event) => event.waitUntil(giveUpFormer(event.data.files)));

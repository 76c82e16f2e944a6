// A page without a server is kept by a service worker (sw.js) for visits without a network, on https and on this machine;
// elsewhere browsers have none.

/** Load the page anew in its newer version, if one has come since; a game in play is taken up again. Call it as the page begins.
 * @param {() => void} full called if the browser has no room for the page */
export function renewKept(full) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  let known = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (known) location.reload();
    known = true;
  });
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "full") full();
  });
  serviceWorker.getRegistration().then((kept) => kept?.waiting?.postMessage("replace"), nothing);
}

/** Have the page kept, or its newer version; call it when the engine is there, so that neither waits for the other. */
export function keepPage() {
  navigator.serviceWorker?.register("sw.js", { updateViaCache: "none" }).catch(nothing);
}

/** A page that cannot be kept needs the network, as others do. */
function nothing() {}

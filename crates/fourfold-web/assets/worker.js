// Keeps the app's own files, so that it opens at once and even while the server is away. Questions to the engine always go to the server.

const FILES = "{files}";
const PAGES = ["/play", "/friend", "/analyse", "/review", "/puzzles", "/microscope", "/learn", "/lab"];

self.addEventListener("install", () => self.skipWaiting());

// Another version of the files has another name: what is left of the old one goes.
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== FILES) await caches.delete(name);
  await self.clients.claim();
})()));

/** A file: kept for ever under its name. */
const file = async (request) => {
  const cache = await caches.open(FILES);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
};

/** A page: from the server, or as it was when that is away. */
const page = async (request) => {
  const cache = await caches.open(FILES);
  const { pathname } = new URL(request.url);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(pathname, answer.clone());
    return answer;
  } catch (error) {
    const known = await cache.match(pathname) ?? await cache.match("/play");
    if (known) return known;
    throw error;
  }
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(`${FILES}/`)) event.respondWith(file(request));
  else if (request.mode === "navigate" && (pathname === "/" || PAGES.some((known) => pathname === known || pathname.startsWith(`${known}/`)))) event.respondWith(page(request));
});

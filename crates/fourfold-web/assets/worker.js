// Keeps the app's own files, so that it opens at once and even while the server is away. Questions to the engine always go to the server.

const FILES = "{files}";
const PAGES = ["/play", "/friend", "/analyse", "/review", "/puzzles", "/microscope", "/learn", "/lab"];

// The pages are small; what they are made of is kept as it is used.
self.addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(FILES);
  await Promise.all(PAGES.map((path) => cache.add(path).catch(() => undefined)));
  await self.skipWaiting();
})()));

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

/** A page: as it was, at once, while it is asked for anew; from the server if it was never seen. */
const page = async (event) => {
  const { request } = event;
  const cache = await caches.open(FILES);
  const { pathname } = new URL(request.url);
  const fresh = fetch(request).then(async (answer) => {
    if (answer.ok) await cache.put(pathname, answer.clone());
    return answer;
  });
  const known = await cache.match(pathname);
  if (!known) return fresh.catch(async () => (await cache.match("/play")) ?? Response.error());
  event.waitUntil(fresh.catch(() => undefined));
  return known;
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(`${FILES}/`)) event.respondWith(file(request));
  else if (request.mode === "navigate" && (pathname === "/" || PAGES.some((known) => pathname === known || pathname.startsWith(`${known}/`)))) event.respondWith(page(event));
});

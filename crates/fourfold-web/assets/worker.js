// Keeps the app's own files, so that it opens at once and even while nobody answers. Questions to a server's engine always go to it.
// A site without a server has its engine among its files, and all of them are kept from the first visit on.

const BASE = new URL("./", self.location.href).pathname;
const FILES = `${BASE}{files}`;
const PAGES = ["play", "friend", "analyse", "review", "puzzles", "games", "microscope", "learn", "learn/glossary", "learn/course", "learn/worksheet", "lab"].map((name) => BASE + name);
/** What pages end in where they are files. */
const END = "{end}";
/** Whatever else is kept from the start. @type {string[]} */
const ALL = [/*{all}*/];

// The pages are small; what they are made of is kept as it is used.
self.addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(FILES);
  const page = async (path) => {
    const answer = await fetch(path + END);
    if (answer.ok) await cache.put(path, answer);
  };
  await Promise.all([...PAGES.map((path) => page(path).catch(() => undefined)), ...ALL.map((path) => cache.add(BASE + path))]);
  await self.skipWaiting();
})()));

// Another version of the files has another name: what is left of the old one goes.
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(`${BASE}assets/`) && name !== FILES) await caches.delete(name);
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
  const path = named(new URL(request.url).pathname);
  const fresh = fetch(END ? path + END : request).then(async (answer) => {
    if (answer.ok) await cache.put(path, answer.clone());
    return answer;
  });
  const known = await cache.match(path);
  if (!known) return fresh.catch(async () => (await cache.match(`${BASE}play`)) ?? Response.error());
  event.waitUntil(fresh.catch(() => undefined));
  return known;
};

/** A page by the name that it is kept under. @param {string} pathname */
const named = (pathname) => (pathname === BASE ? `${BASE}play` : pathname.replace(/\/(index\.html)?$/, ""));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const path = named(pathname);
  const shown = request.mode === "navigate" && PAGES.some((known) => path === known || (!END && path.startsWith(`${known}/`)));
  if (pathname.startsWith(`${FILES}/`) || ALL.includes(pathname.slice(BASE.length))) event.respondWith(file(request));
  // A page that is a file has relative addresses, which only hold at its own.
  else if (shown && END && pathname !== path + END) event.respondWith(Response.redirect(path + END + new URL(request.url).search));
  else if (shown) event.respondWith(page(event));
});

// The frame: which page, keys, light or dark, help.

import { answers, Problem, served } from "./client.js";
import { base, button, el, here, icon, oneFile, pageOf, state, tell, link } from "./dom.js";
import { choose, LANGUAGES, language } from "./language.js";
import { strings } from "./strings.js";

/** A page is a module of its name, fetched when it is first shown; these lie below another page. */
const BELOW = { friend: "friend", games: "games", "learn/glossary": "glossary", "learn/course": "course", "learn/worksheet": "worksheet" };
/** Pages that show a position, which goes along from one to the other. */
const BOARDS = ["play", "analyse", "review", "microscope"];
/** Pages that have no tab on a narrow screen. */
const MINOR = ["microscope", "lab"];
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const title = /** @type {HTMLElement} */ (document.querySelector("h1"));
const nav = /** @type {HTMLElement} */ (document.querySelector("nav"));
const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("dialog"));
/** What a page keeps while its state changes. */
let memory = { page: "" };
let running = new AbortController();

/** The pages, with the position that goes along. @param {string} page the one that is shown */
const tabs = (page) => {
  const { game, moves, position } = BOARDS.includes(page) ? state() : {};
  const href = (name) => link(`/${name}`, BOARDS.includes(name) ? { game, moves, position: name === "analyse" ? position : undefined } : {});
  nav.replaceChildren(...Object.entries(strings.pages).map(([name, title]) =>
    el("a", { href: href(name), class: MINOR.includes(name) ? "minor" : undefined, "aria-current": name === page ? "page" : undefined }, icon(name), el("span", {}, title))));
  minor.forEach((one, index) => one.setAttribute("href", href(MINOR[index])));
  menu.open = false;
};

const minor = MINOR.map((name) => el("a", { class: "button", href: `/${name}` }, strings.pages[name]));
/** Everything that has no tab on a narrow screen, and what is needed seldom. */
const menu = el("details", { class: "more main-menu" }, el("summary", { "aria-label": strings.menu, title: strings.menu }, icon("menu")),
  el("nav", { class: "menu", "aria-label": strings.menu },
    ...minor,
    ...Object.entries(strings.below).map(([path, title]) => el("a", { class: "button", href: `/${path}` }, title)),
    button(strings.help, () => help())));
addEventListener("click", (event) => {
  if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") menu.open = false;
});

// Addresses in a site that lies in a folder are relative; they must not change with that of the page.
for (const named of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[href^='.'], link:not([rel=stylesheet])[href^='.']"))) named.href = named.href;

const show = async () => {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const path = here().slice(1) || "play";
  const own = path.split("/")[0];
  const page = own === "games" || own === "friend" ? "play" : own;
  // Each game with a friend has an address of its own.
  const module = own === "friend" ? (served ? own : "bylink") : BELOW[path] ?? path;
  if (!(path in strings.pages || own === "friend" || path in BELOW)) return lost();
  if (memory.page !== path) memory = { page: path };
  title.textContent = strings.below[path] ?? strings.below[own] ?? strings.pages[page];
  document.title = `${title.textContent} – Fourfold`;
  tabs(page);
  try {
    const { [module]: draw } = await import(`./${module}.js`).catch(() => {
      throw new Problem(strings.nobody, undefined, true);
    });
    if (!signal.aborted) await draw(main, signal, memory);
  } catch (error) {
    if (signal.aborted) return;
    tell(error.message, true);
    if (error.away) return recover(signal);
    // What cannot be shown at all must not leave an empty page.
    if (!main.querySelector(".board")) {
      main.replaceChildren(el("div", { class: "page" }, el("section", { class: "panel" }, el("p", { class: "verdict" }, error.message),
        el("p", {}, el("a", { href: `/${page}` }, BOARDS.includes(page) ? strings.newGame : strings.pages[page])))));
    }
  }
};

/** Asks for the server until it answers, then shows the page as it should be. @param {AbortSignal} signal */
const recover = async (signal) => {
  for (let pause = 500; !signal.aborted; pause = Math.min(1.5 * pause, 8000)) {
    await new Promise((wake) => setTimeout(wake, pause));
    if (signal.aborted || !(await answers())) continue;
    tell(strings.back);
    return show();
  }
};

/** An address that leads nowhere. */
const lost = () => {
  title.textContent = strings.noPage;
  document.title = `${strings.noPage} – Fourfold`;
  tabs("");
  main.replaceChildren(el("div", { class: "reading" }, el("h2", { class: "title" }, strings.noPage), el("p", {}, strings.noPageHint), el("p", {}, el("a", { class: "button", href: "/play" }, strings.toPlay))));
  tell(strings.noPage);
};

// Links within the app keep the page; the history does the rest.
addEventListener("click", (event) => {
  const anchor = /** @type {HTMLAnchorElement | null} */ (/** @type {HTMLElement} */ (event.target).closest?.("a[href]:not([download])"));
  const path = anchor ? pageOf(anchor)?.slice(1) : undefined;
  if (!anchor || path === undefined || anchor.matches("[href^='#']:not([href^='#/'])") || !(path in strings.pages || path in BELOW) || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  history.pushState(null, "", anchor.href);
  scrollTo(0, 0);
  show();
});
addEventListener("popstate", show);
// Where pages are told apart by what follows the #, a place in a page is no address.
addEventListener("click", (event) => {
  const place = /** @type {HTMLElement} */ (event.target).closest?.("a[href^='#']:not([href^='#/'])")?.getAttribute("href");
  const named = oneFile && place ? document.getElementById(decodeURIComponent(place.slice(1))) : null;
  if (!oneFile || !place) return;
  event.preventDefault();
  named?.scrollIntoView();
  named?.focus({ preventScroll: true });
});

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
  if (event.key === "?") return help();
  if (event.shiftKey && /^[CRT]$/.test(event.key)) return void document.querySelector(".board")?.dispatchEvent(new CustomEvent("read", { detail: event.key }));
  if (/^[1-9]$/.test(event.key)) {
    const top = /** @type {HTMLElement | null} */ (document.querySelector(`.top[data-move="${event.key}"]`));
    if (top) return top.click();
  }
  // Arrows belong to the board or a group of choices while the focus is there.
  if (event.key.startsWith("Arrow") && target.matches("[data-move]:focus-visible, input[type=radio]")) return;
  // Space presses what has the focus.
  if (event.key === " " && target.matches("a, button, summary, input, [role]")) return;
  const act = memory.keys?.[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});

const help = () => {
  dialog.replaceChildren(el("h2", { id: "help-title" }, strings.helpTitle),
    el("dl", {}, ...strings.helpKeys.flatMap(([key, text]) => [el("dt", {}, key), el("dd", {}, text)])),
    el("p", {}, strings.helpDiscs),
    el("label", {}, el("span", { class: "caption" }, strings.language), el("select", { name: "language", onchange: ({ target }) => {
      choose(target.value);
      location.reload();
    } }, ...Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code, lang: code, selected: code === language }, name)))),
    el("p", {}, el("a", { href: "/learn/glossary", onclick: () => dialog.close() }, strings.below["learn/glossary"])), button(strings.close, () => dialog.close(), { autofocus: true }));
  dialog.showModal();
};

const root = document.documentElement;
const remembered = localStorage.getItem("theme");
if (remembered) root.dataset.theme = remembered;
const toggle = () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
};
document.querySelector(".tools")?.append(
  button(icon("help"), help, { "aria-label": strings.help, title: strings.help }), button(icon("theme"), toggle, { "aria-label": strings.theme, title: strings.theme }), menu);
show();
// The app opens at once the next time, even while the server is away.
if (!oneFile) navigator.serviceWorker?.register(`${base}/worker.js`).catch(() => undefined);

// The frame: which page, keys, light or dark, help.

import { button, el, state, tell, link } from "./dom.js";
import { strings } from "./strings.js";

/** A page is a module of its name, fetched when it is first shown; these lie below another page. */
const BELOW = { "learn/glossary": "glossary", "learn/worksheet": "worksheet", friend: "friend" };
/** Pages that show a position, which goes along from one to the other. */
const BOARDS = ["play", "analyse", "review", "microscope"];
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const title = /** @type {HTMLElement} */ (document.querySelector("h1"));
const nav = /** @type {HTMLElement} */ (document.querySelector("nav"));
const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("dialog"));
/** What a page keeps while its state changes. */
let memory = { page: "" };
let running = new AbortController();

const show = async () => {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const path = location.pathname.slice(1) || "play";
  const page = path.split("/")[0];
  const module = BELOW[path] ?? BELOW[page] ?? path;
  if (memory.page !== path) memory = { page: path };
  title.textContent = strings.below[path] ?? strings.below[page] ?? strings.pages[page];
  document.title = `${title.textContent} – Fourfold`;
  const { game, moves, position } = BOARDS.includes(page) ? state() : {};
  nav.replaceChildren(...Object.entries(strings.pages).map(([name, title]) => {
    const along = BOARDS.includes(name) ? { game, moves, position: name === "analyse" ? position : undefined } : {};
    return el("a", { href: link(`/${name}`, along), "aria-current": name === (page === "friend" ? "play" : page) ? "page" : undefined }, title);
  }));
  try {
    const { [module]: draw } = await import(`./${module}.js`).catch(() => {
      throw new Error(strings.nobody);
    });
    if (!signal.aborted) await draw(main, signal, memory);
  } catch (error) {
    if (signal.aborted) return;
    tell(error.message, true);
    // What cannot be shown at all must not leave an empty page.
    if (!main.querySelector(".board")) {
      main.replaceChildren(el("div", { class: "page" }, el("section", { class: "panel" }, el("p", { class: "verdict" }, error.message),
        el("p", {}, el("a", { href: `/${page}` }, BOARDS.includes(page) ? strings.newGame : strings.pages[page])))));
    }
  }
};

// Links within the app keep the page; the history does the rest.
addEventListener("click", (event) => {
  const anchor = /** @type {HTMLAnchorElement | null} */ (/** @type {HTMLElement} */ (event.target).closest?.("a[href^='/']"));
  const path = anchor?.pathname.slice(1) ?? "";
  if (!anchor || !(path in strings.pages || path in BELOW) || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  history.pushState(null, "", anchor.getAttribute("href"));
  scrollTo(0, 0);
  show();
});
addEventListener("popstate", show);

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
  if (event.key === "?") return help();
  if (/^[1-9]$/.test(event.key)) {
    const top = /** @type {HTMLElement | null} */ (document.querySelector(`.top[data-move="${event.key}"]`));
    if (top) return top.click();
  }
  // Arrows belong to the board or a group of choices while the focus is there.
  if (event.key.startsWith("Arrow") && target.matches("[data-move], input[type=radio]")) return;
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
    el("p", {}, strings.helpDiscs), el("p", {}, el("a", { href: "/learn/glossary", onclick: () => dialog.close() }, strings.below["learn/glossary"])), button(strings.close, () => dialog.close(), { autofocus: true }));
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
  button("?", help, { "aria-label": strings.help }), button("◐", toggle, { "aria-label": strings.theme }));
show();

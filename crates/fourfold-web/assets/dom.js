// Making elements, telling things, and the state in the address.

/** What the app consists of where it is one file, by name: texts, and what is not text in base 64. @type {Record<string, string> | undefined} */
const inside = /** @type {any} */ (globalThis).fourfoldFiles;

/** Whether it is one. */
export const oneFile = inside !== undefined;

/** Where the app lies: nothing at the root of a host, else the path of its folder. */
export const base = inside ? "" : new URL("../../", import.meta.url).pathname.slice(0, -1);

/** The address of a page as the browser knows it. Where the app is one file, pages are told apart by what follows the #. @param {string} path */
export const addressOf = (path) => (inside ? `#${path}` : base + path);

/** The page and its state, as links name them. */
const shown = () => (inside ? location.hash.slice(1) : location.pathname.slice(base.length) + location.search) || "/";

/** The page that is shown, as links name it. */
export const here = () => shown().split(/[?#]/)[0].replace(/\/(index\.html)?$/, "") || "/";

/** The page that an anchor leads to, if it is one of the app. @param {HTMLAnchorElement} anchor */
export const pageOf = (anchor) => {
  if (inside) return anchor.getAttribute("href")?.startsWith("#/") ? anchor.hash.slice(1).split(/[?#]/)[0] : undefined;
  return anchor.origin === location.origin && anchor.pathname.startsWith(`${base}/`) ? anchor.pathname.slice(base.length).replace(/\/$/, "") : undefined;
};

/** The place in the page that the address names. */
export const fragment = () => decodeURIComponent((inside ? shown().split("#")[1] : location.hash.slice(1)) ?? "");

const KINDS = { js: "text/javascript", svg: "image/svg+xml", json: "application/json", html: "text/html" };

/** @type {Map<string, string>} */
const made = new Map();

/** Where a file of the app can be fetched. @param {string} name */
export const fileOf = (name) => {
  if (!inside) return new URL(`./${name}`, import.meta.url).href;
  const known = made.get(name);
  if (known) return known;
  const text = inside[name] ?? "";
  const bytes = /\.(wasm|weights|net|puzzles)$/.test(name) ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : text;
  const address = URL.createObjectURL(new Blob([bytes], { type: KINDS[name.split(".").pop() ?? ""] ?? "application/octet-stream" }));
  made.set(name, address);
  return address;
};

/** Where a picture of the app can be fetched. @param {string} path */
export const sourceOf = (path) => (inside ? fileOf(path.slice(1)) : base + path);

/**
 * An element with attributes, listeners (`onclick`) and children.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...(Node | string | null | undefined | false)} children
 * @returns {any} the element, of whichever kind the tag says
 */
export const el = (tag, attributes = {}, ...children) => {
  const svg = ["svg", "circle", "line", "rect", "path", "g", "polygon", "text", "title"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "href" && value[0] === "/") element.setAttribute(name, addressOf(value));
    else if (name === "src" && value[0] === "/") element.setAttribute(name, sourceOf(value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

/** The style sheet of a page, fetched when that is first shown. @param {string} name */
export const style = (name) => new Promise((done) => {
  // One file has all of them.
  if (inside) return done(undefined);
  const href = fileOf(`${name}.css`);
  if ([.../** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=stylesheet]"))].some((link) => link.href === href)) return done(undefined);
  document.head.append(el("link", { rel: "stylesheet", href, onload: done, onerror: done }));
});

/** Says something to everybody: it is shown under the board and announced. @param {string} text @param {boolean} [wrong] */
export const tell = (text, wrong = false) => {
  const status = /** @type {HTMLElement} */ (document.querySelector(".status"));
  status.textContent = text;
  status.classList.toggle("wrong", wrong);
};

/** The state in the address. @returns {any} texts by name */
export const state = () => Object.fromEntries(new URLSearchParams(shown().split("#")[0].split("?")[1]));

/**
 * Goes to another state: a new entry in the history, unless it only replaces what is there.
 * @param {Record<string, string | undefined>} next @param {{ page?: string, replace?: boolean }} [how]
 */
export const go = (next, { page = here(), replace = false } = {}) => {
  const address = addressOf(link(page, next));
  if (replace) history.replaceState(null, "", address);
  else if (address !== addressOf(shown())) history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
};

/** Another state of the page in the address alone: nothing is shown anew. @param {Record<string, string | undefined>} next */
export const note = (next) => history.replaceState(null, "", addressOf(link(here(), next)));

/** The address of a page in a state. @param {string} page @param {Record<string, string | undefined>} params */
export const link = (page, params) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined && value !== "") query.set(name, value);
  const text = query.toString().replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%28", "(").replaceAll("%29", ")");
  return text ? `${page}?${text}` : page;
};

/** How the element that has the focus can be found again. */
const focused = (main) => {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  if (!active || !main.contains(active)) return () => undefined;
  const { tagName, textContent } = active;
  const { name, value, type } = /** @type {any} */ (active);
  const { move } = active.dataset;
  const same = (other) =>
    move ? other.dataset.move === move
      : type === "radio" ? other.name === name && other.value === value
        : name ? other.name === name : other.textContent === textContent;
  return () => [...main.querySelectorAll(tagName)].find(same);
};

/** Shows something else, and keeps the focus where it was. @param {HTMLElement} main @param {HTMLElement} content */
export const renew = (main, content) => {
  const find = focused(main);
  const inside = main.contains(document.activeElement);
  main.replaceChildren(content);
  // What had the focus may be gone: whoever uses the keys goes on from the page, not from the top of the window.
  (find() ?? (inside ? main : undefined))?.focus({ preventScroll: true });
};

/** Moves as one text, the way the engine writes them. */
export const joined = (rules, labels) => labels.join(rules.gravity ? (rules.width > 9 ? "," : "") : " ");

/**
 * Copies a text; true if that worked. Where the browser keeps its clipboard to secure pages, the text is selected and copied the old way.
 * @param {string} text @param {HTMLInputElement | HTMLTextAreaElement} [field] where it stands
 */
export const copy = async (text, field) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const place = field ?? el("textarea", { class: "unseen", readonly: true });
    if (!field) {
      place.value = text;
      document.body.append(place);
    }
    place.select();
    const done = document.execCommand("copy");
    if (!field) place.remove();
    return done;
  }
};

/** A button. */
export const button = (text, onclick, attributes = {}) => el("button", { type: "button", onclick, ...attributes }, text);

/** Small drawings for buttons: the paths of a square of 24. */
const ICONS = {
  start: "M18 5l-8 7 8 7zM6 5v14", back: "M16 5l-9 7 9 7z", forward: "M8 5l9 7-9 7z", end: "M6 5l8 7-8 7zM18 5v14",
  play: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z", analyse: "M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4.5 4.5",
  review: "M4 18l5-6 4 3 7-9M15 6h5v5", puzzles: "M9 4h6v4.5a1.8 1.8 0 1 1 0 3.5V20H9v-4a1.8 1.8 0 1 0 0-3.6zM9 8H4v8h5M15 16h5V8h-5", learn: "M3 8.5l9-4.5 9 4.5-9 4.5zM7 11v5c3 2.5 7 2.5 10 0v-5",
  microscope: "M6 21h12M9 17h6a6 6 0 0 0 1-11.9M9 4h4v9H9zM8 13h6", lab: "M9 3h6M10 3v7l-5 9a1.5 1.5 0 0 0 1.4 2h11.2A1.5 1.5 0 0 0 19 19l-5-9V3",
  menu: "M4 7h16M4 12h16M4 17h16", theme: "M12 3.5v17M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7a5 5 0 0 1 0 10", help: "M9 9.2a3 3 0 1 1 4.4 2.6c-.9.5-1.4 1-1.4 2.2M12 17.5h.01",
  best: "M12 4v3M12 17v3M4 12h3M17 12h3M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z", more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
};

/** @param {string} name */
export const icon = (name) => el("svg", { viewBox: "0 0 24 24", class: `icon is-${name}`, "aria-hidden": "true" }, el("path", { d: ICONS[name] }));

/**
 * A group of choices of which one holds.
 * @param {string} name @param {string} legend @param {string[][]} choices values with their texts @param {string} chosen @param {(value: string) => void} choose
 */
export const choice = (name, legend, choices, chosen, choose) =>
  el("fieldset", { class: "choice" }, el("legend", {}, legend),
    el("div", { class: "segments" }, ...choices.map(([value, text]) =>
      el("label", {},
        el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => choose(value) }),
        el("span", {}, text)))));

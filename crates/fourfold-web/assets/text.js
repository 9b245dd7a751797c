// Texts that stand in HTML files, so that they can be read where no script runs: the service puts them into the page at their
// addresses, and from there, or from the file, the pages take them.

import { Problem } from "./client.js";
import { addressOf, fileOf, sourceOf } from "./dom.js";
import { strings } from "./strings.js";

/** @type {Map<string, Element>} */
const held = new Map();

/** Fetches a text. @param {string} name @returns {Promise<Element>} */
const fetched = async (name) => {
  const response = await fetch(fileOf(`${name}.html`)).catch(() => undefined);
  const parsed = response?.ok && new DOMParser().parseFromString(await response.text(), "text/html").body.firstElementChild;
  if (!parsed) throw new Problem(strings.nobody, undefined, true);
  for (const anchor of parsed.querySelectorAll("a[href^='/']")) anchor.setAttribute("href", addressOf(anchor.getAttribute("href") ?? ""));
  for (const image of parsed.querySelectorAll("img[src^='/']")) image.setAttribute("src", sourceOf(image.getAttribute("src") ?? ""));
  return parsed;
};

/** A text as an element of its own. @param {string} name @returns {Promise<HTMLElement>} */
export const text = async (name) => {
  const sent = document.querySelector(`main [data-text="${name}"]`);
  const found = held.get(name) ?? sent?.cloneNode(true) ?? (await fetched(name));
  held.set(name, /** @type {Element} */ (found));
  return /** @type {HTMLElement} */ (document.importNode(found, true));
};

// The glossary: every term has an address.

import { fragment, style, tell } from "./dom.js";
import { text } from "./text.js";

/** @param {HTMLElement} main */
export const glossary = async (main) => {
  const [page] = await Promise.all([text("glossary"), style("learn")]);
  main.replaceChildren(page);
  const named = document.getElementById(fragment());
  named?.scrollIntoView({ block: "center" });
  named?.focus({ preventScroll: true });
  tell((named ? `${named.textContent}: ${named.nextElementSibling?.textContent}` : page.querySelector(".lead")?.textContent) ?? "");
};

// The lessons of the course: each has an address.

import { fragment, style, tell } from "./dom.js";
import { text } from "./text.js";

/** @param {HTMLElement} main */
export const course = async (main) => {
  const [page] = await Promise.all([text("course"), style("learn")]);
  main.replaceChildren(page);
  const lesson = document.getElementById(fragment());
  const heading = /** @type {HTMLElement | null} */ (lesson?.querySelector("h2"));
  lesson?.scrollIntoView();
  heading?.focus({ preventScroll: true });
  tell(heading?.textContent ?? page.querySelector(".lead")?.textContent ?? "");
};

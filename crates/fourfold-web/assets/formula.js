// Powers in running text, as people type them: c^d, 7^6, c^(d/2).

import { el } from "./dom.js";

/** A text with its powers raised. @param {string} text @returns {(string | Element)[]} */
export const formulas = (text) => text.split(/(\w+\^(?:\([^()]*\)|\w+))/).map((part, index) => {
  if (index % 2 === 0) return part;
  const [base, power] = part.split("^");
  return el("span", { class: "power" }, base, el("sup", {}, power.replace(/^\((.*)\)$/, "$1")));
});

// The glossary, and texts whose words link to it.

import { el, tell } from "./dom.js";
import { glossary as terms, words } from "./learn-strings.js";

/** The address of a term. @param {string} term */
const address = (term) => `/learn/glossary#${term.replaceAll(" ", "-")}`;

/** A text with its links: `[[term]]`, `[[term|words]]`. @param {string} text @returns {(string | Element)[]} */
export const rich = (text) => text.split(/(\[\[[^\]]+\]\])/).map((part) => {
  if (!part.startsWith("[[")) return part;
  const [term, shown = term] = part.slice(2, -2).split("|");
  return el("a", { class: "term", href: address(term) }, shown);
});

/** @param {HTMLElement} main */
export const glossary = async (main) => {
  main.replaceChildren(el("article", { class: "reading" },
    el("p", { class: "links" }, el("a", { href: "/learn" }, words.chapters), el("a", { href: "/learn/worksheet" }, words.worksheets)),
    el("h2", { class: "title" }, words.glossaryTitle), el("p", { class: "lead" }, words.glossaryLead),
    el("dl", { class: "glossary" }, ...terms.flatMap(([name, title, meaning]) => [
      el("dt", { id: name, tabindex: -1 }, el("a", { href: address(name) }, title)), el("dd", {}, ...rich(meaning))]))));
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  named?.scrollIntoView({ block: "center" });
  named?.focus({ preventScroll: true });
  tell(named ? `${named.textContent}: ${named.nextElementSibling?.textContent}` : words.glossaryLead);
};

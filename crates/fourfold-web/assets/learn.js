// Learn: a short tour from naive to perfect play, a live figure for each step.

import { el, link, renew, state, tell } from "./dom.js";
import { rich } from "./glossary.js";
import { chapters, words } from "./learn-strings.js";

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const learn = async (main, signal, memory) => {
  const { chapter: name } = state();
  const at = Math.max(0, chapters.findIndex((chapter) => chapter.name === name));
  const { title, body } = chapters[at];
  document.title = `${title} – Fourfold`;
  memory.keys = {};
  const goTo = (index, text, rel) => chapters[index] && el("a", { href: link("/learn", { chapter: chapters[index].name }), rel }, text(chapters[index].title));
  const heading = el("h2", { class: "title", tabindex: -1 }, title);
  renew(main, el("article", { class: "reading" },
    el("nav", { class: "contents", "aria-label": words.chapters }, el("ol", {}, ...chapters.map((chapter, index) =>
      el("li", {}, el("a", { href: link("/learn", { chapter: chapter.name }), "aria-current": index === at ? "true" : undefined },
        el("span", { class: "number" }, `${index + 1} `), el("span", { class: "about" }, chapter.short)))))),
    heading, at === 0 && el("p", { class: "lead" }, words.lead),
    ...body.map((part) => (typeof part === "string" ? el("p", {}, ...rich(part)) : figure(part, signal, memory))),
    el("p", { class: "links turn-page" }, goTo(at - 1, words.previous, "prev"), goTo(at + 1, words.next, "next")),
    el("p", { class: "links" }, el("a", { href: "/learn/glossary" }, words.glossary), el("a", { href: "/learn/worksheet" }, words.worksheets))));
  if (memory.chapter !== undefined && memory.chapter !== at) heading.focus({ preventScroll: true });
  memory.chapter = at;
  tell(title);
};

/** A live figure, whose code comes after the text; what goes wrong with it is told in its place. */
const figure = (part, signal, memory) => {
  const home = el("div", { class: `figure figure-${part.figure}` });
  import("./figures.js").then(({ figures }) => figures[part.figure](home, part, signal, memory))
    .catch((error) => signal.aborted || home.replaceChildren(el("p", { class: "verdict" }, error.message)));
  return home;
};

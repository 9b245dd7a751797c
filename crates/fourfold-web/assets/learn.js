// Learn: a short tour from naive to perfect play. Each chapter has text, live figures and a question; a chapter is done when its question
// is answered, and that is kept on the device.

import { button, el, link, renew, state, style, tell } from "./dom.js";
import { kept } from "./kept.js";
import { words } from "./learn-strings.js";
import { projector } from "./present.js";
import { text } from "./text.js";

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const learn = async (main, signal, memory) => {
  const [tour] = await Promise.all([text("learn"), style("search"), style("learn")]);
  if (signal.aborted) return;
  const chapters = [...tour.querySelectorAll("section")];
  const at = Math.max(0, chapters.findIndex(({ id }) => id === state().chapter));
  const chapter = chapters[at];
  const heading = /** @type {HTMLElement} */ (chapter.querySelector("h2"));
  const title = heading.textContent ?? "";
  document.title = `${title} – Fourfold`;
  heading.tabIndex = -1;
  const screen = projector();
  memory.keys = { ...screen.keys };
  const titleOf = (index) => chapters[index].querySelector("h2")?.textContent ?? "";
  const goTo = (index, words, rel) => chapters[index] && el("a", { class: "button", href: link("/learn", { chapter: chapters[index].id }), rel }, words(titleOf(index)));
  const list = el("nav", { class: "contents", "aria-label": words.chapters });
  const showProgress = () => list.replaceChildren(contents(chapters, at));
  showProgress();
  for (const home of /** @type {NodeListOf<HTMLElement>} */ (chapter.querySelectorAll("[data-figure]"))) bring(home, signal, memory);
  for (const home of /** @type {NodeListOf<HTMLElement>} */ (chapter.querySelectorAll(".ask"))) {
    ask(home, kept.learnt.includes(chapter.id), () => {
      kept.learn(chapter.id);
      showProgress();
    });
  }
  renew(main, el("article", { class: "lesson" }, list,
    el("p", { class: "eyebrow" }, words.chapterOf(at + 1, chapters.length), screen.button),
    heading, at === 0 && tour.querySelector(".lead"), ...[...chapter.children].filter((part) => part !== heading),
    el("p", { class: "links turn-page" }, goTo(at - 1, words.previous, "prev"), goTo(at + 1, words.next, "next")),
    el("p", { class: "links" }, el("a", { href: "/learn/glossary" }, words.glossary), el("a", { href: "/learn/course" }, words.course), el("a", { href: "/learn/worksheet" }, words.worksheets), el("a", { href: "/microscope" }, words.scope)),
    screen.leave));
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  if (memory.chapter !== undefined && memory.chapter !== at) heading.focus({ preventScroll: true });
  memory.chapter = at;
  tell(title);
};

/** The chapters by name, with what is done. */
const contents = (chapters, at) => {
  const { learnt } = kept;
  return el("ol", {}, ...chapters.map(({ id, dataset }, index) => {
    const done = learnt.includes(id);
    return el("li", { class: done ? "done" : undefined },
      el("a", { href: link("/learn", { chapter: id }), "aria-current": index === at ? "true" : undefined, "aria-label": done ? words.isDone(dataset.short) : undefined },
        el("span", { class: "number" }, done ? "✓" : String(index + 1)), " ", el("span", { class: "chapter-name" }, dataset.short)));
  }));
};

/** A question to be answered by choosing; `answered` is called when it is. @param {HTMLElement} home @param {boolean} done @param {() => void} answered */
const ask = (home, done, answered) => {
  const list = /** @type {HTMLElement} */ (home.querySelector("ul"));
  const why = home.querySelector("details p")?.textContent ?? "";
  const said = el("p", { class: "reply" });
  const show = (text, good) => {
    said.className = `reply ${good ? "good" : "bad"}`;
    said.textContent = text;
  };
  const choices = [...list.children].map((item) => {
    const { right, why: wrong = "" } = /** @type {HTMLElement} */ (item).dataset;
    const choose = () => {
      const good = right !== undefined;
      for (const one of choices) one.removeAttribute("aria-pressed");
      chosen.setAttribute("aria-pressed", "true");
      show(good ? words.right(why) : words.wrong(wrong), good);
      tell(said.textContent);
      if (good) answered();
    };
    const chosen = button(item.textContent, choose, { class: "option", "aria-pressed": done && right !== undefined ? "true" : undefined });
    return chosen;
  });
  if (done) show(words.right(why), true);
  list.replaceWith(el("div", { class: "buttons" }, ...choices));
  home.querySelector("details")?.replaceWith(said);
};

/** Brings a figure to life. Its code comes after the text; what goes wrong with it is told in its place. @param {HTMLElement} home */
const bring = (home, signal, memory) => {
  const name = home.dataset.figure ?? "";
  const part = JSON.parse(home.dataset.with ?? "{}");
  home.classList.add(`figure-${name}`);
  if (home.dataset.main !== undefined) home.classList.add("showing");
  home.replaceChildren();
  import("./figures.js").then(({ figures }) => figures[name](home, part, signal, memory))
    .catch((error) => signal.aborted || home.replaceChildren(el("p", { class: "verdict" }, error.message)));
};

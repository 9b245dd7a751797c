// The search as pseudocode, with the line lit that a step of the trace carries out. Values are fail-soft and MAX's, as in the library's
// alpha-beta; a switch that changes the search brings lines of its own, or a note below.

import { el } from "./dom.js";
import { code as words } from "./microscope-strings.js";
import { brief } from "./tree.js";

/** Whether a switch of a search is on. @param {any} answer @param {string} name */
const isOn = (answer, name) => !["off", "0", undefined].includes(answer.switches?.[name]);

/** Switches that have lines below; any other that was changed is told in a note. */
const WITH_LINES = ["deepening", "book", "table", "cached_ends", "early_win", "killers", "history", "forward", "symmetry", "mid_col"];

/** The lines of the function for one side, as `[name, depth, text]`. @param {any} answer @param {"max" | "min"} turn @returns {[string, number, string][]} */
const linesOf = (answer, turn) => {
  const on = (...names) => names.some((name) => isOn(answer, name));
  const pruning = answer.algorithm === "alphabeta";
  const keyed = on("table", "cached_ends");
  /** @type {[boolean, string, number, string][]} */
  const all = [
    [on("deepening"), "deepen", 0, words.deepen],
    [true, "enter", 0, words.enter(turn, pruning)],
    [true, "leaf", 1, words.leaf],
    [on("book"), "book", 1, words.book],
    [on("table"), "table", 1, words.table],
    [on("cached_ends"), "cached-ends", 1, words.ends],
    [on("early_win"), "early-win", 1, words.earlyWin],
    [true, "first", 1, words.first(turn)],
    [on("forward"), "forward", 1, words.forward],
    [on("table", "killers", "history"), "prefer", 1, words.prefer],
    [true, "each", 1, words.each(on("mid_col"))],
    [on("symmetry"), "symmetric", 2, words.symmetric],
    [true, "update", 2, words.update(turn, pruning)],
    [pruning, "window", 2, words.window(turn)],
    [pruning, "cut", 2, words.cut],
    [keyed, "store", 1, words.store],
    [true, "leave", 1, words.leave],
  ];
  return all.filter(([shown]) => shown).map(([, ...line]) => /** @type {[string, number, string]} */ (line));
};

/**
 * What a step carries out: the names of the lines, each with a note of what it does with the numbers.
 * @param {any} step @param {string} turn whose move it is there @param {any} before the node's mark before the step @param {boolean} pruning
 * @returns {Map<string, string>}
 */
export const carriedOut = (step, turn, before, pruning) => {
  const bounds = [brief(step.alpha) || "−∞", brief(step.beta) || "+∞"];
  switch (step.step) {
    case "deepen": return new Map([["deepen", words.depth(step.depth)]]);
    case "enter": return new Map([["enter", pruning ? words.bounds(...bounds) : ""]]);
    case "leaf": return new Map([["leaf", brief(step.value)]]);
    case "recall": return new Map([[step.from, brief(step.value, step.bound)]]);
    case "prefer": return new Map([["prefer", words.why[step.why]]]);
    case "skip": return new Map([[step.why, ""]]);
    case "early-win": return new Map([["early-win", ""]]);
    case "cut": return new Map([["cut", words.met(...bounds)]]);
    case "leave": return new Map([["leave", brief(step.value, step.bound)]]);
    case "update": {
      const was = brief(before?.value);
      const lines = new Map([["update", step.improved ? words.better(turn, brief(step.value), was) : words.stays(brief(step.best))]]);
      const [sign, now, then] = turn === "max" ? ["α", step.alpha, before?.alpha] : ["β", step.beta, before?.beta];
      if (pruning && now !== (then ?? null)) lines.set("window", words.becomes(sign, brief(now)));
      return lines;
    }
    default: return new Map();
  }
};

/** A line with its keywords: `*for each* child`. @param {string} text */
const marked = (text) => text.split(/(\*[^*]+\*)/).map((part) => (part.startsWith("*") ? el("b", {}, part.slice(1, -1)) : part));

/**
 * The code beside a search.
 * @param {any} answer the search @param {{ name: string, about: string }[]} [switches] what there is to say of each switch
 */
export const pseudocode = (answer, switches = []) => {
  const pruning = answer.algorithm === "alphabeta";
  const notes = switches.filter(({ name }) => name in (answer.switches ?? {}) && !WITH_LINES.includes(name));
  const list = el("ol", { class: "code", "aria-label": words.title });
  const box = el("div", { class: "pseudocode" }, list,
    notes.length > 0 && el("ul", { class: "code-notes small" }, ...notes.map(({ name, about }) => el("li", {}, el("code", {}, name), ` ${about}.`))));
  let drawn;
  return {
    box,
    /** @param {any} step @param {"max" | "min"} turn @param {any} before */
    show: (step, turn, before) => {
      if (drawn !== turn) {
        list.replaceChildren(...linesOf(answer, turn).map(([name, depth, text]) =>
          el("li", { "data-line": name, class: `depth-${depth}` }, el("span", {}, ...marked(text)), el("em", {}))));
        drawn = turn;
      }
      const done = carriedOut(step, turn, before, pruning);
      const [current] = done.keys();
      for (const line of list.children) {
        const { line: name } = line.dataset;
        const lit = done.has(name) || (name === "store" && done.has("leave"));
        line.classList.toggle("on", lit);
        if (name === current) line.setAttribute("aria-current", "step");
        else line.removeAttribute("aria-current");
        line.lastElementChild.textContent = done.get(name) ?? "";
      }
    },
  };
};

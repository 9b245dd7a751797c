// Worksheets: exercises to print, and their answers.

import { engine } from "./client.js";
import { button, choice, el, go, link, renew, state, style, tell } from "./dom.js";
import { words } from "./learn-strings.js";
import { signed } from "./strings.js";
import { sketch, typed } from "./sketch.js";

const { sheet: text } = words;
const DEFAULTS = { kinds: "values,best,cuts,windows,endgames", count: "6", branches: "3", levels: "2", seed: "1", show: "both" };

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const worksheet = async (main, signal, memory) => {
  const now = { ...DEFAULTS, ...state() };
  const set = (next, how) => go({ ...state(), ...next }, how);
  const { show, ...params } = now;
  await Promise.all([style("learn"), style("worksheet")]);
  let made, refused;
  try {
    made = await engine.worksheet(params);
  } catch (error) {
    if (signal.aborted) return;
    // The form stays, so that it can be mended, with the reason above it: a message on top would hide what is to be mended.
    refused = error.message;
    tell(refused);
  }
  if (signal.aborted) return;
  const chosen = now.kinds.split(",");
  const number = (name, least, most) => el("label", {}, el("span", { class: "caption" }, text[name]),
    el("input", { name, type: "number", min: least, max: most, value: now[name], required: true }));
  const kinds = Object.entries(text.kind).map(([kind, title]) =>
    el("label", { class: "check" }, el("input", { type: "checkbox", name: "kinds", value: kind, checked: chosen.includes(kind) }), title));
  const form = el("form", { class: "maker", novalidate: true },
    el("fieldset", {}, el("legend", {}, text.kinds), ...kinds),
    el("div", { class: "row" }, number("count", 1, 24), number("branches", 2, 5), number("levels", 2, 5), number("seed", 0, 999999)),
    choice("show", text.show, text.showing, show, (value) => set({ show: value }, { replace: true })),
    el("div", { class: "buttons" }, el("button", { type: "submit" }, text.make),
      button(text.other, () => set({ seed: String(crypto.getRandomValues(new Uint32Array(1))[0] % 1000000) })),
      button(text.print, () => print(), { class: "main", disabled: !made })));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (form));
    const fields = Object.fromEntries(["count", "branches", "levels", "seed"].map((name) => [name, String(given.get(name))]));
    set({ ...fields, kinds: given.getAll("kinds").join(",") || DEFAULTS.kinds });
  });
  memory.keys = {};
  renew(main, el("article", { class: "reading sheet-page" },
    el("p", { class: "links screen" }, el("a", { href: "/learn" }, words.chapters), el("a", { href: "/learn/glossary" }, words.glossary)),
    el("h2", { class: "title screen" }, words.worksheets), refused && el("p", { class: "refused" }, refused), form,
    made && show !== "key" && paper(made, text.title, ask), made && show !== "sheet" && paper(made, text.key, answer)));
  if (made) tell(text.ready(made.exercises.length));
};

/** A sheet: its head, and every exercise drawn by `fill`. */
const paper = (made, title, fill) => el("section", { class: "paper" },
  el("header", { class: "paper-head" }, el("h3", {}, title),
    fill === ask && el("p", { class: "blanks" }, el("span", {}, text.name), el("span", {}, text.day)),
    el("p", { class: "small" }, `${text.reproduce(made)} ${text.legend}`)),
  el("ol", { class: "exercises" }, ...made.exercises.map((exercise, index) => el("li", {}, ...fill(exercise, index + 1)))));

/** A drawing that may be wider than the screen. */
const wide = (drawing) => el("div", { class: "scroll", tabindex: 0 }, drawing);

/** Whose turn it is in the position of an exercise. */
const mover = ({ position }) => (position.to_move === "first" ? "X" : "O");

/** What is asked: the tree with its leaves alone, or the board. */
const ask = (exercise, number) => {
  if (exercise.tree) {
    return [el("p", {}, text.ask[exercise.kind], " ", el("span", { class: "muted small" }, text.tree(exercise.random))),
      wide(sketch(typed(exercise.tree), text.treeWords(number), (node) => ({ text: node.leaf === undefined ? "" : String(node.leaf), edge: node.name })))];
  }
  if (!exercise.position) return [el("p", {}, text.ask.countTree(exercise))];
  const asked = exercise.kind === "counting" ? text.ask.countGame : text.ask[exercise.kind];
  return [el("p", {}, asked(mover(exercise))), board(exercise, number, () => "")];
};

/** The same with what was asked for. */
const answer = (exercise, number) => {
  const { kind, best, line, cut, values, found } = exercise;
  if (kind === "counting") {
    return exercise.position ? [el("p", {}, text.answerGame(exercise)), board(exercise, number, () => "")] : [el("p", {}, text.answerTree(exercise))];
  }
  if (exercise.position) {
    const scores = new Map(exercise.moves.map((mv) => [mv.cell, mv]));
    const after = Math.max(...exercise.moves.map((mv) => mv.score));
    const cells = exercise.moves.filter((mv) => mv.score === after).map((mv) => mv.cell).join(", ");
    const told = kind === "evaluation" ? text.answerEvaluation(mover(exercise), exercise, cells, after)
      : exercise.moves.map((mv) => text.answerMove(mv.cell, mv.words)).join(", ");
    return [el("p", {}, told), board(exercise, number, (cell) => signed(scores.get(cell)?.score ?? 0))];
  }
  const pruned = kind === "cuts" || kind === "windows" || kind === "order";
  const told = kind === "order" ? text.answerOrder(exercise) : kind === "best" ? text.answerBest(best, values[0], line.join(" ")) : pruned ? text.answerCuts(cut.join(", ")) : text.answerValues(values[0]);
  const infinite = (value, sign) => (value === null ? `${sign}∞` : String(value));
  const drawing = sketch(typed(exercise.tree), text.answerWords(number), (node) => {
    const seen = found[node.index];
    const inner = node.leaf === undefined;
    return {
      text: !inner ? String(node.leaf) : !pruned ? String(values[node.index]) : seen ? { "at-most": "≤", "at-least": "≥", exact: "" }[seen.bound] + seen.value : "",
      note: kind === "windows" && inner && seen ? `${infinite(seen.alpha, "−")} | ${infinite(seen.beta, "+")}` : "",
      edge: node.name,
      state: [pruned && cut.includes(node.name) && "cut", pruned && !seen && !cut.includes(node.name) && "ahead", kind === "best" && line.includes(node.name) && "chosen"].filter(Boolean).join(" "),
    };
  });
  return [el("p", {}, told, " ", el("a", { class: "small screen", href: link("/microscope", { tree: exercise.tree }) }, text.micro)), wide(drawing)];
};

/** A board of tic-tac-toe as it is drawn on paper; `fill` says what stands in an empty cell. */
const board = ({ position: { rows } }, number, fill) => {
  const marks = rows.flatMap((row, down) => [...row].map((disc, across) => {
    const cell = `${"abc"[across]}${3 - down}`;
    const mark = { x: "X", o: "O" }[disc] ?? fill(cell);
    return [mark && el("text", { class: disc === "." ? "result" : "mark", x: 40 * across + 20, y: 40 * down + 29 }, mark),
      disc === "." && el("text", { class: "name", x: 40 * across + 5, y: 40 * down + 37 }, cell)];
  })).flat().filter(Boolean);
  return el("svg", { class: "paper-board", viewBox: "-1 -1 122 122", role: "img", "aria-label": text.boardWords(number, rows.join(" ")) },
    el("path", { d: "M40 0V120M80 0V120M0 40H120M0 80H120" }), ...marks);
};

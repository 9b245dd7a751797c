// Setting a position up, disc by disc, or from a text.

import { words } from "./analyse-strings.js";
import { draw } from "./board.js";
import { engine } from "./client.js";
import { button, choice, el, tell } from "./dom.js";

/** A diagram as text: rows from the top, numbers of empty cells, whose turn it is. @param {string[]} rows @param {string} mover */
const diagram = (rows, mover) => `${rows.map((row) => row.replace(/\.+/g, (empty) => String(empty.length))).join("/")} ${mover}`;

const count = (rows, disc) => rows.join("").split(disc).length - 1;

/** The rows after a click on a cell: a disc placed, changed or taken away; with gravity the column stays without gaps. */
const edited = (rules, rows, column, row, brush) => {
  const grid = rows.map((line) => [...line]);
  const line = rules.height - 1 - row;
  if (!rules.gravity) {
    grid[line][column] = grid[line][column] === brush ? "." : brush;
    return grid.map((cells) => cells.join(""));
  }
  const stack = grid.map((cells) => cells[column]).filter((cell) => cell !== ".").reverse();
  if (row >= stack.length) {
    if (brush !== "." && stack.length < rules.height) stack.push(brush);
    else if (brush === ".") stack.pop();
  } else if (brush === "." || stack[row] === brush) stack.splice(row, 1);
  else stack[row] = brush;
  grid.forEach((cells, index) => (cells[column] = stack[rules.height - 1 - index] ?? "."));
  return grid.map((cells) => cells.join(""));
};

/** Shows what is being set up; takes it over when it can be a position. */
const settle = async (study, rows) => {
  const { memory, act, rules } = study;
  const [red, yellow] = [count(rows, "x"), count(rows, "o")];
  if (red === yellow || red === yellow + 1) {
    const position = diagram(rows, red === yellow ? "x" : "o");
    try {
      await engine.position(rules.game, "", position);
      memory.draft = undefined;
      return act.set({ game: rules.game, position: red ? position : undefined, moves: undefined, tree: undefined, tab: "edit" }, { replace: true });
    } catch (error) {
      tell(error.message, true);
    }
  }
  memory.draft = rows;
  await act.refresh();
};

/** Reads what was pasted: moves become a line, a diagram stays a diagram. */
const read = async (study, text) => {
  const { rules, now, act, memory } = study;
  try {
    const found = await engine.position(text.includes(":") ? undefined : rules.game, "", text);
    const given = found.history === "given";
    memory.notice = found.score === undefined ? undefined : { moves: found.moves, text: words.scoreRead(found.moves, found.score) };
    act.set({ game: found.game, position: given ? undefined : found.position, moves: given ? found.moves || undefined : undefined, tree: undefined, tab: undefined, time: now.time });
  } catch (error) {
    tell(error.message, true);
  }
};

/** @param {any} study */
export const editor = (study) => {
  const { memory, board, rules, act, now } = study;
  memory.brush ??= "x";
  const rows = memory.draft ?? board.rows;
  const edit = (column, row) => settle(study, edited(rules, rows, column, row, memory.brush));
  // The board takes edits instead of moves.
  Object.assign(study.view, { edit, found: new Map() });
  draw(memory.home, { ...board, rows, last: undefined, outcome: memory.draft ? { state: "preview" } : board.outcome }, { ...study.view, play: () => undefined });
  const [red, yellow] = [count(rows, "x"), count(rows, "o")];
  const fits = red === yellow || red === yellow + 1;
  const input = el("textarea", { name: "position", rows: 2, spellcheck: "false", autocomplete: "off", "aria-describedby": "paste-hint" });
  input.value = now.position ?? now.moves ?? "";
  const form = el("form", { class: "row", novalidate: true },
    el("label", { class: "grow" }, el("span", { class: "caption" }, words.paste), input), el("button", { type: "submit" }, words.pasteGo),
    el("small", { id: "paste-hint", class: "wide" }, words.pasteHint));
  const submit = (event) => {
    event.preventDefault();
    read(study, input.value);
  };
  form.addEventListener("submit", submit);
  input.addEventListener("keydown", (event) => event.key === "Enter" && !event.shiftKey && submit(event));
  return [el("div", { class: "pad grow stack" }, el("h2", {}, words.editTitle),
    choice("brush", words.place, Object.entries(words.brushes), memory.brush, (value) => (memory.brush = value)),
    el("p", { class: `note${fits ? " fine" : " odd"}` }, fits ? words.counts(red, yellow, red === yellow ? "first" : "second") : words.uneven(red, yellow)),
    el("p", { class: "muted small" }, rules.gravity ? words.editHint : words.editHintLoose),
    el("div", { class: "buttons" },
      button(words.mirror, () => settle(study, rows.map((row) => [...row].reverse().join("")))),
      button(words.empty, () => settle(study, rows.map((row) => ".".repeat(row.length)))),
      button(words.done, () => act.set({ tab: undefined }), { class: "main", disabled: !fits })),
    form)];
};

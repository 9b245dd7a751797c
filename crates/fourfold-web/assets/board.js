// The board: a button for each column (or cell), discs told apart by shape, what the engine says of each move.

import { el, tell } from "./dom.js";
import { strings } from "./strings.js";

const letters = (column) => (column >= 26 ? String.fromCharCode(96 + Math.floor(column / 26)) : "") + String.fromCharCode(97 + (column % 26));

/** The name of a cell, `d2`; column and row count from 0, rows from the bottom. */
export const cellName = (column, row) => `${letters(column)}${row + 1}`;

/** Column and row of a cell by its name. */
const placeOf = (name) => {
  const [, word, row] = /** @type {RegExpMatchArray} */ (name.match(/^([a-z]+)(\d+)$/));
  let column = 0;
  for (const letter of word) column = column * 26 + letter.charCodeAt(0) - 96;
  return { column: column - 1, row: Number(row) - 1 };
};

/** The disc on a cell: `x`, `o` or `.`. */
const at = (board, column, row) => board.rows[board.rules.height - 1 - row][column];

/** The board after more moves, without asking the engine; for previews. */
export const after = (board, labels) => {
  const rows = board.rows.map((row) => [...row]);
  const { rules } = board;
  let side = board.to_move;
  let last;
  for (const label of labels) {
    let place;
    if (rules.gravity) {
      const column = Number(label) - 1;
      const top = rows.findLastIndex((row) => row[column] === ".");
      place = { column, row: rules.height - 1 - top };
    } else place = placeOf(label);
    rows[rules.height - 1 - place.row][place.column] = side === "first" ? "x" : "o";
    last = cellName(place.column, place.row);
    side = side === "first" ? "second" : "first";
  }
  return { ...board, rows: rows.map((row) => row.join("")), to_move: side, last, legal: [], outcome: { state: "preview" } };
};

/** Empty cells that would complete a win, with the sides (`x`, `o`) they would win for. */
export const threats = (board) => {
  const { rules } = board;
  const { width, height, size } = rules;
  const found = new Map();
  const look = (cells) => {
    for (const disc of ["x", "o"]) {
      const own = cells.filter(([c, r]) => at(board, c, r) === disc).length;
      const empty = cells.filter(([c, r]) => at(board, c, r) === ".");
      if (own === cells.length - 1 && empty.length === 1) {
        const name = cellName(...empty[0]);
        if (!found.has(name)) found.set(name, new Set());
        found.get(name).add(disc);
      }
    }
  };
  for (let c = 0; c < width; c++) {
    for (let r = 0; r < height; r++) {
      const on = (/** @type {number[]} */ [x, y]) => x >= 0 && x < width && y >= 0 && y < height;
      const shapes = rules.shape === "square"
        ? [Array.from({ length: size * size }, (_, i) => [c + (i % size), r + Math.floor(i / size)])]
        : [[1, 0], [0, 1], [1, 1], [1, -1]].map(([dx, dy]) => Array.from({ length: size }, (_, i) => [c + i * dx, r + i * dy]));
      for (const cells of shapes) if (cells.every(on)) look(cells);
    }
  }
  return found;
};

const disc = (side, { last = false, won = false, ghost = false } = {}) => {
  const first = side === "x";
  return el("svg", { viewBox: "0 0 100 100", class: `disc ${first ? "first" : "second"}${ghost ? " ghost" : ""}`, "aria-hidden": "true" },
    el("circle", { cx: 50, cy: 50, r: 40, class: "body" }),
    first ? el("circle", { cx: 50, cy: 50, r: 21, class: "ring" }) : el("circle", { cx: 50, cy: 50, r: 11, class: "dot" }),
    last && el("circle", { cx: 50, cy: 50, r: 45.5, class: "last" }),
    won && el("circle", { cx: 50, cy: 50, r: 44, class: "won" }));
};

/** A small disc for text. */
export const badge = (side) => disc(side === "first" ? "x" : "o");

/** The lines through (or the squares around) the winning cells. */
const winMarks = (board) => {
  const { rules, outcome } = board;
  const cells = new Set(outcome.cells);
  const has = (c, r) => c >= 0 && r >= 0 && cells.has(cellName(c, r));
  const x = (c) => c * 100 + 50;
  const y = (r) => (rules.height - 1 - r) * 100 + 50;
  const marks = [];
  for (const name of cells) {
    const { column, row } = placeOf(name);
    if (rules.shape === "square") {
      const whole = Array.from({ length: rules.size ** 2 }, (_, i) => has(column + (i % rules.size), row + Math.floor(i / rules.size)));
      const length = (rules.size - 1) * 100;
      if (whole.every(Boolean)) marks.push(el("rect", { x: x(column), y: y(row) - length, width: length, height: length }));
    } else {
      for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
        if (has(column - dx, row - dy)) continue;
        let length = 0;
        while (has(column + dx * length, row + dy * length)) length += 1;
        if (length >= rules.size) {
          marks.push(el("line", { x1: x(column), y1: y(row), x2: x(column + dx * (length - 1)), y2: y(row + dy * (length - 1)) }));
        }
      }
    }
  }
  return el("svg", { class: "marks", viewBox: `0 0 ${rules.width * 100} ${rules.height * 100}`, "aria-hidden": "true" }, ...marks);
};

/**
 * Draws a position into an element.
 * @param {HTMLElement} home
 * @param {any} board what the engine says of the position, with `last`, the cell of the last move
 * @param {{ play?: (label: string) => void, found?: Map<string, any>, best?: number, fall?: boolean, threats?: boolean,
 *   busy?: boolean, hint?: string }} options
 */
export const draw = (home, board, options = {}) => {
  const { rules } = board;
  const focused = home.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.move : undefined;
  const legal = new Map(board.legal.map((mv) => [mv.move, mv.cell]));
  const last = board.last ?? board.played?.at(-1)?.cell;
  const winning = new Set(board.outcome.cells ?? []);
  const menaces = options.threats ? threats(board) : new Map();
  const over = board.outcome.state === "won" || board.outcome.state === "drawn";
  const mover = board.to_move === "first" ? "x" : "o";

  const attempt = (label, refusal) => {
    if (over) tell(strings.over, true);
    else if (!legal.has(label)) tell(refusal, true);
    else if (!options.busy) options.play?.(label);
  };
  const result = (label) => {
    const found = options.found?.get(label);
    if (!found) return null;
    const best = found.score !== undefined && found.score === options.best;
    return el("span", { class: `result${best ? " best" : ""}` },
      el("span", { class: "sign" }, found.sign), " ", el("span", { class: "words", title: found.words }, strings.brief(found.words)));
  };
  const contents = (column, row) => {
    const name = cellName(column, row);
    const side = at(board, column, row);
    const parts = [el("span", { class: "hole" })];
    if (side !== ".") {
      const shape = disc(side, { last: name === last, won: winning.has(name) });
      if (options.fall && name === last && rules.gravity) {
        shape.classList.add("falls");
        /** @type {any} */ (shape).style.setProperty("--from", String(rules.height - row));
      }
      parts.push(shape);
    } else if (menaces.has(name)) {
      const sides = menaces.get(name);
      parts.push(el("span", { class: "menace", title: strings.threat(name, [...sides].map((s) => strings.player(s === "x" ? "first" : "second").toLowerCase()).join(", ")) },
        `${sides.has("x") ? "◎" : ""}${sides.has("o") ? "•" : ""}${rules.gravity ? row + 1 : ""}`));
    }
    return parts;
  };
  const label = (column, row) => {
    const name = cellName(column, row);
    const side = at(board, column, row);
    return strings.cell(name, side === "." ? "" : side === "x" ? "first" : "second", name === last, winning.has(name));
  };

  const cells = el("div", { class: "cells" });
  for (let row = rules.height - 1; row >= 0; row--) {
    for (let column = 0; column < rules.width; column++) {
      const name = cellName(column, row);
      if (!rules.gravity && at(board, column, row) === ".") {
        cells.append(el("button", {
          type: "button", class: `cell${options.hint === name ? " hinted" : ""}`, "data-move": name,
          "aria-disabled": over || undefined, onclick: () => attempt(name, strings.taken(name)),
        }, el("span", { class: "unseen" }, label(column, row)), ...contents(column, row), disc(mover, { ghost: true }), result(name)));
      } else {
        const cell = el("div", { class: "cell", role: "img", "aria-label": label(column, row) }, ...contents(column, row));
        if (rules.gravity) {
          const column1 = String(column + 1);
          if (legal.get(column1) === name && !over) cell.append(disc(mover, { ghost: true }));
          cell.dataset.column = column1;
          cell.addEventListener("click", () => attempt(column1, strings.full(column1)));
        } else cell.addEventListener("click", () => attempt(name, strings.taken(name)));
        cells.append(cell);
      }
    }
  }
  if (board.outcome.state === "won") cells.append(winMarks(board));

  const tops = rules.gravity && el("div", { class: "tops" }, ...Array.from({ length: rules.width }, (_, index) => {
    const column = String(index + 1);
    const lands = legal.get(column);
    return el("button", {
      type: "button", class: `top${options.hint === column ? " hinted" : ""}`, "data-move": column,
      "aria-disabled": !lands || !options.play || undefined,
      onclick: () => attempt(column, strings.full(column)),
    }, el("span", { class: "name" }, el("span", { class: "arrow", "aria-hidden": "true" }, "▼"), el("span", { class: "unseen" }, strings.columnName), column,
      el("span", { class: "unseen" }, strings.landing(lands))), result(column));
  }));

  const drawn = el("div", {
    class: `board${over ? " over" : ""}${options.busy ? " busy" : ""}${options.play ? "" : " still"}`, role: "group", "aria-label": strings.board(rules.title),
  }, tops, cells);
  drawn.style.setProperty("--columns", String(rules.width));
  drawn.style.setProperty("--rows", String(rules.height));
  drawn.addEventListener("keydown", (event) => steer(event, drawn, rules));
  const point = (column) => {
    for (const cell of cells.children) {
      cell.classList.toggle("aimed", column !== undefined && /** @type {HTMLElement} */ (cell).dataset.column === column);
    }
  };
  const aim = (event) => {
    const target = /** @type {HTMLElement} */ (event.target).closest("[data-column], .top");
    point(target && (/** @type {HTMLElement} */ (target).dataset.column ?? /** @type {HTMLElement} */ (target).dataset.move));
  };
  if (rules.gravity) {
    drawn.addEventListener("mouseover", aim);
    drawn.addEventListener("focusin", aim);
    drawn.addEventListener("mouseleave", () => point(undefined));
    drawn.addEventListener("focusout", () => point(undefined));
  }
  home.replaceChildren(drawn);
  if (focused) /** @type {HTMLElement | null} */ (home.querySelector(`[data-move="${focused}"]`))?.focus();
};

/** Arrow keys go from column to column, or from empty cell to empty cell. */
const steer = (event, drawn, rules) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const step = steps[event.key];
  const from = /** @type {HTMLElement} */ (event.target).dataset?.move;
  if (!step || !from) return;
  event.preventDefault();
  if (rules.gravity) {
    const to = Number(from) + step[0];
    drawn.querySelector(`.top[data-move="${to}"]`)?.focus();
    return;
  }
  let { column, row } = placeOf(from);
  for (;;) {
    column += step[0];
    row += step[1];
    if (column < 0 || row < 0 || column >= rules.width || row >= rules.height) return;
    const button = drawn.querySelector(`button[data-move="${cellName(column, row)}"]`);
    if (button) return button.focus();
  }
};

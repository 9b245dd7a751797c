// The board: a button for each column (or cell), discs told apart by shape, what the engine says of each move.

import { el, tell } from "./dom.js";
import { strings } from "./strings.js";

const letters = (column) => (column >= 26 ? String.fromCharCode(96 + Math.floor(column / 26)) : "") + String.fromCharCode(97 + (column % 26));

/** The name of a cell, `d2`; column and row count from 0, rows from the bottom. */
export const cellName = (column, row) => `${letters(column)}${row + 1}`;

/** Column and row of a cell by its name. */
export const placeOf = (name) => {
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

/** A star of five points around the middle of a disc. */
const STAR = Array.from({ length: 10 }, (_, i) => {
  const [angle, r] = [(Math.PI * i) / 5, i % 2 ? 11 : 25];
  return `${(50 + r * Math.sin(angle)).toFixed(1)},${(51 - r * Math.cos(angle)).toFixed(1)}`;
}).join(" ");

/** A disc: red with a ring, or yellow with a star, so that nothing depends on colour. */
const disc = (side, kind = "") => {
  const first = side === "x";
  return el("svg", { viewBox: "0 0 100 100", class: `disc ${first ? "first" : "second"}${kind ? ` ${kind}` : ""}`, "aria-hidden": "true" },
    el("circle", { cx: 50, cy: 50, r: 43.5, class: "rim" }), el("circle", { cx: 50, cy: 50, r: 38.5, class: "body" }),
    el("path", { class: "shade", d: "M 13 57 A 38.5 38.5 0 0 0 87 57 A 40 40 0 0 1 13 57" }),
    first ? el("circle", { cx: 50, cy: 50, r: 18, class: "ring" }) : el("polygon", { points: STAR, class: "star" }));
};

/** A small disc for text. */
export const badge = (side) => disc(side === "first" ? "x" : "o", "badge");

/**
 * What a board shows beside its discs.
 * @typedef {object} Look
 * @property {(label: string) => void} [play] what a chosen move does; none for a board to look at
 * @property {Map<string, any>} [found] what is known of each move
 * @property {number} [best] the best score among them
 * @property {boolean} [threats] show the cells that would complete a win
 * @property {boolean} [busy] it is somebody else's turn
 * @property {string} [hint] a move to mark
 * @property {string} [bad] the cell of a move that was wrong
 * @property {(column: number, row: number) => void} [edit] what a click on a cell does while a position is set up
 * @property {Map<string, Mark>} [marks] marks on cells, by their names
 * @property {boolean} [quiet] a board to look at: a click says nothing
 */

/** @typedef {{ kind: string, tag?: string, side?: string }} Mark classes, a word above the cell, a pale disc (`x`, `o`) in it */

/** One cell of a board: its element, and what it shows. */
class CellView {
  /** @param {BoardView} view @param {number} column @param {number} row */
  constructor(view, column, row) {
    this.view = view;
    this.column = column;
    this.row = row;
    this.name = cellName(column, row);
    this.side = ".";
    this.told = "";
    /** @type {any} */
    this.disc = undefined;
    const { gravity } = view.rules;
    this.move = gravity ? String(column + 1) : this.name;
    this.words = el("span", { class: "unseen" });
    this.element = gravity
      ? el("div", { class: "cell", role: "gridcell", "data-column": this.move }, el("span", { class: "hole" }))
      : el("button", { type: "button", role: "gridcell", class: "cell", "data-move": this.name }, this.words, el("span", { class: "hole" }));
    this.element.addEventListener("click", () => view.attempt(this.move, this));
  }

  /** Puts a disc there, takes it away, or leaves it. @param {string} side @param {boolean} fall */
  put(side, fall) {
    if (side === this.side) return;
    this.side = side;
    this.disc?.remove();
    this.disc = undefined;
    if (side === ".") return;
    this.disc = disc(side);
    if (fall) {
      const rows = this.view.rules.height - this.row;
      this.disc.classList.add("falls");
      this.disc.style.setProperty("--rows", String(rows));
      this.disc.style.setProperty("--time", `${Math.round(130 * Math.sqrt(rows) / 0.78)}ms`);
      this.disc.addEventListener("animationend", () => this.disc?.classList.remove("falls"), { once: true });
    }
    this.element.append(this.disc);
  }

  /** Says what the cell holds. @param {string} text */
  tell(text) {
    if (text === this.told) return;
    this.told = text;
    if (this.view.rules.gravity) this.element.setAttribute("aria-label", text);
    else this.words.textContent = text;
  }
}

/** A drawn board, changed where the position changes. */
class BoardView {
  /** @param {any} rules */
  constructor(rules) {
    this.rules = rules;
    /** @type {Look} */
    this.look = {};
    /** Legal moves with the cells they fill. @type {Map<string, string>} */
    this.legal = new Map();
    this.over = false;
    this.shown = false;
    /** @type {any} */
    this.board = undefined;
    const { width, height, gravity } = rules;
    /** @type {CellView[]} */
    this.cells = [];
    const grid = el("div", { class: "grid", role: "grid", "aria-label": strings.cells, "aria-rowcount": height, "aria-colcount": width });
    for (let row = height - 1; row >= 0; row--) {
      const line = el("div", { class: "grid", role: "row", "aria-rowindex": height - row });
      for (let column = 0; column < width; column++) {
        const cell = new CellView(this, column, row);
        this.cells.push(cell);
        line.append(cell.element);
      }
      grid.append(line);
    }
    this.grid = el("div", { class: "cells" }, grid, el("span", { class: "front", "aria-hidden": "true" }));
    this.tops = !gravity ? [] : Array.from({ length: width }, (_, index) => {
      const move = String(index + 1);
      const words = el("span", { class: "unseen" });
      const held = el("span", { class: "held", "aria-hidden": "true" });
      const button = el("button", { type: "button", class: "top", "data-move": move, onclick: () => this.attempt(move) },
        el("span", { class: "unseen" }, strings.columnName, move), words, held);
      return { move, button, words, held, result: null };
    });
    const rail = gravity && el("div", { class: "rail", "aria-hidden": "true" }, ...this.tops.map(({ move }) => el("span", {}, move)));
    this.element = el("div", { class: "board", role: "group", "aria-label": strings.board(rules.title) },
      gravity && el("div", { class: "tops" }, ...this.tops.map(({ button }) => button)), el("div", { class: "body" }, this.grid, rail));
    this.element.style.setProperty("--columns", String(width));
    this.element.style.setProperty("--rows", String(height));
    this.element.classList.toggle("loose", !gravity);
    this.element.addEventListener("keydown", (event) => steer(event, this.element, rules));
    this.element.addEventListener("read", (event) => tell(this.read(/** @type {CustomEvent} */ (event).detail)));
    if (gravity) this.listen();
  }

  /** The column, the row or the threats in words, for those who listen. @param {string} what `C`, `R` or `T` */
  read(what) {
    const name = (cell) => strings.cell(cell.name, cell.side === "." ? "" : cell.side === "x" ? "first" : "second");
    if (what === "T") {
      const found = [...threats(this.board)].map(([cell, sides]) => strings.threat(cell, [...sides].map((side) => strings.player(side === "x" ? "first" : "second")).join(", ")));
      return found.length ? `${found.join(". ")}.` : strings.noThreats;
    }
    const here = this.focus();
    if (what === "C") return strings.readColumn(here.column + 1, this.cells.filter(({ column }) => column === here.column).reverse().map(name));
    return strings.readRow(here.row + 1, this.cells.filter(({ row }) => row === here.row).map(name));
  }

  /** Where the reader is: the cell with the focus, or where a disc would land in the column with the focus; else where the last one fell. */
  focus() {
    const move = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.move ?? this.aimed;
    const name = (move && (this.legal.get(move) ?? move)) || this.last || "a1";
    return /^[a-z]/.test(name) ? placeOf(name) : { column: Number(name) - 1, row: this.rules.height - 1 };
  }

  /** Pointing at a column, or stepping to it, holds a disc above it. */
  listen() {
    const aim = (event) => {
      const target = /** @type {HTMLElement} */ (event.target).closest("[data-column], .top");
      this.point(target && (/** @type {HTMLElement} */ (target).dataset.column ?? /** @type {HTMLElement} */ (target).dataset.move));
    };
    this.element.addEventListener("mouseover", aim);
    this.element.addEventListener("focusin", aim);
    this.element.addEventListener("mouseleave", () => this.point(undefined));
    this.element.addEventListener("focusout", () => this.point(undefined));
  }

  /** @param {string | null | undefined} move the column that is aimed at */
  point(move) {
    this.aimed = move ?? undefined;
    for (const { element } of this.cells) element.classList.toggle("aimed", move !== undefined && element.dataset.column === move);
    for (const top of this.tops) top.button.classList.toggle("aimed", top.move === move);
  }

  /** Tries to make a move: what cannot be played is refused in words. @param {string} move @param {CellView} [cell] where that was clicked */
  attempt(move, cell) {
    const { gravity, height } = this.rules;
    if (this.look.quiet) return;
    // Above the board a click means the top of the column.
    if (this.look.edit) return this.look.edit(cell?.column ?? Number(move) - 1, cell?.row ?? height - 1);
    if (this.over) return tell(strings.over, true);
    if (!this.legal.has(move)) {
      const top = this.tops.find((top) => top.move === move);
      top?.held.animate?.([{ translate: "-4px" }, { translate: "4px" }, { translate: "0" }], { duration: 120, iterations: 2 });
      return tell(gravity ? strings.full(move) : strings.taken(move), true);
    }
    if (!this.look.busy) this.look.play?.(move);
  }

  /** Shows a position. @param {any} board @param {Look} look */
  show(board, look) {
    this.look = look;
    this.board = board;
    this.legal = new Map(board.legal.map((mv) => [mv.move, mv.cell]));
    this.over = board.outcome.state === "won" || board.outcome.state === "drawn";
    const last = board.last ?? board.played?.at(-1)?.cell;
    this.last = last;
    const winning = new Set(board.outcome.cells ?? []);
    const menaces = look.threats ? threats(board) : new Map();
    const mover = board.to_move === "first" ? "x" : "o";
    // A board that is shown for the first time is there; later, a single new disc falls.
    const fresh = this.shown ? this.cells.filter((cell) => cell.side === "." && at(board, cell.column, cell.row) !== ".") : [];
    const falls = fresh.length === 1 && this.rules.gravity ? fresh[0] : undefined;
    this.shown = true;
    const lands = new Map([...this.legal].map(([move, cell]) => [cell, move]));
    const order = [...winning].sort();
    for (const cell of this.cells) {
      const side = at(board, cell.column, cell.row);
      cell.put(side, cell === falls);
      const { element, name } = cell;
      element.classList.toggle("last", name === last);
      element.classList.toggle("won", winning.has(name));
      element.style.setProperty("--turn", String(Math.max(0, order.indexOf(name))));
      element.classList.toggle("hinted", look.hint === name || (this.rules.gravity && look.hint !== undefined && lands.get(name) === look.hint));
      element.classList.toggle("bad", look.bad === name);
      cell.tell(strings.cell(name, side === "." ? "" : side === "x" ? "first" : "second", name === last, winning.has(name)));
      this.ghost(cell, !this.over && lands.has(name) ? mover : "");
      this.menace(cell, menaces.get(name));
      this.mark(cell, look.marks?.get(name));
      if (!this.rules.gravity) {
        element.toggleAttribute("data-taken", side !== ".");
        this.disable(element, this.over || side !== ".");
        this.result(cell, name);
      }
    }
    for (const top of this.tops) {
      const cell = this.legal.get(top.move);
      this.disable(top.button, !look.edit && (!cell || !look.play));
      top.words.textContent = strings.landing(cell);
      top.held.replaceChildren(disc(mover));
      top.button.classList.toggle("hinted", look.hint === top.move);
      this.result(top, top.move);
    }
    const { classList } = this.element;
    classList.toggle("over", this.over);
    classList.toggle("won", board.outcome.state === "won");
    classList.toggle("busy", Boolean(look.busy));
    classList.toggle("still", !look.play);
  }

  /** @param {HTMLElement} element @param {boolean} disabled */
  disable(element, disabled) {
    if (disabled) element.setAttribute("aria-disabled", "true");
    else element.removeAttribute("aria-disabled");
  }

  /** The shadow of a disc that would land there. @param {any} cell @param {string} side */
  ghost(cell, side) {
    if (cell.ghost === side) return;
    cell.ghost = side;
    cell.shadow?.remove();
    cell.shadow = side ? disc(side, "ghost") : undefined;
    if (cell.shadow) cell.element.append(cell.shadow);
  }

  /** The mark of a cell that would complete a win. @param {any} cell @param {Set<string> | undefined} sides */
  menace(cell, sides) {
    cell.mark?.remove();
    cell.mark = undefined;
    if (!sides || cell.side !== ".") return;
    const who = [...sides].map((s) => strings.player(s === "x" ? "first" : "second").toLowerCase()).join(", ");
    cell.tell(`${cell.told}, ${strings.threatens(who)}`);
    // The sign is drawn by the style sheet: the name of the cell says it in words.
    const sign = `${sides.has("x") ? "◎" : ""}${sides.has("o") ? "★" : ""}${this.rules.gravity ? cell.row + 1 : ""}`;
    cell.mark = el("span", { "aria-hidden": "true", "data-sign": sign, class: `menace${sides.has("x") ? " x" : ""}${sides.has("o") ? " o" : ""}`, title: strings.threat(cell.name, who) });
    cell.element.append(cell.mark);
  }

  /** What a page marks on a cell. @param {any} cell @param {Mark | undefined} mark */
  mark(cell, mark) {
    cell.note?.remove();
    cell.note = mark && el("span", { class: `note ${mark.kind}${cell.row === this.rules.height - 1 ? " low" : ""}`, "aria-hidden": "true" }, mark.side && disc(mark.side, "pale"), mark.tag && el("b", {}, mark.tag));
    if (cell.note) cell.element.append(cell.note);
  }

  /** What is known of a move. @param {any} place a column or a cell @param {string} move */
  result(place, move) {
    const found = this.look.found?.get(move);
    place.chip?.remove();
    place.chip = undefined;
    if (!found) return;
    const best = found.best ?? (found.score !== undefined && found.score === this.look.best);
    place.chip = el("span", { class: `result ${found.kind ?? "open"}${best ? " best" : ""}${found.guess ? " guess" : ""}`, title: found.words },
      el("span", { class: "word" }, found.word), " ", el("span", { class: "when" }, found.when), el("span", { class: "sign", "aria-hidden": "true" }, found.sign),
      best && el("span", { class: "unseen" }, strings.bestMove));
    (place.button ?? place.element).append(place.chip);
  }
}

/** The board that is drawn in an element. @type {WeakMap<HTMLElement, BoardView>} */
const views = new WeakMap();

/**
 * Draws a position into an element. Drawn there again, only what has changed is changed, and a new disc falls.
 * @param {HTMLElement} home
 * @param {any} board what the engine says of the position, with `last`, the cell of the last move
 * @param {Look} [look]
 */
export const draw = (home, board, look = {}) => {
  let view = views.get(home);
  if (!view || view.rules.game !== board.rules.game || view.element.parentElement !== home) {
    view = new BoardView(board.rules);
    views.set(home, view);
    home.replaceChildren(view.element);
  }
  view.show(board, look);
};

/** Arrow keys go from column to column, or from empty cell to empty cell. */
const steer = (event, drawn, rules) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const step = steps[event.key];
  const from = /** @type {HTMLElement} */ (event.target).dataset?.move;
  // After a click the arrows belong to the page: they step through the moves.
  if (!step || !from || !/** @type {HTMLElement} */ (event.target).matches(":focus-visible")) return;
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
    const button = drawn.querySelector(`button[data-move="${cellName(column, row)}"]:not([data-taken])`);
    if (button) return button.focus();
  }
};

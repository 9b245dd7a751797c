// What the pages share beside the board: choosing the game, the list of moves, the results of a solve.

import { badge } from "./board.js";
import { engine } from "./client.js";
import { button, el, tell } from "./dom.js";
import { signed, strings } from "./strings.js";

const KNOWN = [["7x6c4", "Connect Four"], ["7x6s2", "Connect 4 in a Square"], ["3x3c3f", "Tic-tac-toe"]];

/** A list of games, with a box for any other rules. @param {any} rules @param {(game: string) => void} choose */
export const gamePicker = (rules, choose) => {
  const known = KNOWN.some(([game]) => game === rules.game);
  const box = el("form", { class: "row other", hidden: known, novalidate: true },
    el("label", { class: "grow" }, el("span", { class: "caption" }, strings.otherGameLabel),
      el("input", { name: "rules", value: rules.game, autocomplete: "off", spellcheck: "false", "aria-describedby": "rules-hint" })),
    el("button", { type: "submit" }, strings.use),
    el("small", { id: "rules-hint", class: "wide" }, strings.otherGameHint));
  box.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = /** @type {HTMLInputElement} */ (box.querySelector("input")).value.trim();
    try {
      choose((await engine.rules(text)).game);
    } catch (error) {
      tell(error.message, true);
    }
  });
  const list = el("select", {
    onchange: (event) => {
      const { value } = event.target;
      box.hidden = value !== "";
      if (value) choose(value);
      else box.querySelector("input").focus();
    },
  }, ...KNOWN.map(([game, title]) => el("option", { value: game, selected: game === rules.game }, title)),
    el("option", { value: "", selected: !known }, known ? strings.otherGame : rules.title));
  return el("div", {}, el("label", {}, el("span", { class: "caption" }, strings.game), list), box);
};

/** The moves so far, two by two; each can be gone to. @param {any} board @param {(ply: number) => void} [visit] @param {number} [now] */
export const moveList = (board, visit, now = board.played?.length) => {
  if (!board.played?.length) return el("p", { class: "muted" }, strings.noMoves);
  const items = [];
  board.played.forEach((mv, index) => {
    if (index % 2 === 0) items.push(el("li", {}, el("span", { class: "number" }, `${index / 2 + 1}.`)));
    const current = index + 1 === now;
    items.at(-1)?.append(visit
      ? button(mv.cell, () => visit(index + 1), { class: "ply", "aria-current": current ? "true" : undefined, "aria-label": `${index + 1}: ${strings.player(mv.side)}, ${mv.cell}` })
      : el("span", { class: "ply" }, mv.cell));
  });
  return el("ol", { class: "moves", "aria-label": strings.moves }, ...items);
};

/** What the engine says of a move, as it is shown: `Win` `in 9`, in short `W9`. */
export const shown = (column) => {
  const { verdict, score } = column;
  if (!verdict) return { kind: "open", word: "?", when: "", sign: "?", words: strings.between(signed(column.lower), signed(column.upper)) };
  const [kind, word, letter] = strings.results[verdict.result];
  const moves = verdict.result === "draw" ? "" : strings.movesTo(verdict);
  return { kind, word, when: moves && strings.inMoves(moves), sign: `${letter}${moves}`, words: column.words ?? word, score };
};

/** Whose turn it is, with the disc. */
export const turn = (side, text) => el("p", { class: "turn" }, badge(side), text);

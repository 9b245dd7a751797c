// The opening explorer: each move's exact result, and how it went when you played it.

import { words } from "./analyse-strings.js";
import { after } from "./board.js";
import { button, el } from "./dom.js";
import { kept } from "./kept.js";
import { shown } from "./picker.js";
import { strings } from "./strings.js";
import { moves as split } from "./variations.js";

/** Plies that the opening book of the standard game covers. */
const BOOK = 8;

const mirrored = (row) => [...row].reverse().join("");

/** Whether a board is its own mirror image. */
const symmetric = ({ rows, rules }) => rules.gravity && rows.every((row) => row === mirrored(row));

/** The games kept on this device that reached this position, with the move played next. @param {any} study */
const ownGames = ({ board, rules, memory }) => {
  const empty = { rules, to_move: "first", rows: Array.from({ length: rules.height }, () => ".".repeat(rules.width)) };
  const here = board.rows.join("/");
  const flipped = board.rows.map(mirrored).join("/");
  memory.own ??= kept.games;
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (const { game, moves, you, result } of memory.own) {
    if (game !== rules.game || (you !== "first" && you !== "second")) continue;
    const labels = split(rules, moves);
    if (labels.length <= board.ply) continue;
    const rows = after(empty, labels.slice(0, board.ply)).rows.join("/");
    if (rows !== here && !(rules.gravity && rows === flipped)) continue;
    const next = labels[board.ply];
    const label = rows === here ? next : String(rules.width + 1 - Number(next));
    const points = result === "draw" ? 0.5 : result === you ? 1 : 0;
    const [games, score] = found.get(label) ?? [0, 0];
    found.set(label, [games + 1, score + points]);
  }
  return found;
};

/** One row: a move (two, if they mirror each other), its result, own games. */
const row = (study, labels, own) => {
  const { answer, act } = study;
  const column = answer?.columns.find(({ move }) => move === labels[0]);
  const result = column && shown(column);
  const [games, score] = labels.reduce(([n, s], label) => [n + (own.get(label)?.[0] ?? 0), s + (own.get(label)?.[1] ?? 0)], [0, 0]);
  const share = Math.round((100 * score) / games);
  return el("tr", {},
    el("th", { scope: "row" }, ...labels.map((label) => button(label, () => act.play([label]), { "aria-label": strings.place(study.rules, label), class: "mv" }))),
    el("td", {}, result ? el("span", { class: `pill ${result.kind}` }, `${result.word} ${result.when}`) : strings.waiting),
    games ? el("td", {}, el("span", { "aria-hidden": "true" }, words.explorerScore(games, share)), el("span", { class: "unseen" }, words.explorerScoreSaid(games, share))) : el("td", { class: "muted" }, words.explorerNone));
};

/** @param {any} study */
export const explorer = (study) => {
  const { board, rules, path, answer } = study;
  const own = ownGames(study);
  const rank = ({ move }) => answer?.columns.find((column) => column.move === move)?.score ?? -Infinity;
  const twin = symmetric(board);
  const labels = [...board.legal].sort((one, other) => rank(other) - rank(one)).map(({ move }) => move)
    .filter((label) => !twin || Number(label) <= (rules.width + 1) / 2)
    .map((label) => (twin && Number(label) !== rules.width + 1 - Number(label) ? [label, String(rules.width + 1 - Number(label))] : [label]));
  return [el("div", { class: "pad grow explorer" },
    el("p", { class: "muted small" }, path.length ? words.explorerAfter(path.join(rules.gravity ? "" : " ")) : words.explorerStart),
    el("div", { class: "scroll" }, el("table", {},
      el("thead", {}, el("tr", {}, ...[words.explorerColumn, words.explorerResult, words.explorerGames].map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", {}, ...labels.map((pair) => row(study, pair, own))))),
    el("p", { class: "note" }, answer?.from_book ? words.explorerBook(BOOK) : words.explorerSearch, " ", words.explorerOwn))];
};

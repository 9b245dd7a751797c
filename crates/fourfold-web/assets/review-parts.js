// The parts of a reviewed game: its head, the graph, the moments. What they show is in a `Tale`; they change nothing.

import { after, badge } from "./board.js";
import { el } from "./dom.js";
import { face, ownFace } from "./opponents.js";
import { named, words } from "./review-strings.js";
import { strings } from "./strings.js";
import { discsOf, thumbnail } from "./thumbnail.js";

/**
 * A game that is told.
 * @typedef {object} Tale
 * @property {string} key which game it is
 * @property {any} whole the last position, as the engine answers
 * @property {string[]} labels the moves
 * @property {import("./review-strings.js").Names} names
 * @property {Record<string, { you?: boolean, name: string, place?: number }>} seats who sits where
 * @property {"first" | "second" | undefined} won who won without a win on the board, by the clock or because the other resigned
 * @property {any[]} judged what is found about each move so far
 * @property {any} [answer] the whole review
 */

/** The side that makes the move at a ply. @param {number} ply */
export const sideAt = (ply) => (ply % 2 === 0 ? "first" : "second");

/** The position after so many moves. @param {Tale} tale @param {number} ply */
export const boardAt = ({ whole, labels }, ply) => {
  if (ply === labels.length) return whole;
  const rows = whole.rows.map((row) => ".".repeat(row.length));
  const empty = { ...whole, rows, to_move: "first", played: [], legal: [], outcome: { state: "preview" } };
  return ply ? after(empty, labels.slice(0, ply)) : empty;
};

/** The moment at a move, if it is one. @param {Tale} tale @param {number} ply discs before the move */
export const momentAt = ({ answer }, ply) => answer?.moments.find((moment) => moment.ply === ply);

/** Whether a better move is to be shown beside the one that was played. @param {any} mv */
export const isMistake = (mv) => mv?.judgement === "blunder" || mv?.judgement === "inaccuracy";

/** A move in a sentence. @param {Tale} tale @param {string} label */
export const placeName = ({ whole }, label) => strings.place(whole.rules, label);

/** What is marked on the board after a move. @param {Tale} tale @param {number} ply discs before the move */
export const marksOf = (tale, ply) => {
  /** @type {Map<string, import("./board.js").Mark>} */
  const marks = new Map();
  const mv = tale.judged[ply];
  if (!mv) return marks;
  const moment = momentAt(tale, ply);
  const fact = [moment?.missed, ...(moment?.allowed ?? [])].find((fact) => fact?.cells);
  if (fact) {
    // A threat that was ignored or opened is the other side's.
    const first = (fact.by === "first") !== (fact.fact === "ignores" || fact.fact === "opens");
    for (const cell of fact.cells) marks.set(cell, { kind: `threat ${first ? "x" : "o"}` });
  }
  if (isMistake(mv)) {
    const better = moment?.better ?? mv.best.moves[0];
    const { last } = after(boardAt(tale, ply), [better]);
    marks.set(last, { kind: "better", tag: words.betterTag, side: mv.side === "first" ? "x" : "o" });
    marks.set(mv.cell, { kind: "slip", tag: words.playedTag });
  } else if (moment?.kind === "only_move") marks.set(mv.cell, { kind: "better", tag: words.onlyTag });
  return marks;
};

/** Whose face it is, or the disc of the side. @param {Tale} tale @param {string} side */
const portrait = ({ seats }, side) => {
  const seat = seats[side];
  if (seat.you) return ownFace();
  return seat.place === undefined ? badge(side) : face(seat.name, seat.place);
};

/** How the game ended. @param {Tale} tale */
const ending = ({ whole, names, labels, won }) => {
  const { state, by } = whole.outcome;
  if (state === "ongoing" && won) return words.wonAfter(names[won], labels.length);
  if (state === "won") return words.wonOn(names[by], Math.ceil(labels.length / 2));
  return state === "drawn" ? words.drawnAfter(labels.length) : words.unfinished(labels.length);
};

/** The headline, from the side of whoever looks; otherwise of whoever has most to tell. @param {Tale} tale */
export const headlineOf = (tale) => {
  const { answer, seats, whole, names } = tale;
  if (!answer) return words.looking;
  const { by } = whole.outcome;
  const looks = seats.first.you ? "first" : seats.second.you ? "second" : by === "first" ? "second" : by ? "first" : "first";
  const told = answer.headline[looks] ?? answer.headline[looks === "first" ? "second" : "first"];
  return told ? named(told.words, names) : words.noHeadline;
};

/** Headline and accuracy of both. @param {Tale} tale */
export const head = (tale) => {
  const { answer, names, judged, labels, seats } = tale;
  const order = seats.second.you ? ["second", "first"] : ["first", "second"];
  const done = judged.filter(Boolean).length;
  const shares = answer
    ? el("div", { class: "shares" }, ...order.map((side) => {
      const { accuracy } = answer[side];
      const fill = el("i", { class: side });
      fill.style.setProperty("--share", `${100 * (accuracy ?? 0)}%`);
      return el("div", { class: "share", role: "group", "aria-label": words.accuracyOf(names[side], accuracy) },
        portrait(tale, side), el("div", {}, el("b", {}, accuracy === null ? words.noChoice : words.accuracy(accuracy)), el("span", {}, names[side])),
        el("span", { class: "meter" }, fill), el("small", {}, words.slips(answer[side])));
    }))
    : el("div", { class: "waiting" }, progressBar(done, labels.length), el("small", {}, words.progress(done, labels.length)));
  return el("header", { class: "story-head" }, el("p", { class: "eyebrow" }, ending(tale)), el("h2", { class: "headline" }, headlineOf(tale)), shares);
};

/** @param {number} done @param {number} all */
const progressBar = (done, all) => el("progress", { max: all, value: done, "aria-label": words.looking });

/** The graph: up is good for Red, down for Yellow; the moments are pinned to it. @param {Tale} tale @param {number} now @param {(ply: number) => void} visit */
export const graph = (tale, now, visit) => {
  const { judged, labels, whole } = tale;
  const { rules } = whole;
  const most = Math.ceil((rules.width * rules.height) / 2);
  const step = 344 / Math.max(labels.length, 8);
  const width = Math.min(step * 0.86, 26);
  const middle = (ply) => step * (ply + 0.5);
  const bars = labels.flatMap((_, ply) => {
    const mv = judged[ply];
    if (!mv?.judgement) return [];
    const score = mv.side === "first" ? mv.played.score : -mv.played.score;
    const tall = score ? 8 + (40 * Math.min(Math.abs(score), most)) / most : 2;
    return [el("rect", { class: score > 0 ? "up" : score < 0 ? "down" : "even", x: middle(ply) - width / 2, y: score > 0 ? 60 - tall : score < 0 ? 60 : 59, width, height: tall, rx: Math.min(2.5, width / 3) })];
  });
  const pins = (tale.answer?.moments ?? []).map((moment, index) => {
    const [x, y] = [middle(moment.ply), moment.side === "first" ? 12 : 108];
    const on = moment.ply + 1 === now;
    return el("g", { class: `pin${on ? " on" : ""}` }, el("line", { x1: x, x2: x, y1: y, y2: 60 }), el("circle", { cx: x, cy: y, r: 11 }), el("text", { x, y: y + 4.5 }, String(index + 1)));
  });
  const band = now > 0 && el("rect", { class: "band", x: middle(now - 1) - step / 2, y: 0, width: step, height: 120 });
  const touch = labels.map((_, ply) => el("rect", { class: "touch", x: middle(ply) - step / 2, y: 0, width: step, height: 120, onclick: () => visit(ply + 1) }));
  return el("svg", { class: "course", viewBox: "-12 0 368 122", role: "img", "aria-label": words.graph }, band, ...bars, el("line", { class: "axis", x1: 0, x2: 344, y1: 60, y2: 60 }), ...pins, ...touch);
};

/**
 * A moment: a card that opens.
 * @param {Tale} tale @param {any} moment @param {number} index @param {boolean} open @param {() => void} choose @param {any[]} inside what it shows when it is open
 */
export const card = (tale, moment, index, open, choose, inside) => {
  const { width, height } = tale.whole.rules;
  const before = boardAt(tale, moment.ply);
  const { cell } = tale.judged[moment.ply];
  const rings = moment.kind === "only_move" || !moment.better ? `+ ${cell}` : `+ ${after(before, [moment.better]).last} - ${cell}`;
  const id = `moment-${index + 1}`;
  const top = el("button", { type: "button", class: "moment-head", "aria-expanded": String(open), "aria-controls": id, onclick: choose },
    el("span", { class: "no" }, String(index + 1)), " ",
    el("span", { class: "what" }, el("b", {}, named(moment.title, tale.names)), " ", el("small", {}, words.move(moment.number, tale.names[moment.side]))),
    thumbnail(width, height, `${discsOf(before)} ${rings}`));
  return el("li", { class: `moment${open ? " open" : ""}` }, el("h3", {}, top), el("div", { id, class: "moment-body", hidden: !open }, ...inside));
};

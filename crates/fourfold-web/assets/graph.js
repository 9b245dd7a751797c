// The graph over a line of moves: who stands better after each, and which moves were mistakes.

import { words } from "./analyse-strings.js";
import { engine } from "./client.js";
import { el, joined } from "./dom.js";
import * as variations from "./variations.js";

/** The marks of mistakes. */
const MARKS = { blunder: "??", inaccuracy: "?" };

/** The nodes of the line that goes through here, without the root. @param {variations.Node} at */
const lineThrough = (at) => {
  const nodes = [];
  for (let node = variations.endOf(at); node.parent; node = node.parent) nodes.unshift(node);
  return nodes;
};

/**
 * Judges the moves of the line and shows them as bars, up for Red, down for Yellow. Nothing for a position that was set up: what
 * went before is not known.
 * @param {any} study
 */
export const lineGraph = async (study) => {
  const { memory, rules, signal, at, now, act } = study;
  const nodes = lineThrough(at);
  memory.graph = null;
  if (now.position || !nodes.length) return;
  const moves = joined(rules, nodes.map(({ move }) => move));
  memory.reviews ??= new Map();
  const key = `${rules.game} ${moves}`;
  if (!memory.reviews.has(key)) memory.reviews.set(key, await engine.review(rules.game, moves, () => undefined, signal));
  if (signal.aborted) return;
  const { judged } = memory.reviews.get(key);
  memory.marks = new Map(nodes.map((node, index) => [node, MARKS[judged[index]?.judgement] ?? ""]));
  memory.graph = draw(study, nodes, judged);
  await act.refresh();
};

/** @param {any} study @param {variations.Node[]} nodes @param {any[]} judged */
const draw = ({ rules, at, act }, nodes, judged) => {
  const most = Math.ceil((rules.width * rules.height) / 2);
  const bars = judged.map(({ side, played }, index) => {
    const score = played ? (side === "first" ? played.score : -played.score) : 0;
    const bar = el("span", { class: `${score > 0 ? "red" : score < 0 ? "yellow" : "level"}${nodes[index] === at ? " here" : ""}`, onclick: () => act.visit(nodes[index], { replace: true }) }, el("i", {}));
    bar.style.setProperty("--size", String(score ? 0.3 + (0.7 * Math.abs(score)) / most : 0));
    return bar;
  });
  return el("div", { class: "line-graph", role: "img", "aria-label": words.graph }, ...bars);
};

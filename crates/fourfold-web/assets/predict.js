// Predicting a search: before each step one says what comes next, and is told whether that is right, and why.

import { button, el } from "./dom.js";
import { guess as words, signs } from "./microscope-strings.js";
import { brief } from "./tree.js";

/** Steps that nobody is asked about: they follow from the switches, or are no choice. */
const UNASKED = ["deepen", "prefer", "skip", "early-win"];
/** Values to choose among, if the tree has so many. */
const CHOICES = 3;

/**
 * @param {any} answer the search @param {{ nameOf: (id: number) => string, sentence: (step: any) => string, now: () => { at: number, shown: any },
 *   advance: (to: number) => void, say: (text: string, wrong?: boolean) => void, leave: () => void }} walk how it is walked through
 */
export const predictor = (answer, walk) => {
  const { steps, nodes } = answer;
  const pruning = answer.algorithm === "alphabeta";
  const question = el("p", { class: "question" });
  const verdict = el("p", { class: "verdict-line" });
  const answers = el("div", { class: "buttons" });
  const score = el("output", { class: "score-line", title: words.scoreTitle });
  const bar = el("div", { class: "predict" }, verdict, question, answers);
  let [right, asked] = [0, 0];
  /** Whether the current question has been answered wrongly. */
  let missed = false;

  /** The next step that is asked about; those before it are shown at once. */
  const upcoming = () => {
    for (;;) {
      const { at } = walk.now();
      const next = steps[at + 1];
      const entered = next?.step === "recall" && steps[at].step === "enter" && steps[at].node === next.node;
      if (!next || !(UNASKED.includes(next.step) || entered)) return next;
      walk.advance(at + 1);
    }
  };
  const idOf = (name) => (name === "root" ? 0 : Number(name.slice(2)));
  const mark = (id) => walk.now().shown.marks.get(id) ?? {};
  const here = () => walk.now().shown.now;
  const bounds = () => [brief(mark(here()).alpha) || "−∞", brief(mark(here()).beta) || "+∞"];

  /** Values among which the right one is hidden. */
  const choices = (next) => {
    const node = nodes[idOf(next.node)];
    const values = new Set([next.best, next.value, mark(node.id).value].filter((value) => value !== undefined));
    const others = [...node.children.map((id) => nodes[id].value), mark(node.id).alpha, mark(node.id).beta, ...nodes.map(({ value }) => value)];
    for (const value of others) if (values.size < CHOICES && Number.isInteger(value)) values.add(value);
    return [...values].sort((a, b) => a - b);
  };

  const passed = (said) => {
    if (said) [right, asked] = [right + (missed ? 0 : 1), asked + 1];
    missed = false;
    const { at } = walk.now();
    walk.advance(at + 1);
    const sentence = walk.sentence(steps[at + 1]);
    ask(said ? words.right(sentence) : words.shown(sentence), said);
  };
  const failed = (reason) => {
    missed = true;
    verdict.className = "verdict-line bad";
    verdict.textContent = words.wrong(reason);
    walk.say(verdict.textContent);
  };

  /** Somebody says that the search goes on with a node, a cut, or upwards. @param {number | "cut" | "up"} said */
  const where = (said) => {
    const next = steps[walk.now().at + 1];
    if (!next || next.step === "update") return;
    const { reasons } = words;
    const expected = next.step === "cut" ? "cut" : next.step === "leave" ? "up" : idOf(next.node);
    if (said === expected) return passed(true);
    const [alpha, beta] = bounds();
    if (said === "cut") return failed(!pruning ? reasons.cutMinimax : expected === "up" ? reasons.cutNothing : reasons.cutEarly(alpha, beta));
    if (expected === "cut") return failed(reasons.mustCut(alpha, beta));
    if (expected === "up") return failed(reasons.mustLeave);
    if (said === "up") return failed(reasons.upEarly);
    if (mark(said).visited) return failed(reasons.visited);
    if (nodes[said].parent !== nodes[/** @type {number} */ (expected)].parent) return failed(reasons.far);
    failed(Object.keys(answer.switches ?? {}).length ? reasons.sorted : reasons.order);
  };
  const value = (said, next) => {
    if (said === next.best) return passed(true);
    const values = [mark(idOf(next.node)).value, next.value].filter((one) => one !== undefined).map((one) => brief(one)).join(", ");
    failed(nodes[idOf(next.node)].turn === "max" ? words.reasons.larger(values) : words.reasons.smaller(values));
  };

  const ask = (said = "", good = false) => {
    const next = upcoming();
    verdict.className = `verdict-line${good ? " good" : ""}`;
    verdict.textContent = said;
    score.textContent = asked ? words.score(right, asked) : "";
    const last = [button(words.show, () => passed(false)), button(words.leave, walk.leave)];
    const focused = answers.contains(document.activeElement);
    if (!next) {
      question.textContent = words.over(right, asked);
      answers.replaceChildren(button(words.again, () => restart(), { class: "main" }), last[1]);
    } else if (next.step === "update") {
      const id = idOf(next.node);
      question.textContent = words.best(nodes[id].turn.toUpperCase(), id ? walk.nameOf(id) : signs.root);
      answers.replaceChildren(...choices(next).map((one) => button(brief(one), () => value(one, next), { class: "value" })), ...last);
    } else {
      const id = here();
      question.textContent = walk.now().at < 0 ? words.where : words.whereIn(id ? walk.nameOf(id) : signs.root);
      answers.replaceChildren(...(pruning ? [button(words.cut, () => where("cut"), { "aria-keyshortcuts": "x" })] : []),
        button(words.up, () => where("up"), { "aria-keyshortcuts": "u" }), ...last);
    }
    if (focused) answers.querySelector("button")?.focus();
    walk.say([said, question.textContent].filter(Boolean).join(" "));
  };
  const restart = () => {
    [right, asked, missed] = [0, 0, false];
    walk.advance(0);
    ask();
  };
  return { bar, score, ask, choose: where };
};

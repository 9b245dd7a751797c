// Review: every move of a game judged.

import { draw } from "./board.js";
import { engine } from "./client.js";
import { button, el, go, joined, link, renew, state, tell } from "./dom.js";
import { gamePicker, moveList } from "./picker.js";
import { duration, strings } from "./strings.js";

const DEFAULTS = { game: "7x6c4", moves: "" };
const MARKS = { blunder: "▲", inaccuracy: "◆" };

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const review = async (main, signal, memory) => {
  const now = { ...DEFAULTS, ...state() };
  const whole = await engine.position(now.game, now.moves);
  if (signal.aborted) return;
  const { rules } = whole;
  const labels = (whole.played ?? []).map((mv) => mv.move);
  const ply = Math.min(Math.max(0, Number(now.at ?? labels.length) || 0), labels.length);
  const board = ply === labels.length ? whole : await engine.position(rules.game, joined(rules, labels.slice(0, ply)));
  if (signal.aborted) return;
  const visit = (at) => go({ ...now, at: String(at) }, { replace: true });
  const step = (by) => () => visit(Math.min(Math.max(0, ply + by), labels.length));
  memory.keys = { u: step(-1), r: step(1), ArrowLeft: step(-1), ArrowRight: step(1), Home: () => visit(0), End: () => visit(labels.length) };

  const home = el("div", { class: "home" });
  const graph = el("div", { class: "graph", role: "group", "aria-label": strings.graph });
  const told = el("div", { class: "told" });
  const sides = el("div", { class: "sides" });
  const input = el("textarea", { name: "moves", rows: 2, spellcheck: "false", autocomplete: "off", "aria-describedby": "judge-hint" });
  input.value = now.moves;
  const form = el("form", { class: "row", novalidate: true },
    el("label", { class: "grow" }, el("span", { class: "caption" }, strings.moves), input),
    el("button", { type: "submit" }, strings.judge),
    el("small", { id: "judge-hint", class: "wide" }, strings.judgeHint));
  const submit = async (event) => {
    event.preventDefault();
    try {
      const read = await engine.position(input.value.includes(":") ? undefined : now.game, "", input.value);
      if (read.moves === null) tell(strings.noHistory, true);
      else go({ game: read.game, moves: read.moves });
    } catch (error) {
      tell(error.message, true);
    }
  };
  form.addEventListener("submit", submit);
  input.addEventListener("keydown", (event) => event.key === "Enter" && !event.shiftKey && submit(event));
  draw(home, board);
  renew(main, el("div", { class: "page" },
    el("section", { class: "stage" }, home,
      el("div", { class: "buttons steps" },
        button("|◀", () => visit(0), { "aria-label": strings.firstMove, disabled: ply === 0 }),
        button("◀", step(-1), { "aria-label": strings.previous, disabled: ply === 0 }),
        el("span", { class: "muted" }, `${ply} / ${labels.length}`),
        button("▶", step(1), { "aria-label": strings.next, disabled: ply === labels.length }),
        button("▶|", () => visit(labels.length), { "aria-label": strings.lastMove, disabled: ply === labels.length }))),
    el("section", { class: "panel", "aria-label": strings.pages.review },
      told, graph, labels.length > 0 && el("p", { class: "muted small" }, strings.graphHelp), sides,
      el("div", { class: "list" }, moveList(whole, visit, ply)),
      form, gamePicker(rules, (game) => go({ game })),
      el("p", { class: "links" }, el("a", { href: link("/analyse", { game: rules.game, moves: joined(rules, labels.slice(0, ply)) }) }, strings.analyseGame)))));
  if (!labels.length) {
    told.append(el("p", { class: "verdict" }, strings.nothingToJudge));
    return tell(strings.nothingToJudge);
  }

  const key = `${rules.game} ${joined(rules, labels)}`;
  const known = memory.review?.key === key;
  if (!known) {
    tell(strings.judging(0, labels.length));
    told.append(el("p", { class: "verdict" }, strings.judging(0, labels.length)));
    const hear = (name, { done, moves }) => name === "progress" && (told.textContent = strings.judging(done, moves));
    const answer = await engine.review(rules.game, joined(rules, labels), hear, signal);
    if (signal.aborted) return;
    memory.review = { key, answer };
  }
  const { answer } = memory.review;
  const most = Math.ceil((rules.width * rules.height) / 2);
  graph.replaceChildren(...answer.judged.map((mv, index) => bar(mv, index, most, index + 1 === ply, () => visit(index + 1))));
  sides.replaceChildren(table(answer));
  told.replaceChildren(...explained(answer.judged[ply - 1], rules, labels.slice(0, ply - 1)));
  // The list of moves gets the marks too.
  main.querySelectorAll(".moves .ply").forEach((item, index) => {
    const mark = MARKS[answer.judged[index]?.judgement];
    if (mark) item.append(el("span", { class: "mark", "aria-label": strings[answer.judged[index].judgement] }, mark));
  });
  if (!known) tell(answer.complete ? strings.judged(duration(answer.time_ms)) : strings.partly(duration(answer.time_ms)));
  else tell(ply ? told.textContent ?? "" : strings.start);
};

/** What the judgement of a move is called. */
const judgementOf = (mv) => (mv.judgement ? strings[mv.judgement] : strings.unjudged);

/** One move in the graph: up for the first player, down for the second. */
const bar = (mv, index, most, current, visit) => {
  const score = mv.judgement ? (mv.side === "first" ? mv.played.score : -mv.played.score) : 0;
  const item = button("", visit, {
    class: `bar-item ${mv.side} ${score > 0 ? "up" : score < 0 ? "down" : "even"}`, "aria-current": current ? "true" : undefined,
    "aria-label": `${index + 1}: ${strings.player(mv.side)}, ${mv.cell}, ${judgementOf(mv)}`, title: `${index + 1}. ${mv.cell}: ${judgementOf(mv)}`,
  });
  const share = score === 0 ? 0 : 25 + (75 * Math.abs(score)) / most;
  item.style.setProperty("--share", `${share}%`);
  item.append(el("span", { class: "half" }, el("span", { class: "fill" })), el("span", { class: "half" }, el("span", { class: "fill" })),
    el("span", { class: "mark", "aria-hidden": "true" }, MARKS[mv.judgement] ?? ""));
  return item;
};

/** Both sides, counted. */
const table = (answer) => {
  const percent = (side) => (side.accuracy === null ? strings.noChoice : `${Math.round(side.accuracy * 100)} %`);
  const row = (name, of) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, of(answer.first)), el("td", {}, of(answer.second)));
  return el("table", {}, el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, strings.player("first")), el("th", { scope: "col" }, strings.player("second")))),
    el("tbody", {}, row(strings.accuracy, percent), row(`▲ ${strings.blunders}`, (side) => String(side.blunders)),
      row(`◆ ${strings.inaccuracies}`, (side) => String(side.inaccuracies)), row(strings.onlyMoves, (side) => String(side.only_moves_found))));
};

/** A move in words, with the better line and what follows. */
const explained = (mv, rules, before) => {
  if (!mv) return [el("p", { class: "verdict" }, strings.start)];
  const heading = el("p", { class: "verdict" }, `${MARKS[mv.judgement] ?? ""} ${mv.cell}: ${judgementOf(mv)}${mv.only_move && mv.judgement === "best" ? `, ${strings.onlyMove}` : ""}`.trim());
  if (!mv.judgement) return [heading];
  const worse = mv.judgement === "blunder" || mv.judgement === "inaccuracy";
  const walk = (caption, labels, prefix) => labels.length > 0 && el("p", {}, el("span", { class: "caption" }, caption),
    el("span", { class: "chips" }, ...labels.map((label, index) =>
      el("a", { class: "chip", href: link("/analyse", { game: rules.game, moves: joined(rules, [...prefix, ...labels.slice(0, index + 1)]) }) }, label))));
  return [heading,
    el("p", {}, `${strings.player(mv.side)} ${mv.played.words === "draw" ? "draws" : mv.played.words} with it. `,
      worse && strings.bestWas(mv.best.moves.map((label) => strings.place(rules, label)).join(", "), mv.best.words)),
    walk(strings.instead, mv.better, before), walk(strings.then, mv.refutation, [...before, mv.move])].filter(Boolean);
};

// Microscope: a real search step by step, forward and back, with the tree, alpha and beta, and what was counted.

import { after, draw } from "./board.js";
import { engine } from "./client.js";
import { button, el, go, joined, link, renew, state, style, tell } from "./dom.js";
import { signs, words } from "./microscope-strings.js";
import { quiz } from "./quiz.js";
import { FIRST, QUIZ_NODES, SOURCE, kindOf, setup } from "./setup.js";
import { grouped, strings } from "./strings.js";
import { ancestors, brief, drawing, grow, lens, newCamera, replay } from "./tree.js";

/** Steps per second. */
const SPEEDS = ["0.5", "1", "4", "20"];
/** The address is written when nothing has happened for so many ms: browsers allow that a few times a second only. */
const CALM = 300;
/** What belongs to one search only. */
const AFRESH = { step: undefined, picks: undefined, checked: undefined };

/** What is asked of the engine. */
const asked = (now, switches) => {
  const names = [...SOURCE, ...switches, "algorithm"];
  const params = Object.fromEntries(names.filter((name) => now[name] !== undefined).map((name) => [name, now[name]]));
  return now.quiz ? { ...params, algorithm: "alphabeta" } : params;
};

/** A trace with its tree; kept, so that turning pages does not search again. */
const traced = async (params, memory, signal) => {
  memory.traces ??= new Map();
  const key = JSON.stringify(params);
  if (!memory.traces.has(key)) {
    const answer = await engine.trace(params, signal);
    if (memory.traces.size > 8) memory.traces.clear();
    memory.traces.set(key, { ...answer, nodes: grow(answer.tree) });
  }
  return memory.traces.get(key);
};

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const microscope = async (main, signal, memory) => {
  const given = state();
  const kind = kindOf(given) ?? "tree";
  /** @type {any} */
  const now = kindOf(given) ? given : { ...FIRST, ...given };
  await style("microscope");
  const catalogue = (memory.catalogue ??= await engine.catalogue());
  const switches = catalogue.switches.map(({ name }) => name).filter((name) => name !== "alpha_beta");
  const nothing = (names) => Object.fromEntries(names.map((name) => [name, undefined]));
  const set = (next, how) => go({ ...now, step: memory.at ? String(memory.at) : undefined, ...next }, how);
  /** Another search of the same tree. */
  const search = (next) => go({ ...now, ...AFRESH, ...next });
  /** Another tree. What is for positions makes no sense on others, nor the book of one game in another. */
  const plant = (next) => {
    const dropped = kindOf(next) !== kind ? switches : next.game !== now.game ? ["book"] : [];
    search({ ...nothing(SOURCE), ...nothing(dropped), ...next });
  };
  const params = asked(now, switches);
  let answer, other, problem;
  try {
    answer = await traced(params, memory, signal);
    const opposite = now.algorithm === "minimax" ? "alphabeta" : "minimax";
    if (now.compare && !now.quiz) other = await traced({ ...params, algorithm: opposite }, memory, signal);
  } catch (error) {
    if (signal.aborted) return;
    problem = error;
  }
  if (signal.aborted) return;
  memory.keys = {};
  const below = setup({ kind, now, answer, catalogue, memory, set, search, plant });
  if (!answer) {
    renew(main, el("div", { class: "scope" }, below));
    return tell(problem.message, true);
  }
  const quizzing = now.quiz && answer.nodes_in_tree <= QUIZ_NODES;
  const { parts, camera, start } = quizzing ? quiz(now, answer, set, search, plant) : walk(now, answer, other, params, memory, signal);
  const stage = el("section", { class: `searched${answer.board && !quizzing && !other ? " with-board" : ""}`, "aria-label": words.tree }, ...parts);
  renew(main, el("div", { class: "scope" }, stage, below));
  start();
  if (problem) tell(problem.message, true);
  const watch = new ResizeObserver(() => camera.settle());
  watch.observe(stage);
  signal.addEventListener("abort", () => watch.disconnect());
};

/** For each step of one search the step of the other that has come as far. */
const alongside = (steps, others) => {
  const keys = (list) => {
    let round = 0;
    return list.map((step) => `${step.step === "deepen" ? ++round : round} ${step.step} ${step.node} ${step.child}`);
  };
  const found = new Map(keys(others).map((key, index) => [key, index]));
  let last = 0;
  const map = keys(steps).map((key) => (last = Math.max(last, found.get(key) ?? 0)));
  map[map.length - 1] = others.length - 1;
  return map;
};

/** Two columns of numbers at most: this search, and the other beside it. */
const countTable = (searches) => {
  const all = (name) => searches.map(({ counts }) => counts[name]);
  const seldom = [["hits", words.hits], ["skipped", words.skipped], ["wins", words.wins]].filter(([name]) => all(name).some(Boolean));
  const rows = [
    [words.visited, searches.map(({ counts, answer }) => `${grouped(counts.visited)} / ${grouped(answer.nodes_in_tree)}`)],
    [words.leavesVisited, searches.map(({ counts, answer }) => `${grouped(counts.leaves)} / ${grouped(answer.leaves_in_tree)}`)],
    [words.edgesCut, all("cut").map(grouped)],
    ...seldom.map(([name, title]) => [title, all(name).map(grouped)]),
  ];
  const heads = searches.map(({ answer }) => el("th", { scope: "col" }, words.algorithms[answer.algorithm]));
  return [el("thead", {}, el("tr", {}, el("td", {}), ...heads)),
    el("tbody", {}, ...rows.map(([title, cells]) => el("tr", {}, el("th", { scope: "row" }, title), ...cells.map((cell) => el("td", {}, cell)))))];
};

/** The search step by step. */
const walk = (now, answer, other, params, memory, signal) => {
  const { steps, nodes } = answer;
  const camera = newCamera();
  const last = steps.length - 1;
  let at = Math.min(last, Math.max(0, Number.parseInt(now.step ?? "0", 10) || 0));
  let timer, calm;
  const visitNode = (id) => {
    const name = id === 0 ? "root" : `E-${id}`;
    const here = (step) => step.node === name || step.child === name || step.edge === name || step.edges?.includes(name);
    const next = steps.findIndex((step, index) => index > at && here(step));
    const found = next >= 0 ? next : steps.findIndex(here);
    if (found >= 0) jump(found);
  };
  const searches = [{ answer, at: (step) => step }];
  if (other) {
    const map = alongside(steps, other.steps);
    searches.push({ answer: other, at: (step) => map[step] });
  }
  // Minimax is on the left.
  if (other && answer.algorithm === "alphabeta") searches.reverse();
  const views = searches.map((search) => {
    const name = words.algorithms[search.answer.algorithm];
    const view = drawing(search.answer.nodes, answer.board?.rules, {
      title: words.treeOf(name), summary: other && words.asTextOf(name), camera, visit: visitNode, folds: (some) => (refold.hidden = !some),
    });
    return { ...search, view };
  });
  // The drawing of the search that is stepped through is the one to follow.
  if (views.length > 1 && views[1].answer === answer) camera.views.reverse();

  const board = el("div", { class: "mini", inert: true });
  const caption = el("figcaption", { class: "small" });
  const standing = el("figure", { class: "standing" }, board, caption);
  const facts = el("dl", { class: "facts" });
  const counts = el("table", { class: "counts" });
  const result = el("p", { class: "verdict" });
  const place = el("output", { class: "muted place" });
  const slider = el("input", { type: "range", name: "step", min: 0, max: last, step: 1, "aria-label": words.step, oninput: () => jump(Number(slider.value)) });
  const playing = button("▶", () => toggle(), { class: "play", "aria-label": words.play, "aria-keyshortcuts": "Space" });
  const leap = (sign, title, key, act) => button(sign, act, { "aria-label": title, "aria-keyshortcuts": key });
  const start = leap("|◀", words.start, "Home", () => jump(0));
  const back = leap("◀", words.back, "ArrowLeft", () => jump(at - 1));
  const forward = leap("▶", words.forward, "ArrowRight", () => jump(at + 1));
  const end = leap("▶|", words.end, "End", () => jump(last));
  const nextCut = button(words.nextCut, () => jump(steps.findIndex((step, index) => index > at && step.step === "cut")), { "aria-keyshortcuts": "c" });
  const refold = button(words.refold, () => views.forEach(({ view }) => view.refold()), { hidden: true });

  const status = /** @type {HTMLElement} */ (document.querySelector(".status"));
  const show = () => {
    memory.at = at;
    const step = steps[at];
    const ended = at === last;
    let shown;
    const counted = views.map(({ answer: one, at: of, view }) => {
      const index = of(at);
      const line = index === one.steps.length - 1 ? new Set([0, ...one.line.map((name) => Number(name.slice(2)))]) : undefined;
      const here = replay(one.nodes, one.steps, index);
      view.show(here, { pruning: one.algorithm === "alphabeta", line });
      if (one === answer) shown = here;
      return { answer: one, counts: here.counts };
    });
    camera.settle();
    const mark = shown.marks.get(shown.now) ?? {};
    const node = nodes[shown.now];
    const inner = node.children.length > 0;
    /** @type {[string, string][]} */
    const told = [[words.at, `${shown.now ? node.edge : signs.root}, ${inner ? node.turn.toUpperCase() : signs.leaf}`]];
    if (answer.algorithm === "alphabeta" && inner) told.push([words.alpha, brief(mark.alpha) || "−∞"], [words.beta, brief(mark.beta) || "+∞"]);
    told.push([inner ? words.value : words.worth, brief(mark.value, mark.bound) || "…"]);
    facts.replaceChildren(...told.flatMap(([title, value]) => [el("dt", {}, title), el("dd", {}, value)]));
    result.textContent = ended ? words.result(brief(answer.value), answer.best ?? "") : "";
    counts.replaceChildren(...countTable(counted));
    if (answer.board) {
      const labels = ancestors(nodes, shown.now).reverse().slice(1).map((id) => nodes[id].move);
      draw(board, labels.length ? after(answer.board, labels) : answer.board);
      const { rules, played } = answer.board;
      const moves = played && joined(rules, [...played.map(({ move }) => move), ...labels]);
      caption.replaceChildren(labels.length ? words.boardAfter(labels.join(" ")) : words.boardRoot, " ",
        moves !== undefined && moves !== null ? el("a", { href: link("/analyse", { game: rules.game, moves }) }, strings.analyseGame) : "");
    }
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", words.stepOf(at + 1, last + 1));
    place.textContent = `${grouped(at + 1)} / ${grouped(last + 1)}`;
    for (const one of [start, back]) one.disabled = at === 0;
    for (const one of [end, forward]) one.disabled = ended;
    nextCut.disabled = !steps.some(({ step }, index) => index > at && step === "cut");
    tell(step.sentence);
    clearTimeout(calm);
    calm = setTimeout(() => {
      if (!signal.aborted) history.replaceState(null, "", link(location.pathname, { ...now, step: at ? String(at) : undefined }));
    }, CALM);
  };
  const settle = (to) => {
    at = Math.min(last, Math.max(0, to));
    show();
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    status.setAttribute("aria-live", "polite");
    playing.textContent = "▶";
    playing.setAttribute("aria-label", words.play);
  };
  const jump = (to) => {
    stop();
    if (to >= 0) settle(to);
  };
  const toggle = () => {
    if (timer !== undefined) return jump(at);
    if (at === last) settle(0);
    playing.textContent = "❚❚";
    playing.setAttribute("aria-label", words.pause);
    // A sentence a second is more than anybody wants to hear; the last one is announced.
    status.setAttribute("aria-live", "off");
    const next = () => {
      if (signal.aborted || at >= last) return stop();
      if (at + 1 === last) stop();
      settle(at + 1);
      if (at < last) timer = setTimeout(next, 1000 / Number(speed.value));
    };
    timer = setTimeout(next, 1000 / Number(speed.value));
  };
  signal.addEventListener("abort", stop);
  const speed = el("select", { name: "speed", "aria-label": words.speed, onchange: () => (now.speed = speed.value) },
    ...SPEEDS.map((value) => el("option", { value, selected: value === (now.speed ?? "1") }, words.perSecond(value))));
  memory.keys = {
    ArrowRight: () => jump(at + 1), ArrowLeft: () => jump(at - 1), Home: () => jump(0), End: () => jump(last), " ": toggle, c: () => nextCut.click(),
    "+": () => camera.zoom(1.25), "-": () => camera.zoom(0.8), 0: () => camera.fit(),
  };
  return {
    camera, start: show,
    parts: [
      // Two trees need the room.
      answer.board && !other && standing,
      el("div", { class: `trees${views.length > 1 ? " two" : ""}` }, ...views.map(({ answer: one, view }) =>
        el("figure", {}, el("figcaption", {}, words.algorithms[one.algorithm]), view.svg)), lens(camera, [refold])),
      el("aside", { class: "beside", "aria-label": words.numbers }, answer.board && other && standing, facts, counts, result,
        el("p", { class: "muted small" }, words.legend(answer.board), " ", el("a", { href: "/learn/glossary" }, strings.below["learn/glossary"])),
        ...views.map(({ view }) => view.details),
        el("p", { class: "links" }, el("a", { href: engine.drawing(new URLSearchParams(params)), download: "tree.svg" }, words.save))),
      el("div", { class: "transport", role: "group", "aria-label": words.transport },
        el("div", { class: "buttons" }, start, back, playing, forward, end), el("label", { class: "slide" }, slider), place, nextCut, speed),
    ].filter(Boolean),
  };
};

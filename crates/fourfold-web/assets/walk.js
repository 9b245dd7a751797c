// A search walked through step by step: the tree, the pseudocode, the numbers, and the buttons that step and play. The microscope shows
// it on a page of its own, Learn among its text.

import { after, draw } from "./board.js";
import { lens, newCamera } from "./camera.js";
import { button, el, joined, link, tell } from "./dom.js";
import { signs, words } from "./microscope-strings.js";
import { predictor } from "./predict.js";
import { pseudocode } from "./pseudocode.js";
import { grouped, strings } from "./strings.js";
import { ancestors, brief, drawing, lineTo, renamed, replay } from "./tree.js";

/** Times the usual speed, which is a step a second. */
const SPEEDS = ["0.5", "1", "2", "4"];

/** The address is written when nothing has happened for so many ms: browsers allow that a few times a second only. */
const CALM = 300;

/** Does something with the last of many numbers in quick succession. @param {AbortSignal} signal @param {(at: number) => void} act */
export const calmly = (signal, act) => {
  let calm;
  return (at) => {
    clearTimeout(calm);
    calm = setTimeout(() => signal.aborted || act(at), CALM);
  };
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

/** A sentence with its values in bold; the numbers of edges and columns are none. @param {string} text */
const bolded = (text) => text.split(/((?<![\w-]|column )[-−]?\d+(?![\w-]))/).map((part, index) => (index % 2 ? el("b", {}, part) : part));

/** A few numbers in large type; what has changed flashes once. */
const watchList = () => {
  const list = el("dl", { class: "watch" });
  let before = new Map();
  return {
    list,
    /** @param {[string, string, string?][]} told @param {boolean} flash */
    show: (told, flash) => {
      list.replaceChildren(...told.map(([title, value, rest = ""]) =>
        el("div", { class: flash && before.has(title) && before.get(title) !== value ? "flash" : undefined },
          el("dt", {}, title), el("dd", {}, value, rest && el("small", {}, rest)))));
      before = new Map(told.map(([title, value]) => [title, value]));
    },
  };
};

/**
 * @param {any} answer a trace with its `nodes`
 * @param {{ other?: any, step?: string, speed?: string, named?: boolean, switches?: any[], counted?: boolean, predicting?: boolean, leave?: () => void,
 *   signal: AbortSignal, arrived: (at: number) => void }} how
 *   `other`: another search of the same tree to stand beside it; `counted`: with a table of what was counted; `arrived` is called with every step shown; `leave` ends predicting
 */
export const walk = (answer, { other, step: begin, speed: pace, named = true, switches, counted = false, predicting = false, leave = () => {}, signal, arrived }) => {
  const { steps, nodes } = answer;
  const camera = newCamera();
  const last = steps.length - 1;
  const pruning = answer.algorithm === "alphabeta";
  let at = predicting ? 0 : Math.min(last, Math.max(0, Number.parseInt(begin ?? "0", 10) || 0));
  let timer, shown;
  const sentenceOf = (step) => (named ? step.sentence : renamed(nodes, step.sentence));
  const nameOf = (id) => (named ? nodes[id].edge : lineTo(nodes, id));
  const visitNode = (id) => {
    if (guessing) return guessing.choose(id);
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
  if (other && pruning) searches.reverse();
  const views = searches.map((search) => {
    const name = words.algorithms[search.answer.algorithm];
    const view = drawing(search.answer.nodes, answer.board?.rules, {
      title: words.treeOf(name), summary: other && words.asTextOf(name), camera, named, visit: visitNode, folds: (some) => (refold.hidden = !some),
    });
    return { ...search, view };
  });
  // The drawing of the search that is stepped through is the one to follow.
  if (views.length > 1 && views[1].answer === answer) camera.views.reverse();

  const board = el("div", { class: "mini", inert: true });
  const under = el("figcaption", { class: "small" });
  const standing = answer.board && el("figure", { class: "standing" }, board, under);
  const sort = el("span", { class: "sort" });
  const sentence = el("p", { class: "sentence" });
  const watch = watchList();
  const code = pseudocode(answer, switches);
  const counts = el("table", { class: "counts" });
  const result = el("p", { class: "verdict" });
  const place = el("output", { class: "muted place" });
  const slider = el("input", { type: "range", name: "step", min: 0, max: last, step: 1, "aria-label": words.step, oninput: () => jump(Number(slider.value)) });
  const icon = (sign) => el("span", { class: "glyph", "aria-hidden": "true" }, sign);
  const leap = (sign, title, key, act, more = {}) => el("button", { type: "button", onclick: act, "aria-label": title, title, "aria-keyshortcuts": key, ...more }, icon(sign));
  const start = leap("|◀", words.start, "Home", () => jump(0), { class: "quiet" });
  const back = el("button", { type: "button", class: "back", onclick: () => jump(at - 1), "aria-label": words.back, "aria-keyshortcuts": "ArrowLeft" }, icon("◀"), el("span", { class: "text" }, words.back));
  const forward = el("button", { type: "button", class: "main forward", onclick: () => jump(at + 1), "aria-keyshortcuts": "ArrowRight" }, el("span", {}, words.forward), icon("▶"));
  const end = leap("▶|", words.end, "End", () => jump(last), { class: "quiet" });
  const playing = el("button", { type: "button", class: "play", onclick: () => toggle(), "aria-keyshortcuts": "Space" });
  const nextCut = button(words.nextCut, () => jump(steps.findIndex((step, index) => index > at && step.step === "cut")), { class: "next-cut", "aria-keyshortcuts": "c", hidden: !pruning });
  const refold = button(words.refold, () => views.forEach(({ view }) => view.refold()), { hidden: true });
  const status = /** @type {HTMLElement} */ (document.querySelector(".status"));

  const show = (flash = false, quiet = false) => {
    const step = steps[at];
    const ended = at === last;
    const before = replay(nodes, steps, at - 1);
    /** What was last said about a node. */
    const latest = new Map();
    for (const one of steps.slice(0, at + 1)) for (const name of [one.node, ...(one.edges ?? [])]) latest.set(name === "root" ? 0 : Number(name?.slice(2)), one);
    const why = (id) => (latest.has(id) ? sentenceOf(latest.get(id)) : "");
    const found = views.map(({ answer: one, at: of, view }) => {
      const index = of(at);
      const line = index === one.steps.length - 1 ? new Set([0, ...one.line.map((name) => Number(name.slice(2)))]) : undefined;
      const here = replay(one.nodes, one.steps, index);
      view.show(here, { pruning: one.algorithm === "alphabeta", line, flash, why, choosing: predicting });
      if (one === answer) shown = here;
      return { answer: one, counts: here.counts };
    });
    camera.settle();
    const node = nodes[shown.now];
    const mark = shown.marks.get(shown.now) ?? {};
    const inner = node.children.length > 0;
    sort.textContent = words.sorts[step.step] ?? "";
    sort.className = `sort ${step.step}`;
    sentence.replaceChildren(...bolded(sentenceOf(step)));
    // A leaf has no window of its own: what the search carries is that of the node above.
    const windowed = inner ? mark : shown.marks.get(node.parent) ?? {};
    /** @type {[string, string, string?][]} */
    const told = pruning ? [[words.alpha, brief(windowed.alpha) || "−∞"], [words.beta, brief(windowed.beta) || "+∞"]] : [];
    told.push([inner ? words.value : words.worth, brief(mark.value, mark.bound) || "…"], [words.seen, grouped(shown.counts.visited), words.ofAll(grouped(answer.nodes_in_tree))]);
    watch.show(told, flash);
    code.show(step, node.turn, before.marks.get(shown.now));
    const best = answer.best && (named ? answer.best : renamed(nodes, answer.best));
    result.textContent = ended && !predicting ? words.result(brief(answer.value), best ?? "") : "";
    counts.replaceChildren(...countTable(found));
    if (answer.board) showBoard();
    slider.value = String(at);
    slider.style.setProperty("--share", `${last ? (100 * at) / last : 100}%`);
    slider.setAttribute("aria-valuetext", words.stepOf(at + 1, last + 1));
    place.textContent = words.count(grouped(at + 1), grouped(last + 1));
    for (const one of [start, back]) one.disabled = at === 0;
    for (const one of [end, forward]) one.disabled = ended;
    nextCut.disabled = !steps.some(({ step: kind }, index) => index > at && kind === "cut");
    arrived(at);
    if (!predicting && !quiet) tell(sentenceOf(step));
  };
  const showBoard = () => {
    const labels = ancestors(nodes, shown.now).reverse().slice(1).map((id) => nodes[id].move);
    draw(board, labels.length ? after(answer.board, labels) : answer.board);
    const { rules, played } = answer.board;
    const moves = played && joined(rules, [...played.map(({ move }) => move), ...labels]);
    under.replaceChildren(labels.length ? words.boardAfter(labels.join(" ")) : words.boardRoot, " ",
      moves !== undefined && moves !== null ? el("a", { href: link("/analyse", { game: rules.game, moves }) }, strings.analyseGame) : "");
  };

  const settle = (to) => {
    const from = at;
    at = Math.min(last, Math.max(0, to));
    show(at - from === 1);
  };
  const paint = (running) => {
    const title = running ? words.pause : words.play;
    playing.setAttribute("aria-label", title);
    playing.replaceChildren(icon(running ? "❚❚" : "▶▶"), el("span", { class: "text" }, title));
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    status.setAttribute("aria-live", "polite");
    paint(false);
  };
  const jump = (to) => {
    if (predicting) return;
    stop();
    if (to >= 0) settle(to);
  };
  const toggle = () => {
    if (predicting) return;
    if (timer !== undefined) return stop();
    if (at === last) settle(0);
    paint(true);
    // A sentence a second is more than anybody wants to hear; the last one is announced.
    status.setAttribute("aria-live", "off");
    const wait = () => (timer = setTimeout(next, 1000 / Number(speed.value)));
    const next = () => {
      if (signal.aborted || at >= last) return stop();
      if (at + 1 === last) stop();
      settle(at + 1);
      if (at < last) wait();
    };
    wait();
  };
  signal.addEventListener("abort", stop);
  const speed = el("select", { name: "speed", "aria-label": words.speed, title: words.speed },
    ...SPEEDS.map((value) => el("option", { value, selected: value === (SPEEDS.includes(pace ?? "") ? pace : "1") }, words.times(value))));
  const guessing = predicting ? predictor(answer, {
    nameOf, sentence: sentenceOf, now: () => ({ at, shown }), advance: settle, say: (text) => tell(text), leave,
  }) : undefined;
  paint(false);

  const stepper = guessing
    ? el("div", { class: "stepper" }, guessing.bar)
    : el("div", { class: "stepper", role: "group", "aria-label": words.transport }, slider,
      el("div", { class: "controls" }, start, back, forward, playing, speed, end, nextCut, place));
  const card = el("div", { class: `walk${standing && !other ? " with-board" : ""}` },
    el("div", { class: "told-step" }, sort, sentence, guessing && guessing.score),
    // Two trees need the room.
    standing && !other && standing,
    el("div", { class: `trees${views.length > 1 ? " two" : ""}` }, ...views.map(({ answer: one, view }) =>
      el("figure", { class: "treed" }, other && el("figcaption", {}, words.algorithms[one.algorithm]), view.svg)), lens(camera, [refold])),
    el("div", { class: "under" }, code.box, watch.list, counted && counts),
    stepper);
  const watcher = new ResizeObserver(() => camera.settle());
  signal.addEventListener("abort", () => watcher.disconnect());
  return {
    card, result, camera, details: views.map(({ view }) => view.details), standing: other && standing,
    /** @param {{ quiet?: boolean }} [how] quiet: nothing is announced, for the page has something else to say */
    start: ({ quiet = false } = {}) => {
      show(false, quiet);
      guessing?.ask();
      watcher.observe(card);
    },
    keys: {
      ArrowRight: () => jump(at + 1), ArrowLeft: () => jump(at - 1), Home: () => jump(0), End: () => jump(last), " ": toggle, c: () => !predicting && nextCut.click(),
      x: () => guessing?.choose("cut"), u: () => guessing?.choose("up"),
      "+": () => camera.zoom(1.25), "-": () => camera.zoom(0.8), 0: () => camera.fit(),
    },
  };
};

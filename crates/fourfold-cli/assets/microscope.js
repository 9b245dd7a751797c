// Microscope: a real search step by step, forward and back, with the tree, alpha and beta, and what was counted.

import { after, draw } from "./board.js";
import { engine } from "./client.js";
import { button, choice, el, go, link, renew, state, tell } from "./dom.js";
import { gamePicker } from "./picker.js";
import { grouped, strings } from "./strings.js";
import { ancestors, brief, drawing, grow, lens, newCamera, replay } from "./tree.js";

const words = strings.microscope;
/** What the page opens with. */
const FIRST = { tree: "((9 8 7)(6 5 4)(3 2 1))" };
/** Where a tree comes from, with one of each kind to begin with. */
const KINDS = { tree: FIRST, random: { random: "3,3,1" }, game: { game: "3x3c3f", position: "X.O/.X./XOO", depth: "9" } };
const SOURCE = ["tree", "root", "random", "game", "moves", "position", "depth", "eval"];
/** What a switch with a number is set to when it is turned on. */
const TURNED_ON = { table: "1", forward: "3", contempt: "10" };
/** Larger trees are no quiz. */
const QUIZ_NODES = 60;
/** Steps per second. */
const SPEEDS = ["0.5", "1", "4", "20"];
/** The address is written when nothing has happened for so many ms: browsers allow that a few times a second only. */
const CALM = 300;

/** The kind of tree that an address asks for. */
const kindOf = (now) => (now.tree !== undefined ? "tree" : now.random !== undefined ? "random" : ["game", "moves", "position", "depth", "eval"].some((name) => now[name] !== undefined) ? "game" : undefined);

/** What is asked of the engine. */
const asked = (now, catalogue) => {
  const names = [...SOURCE, ...catalogue.switches.map(({ name }) => name).filter((name) => name !== "alpha_beta"), "algorithm"];
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

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const microscope = async (main, signal, memory) => {
  const given = state();
  const kind = kindOf(given) ?? "tree";
  /** @type {any} */
  const now = kindOf(given) ? given : { ...FIRST, ...given };
  const catalogue = (memory.catalogue ??= await engine.catalogue());
  const fresh = (next) => go({ ...now, ...Object.fromEntries(SOURCE.map((name) => [name, undefined])), step: undefined, picks: undefined, checked: undefined, ...next });
  const set = (next, how) => go({ ...now, step: memory.at ? String(memory.at) : undefined, ...next }, how);
  let answer, other, problem;
  try {
    const params = asked(now, catalogue);
    answer = await traced(params, memory, signal);
    if (now.compare && !now.quiz) other = await traced({ ...params, algorithm: now.algorithm === "minimax" ? "alphabeta" : "minimax" }, memory, signal);
  } catch (error) {
    if (signal.aborted) return;
    problem = error;
  }
  if (signal.aborted) return;
  memory.keys = {};
  const setup = el("section", { class: "setup", "aria-label": words.setup },
    sources(kind, now, answer, catalogue, fresh, set), modes(now, answer, set), switches(now, answer, catalogue, memory, set));
  if (!answer) {
    renew(main, el("div", { class: "scope" }, setup));
    return tell(problem.message, true);
  }
  const quizzing = now.quiz && answer.nodes_in_tree <= QUIZ_NODES;
  const scope = el("div", { class: "scope" });
  const stage = el("section", { class: `searched${answer.board && !quizzing ? " with-board" : ""}`, "aria-label": words.tree });
  scope.append(stage, setup);
  const pair = quizzing ? quiz(now, answer, set) : walk(now, answer, other, memory, signal);
  stage.append(...pair.parts);
  renew(main, scope);
  pair.start();
  if (problem) tell(problem.message, true);
  const watch = new ResizeObserver(() => pair.camera.settle());
  watch.observe(pair.parts.find((part) => part.classList.contains("trees")) ?? stage);
  signal.addEventListener("abort", () => watch.disconnect());
};

/** Two columns of numbers at most: this search, and the other beside it. */
const countTable = (searches) => {
  const all = (name) => searches.map(({ counts }) => counts[name]);
  const rows = [
    [words.visited, searches.map(({ counts, answer }) => `${grouped(counts.visited)} / ${grouped(answer.nodes_in_tree)}`)],
    [words.leavesVisited, searches.map(({ counts, answer }) => `${grouped(counts.leaves)} / ${grouped(answer.leaves_in_tree)}`)],
    [words.edgesCut, all("cut").map(grouped)],
    ...[["hits", words.hits], ["skipped", words.skipped], ["wins", words.wins]].filter(([name]) => all(name).some(Boolean)).map(([name, title]) => [title, all(name).map(grouped)]),
  ];
  return [el("thead", {}, el("tr", {}, el("td", {}), ...searches.map(({ answer }) => el("th", { scope: "col" }, words.algorithms[answer.algorithm])))),
    el("tbody", {}, ...rows.map(([title, cells]) => el("tr", {}, el("th", { scope: "row" }, title), ...cells.map((cell) => el("td", {}, cell)))))];
};

/** The search step by step. */
const walk = (now, answer, other, memory, signal) => {
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
  const searches = [{ answer, at: (step) => step }, other && { answer: other, at: alongsideOf(steps, other.steps) }].filter(Boolean);
  // Minimax is on the left.
  if (other && answer.algorithm === "alphabeta") searches.reverse();
  const views = searches.map((search) => ({ ...search, view: drawing(search.answer.nodes, answer.board?.rules, {
    title: words.treeOf(words.algorithms[search.answer.algorithm]), camera, visit: visitNode, folds: (some) => (refold.hidden = !some),
    summary: other && words.asTextOf(words.algorithms[search.answer.algorithm]),
  }) }));
  // The drawing of the search that is stepped through is the one to follow.
  if (views.length > 1 && views[1].answer === answer) camera.views.reverse();

  const board = el("div", { class: "mini", inert: true });
  const caption = el("figcaption", { class: "muted small" });
  const facts = el("dl", { class: "facts" });
  const counts = el("table", { class: "counts" });
  const result = el("p", { class: "verdict" });
  const place = el("output", { class: "muted place" });
  const slider = el("input", { type: "range", name: "step", min: 0, max: last, step: 1, "aria-label": words.step, oninput: () => jump(Number(slider.value)) });
  const playing = button("▶", () => toggle(), { class: "play", "aria-label": words.play, "aria-keyshortcuts": "Space" });
  const [start, back, forward, end] = [["|◀", words.start, () => jump(0), "Home"], ["◀", words.back, () => jump(at - 1), "ArrowLeft"], ["▶", words.forward, () => jump(at + 1), "ArrowRight"], ["▶|", words.end, () => jump(last), "End"]]
    .map(([sign, title, act, key]) => button(sign, act, { "aria-label": title, "aria-keyshortcuts": key }));
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
    const told = [[words.at, `${shown.now ? node.edge : strings.root}, ${inner ? node.turn.toUpperCase() : strings.leaf}`]];
    if (answer.algorithm === "alphabeta" && inner) told.push([words.alpha, brief(mark.alpha) || "−∞"], [words.beta, brief(mark.beta) || "+∞"]);
    told.push([inner ? words.value : words.worth, brief(mark.value, mark.bound) || "…"]);
    facts.replaceChildren(...told.flatMap(([title, value]) => [el("dt", {}, title), el("dd", {}, value)]));
    result.textContent = ended ? words.result(brief(answer.value), answer.best ?? "") : "";
    counts.replaceChildren(...countTable(counted));
    if (answer.board) {
      const labels = ancestors(nodes, shown.now).reverse().slice(1).map((id) => nodes[id].move);
      draw(board, labels.length ? after(answer.board, labels) : answer.board);
      caption.textContent = labels.length ? words.boardAfter(labels.join(" ")) : words.boardRoot;
    }
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", words.stepOf(at + 1, last + 1));
    place.textContent = `${grouped(at + 1)} / ${grouped(last + 1)}`;
    for (const one of [start, back]) one.disabled = at === 0;
    for (const one of [end, forward]) one.disabled = ended;
    nextCut.disabled = !steps.some(({ step }, index) => index > at && step === "cut");
    tell(step.sentence);
    clearTimeout(calm);
    calm = setTimeout(() => !signal.aborted && history.replaceState(null, "", link(location.pathname, { ...now, step: at ? String(at) : undefined })), CALM);
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
  const params = new URLSearchParams(asked(now, memory.catalogue));
  return {
    camera, start: show,
    parts: [
      answer.board && el("figure", { class: "standing" }, board, caption),
      el("div", { class: `trees${views.length > 1 ? " two" : ""}` }, ...views.map(({ answer: one, view }) =>
        el("figure", {}, el("figcaption", {}, words.algorithms[one.algorithm]), view.svg)), lens(camera, [refold])),
      el("aside", { class: "beside", "aria-label": words.numbers }, facts, counts, result,
        el("p", { class: "muted small" }, words.legend(answer.board), " ", el("a", { href: "/learn/glossary" }, strings.below["learn/glossary"])),
        ...views.map(({ view }) => view.details),
        el("p", { class: "links" }, el("a", { href: engine.drawing(params), download: "tree.svg" }, words.save))),
      el("div", { class: "transport", role: "group", "aria-label": words.transport },
        el("div", { class: "buttons" }, start, back, playing, forward, end), el("label", { class: "slide" }, slider), place, nextCut, speed),
    ].filter(Boolean),
  };
};

/** The step of the other search that has come as far as a step of this one. */
const alongsideOf = (steps, others) => {
  const map = alongside(steps, others);
  return (step) => map[step];
};

/** Which edges are cut? One chooses, then sees. */
const quiz = (now, answer, set) => {
  const { nodes, steps } = answer;
  const camera = newCamera();
  const picks = new Set((now.picks ?? "").split(".").filter(Boolean).map(Number).filter((id) => id > 0 && id < nodes.length));
  const cut = new Set(answer.cut.map((name) => Number(name.slice(2))));
  const checked = Boolean(now.checked);
  // Below a cut edge nothing is visited: to choose it is not wrong, but says nothing new.
  const hidden = (id) => ancestors(nodes, id).slice(1).some((above) => cut.has(above));
  const verdicts = checked ? new Map() : undefined;
  if (verdicts) {
    for (const id of cut) verdicts.set(id, picks.has(id) ? "right" : "missed");
    for (const id of picks) if (!cut.has(id) && !hidden(id)) verdicts.set(id, "wrong");
  }
  const count = (verdict) => [...(verdicts?.values() ?? [])].filter((one) => one === verdict).length;
  const chosen = el("p", {});
  const check = button(words.check, () => set({ checked: "1", picks: [...picks].join(".") }, { replace: true }), { class: "main" });
  const view = drawing(nodes, answer.board?.rules, {
    title: words.quizTree, camera,
    pick: (id) => {
      if (checked) return;
      if (!picks.delete(id)) picks.add(id);
      show();
      history.replaceState(null, "", link(location.pathname, { ...now, picks: [...picks].join(".") }));
    },
  });
  const shown = replay(nodes, steps, checked ? steps.length - 1 : -1);
  const show = () => {
    view.show({ ...shown, path: new Set() }, { picks, verdicts, pruning: checked });
    chosen.textContent = picks.size ? words.chosen([...picks].sort((a, b) => a - b).map((id) => nodes[id].edge).join(", ")) : words.noneChosen;
  };
  const why = (id) => steps.find((step) => step.step === "cut" && step.edges.includes(`E-${id}`))?.sentence ?? words.notCut;
  /** @type {Map<string, string[]>} */
  const reasons = new Map();
  for (const [id, verdict] of [...(verdicts ?? [])].sort(([a], [b]) => a - b)) {
    reasons.set(why(id), [...(reasons.get(why(id)) ?? []), `${nodes[id].edge} ${strings.quizSigns[verdict]} ${strings.quizVerdicts[verdict]}`]);
  }
  const told = [...reasons].map(([reason, edges]) => el("li", {}, el("strong", {}, edges.join(", "), ". "), reason));
  const another = () => set({ ...Object.fromEntries(SOURCE.map((name) => [name, undefined])), random: `${2 + Math.floor(Math.random() * 2)},3,${Math.floor(Math.random() * 1e6)}`, picks: undefined, checked: undefined, step: undefined });
  return {
    camera,
    start: () => {
      show();
      camera.fit();
      tell(checked ? words.score(count("right"), count("missed"), count("wrong")) : words.question);
    },
    parts: [
      el("div", { class: "trees" }, el("figure", {}, el("figcaption", {}, words.algorithms.alphabeta), view.svg), lens(camera, [])),
      el("aside", { class: "beside", "aria-label": words.quiz },
        checked ? el("ul", { class: "told-edges" }, ...told) : el("p", { class: "muted" }, words.quizHint), chosen, view.details),
      el("div", { class: "transport buttons" },
        checked ? button(words.again, () => set({ picks: undefined, checked: undefined }, { replace: true })) : check,
        button(words.another, another), button(words.leaveQuiz, () => set({ quiz: undefined, picks: undefined, checked: undefined, step: undefined }))),
    ],
  };
};

/** Where the tree comes from. */
const sources = (kind, now, answer, catalogue, fresh, set) => {
  const field = (name, value, title, attributes = {}) => el("label", { class: "grow" }, el("span", { class: "caption" }, title), el("input", { name, value, autocomplete: "off", ...attributes }));
  const form = (read, ...parts) => el("form", {
    class: "row", novalidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      fresh(read(Object.fromEntries(/** @type {any} */ (new FormData(event.target)))));
    },
  }, ...parts, el("button", { type: "submit" }, words.show));
  const forms = {
    tree: () => {
      const box = el("textarea", { name: "tree", rows: 2, spellcheck: "false", autocomplete: "off", "aria-describedby": "tree-hint" });
      box.value = now.tree ?? "";
      return [form((data) => ({ tree: data.tree.trim(), root: now.root }), el("label", { class: "grow" }, el("span", { class: "caption" }, words.typed), box)),
        el("small", { id: "tree-hint" }, words.typedHint)];
    },
    random: () => {
      const [branching = "3", depth = "3", seed = "1"] = (now.random ?? "").split(",");
      const numeric = { type: "number", min: 0, inputmode: "numeric" };
      return [form((data) => ({ random: `${data.branching},${data.levels},${data.seed}`, root: now.root }),
        field("branching", branching, words.branching, numeric), field("levels", depth, words.levels, numeric), field("seed", seed, words.seed, numeric)),
      el("div", { class: "buttons" }, button(words.another, () => fresh({ random: `${branching},${depth},${Math.floor(Math.random() * 1e6)}`, root: now.root })))];
    },
    game: () => {
      const rules = answer?.board?.rules ?? { game: now.game ?? "7x6c4", title: now.game };
      const text = now.position ?? now.moves ?? "";
      const evaluator = el("select", { name: "eval" }, el("option", { value: "" }, words.natural), ...catalogue.evaluators.map(({ name }) => el("option", { value: name, selected: name === now.eval }, name)));
      return [gamePicker(rules, (game) => fresh({ game, depth: "2" })),
        form((data) => ({ game: data.position.includes(":") ? undefined : rules.game, position: data.position.trim() || undefined, depth: data.depth, eval: data.eval || undefined }),
          el("label", { class: "wide" }, el("span", { class: "caption" }, strings.paste), el("input", { name: "position", value: text, autocomplete: "off", spellcheck: "false" })),
          field("depth", now.depth ?? "2", words.depth, { type: "number", min: 0, inputmode: "numeric" }), el("label", { class: "grow" }, el("span", { class: "caption" }, words.eval), evaluator))];
    },
  };
  const same = (params) => SOURCE.every((name) => (params[name] ?? "") === (now[name] ?? ""));
  const examples = el("select", { name: "example", onchange: () => examples.value !== "" && fresh(words.examples[Number(examples.value)].params) },
    el("option", { value: "" }, words.own), ...words.examples.map(({ title, params }, index) => el("option", { value: index, selected: same(params) }, title)));
  return el("div", { class: "card" },
    el("label", {}, el("span", { class: "caption" }, words.example), examples),
    choice("kind", words.kind, Object.entries(words.kinds), kind, (value) => fresh(KINDS[value])),
    ...forms[kind](),
    kind !== "game" && choice("root", words.firstMover, [["max", "MAX"], ["min", "MIN"]], now.root ?? "max", (root) => set({ root: root === "min" ? root : undefined, step: undefined, picks: undefined, checked: undefined })));
};

/** Every switch of the search; those that make no sense here say why. */
const switches = (now, answer, catalogue, memory, set) => {
  const change = (name, value) => set({ [name]: value, step: undefined, picks: undefined, checked: undefined });
  const row = (one) => {
    const { name, about, kind } = one;
    const why = answer?.senseless[name];
    const value = now[name] ?? one.default;
    const id = `about-${name}`;
    const common = { name, disabled: Boolean(why) && value === one.default, "aria-describedby": id };
    const usual = (text) => (text === one.default ? undefined : text);
    let control;
    if (kind === "choice") {
      control = el("label", {}, el("code", {}, name), " ", el("select", { ...common, onchange: (event) => change(name, usual(event.target.value)) }, ...one.words.map((word) => el("option", { value: word, selected: word === value }, word))));
    } else {
      const on = kind === "flag" ? value === "on" : value !== "0";
      const toggled = (checked) => usual(kind === "flag" ? (checked ? "on" : "off") : checked ? TURNED_ON[name] ?? "1" : "0");
      control = el("label", {}, el("input", { type: "checkbox", ...common, checked: on, onchange: (event) => change(name, toggled(event.target.checked)) }), el("code", {}, name),
        on && kind === "number" && el("input", { type: "number", class: "amount", name: `${name}-amount`, value, min: one.min, max: one.max, "aria-label": `${name}, ${one.unit}`, onchange: (event) => change(name, usual(event.target.value)) }));
    }
    return el("li", { class: why ? "senseless" : undefined }, control, el("small", { id }, why ? words.senseless(why) : `${about.charAt(0).toUpperCase()}${about.slice(1)}. ${words.effects[one.effect] ?? ""}`));
  };
  const rest = catalogue.switches.filter(({ name }) => name !== "alpha_beta");
  const on = rest.filter(({ name, default: usual }) => now[name] !== undefined && now[name] !== usual).length;
  const list = el("details", { class: "across", open: memory.switchesOpen ?? on > 0, ontoggle: () => (memory.switchesOpen = list.open) }, el("summary", {}, words.switches(on)), el("ul", { class: "switches" }, ...rest.map(row)));
  return list;
};

/** Which search, two beside each other, the quiz. */
const modes = (now, answer, set) => {
  const large = answer?.nodes_in_tree > QUIZ_NODES;
  return el("div", { class: "card" },
    choice("algorithm", words.algorithm, Object.entries(words.algorithms), now.quiz ? "alphabeta" : now.algorithm ?? "alphabeta", (value) => set({ algorithm: value === "minimax" ? value : undefined, quiz: undefined, picks: undefined, checked: undefined, step: undefined })),
    el("div", { class: "buttons" },
      button(words.compare, () => set({ compare: now.compare ? undefined : "1", quiz: undefined, picks: undefined, checked: undefined }), { "aria-pressed": String(Boolean(now.compare && !now.quiz)) }),
      button(words.quiz, () => set({ quiz: now.quiz ? undefined : "1", algorithm: undefined, picks: undefined, checked: undefined, step: undefined }), { "aria-pressed": String(Boolean(now.quiz)), disabled: large && !now.quiz, "aria-describedby": "quiz-about" })),
    el("small", { id: "quiz-about" }, large ? words.tooLarge(QUIZ_NODES) : words.quizAbout),
    el("small", {}, words.keys));
};

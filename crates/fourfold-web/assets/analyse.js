// Analyse: the exact result of every move as it is found, over a tree of variations.

import { after, badge, cellName, draw, placeOf } from "./board.js";
import { words } from "./analyse-strings.js";
import { engine } from "./client.js";
import { button, choice, el, go, icon, joined, link, renew, state, style, tell } from "./dom.js";
import { gamePicker, shown } from "./picker.js";
import { duration, signed, strings } from "./strings.js";
import * as variations from "./variations.js";

const DEFAULTS = { game: "7x6c4", time: "8" };
const BUDGETS = [2, 8, 30, 120];
/** Lines of best play that are shown. */
const LINES = 3;
/** Moves of a line that are shown. */
const SHOWN = 12;

/**
 * What is looked at: a tree of variations from the empty board or from a position that was set up, and where in it we are.
 * @typedef {object} Study
 * @property {any} now parameters of the address, with defaults
 * @property {any} board the position, as the engine answers
 * @property {any} rules
 * @property {variations.Node} root
 * @property {variations.Node} at
 * @property {string[]} path moves from the root to here
 * @property {boolean} over
 * @property {any} memory kept from state to state
 * @property {AbortSignal} signal ended when the state changes
 * @property {any} view what is drawn on the board beside the discs
 * @property {any} answer what the engine said of the position, once it has
 * @property {Acts} act
 */

/**
 * What the tabs can do.
 * @typedef {object} Acts
 * @property {(next: Record<string, string | undefined>, how?: { replace?: boolean }) => void} set changes parameters of the address
 * @property {(node: variations.Node, how?: { replace?: boolean }) => void} visit goes to a node of the tree
 * @property {(labels: string[]) => void} play plays moves from here
 * @property {(preview?: any) => void} paint draws the board, or a preview of it
 * @property {() => Promise<void>} refresh shows everything beside the board anew
 */

/** The study that the address describes. @param {AbortSignal} signal @param {any} memory @returns {Promise<Study>} */
const readStudy = async (signal, memory) => {
  const now = { ...DEFAULTS, ...state() };
  const board = await engine.position(now.game, now.moves ?? "", now.position);
  const { rules } = board;
  const root = variations.parse(rules, now.tree ?? "");
  const path = variations.moves(rules, now.moves ?? "");
  const at = variations.walk(root, path);
  const over = board.outcome.state !== "ongoing";
  const last = path.length ? lastCell(board, path[path.length - 1]) : undefined;
  const view = { found: new Map(), threats: Boolean(now.threats) };
  /** @type {Study} */
  const study = {
    now, board: { ...board, last, played: undefined }, rules, root, at, path, over, memory, signal, view, answer: undefined,
    act: {
      set: (next, how) => set(study, next, how), visit: (node, how) => visit(study, node, how), play: (labels) => play(study, labels),
      paint: (preview) => paint(study, preview), refresh: () => refresh(study),
    },
  };
  return study;
};

/** The cell that the last move filled: without gravity its name, else the top of its column. */
const lastCell = ({ rules, rows }, label) => {
  if (!rules.gravity) return label;
  const column = Number(label) - 1;
  return cellName(column, rules.height - 1 - rows.findIndex((row) => row[column] !== "."));
};

/** The position after other moves from the same start, without asking the engine. @param {Study} study @param {string[]} path */
const replayed = ({ board, rules, path: here }, path) => {
  const rows = board.rows.map((row) => [...row]);
  for (const label of here.toReversed()) {
    const { column, row } = rules.gravity
      ? { column: Number(label) - 1, row: rows.findIndex((cells) => cells[Number(label) - 1] !== ".") }
      : { column: placeOf(label).column, row: rules.height - 1 - placeOf(label).row };
    rows[row][column] = ".";
  }
  const mover = here.length % 2 ? (board.to_move === "first" ? "second" : "first") : board.to_move;
  const start = { ...board, rows: rows.map((row) => row.join("")), to_move: mover, last: undefined };
  const next = { ...after(start, path), last: undefined };
  const free = rules.gravity
    ? [...next.rows[0]].map((cell, column) => cell === "." && { move: String(column + 1), cell: cellName(column, rules.height - next.rows.filter((row) => row[column] === ".").length) })
    : next.rows.flatMap((cells, line) => [...cells].map((cell, column) => cell === "." && { move: cellName(column, rules.height - 1 - line), cell: cellName(column, rules.height - 1 - line) }));
  const last = path.length ? lastCell(next, path[path.length - 1]) : undefined;
  return { ...next, last, ply: board.ply - here.length + path.length, legal: free.filter(Boolean) };
};

/** Changes parameters of the address. @param {Study} study @param {Record<string, string | undefined>} next @param {{ replace?: boolean }} [how] */
const set = (study, next, how) => {
  const { time, ...now } = { ...study.now, ...next };
  go({ ...now, time: time === DEFAULTS.time ? undefined : time }, how);
};

/** Goes to a node of the tree. @param {Study} study @param {variations.Node} node @param {{ replace?: boolean }} [how] */
const visit = (study, node, how) => {
  const { rules, root } = study;
  const moves = joined(rules, variations.pathTo(node));
  const tree = variations.write(rules, root);
  // A line that is looked at from its end needs no tree.
  const plain = tree === variations.write(rules, variations.parse(rules, moves));
  const next = { game: rules.game, moves: moves || undefined, tree: plain ? undefined : tree, tab: study.now.tab === "edit" ? undefined : study.now.tab };
  // What is pressed before the engine has answered counts from here.
  const path = variations.pathTo(node);
  const board = replayed(study, path);
  const ahead = { ...study, now: { ...study.now, ...next }, at: node, path, board, over: false, answer: undefined, view: {} };
  study.memory.keys = keys(ahead);
  paint(ahead);
  set(study, next, how);
};

/** Plays moves from here. @param {Study} study @param {string[]} labels */
const play = (study, labels) => visit(study, variations.walk(study.at, labels));

/** Draws the board, or a preview of it. @param {Study} study @param {any} [preview] */
const paint = (study, preview) => {
  const { memory, board, view, over } = study;
  draw(memory.home, preview ?? board, preview ? {} : { ...view, play: over ? undefined : (label) => play(study, [label]) });
};

// What the engine says.

/** The key under which results are kept. @param {Study} study */
const keyOf = ({ now, rules, path }) => `${rules.game} ${now.position ?? ""} ${joined(rules, path)} ${now.time}`;

/** @param {Study} study @param {any} column */
const found = (study, column) => {
  study.view.found.set(column.move, shown(column));
  if (column.score !== undefined) study.view.best = Math.max(study.view.best ?? -Infinity, column.score);
};

/** Has the position solved, showing each result as it is found. @param {Study} study */
const solve = async (study) => {
  const { now, rules, path, memory, signal } = study;
  const key = keyOf(study);
  const hear = (name, data) => {
    if (name === "column") found(study, data);
    // An opinion until the proof is there.
    if (name === "estimate") {
      for (const guess of data?.moves ?? []) if (!study.view.found.has(guess.move)) study.view.found.set(guess.move, guessed(guess, data));
    }
    if (name === "solved") {
      // The lines follow; who wins is known.
      study.answer = data;
      answered(study);
      tell(verdictWords(study));
    }
    paint(study);
  };
  const answer = memory.answers.get(key) ?? await engine.solve(
    { game: rules.game, position: now.position, moves: joined(rules, path), time: Number(now.time) * 1000, lines: LINES }, hear, signal);
  if (signal.aborted) return;
  memory.answers.set(key, answer);
  study.answer = answer;
  for (const column of answer.columns) found(study, column);
  for (const guess of answer.estimate?.moves ?? []) study.view.found.set(guess.move, guessed(guess, answer.estimate));
  paint(study);
};

/** An estimate as the board shows it. */
const guessed = (guess, estimate) => {
  const { verdict } = guess;
  const best = guess.move === estimate.move;
  if (verdict.result !== "estimate") return { ...shown({ ...guess, score: undefined }), guess: true, best };
  const sign = signed(verdict.score);
  return { word: "≈", when: sign, sign, words: words.guessed(estimate.depth, ""), guess: true, best };
};

/** Who wins how soon, in words. @param {Study} study */
const verdictWords = ({ board, answer, rules, over }) => {
  if (over) return board.outcome.by ? strings.won(board.outcome.by) : strings.drawn;
  if (!answer) return strings.searching;
  if (!answer.complete) return answer.estimate ? words.likely(strings.place(rules, answer.estimate.move)) : words.unsolvedHead;
  const { result } = answer.verdict;
  if (result === "draw") return words.draws;
  const winner = (result === "win") === (board.to_move === "first") ? "first" : "second";
  return words.wins(winner, strings.movesTo(answer.verdict));
};

/** How that is known. @param {Study} study */
const source = ({ answer, over }) => {
  if (!answer || over) return "";
  if (answer.complete) return answer.from_book ? words.fromBook : words.exact(duration(answer.time_ms));
  return answer.estimate ? words.guessed(answer.estimate.depth, duration(answer.time_ms)) : words.unsolved(duration(answer.time_ms));
};

/** The evaluation bar: how much of it is Red's. @param {Study} study */
const evaluate = ({ memory, board, rules, answer, over }) => {
  const { bar } = memory;
  const known = over || answer?.complete;
  bar.classList.toggle("known", Boolean(known));
  if (!known) return bar.setAttribute("aria-label", strings.bar(strings.searching));
  const score = over ? 0 : answer.score;
  const red = over ? { first: 1, second: -1 }[board.outcome.by] ?? 0 : board.to_move === "first" ? score : -score;
  const most = Math.ceil((rules.width * rules.height) / 2);
  const share = over ? 50 + 50 * red : red === 0 ? 50 : 50 + Math.sign(red) * (18 + (32 * Math.abs(red)) / most);
  bar.style.setProperty("--share", `${share}%`);
  bar.setAttribute("aria-label", strings.bar(memory.verdict));
};

// The panel.

/** The best lines, each a row: a press plays its first move, a click on a move goes there. @param {Study} study */
const bestLines = (study) => {
  const { answer, rules, board } = study;
  const rows = (answer?.lines ?? []).map((found) => {
    const result = shown(found);
    const press = (event) => {
      const index = Number(event.target.closest("[data-index]")?.dataset.index ?? 0);
      play(study, found.line.slice(0, index + 1));
    };
    /** The move whose preview is on the board. @type {string | undefined} */
    let previewed;
    // Only where the pointer was moved to: lines may appear below one that rests.
    const preview = (event) => {
      const index = event.target.closest("[data-index]")?.dataset.index;
      if (index === undefined || index === previewed || !(event.movementX || event.movementY)) return;
      previewed = index;
      paint(study, after(board, found.line.slice(0, Number(index) + 1)));
    };
    const leave = () => {
      if (previewed !== undefined) paint(study);
      previewed = undefined;
    };
    const moves = found.line.slice(0, SHOWN).flatMap((label, place) => [el("span", { "data-index": place }, label), " "]);
    const row = button("", press, { class: "pv", onmousemove: preview, onmouseleave: leave });
    row.append(el("span", { class: "unseen" }, words.line(strings.place(rules, found.move))), el("span", { class: `pill ${result.kind}` }, `${result.word} ${result.when}`),
      el("span", { class: "pv-moves" }, ...moves, found.line.length > SHOWN ? "…" : ""));
    return el("li", {}, row);
  });
  return rows.length ? el("ol", { class: "lines", "aria-label": words.lines }, ...rows) : null;
};

/** A move of the tree as a button. @param {Study} study @param {variations.Node} node @param {number} ply @param {boolean} numbered */
const moveButton = (study, node, ply, numbered) => {
  const { at, rules, memory } = study;
  const side = (ply + study.memory.shift) % 2 === 0 ? "first" : "second";
  const number = Math.floor((ply + study.memory.shift) / 2) + 1;
  const mark = memory.marks?.get(node) ?? "";
  return [numbered && el("i", {}, `${number}${side === "second" ? "…" : ""}`),
    button("", () => visit(study, node), { class: `mv${mark ? " bad" : ""}`, "aria-current": node === at ? "true" : undefined, "aria-label": `${number}, ${strings.player(side)}: ${strings.place(rules, node.move)}${mark ? `, ${strings.marks[mark]}` : ""}` }),
  ].map((made, index) => {
    if (index === 1) /** @type {HTMLElement} */ (made).append(badge(side), node.move, mark && el("small", {}, mark));
    return made;
  });
};

/** The tree: the main line in one flow, variations indented where they branch off. @param {Study} study */
const tree = (study) => {
  const { root } = study;
  if (!root.children.length) return el("p", { class: "muted" }, words.emptyTree);
  const flow = (start, ply, first) => {
    /** @type {HTMLElement[]} */
    const parts = [];
    let row = el("p", {});
    let numbered = true;
    const add = (node, depth) => {
      row.append(...moveButton(study, node, depth, numbered || (depth + study.memory.shift) % 2 === 0).filter(Boolean));
      numbered = false;
    };
    let at = start;
    if (first) {
      add(first, ply);
      at = first;
      ply += 1;
    }
    for (; at.children.length; [at] = at.children, ply += 1) {
      const [main, ...others] = at.children;
      add(main, ply);
      if (!others.length) continue;
      parts.push(row, el("div", { class: "var" }, ...others.flatMap((other) => flow(at, ply, other))));
      row = el("p", {});
      numbered = true;
    }
    if (row.childElementCount) parts.push(row);
    return parts;
  };
  return el("div", { class: "tree", role: "group", "aria-label": words.tree }, ...flow(root, 0));
};

/** Moves that lose at once, since they let the opponent win with the next disc, in words. @param {Study} study */
const fatal = ({ rules, answer }) =>
  (answer?.fatal?.length ? strings.fatal(answer.fatal.map(({ move }) => strings.place(rules, move)).join(", ")) : "");

/** Verdict, why, lines, the tree and the graph. @param {Study} study */
const movesTab = (study) => {
  const { answer, now, memory } = study;
  return [
    memory.notice && memory.notice.moves === now.moves && el("div", { class: "pad" }, el("p", { class: "note" }, memory.notice.text)),
    el("p", { class: "why" }, answer?.why?.words ?? ""),
    bestLines(study),
    now.threats && el("p", { class: "muted small pad" }, strings.threatsHint, " ", fatal(study), " ", el("a", { href: "/learn/glossary#threat" }, strings.below["learn/glossary"])),
    el("div", { class: "pad grow" }, now.position && el("p", { class: "muted small" }, words.setUp), tree(study)),
    memory.graph,
  ];
};

/** What a tab shows. @param {Study} study */
const content = async (study) => {
  const { tab } = study.now;
  if (tab === "explorer") return (await import("./explorer.js")).explorer(study);
  if (tab === "edit") return (await import("./editor.js")).editor(study);
  if (tab === "share") return (await import("./share.js")).share(study);
  return movesTab(study);
};

/** Going through the line, and what is needed seldom. @param {Study} study */
const actions = (study) => {
  const { keys } = study.memory;
  const { at, root, over, now, rules, path } = study;
  const act = (name, sign, key, disabled) => button(icon(sign), keys[key], { "aria-label": name, title: name, "aria-keyshortcuts": key, disabled });
  const along = { game: rules.game, moves: joined(rules, path) };
  return el("div", { class: "actions steps" },
    act(words.start, "start", "Home", at === root), act(words.back, "back", "ArrowLeft", at === root),
    act(words.forward, "forward", "ArrowRight", !at.children.length), act(words.end, "end", "End", !at.children.length),
    act(words.best, "best", "b", over),
    el("details", { class: "more" }, el("summary", { "aria-label": words.more, title: words.more }, icon("more")), el("div", { class: "menu" },
      button(strings.threats, keys.t, { "aria-pressed": String(Boolean(now.threats)), "aria-keyshortcuts": "t" }),
      button(words.promote, keys.p, { disabled: variations.isMain(at), "aria-keyshortcuts": "p" }),
      button(words.remove, keys.Delete, { disabled: at === root, "aria-keyshortcuts": "Delete" }),
      button(words.clear, keys.n, { "aria-keyshortcuts": "n" }),
      !now.position && !over && el("a", { class: "button", href: link("/play", { ...along, you: study.board.to_move }) }, strings.playOn),
      !now.position && path.length > 0 && el("a", { class: "button", href: link("/review", along) }, strings.reviewGame),
      el("label", {}, el("span", { class: "caption" }, words.budget), el("select", { name: "time", onchange: (event) => set(study, { time: event.target.value }, { replace: true }) },
        ...study.memory.budgets.map((value) => el("option", { value, selected: String(value) === now.time }, words.seconds(value))))),
      gamePicker(rules, (game) => go({ game, time: now.time, tab: now.tab })))));
};

/** Shows everything beside the board anew. @param {Study} study */
const refresh = async (study) => {
  const { memory, board, over, now, signal } = study;
  memory.verdict = verdictWords(study);
  const parts = await content(study);
  if (signal.aborted) return;
  const tabs = choice("tab", words.tabsLabel, Object.entries(words.tabs), now.tab ?? "moves", (tab) => set(study, { tab: tab === "moves" ? undefined : tab }, { replace: true }));
  tabs.classList.add("tabs");
  const open = memory.side.querySelector("details.more")?.open;
  renew(memory.side, el("section", { class: "panel", "aria-label": strings.pages.analyse },
    el("div", { class: "sheet-like" }, el("div", { class: "pad" }, tabs),
      now.tab !== "edit" && now.tab !== "share" && el("div", { class: "stand" }, badge(over ? board.outcome.by ?? board.to_move : board.to_move),
        el("div", {}, el("h2", { title: words.counted }, memory.verdict), el("p", { class: "muted small" }, source(study) || (over ? "" : strings.sideMove(board.to_move))))),
      ...parts.filter(Boolean)),
    actions(study)));
  if (open) memory.side.querySelector("details.more").open = true;
  evaluate(study);
};

/** Shows what the engine has said, but for where somebody may be typing. @param {Study} study */
const answered = async (study) => {
  if (["edit", "share"].includes(study.now.tab)) evaluate(study);
  else await refresh(study);
};

/** The keys. @param {Study} study */
const keys = (study) => {
  const { at, root } = study;
  const to = (node) => () => node && node !== at && visit(study, node, { replace: true });
  return {
    ArrowLeft: to(at.parent), ArrowRight: to(at.children[0]), Home: to(root), End: to(variations.endOf(at)),
    ArrowUp: to(variations.beside(at, -1)), ArrowDown: to(variations.beside(at, 1)),
    u: to(at.parent),
    b: () => {
      const best = study.answer?.lines?.[0]?.move ?? study.answer?.estimate?.move;
      if (best && !study.over) play(study, [best]);
    },
    t: () => set(study, { threats: study.now.threats ? undefined : "1" }, { replace: true }),
    p: () => {
      variations.promote(at);
      visit(study, at, { replace: true });
    },
    Delete: () => visit(study, variations.remove(at)),
    n: () => go({ game: study.rules.game, time: study.now.time }),
  };
};

/** The frame: bar, board and the place for the panel; it stays while the state changes. @param {HTMLElement} main @param {Study} study */
const frame = (main, { memory, rules }) => {
  if (!memory.side?.isConnected) {
    memory.home = el("div", { class: "home" });
    memory.bar = el("div", { class: "bar", role: "img" }, el("div", { class: "share" }));
    memory.side = el("div", { class: "side" });
    memory.stage = el("section", { class: "stage with-bar" }, memory.bar, memory.home);
    renew(main, el("div", { class: "page analysis" }, memory.stage, memory.side));
  }
  memory.stage.classList.toggle("flat", !rules.gravity);
  memory.stage.style.setProperty("--columns", String(rules.width));
  memory.stage.style.setProperty("--rows", String(rules.height));
};

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory kept from state to state */
export const analyse = async (main, signal, memory) => {
  memory.answers ??= new Map();
  const [study] = await Promise.all([readStudy(signal, memory), style("analyse")]);
  memory.budgets ??= await engine.catalogue().then(({ limits }) => budgets(limits.time_ms / 1000), () => [Number(DEFAULTS.time)]);
  if (signal.aborted) return;
  if (study.board.history === "given" && study.now.position) {
    // Moves in the place of a diagram.
    return go({ ...study.now, game: study.rules.game, position: undefined, moves: study.board.moves }, { replace: true });
  }
  // A position that was set up may have Yellow to move.
  memory.shift = (study.board.ply - study.path.length) % 2;
  memory.keys = keys(study);
  frame(main, study);
  paint(study);
  await refresh(study);
  tell(memory.verdict);
  if (study.over) return showsLine(study) && chart(study);
  await solve(study);
  if (signal.aborted) return;
  await answered(study);
  tell([memory.verdict, study.answer?.why?.words].filter(Boolean).join(". "));
  if (showsLine(study)) await chart(study);
};

/** Whether the graph over the line is to be seen. @param {Study} study */
const showsLine = ({ now }) => !["edit", "share", "explorer"].includes(now.tab);

/** The times to choose from, up to what the server allows. @param {number} most seconds */
const budgets = (most) => [...BUDGETS.filter((value) => value < most), most];

/** Judges the moves of the line, for the graph and the marks. @param {Study} study */
const chart = async (study) => {
  const { lineGraph } = await import("./graph.js");
  await lineGraph(study);
};

// Puzzles: the one of the day, and as many as one likes near the own rating. Wrong moves are refuted on the board.

import { after, badge, draw } from "./board.js";
import { engine } from "./client.js";
import { button, el, go, joined, link, renew, state, style, tell } from "./dom.js";
import { words } from "./puzzles-strings.js";
import { SURE } from "./rating.js";
import { sounds } from "./sounds.js";
import { strings } from "./strings.js";
import { later, today, tries } from "./tries.js";

const GAME = "7x6c4";
/** Least time before the opponent answers, and between the moves of a line that is shown, in ms. */
const PACE = 550;
/** Time for the reply to a wrong move, in ms. */
const PATIENCE = 4000;
/** Of the puzzles nearest to the rating, one of so many is next. */
const NEAREST = 16;
const LEVELS = 5;

/**
 * A puzzle under way.
 * @typedef {object} Task
 * @property {any} puzzle as the engine gives it
 * @property {string | undefined} day if it is that of a day
 * @property {any} board the position in which a move is asked for
 * @property {string[]} played the moves that led there from the empty board
 * @property {number} step which of the moves asked for is due, from 0
 * @property {"ask" | "wait" | "wrong" | "right" | "shown"} phase
 * @property {number} hints how many were given
 * @property {boolean} settled whether the try has counted
 * @property {number | undefined} moved by how much the rating moved
 * @property {string} note what is said below the headline
 * @property {any} show the board as it is drawn
 * @property {{ hint?: string, bad?: string }} marks cells that are marked on it
 */

/** What the address asks for. */
const asked = () => {
  const { game = GAME, number, theme = "", level } = state();
  const daily = !Object.keys(state()).length;
  return { game, number: number ? Number(number) : undefined, theme, level: level ? Number(level) : undefined, daily };
};

/** All puzzles of a game in brief. @param {string} game @param {any} memory */
const indexOf = async (game, memory) => {
  memory.indexes ??= {};
  const index = (memory.indexes[game] ??= await engine.puzzles(game));
  index.list ??= index.themes.split(" ").map((letters, at) => ({ number: at + 1, rating: index.ratings[at], letters }));
  return index;
};

const LETTERS = { win2: "2", win3: "3", win4: "4", "only-move": "o", defend: "d", zugzwang: "z" };

/** The level of a puzzle: the easiest fifth of a game's puzzles is level 1. @param {number} number @param {number} count */
const levelOf = (number, count) => Math.min(LEVELS, Math.floor(((number - 1) * LEVELS) / count) + 1);

/** The next puzzle for somebody who practises; none if there is none of the kind. @param {any} index @param {any} want */
const pick = (index, { game, theme, level }) => {
  const { rating, tried } = tries.now;
  const fits = index.list.filter(({ number, letters }) =>
    (!theme || letters.includes(LETTERS[theme])) && (!level || levelOf(number, index.list.length) === level));
  const fresh = fits.filter(({ number }) => tried[game]?.[number] === undefined);
  const from = fresh.length ? fresh : fits;
  const near = level ? from : [...from].sort((a, b) => Math.abs(a.rating - rating) - Math.abs(b.rating - rating)).slice(0, NEAREST);
  return near[Math.floor(Math.random() * near.length)]?.number;
};

/** Waits, unless another page or puzzle comes first. @param {number} ms @param {AbortSignal} signal */
const pause = (ms, signal) => new Promise((wake) => {
  setTimeout(wake, ms);
  signal.addEventListener("abort", () => wake(undefined), { once: true });
});

/** The page with a puzzle on it. */
class PuzzlePage {
  /** @param {Task} task @param {any} index @param {any} want @param {AbortSignal} signal */
  constructor(task, index, want, signal) {
    this.task = task;
    this.index = index;
    this.want = want;
    this.signal = signal;
    this.rules = task.board.rules;
    /** @type {"first" | "second"} */
    this.side = task.puzzle.position.to_move;
    /** @type {"first" | "second"} */
    this.other = this.side === "first" ? "second" : "first";
    this.home = el("div", { class: "home" });
    this.parts = { ask: el("section", { class: "ask", "aria-label": strings.pages.puzzles }), actions: el("div", { class: "actions" }), outcome: el("div", { class: "outcome" }), rest: el("div", { class: "rest sheet-like" }) };
  }

  /** Where the next puzzle is. */
  get nextAddress() {
    const { theme, level, game, daily } = this.want;
    return link("/puzzles", { game: daily ? GAME : game, theme, level: level && String(level) });
  }

  /** @param {string} label */
  at(label) {
    return words.at(this.rules, label);
  }

  /** The cell that a move fills. @param {any} board @param {string} label */
  cellOf(board, label) {
    return after(board, [label]).last;
  }

  /** The board after the moves that are shown. @param {any} board @param {{ hint?: string, bad?: string }} [marks] */
  put(board, marks = {}) {
    Object.assign(this.task, { show: board, marks });
    const { phase } = this.task;
    const open = phase === "ask" || phase === "wait";
    draw(this.home, board, { ...marks, busy: phase === "wait", play: open ? (label) => this.attempt(label) : undefined });
  }

  /** @param {string} label */
  async attempt(label) {
    const { task } = this;
    if (task.phase !== "ask") return;
    const { board, puzzle, step } = task;
    task.phase = "wait";
    const played = after(board, [label]);
    this.put(played);
    sounds.drop();
    if (label !== puzzle.line[2 * step]) return this.refute(label, played);
    if (step + 1 === puzzle.asked) return this.solved(played);
    const reply = puzzle.line[2 * step + 1];
    task.played = [...task.played, label, reply];
    const [next] = await Promise.all([engine.position(this.rules.game, joined(this.rules, task.played)), pause(PACE, this.signal)]);
    if (this.signal.aborted) return;
    Object.assign(task, { board: next, step: step + 1, phase: "ask", note: words.goOn(this.other, this.at(reply)) });
    this.put(next);
    sounds.drop();
    this.render();
    tell(task.note);
  }

  /** The right end. @param {any} played */
  solved(played) {
    const { task } = this;
    this.settle(task.hints === 0 ? 1 : task.hints === 1 ? 0.5 : 0);
    if (task.day) tries.solvedDay(task.day);
    task.phase = "right";
    task.note = this.reason();
    this.put(played, { hint: played.last });
    sounds.win();
    this.render();
    tell(`${words.right} ${task.note} ${this.movedText()}`);
    /** @type {HTMLElement | null} */ (this.parts.outcome.querySelector(".main"))?.focus({ preventScroll: true });
  }

  /** A wrong move: the reply that punishes it is shown. @param {string} label @param {any} played */
  async refute(label, played) {
    const { task, signal } = this;
    this.settle(0);
    const moves = joined(this.rules, [...task.played, label]);
    const began = performance.now();
    const found = await engine.solve({ game: this.rules.game, moves, time: PATIENCE }, () => undefined, signal).catch((error) => {
      if (!signal.aborted) tell(error.message, true);
      return {};
    });
    await pause(Math.max(0, PACE - (performance.now() - began)), signal);
    if (signal.aborted) return;
    task.phase = "wrong";
    const [reply] = found.line ?? [];
    const bad = played.last;
    task.note = words.unproven;
    if (reply) {
      const { result, plies } = found.verdict;
      task.note = words.better(this.other, this.at(reply), words.result(result, Math.ceil(plies / 2)));
      this.put(after(played, [reply]), { bad });
      sounds.drop();
    } else {
      if (found.complete) task.note = words.over;
      this.put(played, { bad });
    }
    this.render();
    tell(`${words.wrong}. ${task.note} ${this.movedText()}`);
    /** @type {HTMLElement | null} */ (this.parts.outcome.querySelector(".main"))?.focus({ preventScroll: true });
  }

  /** Back to the position in which a move is asked for. */
  again() {
    const { task } = this;
    if (task.phase !== "wrong") return;
    task.phase = "ask";
    task.note = "";
    this.put(task.board);
    this.render();
    tell(this.question());
    this.focusBoard();
  }

  /** First the idea, then the move. */
  hint() {
    const { task } = this;
    if (task.phase === "wrong") this.again();
    if (task.phase !== "ask") return;
    const label = task.puzzle.line[2 * task.step];
    task.hints = Math.min(2, task.hints + 1);
    if (task.hints === 1) task.note = words.idea(task.puzzle.why, task.puzzle.themes[0], task.puzzle.asked, this.side);
    else {
      task.note = words.column(this.at(label));
      this.put(task.board, { hint: this.rules.gravity ? label : this.cellOf(task.board, label) });
    }
    this.render();
    tell(task.note);
  }

  /** Shows the solution, move by move to the end of the game. */
  async solution() {
    const { task } = this;
    if (task.phase === "wait" || task.phase === "shown") return;
    if (task.phase !== "right") this.settle(0);
    const solved = task.phase === "right";
    task.note = this.reason();
    const from = solved ? 2 * task.step + 1 : 2 * task.step;
    if (!solved) task.phase = "shown";
    this.put(solved ? task.show : task.board);
    this.render();
    tell(`${words.shown}. ${task.puzzle.line.slice(from).map((label) => this.at(label)).join(", ")}. ${task.note}`);
    for (const label of task.puzzle.line.slice(from)) {
      await pause(PACE, this.signal);
      if (this.signal.aborted) return;
      this.put(after(task.show, [label]));
      sounds.drop();
    }
    const moves = joined(this.rules, [...task.played, ...task.puzzle.line.slice(2 * task.step)]);
    const end = await engine.position(this.rules.game, moves);
    if (!this.signal.aborted) this.put({ ...end, legal: [] });
  }

  /** The first try counts. @param {number} score */
  settle(score) {
    const { task } = this;
    if (task.settled) return;
    task.settled = true;
    task.moved = tries.note(this.rules.game, task.puzzle.number, task.puzzle.rating, score);
  }

  movedText() {
    const { moved, hints, phase } = this.task;
    if (moved === undefined) return words.solvedBefore;
    return `${words.moved(moved)}.${phase === "right" && hints === 1 ? ` ${words.half}` : ""}`;
  }

  /** Why the line works, in a sentence or two. */
  reason() {
    const { why, wins_in: wins, asked: count } = this.task.puzzle;
    const long = wins !== null && wins > count + 1;
    return `${long ? `${words.longWin(wins)} ` : ""}${words.why(why, this.rules, this.side, long)}`;
  }

  question() {
    const { puzzle } = this.task;
    return `${words.title(puzzle.themes[0])}. ${words.task(this.side, puzzle.themes[0], this.rules)}`;
  }

  focusBoard() {
    /** @type {HTMLElement | null} */ (this.home.querySelector("[data-move]:not([aria-disabled])"))?.focus({ preventScroll: true });
  }

  next() {
    if (this.task.phase !== "wait") go(Object.fromEntries(new URL(this.nextAddress, location.href).searchParams), { page: "/puzzles" });
  }

  // What is shown beside the board.

  render() {
    const { ask, actions, outcome, rest } = this.parts;
    const { phase } = this.task;
    renew(ask, this.askView());
    renew(actions, this.actionsView());
    const done = phase === "right" || phase === "wrong" || phase === "shown";
    if (done) renew(outcome, this.outcomeView());
    else outcome.replaceChildren();
    renew(rest, this.restView());
  }

  askView() {
    const { puzzle, day, step, note, phase } = this.task;
    const [theme] = puzzle.themes;
    const level = levelOf(puzzle.number, puzzle.count);
    const solvedToday = day && phase === "ask" && !note && tries.now.days.includes(day);
    return el("div", { class: "question" },
      el("p", { class: "eyebrow" }, el("span", {}, day ? `${words.daily} · ${words.date(day)}` : words.number(puzzle.number, puzzle.count)), pips(level)),
      el("div", { class: "stand" }, badge(this.side), el("div", {}, el("h2", {}, words.title(theme)),
        el("p", { class: "muted" }, words.task(this.side, theme, this.rules)))),
      puzzle.asked > 1 && el("p", { class: "steps-done", role: "img", "aria-label": words.further(puzzle.asked, step) },
        ...Array.from({ length: puzzle.asked }, (_, at) => el("i", { class: at < step || phase === "right" ? "done" : at === step ? "now" : "" }))),
      (note || solvedToday) && phase !== "right" && phase !== "wrong" && phase !== "shown" && el("p", { class: "told-hint" }, note || words.solvedToday));
  }

  actionsView() {
    const { phase, hints } = this.task;
    const asking = phase === "ask";
    return el("div", { class: "four" },
      button(words.hint, () => this.hint(), { "aria-keyshortcuts": "h", disabled: !(asking || phase === "wrong") || hints > 1 }),
      button(words.retry, () => this.again(), { "aria-keyshortcuts": "r", disabled: phase !== "wrong" }),
      button(words.answer, () => this.solution(), { "aria-keyshortcuts": "s", disabled: !(asking || phase === "wrong") }),
      button(phase === "right" || phase === "shown" ? words.nextBrief : words.skip, () => this.next(), { "aria-keyshortcuts": "n", disabled: phase === "wait" }));
  }

  outcomeView() {
    const { phase, note, puzzle, played, step } = this.task;
    const head = { right: words.right, wrong: words.wrong, shown: words.shown }[/** @type {"right" | "wrong" | "shown"} */ (phase)];
    const mark = phase === "right" ? "✓" : phase === "wrong" ? "✕" : "…";
    const next = el("a", { class: "button main", href: this.nextAddress }, this.task.day && phase !== "wrong" ? words.practise : words.next);
    const rest = [...played, ...puzzle.line.slice(2 * step, 2 * step + 1)];
    const buttons = phase === "wrong"
      ? [button(words.again, () => this.again(), { class: "main" }), button(words.hint, () => this.hint()), button(words.answer, () => this.solution())]
      : [next, phase === "right" && puzzle.line.length > 2 * step + 1 && button(words.playOut, () => this.solution()),
        el("a", { class: "button", href: link("/analyse", { game: this.rules.game, moves: joined(this.rules, rest) }) }, words.analyse)];
    return el("div", { class: `verdict-card ${phase}` },
      el("div", { class: "stand" }, el("span", { class: "sign", "aria-hidden": "true" }, mark), el("div", {}, el("h2", {}, head),
        el("p", { class: "small moved" }, this.movedText()))),
      el("p", {}, note), el("div", { class: "buttons" }, ...buttons.filter(Boolean)));
  }

  restView() {
    const memory = tries.now;
    return el("div", {}, streakView(memory), this.practiceView(memory));
  }

  /** @param {typeof tries.now} memory */
  practiceView(memory) {
    const { game, theme, level, daily } = this.want;
    const { list, games } = this.index;
    const tried = memory.tried[game] ?? {};
    const row = (at) => {
      const [first, end] = [list.findIndex(({ number }) => levelOf(number, list.length) === at), list.filter(({ number }) => levelOf(number, list.length) <= at).length];
      const done = list.slice(first, end).filter(({ number }) => tried[number] === 1).length;
      const meter = el("span", { class: "meter", "aria-hidden": "true" }, el("i", {}));
      meter.style.setProperty("--share", `${(100 * done) / Math.max(1, end - first)}%`);
      return el("li", {}, el("a", { class: "level", href: link("/puzzles", { game, theme, level: String(at) }), "aria-current": level === at ? "true" : undefined },
        pips(at, true), el("b", {}, words.levels[at - 1]), meter, el("span", { class: "muted small" }, words.progress(done, end - first))));
    };
    const select = (name, caption, choices, chosen, change) => el("label", { class: "pick" }, el("span", { class: "caption" }, caption),
      el("select", { name, onchange: (event) => change(event.target.value) }, ...choices.map(([value, text]) => el("option", { value, selected: value === chosen }, text))));
    const rating = Math.round(memory.rating);
    const open = memory.deviation > SURE;
    return el("div", { class: "practice" },
      el("div", { class: "practice-head" }, el("h2", {}, words.practice),
        el("p", { class: "muted", title: open ? words.provisionalHelp : undefined }, `${words.rating} `, el("b", { class: "own-rating" }, open ? words.provisional(rating) : String(rating)))),
      el("a", { class: "button near", href: link("/puzzles", { game, theme }), "aria-current": !daily && !level ? "true" : undefined }, words.near, memory.bestRun > 0 && el("span", { class: "muted small" }, words.run(memory.run, memory.bestRun))),
      el("ul", { class: "levels" }, ...[1, 2, 3, 4, 5].filter((at) => list.some(({ number }) => levelOf(number, list.length) === at)).map(row)),
      el("div", { class: "filters" },
        select("theme", words.theme, Object.entries(words.themes), theme, (value) => go({ game, theme: value, level: level && String(level) }, { page: "/puzzles" })),
        select("game", words.game, games.map((one) => [one.game, words.games(one.title, one.game, one.count)]), game, (value) => go({ game: value, theme: "" }, { page: "/puzzles" }))),
      el("p", { class: "muted small" }, words.about, " ", words.device, !daily && " ", !daily && el("a", { href: "/puzzles" }, words.daily)));
  }
}

/** How hard it is: dots out of five. @param {number} level @param {boolean} [brief] */
const pips = (level, brief = false) => el("span", { class: "difficulty" },
  el("span", { class: "pips", role: "img", "aria-label": words.level(level, words.levels[level - 1]) },
    ...Array.from({ length: LEVELS }, (_, at) => el("i", { class: at < level ? "full" : "" }))),
  !brief && el("b", { "aria-hidden": "true" }, words.levels[level - 1]));

/** Days in a row, and this week. @param {typeof tries.now} memory */
const streakView = (memory) => {
  const now = today();
  const monday = later(now, -((new Date(`${now}T00:00:00Z`).getUTCDay() + 6) % 7));
  const done = memory.days.includes(now);
  const about = done ? words.streakDone(memory.bestDays, memory.streak) : memory.streak ? words.streakOpen(memory.streak + 1) : words.streakNone;
  return el("div", { class: "streak" },
    el("a", { class: "stand", href: "/puzzles" }, flame(done), el("span", {}, el("b", {}, words.streak(memory.streak)), el("small", {}, about))),
    el("ol", { class: "week" }, ...words.week.map((letter, at) => {
      const day = later(monday, at);
      const solved = memory.days.includes(day);
      const told = (solved ? words.dayDone : words.dayOpen)(words.weekdays[at]);
      return el("li", { class: `${solved ? "done" : ""}${day === now ? " today" : ""}` }, el("i", { "aria-hidden": "true" }, solved ? "✓" : ""),
        el("span", { "aria-hidden": "true" }, letter), el("span", { class: "unseen" }, told));
    })));
};

/** @param {boolean} lit */
const flame = (lit) => el("span", { class: `flame${lit ? " lit" : ""}`, "aria-hidden": "true" }, el("svg", { viewBox: "0 0 24 24" },
  el("path", { d: "M12 3c1 3.5 5 5.5 5 10a5 5 0 0 1-10 0c0-2 1-3.2 2-4 .2 1.5 1 2.3 1.7 2.5C10.5 8.5 11 5.5 12 3z" })));

/** A puzzle from its beginning. @param {any} puzzle @param {string | undefined} day @returns {Task} */
const begin = (puzzle, day) => ({
  puzzle, day, board: puzzle.position, played: puzzle.position.played.map((mv) => mv.move), step: 0, phase: "ask", hints: 0,
  settled: false, moved: undefined, note: "", show: puzzle.position, marks: {},
});

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const puzzles = async (main, signal, memory) => {
  const want = asked();
  const [index] = await Promise.all([indexOf(want.game, memory), style("puzzles")]);
  if (signal.aborted) return;
  if (!want.daily && !want.number) {
    const number = pick(index, want);
    if (number) return go({ ...state(), number: String(number) }, { replace: true });
    if (want.theme || want.level) return go({ game: want.game }, { replace: true });
  }
  const day = want.daily ? today() : undefined;
  const puzzle = await engine.puzzle({ game: want.game, day, number: want.number });
  if (signal.aborted) return;
  const page = new PuzzlePage(begin(puzzle, day), index, want, signal);
  memory.keys = { h: () => page.hint(), r: () => page.again(), s: () => page.solution(), n: () => page.next() };
  const { ask, actions, outcome, rest } = page.parts;
  page.put(puzzle.position);
  page.render();
  renew(main, el("div", { class: "page puzzling" }, ask, el("section", { class: "stage" }, page.home), actions, outcome, rest));
  tell(page.question());
};

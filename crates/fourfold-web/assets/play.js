// Play: against the computer, two people on one screen, or watching.

import { badge, draw } from "./board.js";
import { engine } from "./client.js";
import { button, choice, el, go, joined, link, renew, state, tell } from "./dom.js";
import { gamePicker, moveList, shown, turn } from "./picker.js";
import { duration, strings } from "./strings.js";

const DEFAULTS = { game: "7x6c4", moves: "", you: "first", against: "character:milo" };
/** Time for the exact results, in ms. */
const PATIENCE = 4000;
/** Least time between two moves when nobody plays, in ms. */
const PACE = 500;
/** Minutes that a side has for its moves; empty is no clock. */
const CLOCKS = ["", "1", "3", "10"];
/** Time between two updates of the clocks, in ms. */
const TICK = 200;

/** @typedef {"first" | "second"} Side */
/** @typedef {Record<string, string | undefined>} Params parameters of the address */
/** @typedef {{ replace?: boolean }} How whether the entry in the history is replaced */

/**
 * A game under way: what the address says, and what follows from it.
 * @typedef {object} Game
 * @property {any} now parameters of the address, with defaults
 * @property {any} board the position, as the engine answers
 * @property {string[]} played moves so far
 * @property {string[]} redo moves taken back, next first
 * @property {boolean} over
 * @property {boolean} myTurn a person is to move
 * @property {any} memory kept from state to state
 * @property {AbortSignal} signal ended when the state changes
 * @property {HTMLElement} home where the board is drawn
 * @property {any} view what is drawn on the board beside the discs
 */

/** @type {Side[]} */
const SIDES = ["first", "second"];

/** @param {number} ply @returns {Side} who makes the move at this ply */
const sideAt = (ply) => (ply % 2 === 0 ? "first" : "second");

/** Whether a person plays this side. @param {Game} game @param {Side} side */
const isPerson = ({ now }, side) => now.you === "both" || now.you === side;

/** Whether an engine replies to a person at this ply. @param {Game} game @param {number} ply */
const isReply = (game, ply) => game.now.you !== "none" && !isPerson(game, sideAt(ply));

/** The player of a side that no person plays. @param {Game} game @param {string} side */
const engineOf = ({ now }, side) => (now.you === "none" ? now[side] ?? now.against : now.against);

/** The game that the address describes. @param {AbortSignal} signal @param {any} memory */
const readGame = async (signal, memory) => {
  const now = { ...DEFAULTS, ...state() };
  const board = await engine.position(now.game, now.moves);
  const ended = board.outcome.state !== "ongoing";
  /** @type {Game} */
  const game = {
    now,
    board,
    played: board.played.map((mv) => mv.move),
    redo: now.redo ? now.redo.split(/[ ,]/) : [],
    over: ended || Boolean(now.resigned) || Boolean(now.late),
    myTurn: false,
    memory,
    signal,
    home: el("div", { class: "home" }),
    view: { found: new Map() },
  };
  game.myTurn = isPerson(game, board.to_move);
  return game;
};

// Going to another state.

/** Changes parameters of the address. @param {Game} game @param {Params} next @param {How} [how] */
const set = (game, next, how) => go({ ...game.now, ...next }, how);

/** Starts a new game. @param {Game} game @param {Params} next */
const startAnew = (game, next) => set(game, {
  moves: undefined, redo: undefined, resigned: undefined, late: undefined, used: undefined,
  seed: undefined, ...next,
});

/**
 * Plays moves.
 * @param {Game} game @param {string[]} labels @param {string[]} redo moves that stay taken back
 * @param {How} [how]
 */
const add = (game, labels, redo, how) => {
  const moves = joined(game.board.rules, [...game.played, ...labels]);
  set(game, { moves, redo: redo.join(","), resigned: undefined }, how);
};

/**
 * Plays a move, and notes the time used.
 * @param {Game} game @param {string} label @param {How} [how]
 */
const move = (game, label, how) => {
  Object.assign(game.now, timesUsed(game));
  add(game, [label], [], how);
};

/** Takes back the last move of a person, and the replies to it. @param {Game} game */
const undo = (game) => {
  const { played } = game;
  let keep = played.length - 1;
  while (keep > 0 && isReply(game, keep)) keep -= 1;
  if (keep < 0 || isReply(game, keep)) return tell(strings.noMoves);
  set(game, {
    moves: joined(game.board.rules, played.slice(0, keep)),
    redo: [...played.slice(keep), ...game.redo].join(","),
    resigned: undefined,
    late: undefined,
  });
};

/** Plays the next move that was taken back, and the replies to it. @param {Game} game */
const redo = (game) => {
  const { played, redo: rest } = game;
  if (!rest.length) return;
  let count = 1;
  while (count < rest.length && isReply(game, played.length + count)) count += 1;
  add(game, rest.slice(0, count), rest.slice(count));
};

/** Shows or hides the exact results. @param {Game} game */
const toggleResults = (game) => set(game, { show: game.now.show ? undefined : "1" });

/** @param {Game} game */
const resign = (game) =>
  set(game, { resigned: game.now.you === "both" ? game.board.to_move : game.now.you });

// The clock runs from the first disc on. What each side has used, in seconds, is in the address.

/** Notes when the move began, unless the position is the same as before. @param {Game} game */
const startClock = ({ now, memory }) => {
  const stage = `${now.game} ${now.moves}`;
  if (memory.stage !== stage) Object.assign(memory, { stage, since: performance.now() });
};

/** @param {Game} game */
const isTicking = ({ now, played, over }) => Boolean(now.clock) && played.length > 0 && !over;

/** Seconds used so far. @param {Game} game @param {Side} side */
const timeUsed = (game, side) => {
  const { now, board, memory } = game;
  const before = Number((now.used ?? "").split(",")[side === "first" ? 0 : 1]) || 0;
  const running = isTicking(game) && side === board.to_move;
  return before + (running ? (performance.now() - memory.since) / 1000 : 0);
};

/** Seconds left. @param {Game} game @param {Side} side */
const timeLeft = (game, side) => Math.max(0, 60 * Number(game.now.clock) - timeUsed(game, side));

/** The time used by both sides, as a parameter; none without a clock. @param {Game} game */
const timesUsed = (game) =>
  game.now.clock
    ? { used: SIDES.map((side) => timeUsed(game, side).toFixed(1)).join(",") }
    : undefined;

/** @param {Game} game @param {HTMLElement} clocks where they are shown */
const showClocks = (game, clocks) => clocks.replaceChildren(...SIDES.map((side) => {
  const running = side === game.board.to_move && !game.over;
  return el("span", { class: running ? "running" : "" },
    badge(side), strings.left(timeLeft(game, side)));
}));

/**
 * Shows the clocks as they run; a side that runs out of time has lost.
 * @param {Game} game @param {HTMLElement} clocks where they are shown
 */
const runClocks = (game, clocks) => {
  const { to_move: side } = game.board;
  showClocks(game, clocks);
  if (!isTicking(game)) return;
  const timer = setInterval(() => {
    if (timeLeft(game, side) > 0) return showClocks(game, clocks);
    set(game, { ...timesUsed(game), late: side }, { replace: true });
  }, TICK);
  game.signal.addEventListener("abort", () => clearInterval(timer));
};

// The board and the panel.

/** Draws the board. @param {Game} game */
const paint = (game) => {
  const { home, board, view, over } = game;
  draw(home, board, { ...view, play: over ? undefined : (label) => move(game, label) });
  view.fall = false;
};

/** Draws the board for the first time; a disc just played falls. @param {Game} game */
const paintFirst = (game) => {
  const { memory, played, view } = game;
  view.fall = memory.drawn !== undefined && memory.drawn === played.length - 1;
  view.busy = !game.over && !game.myTurn;
  memory.drawn = played.length;
  paint(game);
};

/** Asks the solver for a move and marks it. @param {Game} game */
const hint = async (game) => {
  const { now, board, signal } = game;
  if (game.over) return tell(strings.over, true);
  tell(strings.thinking);
  try {
    const found = await engine.move(now.game, now.moves, "perfect:time=2000", 0, signal);
    game.view.hint = found.move;
    paint(game);
    const proven = found.verdict.result !== "estimate";
    tell(strings.hinted(strings.place(board.rules, found.move), proven ? found.words : ""));
  } catch (error) {
    if (!signal.aborted) tell(error.message, true);
  }
};

/** Copies the address. */
const share = async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    tell(strings.shared);
  } catch {
    tell(strings.notShared);
  }
};

/** Who resigned or ran out of time, if anybody. @param {Game} game @returns {Side | undefined} */
const loserOf = ({ now }) => now.resigned ?? now.late;

/** @param {Game} game @returns {Side | undefined} */
const winnerOf = (game) => {
  const loser = loserOf(game);
  return game.board.outcome.by ?? (loser && (loser === "first" ? "second" : "first"));
};

/** How the game has ended. @param {Game} game */
const resultText = (game) => {
  const { you } = game.now;
  const winner = winnerOf(game);
  if (!winner) return strings.drawn;
  if (you === winner) return strings.youWin;
  return you === "first" || you === "second" ? strings.youLose : strings.won(winner);
};

/** Whose turn it is, or how the game has ended. @param {Game} game */
const statusText = (game) => {
  if (game.over) return resultText(game);
  if (!game.myTurn) return strings.thinking;
  return game.now.you === "both" ? strings.sideMove(game.board.to_move) : strings.yourMove;
};

/** Says what has just happened, and the status. @param {Game} game */
const announce = (game) => {
  const { now, board, over } = game;
  const last = board.played.at(-1);
  const loser = loserOf(game);
  const told = last && (now.you !== "both" || over);
  let news = "";
  if (now.late) news = `${strings.late(loser)} `;
  else if (loser) news = `${strings.resigned(loser)} `;
  else if (told) news = `${strings.playedMove(last.side, last.cell)} `;
  tell(news + statusText(game));
};

/**
 * The choice of an engine: a strength, or any player.
 * @param {Game} game @param {string} name of the parameter @param {string} legend
 * @returns {HTMLElement[]}
 */
const opponentPicker = (game, name, legend) => {
  const spec = name === "against" ? game.now.against : engineOf(game, name);
  const custom = el("form", { class: "row", novalidate: true },
    el("label", { class: "grow" }, el("span", { class: "caption" }, strings.custom),
      el("input", {
        name: `${name}-player`, value: spec, autocomplete: "off", spellcheck: "false",
        "aria-describedby": `${name}-hint`,
      })),
    el("button", { type: "submit" }, strings.use),
    el("small", { id: `${name}-hint`, class: "wide" }, strings.customHint));
  custom.addEventListener("submit", (event) => {
    event.preventDefault();
    set(game, { [name]: custom.querySelector("input").value.trim() || undefined });
  });
  const open = !strings.levels.some(([level]) => level === spec);
  return [
    choice(name, legend, strings.levels, spec, (value) => set(game, { [name]: value })),
    el("details", { open }, el("summary", {}, strings.levelsHint), custom),
  ];
};

/** A choice for every engine that plays. @param {Game} game @returns {HTMLElement[]} */
const opponentPickers = (game) => {
  const { you } = game.now;
  if (you === "both") return [];
  if (you !== "none") return opponentPicker(game, "against", strings.against);
  return SIDES.flatMap((side) => opponentPicker(game, side, strings.player(side)));
};

/** @param {Game} game */
const sidePicker = (game) => {
  const { first, second, both, neither } = strings;
  const sides = [["first", first], ["second", second], ["both", both], ["none", neither]];
  return choice("you", strings.youPlay, sides, game.now.you, (you) => set(game, { you }));
};

/** @param {Game} game */
const clockPicker = (game) => {
  const { clock } = game.now;
  const minutes = CLOCKS.map((value) => [value, strings.minutes(value)]);
  return el("details", { open: Boolean(clock) },
    el("summary", {}, strings.clockHint(clock)),
    choice("clock", strings.clock, minutes, clock ?? "",
      (value) => set(game, { clock: value, used: undefined, late: undefined })));
};

/** @param {Game} game */
const buttons = (game) => {
  const { now, played, over } = game;
  const { a, h, n, r, u } = game.memory.keys;
  const pressed = String(Boolean(now.show));
  return el("div", { class: "buttons" },
    button(strings.undo, u, { "aria-keyshortcuts": "u", disabled: !played.length }),
    button(strings.redo, r, { "aria-keyshortcuts": "r", disabled: !game.redo.length }),
    button(strings.hint, h, { "aria-keyshortcuts": "h", disabled: over || !game.myTurn }),
    button(now.show ? strings.hide : strings.show, a,
      { "aria-keyshortcuts": "a", "aria-pressed": pressed }),
    button(strings.share, share),
    !over && now.you !== "none"
      && button(strings.resign, () => resign(game), { disabled: !played.length }),
    button(strings.newGame, n, { class: over ? "main" : "", "aria-keyshortcuts": "n" }));
};

/** Links to the same game on other pages. @param {Game} game */
const links = ({ now: { game, moves }, over }) =>
  el("p", { class: "links" },
    el("a", { href: link("/analyse", { game, moves }) }, strings.analyseGame),
    over && el("a", { href: link("/review", { game, moves }) }, strings.reviewGame));

/** @param {Game} game @param {HTMLElement} clocks */
const panel = (game, clocks) => {
  const { now, board, over, memory } = game;
  const thought = memory.thought?.moves === now.moves ? memory.thought.text : "";
  const winner = winnerOf(game);
  return el("section", { class: "panel", "aria-label": strings.pages.play },
    turn(over && winner ? winner : board.to_move, statusText(game)),
    sidePicker(game),
    now.clock && clocks,
    ...opponentPickers(game),
    gamePicker(board.rules, (other) => startAnew(game, { game: other })),
    clockPicker(game),
    el("div", { class: "list" }, moveList(board)),
    el("p", { class: "muted thought" }, thought),
    buttons(game),
    links(game));
};

// The engine's part.

/** Shows every move's exact result as it is found. @param {Game} game */
const showResults = (game) => {
  const { now, view, signal } = game;
  const hear = (name, column) => {
    if (name !== "column") return;
    view.found.set(column.move, shown(column));
    view.best = Math.max(view.best ?? -Infinity, column.score ?? -Infinity);
    paint(game);
  };
  engine.solve(now.game, now.moves, PATIENCE, hear, signal)
    .catch((error) => signal.aborted || tell(error.message, true));
};

/** Lets the engine whose turn it is make its move. @param {Game} game */
const letEngineMove = async (game) => {
  const { now, board, played, signal } = game;
  const began = performance.now();
  const player = engineOf(game, board.to_move);
  const found = await engine.move(now.game, now.moves, player, now.seed, signal);
  if (now.you === "none") {
    const rest = Math.max(0, PACE - (performance.now() - began));
    await new Promise((wake) => setTimeout(wake, rest));
  }
  if (signal.aborted) return;
  const moves = joined(board.rules, [...played, found.move]);
  const expects = found.verdict && found.verdict.result !== "estimate" ? found.words : "";
  const text = strings.thought(expects, found.depth, duration(found.time_ms));
  game.memory.thought = { moves, text };
  move(game, found.move, { replace: true });
};

/**
 * The page.
 * @param {HTMLElement} main @param {AbortSignal} signal ended when the state changes
 * @param {any} memory kept from state to state
 */
export const play = async (main, signal, memory) => {
  if (!state().seed) {
    const seed = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    return go({ ...state(), seed }, { replace: true });
  }
  const game = await readGame(signal, memory);
  if (signal.aborted) return;
  startClock(game);
  memory.keys = {
    u: () => undo(game),
    r: () => redo(game),
    h: () => hint(game),
    a: () => toggleResults(game),
    n: () => startAnew(game, {}),
  };
  const clocks = el("p", { class: "clocks" });
  paintFirst(game);
  renew(main, el("div", { class: "page" },
    el("section", { class: "stage" }, game.home), panel(game, clocks)));
  announce(game);
  if (game.now.clock) runClocks(game, clocks);
  if (game.now.show && !game.over) showResults(game);
  if (!game.over && !game.myTurn) await letEngineMove(game);
};

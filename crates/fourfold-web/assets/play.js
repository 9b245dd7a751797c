// Play: against the computer, two people on one screen, or watching.

import { after, badge, draw } from "./board.js";
import { engine } from "./client.js";
import { button, copy, el, go, joined, link, renew, state, tell } from "./dom.js";
import { kept } from "./kept.js";
import { characters, face, nameOf, ownFace } from "./opponents.js";
import { moveList, shown } from "./picker.js";
import { hush, sounds } from "./sounds.js";
import { duration, strings } from "./strings.js";

const DEFAULTS = { game: "7x6c4", moves: "", you: "first", against: "character:pip" };
/** Time for the exact results, in ms. */
const PATIENCE = 4000;
/** Least time that an engine takes for its move, in ms: people need to see what happens. */
const PACE = 500;
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
 * @property {import("./opponents.js").Opponent[]} people the characters
 * @property {HTMLElement} home where the board is drawn
 * @property {any} view what is drawn on the board beside the discs
 * @property {string} [trouble] why the engine does not move
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
  const [board, people] = await Promise.all([engine.position(now.game, now.moves), characters().catch(() => [])]);
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
    people,
    home: (memory.home ??= el("div", { class: "home" })),
    view: { found: new Map() },
  };
  game.myTurn = isPerson(game, board.to_move);
  return game;
};

// Going to another state.

/** Changes parameters of the address. @param {Game} game @param {Params} next @param {How} [how] */
const set = (game, next, how) => go({ ...game.now, ...next }, how);

/** Starts a new game; one that is under way can be gone on with later. @param {Game} game @param {Params} next */
const startAnew = (game, next) => {
  if (!game.over && game.played.length) kept.add(record(game));
  set(game, {
    ...next, moves: undefined, redo: undefined, resigned: undefined, late: undefined, used: undefined,
    seed: undefined,
  });
};

/** A game as it is kept; without a result while it is under way. @param {Game} game @param {string} [result] */
const record = ({ now }, result) =>
  ({ date: new Date().toISOString(), game: now.game, moves: now.moves, you: now.you, against: now.against, result, now: result ? undefined : now });

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
  // The disc falls now; what the engine says of the position comes later.
  draw(game.home, after(game.board, [label]), { busy: true, play: () => undefined });
  sounds.drop();
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
  const stage = `${now.seed} ${now.game} ${now.moves}`;
  if (memory.stage === stage) return;
  // A reload does not give time back.
  const { turn } = kept;
  Object.assign(memory, { stage, since: turn?.stage === stage ? turn.since : Date.now() });
  if (now.clock) kept.turn = { stage, since: memory.since };
};

/** @param {Game} game */
const isTicking = ({ now, played, over }) => Boolean(now.clock) && played.length > 0 && !over;

/** Seconds used so far. @param {Game} game @param {Side} side */
const timeUsed = (game, side) => {
  const { now, board, memory } = game;
  const before = Number((now.used ?? "").split(",")[side === "first" ? 0 : 1]) || 0;
  const running = isTicking(game) && side === board.to_move;
  return before + (running ? (Date.now() - memory.since) / 1000 : 0);
};

/** Seconds left. @param {Game} game @param {Side} side */
const timeLeft = (game, side) => Math.max(0, 60 * Number(game.now.clock) - timeUsed(game, side));

/** The time used by both sides, as a parameter; none without a clock. @param {Game} game */
const timesUsed = (game) =>
  game.now.clock
    ? { used: SIDES.map((side) => timeUsed(game, side).toFixed(1)).join(",") }
    : undefined;

/** Shows the time left. @param {Game} game */
const showClocks = (game) => {
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".clock[data-side]"))) {
    shown.textContent = strings.left(timeLeft(game, /** @type {Side} */ (shown.dataset.side)));
  }
};

/** Shows the clocks as they run; a side that runs out of time has lost. @param {Game} game */
const runClocks = (game) => {
  const { to_move: side } = game.board;
  showClocks(game);
  if (!isTicking(game)) return;
  const timer = setInterval(() => {
    if (timeLeft(game, side) > 0) return showClocks(game);
    set(game, { ...timesUsed(game), late: side }, { replace: true });
  }, TICK);
  game.signal.addEventListener("abort", () => clearInterval(timer));
};

// The board and the panel.

/** Draws the board. @param {Game} game */
const paint = (game) => {
  const { home, board, view, over } = game;
  view.busy = !over && !game.myTurn;
  draw(home, board, { ...view, play: over ? undefined : (label) => move(game, label) });
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
  tell(await copy(location.href) ? strings.shared : strings.notShared);
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
  if (game.trouble) return strings.trouble;
  if (!game.myTurn) return strings.thinking;
  return game.now.you === "both" ? strings.sideMove(game.board.to_move) : strings.yourMove;
};

/** When the end is reached at the board: its sound, the score, and the game is kept. @param {Game} game */
const settle = (game) => {
  const { memory, over, now } = game;
  if (over && memory.over === false) {
    const winner = winnerOf(game);
    const mine = now.you === "first" || now.you === "second";
    const result = !winner ? 2 : winner === now.you ? 0 : 1;
    if (!winner) sounds.draw();
    else sounds[mine && result === 1 ? "lose" : "win"]();
    if (mine) kept.count(now.against, result);
    kept.add(record(game, winner ?? "draw"));
  }
  memory.over = over;
  kept.game = over || !game.played.length ? undefined : now;
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

/** Who plays a side, by name. @param {Game} game @param {Side} side */
const seatName = (game, side) => {
  if (!isPerson(game, side)) return nameOf(engineOf(game, side), game.people);
  return game.now.you === "both" ? strings.player(side) : strings.you;
};

/** Opens the sheet for a new game. @param {Game} game */
const plan = async (game) => {
  const { newGameSheet } = await import("./sheet.js");
  await newGameSheet(game.now, (next) => startAnew(game, { ...next, first: undefined, second: undefined }));
};

/** The same again, with the sides swapped against an engine. @param {Game} game */
const rematch = (game) => {
  const { you } = game.now;
  const swapped = you === "first" ? "second" : you === "second" ? "first" : you;
  startAnew(game, { you: swapped });
};

/** The next stronger character, if the game was won against one. @param {Game} game */
const nextOpponent = ({ now, people }) => {
  const index = people.findIndex(({ player }) => player === now.against);
  return index < 0 ? undefined : people[index + 1];
};

/** A card with a player: face, name, clock. @param {Game} game @param {Side} side */
const card = (game, side) => {
  const { now, people, over, board } = game;
  const spec = engineOf(game, side);
  const index = people.findIndex(({ player }) => player === spec);
  const person = isPerson(game, side);
  const about = person ? strings.plays(side) : people[index]?.about ?? strings.plays(side);
  const turn = !over && board.to_move === side;
  return el("section", { class: `player${turn ? " on" : ""}`, "aria-label": seatName(game, side) },
    person ? ownFace() : face(people[index]?.name ?? spec, index < 0 ? undefined : index),
    el("div", { class: "name" }, el("span", {}, el("b", {}, seatName(game, side)), badge(side)), el("small", {}, about)),
    now.clock && el("span", { class: `clock${turn ? " running" : ""}`, "data-side": side }, strings.left(timeLeft(game, side))));
};

/** The score of this sitting, if anything was played. @param {Game} game */
const scoreLine = (game) => {
  const { you } = game.now;
  if (you !== "first" && you !== "second") return null;
  const [won, lost, drawn] = kept.score(game.now.against);
  if (won + lost + drawn === 0) return null;
  return el("p", { class: "score" }, el("span", {}, strings.sitting), el("span", {}, strings.score(won, lost, drawn, nameOf(game.now.against, game.people))));
};

/** How the game stands, or how it ended and what can be done next. @param {Game} game */
const headline = (game) => {
  const { board, over, now } = game;
  if (!over) {
    const last = board.played.at(-1);
    if (game.trouble) return el("div", { class: "stand" }, el("div", {}, el("h2", {}, strings.trouble), el("p", {}, game.trouble), button(strings.otherOpponent, () => plan(game))));
    const news = last ? strings.movedTo(seatName(game, last.side), last.cell) : strings.nothingYet;
    return el("div", { class: "stand" }, badge(board.to_move), el("div", {}, el("h2", {}, statusText(game)), el("p", { class: "muted" }, news)));
  }
  const winner = winnerOf(game);
  const next = winner && winner === now.you ? nextOpponent(game) : undefined;
  const mood = !winner ? "drawn" : now.you === winner ? "won" : isPerson(game, winner) ? "won" : "lost";
  return el("div", { class: `ending ${mood}` },
    el("div", { class: "stand" }, winner && badge(winner), el("div", {}, el("h2", {}, resultText(game)), el("p", { class: "muted" }, strings.endedOn(board.played.length, loserOf(game))))),
    el("div", { class: "next" }, button(strings.rematch, () => rematch(game), { class: "main" }),
      el("a", { class: "button", href: link("/review", { game: now.game, moves: now.moves, you: now.you, against: now.against, won: loserOf(game) && winner }) }, strings.reviewGame),
      next ? button(strings.nextUp(next.name), () => startAnew(game, { against: next.player })) : button(strings.otherOpponent, () => plan(game))));
};

/** @param {Game} game */
const actions = (game) => {
  const { played, over } = game;
  const { h, u } = game.memory.keys;
  return el("div", { class: "actions" },
    button(strings.undo, u, { "aria-keyshortcuts": "u", disabled: !played.length }),
    button(strings.hint, h, { "aria-keyshortcuts": "h", disabled: over || !game.myTurn }),
    button(strings.new, () => plan(game), { "aria-label": strings.newGame, "aria-keyshortcuts": "n" }),
    el("details", { class: "more" }, el("summary", {}, strings.more), more(game)));
};

/** What is needed seldom. @param {Game} game */
const more = (game) => {
  const { now, played, over } = game;
  const { a, r } = game.memory.keys;
  return el("div", { class: "menu" },
    button(strings.redo, r, { "aria-keyshortcuts": "r", disabled: !game.redo.length }),
    button(now.show ? strings.hide : strings.show, a, { "aria-keyshortcuts": "a", "aria-pressed": String(Boolean(now.show)) }),
    button(hush.on ? strings.soundOff : strings.soundOn, () => {
      hush.toggle();
      set(game, {}, { replace: true });
    }, { "aria-pressed": String(hush.on) }),
    button(strings.share, share),
    !over && now.you !== "none" && button(strings.resign, () => resign(game), { disabled: !played.length }),
    el("a", { class: "button", href: link("/analyse", { game: now.game, moves: now.moves }) }, strings.analyseGame),
    el("a", { class: "button", href: "/games" }, strings.yourGames));
};

/** @param {Game} game */
const panel = (game) => {
  const { now, board, memory } = game;
  const thought = memory.thought?.moves === now.moves ? memory.thought.text : "";
  const near = now.you === "second" ? "second" : "first";
  const far = near === "first" ? "second" : "first";
  return el("section", { class: "panel", "aria-label": strings.pages.play },
    el("div", { class: "players" }, card(game, far), card(game, near)),
    actions(game),
    el("div", { class: "sheet-like" }, headline(game), scoreLine(game), el("div", { class: "list" }, moveList(board)), el("p", { class: "muted thought" }, thought)));
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
  engine.solve({ game: now.game, moves: now.moves, time: PATIENCE }, hear, signal)
    .catch((error) => signal.aborted || tell(error.message, true));
};

/** Lets the engine whose turn it is make its move. @param {Game} game */
const letEngineMove = async (game) => {
  const { now, board, played, signal } = game;
  const began = performance.now();
  const player = engineOf(game, board.to_move);
  const found = await engine.move(now.game, now.moves, player, now.seed, signal);
  const rest = Math.max(0, PACE - (performance.now() - began));
  await new Promise((wake) => setTimeout(wake, rest));
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
  if (!Object.keys(state()).length && kept.game) return go(kept.game, { replace: true });
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
    n: () => (game.over ? rematch(game) : plan(game)),
  };
  settle(game);
  paint(game);
  // The board stays where it is, so that a falling disc goes on falling.
  if (!memory.side?.isConnected) {
    memory.side = el("div", { class: "side" });
    renew(main, el("div", { class: "page" }, el("section", { class: "stage" }, game.home), memory.side));
  }
  renew(memory.side, panel(game));
  announce(game);

  if (game.now.clock) runClocks(game);
  if (game.now.show && !game.over) showResults(game);
  if (game.over || game.myTurn) return;
  try {
    await letEngineMove(game);
  } catch (error) {
    if (signal.aborted || error.away) throw error;
    // No such player, say: nobody waits for a move that does not come.
    game.trouble = error.message;
    renew(memory.side, panel(game));
    throw error;
  }
};

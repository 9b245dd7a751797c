// Play: against the computer, two people on one screen, or watching.

import { badge, draw } from "./board.js";
import { engine } from "./client.js";
import { button, choice, el, go, joined, link, renew, state, tell } from "./dom.js";
import { gamePicker, moveList, shown, turn } from "./picker.js";
import { duration, strings } from "./strings.js";

const DEFAULTS = { game: "7x6c4", moves: "", you: "first", against: "lookahead:3" };
/** What the exact results may take, in ms. */
const PATIENCE = 4000;
/** When nobody plays, moves come at this pace, in ms. */
const PACE = 500;
/** Minutes that a side may have for its moves; none is no clock. */
const CLOCKS = ["", "1", "3", "10"];
/** How often the clocks are shown anew, in ms. */
const TICK = 200;

/** @param {HTMLElement} main @param {AbortSignal} signal ended when the state changes @param {any} memory kept from state to state */
export const play = async (main, signal, memory) => {
  const now = { ...DEFAULTS, ...state() };
  if (!now.seed) {
    const seed = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    return go({ ...state(), seed }, { replace: true });
  }
  const board = await engine.position(now.game, now.moves);
  if (signal.aborted) return;
  const { rules } = board;
  const played = board.played.map((mv) => mv.move);
  const redo = now.redo ? now.redo.split(/[ ,]/) : [];
  const over = board.outcome.state !== "ongoing" || Boolean(now.resigned) || Boolean(now.late);
  const mine = (side) => now.you === "both" || now.you === side;
  const myTurn = mine(board.to_move);
  const last = board.played.at(-1);

  const set = (next, how) => go({ ...now, ...next }, how);
  const fresh = (next) => set({ moves: undefined, redo: undefined, resigned: undefined, late: undefined, used: undefined, seed: undefined, ...next });
  const add = (labels, rest, how) =>
    set({ moves: joined(rules, [...played, ...labels]), redo: rest.join(","), resigned: undefined }, how);
  // The clock runs from the first disc on; what a side has used, in seconds, is in the address.
  const stage = `${now.game} ${now.moves}`;
  if (memory.stage !== stage) Object.assign(memory, { stage, since: performance.now() });
  const ticking = now.clock && played.length > 0 && !over;
  const usedBy = (side) => {
    const before = Number((now.used ?? "").split(",")[side === "first" ? 0 : 1]) || 0;
    return before + (ticking && side === board.to_move ? (performance.now() - memory.since) / 1000 : 0);
  };
  const leftOf = (side) => Math.max(0, 60 * Number(now.clock) - usedBy(side));
  const spend = () => now.clock && { used: ["first", "second"].map((side) => usedBy(side).toFixed(1)).join(",") };
  const move = (label, how) => {
    Object.assign(now, spend());
    add([label], [], how);
  };
  /** Who plays a side that is not played by a person. */
  const engineOf = (side) => (now.you === "none" ? now[side] ?? now.against : now.against);
  const sideAt = (ply) => (ply % 2 === 0 ? "first" : "second");
  const undo = () => {
    let keep = played.length - 1;
    while (keep > 0 && !mine(sideAt(keep)) && now.you !== "none") keep -= 1;
    if (keep < 0 || (!mine(sideAt(keep)) && now.you !== "none")) return tell(strings.noMoves);
    set({ moves: joined(rules, played.slice(0, keep)), redo: [...played.slice(keep), ...redo].join(","), resigned: undefined, late: undefined });
  };
  const again = () => {
    if (!redo.length) return;
    let count = 1;
    while (count < redo.length && !mine(sideAt(played.length + count)) && now.you !== "none") count += 1;
    add(redo.slice(0, count), redo.slice(count));
  };
  const hint = async () => {
    if (over) return tell(strings.over, true);
    tell(strings.thinking);
    try {
      const found = await engine.move(now.game, now.moves, "perfect:time=2000", 0, signal);
      view.hint = found.move;
      paint();
      tell(strings.hinted(strings.place(rules, found.move), found.verdict.result === "estimate" ? "" : found.words));
    } catch (error) {
      if (!signal.aborted) tell(error.message, true);
    }
  };
  const share = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      tell(strings.shared);
    } catch {
      tell(strings.notShared);
    }
  };
  const keys = { u: undo, r: again, h: hint, a: () => set({ show: now.show ? undefined : "1" }), n: () => fresh({}) };
  memory.keys = keys;

  const home = el("div", { class: "home" });
  const fall = memory.drawn !== undefined && memory.drawn === played.length - 1;
  memory.drawn = played.length;
  /** @type {any} */
  const view = { found: new Map(), fall, busy: !over && !myTurn };
  const paint = () => {
    draw(home, board, { ...view, play: over ? undefined : (label) => move(label) });
    view.fall = false;
  };
  /** Choosing an engine: a strength, or any player. @param {string} name of the parameter @param {string} legend */
  const opponent = (name, legend) => {
    const spec = name === "against" ? now.against : engineOf(name);
    const custom = el("form", { class: "row", novalidate: true },
      el("label", { class: "grow" }, el("span", { class: "caption" }, strings.custom),
        el("input", { name: `${name}-player`, value: spec, autocomplete: "off", spellcheck: "false", "aria-describedby": `${name}-hint` })),
      el("button", { type: "submit" }, strings.use),
      el("small", { id: `${name}-hint`, class: "wide" }, strings.customHint));
    custom.addEventListener("submit", (event) => {
      event.preventDefault();
      set({ [name]: custom.querySelector("input").value.trim() || undefined });
    });
    return [choice(name, legend, strings.levels, spec, (value) => set({ [name]: value })),
      el("details", { open: !strings.levels.some(([level]) => level === spec) }, el("summary", {}, strings.levelsHint), custom)];
  };
  const clocks = el("p", { class: "clocks" });
  const showClocks = () => clocks.replaceChildren(...["first", "second"].map((side) =>
    el("span", { class: side === board.to_move && !over ? "running" : "" }, badge(side), strings.left(leftOf(side)))));
  const thought = el("p", { class: "muted thought" }, memory.thought?.moves === now.moves ? memory.thought.text : "");
  const loser = now.resigned ?? now.late;
  const winner = board.outcome.by ?? (loser && (loser === "first" ? "second" : "first"));
  const result = winner
    ? now.you === winner ? strings.youWin : now.you === "first" || now.you === "second" ? strings.youLose : strings.won(winner)
    : strings.drawn;
  const sentence = over ? result : myTurn && now.you !== "both" ? strings.yourMove : myTurn ? strings.sideMove(board.to_move) : strings.thinking;
  paint();
  renew(main, el("div", { class: "page" },
    el("section", { class: "stage" }, home),
    el("section", { class: "panel", "aria-label": strings.pages.play },
      turn(over && winner ? winner : board.to_move, sentence),
      choice("you", strings.youPlay, [["first", strings.first], ["second", strings.second], ["both", strings.both], ["none", strings.neither]],
        now.you, (you) => set({ you })),
      now.clock && clocks,
      ...(now.you === "both" ? [] : now.you === "none"
        ? [...opponent("first", strings.player("first")), ...opponent("second", strings.player("second"))]
        : opponent("against", strings.against)),
      gamePicker(rules, (game) => fresh({ game })),
      el("details", { open: Boolean(now.clock) }, el("summary", {}, strings.clockHint(now.clock)),
        choice("clock", strings.clock, CLOCKS.map((minutes) => [minutes, strings.minutes(minutes)]), now.clock ?? "", (clock) => set({ clock, used: undefined, late: undefined }))),
      el("div", { class: "list" }, moveList(board)),
      thought,
      el("div", { class: "buttons" },
        button(strings.undo, undo, { "aria-keyshortcuts": "u", disabled: !played.length }),
        button(strings.redo, again, { "aria-keyshortcuts": "r", disabled: !redo.length }),
        button(strings.hint, hint, { "aria-keyshortcuts": "h", disabled: over || !myTurn }),
        button(now.show ? strings.hide : strings.show, keys.a, { "aria-keyshortcuts": "a", "aria-pressed": String(Boolean(now.show)) }),
        button(strings.share, share),
        !over && now.you !== "none" && button(strings.resign, () => set({ resigned: now.you === "both" ? board.to_move : now.you }), { disabled: !played.length }),
        button(strings.newGame, keys.n, { class: over ? "main" : "", "aria-keyshortcuts": "n" })),
      el("p", { class: "links" },
        el("a", { href: link("/analyse", { game: now.game, moves: now.moves }) }, strings.analyseGame),
        over && el("a", { href: link("/review", { game: now.game, moves: now.moves }) }, strings.reviewGame)))));
  const told = last && (now.you !== "both" || over) ? `${strings.playedMove(last.side, last.cell)} ` : "";
  tell((now.late ? `${strings.late(loser)} ` : loser ? `${strings.resigned(loser)} ` : told) + sentence);
  if (now.clock) {
    showClocks();
    const timer = ticking && setInterval(() => {
      if (leftOf(board.to_move) > 0) return showClocks();
      set({ ...spend(), late: board.to_move }, { replace: true });
    }, TICK);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  if (now.show && !over) {
    const hear = (name, column) => {
      if (name !== "column") return;
      view.found.set(column.move, shown(column));
      view.best = Math.max(view.best ?? -Infinity, column.score ?? -Infinity);
      paint();
    };
    engine.solve(now.game, now.moves, PATIENCE, hear, signal)
      .catch((error) => signal.aborted || tell(error.message, true));
  }
  if (!over && !myTurn) {
    const began = performance.now();
    const found = await engine.move(now.game, now.moves, engineOf(board.to_move), now.seed, signal);
    if (now.you === "none") await new Promise((wake) => setTimeout(wake, Math.max(0, PACE - (performance.now() - began))));
    if (signal.aborted) return;
    const moves = joined(rules, [...played, found.move]);
    const expects = found.verdict && found.verdict.result !== "estimate" ? found.words : "";
    memory.thought = { moves, text: strings.thought(expects, found.depth, duration(found.time_ms)) };
    move(found.move, { replace: true });
  }
};

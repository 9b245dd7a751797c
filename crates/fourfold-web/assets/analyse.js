// Analyse: every move's exact result, as it is found.

import { after, draw, threats } from "./board.js";
import { engine } from "./client.js";
import { button, choice, el, go, joined, link, renew, state, tell } from "./dom.js";
import { gamePicker, moveList, shown, turn } from "./picker.js";
import { duration, grouped, signed, strings } from "./strings.js";

const DEFAULTS = { game: "7x6c4", moves: "", time: "8" };
const BUDGETS = ["2", "8", "30"];

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const analyse = async (main, signal, memory) => {
  const now = { ...DEFAULTS, ...state() };
  const text = now.position ?? now.moves;
  const board = await engine.read(now.game, text);
  if (signal.aborted) return;
  const { rules } = board;
  const played = board.played?.map((mv) => mv.move);
  const over = board.outcome.state !== "ongoing";
  const set = (next, how) => go({ ...now, ...next }, how);
  const visit = (labels) => set({ game: rules.game, position: undefined, moves: joined(rules, labels) });
  const undo = () => played?.length && visit(played.slice(0, -1));
  memory.keys = { u: undo, n: () => visit([]), t: () => set({ threats: now.threats ? undefined : "1" }) };

  const home = (memory.home ??= el("div", { class: "home" }));
  /** @type {any} */
  const view = { found: new Map(), threats: Boolean(now.threats) };
  const paint = (preview) => {
    draw(home, preview ?? board, preview ? { threats: view.threats } : { ...view, play: played && !over ? (label) => visit([...played, label]) : undefined });
  };
  const bar = el("div", { class: "bar", role: "img" }, el("div", { class: "share" }));
  const evaluate = (score, words) => {
    const mine = board.to_move === "first" ? score : -score;
    const most = Math.ceil((rules.width * rules.height) / 2);
    const share = mine === 0 ? 50 : 50 + Math.sign(mine) * (18 + (32 * Math.abs(mine)) / most);
    bar.style.setProperty("--share", `${share}%`);
    bar.setAttribute("aria-label", strings.bar(words));
    bar.classList.add("known");
  };
  bar.setAttribute("aria-label", strings.bar(strings.searching));

  const verdict = el("p", { class: "verdict" }, over ? "" : strings.searching);
  const line = el("div", { class: "chips" });
  const note = el("p", { class: "muted" });
  const results = el("ul", { class: "results" });
  const input = el("textarea", { name: "position", rows: 2, spellcheck: "false", autocomplete: "off", "aria-describedby": "paste-hint" });
  input.value = text;
  const form = el("form", { class: "row", novalidate: true },
    el("label", { class: "grow" }, el("span", { class: "caption" }, strings.paste), input),
    el("button", { type: "submit" }, strings.read),
    el("small", { id: "paste-hint", class: "wide" }, strings.pasteHint));
  const submit = async (event) => {
    event.preventDefault();
    try {
      const read = await engine.read(input.value.includes(":") ? undefined : now.game, input.value);
      if (read.moves === null) set({ game: read.game, moves: undefined, position: read.position });
      else set({ game: read.game, position: undefined, moves: read.moves });
    } catch (error) {
      tell(error.message, true);
    }
  };
  form.addEventListener("submit", submit);
  input.addEventListener("keydown", (event) => event.key === "Enter" && !event.shiftKey && submit(event));

  paint();
  renew(main, el("div", { class: "page" },
    el("section", { class: "stage with-bar" }, bar, home),
    el("section", { class: "panel", "aria-label": strings.pages.analyse },
      over
        ? turn(board.outcome.by ?? board.to_move, board.outcome.by ? strings.won(board.outcome.by) : strings.drawn)
        : turn(board.to_move, strings.sideMove(board.to_move)),
      verdict,
      !over && el("h2", {}, strings.bestLine), !over && line,
      !over && el("details", {}, el("summary", {}, strings.results), results),
      note,
      view.threats && el("p", { class: "muted" }, strings.threatsHint, " ", fatal(board), " ", el("a", { href: "/learn/glossary#threat" }, strings.below["learn/glossary"])),
      el("div", { class: "buttons" },
        button(strings.undo, undo, { disabled: !played?.length, "aria-keyshortcuts": "u" }),
        button(strings.threats, memory.keys.t, { "aria-pressed": String(view.threats), "aria-keyshortcuts": "t" }),
        button(strings.newGame, memory.keys.n, { "aria-keyshortcuts": "n" })),
      choice("time", strings.searchTime, BUDGETS.map((value) => [value, strings.seconds(value)]), now.time, (time) => set({ time }, { replace: true })),
      form,
      gamePicker(rules, (game) => set({ game, moves: undefined, position: undefined })),
      played ? el("div", { class: "list" }, moveList(board, (ply) => visit(played.slice(0, ply)))) : el("p", { class: "muted" }, strings.noHistory),
      el("p", { class: "links" },
        played && !over && el("a", { href: link("/play", { game: rules.game, moves: joined(rules, played), you: board.to_move }) }, strings.playOn),
        played?.length && el("a", { href: link("/review", { game: rules.game, moves: joined(rules, played) }) }, strings.reviewGame)))));
  const stage = /** @type {HTMLElement} */ (bar.parentElement);
  stage.classList.toggle("flat", !rules.gravity);
  stage.style.setProperty("--columns", String(rules.width));
  stage.style.setProperty("--rows", String(rules.height));
  if (over) {
    bar.style.visibility = "hidden";
    return tell(board.outcome.by ? strings.won(board.outcome.by) : strings.drawn);
  }
  tell(strings.searching);

  const hear = (name, data) => {
    if (name !== "column") return;
    view.found.set(data.move, shown(data));
    view.best = Math.max(view.best ?? -Infinity, data.score ?? -Infinity);
    results.append(el("li", {}, `${strings.place(rules, data.move)}: `, el("strong", {}, view.found.get(data.move).words),
      data.score === undefined ? "" : ` (${signed(data.score)})`));
    paint();
  };
  const answer = await engine.solve(rules.game, text, Number(now.time) * 1000, hear, signal);
  if (signal.aborted) return;
  if (answer.complete) {
    verdict.textContent = strings.verdict(board.to_move, answer.words);
    evaluate(answer.score, answer.words);
    note.textContent = strings.exact(grouped(answer.nodes), duration(answer.time_ms));
  } else {
    verdict.textContent = strings.beyond(duration(answer.time_ms));
    note.textContent = answer.estimate ? strings.estimate(strings.place(rules, answer.estimate.move), answer.estimate.depth) : "";
  }
  (answer.line ?? []).forEach((label, index) => {
    const upTo = answer.line.slice(0, index + 1);
    const preview = () => paint(after(board, upTo));
    const chip = button(label, () => visit([...(played ?? []), ...upTo]), {
      class: "chip", disabled: !played, "aria-label": `${index + 1}: ${strings.place(rules, label)}`,
      onmouseenter: preview, onfocus: preview, onmouseleave: () => paint(), onblur: () => paint(),
    });
    line.append(chip);
  });
  tell(verdict.textContent ?? "");
};

/** Columns that give the opponent a winning cell, in words. */
const fatal = (board) => {
  if (!board.rules.gravity) return "";
  const opponent = board.to_move === "first" ? "o" : "x";
  const menaces = threats(board);
  const gives = board.legal.filter(({ cell }) => {
    const [, column, row] = cell.match(/^([a-z]+)(\d+)$/);
    return menaces.get(`${column}${Number(row) + 1}`)?.has(opponent);
  });
  return gives.length ? strings.fatal(gives.map(({ move }) => strings.place(board.rules, move)).join(", ")) : "";
};

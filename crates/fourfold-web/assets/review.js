// Review: a game as a story. How it went, the moments that decided it, and the moves one by one.

import { after, draw } from "./board.js";
import { engine } from "./client.js";
import { button, el, joined, link, note, renew, state, style, tell } from "./dom.js";
import { characters, nameOf } from "./opponents.js";
import { moveList } from "./picker.js";
import { boardAt, card, graph, head, headlineOf, isMistake, marksOf, momentAt, placeName, sideAt } from "./review-parts.js";
import { pasteForm, start } from "./review-start.js";
import { named, words } from "./review-strings.js";
import { strings } from "./strings.js";

const DEFAULTS = { game: "7x6c4", moves: "" };
/** Time for a move when the board goes to a moment, in ms. */
const PACE = 80;
/** Time for a move of a line that is shown, in ms. */
const SHOWN = 800;
/** Who plays on if nobody is known. */
const OTHERWISE = "character:vega";
const ICONS = { first: "M18 5l-8 7 8 7zM6 5v14", back: "M16 5l-9 7 9 7z", forward: "M8 5l9 7-9 7z", last: "M6 5l8 7-8 7zM18 5v14" };

/** @typedef {import("./review-parts.js").Tale} Tale */

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const pause = (ms) => new Promise((wake) => setTimeout(wake, ms));

/** Whether a person sat on the other side. @param {string | undefined} against */
const isFriend = (against) => !against || against === "friend";

/** Who sits where, by what the address says. @param {any} now */
const seatsOf = async ({ you, against }) => {
  const people = you === "first" || you === "second" ? await characters().catch(() => []) : [];
  const place = people.findIndex(({ player }) => player === against);
  const other = { name: isFriend(against) ? words.friend : nameOf(against, people), place: place < 0 ? undefined : place };
  const seat = (side) => (you === side ? { you: true, name: words.you } : you === "first" || you === "second" ? other : { name: strings.player(side) });
  return { first: seat("first"), second: seat("second") };
};

/** The page of a game. */
class Telling {
  /** @param {Tale} tale @param {any} now parameters of the address @param {AbortSignal} signal */
  constructor(tale, now, signal) {
    this.tale = tale;
    this.now = now;
    this.signal = signal;
    const { labels } = tale;
    /** Moves on the board. */
    this.at = Math.min(Math.max(0, Number(now.at ?? labels.length) || 0), labels.length);
    /** Where the board is going. */
    this.goal = this.at;
    /** What is on the board beside the game: a try or a line. @type {any} */
    this.aside = undefined;
    /** Counts what the board was asked to show: an animation ends when something else is. */
    this.turn = 0;
    this.home = el("div", { class: "home" });
    this.caption = el("div", { class: "caption-row" });
    this.head = el("div", { class: "head" });
    this.course = el("div", { class: "course-box" });
    this.moments = el("div", { class: "moments" });
    this.list = el("div", { class: "list" }, moveList(tale.whole, (ply) => this.visit(ply), this.at));
    this.steps = el("div", { class: "steps", role: "group", "aria-label": words.steps });
    signal.addEventListener("abort", () => (this.turn += 1));
  }

  /** Everything, from the beginning. */
  page() {
    const { rules, game } = this.tale.whole;
    const body = el("section", { class: "telling", "aria-label": strings.pages.review },
      this.course, this.moments,
      el("details", { class: "all", open: true }, el("summary", {}, words.moves), this.list),
      el("details", { class: "all" }, el("summary", {}, words.another), pasteForm(game, joined(rules, this.tale.labels)), el("a", { class: "button", href: link("/review", { game }) }, words.yours)),
      el("p", { class: "muted small about" }, words.about));
    const stage = el("section", { class: rules.gravity ? "stage falling" : "stage" }, this.caption, this.home);
    stage.style.setProperty("--columns", String(rules.width));
    stage.style.setProperty("--rows", String(rules.height));
    // What is scrolled into view or focused lies below a board that stays where it is.
    new ResizeObserver(() => document.documentElement.style.setProperty("--stage", `${stage.offsetHeight}px`)).observe(stage);
    return el("div", { class: "page story" }, this.head, stage, this.steps, body);
  }

  /** What follows from what is known by now. */
  refresh() {
    const { tale } = this;
    this.head.replaceChildren(head(tale));
    this.list.querySelectorAll(".ply").forEach((item, ply) => {
      item.querySelector(".mark")?.remove();
      const mv = tale.judged[ply];
      const kind = mv?.judgement === "best" && mv.only_move ? "only" : mv?.judgement;
      if (words.marks[kind]) item.append(el("span", { class: `mark ${kind}`, "aria-label": words.judgements[kind] }, words.marks[kind]));
    });
    this.show();
  }

  /** The board, and what belongs to the move that is shown. */
  show() {
    const { tale, at } = this;
    if (!this.aside) draw(this.home, boardAt(tale, at), { marks: at ? marksOf(tale, at - 1) : undefined, quiet: true });
    this.course.replaceChildren(graph(tale, at, (ply) => this.visit(ply)));
    this.caption.replaceChildren(...this.captionOf());
    this.list.querySelectorAll(".ply").forEach((item, ply) => {
      if (ply + 1 === at) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
    this.showSteps();
    this.showMoments();
  }

  /** Which move it is, what was best and what was played. */
  captionOf() {
    const { tale, at } = this;
    // A try hides the answer.
    if (this.aside) return [];
    if (!at) return [el("span", { class: "whose" }, words.startOf)];
    const mv = tale.judged[at - 1];
    const chip = (kind, text) => el("span", { class: `chip-result ${kind}` }, text);
    const about = (result, say) => chip({ win: "wins", loss: "loses" }[result.verdict.result] ?? "draws", say(words.brief(result.verdict)));
    return [el("span", { class: "whose" }, words.move(Math.ceil(at / 2), tale.names[sideAt(at - 1)])),
      ...(mv?.judgement ? [el("span", { class: "results-row" }, isMistake(mv) && about(mv.best, words.best), about(mv.played, words.played))] : [])];
  }

  /** The buttons that go through the game. The one with the focus stays. */
  showSteps() {
    const { at, tale: { labels, whole } } = this;
    const end = labels.length;
    const focus = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.step;
    const icon = (name) => el("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, el("path", { d: ICONS[name] }));
    const one = (name, to, off) => el("button", { type: "button", "data-step": name, "aria-label": words[name], "aria-disabled": off ? "true" : undefined, onclick: () => off || this.visit(to) }, icon(name));
    this.steps.replaceChildren(one("first", 0, at === 0), one("back", at - 1, at === 0), el("span", { class: "count" }, words.at(at, end)), one("forward", at + 1, at === end), one("last", end, at === end),
      el("a", { class: "button", href: link("/analyse", { game: whole.rules.game, moves: joined(whole.rules, labels.slice(0, at)) }) }, words.analyse));
    if (focus) /** @type {HTMLElement | null} */ (this.steps.querySelector(`[data-step="${focus}"]`))?.focus();
  }

  /** The moments, the one on the board open. */
  showMoments() {
    const { tale, at } = this;
    const { answer } = tale;
    if (!answer) return;
    const focus = /** @type {HTMLElement | null} */ (document.activeElement)?.getAttribute("aria-controls");
    const cards = answer.moments.map((moment, index) => {
      const open = moment.ply + 1 === at;
      return card(tale, moment, index, open, () => this.visit(moment.ply + 1).then(() => this.reveal()), open ? this.opened(moment) : []);
    });
    this.moments.replaceChildren(el("h2", { class: "unseen" }, words.moments), cards.length > 0 ? el("ol", { class: "cards" }, ...cards) : "",
      answer.complete ? (cards.length ? "" : el("p", { class: "muted" }, words.noMoments)) : el("p", { class: "muted" }, words.partly));
    const next = focus ? `[aria-controls="${focus}"]` : this.aside?.focus ? ".open .moment-body :is(button, a)" : undefined;
    if (next) /** @type {HTMLElement | null} */ (this.moments.querySelector(next))?.focus({ preventScroll: true });
    if (this.aside?.focus) this.reveal();
    if (this.aside) this.aside.focus = false;
  }

  /** What a moment shows: what was missed, or how a try went. @param {any} moment */
  opened(moment) {
    const { tale, aside } = this;
    const retry = button(words.retry, () => this.retry(moment), { class: "main" });
    const showMe = moment.line.length > 0 && button(words.showMe, () => this.showLine(moment));
    const leave = button(words.backToGame, () => this.visit(moment.ply + 1));
    if (!aside) return [el("p", {}, named(moment.words, tale.names)), el("div", { class: "buttons" }, moment.kind !== "only_move" && retry, showMe)];
    if (aside.line) return [el("p", {}, aside.text), el("div", { class: "buttons" }, aside.over && button(words.retry, () => this.retry(moment)), leave)];
    if (!aside.tried) return [el("p", {}, aside.text), el("div", { class: "buttons" }, showMe, leave)];
    return [el("p", { class: `tried ${aside.right ? "right" : "wrong"}` }, aside.text),
      el("div", { class: "buttons" }, aside.right ? aside.on : button(words.tryAgain, () => this.retry(moment), { class: "main" }), aside.right ? leave : showMe, !aside.right && leave)];
  }

  /** Goes to a move: move by move if it is far, and says one sentence about it. @param {number} ply */
  async visit(ply) {
    const { labels } = this.tale;
    const to = Math.min(Math.max(0, ply), labels.length);
    this.goal = to;
    this.turn += 1;
    const mine = this.turn;
    const away = this.aside;
    this.aside = undefined;
    const from = away ? away.ply : this.at;
    if (!still() && Math.abs(to - from) > 1) {
      for (let now = from; now !== to; now += Math.sign(to - from)) {
        draw(this.home, boardAt(this.tale, now), { quiet: true });
        this.at = now;
        await pause(PACE);
        if (this.turn !== mine) return;
      }
    }
    this.at = to;
    note({ ...this.now, at: String(to) });
    this.show();
    if (this.scrollsInside()) this.reveal();
    tell(this.sentence());
  }

  /** Whether the story scrolls in itself, beside the board. */
  scrollsInside() {
    const box = this.moments.parentElement;
    return box !== null && getComputedStyle(box).overflowY === "auto";
  }

  /** Brings the open moment into view: in the story where that scrolls in itself, else below the board. */
  reveal() {
    const card = /** @type {HTMLElement | null} */ (this.moments.querySelector(".moment.open"));
    const box = /** @type {HTMLElement | null} */ (this.moments.parentElement);
    const stage = this.home.parentElement;
    if (!card || !box || !stage) return;
    const inside = this.scrollsInside();
    const upright = !inside && innerHeight > innerWidth;
    const { top, bottom } = card.getBoundingClientRect();
    const least = inside ? this.course.getBoundingClientRect().bottom : upright && getComputedStyle(stage).position === "sticky" ? stage.offsetHeight : 0;
    const most = inside ? box.getBoundingClientRect().bottom : innerHeight - (upright ? parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--tabs")) || 0 : 0);
    if (top >= least && bottom <= most) return;
    const by = Math.min(top - least, Math.max(bottom - most, top - least > 0 ? 0 : top - least));
    (inside ? box : window).scrollBy({ top: by });
  }

  /** The move on the board in one sentence. */
  sentence() {
    const { tale, at } = this;
    if (!at) return `${words.startOf}.`;
    const mv = tale.judged[at - 1];
    const kind = mv?.judgement === "best" && mv.only_move ? "only" : mv?.judgement;
    const better = isMistake(mv) && (momentAt(tale, at - 1)?.better ?? mv.best.moves[0]);
    return words.step(Math.ceil(at / 2), tale.names[sideAt(at - 1)], placeName(tale, tale.labels[at - 1]), words.judgements[kind],
      better && words.betterIs(placeName(tale, better), mv.best.words));
  }

  /** Takes a move in place of the one that was played. @param {any} moment */
  retry(moment) {
    this.turn += 1;
    const { tale } = this;
    const { best, played, move } = tale.judged[moment.ply];
    const goal = moment.kind === "slower_win" ? words.goals.sooner : words.goals[best.verdict.result];
    const text = words.yourTurn(tale.names[moment.side], placeName(tale, move), goal);
    this.aside = { ply: moment.ply, text, focus: true };
    const board = { ...boardAt(tale, moment.ply), legal: moment.columns, outcome: { state: "ongoing" } };
    draw(this.home, board, { play: (label) => this.judge(moment, board, label, best.score, played.score) });
    this.caption.replaceChildren();
    this.showMoments();
    tell(text);
  }

  /** Says whether a move keeps the result. @param {any} moment @param {any} board @param {string} label @param {number} best @param {number} played */
  judge(moment, board, label, best, played) {
    const { tale, now } = this;
    const found = moment.columns.find(({ move }) => move === label);
    const slow = moment.kind === "slower_win" || moment.kind === "sooner_loss";
    const right = slow ? found.score > played : Math.sign(found.score) === Math.sign(best);
    const say = right ? words.right : words.wrong;
    const place = placeName(tale, label);
    const text = say(place[0].toUpperCase() + place.slice(1), words.results(found.verdict), found.score === best);
    const { rules } = tale.whole;
    const over = found.verdict.plies === 1;
    const on = !over && el("a", { class: "button main", href: link("/play", { game: rules.game, moves: joined(rules, [...tale.labels.slice(0, moment.ply), label]), you: moment.side, against: isFriend(now.against) ? OTHERWISE : now.against }) }, words.playOn);
    this.aside = { ply: moment.ply, tried: true, right, text, on, focus: true };
    draw(this.home, after(board, [label]), { marks: new Map([[found.cell, { kind: right ? "better" : "slip" }]]), quiet: true });
    this.showMoments();
    tell(text);
  }

  /** Plays the better line, move by move. @param {any} moment */
  async showLine(moment) {
    this.turn += 1;
    const mine = this.turn;
    const { tale } = this;
    const { rules } = tale.whole;
    const before = boardAt(tale, moment.ply);
    const labels = tale.labels.slice(0, moment.ply);
    const end = engine.position(rules.game, joined(rules, [...labels, ...moment.line])).catch(() => undefined);
    draw(this.home, before, { quiet: true });
    this.caption.replaceChildren();
    for (const [index, label] of moment.line.entries()) {
      const text = words.lineMove(index + 1, moment.line.length, tale.names[sideAt(moment.ply + index)], placeName(tale, label));
      this.aside = { ply: moment.ply, line: true, text, focus: index === 0 };
      draw(this.home, after(before, moment.line.slice(0, index + 1)), { quiet: true });
      this.showMoments();
      tell(text);
      await pause(SHOWN);
      if (this.turn !== mine) return;
    }
    const last = await end;
    if (this.turn !== mine) return;
    if (last) draw(this.home, last, { quiet: true });
    this.aside = { ply: moment.ply, line: true, over: true, text: words.lineOver, focus: false };
    this.showMoments();
    tell(words.lineOver);
  }

  /** Asks the engine; what it finds is shown as it comes. */
  async judgeGame() {
    const { tale, signal } = this;
    const { rules } = tale.whole;
    tell(`${words.looking}.`);
    const hear = (name, { judged }) => {
      if (name !== "progress" || !judged) return;
      tale.judged[judged.ply] = judged;
      this.refresh();
    };
    const answer = await engine.review(rules.game, joined(rules, tale.labels), hear, signal);
    if (signal.aborted) return false;
    tale.answer = answer;
    tale.judged = answer.judged;
    return true;
  }
}

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const review = async (main, signal, memory) => {
  const now = { ...DEFAULTS, ...state() };
  const [whole, seats] = await Promise.all([engine.position(now.game, now.position ? "" : now.moves, now.position).catch((error) => error), seatsOf(now), style("review")]);
  if (signal.aborted) return;
  if (whole instanceof Error) {
    if (/** @type {any} */ (whole).away) throw whole;
    return start(main, { game: DEFAULTS.game }, now.position ?? now.moves, whole.message);
  }
  const labels = (whole.played ?? []).map((mv) => mv.move);
  if (!labels.length) return start(main, now, "", whole.played === null && whole.ply > 0 ? words.noOrder : "");
  const names = { first: seats.first.name, second: seats.second.name };
  const won = ["first", "second"].includes(now.won) ? now.won : undefined;
  const key = `${whole.game} ${joined(whole.rules, labels)}`;
  /** @type {Tale} */
  const tale = memory.tale?.key === key ? { ...memory.tale, names, seats, won } : { key, whole, labels, names, seats, won, judged: labels.map(() => undefined) };
  memory.tale = tale;
  const telling = new Telling(tale, now, signal);
  const step = (by) => () => telling.visit(telling.goal + by);
  memory.keys = { u: step(-1), r: step(1), ArrowLeft: step(-1), ArrowRight: step(1), Home: () => telling.visit(0), End: () => telling.visit(labels.length) };
  renew(main, telling.page());
  telling.refresh();
  if (tale.answer) return tell(telling.sentence());
  if (!(await telling.judgeGame())) return;
  memory.tale = tale;
  // The story begins with the moment that decided the game, or the first one, unless the address names a move.
  const { moments } = tale.answer;
  const begin = moments.find(({ decisive }) => decisive) ?? moments[0];
  if (state().at === undefined && begin) telling.at = telling.goal = begin.ply + 1;
  telling.refresh();
  if (telling.scrollsInside()) telling.reveal();
  tell(words.ready(headlineOf(tale), moments.length));
};

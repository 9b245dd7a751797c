// A game with a friend by link: waiting, playing, watching. The server has the game; this page shows it as it goes on, and comes back
// to it after anything.

import { after, badge, draw } from "./board.js";
import { button, el, go, here, link, renew, style, tell } from "./dom.js";
import { words } from "./friend-strings.js";
import { kept } from "./kept.js";
import { Refusal, backoff, live, pause } from "./live.js";
import { face, ownFace } from "./opponents.js";
import { moveList } from "./picker.js";
import { seats } from "./seats.js";
import { hush, sounds } from "./sounds.js";
import { strings } from "./strings.js";

/** @typedef {"first" | "second"} Side */

/** Time between two updates of the clocks, in ms. */
const TICK = 200;

/**
 * What the page knows of a game.
 * @typedef {object} Table
 * @property {string} id
 * @property {any} seat what this device keeps of its seat; none for a watcher
 * @property {any} state as the server tells it
 * @property {number} told when that was, by the page's own clock
 * @property {any} presence who is there
 * @property {any} about how the server keeps games, and who can reach it
 * @property {boolean} connected
 * @property {{ ply: number, move: string } | undefined} pending a move that is on its way
 * @property {boolean} sure resigning was pressed once
 * @property {string} note why one watches
 * @property {HTMLElement} home where the board is drawn
 * @property {HTMLElement} side
 * @property {AbortSignal} signal
 */

/** @param {Side} side @returns {Side} */
const otherSide = (side) => (side === "first" ? "second" : "first");

/** @param {Table} table */
const isMine = ({ seat, state, pending }) =>
  Boolean(seat) && state.begun && !state.ended && !pending && state.board.to_move === seat.side;

/** What a side is called. @param {Table} table @param {Side} side */
const nameOf = ({ seat }, side) => (!seat ? strings.player(side) : seat.side === side ? words.you : words.yourFriend);

/** Makes a game and shows it. @param {any} plan as the sheet has it */
export const invite = async (plan) => {
  const made = await live.make({
    game: plan.game, side: plan.you === "none" ? "random" : plan.you, minutes: Number(plan.clock) || undefined, increment: Number(plan.clock && plan.increment) || undefined,
  });
  const { id, side, token, invitation, state } = made;
  seats.keep(id, { side, token, invitation, game: state.board.rules.title, made: Date.now() });
  go({}, { page: `/friend/${id}` });
};

// What a player does.

/** Asks the server for something; what it says comes with the stream, too. @param {Table} table @param {Promise<any>} asked */
const attempt = async (table, asked) => {
  try {
    hear(table, await asked);
  } catch (error) {
    if (!table.signal.aborted) tell(error.message, true);
  }
};

/** Plays a move: the disc falls now, and the move is sent until the server has it. @param {Table} table @param {string} move */
const play = async (table, move) => {
  if (!isMine(table)) return;
  const { id, seat, state, signal } = table;
  const pending = { ply: state.board.played.length, move };
  table.pending = pending;
  table.sure = false;
  sounds.drop();
  show(table);
  for (let attempts = 0; !signal.aborted && table.pending === pending; attempts += 1) {
    try {
      return hear(table, await live.play(id, seat.token, pending.ply, move));
    } catch (error) {
      const refused = error instanceof Refusal && !error.passes;
      if (refused && table.pending === pending) {
        table.pending = undefined;
        show(table);
        return tell(error.message, true);
      }
    }
    await pause(backoff(attempts), signal);
  }
};

/** @param {Table} table */
const resign = (table) => {
  if (!table.sure) {
    // Until something else happens.
    table.sure = true;
    return show(table);
  }
  table.sure = false;
  attempt(table, live.resign(table.id, table.seat.token));
};

/** Copies a text, also where pages may not reach the clipboard. @param {string} text @param {string} done */
const copy = async (text, done) => {
  try {
    await navigator.clipboard.writeText(text);
    return tell(done);
  } catch {
    // No permission, or no secure connection: mark it and let the browser copy.
  }
  const shown = /** @type {HTMLInputElement | null} */ ([...document.querySelectorAll(".linkbox input")].find((input) => /** @type {HTMLInputElement} */ (input).value === text) ?? null);
  const box = shown ?? document.body.appendChild(el("input", { class: "unseen", value: text, readonly: true, "aria-hidden": "true", tabindex: -1 }));
  box.focus();
  box.select();
  const copied = document.execCommand("copy");
  if (!shown) box.remove();
  tell(copied ? done : words.notCopied, !copied);
};

// What the server tells.

/** Takes in a state. @param {Table} table @param {any} state */
const hear = (table, state) => {
  const before = table.state;
  if (table.signal.aborted || (before && state.version < before.version)) return;
  table.state = state;
  table.told = performance.now();
  const { pending, seat } = table;
  if (state.version !== before?.version) table.sure = false;
  if (pending && (state.board.played.length > pending.ply || state.ended)) table.pending = undefined;
  if (!before) {
    show(table);
    return announce(table);
  }
  const fresh = state.board.played.length > before.board.played.length;
  if (fresh && !(pending && pending.ply === before.board.played.length)) sounds.drop();
  if (state.ended && !before.ended) settle(table);
  const next = state.rematch.game;
  if (next && !before.rematch.game && seat) {
    seats.keep(next, { ...seat, side: otherSide(seat.side), invitation: undefined, made: Date.now() });
    return go({}, { page: `/friend/${next}` });
  }
  show(table);
  if (state.version !== before.version) announce(table, before);
};

/** The end of a game that was seen to end: its sound, and the game is kept on the device. @param {Table} table */
const settle = ({ state, seat, id }) => {
  const { winner } = state.ended;
  if (!winner) sounds.draw();
  else sounds[seat && seat.side !== winner ? "lose" : "win"]();
  if (!seat) return;
  seats.keep(id, { ...seat, over: true });
  const { game, moves } = state.board;
  if (state.board.played.length) kept.add({ date: new Date().toISOString(), game, moves, you: seat.side, against: "friend", result: winner ?? "draw" });
};

/** How a game has ended. @param {Table} table */
const resultText = ({ state, seat }) => {
  const { winner } = state.ended;
  if (!winner) return words.drawn;
  return !seat ? words.sideWins(winner) : seat.side === winner ? words.youWin : words.youLose;
};

/** @param {Table} table */
const howText = (table) => {
  const { ended, board } = table.state;
  const loser = ended.winner && nameOf(table, otherSide(ended.winner));
  return words.how[ended.how](ended.how === "board" ? board.played.length : loser);
};

/** Whose turn it is, or what is waited for. @param {Table} table */
const statusText = (table) => {
  const { state, seat, pending } = table;
  if (state.ended) return resultText(table);
  if (!state.begun) return words.waiting;
  if (pending) return words.sending;
  if (!seat) return words.sideMove(state.board.to_move);
  return isMine(table) ? words.yourMove : words.theirMove;
};

/** Says what has just happened, and what comes next. @param {Table} table @param {any} [before] */
const announce = (table, before) => {
  const { state, seat } = table;
  const last = state.board.played.at(-1);
  const news = [];
  if (before && !before.begun && state.begun) news.push(words.begin);
  if (before && state.board.played.length > before.board.played.length && seat?.side !== last.side) news.push(words.played(nameOf(table, last.side), last.cell));
  if (state.ended) news.push(state.ended.how === "board" ? "" : howText(table));
  const { draw_offer: offer } = state;
  if (offer && offer !== before?.draw_offer) news.push(offerText(table));
  if (!before && table.note) news.push(table.note);
  if (seat && state.rematch[otherSide(seat.side)] && !state.rematch.game && !before?.rematch[otherSide(seat.side)]) news.push(words.friendAsks);
  tell([...news, statusText(table)].filter(Boolean).join(" "));
  document.title = `${statusText(table).replace(/[.!]$/, "")} – Fourfold`;
};

/** @param {Table} table */
const offerText = ({ state, seat }) =>
  !seat ? words.sideOffers(state.draw_offer) : state.draw_offer === seat.side ? words.drawOffered : words.friendOffers;

// The board and the panel.

/** Shows the game as it is known. @param {Table} table */
const show = (table) => {
  const { state, pending, home, side, seat } = table;
  const board = pending ? after(state.board, [pending.move]) : state.board;
  const playing = seat && state.begun && !state.ended;
  draw(home, board, { busy: !isMine(table), play: playing ? (move) => play(table, move) : undefined });
  // A board on which nobody has completed anything can be over, too.
  home.querySelector(".board")?.classList.toggle("over", Boolean(state.ended));
  renew(side, panel(table));
  showClocks(table);
};

/** Milliseconds left. @param {Table} table @param {Side} side */
const timeLeft = ({ state, told, connected }, side) => {
  const { clock } = state;
  const gone = clock.running === side && (connected || !state.ended) ? performance.now() - told : 0;
  return Math.max(0, clock[`${side}_ms`] - gone);
};

/** @param {Table} table */
const showClocks = (table) => {
  if (!table.state?.clock) return;
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".clock[data-side]"))) {
    shown.textContent = strings.left(Math.ceil(timeLeft(table, /** @type {Side} */ (shown.dataset.side)) / 1000));
  }
};

/** A card with a player. @param {Table} table @param {Side} side */
const card = (table, side) => {
  const { state, seat, presence } = table;
  const mine = seat?.side === side;
  const turn = state.begun && !state.ended && state.board.to_move === side;
  const there = presence?.[side];
  const text = !state.begun && !there ? words.notYet : there ? words.here : words.away;
  return el("section", { class: `player${turn ? " on" : ""}`, "aria-label": nameOf(table, side) },
    !seat ? badge(side) : mine ? ownFace() : face(strings.friendName),
    el("div", { class: "name" }, el("span", {}, el("b", {}, seat && !mine ? words.friend : nameOf(table, side)), seat && badge(side)),
      mine ? el("small", {}, words.plays(side)) : el("span", { class: `here small muted${there ? " yes" : ""}` }, el("span", { class: "here-text" }, text))),
    state.clock && el("span", { class: `clock${state.clock.running === side ? " running" : ""}`, "data-side": side }));
};

/** The link for the other seat. @param {Table} table */
const linkBox = ({ id, seat, about }) => {
  const address = `${about?.address ?? location.origin}/friend/${id}#${seat.invitation}`;
  const box = el("input", { value: address, readonly: true, "aria-label": words.linkLabel, onfocus: () => box.select() });
  const share = "share" in navigator && button(words.share, () => navigator.share({ text: words.shareText, url: address }).catch(() => undefined));
  return el("div", { class: "linkbox" }, box, button(words.copy, () => copy(address, words.copied), { class: "main" }), share);
};

/** What is said while nobody has taken the other seat. @param {Table} table */
const invitation = (table) => {
  const { seat, about } = table;
  if (!seat?.invitation) return el("div", { class: "waiting" }, badge("first"), words.waiting);
  const local = about?.reach === "machine" && /^(localhost|127\.|\[::1\])/.test(location.hostname);
  return el("div", { class: "invite" },
    el("h2", {}, words.sendLink), linkBox(table),
    el("div", { class: "waiting" }, badge(otherSide(seat.side)), el("div", {}, words.waiting, el("small", { class: "muted" }, ` ${words.notice}`))),
    el("div", { class: "notes" },
      local && el("div", { class: "warn" }, el("p", {}, words.onlyHere),
        ...[words.homeNetwork, words.everywhere].map((text, index) => el("div", {}, el("code", {}, words.commands[index]), text))),
      el("p", { class: "muted" }, `${words.seatOf(otherSide(seat.side))} ${words.otherSeats}`),
      about && !about.kept && el("p", { class: "muted" }, words.notKept)));
};

/** An offer that waits for an answer. @param {Table} table */
const offer = (table) => {
  const { state, seat, id } = table;
  if (!state.draw_offer) return null;
  const mine = !seat || state.draw_offer === seat.side;
  return el("div", { class: "offer" }, el("p", {}, offerText(table)),
    !mine && el("div", { class: "buttons" },
      button(words.accept, () => attempt(table, live.draw(id, seat.token, "accept")), { class: "main" }),
      button(words.decline, () => attempt(table, live.draw(id, seat.token, "decline")))));
};

/** How the game stands, or how it ended and what can be done next. @param {Table} table */
const headline = (table) => {
  const { state, seat, id } = table;
  const { board, ended } = state;
  if (!ended) {
    const last = board.played.at(-1);
    return el("div", { class: "stand" }, badge(board.to_move), el("div", {}, el("h2", {}, statusText(table)),
      el("p", { class: "muted" }, last ? words.played(nameOf(table, last.side), last.cell) : words.nothingYet)));
  }
  const { winner } = ended;
  const mood = !winner ? "drawn" : !seat || seat.side === winner ? "won" : "lost";
  const asked = seat && state.rematch[seat.side];
  const asks = seat && state.rematch[otherSide(seat.side)] && !asked;
  const { game: next } = state.rematch;
  const again = next
    ? el("a", { class: "button main", href: `/friend/${next}` }, seat ? words.toRematch : words.watchRematch)
    : seat && button(words.rematch, () => attempt(table, live.rematch(id, seat.token)), { class: "main", disabled: asked });
  return el("div", { class: `ending ${mood}` },
    el("div", { class: "stand" }, winner && badge(winner), el("div", {}, el("h2", {}, resultText(table)), el("p", { class: "muted" }, howText(table)))),
    !next && (asks || asked) && el("p", {}, asks ? words.friendAsks : words.rematchAsked),
    el("div", { class: "next" }, again,
      board.played.length > 0 && el("a", { class: "button", href: link("/review", { game: board.game, moves: board.moves, you: seat?.side, against: seat ? "friend" : undefined, won: winner ?? undefined }) }, words.review),
      el("a", { class: "button", href: "/friend" }, words.newGame)));
};

/** The score of the games in a row. @param {Table} table */
const scoreLine = (table) => {
  const { first, second, drawn } = table.state.score;
  if (first + second + drawn === 0) return null;
  const near = table.seat?.side ?? "first";
  const { score } = table.state;
  return el("p", { class: "score" }, el("span", {}, words.score),
    el("span", {}, words.scoreLine(score[near], score[otherSide(near)], drawn, nameOf(table, near), nameOf(table, otherSide(near)))));
};

/** @param {Table} table */
const actions = (table) => {
  const { state, seat, id, about, sure } = table;
  const address = `${about?.address ?? location.origin}/friend/${id}`;
  const going = seat && state.begun && !state.ended;
  return el("div", { class: "actions" },
    going && button(sure ? words.reallyResign : words.resign, () => resign(table), { class: sure ? "danger" : undefined }),
    going && button(words.offerDraw, () => attempt(table, live.draw(id, seat.token)), { disabled: Boolean(state.draw_offer) }),
    button(words.watchLink, () => copy(address, words.watchCopied), { "aria-label": words.copyWatchLink }),
    button(hush.on ? strings.soundOff : strings.soundOn, () => {
      hush.toggle();
      show(table);
    }, { "aria-pressed": String(hush.on) }));
};

/** @param {Table} table */
const panel = (table) => {
  const { state, seat, presence, connected, note } = table;
  const near = seat?.side ?? "first";
  // What is needed first is nearest to the board: the link while one waits, the result in the end.
  const going = state.begun && !state.ended;
  return el("section", { class: "panel friend", "aria-label": words.title },
    el("div", { class: "players" }, card(table, otherSide(near)), card(table, near)),
    !connected && el("p", { class: "offline" }, words.lost),
    going && actions(table),
    el("div", { class: "sheet-like" },
      note && el("p", { class: "muted" }, note),
      offer(table),
      state.begun ? headline(table) : invitation(table),
      scoreLine(table),
      state.begun && el("div", { class: "list" }, moveList(state.board)),
      el("p", { class: "watchers" }, !seat && !note && words.youWatch, presence?.watchers > (seat ? 0 : 1) && words.watchers(presence.watchers))),
    !going && actions(table));
};

/** A page for a game that cannot be shown. @param {HTMLElement} main @param {string} title @param {string} text @param {any} [more] */
const nothing = (main, title, text, more) => {
  renew(main, el("section", { class: "friend-page", "aria-label": title }, el("h2", {}, title), el("p", {}, text), more,
    el("a", { class: "button", href: "/friend" }, words.title)));
  tell(title);
};

/** What one can do without a game: make one, or go on with another. @param {HTMLElement} main */
const lobby = (main) => {
  const mine = Object.entries(seats.all).sort(([, one], [, other]) => other.made - one.made);
  const start = async () => {
    const { newGameSheet } = await import("./sheet.js");
    await newGameSheet({ game: "7x6c4", you: "random", against: "friend" }, (plan) => go(/** @type {any} */ (plan), { page: "/play" }));
  };
  const entry = ([id, seat]) => {
    const name = words.entry(seat.game, seat.side);
    return el("li", {}, badge(seat.side), el("p", { class: "about" }, el("b", {}, name), el("small", {}, words.madeOn(seat.made) + (seat.over ? `, ${words.over}` : ""))),
      el("a", { class: "button", href: `/friend/${id}`, "aria-label": `${words.open}: ${name}` }, words.open),
      button(words.forget, () => {
        seats.forget(id);
        lobby(main);
      }, { "aria-label": words.forgetGame(name), title: words.forgetAbout }));
  };
  renew(main, el("section", { class: "friend-page", "aria-label": words.title }, el("h2", {}, words.title),
    el("ol", { class: "how" }, ...words.steps.map((step, index) => el("li", {}, badge(index % 2 ? "second" : "first"), step))),
    button(words.invite, start, { class: "main" }),
    mine.length > 0 && el("h3", {}, words.yourGames), mine.length > 0 && el("ul", { class: "seats" }, ...mine.map(entry))));
  tell(words.title);
};

/** Takes the seat of an invitation, unless this device has one. @param {string} id @param {string} invitation */
const takeSeat = async (id, invitation) => {
  const seat = seats.of(id);
  if (seat || !invitation) return { seat, note: "" };
  try {
    const { side, token, state } = await live.join(id, invitation);
    seats.keep(id, { side, token, game: state.board.rules.title, made: Date.now() });
    return { seat: seats.of(id), note: "" };
  } catch (error) {
    if (error.kind === "seat_taken") return { seat: undefined, note: words.taken };
    throw error;
  }
};

/** Shows the clocks as they run. @param {Table} table */
const runClocks = (table) => {
  const timer = setInterval(() => showClocks(table), TICK);
  table.signal.addEventListener("abort", () => clearInterval(timer));
};

/**
 * The page.
 * @param {HTMLElement} main @param {AbortSignal} signal ended when another page is shown
 */
export const friend = async (main, signal) => {
  await style("friend");
  if (signal.aborted) return;
  const id = here().split("/")[2];
  if (!id) return lobby(main);
  const invitation = location.hash.slice(1);
  let taken;
  try {
    taken = await takeSeat(id, invitation);
  } catch (error) {
    if (error.kind === "not_found") return nothing(main, words.gone, words.goneAbout);
    if (error.kind !== "not_your_seat") throw error;
    return nothing(main, words.badLink, words.badLinkAbout, el("a", { class: "button main", href: `/friend/${id}` }, words.watch));
  }
  // The address without the secret: whoever copies it gives a link to watch.
  if (invitation) history.replaceState(null, "", location.pathname);
  /** @type {Table} */
  const table = {
    id, ...taken, state: undefined, told: 0, presence: undefined, about: undefined, connected: true, pending: undefined, sure: false,
    home: el("div", { class: "home" }), side: el("div", { class: "side" }), signal,
  };
  live.about().then((about) => {
    table.about = about;
    if (table.state && !signal.aborted) show(table);
  }, () => undefined);
  renew(main, el("div", { class: "page" }, el("section", { class: "stage" }, table.home), table.side));
  runClocks(table);
  await follow(table, main);
};

/** Follows the game until another page is shown. @param {Table} table @param {HTMLElement} main */
const follow = async (table, main) => {
  const { id, signal } = table;
  try {
    await live.follow(id, table.seat?.token, (name, data) => {
      if (name === "state") return hear(table, data);
      if (name === "presence") table.presence = data;
      const back = name === "open" && !table.connected;
      if (name === "open") table.connected = true;
      if (name === "lost" && table.connected) {
        table.connected = false;
        tell(words.lost, true);
      }
      if (table.state) show(table);
      else if (!table.connected) table.side.replaceChildren(el("p", { class: "offline" }, words.lost));
      if (back && table.state) tell(`${words.back} ${statusText(table)}`);
    }, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (error.kind === "not_found") return nothing(main, words.gone, words.goneAbout);
    if (error.kind !== "not_your_seat") throw error;
    // Somebody else was quicker with the same link.
    seats.forget(id);
    Object.assign(table, { seat: undefined, note: words.otherDevice });
    await follow(table, main);
  }
};

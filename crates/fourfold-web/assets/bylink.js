// A game with a friend where there is no server: the link carries the game. After a move the page has the next link to send, and
// whoever opens a link plays the side to move.

import { badge, draw } from "./board.js";
import { words } from "./bylink-strings.js";
import { engine } from "./client.js";
import { addressOf, button, copy, el, go, joined, link, renew, state, style, tell } from "./dom.js";
import { words as common } from "./friend-strings.js";
import { moveList } from "./picker.js";
import { sounds } from "./sounds.js";
import { strings } from "./strings.js";

/** Begins a game. @param {any} plan as the sheet has it */
export const invite = async ({ game, you }) => {
  const second = you === "second" || (you !== "first" && Math.random() < 0.5);
  go({ game, sent: second ? "1" : undefined }, { page: "/friend" });
};

/** The link with the game. @param {any} board */
const linkBox = (board) => {
  const address = new URL(addressOf(link("/friend", { game: board.game, moves: board.moves })), location.href).href;
  const box = el("input", { value: address, readonly: true, "aria-label": common.linkLabel, onfocus: () => box.select() });
  const copied = async () => tell(await copy(address, box) ? common.copied : common.notCopied);
  const share = "share" in navigator && button(common.share, () => navigator.share({ text: common.shareText, url: address }).catch(() => undefined));
  return el("div", { class: "linkbox" }, box, button(common.copy, copied, { class: "main" }), share);
};

/** What stands beside the board. @param {any} board @param {boolean} sent whether it is the friend's turn */
const panel = (board, sent) => {
  const over = board.outcome.state !== "ongoing";
  const labels = board.played.map(({ move }) => move);
  const back = () => go({ game: board.game, moves: joined(board.rules, labels.slice(0, -1)) });
  const result = board.outcome.by ? strings.won(board.outcome.by) : strings.drawn;
  const head = over ? result : sent ? words.send : words.yourMove;
  const about = over ? words.result : sent ? words.sendAbout : labels.length ? words.sentToYou : words.first;
  return el("section", { class: "panel friend", "aria-label": words.title },
    el("div", { class: "sheet-like" },
      el("div", { class: "stand" }, badge(over ? board.outcome.by ?? "first" : board.to_move), el("div", {}, el("h2", {}, head), el("p", { class: "muted" }, about))),
      (sent || over) && linkBox(board),
      sent && !labels.length && el("p", { class: "muted" }, words.friendBegins),
      el("div", { class: "list" }, moveList(board))),
    el("div", { class: "actions" },
      sent && labels.length > 0 && !over && button(words.takeBack, back),
      over && el("a", { class: "button", href: link("/review", { game: board.game, moves: board.moves, against: "friend" }) }, words.review),
      over && el("a", { class: "button", href: "/friend" }, words.again)));
};

/** How it is done, and the way in. @param {HTMLElement} main */
const lobby = (main) => {
  const start = async () => {
    const { newGameSheet } = await import("./sheet.js");
    await newGameSheet({ game: "7x6c4", you: "first", against: "friend" }, (plan) => go(/** @type {any} */ (plan), { page: "/play" }));
  };
  renew(main, el("section", { class: "friend-page", "aria-label": words.title }, el("h2", {}, words.title),
    el("ol", { class: "how" }, ...words.steps.map((step, index) => el("li", {}, badge(index % 2 ? "second" : "first"), step))),
    button(words.start, start, { class: "main" })));
  tell(words.title);
};

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const bylink = async (main, signal, memory) => {
  await style("friend");
  const { game, moves, sent } = state();
  if (signal.aborted) return;
  if (!game) return lobby(main);
  const board = await engine.position(game, moves ?? "", undefined, signal);
  if (signal.aborted) return;
  const over = board.outcome.state !== "ongoing";
  const waits = Boolean(sent) && !over;
  const play = (label) => {
    sounds.drop();
    go({ game: board.game, moves: joined(board.rules, [...board.played.map(({ move }) => move), label]), sent: "1" });
  };
  memory.home ??= el("div", { class: "home" });
  memory.side ??= el("div", { class: "side" });
  if (!main.contains(memory.home)) renew(main, el("div", { class: "page" }, el("section", { class: "stage" }, memory.home), memory.side));
  draw(memory.home, board, { busy: waits, play: over || waits ? undefined : play });
  renew(memory.side, panel(board, waits));
  tell(over ? (board.outcome.by ? strings.won(board.outcome.by) : strings.drawn) : waits ? words.send : words.yourMove);
};

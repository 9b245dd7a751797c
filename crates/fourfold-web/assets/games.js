// The games played on this device: a list, how they went, to be gone on with, saved or deleted.

import { button, el, go, link, renew, style, tell } from "./dom.js";
import { words } from "./games-strings.js";
import { kept } from "./kept.js";
import { characters, nameOf } from "./opponents.js";
import { grouped, strings } from "./strings.js";

/** The most games that are listed. */
const SHOWN = 100;

/** How a game went for whoever played it here: 1, 0.5 or 0; none if nobody did, or it is under way. */
const points = ({ you, result }) => (you !== "first" && you !== "second") || !result ? undefined : result === "draw" ? 0.5 : result === you ? 1 : 0;

/** @param {any} game */
const resultText = (game) => {
  if (!game.result) return words.underWay;
  const score = points(game);
  return score === undefined ? words.ended : score === 1 ? words.won : score === 0 ? words.lost : words.drawn;
};

/** Who it was against. */
const opponent = ({ you, against }, people) => (you === "both" ? words.twoPeople : you === "none" ? words.watched : nameOf(against, people));

/** The number of moves in a text of moves. */
const countMoves = (moves) => (/[a-z, ]/.test(moves) ? moves.split(/[ ,]+/) : [...moves]).filter(Boolean).length;

/** Offers a text as a file. @param {string} name @param {string} type @param {string} text */
const save = (name, type, text) => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = el("a", { href: address, download: name });
  anchor.click();
  URL.revokeObjectURL(address);
};

/** Wins, draws and losses against each opponent. @param {any[]} games @param {any[]} people */
const statistics = (games, people) => {
  /** @type {Map<string, number[]>} */
  const rows = new Map();
  let [run, longest] = [0, 0];
  for (const game of [...games].reverse()) {
    const score = points(game);
    if (score === undefined) continue;
    run = score === 1 ? run + 1 : 0;
    longest = Math.max(longest, run);
    const name = opponent(game, people);
    const row = rows.get(name) ?? [0, 0, 0];
    row[score === 1 ? 0 : score === 0.5 ? 1 : 2] += 1;
    rows.set(name, row);
  }
  if (!rows.size) return null;
  const cells = (/** @type {number[]} */ [won, drawn, lost]) => [won + drawn + lost, won, drawn, lost, `${Math.round((100 * (won + drawn / 2)) / (won + drawn + lost))}\u202f%`];
  return el("section", { class: "card" }, el("h2", {}, words.summary),
    el("div", { class: "scroll" }, el("table", { class: "figures" },
      el("thead", {}, el("tr", {}, ...[words.opponent, words.games, words.won, words.drawn, words.lost, words.share].map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", {}, ...[...rows].map(([name, row]) => el("tr", {}, el("th", { scope: "row" }, name), ...cells(row).map((value) => el("td", {}, String(value)))))))),
    longest > 1 && el("p", { class: "muted" }, words.streak(longest)));
};

/** One game. */
const item = (game, index, people, again) => {
  const { date, moves, you } = game;
  const name = opponent(game, people);
  const text = resultText(game);
  const count = countMoves(moves);
  const along = { game: game.game, moves };
  const day = new Date(date).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
  return el("li", { class: "game" },
    el("div", {}, el("b", {}, `${text} · ${name}`), el("small", {}, [day, strings.boards[game.game]?.[0] ?? game.game, words.moves(count), words.side[you]].filter(Boolean).join(" · "))),
    el("div", { class: "buttons" },
      game.result
        ? el("a", { class: "button", href: link("/review", { ...along, you, against: game.against, won: game.result === "draw" ? undefined : game.result }), "aria-label": `${words.review}: ${words.row(text, name, count)}` }, words.review)
        : button(words.resume, () => {
          kept.remove(index);
          go(game.now ?? along, { page: "/play" });
        }, { "aria-label": `${words.resume}: ${words.row(text, name, count)}` }),
      el("a", { class: "button", href: link("/analyse", along), "aria-label": `${words.analyse}: ${words.row(text, name, count)}` }, words.analyse),
      button(words.remove, () => {
        kept.remove(index);
        tell(words.removed);
        again();
      }, { "aria-label": `${words.remove}: ${words.row(text, name, count)}` })));
};

/** @param {HTMLElement} main */
export const games = async (main) => {
  const [people] = await Promise.all([characters().catch(() => []), style("games")]);
  const show = () => {
    const all = kept.games;
    const sure = el("dialog", { "aria-label": words.removeAll }, el("p", {}, words.sure), el("div", { class: "buttons" },
      button(words.removeAll, () => {
        kept.clear();
        sure.close();
        tell(words.removed);
        show();
      }), button(words.keep, () => sure.close(), { autofocus: true })));
    const text = () => all.map(({ game, moves }) => `${game}: ${moves}`).join("\n");
    renew(main, el("div", { class: "reading" }, el("h2", { class: "title" }, strings.below.games), el("p", { class: "lead" }, words.lead),
      el("p", {}, el("a", { href: "/friend" }, words.friends)),
      !all.length && el("p", {}, words.none, " ", el("a", { href: "/play" }, words.firstGame)),
      statistics(all, people),
      all.length > 0 && el("section", {}, el("h2", {}, `${words.list} (${grouped(all.length)})`),
        el("ol", { class: "games" }, ...all.slice(0, SHOWN).map((game, index) => item(game, index, people, show))),
        all.length > SHOWN && el("p", { class: "muted" }, words.shown(SHOWN, all.length))),
      all.length > 0 && el("div", { class: "buttons" },
        button(words.exportText, () => save("fourfold-games.txt", "text/plain", `${text()}\n`)),
        button(words.exportJson, () => save("fourfold-games.json", "application/json", JSON.stringify(all, null, 1))),
        button(words.removeAll, () => sure.showModal())),
      sure));
  };
  show();
  tell(words.total(kept.games.length));
};

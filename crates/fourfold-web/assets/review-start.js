// Review without a game: the games of this device to choose from, and a field to paste one.

import { engine } from "./client.js";
import { el, go, link, renew, tell } from "./dom.js";
import { kept } from "./kept.js";
import { characters, face, nameOf } from "./opponents.js";
import { EXAMPLE, words } from "./review-strings.js";
import { strings } from "./strings.js";

/** The most games that are listed. */
const MOST = 12;

/** A field for a game in any notation; what is wrong with it is said beneath it. @param {string} game the rules, if the text does not name them @param {string} [text] @param {string} [trouble] what is wrong with it */
export const pasteForm = (game, text = "", trouble = "") => {
  const input = el("textarea", { name: "moves", rows: 2, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "paste-hint" });
  input.value = text;
  const hint = el("small", { id: "paste-hint", class: trouble ? "refused" : undefined }, trouble || words.pasteHint);
  const form = el("form", { class: "paste", novalidate: true },
    el("label", {}, el("span", { class: "caption" }, words.paste), input), hint, el("button", { type: "submit", class: "main" }, words.review));
  const refuse = (message) => {
    hint.textContent = message;
    hint.classList.add("refused");
    input.setAttribute("aria-invalid", "true");
    tell(message, true);
    input.focus();
  };
  const submit = async (event) => {
    event.preventDefault();
    const given = input.value.trim();
    if (!given) return refuse(words.empty);
    try {
      const read = await engine.position(given.includes(":") ? undefined : game, "", given);
      if (read.moves === null) refuse(words.noOrder);
      else if (!read.moves) refuse(words.empty);
      else go({ game: read.game, moves: read.moves });
    } catch (error) {
      refuse(error.message);
    }
  };
  form.addEventListener("submit", submit);
  input.addEventListener("keydown", (event) => event.key === "Enter" && !event.shiftKey && submit(event));
  return form;
};

/** How a kept game went for whoever sat at the device. @param {any} game */
const resultOf = ({ you, result }) => {
  if (!result) return ["draws", words.underWay];
  if (result === "draw") return ["draws", words.results3.draw];
  if (you !== "first" && you !== "second") return ["draws", words.results3[result]];
  return result === you ? ["wins", words.results3.won] : ["loses", words.results3.lost];
};

/** A kept game, to be chosen. @param {any} game @param {any[]} people */
const item = (game, people) => {
  const place = people.findIndex(({ player }) => player === game.against);
  const single = game.you === "first" || game.you === "second";
  const name = game.against === "friend" ? words.friend.toLowerCase() : nameOf(game.against ?? "", people);
  const [kind, text] = resultOf(game);
  const date = new Date(game.date);
  const day = Number.isNaN(date.valueOf()) ? "" : date.toLocaleDateString(document.documentElement.lang || "en", { day: "numeric", month: "short" });
  const count = game.moves.includes(" ") || game.moves.includes(",") ? game.moves.split(/[ ,]+/).length : game.moves.length;
  return el("li", {}, el("a", { class: "kept", href: link("/review", { game: game.game, moves: game.moves, you: game.you, against: game.against, won: game.result === "draw" ? undefined : game.result }) },
    face(single ? name : "two", single && place >= 0 ? place : undefined),
    el("span", { class: "what" }, el("b", {}, single ? words.against(name) : game.you === "both" ? words.twoPeople : words.watched), " ",
      el("small", {}, [strings.boards[game.game]?.[0] ?? game.game, words.count(count), day].filter(Boolean).join(" · "))), " ",
    el("span", { class: `chip-result ${kind}` }, text)));
};

/**
 * The page without a game.
 * @param {HTMLElement} main @param {any} now parameters of the address @param {string} text what was given @param {string} trouble what is wrong with it
 */
export const start = async (main, now, text, trouble) => {
  const people = await characters().catch(() => []);
  const games = kept.games.filter(({ moves, game }) => typeof moves === "string" && moves && typeof game === "string").slice(0, MOST);
  renew(main, el("div", { class: "page begin" }, el("section", { class: "begin-box", "aria-label": strings.pages.review },
    el("h2", { class: "headline" }, words.welcome), el("p", { class: "muted" }, words.lead),
    games.length > 0 && el("h3", {}, words.yours),
    games.length > 0 ? el("ul", { class: "kept-games" }, ...games.map((game) => item(game, people)))
      : el("div", { class: "buttons" }, el("a", { class: "button main", href: "/play" }, words.play), el("a", { class: "button", href: link("/review", EXAMPLE) }, words.example)),
    games.length === 0 && el("p", { class: "muted small" }, words.none),
    pasteForm(now.game, text, trouble),
    games.length > 0 && el("div", { class: "buttons" }, el("a", { class: "button", href: link("/review", EXAMPLE) }, words.example)))));
  tell(trouble || words.welcome, Boolean(trouble));
};

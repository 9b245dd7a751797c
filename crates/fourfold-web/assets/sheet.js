// The sheet for a new game: against whom, which side, which board, with a clock or without.

import { engine, served } from "./client.js";
import { button, choice, el, tell } from "./dom.js";
import { characters, face, nameOf } from "./opponents.js";
import { strings } from "./strings.js";
import { thumbnail } from "./thumbnail.js";

/** Minutes that a side has for its moves; empty is no clock. */
const CLOCKS = ["", "1", "3", "10"];
/** Seconds that each move adds; only with a friend. */
const INCREMENTS = ["", "2", "5", "10"];
/** Who is invited by a link instead of being played by the computer. */
const FRIEND = "friend";

/** @typedef {{ game: string, you: string, against: string, clock?: string, increment?: string }} Plan what a game is started with */

const BOARDS = [
  { game: "7x6c4", picture: [7, 6, "x d1 o d2 x e1 o c1 x f1 o e2 x c2"] },
  { game: "7x6s2", picture: [7, 6, "x c1 x d1 x c2 x d2 o b1 o e1 o b2"] },
  { game: "3x3c3f", picture: [3, 3, "x b2 o a3 x c3 o a1"] },
];

/** The opponents as a group of choices. @param {any[]} all @param {Plan} plan @param {() => void} changed */
const roster = (all, plan, changed) => {
  const people = all.map((one, index) => el("label", { class: one.level ? "who" : "who wide" },
    el("input", { type: "radio", name: "against", value: one.player, checked: plan.against === one.player, onchange: () => { plan.against = one.player; changed(); } }),
    el("span", {}, face(one.name, one.level ? index : undefined), el("b", {}, one.name), el("small", {}, one.level ? strings.level(one.level) : strings.friendHow))));
  return el("fieldset", { class: "roster" }, el("legend", {}, strings.against), el("div", { class: "people" }, ...people));
};

/** A number that is stepped. @param {string} label @param {number} value @param {number} least @param {number} most @param {(value: number) => void} set */
const stepper = (label, value, least, most, set) => el("label", {}, el("span", { class: "caption" }, label),
  el("input", { type: "number", value, min: least, max: most, onchange: (event) => set(Math.min(most, Math.max(least, Math.round(Number(event.target.value)) || value))) }));

/** Any other board, with a picture of it. @param {Plan} plan @param {() => void} changed */
const otherBoard = (plan, changed) => {
  const [, w, h, shape, n, free] = plan.game.match(/^(\d+)x(\d+)([cs])(\d+)(f?)$/) ?? ["", "7", "6", "c", "4", ""];
  const parts = { w: Number(w), h: Number(h), shape, n: Number(n), free };
  const preview = el("div", { class: "preview" });
  const renew = () => {
    plan.game = `${parts.w}x${parts.h}${parts.shape}${parts.n}${parts.free}`;
    preview.replaceChildren(thumbnail(parts.w, parts.h, ""), el("span", {}, strings.goal(parts.shape, parts.n), " ", parts.free ? strings.loose : strings.falling));
    changed();
  };
  const put = (name) => (value) => {
    parts[name] = value;
    renew();
  };
  const open = !BOARDS.some(({ game }) => game === plan.game);
  return el("details", { open, ontoggle: (event) => event.target.open && renew() }, el("summary", {}, strings.otherSize),
    el("div", { class: "steppers" }, stepper(strings.columns, parts.w, 1, 16, put("w")), stepper(strings.rows, parts.h, 1, 15, put("h")),
      stepper(strings.length, parts.n, 2, 10, put("n"))),
    choice("shape", strings.shape, [["c", strings.line], ["s", strings.square]], parts.shape, put("shape")),
    choice("discs", strings.discs, [["", strings.fall], ["f", strings.anywhere]], parts.free, put("free")), preview);
};

/**
 * Opens the sheet; `start` gets what was chosen.
 * @param {Plan} now what is played at present @param {(plan: Plan) => void} start
 */
export const newGameSheet = async (now, start) => {
  const all = [...await characters().catch(() => []), { player: FRIEND, name: strings.friendName, level: 0, about: strings.friendAbout }];
  const plan = { ...now };
  const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("dialog.sheet") ?? document.body.appendChild(el("dialog", { class: "sheet", "aria-labelledby": "sheet-title" })));
  const go = el("button", { type: "submit", class: "main", autofocus: true });
  const about = el("p", { class: "about" });
  const people = roster(all, plan, () => changed());
  const custom = el("details", {}, el("summary", {}, strings.custom), el("label", {}, el("span", { class: "caption" }, strings.customHint),
    el("input", { name: "player", value: plan.against === FRIEND ? "" : plan.against, autocomplete: "off", spellcheck: "false", onchange: (event) => { plan.against = event.target.value.trim() || now.against; changed(); } })));
  const opponents = el("div", { class: "opponents" }, people, about, custom);
  const changed = () => {
    const one = all.find(({ player }) => player === plan.against);
    const alone = plan.you === "both";
    const invited = plan.against === FRIEND && !alone;
    opponents.hidden = alone;
    increment.hidden = !invited || !plan.clock;
    about.textContent = one?.about ?? "";
    go.textContent = alone ? strings.startHere : invited ? strings.inviteFriend : plan.you === "none" ? strings.startWatching : strings.startAgainst(nameOf(plan.against, all));
  };
  const boards = el("fieldset", { class: "boards" }, el("legend", {}, strings.game), el("div", {}, ...BOARDS.map(({ game, picture: [w, h, discs] }) => el("label", {},
    el("input", { type: "radio", name: "game", value: game, checked: plan.game === game, onchange: () => { plan.game = game; changed(); } }),
    el("span", {}, thumbnail(Number(w), Number(h), String(discs)), el("b", {}, strings.boards[game][0]), el("small", {}, strings.boards[game][1]))))));
  const increment = choice("increment", strings.increment, INCREMENTS.map((value) => [value, strings.minutes(value)]), "", (value) => (plan.increment = value));
  const form = el("form", { method: "dialog", novalidate: true },
    el("header", {}, el("h2", { id: "sheet-title" }, strings.newGame), button("✕", () => dialog.close(), { "aria-label": strings.close, class: "quiet" })),
    el("div", { class: "content" },
      choice("you", strings.youPlay, [["first", strings.first], ["second", strings.second], ["random", strings.random], ["both", strings.both], ["none", strings.neither]], plan.you,
        (you) => { plan.you = you; changed(); }),
      opponents, boards, otherBoard(plan, changed),
      choice("clock", strings.clock, CLOCKS.map((value) => [value, strings.minutes(value)]), plan.clock ?? "", (value) => { plan.clock = value; changed(); }), increment),
    el("footer", {}, go));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      plan.game = (await engine.rules(plan.game)).game;
    } catch (error) {
      return tell(error.message, true);
    }
    if (plan.against === FRIEND && plan.you !== "both") {
      try {
        const { invite } = served ? await import("./friend.js") : await import("./bylink.js");
        await invite(plan);
        return dialog.close();
      } catch (error) {
        return tell(error.message, true);
      }
    }
    if (plan.against === FRIEND) plan.against = String(all[0].player);
    if (plan.you === "random") plan.you = Math.random() < 0.5 ? "first" : "second";
    dialog.close();
    start(plan);
  });
  dialog.replaceChildren(form);
  changed();
  dialog.showModal();
};

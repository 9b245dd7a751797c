// What the microscope searches, and how: where the tree comes from, which search, every switch.

import { button, choice, el } from "./dom.js";
import { words } from "./microscope-strings.js";
import { gamePicker } from "./picker.js";
import { strings } from "./strings.js";

/** What the page opens with. */
export const FIRST = { tree: "((9 8 7)(6 5 4)(3 2 1))" };
/** Where a tree comes from, with one of each kind to begin with. */
const KINDS = { tree: FIRST, random: { random: "3,3,1" }, game: { game: "3x3c3f", position: "X.O/.X./XOO", depth: "9" } };
const POSITION = ["game", "moves", "position", "depth", "eval"];
export const SOURCE = ["tree", "root", "random", ...POSITION];
/** What a switch with a number is set to when it is turned on. */
const TURNED_ON = { table: "1", forward: "3", contempt: "10" };
/** Larger trees are no quiz. */
export const QUIZ_NODES = 60;

/** The kind of tree that an address asks for; none if it does not say. */
export const kindOf = (now) => {
  const given = (name) => now[name] !== undefined;
  return given("tree") ? "tree" : given("random") ? "random" : POSITION.some(given) ? "game" : undefined;
};

/**
 * The choices below the tree.
 * @param {any} scope the state `now`, the `answer` if there is one, the `catalogue`, and how to go to another state: `set` something, `search`
 *   the same tree otherwise, `plant` another
 */
export const setup = (scope) => el("section", { class: "setup", "aria-label": words.setup }, sources(scope), searches(scope), switches(scope));

/** A labelled box. */
const field = (name, value, title, attributes = {}) =>
  el("label", { class: "grow" }, el("span", { class: "caption" }, title), el("input", { name, value, autocomplete: "off", ...attributes }));

const NUMERIC = { type: "number", min: 0, inputmode: "numeric" };
const seed = () => Math.floor(Math.random() * 1e6);

/** Where the tree comes from. */
const sources = ({ kind, now, answer, catalogue, search, plant }) => {
  const form = (read, ...parts) => el("form", {
    class: "row", novalidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      plant(read(Object.fromEntries(/** @type {any} */ (new FormData(event.target)))));
    },
  }, ...parts, el("button", { type: "submit" }, words.show));
  const { root } = now;
  const forms = {
    tree: () => {
      const box = el("textarea", { name: "tree", rows: 2, spellcheck: "false", autocomplete: "off", "aria-describedby": "tree-hint" });
      box.value = now.tree ?? "";
      return [
        form(({ tree }) => ({ tree: tree.trim(), root }), el("label", { class: "grow" }, el("span", { class: "caption" }, words.typed), box)),
        el("small", { id: "tree-hint" }, words.typedHint),
      ];
    },
    random: () => {
      const [children = "3", levels = "3", start = "1"] = (now.random ?? "").split(",");
      return [
        form((data) => ({ random: `${data.branching},${data.levels},${data.seed}`, root }),
          field("branching", children, words.branching, NUMERIC), field("levels", levels, words.levels, NUMERIC), field("seed", start, words.seed, NUMERIC)),
        el("div", { class: "buttons" }, button(words.another, () => plant({ random: `${children},${levels},${seed()}`, root }))),
      ];
    },
    game: () => {
      const rules = answer?.board?.rules ?? { game: now.game ?? "7x6c4", title: now.game };
      const evaluators = catalogue.evaluators.map(({ name }) => el("option", { value: name, selected: name === now.eval }, name));
      const read = ({ position, depth, eval: judge }) => ({
        // A position may name its game.
        game: position.includes(":") ? undefined : rules.game, position: position.trim() || undefined, depth, eval: judge || undefined,
      });
      return [
        gamePicker(rules, (game) => plant({ game, depth: "2" })),
        form(read,
          el("label", { class: "wide" }, el("span", { class: "caption" }, strings.paste),
            el("input", { name: "position", value: now.position ?? now.moves ?? "", autocomplete: "off", spellcheck: "false" })),
          field("depth", now.depth ?? "2", words.depth, NUMERIC),
          el("label", { class: "grow" }, el("span", { class: "caption" }, words.eval),
            el("select", { name: "eval" }, el("option", { value: "" }, words.natural), ...evaluators))),
      ];
    },
  };
  const same = (params) => SOURCE.every((name) => (params[name] ?? "") === (now[name] ?? ""));
  const examples = el("select", { name: "example", onchange: () => examples.value !== "" && plant(words.examples[Number(examples.value)].params) },
    el("option", { value: "" }, words.own), ...words.examples.map(({ title, params }, index) => el("option", { value: index, selected: same(params) }, title)));
  return el("div", { class: "card" },
    el("label", {}, el("span", { class: "caption" }, words.example), examples),
    choice("kind", words.kind, Object.entries(words.kinds), kind, (value) => plant(KINDS[value])),
    ...forms[kind](),
    kind !== "game" && choice("root", words.firstMover, [["max", "MAX"], ["min", "MIN"]], root ?? "max", (side) => search({ root: side === "min" ? side : undefined })));
};

/** Which search, and two beside each other. */
const searches = ({ now, set, search }) => el("div", { class: "card" },
  choice("algorithm", words.algorithm, Object.entries(words.algorithms), now.quiz ? "alphabeta" : now.algorithm ?? "alphabeta",
    (value) => search({ algorithm: value === "minimax" ? value : undefined, quiz: undefined })),
  el("div", { class: "buttons" },
    button(words.compare, () => set({ compare: now.compare ? undefined : "1", quiz: undefined, predict: undefined, edit: undefined, picks: undefined, checked: undefined }),
      { "aria-pressed": String(Boolean(now.compare)) })),
  el("small", {}, words.keys));

/** Every switch of the search; those that make no sense here say why. */
const switches = ({ now, answer, catalogue, memory, search }) => {
  const row = (one) => {
    const { name, about, kind, default: usual } = one;
    const why = answer?.inapplicable[name];
    const value = now[name] ?? usual;
    const id = `about-${name}`;
    const change = (text) => search({ [name]: text === usual ? undefined : text });
    const common = { name, disabled: Boolean(why) && value === usual, "aria-describedby": id };
    const on = kind === "flag" ? value === "on" : value !== "0";
    const turned = (checked) => (kind === "flag" ? (checked ? "on" : "off") : checked ? TURNED_ON[name] ?? "1" : "0");
    const control = kind === "choice"
      ? [el("code", {}, name), el("select", { ...common, onchange: ({ target }) => change(target.value) },
        ...one.words.map((word) => el("option", { value: word, selected: word === value }, word)))]
      : [el("input", { type: "checkbox", ...common, checked: on, onchange: ({ target }) => change(turned(target.checked)) }), el("code", {}, name)];
    const amount = kind === "number" && on && el("input", {
      type: "number", class: "amount", name: `${name}-amount`, value, min: one.min, max: one.max, "aria-label": `${name}, ${one.unit}`, onchange: ({ target }) => change(target.value),
    });
    const told = why ? words.inapplicable(why) : `${about.charAt(0).toUpperCase()}${about.slice(1)}. ${words.effects[one.effect]}`;
    return el("li", { class: why ? "inapplicable" : undefined }, el("div", { class: "switch" }, el("label", {}, ...control), amount), el("small", { id }, told));
  };
  const rest = catalogue.switches.filter(({ name }) => name !== "alpha_beta");
  const changed = rest.filter(({ name, default: usual }) => now[name] !== undefined && now[name] !== usual).length;
  const list = el("details", { class: "across", open: memory.switchesOpen ?? changed > 0, ontoggle: () => (memory.switchesOpen = list.open) },
    el("summary", {}, words.switches(changed)), el("ul", { class: "switches" }, ...rest.map(row)));
  return list;
};

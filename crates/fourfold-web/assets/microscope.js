// Microscope: a real search step by step, forward and back, predicted, quizzed about, or its tree edited.

import { engine } from "./client.js";
import { button, choice, el, go, note, renew, state, style, tell } from "./dom.js";
import { EDIT_NODES, editor, nested, written } from "./edit.js";
import { editing, words } from "./microscope-strings.js";
import { projector } from "./present.js";
import { quiz } from "./quiz.js";
import { FIRST, QUIZ_NODES, SOURCE, kindOf, setup } from "./setup.js";
import { strings } from "./strings.js";
import { grow } from "./tree.js";
import { calmly, walk } from "./walk.js";

/** What belongs to one search only. */
const AFRESH = { step: undefined, picks: undefined, checked: undefined };
/** What one can do with a tree besides stepping through its search; at most one of them is in the address. */
const MODES = ["predict", "quiz", "edit"];

/** What is asked of the engine. */
const asked = (now, switches) => {
  const names = [...SOURCE, ...switches, "algorithm"];
  const params = Object.fromEntries(names.filter((name) => now[name] !== undefined).map((name) => [name, now[name]]));
  return now.quiz ? { ...params, algorithm: "alphabeta" } : params;
};

/** A trace with its tree; kept, so that turning pages does not search again. */
const traced = async (params, memory, signal) => {
  memory.traces ??= new Map();
  const key = JSON.stringify(params);
  if (!memory.traces.has(key)) {
    const answer = await engine.trace(params, signal);
    if (memory.traces.size > 8) memory.traces.clear();
    memory.traces.set(key, { ...answer, nodes: grow(answer.tree) });
  }
  return memory.traces.get(key);
};

/** @param {HTMLElement} main @param {AbortSignal} signal @param {any} memory */
export const microscope = async (main, signal, memory) => {
  const given = state();
  const kind = kindOf(given) ?? "tree";
  /** @type {any} */
  const now = kindOf(given) ? given : { ...FIRST, ...given };
  await Promise.all([style("search"), style("microscope")]);
  const catalogue = (memory.catalogue ??= await engine.catalogue());
  const switches = catalogue.switches.map(({ name }) => name).filter((name) => name !== "alpha_beta");
  const nothing = (names) => Object.fromEntries(names.map((name) => [name, undefined]));
  const set = (next, how) => go({ ...now, step: memory.at ? String(memory.at) : undefined, ...next }, how);
  /** Another search of the same tree. */
  const search = (next) => go({ ...now, ...AFRESH, ...next });
  /** Another tree. What is for positions makes no sense on others, nor the book of one game in another. */
  const plant = (next) => {
    const dropped = kindOf(next) !== kind ? switches : next.game !== now.game ? ["book"] : [];
    search({ ...nothing(SOURCE), ...nothing(dropped), ...next });
  };
  const params = asked(now, switches);
  let answer, other, problem;
  try {
    answer = await traced(params, memory, signal);
    const opposite = now.algorithm === "minimax" ? "alphabeta" : "minimax";
    if (now.compare && !MODES.some((name) => now[name])) other = await traced({ ...params, algorithm: opposite }, memory, signal);
  } catch (error) {
    if (signal.aborted) return;
    problem = error;
  }
  if (signal.aborted) return;
  const mode = modeOf(now, answer);
  const nowhere = Object.fromEntries(MODES.map((name) => [name, undefined]));
  const enter = (name) => {
    // A random tree that is edited becomes a typed one.
    const typed = name === "edit" && now.random !== undefined ? { random: undefined, tree: written(nested(answer.nodes)) } : {};
    search({ ...nowhere, ...typed, ...(name === "walk" ? {} : { [name]: "1" }) });
  };
  const below = setup({ kind, now, answer, catalogue, memory, set, search, plant });
  if (!answer) {
    memory.keys = {};
    renew(main, el("div", { class: "scope" }, below));
    return tell(problem.message, true);
  }
  const screen = projector();
  const named = now.names ? now.names === "1" : !answer.board;
  const leave = () => enter("walk");
  const keep = calmly(signal, (at) => note({ ...now, step: at ? String(at) : undefined }));
  /** @type {any} */
  const shown = mode === "quiz" ? quiz(now, answer, set, search, plant)
    : mode === "edit" ? editor(answer, { memory, named, leave, signal, plant: (tree) => plant({ tree, root: now.root }) })
      : walk(answer, {
        other, step: now.step, speed: now.speed, named, switches: catalogue.switches, counted: true, predicting: mode === "predict", leave, signal,
        arrived: (at) => {
          memory.at = at;
          keep(at);
        },
      });
  memory.keys = { ...shown.keys, ...screen.keys };
  renew(main, el("div", { class: "scope" }, tools(mode, answer, enter, named, (names) => set({ names }, { replace: true }), screen),
    el("section", { class: "searched", "aria-label": words.tree }, shown.card), numbers(shown, answer, params, named), below, screen.leave));
  shown.start();
  if (problem) tell(problem.message, true);
};

/** What the address asks to do with the tree, if the tree allows it. */
const modeOf = (now, answer) => MODES.find((name) => now[name] !== undefined && !refused(name, answer)) ?? "walk";

/** Why something cannot be done with a tree; nothing if it can. */
const refused = (mode, answer) => {
  if (mode === "edit") return answer?.board ? words.noEdit : answer?.nodes_in_tree > EDIT_NODES ? editing.tooLarge(EDIT_NODES) : "";
  return mode === "quiz" && answer?.nodes_in_tree > QUIZ_NODES ? words.tooLarge(QUIZ_NODES) : "";
};

/** Above the tree: what to do with it, edge names, the projector. */
const tools = (mode, answer, enter, named, name, screen) => {
  const modes = choice("mode", words.mode, Object.entries(words.modes), mode, enter);
  for (const input of modes.querySelectorAll("input")) {
    const why = refused(input.value, answer);
    input.disabled = Boolean(why);
    input.parentElement.title = why || words.modesAbout[input.value];
  }
  return el("div", { class: "modes" }, modes,
    mode !== "quiz" && button(words.names, () => name(named === Boolean(answer.board) ? undefined : named ? "0" : "1"), { "aria-pressed": String(named) }), screen.button);
};

/** Below the tree: what was found, how to read it, the tree as text. */
const numbers = ({ result, details, standing }, answer, params, named) => el("aside", { class: "beside", "aria-label": words.numbers },
  standing, el("div", {}, result,
    el("p", { class: "muted small" }, words.legend(answer.board), " ", !named && words.lineNames(answer.board), " ", el("a", { href: "/learn/glossary" }, strings.below["learn/glossary"]))),
  el("div", {}, ...details, el("p", { class: "links" }, el("a", { href: engine.drawing(new URLSearchParams(params)), download: "tree.svg" }, words.save))));

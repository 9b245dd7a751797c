// The live figures of Learn: boards to play on, trees to fill in and to step through, searches counted.

import { draw } from "./board.js";
import { engine } from "./client.js";
import { button, choice, el, joined, link, note, state, tell } from "./dom.js";
import { words } from "./learn-strings.js";
import { shown, turn } from "./picker.js";
import { grouped, strings } from "./strings.js";
import { sketch, typed } from "./sketch.js";
import { grow } from "./tree.js";
import { calmly, walk } from "./walk.js";

/** What the exact results may take, in ms. */
const PATIENCE = 4000;

/** Keeps the state of a figure in the address, without a new entry in the history. @param {Record<string, string | undefined>} next */
const remember = (next) => note({ ...state(), ...next });

/** A game against a player, from the state in the address. */
const game = async (home, { game: rules, player }, signal) => {
  const stage = el("div", { class: "home" });
  const status = el("div", {});
  const links = el("p", { class: "links" });
  home.append(stage, status, el("div", { class: "buttons" }, button(words.again, () => show([]).catch(fail)), links));
  /** Counts what was shown: a move on a board that has been left counts for nothing. */
  let latest = 0;
  const show = async (labels) => {
    latest += 1;
    const here = latest;
    const board = await engine.position(rules, labels.join(" "));
    if (signal.aborted || here !== latest) return;
    const moves = joined(board.rules, labels);
    remember({ moves });
    const over = board.outcome.state !== "ongoing";
    const mine = board.to_move === "first";
    const add = (label) => here === latest && show([...labels, label]).catch(fail);
    draw(stage, board, { busy: !over && !mine, play: over ? undefined : add });
    const sentence = over ? (board.outcome.by ? (board.outcome.by === "first" ? strings.youWin : strings.youLose) : strings.drawn) : mine ? words.yourTurn : strings.thinking;
    status.replaceChildren(turn(over ? board.outcome.by ?? "first" : board.to_move, sentence));
    links.replaceChildren(el("a", { href: link("/play", { game: rules, against: player }) }, words.sides),
      el("a", { href: link("/review", { game: rules, moves }) }, strings.reviewGame));
    if (labels.length) tell(sentence);
    if (over || mine) return;
    const found = await engine.move(rules, moves, player, crypto.getRandomValues(new Uint32Array(1))[0], signal);
    if (here === latest) await show([...labels, found.move]);
  };
  const fail = (error) => signal.aborted || tell(error.message, true);
  const given = await engine.position(rules, state().moves ?? "").catch(() => null);
  await show((given?.played ?? []).map((mv) => mv.move));
};

/** Both sides by hand, with every move's exact result. */
const solved = async (home, { game: rules }, signal) => {
  const stage = el("div", { class: "home" });
  const status = el("div", {});
  const links = el("p", { class: "links" });
  const bar = el("div", { class: "buttons" });
  home.append(stage, status, bar, links);
  let asked = new AbortController();
  signal.addEventListener("abort", () => asked.abort());
  const show = async (labels) => {
    asked.abort();
    asked = new AbortController();
    const current = asked.signal;
    const board = await engine.position(rules, labels.join(","));
    if (signal.aborted || current.aborted) return;
    const moves = joined(board.rules, labels);
    remember({ moves });
    const over = board.outcome.state !== "ongoing";
    /** @type {any} */
    const view = { found: new Map() };
    const paint = () => draw(stage, board, { ...view, play: over ? undefined : (label) => show([...labels, label]).catch(fail) });
    const say = (text) => {
      status.replaceChildren(turn(over ? board.outcome.by ?? "first" : board.to_move, text));
      tell(text);
    };
    paint();
    bar.replaceChildren(button(strings.undo, () => show(labels.slice(0, -1)).catch(fail), { disabled: !labels.length }), button(words.restart, () => show([]).catch(fail)));
    links.replaceChildren(el("a", { href: link("/analyse", { game: rules, moves }) }, words.analyse),
      el("a", { href: link("/play", { game: rules, moves, you: board.to_move, against: "perfect:time=4000,tie=random" }) }, words.challenge));
    if (over) return say(board.outcome.by ? strings.won(board.outcome.by) : strings.drawn);
    say(strings.sideMove(board.to_move));
    const answer = await engine.solve({ game: rules, moves, time: PATIENCE }, (name, column) => {
      if (name !== "column" || current.aborted) return;
      view.found.set(column.move, shown(column));
      view.best = Math.max(view.best ?? -Infinity, column.score ?? -Infinity);
      paint();
    }, current);
    if (!current.aborted) say(answer.complete ? strings.verdict(board.to_move, answer.words) : strings.sideMove(board.to_move));
  };
  const fail = (error) => signal.aborted || error.name === "AbortError" || tell(error.message, true);
  const given = await engine.position(rules, state().moves ?? "").catch(() => null);
  await show((given?.played ?? []).map((mv) => mv.move)).catch(fail);
};

/** What a value looks like: how it is to be read, then the number. */
const valueText = (value, bound) => ({ "at-most": "≤", "at-least": "≥" }[bound] ?? "") + String(value).replace("-", "−");

/** The values of a tree, asked one by one from the bottom. */
const quiz = async (home, { tree }, signal) => {
  const nodes = typed(tree);
  const { steps, best } = await engine.trace({ tree, algorithm: "minimax" }, signal);
  const known = new Map(steps.filter(({ step }) => step === "leave").map(({ node, value }) => [node, value]));
  const order = steps.filter(({ step }) => step === "leave").map(({ node }) => nodes.find(({ name }) => name === node));
  const drawing = el("div", { class: "scroll", tabindex: 0 });
  const question = el("p", { class: "verdict" });
  const answers = el("div", { class: "buttons" });
  home.append(drawing, question, answers);
  const show = (done, said = "") => {
    const asked = order[done];
    drawing.replaceChildren(sketch(nodes, words.quizTree, (node) => {
      const found = order.indexOf(node) < done;
      return { text: node.leaf !== undefined ? valueText(node.leaf) : found ? valueText(known.get(node.name)) : "?",
        edge: node.name, state: node === asked ? "current" : node.leaf === undefined && found ? "done" : "" };
    }));
    if (!asked) {
      question.textContent = `${said} ${words.finished(known.get("root"), best)}`;
      answers.replaceChildren(button(words.restart, () => show(0)));
      tell(question.textContent);
      return;
    }
    const values = asked.children.map((child) => nodes[child].leaf ?? known.get(nodes[child].name));
    const text = words.ask(asked.turn, asked.name, values);
    question.textContent = said ? `${said} ${text}` : text;
    if (said) tell(question.textContent);
    const choices = [...new Set(values)].sort((a, b) => a - b);
    answers.replaceChildren(...choices.map((value) => button(valueText(value), () => {
      if (value === known.get(asked.name)) {
        show(done + 1, words.rightValue(asked.turn, value));
        answers.querySelector("button")?.focus();
      } else {
        question.textContent = `${words.wrongValue(asked.turn)} ${text}`;
        tell(words.wrongValue(asked.turn), true);
      }
    })));
  };
  show(0);
};

/** A search, step by step. */
const steps = async (home, { tree, algorithm }, signal, memory) => {
  const answer = await engine.trace({ tree, algorithm }, signal);
  if (signal.aborted) return;
  const shown = walk({ ...answer, nodes: grow(answer.tree) }, { step: state().step, signal, arrived: calmly(signal, (at) => remember({ step: at ? String(at) : undefined })) });
  home.append(shown.card, el("div", { class: "aside" }, ...shown.details, el("p", { class: "links" }, el("a", { href: link("/microscope", { tree, algorithm }) }, words.microscope))));
  Object.assign(memory.keys, shown.keys);
  shown.start({ quiet: true });
};

/** What searches take, counted now. */
const counts = async (home, { game: rules, moves = "", players, depths }, signal) => {
  const table = el("div", { class: "bars" });
  const show = async (depth) => {
    const rows = players.map(([title, spec, most]) => {
      const fill = el("div", { class: "fill" });
      const number = el("span", { class: "number" }, most < depth ? words.tooMany : words.counting);
      return { spec: spec.replace("{depth}", String(depth)), skip: most < depth, fill, number, row: el("div", { class: "bar-row" }, el("span", {}, title), el("div", { class: "track" }, fill), number) };
    });
    table.replaceChildren(...rows.map(({ row }) => row));
    const found = [];
    for (const row of rows.filter(({ skip }) => !skip)) {
      found.push((await engine.move(rules, moves, row.spec, 0, signal)).nodes);
      if (signal.aborted) return;
      const most = Math.max(...found);
      rows.filter(({ skip }) => !skip).slice(0, found.length).forEach(({ fill, number }, index) => {
        fill.style.setProperty("--share", `${(100 * found[index]) / most}%`);
        const ratio = found[0] / found[index];
        number.textContent = words.nodes(grouped(found[index])) + (index ? ` (${words.ratio(ratio < 10 ? ratio.toFixed(1) : Math.round(ratio))})` : "");
      });
    }
  };
  if (depths) {
    const chosen = depths[1];
    home.append(choice(`depth-${moves}`, words.depth, depths.map((depth) => [String(depth), String(depth)]), String(chosen), (depth) => show(Number(depth)).catch((error) => signal.aborted || tell(error.message, true))));
    home.append(table);
    await show(chosen);
  } else {
    home.append(table);
    await show(0);
  }
};

/** What players of growing depth think of one position. */
const depths = async (home, { game: rules, moves, most }, signal) => {
  const board = await engine.position(rules, moves);
  if (signal.aborted) return;
  const stage = el("div", { class: "home" });
  const rows = el("tbody", {});
  home.append(stage, el("div", { class: "sides" }, el("table", {}, el("thead", {}, el("tr", {}, ...[words.looks, words.plays, words.expects, words.visits].map((title) => el("th", { scope: "col" }, title)))), rows)),
    el("p", { class: "links" }, el("a", { href: link("/analyse", { game: rules, moves }) }, words.analyse)));
  draw(stage, board);
  for (let depth = 1; depth <= most; depth += 1) {
    const found = await engine.move(rules, moves, `lookahead:${depth}`, 0, signal);
    if (signal.aborted) return;
    const expects = found.verdict.result === "estimate" ? words.guess(found.words.replace("-", "−")) : el("strong", {}, found.words);
    rows.append(el("tr", {}, el("th", { scope: "row" }, String(depth)), el("td", {}, strings.place(board.rules, found.move)), el("td", {}, expects), el("td", {}, grouped(found.nodes))));
  }
};

/** Two orders of moves that lead to one board. */
const orders = async (home, { game: rules, orders: both }, signal) => {
  for (const moves of both) {
    const board = await engine.position(rules, moves);
    if (signal.aborted) return;
    const stage = el("div", { class: "home" });
    draw(stage, board);
    home.append(el("figure", {}, stage, el("figcaption", {}, words.firstOrder(moves.split("").join(", ")))));
  }
};

/** How many orders of moves lead to how many positions, as the laboratory counted. */
const repeats = async (home, _, signal) => {
  const { parts } = await engine.run("umbc-positions");
  if (signal.aborted) return;
  const { groups, head, published, rows } = parts[0].table;
  // A heading of groups spans several columns; ours is the last of them.
  const column = (title) => {
    let end = 0;
    for (const [name, span] of groups) {
      end += span;
      if (name === title) return end - 1;
    }
    return head.indexOf(title, published.length - head.length);
  };
  const number = (text) => Number(text.replaceAll("\u202f", ""));
  const [sequences, positions] = [column("move sequences"), column("positions")];
  const picked = rows.filter((row) => number(row[0]) % 3 === 0 && number(row[0]) > 0);
  home.append(el("div", { class: "sides" }, el("table", {},
    el("thead", {}, el("tr", {}, ...[words.ply, words.sequences, words.positions, words.eachTimes].map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, ...picked.map((row) => el("tr", {}, el("th", { scope: "row" }, row[0]), el("td", {}, row[sequences]), el("td", {}, row[positions]),
      el("td", {}, words.times(number(row[sequences]) / number(row[positions])))))))),
  el("p", { class: "links" }, el("a", { href: link("/lab", { run: "umbc-positions" }) }, words.counted)));
};

/** A figure by its name: it fills its home. */
export const figures = { game, solved, quiz, steps, counts, depths, orders, repeats };

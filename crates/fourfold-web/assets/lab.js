// Lab: the experiments that were run, each a question, a plot and a finding; inside, published figures beside ours.

import { engine } from "./client.js";
import { el, link, state, style, tell, oneFile } from "./dom.js";
import { formulas } from "./formula.js";
import { duration, strings } from "./strings.js";
import { text } from "./text.js";

/** @param {HTMLElement} main @param {AbortSignal} signal */
export const lab = async (main, signal) => {
  const { run } = state();
  await Promise.all([style("learn"), style("lab")]);
  if (run) return one(main, signal, run);
  const [{ runs }, lead] = await Promise.all([engine.lab(), text("lab")]);
  if (signal.aborted) return;
  main.replaceChildren(el("article", { class: "gallery" }, lead,
    el("ul", { class: "cards" }, ...runs.map(card))));
  tell(strings.lab.count(runs.length));
};

const card = (run) => el("li", { class: "run-card" },
  el("h3", {}, el("a", { href: link("/lab", { run: run.name }) }, ...formulas(run.question))),
  run.plot && el("img", { class: "plot", src: run.plot.address, alt: run.plot.words, loading: "lazy" }),
  run.finding && el("p", {}, ...formulas(run.finding)),
  el("p", { class: "muted small" }, `${run.title} · ${run.date}`));

/** One run. */
const one = async (main, signal, name) => {
  const run = await engine.run(name);
  if (signal.aborted) return;
  document.title = `${run.title} – Fourfold`;
  const file = (path) => `/lab/${encodeURIComponent(name)}/${path}`;
  const facts = [
    [strings.lab.command, run.command], [strings.lab.seed, run.seed], [strings.lab.version, [run.version, run.commit].filter(Boolean).join(", ")],
    [strings.lab.machine, run.machine], [strings.lab.threads, run.threads], [strings.lab.date, run.date], [strings.lab.took, duration(Math.round(run.seconds * 1000))],
  ];
  main.replaceChildren(el("article", { class: "gallery" },
    el("p", { class: "links" }, el("a", { href: "/lab" }, strings.lab.all)),
    el("h2", { class: "title" }, ...formulas(run.question)), el("p", { class: "muted" }, run.title),
    run.finding && el("p", { class: "finding" }, ...formulas(run.finding)),
    run.quick && el("p", { class: "finding" }, strings.lab.quick),
    // One file has the plots, but none of these.
    !oneFile && el("p", { class: "links" }, el("a", { href: file("report") }, strings.lab.report),
      el("a", { href: file("results.csv"), download: `${name}.csv` }, strings.lab.csv),
      el("a", { href: file("summary.json"), download: `${name}.json` }, strings.lab.json)),
    run.source && el("p", { class: "muted" }, strings.lab.source(run.source)),
    ...run.text.map((line) => el("p", {}, ...formulas(line))),
    ...run.parts.map(part), !run.parts.some(({ table }) => table) && el("p", {}, strings.lab.noTables),
    el("h3", {}, strings.lab.facts),
    el("dl", { class: "run-facts" }, ...facts.flatMap(([term, fact]) => [el("dt", {}, term), el("dd", {}, String(fact))]))));
  tell(run.question);
};

const part = ({ title, text: lines = [], plots, table, notes = [] }) => el("section", {},
  title && el("h3", {}, ...formulas(title)), ...lines.map((line) => el("p", {}, ...formulas(line))),
  ...plots.map(({ address, words, caption }) => el("figure", {}, el("div", { class: "scroll", tabindex: 0 }, el("img", { class: "plot", src: address, alt: words, loading: "lazy" })),
    caption && el("figcaption", { class: "muted" }, ...formulas(caption)))),
  table && el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, drawTable(table)),
  notes.length > 0 && el("ul", {}, ...notes.map((note) => el("li", {}, ...formulas(note)))));

/** A table whose first columns say what was varied; what was published stands before what we found. */
const drawTable = ({ groups, head, published, rows }) => {
  const axes = groups[0][1];
  const twice = head.slice(axes).some(Boolean);
  const style = head.map((_, column) => (published[column] ? "published" : undefined));
  const cell = (text, column) => {
    if (column < axes) return el("th", { scope: "row" }, text);
    const [, value, range] = text.match(/^(.*) \((.*)\)$/) ?? [null, text];
    return el("td", { class: style[column] }, value, range && el("span", { class: "range" }, range));
  };
  return el("table", {},
    el("thead", {},
      el("tr", {}, ...head.slice(0, axes).map((name) => el("th", { scope: "col", rowspan: twice ? 2 : 1 }, name)),
        ...groups.slice(1).map(([title, span]) => el("th", { scope: "colgroup", colspan: span }, title))),
      twice && el("tr", {}, ...head.slice(axes).map((name, column) => el(name ? "th" : "td", { scope: name ? "col" : undefined, class: style[axes + column] }, name)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map(cell)))));
};

// How quick the engine in the page is: `SITE=DIR npm run speed`, on a machine that does nothing else. Prints times in ms, as text for
// results/. To see how a phone would do, run it where the processor is held back (a control group with a quarter of a core).

import { join } from "node:path";
import { readdirSync } from "node:fs";
import { browse } from "./harness.js";
import { host } from "./static.js";

const folder = process.env.SITE ?? "";
const server = await host(folder);
const address = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
const browser = await browse();
const plain = join(folder, "assets", readdirSync(join(folder, "assets"))[0], "engine-plain.wasm");

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
const shown = (values) => `median ${median(values).toFixed(0)}, most ${Math.max(...values).toFixed(0)} (${values.map((value) => value.toFixed(0)).join(", ")})`;

/** A page of the site, and what is done with it. @param {string} path @param {{ cores?: number, plain?: boolean }} how @param {(page: import("playwright-core").Page) => Promise<any>} act */
const visit = async (path, how, act) => {
  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, serviceWorkers: "block" });
  context.setDefaultTimeout(300_000);
  if (how.cores) await context.addInitScript((cores) => Object.defineProperty(navigator, "hardwareConcurrency", { value: cores }), how.cores);
  if (how.plain) await context.route("**/engine.wasm", (route) => route.fulfill({ path: plain, contentType: "application/wasm" }));
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(address + path, { waitUntil: "commit" });
  const result = await act(page);
  await context.close();
  return typeof result === "function" ? result(began) : result;
};

/** Analyses positions through the page's own client: when the first result, the first estimate and the last result came. */
const analysed = (page, positions) => page.evaluate(async (positions) => {
  const main = /** @type {HTMLScriptElement} */ (document.querySelector("script[src$='main.js']")).src;
  const { engine } = await import(main.replace(/main\.js$/, "client.js"));
  // Everything is loaded and warm.
  await engine.solve({ game: "7x6c4", moves: "44444225" }, () => undefined, new AbortController().signal);
  const times = [];
  for (const moves of positions) {
    const began = performance.now();
    let first;
    await engine.solve({ game: "7x6c4", moves, time: 10_000 }, () => (first ??= performance.now() - began), new AbortController().signal);
    const all = performance.now() - began;
    times.push({ first: first ?? all, all });
  }
  return times;
}, positions);

/** Positions of so many discs in which nobody has won yet: two discs anywhere, then the best moves. */
const drawn = (page, plies, count) => page.evaluate(async ({ plies, count }) => {
  const main = /** @type {HTMLScriptElement} */ (document.querySelector("script[src$='main.js']")).src;
  const { engine } = await import(main.replace(/main\.js$/, "client.js"));
  const found = [];
  for (let seed = 1; found.length < count; seed += 1) {
    let moves = `${(seed % 7) + 1}${((3 * seed) % 7) + 1}`;
    while (moves.length < plies) {
      const { outcome } = await engine.position("7x6c4", moves);
      if (outcome.state !== "ongoing") break;
      moves += (await engine.move("7x6c4", moves, "level:12", seed)).move;
    }
    const { outcome } = await engine.position("7x6c4", moves);
    if (outcome.state === "ongoing") found.push(moves);
  }
  return found;
}, { plies, count });

const loads = [];
const answers = [];
for (let run = 0; run < 7; run += 1) {
  const { loaded, answered } = await visit("/play?against=level:3", {}, async (page) => {
    await page.waitForFunction(() => document.querySelector(".top:not([aria-disabled])"), undefined, { polling: "raf" });
    const ready = performance.now();
    await page.evaluate(async () => {
      const main = /** @type {HTMLScriptElement} */ (document.querySelector("script[src$='main.js']")).src;
      const { engine } = await import(main.replace(/main\.js$/, "client.js"));
      await engine.move("7x6c4", "4", "level:3", 1);
    });
    const done = performance.now();
    return (began) => ({ loaded: ready - began, answered: done - ready });
  });
  loads.push(loaded);
  answers.push(answered);
}
console.log(`Play can be played on after: ${shown(loads)}`);
console.log(`the first move of level 3, asked for at once: ${shown(answers)}`);

/** Drawn in a page of their own, since whoever plays has searched them. @type {Record<number, string[]>} */
const positions = await visit("/analyse", {}, async (page) => {
  const found = {};
  for (const [plies, count] of [[9, 4], [11, 4], [13, 4], [16, 10], [18, 10], [20, 10], [22, 10]]) found[plies] = await drawn(page, plies, count);
  return found;
});
await visit("/analyse", {}, async (page) => {
  const empty = await analysed(page, ["", "4", "44", "4444"]);
  console.log(`all columns from the book: ${shown(empty.map(({ all }) => all))}`);
});
for (const plies of [16, 18, 20, 22]) {
  await visit("/analyse", {}, async (page) => {
    const times = await analysed(page, positions[plies]);
    console.log(`all columns after ${plies} discs: ${shown(times.map(({ all }) => all))}`);
  });
}
for (const [name, how] of /** @type {[string, any][]} */ ([["", {}], [" with one worker", { cores: 1 }], [" without vectors", { plain: true }]])) {
  await visit("/analyse", how, async (page) => {
    const times = await analysed(page, [9, 11, 13].flatMap((plies) => positions[plies]));
    console.log(`after 9, 11 and 13 discs${name}, the first word: ${shown(times.map(({ first }) => first))}`);
    console.log(`after 9, 11 and 13 discs${name}, all columns: ${shown(times.map(({ all }) => all))}; ${(times.reduce((sum, { all }) => sum + all, 0) / 1000).toFixed(2)} s together`);
  });
}
await browser.close();
server.close();

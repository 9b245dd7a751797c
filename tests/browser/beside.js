// The engine in a page of a real browser beside the native command, on files of positions with known scores: milliseconds a position
// without the book, in turns, the best round of each; and whether every score is right. On a machine that does nothing else:
//
//   SITE=DIR npm run beside -- FOURFOLD COUNT ROUNDS FILE...
//
// A `-` for the command leaves it out. The file `empty` is the empty board alone.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { browse } from "./harness.js";
import { host } from "./static.js";

const folder = process.env.SITE ?? "";
const [command, count, rounds, ...files] = process.argv.slice(2);
const server = await host(folder);
const address = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
const assets = `${address}/assets/${readdirSync(join(folder, "assets"))[0]}/`;
const browser = await browse();
const page = await browser.newPage();
// A file of the site that is no page, so that nothing else runs.
await page.goto(`${assets}engine-worker.js`);

/** Starts the engine in the page. */
await page.evaluate(async (assets) => {
  const load = async (name) => new Uint8Array(await (await fetch(assets + name)).arrayBuffer());
  const parts = { "policy.weights": await load("policy.weights") };
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, at, length));
  const fourfold = {
    now: () => performance.now(), event: () => undefined, log: (...told) => console.error(text(...told)),
    part_size: (...name) => parts[text(...name)].length,
    part: (at, length, to) => new Uint8Array(engine.memory.buffer).set(parts[text(at, length)], to),
  };
  const engine = (await WebAssembly.instantiate(await load("engine.wasm"), { fourfold })).instance.exports;
  globalThis.solved = (positions) => {
    const began = performance.now();
    const scores = positions.map((moves) => {
      const bytes = new TextEncoder().encode(JSON.stringify({ call: "solve", params: { moves }, only: "", slice: 1e15, book: false }));
      // The memory may grow for it.
      const at = engine.request(bytes.length);
      new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
      const answer = engine.call();
      return JSON.parse(text(answer, engine.length())).answer.score;
    });
    return { scores, ms: performance.now() - began, mebibytes: engine.memory.buffer.byteLength / 2 ** 20 };
  };
}, assets);

/** Milliseconds a position of the native command. */
const native = (file) => {
  if (command === "-") return NaN;
  if (file !== "empty") return JSON.parse(execFileSync(command, ["bench", "positions", "-n", count, "--json", file], { encoding: "utf8" })).mean_ms;
  const began = performance.now();
  execFileSync(command, ["solve", "--no-book", "--threads", "1", ""]);
  return performance.now() - began;
};

let wrong = 0;
for (const file of files) {
  const lines = file === "empty" ? [["", "1"]] : readFileSync(file, "utf8").trim().split("\n").slice(0, Number(count)).map((line) => line.split(" "));
  const times = { native: /** @type {number[]} */ ([]), page: /** @type {number[]} */ ([]) };
  let memory = 0;
  for (let round = 0; round < Number(rounds); round += 1) {
    times.native.push(native(file));
    const { scores, ms, mebibytes } = await page.evaluate((positions) => globalThis.solved(positions), lines.map(([moves]) => moves));
    times.page.push(ms / lines.length);
    memory = mebibytes;
    for (const [index, [moves, expected]] of lines.entries()) {
      if (scores[index] === Number(expected)) continue;
      wrong += 1;
      console.log(`${moves}: ${scores[index]}, not ${expected}`);
    }
  }
  const [best, beside] = [Math.min(...times.page), Math.min(...times.native)];
  const ratio = command === "-" ? "" : `native ${beside.toFixed(3)} ms, ${(best / beside).toFixed(2)} times native, `;
  console.log(`${file.split("/").pop()}: ${lines.length === 1 ? "1 position" : `${lines.length} positions`}, in the page ${best.toFixed(3)} ms, ${ratio}${wrong} wrong, ${memory.toFixed(1)} MiB`);
}
await browser.close();
server.close();
process.exitCode = wrong ? 1 : 0;

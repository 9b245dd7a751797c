// The WebAssembly module beside the native command, on files of positions with known scores: milliseconds per position without the
// book, in turns, the best round of each; and whether every score is right.
//
//   node beside.mjs engine.wasm FOURFOLD COUNT ROUNDS FILE...

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [, , path, command, count, rounds, ...files] = process.argv;
/** Where the tables lie that the module leaves out. */
const PLACES = { "7x6c4.book": "fourfold/src/book", "policy.weights": "fourfold/src/solver/policy", "7x6c4.net": "fourfold/src/eval/net", "shipped.puzzles": "fourfold-app/puzzles" };
const text = (address, length) => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, address, length));
const part = (name) => readFileSync(new URL(`../../${PLACES[name]}/${name}`, import.meta.url));
const fourfold = {
  now: () => performance.now(), event: () => undefined, log: (...told) => console.error(text(...told)),
  part_size: (...name) => part(text(...name)).length,
  part: (address, length, to) => new Uint8Array(engine.memory.buffer).set(part(text(address, length)), to),
};
/** @type {any} */
const engine = (await WebAssembly.instantiate(readFileSync(path), { fourfold })).instance.exports;

/** The score of a position, proven anew. */
const score = (moves) => {
  const bytes = new TextEncoder().encode(JSON.stringify({ call: "solve", params: { moves }, only: "", slice: 1e15, book: false }));
  // The memory may grow for it.
  const address = engine.request(bytes.length);
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
  const answer = engine.call();
  return JSON.parse(text(answer, engine.length())).answer.score;
};

let wrong = 0;
for (const file of files) {
  const lines = readFileSync(file, "utf8").trim().split("\n").slice(0, Number(count)).map((line) => line.split(" "));
  const best = { native: Infinity, module: Infinity };
  for (let round = 0; round < Number(rounds); round++) {
    if (command !== "-") {
      const told = JSON.parse(execFileSync(command, ["bench", "positions", "-n", count, "--json", file], { encoding: "utf8" }));
      best.native = Math.min(best.native, told.mean_ms);
    }
    let time = 0;
    for (const [moves, expected] of lines) {
      const began = performance.now();
      const found = score(moves === "-" ? "" : moves);
      time += performance.now() - began;
      if (found !== Number(expected)) {
        wrong++;
        console.log(`${moves}: ${found}, not ${expected}`);
      }
    }
    best.module = Math.min(best.module, time / lines.length);
  }
  const times = command === "-" ? "" : `native ${best.native.toFixed(3)} ms, ${(best.module / best.native).toFixed(2)} times native, `;
  console.log(`${file.split("/").pop()}: ${lines.length} positions, module ${best.module.toFixed(3)} ms, ${times}${wrong} wrong, ${(engine.memory.buffer.byteLength / 2 ** 20).toFixed(1)} MiB`);
}
process.exitCode = wrong ? 1 : 0;

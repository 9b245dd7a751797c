// Has the WebAssembly module answer requests, one line of JSON each from standard input, and says how long they took, and how
// much memory the module has: node ask.mjs engine.wasm < requests

import { readFileSync } from "node:fs";

const [, , path] = process.argv;
const read = new TextDecoder();
const write = new TextEncoder();
const began = performance.now();
const text = (address, length) => read.decode(new Uint8Array(engine.memory.buffer, address, length));
/** Where the tables lie that the module leaves out. */
const PLACES = { "7x6c4.book": "fourfold/src/book", "policy.weights": "fourfold/src/solver/policy", "boards.weights": "fourfold/src/solver/policy", "7x6c4.net": "fourfold/src/eval/net", "shipped.puzzles": "fourfold-app/puzzles" };
const part = (name) => readFileSync(new URL(`../../${PLACES[name]}/${name}`, import.meta.url));
const brought = {
  part_size: (address, length) => part(text(address, length)).length,
  part: (address, length, to) => new Uint8Array(engine.memory.buffer).set(part(text(address, length)), to),
};
const fourfold = { ...brought, now: () => performance.now(), event: () => undefined, log: (address, length) => console.error(text(address, length)) };
/** @type {any} */
const engine = (await WebAssembly.instantiate(readFileSync(path), { fourfold })).instance.exports;
const ready = performance.now() - began;

const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
let time = 0;
for (const line of lines) {
  const bytes = write.encode(line);
  const asked = performance.now();
  const address = engine.request(bytes.length);
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
  const answer = engine.call();
  time += performance.now() - asked;
  console.log(text(answer, engine.length()));
}
console.error(`${lines.length} requests, ${(time / lines.length).toFixed(3)} ms each, ready after ${ready.toFixed(0)} ms, ${(engine.memory.buffer.byteLength / 2 ** 20).toFixed(1)} MiB`);

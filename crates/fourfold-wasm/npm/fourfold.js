// Fourfold's engine for Node and browsers: loads the module, and asks it.

/** Why a request is not answered. */
export class FourfoldError extends Error {
  /** @param {number} status @param {{ error: string, detail: string, where?: string }} answer */
  constructor(status, { error, detail, where }) {
    super(detail);
    this.name = "FourfoldError";
    this.status = status;
    this.error = error;
    this.where = where;
  }
}

const read = new TextDecoder();
const write = new TextEncoder();

/** The tables that the module leaves out. */
const PARTS = ["7x6c4.book", "policy.weights", "boards.weights", "7x6c4.net", "shipped.puzzles"];

/** The bytes of a file: beside this one, unless the address says otherwise. */
const file = async (name) => {
  const address = new URL(name, import.meta.url);
  if (address.protocol === "file:") return (await import("node:fs/promises")).readFile(address);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`cannot load ${address}: ${response.status}`);
  return response.arrayBuffer();
};

/** An engine of one's own. */
export const load = async (source = "./engine.wasm") => {
  const named = source instanceof URL || typeof source === "string";
  const [bytes, ...tables] = await Promise.all([named ? file(source) : source, ...PARTS.map((name) => file(`./${name}`))]);
  const parts = new Map(PARTS.map((name, index) => [name, new Uint8Array(tables[index])]));
  let hear;
  const text = (address, length) => read.decode(new Uint8Array(engine.memory.buffer, address, length));
  const fourfold = {
    now: () => performance.now(),
    event: (address, length) => hear?.(...JSON.parse(text(address, length))),
    log: (address, length) => console.error(text(address, length)),
    part_size: (address, length) => parts.get(text(address, length)).length,
    part: (address, length, to) => new Uint8Array(engine.memory.buffer).set(parts.get(text(address, length)), to),
  };
  const { exports: engine } = await WebAssembly.instantiate(await WebAssembly.compile(bytes), { fourfold });
  const ask = (call, params = {}, listener = undefined) => {
    const request = write.encode(JSON.stringify({ call, params }));
    const address = engine.request(request.length);
    if (!address) throw new FourfoldError(413, { error: "too_large", detail: "the request is too long" });
    new Uint8Array(engine.memory.buffer, address, request.length).set(request);
    hear = listener;
    const found = engine.call();
    const { status, answer } = JSON.parse(text(found, engine.length()));
    if (status !== 200) throw new FourfoldError(status, answer);
    return answer;
  };
  const about = (call) => (moves = "", params = {}, listener = undefined) => ask(call, { moves, ...params }, listener);
  return { ask, position: about("position"), solve: about("solve"), move: about("move"), review: about("review"), puzzle: (params = {}) => ask("puzzle", params) };
};

let shared;
const engine = () => (shared ??= load());

export const ask = async (...given) => (await engine()).ask(...given);
export const position = async (...given) => (await engine()).position(...given);
export const solve = async (...given) => (await engine()).solve(...given);
export const move = async (...given) => (await engine()).move(...given);
export const review = async (...given) => (await engine()).review(...given);
export const puzzle = async (...given) => (await engine()).puzzle(...given);

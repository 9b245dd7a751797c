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

/** The bytes of the module that lies beside this file. */
const beside = async () => {
  const address = new URL("./engine.wasm", import.meta.url);
  if (address.protocol === "file:") return (await import("node:fs/promises")).readFile(address);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`cannot load ${address}: ${response.status}`);
  return response.arrayBuffer();
};

/** An engine of one's own. */
export const load = async (source) => {
  const bytes = source === undefined ? await beside() : source instanceof URL || typeof source === "string" ? await (await fetch(source)).arrayBuffer() : source;
  let hear;
  const text = (address, length) => read.decode(new Uint8Array(engine.memory.buffer, address, length));
  const fourfold = {
    now: () => performance.now(),
    event: (address, length) => hear?.(...JSON.parse(text(address, length))),
    log: (address, length) => console.error(text(address, length)),
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

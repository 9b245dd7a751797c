// The engine itself, in a worker of the page: takes requests one after the other, and answers as the HTTP service would. It
// imports nothing, so that it also works where modules do not.

const read = new TextDecoder();
const write = new TextEncoder();

/** @type {any} the module's exports */
let engine;

/** A text of the module. @param {number} address @param {number} length */
const text = (address, length) => read.decode(new Uint8Array(engine.memory.buffer, address, length));

/** Starts the module. @param {WebAssembly.Module} module */
const start = async (module) => {
  let asked = 0;
  const fourfold = {
    now: () => performance.now(),
    event: (address, length) => postMessage({ id: asked, event: JSON.parse(text(address, length)) }),
    log: (address, length) => console.warn(text(address, length)),
  };
  engine = (await WebAssembly.instantiate(module, { fourfold })).exports;
  return (id) => { asked = id; };
};

/** @type {Promise<(id: number) => void>} */
let started;

/** Answers one request. @param {number} id @param {unknown} request */
const answer = async (id, request) => {
  const bytes = write.encode(JSON.stringify(request));
  (await started)(id);
  const address = engine.request(bytes.length);
  if (!address) return { status: 413, answer: { error: "too_large", detail: "the request is too long" } };
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
  const found = engine.call();
  return JSON.parse(text(found, engine.length()));
};

self.onmessage = async ({ data }) => {
  if (data.module) {
    started = start(data.module);
    return;
  }
  const { id, request } = data;
  try {
    postMessage({ id, done: await answer(id, request) });
  } catch (error) {
    // A trap: what the module holds may be half done, so whoever asked starts another.
    postMessage({ id, trap: String(error) });
  }
};

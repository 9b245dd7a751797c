// The engine itself, in a worker of the page: takes requests one after the other, and answers as the HTTP service would. A long
// analysis goes on slice by slice, so that it can be told to stop, or what others have found. It imports nothing, so that it also
// works where modules do not.

/** Nodes of the first slice; later ones are longer, up to about SLICE_MS. */
const FIRST_SLICE = 100_000;
const SLICE_MS = 100;

const read = new TextDecoder();
const write = new TextEncoder();

/** @type {any} the module's exports */
let engine;
/** The request that is answered. */
let asked = 0;
/** The request that nobody waits for any more. */
let stopped = 0;
/** Results that other workers have found, for the request that is answered. @type {unknown[]} */
let found = [];
/** Tables that are not in the module, by their names, as far as they have come. @type {Map<string, Uint8Array>} */
const parts = new Map();
/** Where they can be fetched. @type {Record<string, string>} */
let places = {};

/** A text of the module. @param {number} address @param {number} length */
const text = (address, length) => read.decode(new Uint8Array(engine.memory.buffer, address, length));

/** A table that the module needs now. It cannot wait, so one that has not come is fetched while it stands still. */
const part = (name) => {
  const known = parts.get(name);
  if (known) return known;
  const request = new XMLHttpRequest();
  request.open("GET", places[name], false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`cannot load ${name}: ${request.status}`);
  const bytes = new Uint8Array(request.response);
  parts.set(name, bytes);
  return bytes;
};

/** Starts the module. @param {WebAssembly.Module} module */
const start = async (module) => {
  const fourfold = {
    now: () => performance.now(),
    event: (address, length) => postMessage({ id: asked, event: JSON.parse(text(address, length)) }),
    log: (address, length) => console.warn(text(address, length)),
    part_size: (address, length) => part(text(address, length)).length,
    part: (address, length, to) => {
      const name = text(address, length);
      new Uint8Array(engine.memory.buffer).set(part(name), to);
      // It is in the module now.
      parts.delete(name);
    },
  };
  engine = (await WebAssembly.instantiate(module, { fourfold })).exports;
};

/** @type {Promise<void>} */
let started;

/** Answers one request. @param {unknown} request */
const answered = (request) => {
  const bytes = write.encode(JSON.stringify(request));
  const address = engine.request(bytes.length);
  if (!address) return { status: 413, answer: { error: "too_large", detail: "the request is too long" } };
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
  const answer = engine.call();
  return JSON.parse(text(answer, engine.length()));
};

/** Lets messages in. */
const pause = () => new Promise((done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    done(undefined);
  };
  port2.postMessage(0);
});

/** Analyses slice by slice; nothing if it was stopped. @param {number} id @param {any} request */
const analysed = async (id, request) => {
  for (let slice = FIRST_SLICE; ;) {
    const began = performance.now();
    const reply = answered({ ...request, slice, found: found.splice(0) });
    if (reply.status !== 202) return reply;
    if (2 * (performance.now() - began) < SLICE_MS) slice *= 2;
    postMessage({ id, far: reply.answer });
    await pause();
    if (stopped === id) return undefined;
  }
};

self.onmessage = async ({ data }) => {
  if (data.module) {
    places = data.places;
    started = start(data.module);
    return;
  }
  if (data.part) return void parts.set(data.part, new Uint8Array(data.bytes));
  if (data.stop) {
    stopped = data.stop;
    return;
  }
  if (data.found) return void (data.of === asked && found.push(data.found));
  const { id, request } = data;
  try {
    await started;
    asked = id;
    found = [];
    const reply = request.call === "solve" ? await analysed(id, request) : answered(request);
    postMessage(reply ? { id, done: reply } : { id, stopped: true });
  } catch (error) {
    // A trap: what the module holds may be half done, so whoever asked starts another.
    postMessage({ id, trap: String(error) });
  }
};

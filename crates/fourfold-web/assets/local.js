// The engine in the page: workers that answer what the HTTP service would, with nobody's server. What is quick has a worker of its
// own and never waits for a search. A long analysis shares its moves with more workers where the machine has cores for them.

import { fileOf, oneFile } from "./dom.js";
import { strings } from "./strings.js";

/** @typedef {{ status: number, answer: any }} Reply */
/** @typedef {{ id: number, request: any, hear: (name: string, data: any) => void, far?: (answer: { open: string[] }) => void, done: (reply: Reply) => void, fail: (error: Error) => void }} Job */

/** The calls that search; the others are quick. */
const SEARCHES = ["solve", "move", "review"];

/** How long a worker may take to stop before it is ended, in ms: longer than a slice. */
const PATIENCE = 400;

/** An analysis that lasts longer than this gets help, in ms. */
const ALONE = 200;

/** Workers that help, at most. */
const HELPERS = Math.min(3, (navigator.hardwareConcurrency || 1) - 1);

/** A function that adds two vectors and drops them: valid where the browser knows them. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** What the module needs for its first move and its first search, in this order, but not for its first answer. */
const EARLY = ["7x6c4.book", "policy.weights"];

/** The tables that the module asks for when it needs them. */
const PARTS = [...EARLY, "boards.weights", "7x6c4.net", "shipped.puzzles"];

/** A file of the engine. @param {string} name @returns {Promise<ArrayBuffer>} */
const file = async (name) => {
  const response = await fetch(fileOf(name)).catch(() => undefined);
  if (!response?.ok) throw new Error(strings.noEngine);
  return response.arrayBuffer();
};

/** The module, compiled once for all workers. */
const compiled = file(WebAssembly.validate(SIMD) ? "engine.wasm" : "engine-plain.wasm").then((bytes) => WebAssembly.compile(bytes));
// Whoever asks first is told.
compiled.catch(() => undefined);

/**
 * Tables that every worker gets at its start: a worker of a page that is one file on a disk may not fetch them itself.
 * @type {Promise<[string, ArrayBuffer][]>}
 */
const carried = Promise.all(oneFile ? PARTS.map(async (name) => /** @type {[string, ArrayBuffer]} */ ([name, await file(name)])) : []);
carried.catch(() => undefined);

/** The early tables that have come, by name. @type {Map<string, ArrayBuffer>} */
const early = new Map();

/** A worker with the requests that wait for it. */
class Lane {
  /** @type {Job[]} */
  #waiting = [];
  /** @type {Job | undefined} */
  #running;
  /** Nobody waits for what is running any more. */
  #stopping = false;
  /** @type {Worker | undefined} */
  #worker;

  /** Starts the worker, so that the first answer does not wait for it. */
  async warm() {
    const [module, tables] = await Promise.all([compiled, carried]);
    if (this.#worker) return;
    const worker = new Worker(fileOf("engine-worker.js"));
    worker.postMessage({ module, places: Object.fromEntries(PARTS.map((name) => [name, fileOf(name)])) });
    worker.onmessage = ({ data }) => this.#heard(data);
    worker.onerror = () => this.#broken();
    this.#worker = worker;
    for (const [name, bytes] of [...tables, ...early]) this.give(name, bytes);
  }

  /** Hands a table to the worker. @param {string} part @param {ArrayBuffer} bytes */
  give(part, bytes) {
    this.#worker?.postMessage({ part, bytes });
  }

  /** Whether it has nothing to do. */
  get idle() {
    return !this.#running && !this.#waiting.length;
  }

  /** @param {Job} job */
  async add(job) {
    this.#waiting.push(job);
    await this.#next();
  }

  /** Nobody waits for it any more. @param {Job} job */
  drop(job) {
    this.#waiting = this.#waiting.filter((other) => other !== job);
    if (this.#running !== job || this.#stopping) return;
    // An analysis stops after its slice and keeps what is proven; other searches end with their worker.
    if (job.request.call !== "solve") return this.#restart();
    this.#stopping = true;
    this.#worker?.postMessage({ stop: job.id });
    setTimeout(() => this.#running === job && this.#restart(), PATIENCE);
  }

  /** Tells the worker what another has found. @param {Job} job @param {{ move: string, score: number }} found */
  tell(job, found) {
    if (this.#running === job) this.#worker?.postMessage({ of: job.id, found });
  }

  async #next() {
    await this.warm();
    if (this.#running || !this.#worker) return;
    this.#running = this.#waiting.shift();
    if (this.#running) this.#worker.postMessage({ id: this.#running.id, request: this.#running.request });
  }

  #heard({ id, event, far, done, trap }) {
    const job = this.#running;
    if (job?.id !== id) return;
    if (trap) return this.#broken();
    const wanted = this.#stopping ? undefined : job;
    if (event) return wanted?.hear(event[0], event[1]);
    if (far) return wanted?.far?.(far);
    this.#running = undefined;
    this.#stopping = false;
    if (done) wanted?.done(done);
    this.#next();
  }

  /** The module has trapped: too little memory, a table that could not be loaded, or a bug. */
  #broken() {
    if (!this.#stopping) this.#running?.fail(new Error(strings.engineFailed));
    this.#restart();
  }

  #restart() {
    this.#worker?.terminate();
    this.#worker = this.#running = undefined;
    this.#stopping = false;
    this.#next();
  }
}

const quick = new Lane();
const search = new Lane();
const helpers = Array.from({ length: Math.max(HELPERS, 0) }, () => new Lane());
let last = 0;

/** Has the moves of an analysis that are searched last solved by others. @param {Job} main */
const shared = (main) => {
  const began = performance.now();
  /** What each helper works on. @type {Map<Lane, Job>} */
  const busy = new Map();
  const taken = () => [...busy.values()].map((job) => job.request.only);
  const leave = (lane) => {
    const job = busy.get(lane);
    busy.delete(lane);
    if (job) lane.drop(job);
  };
  /** @param {string[]} open those that are not solved, in the order in which they are searched */
  const far = (open) => {
    if (performance.now() - began < ALONE) return;
    for (const [lane, job] of busy) if (!open.includes(job.request.only)) leave(lane);
    for (const lane of helpers) {
      // The first of them is being searched.
      const only = open.slice(1).reverse().find((move) => !taken().includes(move));
      if (!only || !lane.idle) continue;
      const job = { id: ++last, request: { ...main.request, only }, hear: () => undefined, fail: () => leave(lane), done: ({ status, answer }) => {
        busy.delete(lane);
        if (status === 200) search.tell(main, answer);
      } };
      busy.set(lane, job);
      lane.add(job).catch(() => busy.delete(lane));
    }
  };
  return { far, end: () => [...busy.keys()].forEach(leave) };
};

/**
 * Asks the engine; `hear` gets the events.
 * @param {string} call @param {Record<string, any>} params @param {(name: string, data: any) => void} hear @param {AbortSignal} [signal]
 * @returns {Promise<Reply>}
 */
export const reply = (call, params, hear, signal) => new Promise((done, fail) => {
  const lane = SEARCHES.includes(call) ? search : quick;
  if (signal?.aborted) return fail(signal.reason);
  /** @type {Job} */
  const job = { id: ++last, request: { call, params }, hear, done: (answer) => finish(() => done(answer)), fail: (error) => finish(() => fail(error)) };
  const team = call === "solve" ? shared(job) : undefined;
  job.far = ({ open }) => team?.far(open);
  const stop = () => {
    lane.drop(job);
    finish(() => fail(signal?.reason));
  };
  const finish = (how) => {
    signal?.removeEventListener("abort", stop);
    team?.end();
    how();
  };
  signal?.addEventListener("abort", stop);
  lane.add(job).catch(job.fail);
});

/** Saves something under a name. @param {string} name @param {Blob} blob */
const save = (name, blob) => {
  const href = URL.createObjectURL(blob);
  const anchor = Object.assign(document.createElement("a"), { href, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
};

/** A drawing in pixels, 960 on the longer side. @param {Blob} drawing @returns {Promise<Blob>} */
const pixels = async (drawing) => {
  const image = new Image();
  image.src = URL.createObjectURL(drawing);
  await image.decode();
  const scale = 960 / Math.max(image.naturalWidth, image.naturalHeight);
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(scale * image.naturalWidth), height: Math.round(scale * image.naturalHeight) });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error(strings.engineFailed)))));
};

// Files that the service would send are made here when somebody asks for one.
addEventListener("click", async (event) => {
  const anchor = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest?.("a[download][href*='/api/v1/']"));
  const [, call, kind] = anchor?.href.match(/\/api\/v1\/(.*)\.(svg|png)(\?|$)/) ?? [];
  if (!anchor || !call) return;
  event.preventDefault();
  const { status, answer } = await reply(`${call}.svg`, Object.fromEntries(new URLSearchParams(anchor.href.split("?")[1])), () => undefined);
  if (status !== 200) return;
  const drawing = new Blob([answer], { type: "image/svg+xml" });
  save(anchor.download, kind === "png" ? await pixels(drawing) : drawing);
});

// Warm before the first click. Large tables come after what the first answer needs.
const warm = async () => {
  await quick.warm();
  await search.warm();
  for (const name of oneFile ? [] : EARLY) {
    const bytes = await file(name);
    early.set(name, bytes);
    for (const lane of [quick, search, ...helpers]) lane.give(name, bytes);
  }
};
warm().catch(() => undefined);

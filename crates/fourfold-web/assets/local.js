// The engine in the page: workers that answer what the HTTP service would, with nobody's server. A search that nobody waits
// for any more ends with its worker, and another takes its place; what is quick has a worker of its own and never waits for a search.

import { strings } from "./strings.js";

/** @typedef {{ status: number, answer: any }} Reply */
/** @typedef {{ id: number, request: unknown, hear: (name: string, data: any) => void, done: (reply: Reply) => void, fail: (error: Error) => void }} Job */

/** The calls that search; the others are quick. */
const SEARCHES = ["solve", "move", "review"];

/** A function that adds two vectors and drops them: valid where the browser knows them. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** The module, compiled once for all workers. */
const compiled = (async () => {
  const name = WebAssembly.validate(SIMD) ? "engine.wasm" : "engine-plain.wasm";
  const response = await fetch(new URL(`./${name}`, import.meta.url));
  if (!response.ok) throw new Error(strings.noEngine);
  return WebAssembly.compile(await response.arrayBuffer());
})();
// Whoever asks first is told.
compiled.catch(() => undefined);

/** A worker with the requests that wait for it. */
class Lane {
  /** @type {Job[]} */
  #waiting = [];
  /** @type {Job | undefined} */
  #running;
  /** @type {Worker | undefined} */
  #worker;

  /** Starts the worker, so that the first answer does not wait for it. */
  async warm() {
    const module = await compiled;
    if (this.#worker) return;
    const worker = new Worker(new URL("./engine-worker.js", import.meta.url));
    worker.postMessage({ module });
    worker.onmessage = ({ data }) => this.#heard(data);
    worker.onerror = () => this.#broken();
    this.#worker = worker;
  }

  /** @param {Job} job */
  async add(job) {
    this.#waiting.push(job);
    await this.#next();
  }

  /** Nobody waits for it any more. @param {Job} job */
  drop(job) {
    this.#waiting = this.#waiting.filter((other) => other !== job);
    if (this.#running === job) this.#restart();
  }

  async #next() {
    await this.warm();
    if (this.#running || !this.#worker) return;
    this.#running = this.#waiting.shift();
    if (this.#running) this.#worker.postMessage({ id: this.#running.id, request: this.#running.request });
  }

  #heard({ id, event, done, trap }) {
    const job = this.#running;
    if (job?.id !== id) return;
    if (event) return job?.hear(event[0], event[1]);
    if (trap) return this.#broken();
    this.#running = undefined;
    job?.done(done);
    this.#next();
  }

  /** The module has trapped: too little memory, or a bug. */
  #broken() {
    this.#running?.fail(new Error(strings.engineFailed));
    this.#restart();
  }

  #restart() {
    this.#worker?.terminate();
    this.#worker = this.#running = undefined;
    this.#next();
  }
}

const lanes = { search: new Lane(), quick: new Lane() };
let last = 0;

/**
 * Asks the engine; `hear` gets the events.
 * @param {string} call @param {Record<string, any>} params @param {(name: string, data: any) => void} hear @param {AbortSignal} [signal]
 * @returns {Promise<Reply>}
 */
export const reply = (call, params, hear, signal) => new Promise((done, fail) => {
  const lane = SEARCHES.includes(call) ? lanes.search : lanes.quick;
  if (signal?.aborted) return fail(signal.reason);
  /** @type {Job} */
  const job = { id: ++last, request: { call, params }, hear, done: (answer) => finish(() => done(answer)), fail: (error) => finish(() => fail(error)) };
  const stop = () => {
    lane.drop(job);
    fail(signal?.reason);
  };
  const finish = (how) => {
    signal?.removeEventListener("abort", stop);
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
  const [, call, kind] = anchor?.pathname.match(/\/api\/v1\/(.*)\.(svg|png)$/) ?? [];
  if (!anchor || !call) return;
  event.preventDefault();
  const { status, answer } = await reply(`${call}.svg`, Object.fromEntries(new URLSearchParams(anchor.search)), () => undefined);
  if (status !== 200) return;
  const drawing = new Blob([answer], { type: "image/svg+xml" });
  save(anchor.download, kind === "png" ? await pixels(drawing) : drawing);
});

// Warm before the first click.
lanes.quick.warm().then(() => lanes.search.warm()).catch(() => undefined);

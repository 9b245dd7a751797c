// The one way from the pages to the engine: the server's, or one in the page. A page with both asks its own engine, and the server
// for what is large.

import { base, fileOf, oneFile } from "./dom.js";
import { strings } from "./strings.js";

/** Whether the engine is in the page. */
export const inPage = document.documentElement.dataset.engine === "page";
const local = inPage ? import("./local.js") : undefined;
/** Whether there is a server. */
export const served = !inPage || document.documentElement.dataset.server !== undefined;

/** Searches of boards with more cells than this take the server's time and memory, where there is one. */
const LARGE = 42;
/** @param {string} call @param {Record<string, string | number | undefined>} params */
const isLarge = (call, { game }) => {
  const [, width, height] = String(game ?? "").match(/^(\d+)x(\d+)/) ?? [];
  return served && ["solve", "review"].includes(call) && Number(width) * Number(height) > LARGE;
};

/** What went wrong, in words for a person; `place` names the parameter to blame, `away` says that the server does not answer. */
export class Problem extends Error {
  /** @param {string} detail @param {string} [place] @param {boolean} [away] */
  constructor(detail, place, away = false) {
    super(detail);
    this.place = place;
    this.away = away;
  }
}

/** Whether the server is there. */
export const answers = async () => inPage || fetch(`${base}/healthz`).then(({ ok }) => ok, () => false);

/** What a refusal says to a person. */
const refused = ({ reason, detail, where }) => new Problem(sentence(reason ?? detail), where);

/** @param {string} call @param {Record<string, string | number | undefined>} params */
const address = (call, params) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
  return `/api/v1/${call}?${query}`;
};

/** A sentence begins with a capital and ends with a full stop. @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? "" : ".");

/**
 * Asks the engine in the page.
 * @param {string} call @param {Record<string, string | number | undefined>} params
 * @param {(name: string, data: any) => void} hear @param {AbortSignal} [signal]
 */
const told = async (call, params, hear, signal) => {
  const loaded = await local;
  const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
  const { status, answer } = await /** @type {NonNullable<typeof loaded>} */ (loaded).reply(call, given, hear, signal);
  if (status !== 200) throw refused(answer);
  return answer;
};

/** A run of the laboratory, or all of them in brief: files beside the pages where there is no server. @param {string} path */
const kept = async (path) => {
  if (served) return fetched(path === "lab/runs" ? "lab" : path, {});
  const response = await fetch(oneFile ? fileOf(`${path}.json`) : `${base}/${path}.json`).catch(() => undefined);
  if (!response?.ok) throw new Problem(strings.nobody, undefined, !response);
  return response.json();
};

/** @param {string} call @param {Record<string, string | number | undefined>} params @param {AbortSignal} [signal] */
const ask = (call, params, signal) => (local && !isLarge(call, params) ? told(call, params, () => undefined, signal) : fetched(call, params, signal));

/** Asks the server. @param {string} call @param {Record<string, string | number | undefined>} params @param {AbortSignal} [signal] */
const fetched = async (call, params, signal) => {
  let response;
  try {
    response = await fetch(base + address(call, params), { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(strings.nobody, undefined, true);
  }
  const answer = await response.json();
  if (!response.ok) throw refused(answer);
  return answer;
};

/**
 * The events of a stream that the server sends, until it ends.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body @param {() => void} [alive] called whenever anything comes, be it only a sign of life
 */
export async function* events(body, alive = () => undefined) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      rest += value;
      const whole = rest.split("\n\n");
      rest = whole.pop() ?? "";
      for (const event of whole) {
        const field = (name) => event.split("\n").find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim();
        const [name, data, id] = ["event", "data", "id"].map(field);
        if (name && data) yield { name, data: JSON.parse(data), id };
      }
    }
  } finally {
    // Whoever stops listening closes the stream.
    reader.cancel().catch(() => undefined);
  }
}

/**
 * Asks for something that takes time and calls `hear(name, data)` for each event; the promise is the last event's data. When
 * the signal is aborted the connection is closed, and the engine stops.
 * @param {string} call @param {Record<string, string | number | undefined>} params
 * @param {(name: string, data: any) => void} hear @param {AbortSignal} signal
 */
const follow = async (call, params, hear, signal) => {
  if (local && !isLarge(call, params)) return told(call, params, hear, signal);
  let response;
  try {
    response = await fetch(base + address(`${call}/events`, params), { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Problem(strings.nobody, undefined, true);
  }
  if (!response.ok || !response.body) {
    const answer = await response.json();
    throw refused(answer);
  }
  for await (const { name, data } of events(response.body)) {
    if (name === "done") return data;
    if (name === "problem") throw refused(data);
    hear(name, data);
  }
  throw new Problem(strings.nobody, undefined, true);
};

export const engine = {
  /** What can be named: games, formats, players, evaluators, switches of the search. */
  catalogue: () => ask("rules", {}),
  /** One game by its rules. */
  rules: (game) => ask("rules", { game }),
  /** A position with its discs, legal moves and outcome: after these moves, from the start or from a position in any notation. */
  position: (game, moves, position, signal) => ask("position", { game, moves: position && !moves ? undefined : moves, position }, signal),
  /** The same, written in a notation. */
  written: (asked, to) => ask("position", { ...asked, to }),
  /** Where its picture can be fetched. @param {Record<string, string | undefined>} asked @param {"svg" | "png"} kind */
  picture: (asked, kind) => address(`board.${kind}`, asked),
  /** What a player plays. */
  move: (game, moves, player, seed, signal) => ask("move", { game, moves, player, seed }, signal),
  /** Every move's exact result as it is found: `column`, `line` and `estimate` events. */
  solve: (asked, hear, signal) => follow("solve", asked, hear, signal),
  /** A search step by step. */
  trace: (params, signal) => ask("trace", params, signal),
  /** Where the drawing of a search can be fetched. @param {URLSearchParams} params */
  drawing: (params) => `/api/v1/trace.svg?${params}`,
  /** Exercises with their answers. */
  worksheet: (params) => ask("worksheet", params),
  /** A puzzle: by its number, of a day, or one of about that rating and theme. */
  puzzle: (params) => ask("puzzle", params),
  /** All puzzles of a game in brief. */
  puzzles: (game) => ask("puzzles", { game }),
  /** The laboratory's runs. */
  lab: () => kept("lab/runs"),
  /** One of them. */
  run: (name) => kept(`lab/${encodeURIComponent(name)}`),
  /** A game judged: `progress` events. */
  review: (game, moves, hear, signal) => follow("review", { game, moves }, hear, signal),
};

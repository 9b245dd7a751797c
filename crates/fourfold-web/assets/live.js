// The one way from the pages to games between people: calls with the token of a seat, and the stream of a game's events, which comes
// back by itself when the connection is lost.

import { events, Problem, sentence, served } from "./client.js";
import { base } from "./dom.js";
import { strings } from "./strings.js";

/** Longest silence of a stream before it counts as lost, in ms; the server says something every five seconds. */
const SILENCE = 20_000;
/** Pauses between two attempts, in ms. */
const [SHORTEST, LONGEST] = [500, 10_000];

/** A refusal of the server; `kind` says which, for programs. */
export class Refusal extends Problem {
  /** @param {any} answer @param {number} status */
  constructor(answer, status) {
    super(sentence(answer.reason ?? answer.detail), answer.where);
    this.kind = answer.error;
    /** Whether the same may be answered later. */
    this.passes = status === 429 || status === 503;
  }
}

/** @param {Response} response */
const refusal = async (response) => {
  const answer = await response.json().catch(() => ({ detail: strings.nobody, error: "nobody" }));
  return new Refusal(answer, response.status);
};

/** @param {string | undefined} token @returns {Record<string, string>} */
const bearer = (token) => (token ? { authorization: `Bearer ${token}` } : {});

/** @param {string} path @param {RequestInit} [request] */
const ask = async (path, request) => {
  if (!served) throw new Problem(strings.needsServer);
  let response;
  try {
    response = await fetch(`${base}/api/v1/games${path}`, request);
  } catch {
    throw new Problem(strings.nobody, undefined, true);
  }
  if (!response.ok) throw await refusal(response);
  return response.json();
};

/** @param {string} path @param {Record<string, any>} [values] @param {string} [token] */
const post = (path, values = {}, token) =>
  ask(path, { method: "POST", body: JSON.stringify(values), headers: { "content-type": "application/json", ...bearer(token) } });

/** Waits, or less if the device is connected or looked at again. @param {number} time in ms @param {AbortSignal} signal */
export const pause = (time, signal) => new Promise((wake) => {
  const timer = setTimeout(() => done(), time);
  const done = () => {
    clearTimeout(timer);
    for (const [target, name] of wakers) target.removeEventListener(name, done);
    wake(undefined);
  };
  /** @type {[EventTarget, string][]} */
  const wakers = [[window, "online"], [document, "visibilitychange"], [signal, "abort"]];
  for (const [target, name] of wakers) target.addEventListener(name, done, { once: true });
});

/** The pause after so many attempts, in ms. @param {number} attempts */
export const backoff = (attempts) => Math.min(LONGEST, SHORTEST * 2 ** attempts);

/**
 * One connection: hears events until it ends.
 * @param {string} id @param {string | undefined} token @param {string | undefined} seen the last event known @param {(name: string, data: any, id?: string) => void} hear
 * @param {AbortSignal} signal
 */
const listen = async (id, token, seen, hear, signal) => {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE);
  const stop = () => silent.abort();
  signal.addEventListener("abort", stop);
  try {
    const headers = { ...bearer(token), ...(seen ? { "last-event-id": seen } : {}) };
    const response = await fetch(`${base}/api/v1/games/${id}/events`, { headers, signal: silent.signal, cache: "no-store" });
    if (!response.ok || !response.body) throw await refusal(response);
    hear("open", undefined);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE);
    };
    for await (const { name, data, id: number } of events(response.body, alive)) hear(name, data, number);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
};

export const live = {
  /** Whether games outlive the server, and who can reach them. */
  about: () => ask(""),
  /** Makes a game. @param {{ game: string, side: string, minutes?: number, increment?: number }} plan */
  make: (plan) => post("", plan),
  /** Takes the seat that an invitation is for. @param {string} id @param {string} invitation */
  join: (id, invitation) => post(`/${id}/join`, {}, invitation),
  /** @param {string} id @param {string} token @param {number} ply @param {string} move */
  play: (id, token, ply, move) => post(`/${id}/moves`, { ply, move }, token),
  /** @param {string} id @param {string} token */
  resign: (id, token) => post(`/${id}/resign`, {}, token),
  /** Offers a draw, or answers. @param {string} id @param {string} token @param {"accept" | "decline"} [answer] */
  draw: (id, token, answer) => post(`/${id}/draw`, answer ? { answer } : {}, token),
  /** @param {string} id @param {string} token */
  rematch: (id, token) => post(`/${id}/rematch`, {}, token),

  /**
   * Follows a game for as long as the signal lasts: `hello`, `state` and `presence` events of the server, `open` and `lost` of the
   * connection. Fails only where trying again is no use.
   * @param {string} id @param {string | undefined} token @param {(name: string, data: any) => void} hear @param {AbortSignal} signal
   */
  async follow(id, token, hear, signal) {
    let attempts = 0;
    /** @type {string | undefined} */
    let seen;
    while (!signal.aborted) {
      try {
        await listen(id, token, seen, (name, data, number) => {
          if (signal.aborted) return;
          if (name === "open") attempts = 0;
          seen = number ?? seen;
          hear(name, data);
        }, signal);
      } catch (error) {
        if (error instanceof Refusal && !error.passes && error.kind !== "nobody") throw error;
      }
      if (signal.aborted) return;
      hear("lost", undefined);
      await pause(backoff(attempts), signal);
      attempts += 1;
    }
  },
};

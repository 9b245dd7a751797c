// What the device remembers of puzzles: the rating, what was tried, the days in a row, the run.

import { kept } from "./kept.js";
import { START, rated, rested } from "./rating.js";

/** Days that are remembered. */
const MOST_DAYS = 400;
const DAY = 86_400_000;

/** Today in UTC: `2026-11-16`. */
export const today = () => new Date().toISOString().slice(0, 10);

/** A day so many days later. @param {string} day @param {number} by */
export const later = (day, by) => new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY).toISOString().slice(0, 10);

/** Days from one to another. @param {string} from @param {string} to */
const between = (from, to) => Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY);

/**
 * All of it. `tried` has, for each game, the puzzles tried by number: 1 solved at once, 0 not.
 * @typedef {{ rating: number, deviation: number, last?: string, tried: Record<string, Record<string, number>>, days: string[], bestDays: number, run: number, bestRun: number }} Memory
 */

/** @returns {Memory} */
const read = () => ({ ...START, tried: {}, days: [], bestDays: 0, run: 0, bestRun: 0, ...kept.puzzles });

/** Days in a row up to a day; a day that has not been solved yet does not end them. @param {string[]} days @param {string} now */
const streak = (days, now) => {
  const solved = new Set(days);
  let day = solved.has(now) ? now : later(now, -1);
  let count = 0;
  for (; solved.has(day); day = later(day, -1)) count += 1;
  return count;
};

export const tries = {
  /** @returns {Memory & { streak: number }} */
  get now() {
    const memory = read();
    const about = memory.last ? rested(memory, between(memory.last, today())) : memory;
    return { ...memory, deviation: about.deviation, streak: streak(memory.days, today()) };
  },
  /** How a puzzle was tried before: 1, 0 or not at all. @param {string} game @param {number} number */
  before: (game, number) => read().tried[game]?.[number],
  /**
   * Notes the first try of a puzzle, and moves the rating.
   * @param {string} game @param {number} number @param {number} puzzle its rating @param {number} score 1 solved, 0.5 with a hint, 0 missed
   * @returns {number | undefined} by how much the rating moved; nothing if it was tried before
   */
  note(game, number, puzzle, score) {
    const memory = this.now;
    if (memory.tried[game]?.[number] !== undefined) return undefined;
    const after = rated(memory, puzzle, score);
    const run = score > 0 ? memory.run + 1 : 0;
    const tried = { ...memory.tried, [game]: { ...memory.tried[game], [number]: score > 0 ? 1 : 0 } };
    kept.puzzles = { ...memory, ...after, last: today(), tried, run, bestRun: Math.max(run, memory.bestRun) };
    return Math.round(after.rating) - Math.round(memory.rating);
  },
  /** Notes that the puzzle of a day is solved. @param {string} day */
  solvedDay(day) {
    const memory = this.now;
    if (memory.days.includes(day)) return;
    const days = [...memory.days, day].sort().slice(-MOST_DAYS);
    kept.puzzles = { ...memory, days, bestDays: Math.max(memory.bestDays, streak(days, day)) };
  },
};

// A rating that moves with every try: Glicko (Glickman 1999), with puzzles as opponents of measured strength.

/** Where everybody begins, and how little is known of them then. */
export const START = { rating: 700, deviation: 200 };
/** Below this, the rating is no longer called provisional. */
export const SURE = 110;
/** However much one plays, a rating is never surer than this, so that it keeps moving. */
const LEAST = 45;
/** How far a puzzle's measured difficulty may be off. */
const PUZZLE = 60;
/** How much surer knowledge fades in a day without puzzles. */
const FADE = 18;

const Q = Math.LN10 / 400;
/** How much an opponent of that deviation says. @param {number} deviation */
const weight = (deviation) => 1 / Math.sqrt(1 + (3 * Q * Q * deviation * deviation) / (Math.PI * Math.PI));

/** @typedef {{ rating: number, deviation: number }} Rated */

/** What is known after some days without puzzles. @param {Rated} player @param {number} days @returns {Rated} */
export const rested = ({ rating, deviation }, days) =>
  ({ rating, deviation: Math.min(START.deviation, Math.sqrt(deviation ** 2 + FADE ** 2 * Math.max(0, days))) });

/** The chance to solve a puzzle. @param {Rated} player @param {number} puzzle its rating */
export const chance = ({ rating }, puzzle) => 1 / (1 + 10 ** ((weight(PUZZLE) * (puzzle - rating)) / 400));

/** After a try. @param {Rated} player @param {number} puzzle its rating @param {number} score 1 solved, 0.5 with a hint, 0 missed @returns {Rated} */
export const rated = (player, puzzle, score) => {
  const [g, expected] = [weight(PUZZLE), chance(player, puzzle)];
  const sure = 1 / player.deviation ** 2 + Q * Q * g * g * expected * (1 - expected);
  const rating = player.rating + ((Q * g) / sure) * (score - expected);
  return { rating: Math.max(0, rating), deviation: Math.max(LEAST, Math.sqrt(1 / sure)) };
};

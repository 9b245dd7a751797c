// What stays on the device: the game under way, games played, and the score of this sitting. Nothing leaves it.

/** The most games that are kept. */
const MOST = 500;

/** A value that was kept, or what stands in for it. @param {Storage} store @param {string} key @param {any} otherwise */
const read = (store, key, otherwise) => {
  try {
    return JSON.parse(store.getItem(key) ?? "") ?? otherwise;
  } catch {
    return otherwise;
  }
};

/** @param {Storage} store @param {string} key @param {any} value */
const write = (store, key, value) => {
  try {
    store.setItem(key, JSON.stringify(value));
  } catch {
    // No room, or no permission: the game goes on without.
  }
};

export const kept = {
  /** The game under way, as parameters of the address; none if it is over. */
  get game() {
    return read(localStorage, "game", undefined);
  },
  set game(now) {
    if (now) write(localStorage, "game", now);
    else localStorage.removeItem("game");
  },
  /** Games played, the last one first. @returns {any[]} */
  get games() {
    return read(localStorage, "games", []);
  },
  /** @param {any} game */
  add(game) {
    write(localStorage, "games", [game, ...this.games].slice(0, MOST));
  },
  /** Puzzles: the rating, what was tried, days in a row. @returns {any} */
  get puzzles() {
    return read(localStorage, "puzzles", undefined);
  },
  set puzzles(now) {
    write(localStorage, "puzzles", now);
  },
  /** @param {number} index */
  remove(index) {
    write(localStorage, "games", this.games.filter((_, place) => place !== index));
  },
  clear() {
    localStorage.removeItem("games");
  },
  /** When the move under way began, so that a reload does not give its time back. @returns {{ stage: string, since: number } | undefined} */
  get turn() {
    return read(localStorage, "turn", undefined);
  },
  set turn(turn) {
    write(localStorage, "turn", turn);
  },
  /** The chapters of Learn whose question has been answered, by name. @returns {string[]} */
  get learnt() {
    return read(localStorage, "learnt", []);
  },
  /** @param {string} chapter */
  learn(chapter) {
    write(localStorage, "learnt", [...new Set([...this.learnt, chapter])]);
  },
  /** Wins, losses and draws against a player in this sitting. @param {string} against @returns {number[]} */
  score: (against) => read(sessionStorage, "score", {})[against] ?? [0, 0, 0],
  /** @param {string} against @param {0 | 1 | 2} result won, lost, drawn */
  count(against, result) {
    const score = read(sessionStorage, "score", {});
    score[against] ??= [0, 0, 0];
    score[against][result] += 1;
    write(sessionStorage, "score", score);
  },
};

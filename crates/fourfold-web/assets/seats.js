// The seats in games with friends that this device has: the token of each, which nobody else knows.

const KEY = "seats";
/** The most seats that are kept. */
const MOST = 200;

/** @typedef {{ side: "first" | "second", token: string, invitation?: string, game: string, made: number, over?: boolean }} Seat */

/** @returns {Record<string, Seat>} */
const read = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "") ?? {};
  } catch {
    return {};
  }
};

/** Where nothing can be kept, a seat lasts as long as the page. @type {Record<string, Seat>} */
let all = read();

/** @param {(seats: Record<string, Seat>) => void} change */
const write = (change) => {
  // Another window may have changed it.
  all = { ...all, ...read() };
  change(all);
  const latest = Object.entries(all).sort(([, one], [, other]) => other.made - one.made).slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(latest)));
  } catch {
    // No room, or no permission.
  }
};

export const seats = {
  /** By the names of the games. */
  get all() {
    return { ...all, ...read() };
  },
  /** @param {string} id @returns {Seat | undefined} */
  of(id) {
    return this.all[id];
  },
  /** @param {string} id @param {Seat} seat */
  keep: (id, seat) => write((seats) => {
    seats[id] = seat;
  }),
  /** @param {string} id */
  forget: (id) => write((seats) => {
    delete seats[id];
  }),
};

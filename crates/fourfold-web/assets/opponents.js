// Who can be played against: the library's characters and levels, with their faces.

import { engine } from "./client.js";
import { el } from "./dom.js";
import { strings } from "./strings.js";

/** @typedef {{ player: string, name: string, level: number, about: string }} Opponent `player` is its player spec */

/** @type {Promise<Opponent[]> | undefined} */
let asked;

/** The characters, weakest first. @returns {Promise<Opponent[]>} */
export const characters = () => {
  asked ??= engine.catalogue().then(({ characters }) => characters);
  asked.catch(() => (asked = undefined));
  return asked;
};

/** What a player is called. @param {string} spec @param {Opponent[]} all */
export const nameOf = (spec, all) => {
  const level = spec.match(/^level:(\d+)$/)?.[1];
  return all.find(({ player }) => player === spec)?.name ?? (level ? strings.level(level) : /^perfect\b/.test(spec) ? strings.perfect : spec === "friend" ? strings.friendName : spec);
};

/** Colours of a face: behind it, its own. */
const COLOURS = [["#ccefc0", "#8fdc7c"], ["#ffd9d3", "#ff8d80"], ["#c5eee0", "#58c5a2"], ["#ffe2b3", "#ffb14f"], ["#e6dcff", "#b79bff"], ["#ccecf7", "#62b9ee"],
  ["#ffd6e4", "#ff94b8"], ["#d5d9e4", "#6b748c"], ["#fdeeb5", "#f4f6ff"]];

/** Parts of a face by number, each a path of strokes (`s`) or a filled one. */
const EYES = [
  ["M24 33v.1M40 33v.1", 6], ["M20 33q4-4 8 0M36 33q4-4 8 0", 2.6], ["M24 31v5M40 31v5", 3.4], ["M19 29l9 3M45 29l-9 3M24 34v.1M40 34v.1", 4],
];
const MOUTHS = ["M24 44q8 7 16 0", "M25 45h14", "M25 46q8-3 14-1", "M23 43q9 11 18 0z"];
const HATS = [
  "M31 14q-6-8-10-4 2 6 10 6 8 0 10-6-4-4-10 4z", "M14 27q2-16 18-16t18 16z", "M12 26h40v4H12zM20 10h24v16H20z", "M18 20l4-12 6 8 4-10 4 10 6-8 4 12z",
  "M32 12a6 6 0 1 1 .1 0M12 29q2-18 20-18t20 18q-7-9-20-9t-20 9z",
];
const HAT_COLOURS = ["#3f9142", "#c8342b", "#22304f", "#e0a400", "#3a1f5e"];

/** A number that a name always gives. @param {string} name */
const hash = (name) => [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

/** Eyes, mouth and hat of the characters, by their place; others get theirs from their names. */
const FACES = [[0, 3, 0], [1, 0, 4], [2, 0, 1], [3, 0, 5], [1, 1, 2], [2, 3, 5], [0, 2, 4], [1, 0, 5], [2, 0, 3]];

/** The face of a player: the same for the same name. @param {string} name @param {number} [order] its place among the characters */
export const face = (name, order) => {
  const number = hash(name);
  const [eye, mouth, hat] = order === undefined ? [number % EYES.length, 0, number % (HATS.length + 1)] : FACES[order % FACES.length];
  const [behind, skin] = COLOURS[(order ?? number) % COLOURS.length];
  const [eyes, width] = EYES[eye];
  const stroke = { fill: "none", stroke: "#131a33", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return el("svg", { class: "face", viewBox: "0 0 64 64", "aria-hidden": "true" },
    el("rect", { width: 64, height: 64, fill: behind }), el("circle", { cx: 32, cy: 37, r: 22, fill: skin }),
    el("circle", { cx: 32, cy: 37, r: 20.5, fill: "none", stroke: "#fff", "stroke-opacity": 0.45, "stroke-width": 2 }),
    hat < HATS.length && el("path", { d: HATS[hat], fill: HAT_COLOURS[hat] }),
    el("path", { d: eyes, "stroke-width": width, ...stroke }),
    el("path", { d: MOUTHS[mouth], "stroke-width": 2.6, ...stroke, fill: mouth === 3 ? "#131a33" : "none" }));
};

/** The face of whoever sits at the device. */
export const ownFace = () => face("you");

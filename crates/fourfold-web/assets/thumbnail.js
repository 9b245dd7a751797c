// A small board as a picture.

import { el } from "./dom.js";

/**
 * A small board with some discs; rings mark cells.
 * @param {number} width @param {number} height
 * @param {string} discs cells as `x d1 o d2`; `+ d3` is a good ring, `- d4` a bad one
 */
export const thumbnail = (width, height, discs) => {
  const holes = [];
  for (let c = 0; c < width; c++) for (let r = 0; r < height; r++) holes.push(el("circle", { cx: c * 10 + 5, cy: r * 10 + 5, r: 3.9, class: "well" }));
  const kinds = { x: "x", o: "o", "+": "good", "-": "bad" };
  const shown = [...discs.matchAll(/([xo+-]) ([a-z])(\d+)/g)].map(([, kind, column, row]) =>
    el("circle", { cx: (column.charCodeAt(0) - 97) * 10 + 5, cy: (height - Number(row)) * 10 + 5, r: 3.9, class: kinds[kind] }));
  return el("svg", { class: "thumbnail", viewBox: `-2 -2 ${width * 10 + 4} ${height * 10 + 4}`, "aria-hidden": "true" },
    el("rect", { x: -2, y: -2, width: width * 10 + 4, height: height * 10 + 4, rx: 5, class: "tile" }), ...holes, ...shown);
};

/** The discs of a board, as `thumbnail` takes them. @param {any} board */
export const discsOf = ({ rows }) => rows.flatMap((row, index) =>
  [...row].map((disc, column) => (disc === "." || column > 25 ? "" : `${disc} ${String.fromCharCode(97 + column)}${rows.length - index}`))).filter(Boolean).join(" ");

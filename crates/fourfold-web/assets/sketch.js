// Small trees that stand still: read as they are typed, and drawn.

import { el } from "./dom.js";

/** Room for a leaf and for a level, and the size of a node, in the units of the drawing. */
const LEAF = 50;
const LEVEL = 96;
const NODE = 22;

/**
 * A node of a tree; `name` is that of the edge that leads to it, `turn` is `max` or `min` at inner nodes.
 * @typedef {{ index: number, name: string, parent: number, children: number[], level: number, turn: string, leaf?: number, x: number }} Node
 */

/** The nodes of a typed tree, breadth first, as the engine numbers them: `((3 5)(2 9))`. @param {string} text @returns {Node[]} */
export const typed = (text) => {
  const words = text.match(/[()]|-?\d+/g) ?? [];
  let at = 0;
  const read = () => {
    if (words[at] !== "(") return Number(words[at++]);
    const children = [];
    for (at += 1; words[at] !== ")"; ) children.push(read());
    at += 1;
    return children;
  };
  const nodes = [];
  let row = [{ tree: read(), parent: -1 }];
  for (let level = 0; row.length; level += 1) {
    const next = [];
    for (const { tree, parent } of row) {
      const index = nodes.length;
      const inner = Array.isArray(tree);
      nodes.push({ index, name: index ? `E-${index}` : "root", parent, children: [], level, turn: inner ? (level % 2 ? "min" : "max") : "", leaf: inner ? undefined : tree, x: 0 });
      if (parent >= 0) nodes[parent].children.push(index);
      if (inner) next.push(...tree.map((child) => ({ tree: child, parent: index })));
    }
    row = next;
  }
  let leaves = 0;
  const place = (node) => {
    node.children.forEach((child) => place(nodes[child]));
    const { children } = node;
    node.x = children.length ? (nodes[children[0]].x + nodes[children[children.length - 1]].x) / 2 : leaves++;
  };
  place(nodes[0]);
  return nodes;
};

/**
 * How a node is drawn: what stands in it and note it, what its edge is called, and classes for both.
 * @typedef {{ text?: string, note?: string, edge?: string, state?: string }} Look
 */

/** A text on a background of its own, so that no line strikes through it. */
const label = (kind, text, wide, x, y) => el("g", {}, el("rect", { class: "spot", x: x - wide / 2, y: y - 9, width: wide, height: 18, rx: 6 }),
  el("text", { class: kind, x, y: y + (kind === "name" ? 4 : 6) }, text));

/** @param {Node[]} nodes @param {string} words what the drawing shows @param {(node: Node) => Look} look */
export const sketch = (nodes, words, look) => {
  const x = (node) => 30 + node.x * LEAF;
  const y = (node) => NODE + 12 + node.level * LEVEL;
  const width = 60 + Math.max(...nodes.map((node) => node.x)) * LEAF;
  const height = 2 * NODE + 20 + Math.max(...nodes.map((node) => node.level)) * LEVEL;
  const shape = (node) => {
    const [cx, cy] = [x(node), y(node)];
    if (node.leaf !== undefined) return el("rect", { x: cx - NODE + 3, y: cy - NODE + 5, width: 2 * NODE - 6, height: 2 * NODE - 10, rx: 7 });
    const tip = node.turn === "max" ? -1 : 1;
    return el("polygon", { points: `${cx},${cy + tip * (NODE + 10)} ${cx - NODE - 14},${cy - tip * (NODE - 4)} ${cx + NODE + 14},${cy - tip * (NODE - 4)}` });
  };
  const edges = nodes.slice(1).map((node) => {
    const above = nodes[node.parent];
    const { edge, state = "" } = look(node);
    const [x1, y1] = [x(above), y(above) + (above.turn === "max" ? NODE - 4 : NODE + 10)];
    const [x2, y2] = [x(node), y(node) - (node.turn === "max" ? NODE + 10 : NODE - 4)];
    const [mx, my] = [x1 + (x2 - x1) * 0.62, y1 + (y2 - y1) * 0.62];
    const cut = state.split(" ").includes("cut");
    return { line: el("line", { class: `edge ${state}`, x1, y1, x2, y2 }),
      name: cut ? label("scissors", "✂", 20, mx, my) : edge && label("name", edge, 8 + 7 * edge.length, mx, my) };
  });
  const marks = nodes.flatMap((node) => {
    const { text, note, state = "" } = look(node);
    const lower = node.turn === "max" ? 11 : node.turn === "min" ? 0 : 6;
    return [el("g", { class: `node ${node.turn} ${state}` }, shape(node),
      text && el("text", { class: "value", x: x(node), y: y(node) + lower }, text)),
    note && el("text", { class: "note", x: x(node) + (node.turn === "max" ? 14 : 22), y: y(node) + (node.turn === "max" ? -14 : 14) }, note)];
  });
  const drawing = el("svg", { class: "sketch", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words },
    // All lines first: no edge strikes through the name of another.
    ...[...edges.map(({ line }) => line), ...edges.map(({ name }) => name), ...marks].filter(Boolean));
  drawing.style.setProperty("--wide", `${width}px`);
  return drawing;
};

// Editing a typed tree: a node is chosen by pointer or keys and changed, and the search of the new tree is shown at once. The tree is in
// the address, so that going back undoes a change.

import { lens, newCamera } from "./camera.js";
import { button, el, tell } from "./dom.js";
import { editing as words, signs } from "./microscope-strings.js";
import { ancestors, brief, drawing, replay } from "./tree.js";

/** Larger trees are changed in the text. */
export const EDIT_NODES = 120;
/** The largest leaf that can be set here; longer numbers do not fit their boxes. */
const LARGEST = 9999;

/** A tree as nested lists of numbers. @typedef {number | any[]} Nested */

/** @param {any[]} nodes @param {number} [id] @returns {Nested} */
export const nested = (nodes, id = 0) => (nodes[id].children.length ? nodes[id].children.map((child) => nested(nodes, child)) : nodes[id].value);

/** As it is typed. @param {Nested} tree @returns {string} */
export const written = (tree) => (Array.isArray(tree) ? `(${tree.map(written).join(" ").replaceAll(") (", ")(")})` : String(tree));

/** The places among their siblings that lead to a node. @param {any[]} nodes @param {number} id */
const pathTo = (nodes, id) => ancestors(nodes, id).reverse().slice(1).map((one) => nodes[nodes[one].parent].children.indexOf(one));

/** The node at the end of a path, or the last one on it that there is. @param {any[]} nodes @param {number[]} path */
const nodeAt = (nodes, path) => path.reduce((id, place) => nodes[id].children[place] ?? id, 0);

/** Changes the node at the end of a path. @param {Nested} tree @param {number[]} path @param {(node: Nested) => Nested} how @returns {Nested} */
const changed = (tree, [place, ...rest], how) =>
  place === undefined || !Array.isArray(tree) ? how(tree) : tree.map((child, index) => (index === place ? changed(child, rest, how) : child));

/** What can be done to a tree at a path: the new tree, and the path to choose then. @type {Record<string, (tree: Nested, path: number[], more?: any) => [Nested, number[]]>} */
export const changes = {
  /** A leaf gets a value. */
  value: (tree, path, value) => [changed(tree, path, () => value), path],
  /** A node gets a child more; a leaf becomes the first of two children. */
  add: (tree, path) => {
    let place = 1;
    const grown = changed(tree, path, (node) => {
      if (!Array.isArray(node)) return [node, 0];
      place = node.length;
      return [...node, 0];
    });
    return [grown, [...path, place]];
  },
  /** A node goes with all below it. A parent that loses its only child becomes a leaf, with `value`. */
  remove: (tree, path, value) => {
    const above = path.slice(0, -1);
    const place = path[path.length - 1];
    let left = 0;
    const cut = changed(tree, above, (node) => {
      const rest = /** @type {any[]} */ (node).filter((_, index) => index !== place);
      left = rest.length;
      return left ? rest : value;
    });
    return [cut, left ? [...above, Math.min(place, left - 1)] : above];
  },
  /** A node changes places with a neighbour. */
  move: (tree, path, by) => {
    const above = path.slice(0, -1);
    const [from, to] = [path[path.length - 1], path[path.length - 1] + by];
    const swapped = changed(tree, above, (node) => /** @type {any[]} */ (node).map((child, index, all) => (index === from ? all[to] : index === to ? all[from] : child)));
    return [swapped, [...above, to]];
  },
};

/** @param {any} answer @param {{ memory: any, named: boolean, plant: (tree: string) => void, leave: () => void, signal: AbortSignal }} page */
export const editor = (answer, { memory, named, plant, leave, signal }) => {
  const { nodes, steps } = answer;
  const camera = newCamera();
  const tree = nested(nodes);
  const searched = replay(nodes, steps, steps.length - 1);
  const line = new Set([0, ...answer.line.map((name) => Number(name.slice(2)))]);
  /** The focus stays in the tree after a change that was made there, and where it was moved while the search of the new tree was awaited. */
  const focusedPath = memory.focusedPath?.();
  const onNode = memory.onNode || focusedPath;
  if (focusedPath) memory.chosenPath = focusedPath;
  memory.onNode = false;
  let chosen = nodeAt(nodes, memory.chosenPath ?? []);
  /** A change is made, and the search of the new tree awaited. What is asked meanwhile is of the new tree, not of this one. */
  let outdated = false;
  /** In order, each on the node at its path or on the one that is chosen then. @type {{ name: string, path?: number[] }[]} */
  const waiting = memory.planted === written(tree) ? memory.waiting : [];
  memory.waiting = waiting;
  memory.focusedPath = () => {
    const node = /** @type {HTMLElement | null} */ (outdated ? document.activeElement?.closest("[data-node]") : null);
    return node && view.svg.contains(node) && Number(node.dataset.node) !== chosen ? pathTo(nodes, Number(node.dataset.node)) : undefined;
  };

  const change = (name, more, fromNode = false) => {
    const [next, path] = changes[name](tree, pathTo(nodes, chosen), more);
    memory.chosenPath = path;
    memory.onNode = fromNode;
    outdated = true;
    memory.planted = written(next);
    plant(memory.planted);
  };
  const isLeaf = () => nodes[chosen].children.length === 0;
  const siblings = () => (chosen === 0 ? [0] : nodes[nodes[chosen].parent].children);
  const can = {
    remove: () => chosen !== 0,
    left: () => siblings().indexOf(chosen) > 0,
    right: () => siblings().indexOf(chosen) < siblings().length - 1,
    add: () => nodes.length < EDIT_NODES,
  };
  const act = (name, fromNode = false) => (outdated ? waiting.push({ name }) : acts[name](fromNode));
  const acts = {
    add: (fromNode) => can.add() && change("add", undefined, fromNode),
    remove: (fromNode) => can.remove() && change("remove", nodes[chosen].value ?? searched.marks.get(chosen)?.value ?? 0, fromNode),
    left: (fromNode) => can.left() && change("move", -1, fromNode),
    right: (fromNode) => can.right() && change("move", 1, fromNode),
  };
  const view = drawing(nodes, undefined, {
    title: words.toolbar, camera, named, visit: (id) => choose(id),
    key: (event, id) => {
      const name = event.shiftKey ? { ArrowLeft: "left", ArrowRight: "right" }[event.key] : { Insert: "add", Delete: "remove", Backspace: "remove" }[event.key];
      if (id !== chosen && !outdated) choose(id, true);
      if (name && outdated) waiting.push({ name, path: id === chosen ? undefined : pathTo(nodes, id) });
      else if (/^[-\d]$/.test(event.key) && isLeaf()) {
        box.value = event.key;
        typedOnNode = true;
        box.focus();
      } else if (name) act(name, true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  });

  let typedOnNode = false;
  const box = el("input", { name: "leaf-value", inputmode: "numeric", autocomplete: "off", size: 6 });
  const form = el("form", {
    class: "row", novalidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      const value = Number(box.value.trim().replace("−", "-"));
      if (box.value.trim() === "" || !Number.isInteger(value) || Math.abs(value) > LARGEST) return tell(words.noWhole, true);
      change("value", value, typedOnNode);
    },
  }, el("label", {}, el("span", { class: "caption" }, words.value), box), el("button", { type: "submit" }, words.set));
  const buttons = {
    add: button(words.addLeaf, () => act("add")), remove: button(words.remove, () => act("remove")),
    left: button(words.left, () => act("left")), right: button(words.right, () => act("right")),
  };
  const name = el("strong", { class: "chosen-name" });
  const nameOf = (id) => (id ? nodes[id].edge : signs.root);
  const show = () => {
    view.show({ ...searched, path: new Set() }, { pruning: answer.algorithm === "alphabeta", line, choosing: true, chosen });
    camera.settle();
    name.textContent = words.chosen(nameOf(chosen).charAt(0).toUpperCase() + nameOf(chosen).slice(1));
    form.hidden = !isLeaf();
    box.value = isLeaf() ? String(nodes[chosen].value) : "";
    buttons.add.textContent = isLeaf() ? words.split : words.addLeaf;
    for (const [one, control] of Object.entries(buttons)) control.disabled = !can[one]();
  };
  const choose = (id, quiet = false) => {
    chosen = id;
    memory.chosenPath = pathTo(nodes, id);
    show();
    if (!quiet) tell(name.textContent ?? "");
  };
  const result = words.result(brief(answer.value), answer.cut.length);
  const watcher = new ResizeObserver(() => camera.settle());
  signal.addEventListener("abort", () => watcher.disconnect());
  const card = el("div", { class: "walk editing" },
    el("div", { class: "told-step" }, el("p", { class: "sentence" }, result)),
    el("div", { class: "trees" }, el("figure", { class: "treed" }, view.svg), lens(camera, [])),
    el("div", { class: "under edit-tools", role: "group", "aria-label": words.toolbar },
      name, form, el("div", { class: "buttons" }, ...Object.values(buttons)),
      el("p", { class: "muted small" }, words.lead, " ", words.keys),
      el("div", { class: "buttons" }, button(words.done, leave, { class: "main" }))));
  return {
    card, camera, details: [view.details],
    start: () => {
      show();
      camera.fit();
      watcher.observe(card);
      if (onNode) view.focusOn(chosen);
      tell(result);
      while (waiting.length && !outdated) {
        const { name, path } = /** @type {{ name: string, path?: number[] }} */ (waiting.shift());
        if (path) choose(nodeAt(nodes, path), true);
        acts[name](true);
      }
    },
    keys: { "+": () => camera.zoom(1.25), "-": () => camera.zoom(0.8), 0: () => camera.fit() },
  };
};

// A search tree on the screen: what the search has done by some step, what is folded away, where things go, how they look. Large
// trees are folded, so that a few hundred nodes are drawn at most.

import { handle } from "./camera.js";
import { el } from "./dom.js";
import { signs } from "./microscope-strings.js";
import { grouped } from "./strings.js";

/** Trees of so many nodes and leaves are drawn whole. */
const WHOLE = 150;
const WHOLE_LEAVES = 36;
/** Of larger ones so many nodes near the root, the surroundings of the current node, and what was unfolded. */
const NEAR_ROOT = 12;
const MOST = 300;
/** A node's children, or those a fold holds, are shown so many at a time. */
const AT_ONCE = 30;

const LEVEL = 124;
const GAP = 10;
/** How far down an edge its name stands, and what else there is to say of it. */
const NAME_AT = 0.58;
const SIGN_AT = 0.84;
const WIN = 100_000_000;

/** The number of a node by its name: `root`, `E-7`. @param {string} name */
const number = (name) => (name === "root" ? 0 : Number(name.slice(2)));

/** A value in a few signs: 7, −3, W9 (MAX wins with disc 9), L10, ≤6. */
export const brief = (value, bound = "exact") => {
  if (value === undefined || value === null) return "";
  const discs = WIN - Math.abs(value);
  const text = discs >= 0 && discs <= 1000 ? `${value > 0 ? "W" : "L"}${discs || ""}` : String(value).replace("-", "−");
  return `${{ "at-most": "≤", "at-least": "≥" }[bound] ?? ""}${text}`;
};

/** The nodes of a trace with their children, levels and the number of nodes from there down. */
export const grow = (nodes) => {
  const tree = nodes.map((node) => ({ ...node, children: /** @type {number[]} */ ([]), level: 0, below: 1 }));
  for (const node of tree) {
    if (node.parent === undefined) continue;
    tree[node.parent].children.push(node.id);
    node.level = tree[node.parent].level + 1;
  }
  for (let id = tree.length - 1; id > 0; id--) tree[tree[id].parent].below += tree[id].below;
  return tree;
};

/** How a node is called without the number of its edge: by the moves, or the places among their siblings, that lead to it. */
export const lineTo = (tree, id) => ancestors(tree, id).reverse().slice(1)
  .map((one) => tree[one].move ?? String(tree[tree[one].parent].children.indexOf(one) + 1)).join("-");

/** A sentence about a search without the numbers of edges. @param {any[]} tree @param {string} sentence */
export const renamed = (tree, sentence) => {
  const text = sentence.replace(/E-(\d+)(?: \(((?:column|cell) [^)]+)\))?/g, (_, id, move) => move ?? lineTo(tree, Number(id)));
  return text.replace(/^(column|cell) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));
};

/** A node and those above it, up to the root. */
export const ancestors = (tree, id) => {
  const path = [id];
  while (tree[path[path.length - 1]].parent !== undefined) path.push(tree[path[path.length - 1]].parent);
  return path;
};

/**
 * What the search has done when step `last` is over (nothing, if that is negative): a mark for each node that it has to do with, where it
 * is, and what was counted.
 */
export const replay = (tree, steps, last) => {
  /** @type {Map<number, any>} */
  let marks = new Map();
  const counts = { visited: 0, leaves: 0, cut: 0, hits: 0, skipped: 0, wins: 0 };
  let now = 0;
  let child;
  for (let index = 0; index <= last; index++) {
    const step = steps[index];
    const at = step.node === undefined ? 0 : number(step.node);
    const mark = marks.get(at) ?? {};
    [now, child] = [at, undefined];
    const { alpha, beta } = step;
    switch (step.step) {
      case "deepen": marks = new Map(); break;
      case "enter": marks.set(at, { visited: true, alpha, beta, inner: true }); break;
      case "leaf": marks.set(at, { visited: true, value: step.value, done: true }); break;
      case "recall":
        marks.set(at, { ...mark, visited: true, value: step.value, bound: step.bound, done: true, from: step.from });
        counts.hits += 1;
        break;
      case "update":
        Object.assign(mark, { value: step.best, alpha, beta });
        child = number(step.child);
        break;
      case "cut":
        Object.assign(mark, { alpha, beta });
        for (const edge of step.edges) marks.set(number(edge), { cut: true });
        break;
      case "skip":
        marks.set(number(step.edge), { skipped: step.why });
        counts.skipped += 1;
        break;
      case "prefer": child = number(step.edge); break;
      case "early-win":
        child = number(step.edge);
        counts.wins += 1;
        break;
      case "leave": Object.assign(mark, { value: step.value, bound: step.bound, done: true }); break;
    }
    [counts.visited, counts.leaves, counts.cut] = [step.visited, step.leaves, step.cut];
  }
  return { marks, counts, now, child, path: new Set(last < 0 ? [] : ancestors(tree, now)) };
};

/** The nodes that are drawn: those near the root, those around the current one, the expected line, and what somebody unfolded. */
const chosen = (tree, now, unfolded, whole, line) => {
  if (whole) return new Set(tree.map(({ id }) => id));
  const drawn = new Set([0]);
  const add = (ids) => {
    for (const id of ids) if (drawn.size < MOST) drawn.add(id);
  };
  for (const id of drawn) {
    const { children } = tree[id];
    if (drawn.size + children.length <= NEAR_ROOT) add(children);
  }
  for (const id of ancestors(tree, now)) {
    const { parent, children } = tree[id];
    if (id === now) add(children.slice(0, AT_ONCE));
    if (parent === undefined) continue;
    drawn.add(id);
    const place = tree[parent].children.indexOf(id);
    add(tree[parent].children.slice(Math.max(0, place - AT_ONCE / 2), place + AT_ONCE / 2));
  }
  add(line ?? []);
  // What hangs below something folded waits until that is unfolded.
  for (const id of [...unfolded].sort((a, b) => a - b)) if (drawn.has(tree[id].parent)) add([id]);
  return drawn;
};

/** The width of a text of that size, guessed. */
const wide = (text, size) => text.length * size * 0.62;

/** The width of the names of an edge. */
const nameWidth = (names) => (names.length ? Math.max(...names.map((name) => wide(name, 12))) + 8 : 0);

/** The width of the pill with alpha and beta beside a node: as wide as the longest value of the tree needs it, so that nothing moves. */
const pillWidth = (tree, stacked) => {
  const longest = Math.max(2, ...tree.map(({ value }) => brief(value).length));
  return stacked ? wide("0".repeat(longest), 13) + 34 : Math.min(160, wide(`α  β ${"0".repeat(2 * longest)}`, 13) + 22);
};

/** The places of a drawing: nodes, and pills for neighbours that are folded away. The root is first. */
const arrange = (tree, { now, path }, { unfolded, names, whole, line, pill }) => {
  const drawn = chosen(tree, now, unfolded, whole, line);
  const all = drawn.size === tree.length;
  /** The room that a node takes on either side. Alpha and beta stand to its right; where there is little room, only on the path. */
  const room = (id) => {
    const { children, value } = tree[id];
    const name = (nameWidth(names[id]) / NAME_AT - GAP) / 2;
    const shape = children.length ? 32 : Math.max(20, wide(brief(value), 16) / 2 + 7);
    const right = children.length && pill && (all || path.has(id)) ? PILL_AT + pill : shape;
    return { before: Math.max(shape, name), behind: Math.max(right, name) };
  };
  const places = [];
  const visit = (id, above) => {
    const node = tree[id];
    /** @type {any} */
    const place = { id, above, level: node.level, children: /** @type {any[]} */ ([]), ...room(id), roomy: all || path.has(id) };
    places.push(place);
    let folded = [];
    const flush = () => {
      if (folded.length === 0) return;
      const count = folded.reduce((sum, child) => sum + tree[child].below, 0);
      const half = wide(`+${count}`, 16) / 2 + 12;
      const rest = { fold: folded, above: place, level: node.level + 1, count, children: [], before: half, behind: half };
      places.push(rest);
      place.children.push(rest);
      folded = [];
    };
    for (const child of node.children) {
      if (!drawn.has(child)) folded.push(child);
      else {
        flush();
        place.children.push(visit(child, place));
      }
    }
    flush();
    return place;
  };
  const root = visit(0, undefined);
  measure(root);
  // Wide fans get more height, or their edges would lie flat.
  const widest = [];
  for (const { level, children } of places) {
    const spread = children.length ? children[children.length - 1].dx - children[0].dx : 0;
    widest[level] = Math.max(widest[level] ?? 0, spread);
  }
  const heights = [0];
  for (const spread of widest) heights.push(heights[heights.length - 1] + LEVEL + Math.min(80, spread * 0.05));
  const settle = (place, x) => {
    [place.x, place.y] = [x, heights[place.level]];
    for (const child of place.children) settle(child, x + child.dx);
  };
  settle(root, 0);
  return { places, heights: heights.slice(0, widest.length), box: { left: -root.left, right: root.right, top: -30, bottom: heights[widest.length - 1] + 30 } };
};

/** How far a place and all below it reach to either side, and where its children stand: every subtree has a strip of its own. */
const measure = (place) => {
  [place.left, place.right] = [place.before, place.behind];
  if (!place.children.length) return;
  let end = 0;
  place.children.forEach((child, index) => {
    measure(child);
    child.dx = end + (index ? GAP : 0) + child.left;
    end = child.dx + child.right;
  });
  const middle = (place.children[0].dx + place.children[place.children.length - 1].dx) / 2;
  for (const child of place.children) child.dx -= middle;
  [place.left, place.right] = [Math.max(place.before, middle), Math.max(place.behind, end - middle)];
};

/** How far right of a node the pill with alpha and beta begins. */
const PILL_AT = 32;
/** Room for the names of the rows. */
const ROW_NAME = 52;
/** Narrower drawings save room, in px. */
const NARROW = 560;

const SHAPES = { max: "M0-24 28 24H-28Z", min: "M0 24 28-24H-28Z" };

const scissors = () => el("g", { class: "snip" }, el("circle", { class: "disc", r: 11 }),
  el("circle", { cx: -4.5, cy: -3.6, r: 2.2 }), el("circle", { cx: -4.5, cy: 3.6, r: 2.2 }), el("path", { d: "M-2.7-2.3 6.5 4M-2.7 2.3 6.5-4" }));

/** Does something when a key presses what has the focus. */
const pressed = (act) => (event) => {
  if (event.key !== " " && event.key !== "Enter") return;
  event.preventDefault();
  event.stopPropagation();
  act();
};

const label = (text, x, y, attributes = {}) => el("text", { x, y, dy: ".35em", ...attributes }, text);

/**
 * A drawing that can be panned and zoomed.
 * @param {any[]} tree @param {{ gravity: boolean } | undefined} rules
 * @param {{ title: string, summary?: string, camera: any, named?: boolean, visit?: (id: number) => void, pick?: (id: number) => void,
 *   folds?: (some: boolean) => void, key?: (event: KeyboardEvent, id: number) => void }} options
 *   `camera` may be shared by several drawings; `named`: edges bear their numbers; `visit` is called for a node and `pick` for an edge that
 *   is chosen, `folds` when something is unfolded or no longer, `key` when a key is pressed on a node that can be chosen
 */
export const drawing = (tree, rules, { title, summary, camera, named = true, visit, pick, folds, key }) => {
  /** The lines that stand on an edge. */
  const names = tree.map(({ edge, move }) => [named && edge, move && `${rules?.gravity ? signs.col : ""}${move}`].filter(Boolean));
  const nameOf = (id) => (id ? names[id].join(" ") || lineTo(tree, id) : signs.root);
  const unfolded = new Set();
  const whole = pick || (tree.length <= WHOLE && tree.filter(({ children }) => !children.length).length <= WHOLE_LEAVES);
  const world = el("g");
  const svg = el("svg", { class: "tree", role: "group", tabindex: 0, "aria-label": title, "aria-keyshortcuts": "Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown + - 0" }, world);
  const text = el("ul", { class: "outline" });
  const details = el("details", { ontoggle: () => details.open && tellAll() }, el("summary", {}, summary ?? signs.asText), text);
  let shown, arranged, options;
  /** The pill with alpha and beta; where the drawing is narrow, one stands above the other. */
  let pill = 0;
  let stacked = false;
  /** What stood at each node before, to see what has changed. @type {Map<number, string>} */
  let before = new Map();

  const aim = () => world.setAttribute("transform", `translate(${camera.x} ${camera.y}) scale(${camera.k})`);
  camera.views ??= [];
  camera.views.push({ svg, aim, box: () => arranged?.box, focus: () => place(shown.now), title });
  const place = (id) => arranged.places.find((one) => one.id === id);

  /** An edge: its line, what stands on it, and, if it can be chosen, a broad line that is easy to hit. */
  const edge = (one) => {
    const { id, above } = one;
    const mark = id === undefined ? {} : shown.marks.get(id) ?? {};
    const head = one.fold ? 20 : tree[id].children.length ? 24 : 17;
    const [x1, y1, x2, y2] = [above.x, above.y + 24, one.x, one.y - head];
    const on = id !== undefined && shown.path.has(id);
    const kind = options.line?.has(id) ? "line" : on ? "path" : mark.cut ? "cut" : mark.skipped ? "skipped" : mark.visited ? "seen" : "ahead";
    const d = `M${x1} ${y1}L${x2} ${y2}`;
    const line = el("path", { class: `edge ${kind}${id !== undefined && id === shown.child ? " fresh" : ""}`, d });
    if (id === undefined) return { line };
    const [lx, ly] = [x1 + (x2 - x1) * NAME_AT, y1 + (y2 - y1) * NAME_AT];
    const sign = (...what) => el("g", { transform: `translate(${x1 + (x2 - x1) * SIGN_AT} ${y1 + (y2 - y1) * SIGN_AT})` }, ...what);
    const verdict = options.verdicts?.get(id);
    const picked = options.picks?.has(id);
    const [width, height] = [nameWidth(names[id]), 16 * names[id].length];
    const labels = [height > 0 && el("rect", { class: "spot", x: lx - width / 2, y: ly - height / 2, width, height, rx: 6 }),
      ...names[id].map((name, index) => label(name, lx, ly - height / 2 + 8 + 16 * index, { class: "name" })),
      verdict ? sign(el("circle", { class: "spot", r: 10 }), label(signs.quizSigns[verdict], 0, 0, { class: "sign" })) : (mark.cut || picked) && sign(scissors())];
    if (!options.picks) return { line, labels };
    return {
      line: el("g", {
        class: `pick${picked ? " chosen" : ""}`, role: "checkbox", tabindex: 0, "aria-checked": String(picked), "data-edge": id,
        "aria-label": nameOf(id) + (verdict ? `, ${signs.quizVerdicts[verdict]}` : ""), "aria-disabled": options.verdicts ? "true" : undefined,
        onclick: () => pick?.(id), onkeydown: pressed(() => pick?.(id)),
      }, el("path", { class: "broad", d }), line),
      labels,
    };
  };

  const shape = (one) => {
    const transform = `translate(${one.x} ${one.y})`;
    if (one.fold) {
      return [el("g", {
        class: "fold", transform, role: "button", tabindex: 0, "aria-label": signs.unfold(grouped(one.count)), "data-fold": one.fold[0],
        onclick: () => unfold(one), onkeydown: pressed(() => unfold(one)),
      }, el("rect", { x: -one.before, y: -18, width: 2 * one.before, height: 36, rx: 18 }), label(`+${grouped(one.count)}`, 0, 0))];
    }
    const { id } = one;
    const node = tree[id];
    const mark = shown.marks.get(id) ?? {};
    const inner = node.children.length > 0;
    const value = mark.visited ? brief(mark.value, mark.bound) : inner ? "" : brief(node.value);
    const size = inner ? Math.min(17, 32 / (value.length * 0.62)) : 17;
    const half = Math.max(18, wide(value, 17) / 2 + 6);
    const windowed = inner && mark.visited && options.pruning && !mark.from && one.roomy;
    const now = id === shown.now && shown.path.size > 0;
    const stands = `${mark.visited ? value : ""} ${windowed ? `${mark.alpha} ${mark.beta}` : ""}`;
    const flash = options.flash && before.has(id) && before.get(id) !== stands && stands.trim() !== "";
    before.set(id, stands);
    const classes = [inner ? node.turn : "leaf", now && "now", shown.path.has(id) && "path", !mark.visited && "off", mark.cut && "gone",
      options.line?.has(id) && "line", flash && "flash", options.chosen === id && "chosen"];
    const about = signs.nodeTip(nameOf(id), inner ? node.turn.toUpperCase() : signs.leaf, value);
    const group = el("g", {
      class: classes.filter(Boolean).join(" "), transform, "data-node": id,
      ...(options.choosing ? { role: "button", tabindex: id === (options.chosen ?? shown.now) ? 0 : -1, "aria-label": about, "aria-pressed": options.chosen === undefined ? undefined : String(options.chosen === id) } : {}),
    },
    el("title", {}, [about, options.why?.(id)].filter(Boolean).join(". ")),
    inner ? el("path", { class: "shape", d: SHAPES[node.turn] }) : el("rect", { class: "shape", x: -half, y: -18, width: 2 * half, height: 36, rx: 8 }),
    value && label(value, 0, inner ? (node.turn === "max" ? 10 : -10) : 0, { class: "value", "font-size": size }));
    group.addEventListener("click", () => !options.picks && visit?.(id));
    if (options.choosing) {
      group.addEventListener("keydown", (event) => {
        if (event.key === " " || event.key === "Enter") return pressed(() => visit?.(id))(event);
        if (event.shiftKey || !step(event, id)) key?.(event, id);
      });
    }
    return windowed ? [group, bounds(mark, transform, [now && "now", flash && "flash"])] : [group];
  };

  /** Alpha and beta beside a node. */
  const bounds = (mark, transform, classes) => {
    const bound = (sign, number, x, y) => [label(sign, x, y, { class: "window sign-of" }), label(number, x + 12, y, { class: "window" })];
    const [alpha, beta] = [brief(mark.alpha) || "−∞", brief(mark.beta) || "+∞"];
    const parts = stacked
      ? [el("rect", { x: PILL_AT, y: -25, width: pill, height: 38, rx: 12 }), ...bound("α", alpha, PILL_AT + 9, -15), ...bound("β", beta, PILL_AT + 9, 3)]
      : [el("rect", { x: PILL_AT, y: -21, width: pill, height: 26, rx: 13 }), ...bound("α", alpha, PILL_AT + 11, -8), ...bound("β", beta, PILL_AT + pill / 2 + 5, -8)];
    return el("g", { class: ["pill", ...classes].filter(Boolean).join(" "), transform }, ...parts);
  };

  /** Arrow keys go from node to node: up to the parent, down to the first child, left and right along the row. */
  const step = (event, id) => {
    const row = arranged.places.filter((one) => one.id !== undefined && one.level === tree[id].level).sort((a, b) => a.x - b.x).map((one) => one.id);
    const along = (by) => row[row.indexOf(id) + by];
    const to = { ArrowUp: tree[id].parent, ArrowDown: tree[id].children[0], ArrowLeft: along(-1), ArrowRight: along(1) }[event.key];
    if (!event.key.startsWith("Arrow")) return false;
    event.preventDefault();
    event.stopPropagation();
    if (to !== undefined) focusOn(to);
    return true;
  };
  const focusOn = (id) => {
    for (const one of svg.querySelectorAll("[data-node]")) one.setAttribute("tabindex", one.dataset.node === String(id) ? "0" : "-1");
    /** @type {any} */ (svg.querySelector(`[data-node="${id}"]`))?.focus({ preventScroll: true });
  };

  const unfold = (one) => {
    for (const id of one.fold.slice(0, AT_ONCE)) unfolded.add(id);
    folds?.(true);
    render();
    camera.settle();
    const next = svg.querySelector(`[data-fold="${one.fold[AT_ONCE]}"]`) ?? svg;
    /** @type {any} */ (next).focus({ preventScroll: true });
  };

  /** The tree in words, for whoever cannot see it; made when it is asked for. */
  const tellAll = () => {
    const item = (one) => {
      if (one.fold) return el("li", {}, signs.folded(grouped(one.count)));
      const node = tree[one.id];
      const mark = shown.marks.get(one.id) ?? {};
      const kind = node.children.length ? node.turn.toUpperCase() : signs.leaf;
      const words = [nameOf(one.id), kind, brief(mark.visited ? mark.value : node.value, mark.bound),
        mark.cut ? signs.isCut : mark.skipped ? signs.isSkipped : mark.visited ? "" : signs.unvisited,
        one.id === shown.now && shown.path.size ? signs.isNow : ""].filter(Boolean).join(", ");
      return el("li", {}, words, one.children.length > 0 && el("ul", {}, ...one.children.map(item)));
    };
    text.replaceChildren(item(arranged.places[0]));
  };

  const render = () => {
    const active = svg.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset : {};
    stacked = svg.clientWidth > 0 && svg.clientWidth < NARROW;
    pill = pillWidth(tree, stacked);
    arranged = arrange(tree, shown, { unfolded, names, whole, line: options.line, pill: options.pruning ? pill : 0 });
    const edges = arranged.places.slice(1);
    const thick = (one) => (shown.path.has(one.id) || options.line?.has(one.id) ? 1 : 0);
    edges.sort((a, b) => thick(a) - thick(b));
    // All lines first: no edge strikes through what stands on another.
    const drawn = edges.map(edge);
    world.replaceChildren(...drawn.map(({ line }) => line), ...drawn.flatMap(({ labels = [] }) => labels.filter(Boolean)), ...arranged.places.flatMap(shape), ...rows());
    if (active.edge) /** @type {any} */ (svg.querySelector(`[data-edge="${active.edge}"]`))?.focus({ preventScroll: true });
    if (active.node && options.choosing) focusOn(active.node);
    if (details.open) tellAll();
    aim();
  };

  /** Who moves in each row, where there is room to say so. */
  const rows = () => {
    if (tree.length === 1 || !whole || svg.clientWidth < NARROW) return [];
    const x = arranged.box.left - ROW_NAME;
    arranged.box.left = x;
    return arranged.heights.map((y, level) => {
      const node = tree.find((one) => one.level === level && one.children.length);
      return node && label(node.turn.toUpperCase(), x, y, { class: "row-name" });
    }).filter(Boolean);
  };

  handle(svg, camera);
  return {
    svg, details, focusOn,
    /** Shows a state of the search. @param {any} next what `replay` gave @param {any} [how] */
    show: (next, how = {}) => {
      [shown, options] = [next, how];
      render();
    },
    refold: () => {
      unfolded.clear();
      folds?.(false);
      render();
      camera.settle();
    },
  };
};

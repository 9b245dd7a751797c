// A search tree on the screen: what the search has done by some step, what is folded away, where things go, how they look, pan and
// zoom. Large trees are folded, so that a few hundred nodes are drawn at most.

import { button, el } from "./dom.js";
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

const LEVEL = 112;
const GAP = 10;
/** What is smaller cannot be read, what is larger looks odd; what does not fit even then is seen in part, at this size. */
const SMALLEST = 0.6;
const LARGEST = 1.4;
const IN_PART = 0.85;
/** How far down an edge its name stands, and what else there is to say of it. */
const NAME_AT = 0.66;
const SIGN_AT = 0.87;
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
const nameWidth = (names) => Math.max(...names.map((name) => wide(name, 12)), 0) + 4;

/** The places of a drawing: nodes, and pills for neighbours that are folded away. The root is first. */
const arrange = (tree, { now, path }, unfolded, names, whole, line) => {
  const drawn = chosen(tree, now, unfolded, whole, line);
  const all = drawn.size === tree.length;
  /** Half of the room that a node takes. Alpha and beta stand beside it; where there is little room, only on the path. */
  const half = (id) => {
    const { children, value } = tree[id];
    const shape = !children.length ? Math.max(20, wide(brief(value), 16) / 2 + 7) : all || path.has(id) ? 54 : 32;
    return Math.max(shape, (nameWidth(names[id]) / NAME_AT - GAP) / 2);
  };
  const places = [];
  const visit = (id, above) => {
    const node = tree[id];
    const place = { id, above, level: node.level, children: /** @type {any[]} */ ([]), half: half(id), roomy: all || path.has(id) };
    places.push(place);
    let folded = [];
    const flush = () => {
      if (folded.length === 0) return;
      const count = folded.reduce((sum, child) => sum + tree[child].below, 0);
      const pill = { fold: folded, above: place, level: node.level + 1, count, children: [], half: wide(`+${count}`, 16) / 2 + 12 };
      places.push(pill);
      place.children.push(pill);
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
  return { places, box: { left: -root.left, right: root.right, top: -30, bottom: heights[widest.length - 1] + 30 } };
};

/** How far a place and all below it reach to either side, and where its children stand: every subtree has a strip of its own. */
const measure = (place) => {
  [place.left, place.right] = [place.half, place.half];
  if (!place.children.length) return;
  let end = 0;
  place.children.forEach((child, index) => {
    measure(child);
    child.dx = end + (index ? GAP : 0) + child.left;
    end = child.dx + child.right;
  });
  const middle = (place.children[0].dx + place.children[place.children.length - 1].dx) / 2;
  for (const child of place.children) child.dx -= middle;
  [place.left, place.right] = [Math.max(place.half, middle), Math.max(place.half, end - middle)];
};

const SHAPES = { max: "M0-24 28 24H-28Z", min: "M0 24 28-24H-28Z" };

const scissors = () => el("g", { class: "snip" }, el("circle", { class: "spot", r: 9 }),
  el("circle", { cx: -4.5, cy: -3.3, r: 2.1 }), el("circle", { cx: -4.5, cy: 3.3, r: 2.1 }), el("path", { d: "M-2.7-2.1 6.5 3.6M-2.7 2.1 6.5-3.6" }));

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
 * @param {{ title: string, summary?: string, camera: any, visit?: (id: number) => void, pick?: (id: number) => void, folds?: (some: boolean) => void }} options
 *   `camera` may be shared by several drawings; `visit` is called for a node and `pick` for an edge that is chosen, `folds` when something
 *   is unfolded or no longer
 */
export const drawing = (tree, rules, { title, summary, camera, visit, pick, folds }) => {
  /** The lines that stand on an edge. */
  const names = tree.map(({ edge, move }) => [edge, move && `${rules?.gravity ? signs.col : ""}${move}`].filter(Boolean));
  const nameOf = (id) => (id ? names[id].join(" ") : signs.root);
  const unfolded = new Set();
  const whole = pick || (tree.length <= WHOLE && tree.filter(({ children }) => !children.length).length <= WHOLE_LEAVES);
  const world = el("g");
  const svg = el("svg", { class: "tree", role: "group", tabindex: 0, "aria-label": title, "aria-keyshortcuts": "Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown + - 0" }, world);
  const text = el("ul", { class: "outline" });
  const details = el("details", { ontoggle: () => details.open && tellAll() }, el("summary", {}, summary ?? signs.asText), text);
  let shown, arranged, options;

  const aim = () => world.setAttribute("transform", `translate(${camera.x} ${camera.y}) scale(${camera.k})`);
  camera.views ??= [];
  camera.views.push({ svg, aim, box: () => arranged?.box, focus: () => place(shown.now), title });
  const place = (id) => arranged.places.find((one) => one.id === id);

  const edge = (one) => {
    const { id, above } = one;
    const mark = id === undefined ? {} : shown.marks.get(id) ?? {};
    const head = one.fold ? 20 : tree[id].children.length ? 24 : 17;
    const [x1, y1, x2, y2] = [above.x, above.y + 24, one.x, one.y - head];
    const on = id !== undefined && shown.path.has(id);
    const kind = options.line?.has(id) ? "line" : on ? "path" : mark.cut ? "cut" : mark.skipped ? "skipped" : mark.visited ? "seen" : "ahead";
    const parts = [el("path", { class: `edge ${kind}${id !== undefined && id === shown.child ? " fresh" : ""}`, d: `M${x1} ${y1}L${x2} ${y2}` })];
    if (id === undefined) return parts;
    const [lx, ly] = [x1 + (x2 - x1) * NAME_AT, y1 + (y2 - y1) * NAME_AT];
    const sign = (...what) => el("g", { transform: `translate(${x1 + (x2 - x1) * SIGN_AT} ${y1 + (y2 - y1) * SIGN_AT})` }, ...what);
    const verdict = options.verdicts?.get(id);
    const picked = options.picks?.has(id);
    const [width, height] = [nameWidth(names[id]), 14 * names[id].length];
    parts.push(el("rect", { class: "spot", x: lx - width / 2, y: ly - height / 2, width, height }),
      ...names[id].map((name, index) => label(name, lx, ly - height / 2 + 7 + 14 * index, { class: "name" })));
    if (verdict) parts.push(sign(el("circle", { class: "spot", r: 10 }), label(signs.quizSigns[verdict], 0, 0, { class: "sign" })));
    else if (mark.cut || picked) parts.push(sign(scissors()));
    if (!options.picks) return parts;
    // A broad line that is easy to hit.
    return [el("g", {
      class: `pick${picked ? " chosen" : ""}`, role: "checkbox", tabindex: 0, "aria-checked": String(picked), "data-edge": id,
      "aria-label": nameOf(id) + (verdict ? `, ${signs.quizVerdicts[verdict]}` : ""), "aria-disabled": options.verdicts ? "true" : undefined,
      onclick: () => pick?.(id), onkeydown: pressed(() => pick?.(id)),
    }, el("path", { class: "broad", d: `M${x1} ${y1}L${x2} ${y2}` }), ...parts)];
  };

  const shape = (one) => {
    const transform = `translate(${one.x} ${one.y})`;
    if (one.fold) {
      return el("g", {
        class: "fold", transform, role: "button", tabindex: 0, "aria-label": signs.unfold(grouped(one.count)), "data-fold": one.fold[0],
        onclick: () => unfold(one), onkeydown: pressed(() => unfold(one)),
      }, el("rect", { x: -one.half, y: -18, width: 2 * one.half, height: 36, rx: 18 }), label(`+${grouped(one.count)}`, 0, 0));
    }
    const node = tree[one.id];
    const mark = shown.marks.get(one.id) ?? {};
    const inner = node.children.length > 0;
    const value = mark.visited ? brief(mark.value, mark.bound) : inner ? "" : brief(node.value);
    const size = inner ? Math.min(16, 30 / (value.length * 0.62)) : 16;
    const half = Math.max(17, wide(value, 16) / 2 + 6);
    const classes = [inner ? node.turn : "leaf", one.id === shown.now && shown.path.size && "now", shown.path.has(one.id) && "path", !mark.visited && "off", options.line?.has(one.id) && "line"];
    const group = el("g", { class: classes.filter(Boolean).join(" "), transform, "data-node": one.id },
      el("title", {}, signs.nodeTip(nameOf(one.id), inner ? node.turn.toUpperCase() : signs.leaf, value)),
      inner ? el("path", { class: "shape", d: SHAPES[node.turn] }) : el("rect", { class: "shape", x: -half, y: -17, width: 2 * half, height: 34, rx: 4 }),
      value && label(value, 0, inner ? (node.turn === "max" ? 11 : -11) : 0, { class: "value", "font-size": size }));
    if (inner && mark.visited && options.pruning && !mark.from && one.roomy) {
      const top = node.turn === "max" ? -14 : 2;
      group.append(label(`α ${brief(mark.alpha) || "−∞"}`, 22, top, { class: "window" }), label(`β ${brief(mark.beta) || "+∞"}`, 22, top + 14, { class: "window" }));
    }
    group.addEventListener("click", () => !options.picks && visit?.(one.id));
    return group;
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
    const focused = svg.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.edge : undefined;
    arranged = arrange(tree, shown, unfolded, names, whole, options.line);
    const edges = arranged.places.slice(1);
    const thick = (one) => (shown.path.has(one.id) || options.line?.has(one.id) ? 1 : 0);
    edges.sort((a, b) => thick(a) - thick(b));
    world.replaceChildren(...edges.flatMap(edge), ...arranged.places.map(shape));
    if (focused) /** @type {any} */ (svg.querySelector(`[data-edge="${focused}"]`))?.focus({ preventScroll: true });
    if (details.open) tellAll();
    aim();
  };

  handle(svg, camera);
  return {
    svg, details,
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

/** Where one looks: the same for all drawings that share it. */
export const newCamera = () => {
  /** @type {any} */
  const camera = { x: 0, y: 0, k: 1, auto: true, views: [] };
  const all = () => camera.views.forEach(({ aim }) => aim());
  const size = (svg) => ({ width: svg.clientWidth || 600, height: svg.clientHeight || 400 });
  /** All of the tree if it can be read then, else what is around the current node. */
  camera.fit = () => {
    camera.auto = true;
    const [view] = camera.views;
    const box = view?.box();
    if (!box) return;
    const { width, height } = size(view.svg);
    const [w, h] = [box.right - box.left, box.bottom - box.top];
    const whole = Math.min(LARGEST, (width - 16) / w, (height - 16) / h);
    camera.k = whole < SMALLEST ? IN_PART : whole;
    const focus = view.focus() ?? { x: 0, y: 0 };
    const along = (from, to, middle, room) =>
      (to - from) * camera.k <= room ? room / 2 - ((from + to) / 2) * camera.k : Math.min(8 - from * camera.k, Math.max(room - 8 - to * camera.k, room / 2 - middle * camera.k));
    camera.x = along(box.left, box.right, focus.x, width);
    camera.y = along(box.top, box.bottom, focus.y, height);
    all();
  };
  /** After something has changed: looks at all of it, or, if somebody has chosen where to look, at least where the search is. */
  camera.settle = () => {
    if (camera.auto) return camera.fit();
    const [view] = camera.views;
    const focus = view?.focus();
    if (!focus) return;
    const { width, height } = size(view.svg);
    const [x, y] = [focus.x * camera.k + camera.x, focus.y * camera.k + camera.y];
    if (x < 40 || x > width - 40) camera.x += width / 2 - x;
    if (y < 40 || y > height - 40) camera.y += height / 2 - y;
    all();
  };
  camera.pan = (dx, dy) => {
    camera.auto = false;
    camera.x += dx;
    camera.y += dy;
    all();
  };
  /** Zooms about a point of the drawing, or its middle. */
  camera.zoom = (by, x, y) => {
    const [view] = camera.views;
    if (!view) return;
    const { width, height } = size(view.svg);
    const [cx, cy] = [x ?? width / 2, y ?? height / 2];
    const k = Math.min(4, Math.max(0.1, camera.k * by));
    camera.auto = false;
    camera.x = cx - ((cx - camera.x) * k) / camera.k;
    camera.y = cy - ((cy - camera.y) * k) / camera.k;
    camera.k = k;
    all();
  };
  return camera;
};

/** Pointers, wheel and keys move the camera. */
const handle = (svg, camera) => {
  /** @type {Map<number, { x: number, y: number }>} */
  const down = new Map();
  let moved = false;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (down.size === 0) moved = false;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  svg.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    // A click may tremble a little.
    if (!moved && Math.hypot(now.x - before.x, now.y - before.y) < 4) return;
    if (!moved) svg.setPointerCapture(event.pointerId);
    moved = true;
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const area = svg.getBoundingClientRect();
      const by = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      camera.zoom(by, (now.x + other.x) / 2 - area.left, (now.y + other.y) / 2 - area.top);
    } else camera.pan(now.x - before.x, now.y - before.y);
    down.set(event.pointerId, now);
  });
  const up = (event) => down.delete(event.pointerId);
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(name, up);
  // What was dragged was not clicked.
  svg.addEventListener("click", (event) => {
    if (moved) event.stopPropagation();
    moved = false;
  }, { capture: true });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const area = svg.getBoundingClientRect();
    camera.zoom(Math.exp(-event.deltaY / 300), event.clientX - area.left, event.clientY - area.top);
  }, { passive: false });
  svg.addEventListener("keydown", (event) => {
    const pans = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (!event.shiftKey || !pans[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    camera.pan(...pans[event.key]);
  });
};

/** Buttons for whoever has no pointer. */
export const lens = (camera, more) => el("div", { class: "lens", role: "group", "aria-label": signs.lens },
  button("+", () => camera.zoom(1.25), { "aria-label": signs.zoomIn }), button("−", () => camera.zoom(0.8), { "aria-label": signs.zoomOut }),
  button(signs.fit, () => camera.fit()), ...more);

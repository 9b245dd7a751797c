// Where one looks at a tree: pan, zoom and fit, by pointers, wheel, keys and buttons.

import { button, el } from "./dom.js";
import { signs } from "./microscope-strings.js";

/** What is smaller cannot be read, what is larger looks odd; what does not fit even then is seen in part, at this size. */
const SMALLEST = 0.6;
const LARGEST = 1.6;
/** On a projector it can hardly be too large. */
const PROJECTED = 3;
const IN_PART = 0.85;

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
    const whole = Math.min(document.documentElement.dataset.look === "present" ? PROJECTED : LARGEST, (width - 16) / w, (height - 16) / h);
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
export const handle = (svg, camera) => {
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

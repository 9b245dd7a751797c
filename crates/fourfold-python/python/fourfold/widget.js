// The page of fourfold.widget: draws the state that Python sends, and asks for moves. It knows no
// rules.

const SVG = "http://www.w3.org/2000/svg";
const CELL = 44;

function el(name, attributes = {}, ...children) {
  const element = name === "svg" || name in SHAPES
    ? document.createElementNS(SVG, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const SHAPES = { rect: 1, circle: 1, polygon: 1, title: 1 };

function star(x, y) {
  const points = [];
  for (let index = 0; index < 10; index++) {
    const radius = index % 2 ? 4.8 : 11;
    const angle = (Math.PI * index) / 5;
    points.push(`${x + radius * Math.sin(angle)},${y - radius * Math.cos(angle)}`);
  }
  return el("polygon", { points: points.join(" "), class: "ff-star" });
}

function drawing(state) {
  const { width, height, cells, last, winning } = state;
  const svg = el("svg", {
    viewBox: `0 0 ${width * CELL} ${height * CELL}`,
    width: width * CELL,
    height: height * CELL,
    "aria-hidden": "true",
  });
  svg.append(el("rect", { width: width * CELL, height: height * CELL, rx: 12, class: "ff-frame" }));
  cells.forEach((disc, index) => {
    const x = ((index % width) + 0.5) * CELL;
    const y = (Math.floor(index / width) + 0.5) * CELL;
    const circle = (r, name) => svg.append(el("circle", { cx: x, cy: y, r, class: name }));
    circle(18, ["ff-well", "ff-red", "ff-yellow"][disc]);
    if (disc === 1) circle(8, "ff-ring");
    if (disc === 2) svg.append(star(x, y));
    if (winning.includes(index)) circle(19, "ff-winning");
    else if (index === last) circle(19, "ff-last");
  });
  return svg;
}

function score(value) {
  if (value === null || value === undefined) return "";
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}

function inWords(value) {
  if (value === null || value === undefined) return "";
  return value > 0 ? ", wins" : value < 0 ? ", loses" : ", draws";
}

function render({ model, el: host }) {
  const board = el("div", { class: "ff-board" });
  const status = el("p", { class: "ff-status", role: "status" });
  const button = (label, ask) => {
    const made = el("button", { type: "button" }, label);
    made.addEventListener("click", () => model.send({ ask }));
    return made;
  };
  const hints = button("Hints", "hints");
  const [undo, restart] = [button("Undo", "undo"), button("New game", "restart")];
  const bar = el("div", { class: "ff-bar" }, undo, restart, hints);
  const root = el("div", { class: "ff", role: "group" }, board, status, bar);
  host.append(root);

  const show = () => {
    const state = model.get("state");
    if (!state || !state.cells) return;
    const { width, height, gravity, legal, labels, scores } = state;
    // The button that had the focus keeps it, or the next that can be pressed.
    const focused = [...board.querySelectorAll("button")].indexOf(document.activeElement);
    const moves = labels.map((label, move) => {
      const what = gravity ? `Column ${label}` : label;
      const value = scores?.[move];
      const made = el(
        "button",
        { type: "button", class: "ff-move", "aria-label": what + inWords(value) },
        el("span", { class: `ff-score ff-${Math.sign(value ?? 0)}` }, score(value)),
      );
      made.disabled = state.over || !legal.includes(move);
      made.addEventListener("click", () => model.send({ ask: "move", move }));
      return made;
    });
    const grid = el("div", { class: "ff-moves" }, ...moves);
    grid.style.setProperty("--columns", String(width));
    grid.style.setProperty("--rows", String(gravity ? 1 : height));
    board.classList.toggle("ff-hinted", gravity && Boolean(scores));
    board.classList.toggle("ff-free", !gravity);
    board.replaceChildren(drawing(state), grid);
    if (focused >= 0) {
      const same = moves[focused];
      (same.disabled ? moves.find((one) => !one.disabled) : same)?.focus();
    }
    root.setAttribute("aria-label", state.title);
    hints.setAttribute("aria-pressed", String(state.hints));
    status.textContent = state.message;
  };
  model.on("change:state", show);
  show();
  return () => model.off("change:state", show);
}

export default { render };

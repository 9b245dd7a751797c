// Slides and their live trees, without a network: arrow keys, buttons, or a swipe.
"use strict";

const slides = [...document.querySelectorAll(".slide")];
let at = Math.min(Math.max(Number(location.hash.slice(1)) || 1, 1), slides.length) - 1;

const show = (index) => {
  at = Math.min(Math.max(index, 0), slides.length - 1);
  slides.forEach((slide, number) => slide.classList.toggle("shown", number === at));
  document.getElementById("place").textContent = `${at + 1} of ${slides.length}`;
  history.replaceState(null, "", `#${at + 1}`);
};

// A live tree: each frame has a node, a sentence, the text that nodes get, and edges that are cut.
const live = (figure) => {
  const frames = JSON.parse(figure.querySelector("script").textContent);
  const drawing = figure.querySelector("svg");
  const said = figure.querySelector(".said");
  const text = new Map([...drawing.querySelectorAll("[data-node]")].map((node) => [node, node.textContent]));
  let step = 0;
  const draw = () => {
    for (const [node, words] of text) node.textContent = words;
    drawing.querySelectorAll(".cut, .now").forEach((part) => part.classList.remove("cut", "now"));
    for (const frame of frames.slice(0, step)) {
      for (const [node, words] of Object.entries(frame.set)) {
        drawing.querySelector(`[data-node="${node}"]`).textContent = words;
      }
      for (const node of frame.cut) drawing.querySelector(`[data-edge="${node}"]`).classList.add("cut");
    }
    const frame = frames[step - 1];
    if (frame) drawing.querySelector(`[data-shape="${frame.node}"]`).classList.add("now");
    said.textContent = frame ? `${step} of ${frames.length}. ${frame.says}` : "Press Next step, or the arrow down.";
    figure.querySelector(".back").disabled = step === 0;
    figure.querySelector(".next").disabled = step === frames.length;
  };
  figure.move = (by) => {
    step = Math.min(Math.max(step + by, 0), frames.length);
    draw();
  };
  figure.querySelector(".back").addEventListener("click", () => figure.move(-1));
  figure.querySelector(".next").addEventListener("click", () => figure.move(1));
  draw();
};

document.querySelectorAll(".live").forEach(live);
document.getElementById("before").addEventListener("click", () => show(at - 1));
document.getElementById("after").addEventListener("click", () => show(at + 1));
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const tree = slides[at].querySelector(".live");
  if (["ArrowRight", "PageDown"].includes(event.key)) show(at + 1);
  else if (["ArrowLeft", "PageUp"].includes(event.key)) show(at - 1);
  else if (event.key === "ArrowDown" && tree) tree.move(1);
  else if (event.key === "ArrowUp" && tree) tree.move(-1);
  else return;
  event.preventDefault();
});
let touched = 0;
addEventListener("touchstart", (event) => { touched = event.changedTouches[0].clientX; }, { passive: true });
addEventListener("touchend", (event) => {
  const by = event.changedTouches[0].clientX - touched;
  if (Math.abs(by) > 80) show(at + (by < 0 ? 1 : -1));
});
show(at);

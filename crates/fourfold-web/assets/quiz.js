// The microscope's quiz: which edges are cut? One chooses, then sees.

import { lens, newCamera } from "./camera.js";
import { button, el, note, tell } from "./dom.js";
import { signs, words } from "./microscope-strings.js";
import { ancestors, drawing, replay } from "./tree.js";

/** @param {any} now @param {any} answer @param {any} set @param {any} search @param {any} plant */
export const quiz = (now, answer, set, search, plant) => {
  const { nodes, steps } = answer;
  const camera = newCamera();
  const picks = new Set((now.picks ?? "").split(".").filter(Boolean).map(Number).filter((id) => id > 0 && id < nodes.length));
  const cut = new Set(answer.cut.map((name) => Number(name.slice(2))));
  const checked = Boolean(now.checked);
  // Below a cut edge nothing is visited: to choose it is not wrong, but says nothing new.
  const hidden = (id) => ancestors(nodes, id).slice(1).some((above) => cut.has(above));
  const verdicts = checked ? new Map() : undefined;
  if (verdicts) {
    for (const id of cut) verdicts.set(id, picks.has(id) ? "right" : "missed");
    for (const id of picks) if (!cut.has(id) && !hidden(id)) verdicts.set(id, "wrong");
  }
  const count = (verdict) => [...(verdicts?.values() ?? [])].filter((one) => one === verdict).length;
  const chosen = el("p", {});
  const check = button(words.check, () => set({ checked: "1", picks: [...picks].join(".") }, { replace: true }), { class: "main" });
  const view = drawing(nodes, answer.board?.rules, {
    title: words.quizTree, camera,
    pick: (id) => {
      if (checked) return;
      if (!picks.delete(id)) picks.add(id);
      show();
      note({ ...now, picks: [...picks].join(".") });
    },
  });
  const shown = replay(nodes, steps, checked ? steps.length - 1 : -1);
  const show = () => {
    view.show({ ...shown, path: new Set() }, { picks, verdicts, pruning: checked });
    const edges = [...picks].sort((a, b) => a - b).map((id) => nodes[id].edge);
    chosen.textContent = edges.length ? words.chosen(edges.join(", ")) : words.noneChosen;
  };
  const why = (id) => steps.find((step) => step.step === "cut" && step.edges.includes(`E-${id}`))?.sentence ?? words.notCut;
  /** @type {Map<string, string[]>} */
  const reasons = new Map();
  for (const [id, verdict] of [...(verdicts ?? [])].sort(([a], [b]) => a - b)) {
    const told = `${nodes[id].edge} ${signs.quizSigns[verdict]} ${signs.quizVerdicts[verdict]}`;
    reasons.set(why(id), [...(reasons.get(why(id)) ?? []), told]);
  }
  const told = [...reasons].map(([reason, edges]) => el("li", {}, el("strong", {}, edges.join(", "), ". "), reason));
  const small = () => `${2 + Math.floor(Math.random() * 2)},3,${Math.floor(Math.random() * 1e6)}`;
  const asked = checked ? words.score(count("right"), count("missed"), count("wrong")) : words.question;
  return {
    camera, keys: { "+": () => camera.zoom(1.25), "-": () => camera.zoom(0.8), 0: () => camera.fit() }, details: [view.details],
    start: () => {
      show();
      camera.fit();
      tell(asked);
    },
    card: el("div", { class: "walk" },
      el("div", { class: "told-step" }, el("p", { class: "sentence" }, asked)),
      el("div", { class: "trees" }, el("figure", { class: "treed" }, view.svg), lens(camera, [])),
      el("div", { class: "under edit-tools", role: "group", "aria-label": words.quiz },
        checked ? el("ul", { class: "told-edges" }, ...told) : el("p", { class: "muted" }, words.quizHint), chosen,
        el("div", { class: "buttons" },
          checked ? button(words.again, () => set({ picks: undefined, checked: undefined }, { replace: true })) : check,
          button(words.another, () => plant({ random: small() })), button(words.leaveQuiz, () => search({ quiz: undefined }))))),
  };
};

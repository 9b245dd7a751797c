// The projector view: the board or tree and one sentence, large. P or the button switches it, Esc leaves it.

import { button } from "./dom.js";
import { words } from "./microscope-strings.js";

const root = document.documentElement;

/** Whether it is on. */
const isOn = () => root.dataset.look === "present";

/** @param {boolean} on */
const set = (on) => {
  if (on) root.dataset.look = "present";
  else delete root.dataset.look;
  for (const one of document.querySelectorAll(".present")) one.setAttribute("aria-pressed", String(on));
  // Drawings fit themselves to the new room.
  dispatchEvent(new Event("resize"));
};

/** The button that switches it, the one that is seen in it, and the keys. */
export const projector = () => ({
  button: button(words.present, () => set(!isOn()), { class: "present", "aria-pressed": String(isOn()), "aria-keyshortcuts": "p" }),
  leave: button("✕", () => set(false), { class: "leave-present", "aria-label": words.presentLeave, title: words.presentLeave, "aria-keyshortcuts": "Escape" }),
  keys: { p: () => set(!isOn()), Escape: () => set(false) },
});

// Sharing a position: its address, a picture, any notation.

import { words } from "./analyse-strings.js";
import { engine } from "./client.js";
import { button, copy, el, joined, tell } from "./dom.js";

/** A text with a button that copies it. @param {HTMLInputElement} field */
const copyButton = (field) => button(words.copy, async () => tell(await copy(field.value, field) ? words.copied : words.notCopied));

/** @param {any} study */
export const share = async (study) => {
  const { now, rules, path, memory } = study;
  const asked = { game: rules.game, moves: joined(rules, path), position: now.position };
  const { formats } = await (memory.catalogue ??= engine.catalogue());
  const address = el("input", { readonly: true, value: location.href.replace(/[?&]tab=share/, ""), "aria-label": words.link });
  const text = el("textarea", { readonly: true, rows: 3, "aria-label": words.notation, spellcheck: "false" });
  const write = async (format) => {
    memory.format = format;
    text.value = await engine.written(asked, format).then((found) => found.text, () => words.notIn);
  };
  const list = el("select", { name: "format", onchange: () => write(list.value) },
    ...formats.map(({ name, about }) => el("option", { value: name, selected: name === (memory.format ?? "columns") }, `${name}: ${about}`)));
  await write(memory.format ?? (rules.gravity ? "columns" : "cells"));
  list.value = memory.format;
  return [el("div", { class: "pad grow stack" }, el("h2", {}, words.shareTitle),
    el("div", { class: "row" }, el("label", { class: "grow" }, el("span", { class: "caption" }, words.link), address), copyButton(address)),
    el("div", { class: "row" }, el("span", { class: "caption" }, words.picture),
      el("a", { class: "button", download: "board.svg", href: engine.picture(asked, "svg") }, words.svg),
      el("a", { class: "button", download: "board.png", href: engine.picture(asked, "png") }, words.png)),
    el("label", {}, el("span", { class: "caption" }, words.notation), list),
    el("div", { class: "row" }, el("div", { class: "grow" }, text), copyButton(text)))];
};

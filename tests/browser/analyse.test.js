// Analyse: results as they come, a tree of variations by mouse and by keys, the explorer, the editor, sharing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, phone, says, site } from "./harness.js";

const { visit } = await site();

const param = (page, name) => new URL(page.url()).searchParams.get(name);
/** Waits until the address says so. */
const at = (page, moves) => page.waitForFunction((text) => (new URL(location.href).searchParams.get("moves") ?? "") === text, moves);

test("every column gets its exact result, and the best line can be played", () =>
  visit("/analyse?moves=444444333332252266", {}, async (page) => {
    await says(page, /Yellow wins in 2 moves/);
    assert.deepEqual(await page.locator(".top .sign").allTextContents(), ["L1", "L1", "L1", "L2", "L1", "L1"]);
    assert.equal(await page.locator(".top .result.best").count(), 1);
    await page.locator(".pv").first().waitFor();
    assert.equal(await page.locator(".pv").count(), 3);
    await page.locator(".pv").first().click({ position: { x: 20, y: 20 } });
    await at(page, "4444443333322522665");
    await says(page, /Yellow wins in 2 moves/);
    await page.keyboard.press("ArrowLeft");
    await at(page, "444444333332252266");
  }));

test("going back keeps the line, another move starts a variation, and keys walk through the tree", () =>
  visit("/analyse?moves=4453", {}, async (page) => {
    await says(page, /wins in|draw/i);
    await page.keyboard.press("ArrowLeft");
    await at(page, "445");
    assert.equal(param(page, "tree"), "4453");
    await page.keyboard.press("2");
    await at(page, "4452");
    assert.equal(param(page, "tree"), "4453(2)");
    await says(page, /wins in|draw/i);
    await page.waitForFunction(() => document.querySelectorAll(".tree .mv").length === 5);
    // Up and down change the variation, right and left follow it.
    await page.keyboard.press("ArrowUp");
    await at(page, "4453");
    await page.keyboard.press("ArrowDown");
    await at(page, "4452");
    await page.keyboard.press("Home");
    await at(page, "");
    await page.keyboard.press("End");
    await at(page, "4453");
    await page.keyboard.press("ArrowDown");
    await at(page, "4452");
    await page.keyboard.press("p");
    await page.waitForFunction(() => new URL(location.href).searchParams.get("tree") === "4452(3)");
    // The address alone brings it back.
    await page.reload();
    await page.locator(".tree .var").waitFor();
    await page.keyboard.press("Delete");
    await at(page, "445");
    assert.equal(param(page, "tree"), "4453");
  }));

test("the graph leads to a move, and mistakes are marked", () => visit("/analyse?moves=445334453133", {}, async (page) => {
  await page.locator(".line-graph").waitFor();
  assert.equal(await page.locator(".line-graph span").count(), 12);
  assert(await page.locator(".mv.bad").count() >= 3);
  await page.locator(".line-graph span").nth(3).click();
  await at(page, "4453");
  assert.equal(param(page, "tree"), "445334453133");
}));

test("the explorer knows the opening, and counts one's own games", () => visit("/analyse?tab=explorer", {}, async (page) => {
  await says(page, /Red wins in 21 moves/);
  await page.getByText("from the opening book").waitFor();
  // The empty board is its own mirror image: four rows instead of seven.
  assert.equal(await page.locator(".explorer tbody tr").count(), 4);
  assert.match(await page.locator(".explorer tbody tr").first().innerText(), /^4\s+Win in 21/);
  await page.evaluate(() => localStorage.setItem("games", JSON.stringify([
    { game: "7x6c4", moves: "4412", you: "first", against: "level:1", result: "first" },
    { game: "7x6c4", moves: "34", you: "second", against: "level:1", result: "draw" },
    { game: "7x6c4", moves: "4", you: "both", against: "level:1", result: "first" },
  ])));
  await page.reload();
  await page.locator(".explorer tbody tr").first().getByText("1 · 100").waitFor();
  await page.locator(".explorer tbody tr").nth(1).getByText("1 · 50").waitFor();
  await page.getByRole("button", { name: "column 4" }).first().click();
  await at(page, "4");
}));

test("a position is set up disc by disc, and stays a position", () => visit("/analyse?tab=edit", {}, async (page) => {
  await page.getByText("0 red, 0 yellow: Red to move.").waitFor();
  await page.locator('[aria-label^="d1"]').click();
  await page.getByText("1 red, 0 yellow: Yellow to move.").waitFor();
  await page.locator('[aria-label^="d2"]').click();
  await page.getByText(/2 red and 0 yellow.*add 1 yellow/).waitFor();
  await page.getByRole("radio", { name: "Yellow" }).check();
  await page.locator('[aria-label^="a1"]').click();
  await page.getByText("2 red, 1 yellow: Yellow to move.").waitFor();
  await accessible(page);
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await says(page, /wins in|draw/i);
  assert.equal(param(page, "position"), "7/7/7/7/3x3/o2x3 o");
  // No last move is made up: lines that appear below a resting pointer are not previewed, one that is pointed at is.
  const last = page.locator(".cell.last");
  await page.locator(".pv").first().waitFor();
  assert.equal(await last.count(), 0);
  await page.locator(".pv [data-index]").nth(1).hover();
  await last.waitFor();
  await page.mouse.move(1, 1);
  await last.waitFor({ state: "detached" });
  // One can play on from there.
  await page.keyboard.press("4");
  await at(page, "4");
  await page.locator('.last[aria-label^="d3, yellow"]').waitFor();
}));

test("any notation can be pasted, nothing is dropped in silence, nonsense is explained", () => visit("/analyse?tab=edit", { wrong: true }, async (page) => {
  const paste = async (text) => {
    await page.getByLabel("Or paste").fill(text);
    await page.getByRole("button", { name: "Show" }).click();
  };
  await paste("......./......./......./......./...o.../..oxx..");
  await page.waitForFunction(() => new URL(location.href).searchParams.get("position"));
  await says(page, /wins in|draw/i);
  assert.equal(await page.locator(".cell.last").count(), 0);
  await page.goto(`${new URL(page.url()).origin}/analyse?tab=edit`);
  await paste("4453 5");
  await page.getByText(/score of 5/).waitFor();
  await at(page, "4453");
  await page.goto(`${new URL(page.url()).origin}/analyse?tab=edit`);
  await paste("what is this");
  await page.locator(".status.wrong").waitFor();
  assert.doesNotMatch(await page.locator(".status").innerText(), /from=|from \(/);
}));

test("a position is shared as a link, a text and a picture", () => visit("/analyse?moves=4453&tab=share", {}, async (page) => {
  await page.getByLabel("As text").first().selectOption("fen");
  await page.waitForFunction(() => /2oxx2/.test(/** @type {any} */ (document.querySelector("textarea"))?.value));
  const kinds = await page.evaluate(() => Promise.all([...document.querySelectorAll("a[download]")].map(async (anchor) => {
    const answer = await fetch(/** @type {any} */ (anchor).href);
    return [answer.headers.get("content-type"), (await answer.arrayBuffer()).byteLength > 2000];
  })));
  assert.deepEqual(kinds, [["image/svg+xml", true], ["image/png", true]]);
  await accessible(page);
}));

test("what cannot be solved in time is estimated, and said to be", () => visit("/analyse?game=9x7c4&time=2", {}, async (page) => {
  await page.getByText(/Not solved within .* estimates/).waitFor();
  assert.equal(await page.locator(".result.guess").count(), 9);
  assert.equal(await page.locator(".result.guess.best").count(), 1);
}));

test("threats never contradict the result", () => visit("/analyse?moves=1122", {}, async (page) => {
  await says(page, /wins in|draw/i);
  await page.keyboard.press("t");
  await page.getByText(/An explanation, not a proof/).waitFor();
}));

test("it is whole on a phone", () => visit("/analyse?moves=445334453133", phone, async (page) => {
  await page.locator(".line-graph").waitFor();
  await accessible(page);
  await page.getByRole("button", { name: "Back", exact: true }).tap();
  await at(page, "44533445313");
}));

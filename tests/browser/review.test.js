// Review: a game as a story, its moments, trying again, stepping through.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, open, phone, says, site } from "./harness.js";

const { visit } = await site();

/** Tic-tac-toe: Yellow throws the draw away with its first move. */
const LOST = "/review?game=3x3c3f&moves=b2+b1+a1+c3+a2+c2+a3";
/** What the status line says, every time that it changes. */
const listen = (page) => page.evaluate(() => {
  const heard = (/** @type {any} */ (window).heard = []);
  const status = /** @type {Node} */ (document.querySelector(".status"));
  new MutationObserver(() => heard.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
});
const heard = (page) => page.evaluate(() => /** @type {any} */ (window).heard.splice(0));

test("a game is told: headline, accuracy, graph, moments", () => visit(`${LOST}&you=second&against=character:juno`, {}, async (page) => {
  await says(page, /You were holding the draw until move 1\. \d key moments?\./);
  await page.getByRole("heading", { name: "You were holding the draw until move 1" }).waitFor();
  await page.getByText("Juno won on move 4").waitFor();
  await page.getByRole("group", { name: "Juno: 100 % accuracy" }).waitFor();
  await page.getByRole("img", { name: "Who stands better after each move" }).waitFor();
  const moment = page.getByRole("button", { name: /The move that cost the game/ });
  assert.equal(await moment.getAttribute("aria-expanded"), "true");
  await page.locator(".moment-body", { hasText: "You played cell b1, which loses in 3 moves." }).waitFor();
  await page.locator(".note.better b", { hasText: "Better" }).waitFor();
  await page.locator(".note.slip b", { hasText: "Played" }).waitFor();
  await accessible(page);
}));

test("without names the sides are Red and Yellow", () => visit(LOST, {}, async (page) => {
  await says(page, /Yellow was holding the draw until move 1\./);
}));

test("each step is one clean sentence", () => visit(`${LOST}&at=2`, {}, async (page) => {
  await says(page, /key moment/);
  await listen(page);
  await page.keyboard.press("ArrowRight");
  await says(page, /Move 2: /);
  assert.deepEqual(await heard(page), ["Move 2: Red played a1, a best move."]);
  await page.getByRole("button", { name: "Back one move" }).click();
  await says(page, /Move 1: /);
  const [sentence, ...more] = await heard(page);
  assert.match(sentence, /^Move 1: Yellow played b1, a blunder; (a3|c3|a1|c1) draws\.$/);
  assert.deepEqual(more, []);
  await page.keyboard.press("Home");
  await says(page, /Start of the game\./);
  assert.deepEqual(await heard(page), ["Start of the game."]);
  await page.keyboard.press("End");
  await says(page, /Move 4: Red played a3/);
  assert.equal((await heard(page)).length, 1);
  await page.getByText("7 / 7").waitFor();
  assert.match(page.url(), /at=7/);
}));

test("a moment is tried again: wrong, then right, then played on", () => visit(`${LOST}&you=second&against=character:juno`, {}, async (page) => {
  await says(page, /key moment/);
  await page.getByRole("button", { name: /The move that cost the game/ }).click();
  await page.getByRole("button", { name: "Retry" }).click();
  await says(page, /You played b1\. Find a move that keeps the draw\./);
  assert.equal(await page.locator(".note").count(), 0, "the answer is hidden");
  assert.equal(await page.locator(".chip-result").count(), 0);
  await page.locator('[data-move="b3"]').click();
  await says(page, /Not this one\. B3 loses in 3 moves\./);
  await page.getByRole("button", { name: "Try again" }).click();
  await says(page, /Find a move/);
  await page.locator('[data-move="a3"]').click();
  await says(page, /Yes\. A3 draws\./);
  await accessible(page);
  await page.getByRole("link", { name: "Play on from here" }).click();
  await page.waitForURL(/play\?.*moves=b2\+a3.*you=second.*against=character:juno/);
}));

test("the better line is shown move by move", () => visit(LOST, { reduced: true }, async (page) => {
  await says(page, /key moment/);
  await page.getByRole("button", { name: /The move that cost the game/ }).click();
  await listen(page);
  await page.getByRole("button", { name: "Show me" }).click();
  await says(page, /That was the better line\./);
  const told = await heard(page);
  assert.match(told[0], /^1 of \d: Yellow plays (a3|c3|a1|c1)\.$/);
  assert.equal(told.length, Number(told[0].match(/of (\d)/)[1]) + 1);
  await page.getByRole("button", { name: "Back to the game" }).click();
  await says(page, /Move 1: Yellow played b1/);
}));

test("a game that nobody spoilt is praised", () => visit("/review?game=3x3c3f&moves=b2+a3+c3+a1+a2+c2+b3+b1+c1", {}, async (page) => {
  await says(page, /Neither side put a foot wrong\./);
  await page.getByText("A draw after 9 moves").waitFor();
}));

test("without a game: those of the device, an example, or a pasted one", () => visit("/review", { wrong: true }, async (page) => {
  await says(page, /Which game shall we look at\?/);
  await page.getByRole("link", { name: "See an example" }).waitFor();
  await accessible(page);
  await page.evaluate(() => localStorage.setItem("games", JSON.stringify([
    { date: "2026-11-01T10:00:00Z", game: "3x3c3f", moves: "b2 b1 a1 c3 a2 c2 a3", you: "first", against: "character:juno", result: "first" }])));
  await page.reload();
  await page.getByRole("link", { name: /Against Juno.*7 moves.*You won/ }).waitFor();
  await accessible(page);
  const field = page.getByLabel("Paste a game");
  await field.fill("4444444");
  await page.getByRole("button", { name: "Review" }).click();
  await page.locator(".refused", { hasText: "column 4 is full" }).waitFor();
  await field.fill("  ");
  await page.getByRole("button", { name: "Review" }).click();
  await page.locator(".refused", { hasText: "There is no game yet" }).waitFor();
  await page.getByRole("link", { name: /Against Juno/ }).click();
  await says(page, /You took the chance on move 2\./);
}));

test("a phone has the headline, the board and the steps on one screen", () => visit(`${LOST}&you=second&against=character:juno`, phone, async (page) => {
  await says(page, /key moment/);
  const bottom = await page.getByRole("button", { name: "Forward one move" }).evaluate((button) => button.getBoundingClientRect().bottom);
  const screen = await page.evaluate(() => innerHeight);
  assert(bottom <= screen, `the steps end at ${bottom} of ${screen}`);
  await accessible(page);
}));

test("what there is no time for is said, not guessed", async () => {
  const hurried = await open("--time", "200");
  try {
    await hurried.visit("/review?game=9x7c4&moves=5555544", {}, async (page) => {
      await says(page, /How the game went\. 0 key moments\./);
      await page.getByText("There was not enough time for every move.").waitFor();
      assert.equal(await page.getByText("No turning points").count(), 0);
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      await says(page, /^Move 1: Red played column 5(, [^;]+)?(; [^;]+)?\.$/);
    });
  } finally {
    await hurried.end();
  }
});

test("a friend is no machine", () => visit(`${LOST}&you=first&against=friend`, {}, async (page) => {
  await says(page, /You took the chance on move 2\./);
  await page.getByRole("group", { name: /^Your friend: \d+ % accuracy$/ }).waitFor();
  await page.locator(".moment-body", { hasText: "Your friend played cell b1" }).waitFor();
}));

test("a board to look at takes no moves", () => visit(`${LOST}&at=2`, {}, async (page) => {
  await says(page, /key moment/);
  await listen(page);
  await page.locator('[data-move="c1"]').click();
  await page.getByRole("button", { name: "Forward one move" }).click();
  await says(page, /Move 2: /);
  assert.equal((await heard(page)).length, 1, "the click said nothing");
}));

test("a game that is none is explained, and can be mended", () => visit("/review?moves=4444444", { wrong: true }, async (page) => {
  await page.locator(".refused", { hasText: "column 4 is full" }).waitFor();
  const field = page.getByLabel("Paste a game");
  assert.equal(await field.inputValue(), "4444444");
  await field.fill("1212121");
  await page.getByRole("button", { name: "Review" }).click();
  await says(page, /Yellow .*\. \d key moments?\./);
  await page.getByText("Red won on move 4").waitFor();
}));

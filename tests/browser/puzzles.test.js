// Puzzles: solved, failed, with hints; the rating, the streak, and the same puzzle of the day for everybody.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, phone, says, site } from "./harness.js";

const { address, visit } = await site();

/** A puzzle as the service gives it. @param {string} query @returns {Promise<any>} */
const puzzle = async (query) => (await fetch(`${address}/api/v1/puzzle?${query}`)).json();

/** The own rating as shown, as a number. @param {import("playwright-core").Page} page */
const rating = async (page) => Number.parseInt(await page.locator(".own-rating").innerText(), 10);

/** Plays the moves that are asked for. @param {import("playwright-core").Page} page @param {any} task */
const solve = async (page, task) => {
  for (let step = 0; step < task.asked; step++) {
    await page.keyboard.press(task.line[2 * step]);
    await says(page, step + 1 < task.asked ? /What next\?/ : /That’s it!/);
  }
};

/** A column that can be played and is wrong. @param {any} task */
const wrongMove = (task) => task.position.legal.map(({ move }) => move).find((move) => move !== task.line[0]);

test("a puzzle is solved move by move, and the rating rises", async () => {
  const task = await puzzle("theme=win3&rating=900&seed=1");
  await visit(`/puzzles?number=${task.number}`, {}, async (page) => {
    await says(page, /Win in 3/);
    const before = await rating(page);
    await solve(page, task);
    await says(page, /Rating \+\d+/);
    assert(await rating(page) > before);
    await page.getByRole("button", { name: "Play it out" }).click();
    await page.locator(".board.won").waitFor();
    // The same again does not count.
    const after = await rating(page);
    await page.reload();
    await says(page, /Win in 3/);
    await solve(page, task);
    await says(page, /tried this one before/);
    assert.equal(await rating(page), after);
    await page.getByRole("link", { name: "Next puzzle" }).click();
    await page.waitForURL((url) => url.searchParams.get("number") !== String(task.number));
  });
});

test("a wrong move is refuted on the board, and can be tried again", async () => {
  const task = await puzzle("theme=defend&rating=700&seed=2");
  await visit(`/puzzles?number=${task.number}`, {}, async (page) => {
    await says(page, /Hold the draw/);
    const before = await rating(page);
    const discs = await page.locator(".cell .disc:not(.ghost)").count();
    await page.keyboard.press(wrongMove(task));
    await says(page, /Not quite\. (Red|Yellow) answers column \d and wins.*Rating −\d+/);
    assert.equal(await page.locator(".cell .disc:not(.ghost)").count(), discs + 2);
    assert.equal(await page.locator(".cell.bad").count(), 1);
    const after = await rating(page);
    assert(after < before);
    await accessible(page);
    await page.keyboard.press("r");
    await says(page, /Hold the draw/);
    assert.equal(await page.locator(".cell .disc:not(.ghost)").count(), discs);
    await solve(page, task);
    assert.equal(await rating(page), after);
  });
});

test("hints give the idea, then the column, and count as half", async () => {
  const task = await puzzle("theme=win2&rating=800&seed=3");
  await visit(`/puzzles?number=${task.number}`, {}, async (page) => {
    await says(page, /Win in 2/);
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".told-hint").waitFor();
    await says(page, /\w/);
    assert.equal(await page.locator(".cell.hinted").count(), 0);
    await solve(page, task);
    await says(page, /The hint counts as half/);
  });
  await visit(`/puzzles?number=${task.number}`, {}, async (page) => {
    await says(page, /Win in 2/);
    await page.keyboard.press("h");
    await page.keyboard.press("h");
    await says(page, new RegExp(`It is column ${task.line[0]}`));
    assert.equal(await page.locator(".cell.hinted").count(), 1);
    await page.keyboard.press("s");
    await says(page, /The solution/);
    await page.locator(".board.won").waitFor();
    await accessible(page);
  });
});

test("the puzzle of the day is the same for everybody, and a streak is kept", async () => {
  const shown = [];
  for (const look of [{}, { ...phone, reduced: true }]) {
    await visit("/puzzles", look, async (page) => {
      await says(page, /Win in|Find the only move|Hold the draw/);
      shown.push(await page.locator(".home .cell .disc:not(.ghost)").count(), await page.locator(".ask h2").innerText());
      const task = await puzzle(`day=${new Date().toISOString().slice(0, 10)}`);
      shown.push(task.number);
      await page.getByText("0 days").waitFor();
      await solve(page, task);
      await page.getByText("1 day", { exact: true }).waitFor();
      await page.reload();
      await page.getByText("1 day", { exact: true }).waitFor();
      await page.getByText(/Solved today/).waitFor();
      await accessible(page);
    });
  }
  assert.deepEqual(shown.slice(0, 3), shown.slice(3));
});

test("a streak ends with a day that was missed", () => visit("/healthz", {}, async (page) => {
  const day = (back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const set = (days) => page.evaluate((value) => localStorage.setItem("puzzles", value), JSON.stringify({ days, bestDays: 3 }));
  await set([day(1), day(2), day(3)]);
  await page.goto(`${address}/puzzles`);
  await page.getByText("3 days", { exact: true }).waitFor();
  await set([day(2), day(3), day(4)]);
  await page.reload();
  await page.getByText("0 days", { exact: true }).waitFor();
}));

test("practice by level, theme and game", () => visit("/puzzles?number=1", {}, async (page) => {
  await says(page, /to move/);
  await page.getByLabel("Theme").selectOption("zugzwang");
  await page.waitForURL(/theme=zugzwang&number=/);
  await page.getByRole("link", { name: /Fiendish/ }).click();
  await page.waitForURL(/theme=zugzwang.*level=5/);
  await page.getByLabel("Game").selectOption("5x5c4f");
  await page.waitForURL(/game=5x5c4f&number=/);
  await page.locator(".board.loose").waitFor();
  await page.keyboard.press("n");
  await says(page, /to move/);
}));

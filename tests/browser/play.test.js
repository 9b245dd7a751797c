// Whole games by mouse, by keyboard and by touch, and what Play says and refuses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, phone, says, site } from "./harness.js";

const { visit } = await site();

const over = (page) => page.locator(".board.over").count();
/** Waits until it is one's turn again, or the game is over. */
const settled = (page) => page.waitForFunction(() => document.querySelector(".board:not(.busy)") && !/Thinking/.test(document.querySelector(".status")?.textContent ?? ""));
const discs = (page) => page.locator(".cell .disc:not(.ghost)").count();

/** Plays to the end: one move after another until the board says that it is over. */
const whole = async (page, choose) => {
  await settled(page);
  for (let move = 0; move < 50 && !(await over(page)); move += 1) {
    const before = await discs(page);
    await choose(page, move);
    await page.waitForFunction((count) => document.querySelectorAll(".cell .disc:not(.ghost)").length > count, before);
    await settled(page);
  }
  assert.equal(await over(page), 1);
  await says(page, /You win!|The computer wins\.|A draw\.|wins\./);
  const drawn = await page.evaluate(() => /draw/i.test(document.querySelector(".status")?.textContent ?? ""));
  assert.equal(await page.locator(".cell.won").count() > 0, !drawn);
};

/** A button of the board that may be pressed; which, changes from move to move. */
const free = async (page, move) => {
  const open = page.locator(".top:not([aria-disabled]), button.cell:not([aria-disabled])");
  return open.nth((3 * move + 1) % (await open.count()));
};

const byMouse = async (page, move) => (await free(page, move)).click();
const byTouch = async (page, move) => (await free(page, move)).tap();
const byKeys = async (page, move) => {
  const target = await (await free(page, move)).getAttribute("data-move");
  if (/^\d$/.test(String(target))) return page.keyboard.press(String(target));
  // Cells: the arrows lead from empty cell to empty cell.
  await page.locator("button.cell:not([data-taken])").first().focus();
  const keys = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"];
  for (let step = 0; step < move % 3; step += 1) await page.keyboard.press(keys[step % 4]);
  await page.keyboard.press("Enter");
};

for (const [game, level] of [["7x6c4", "lookahead:2"], ["7x6s2", "lookahead:1"], ["3x3c3f", "naive"]]) {
  for (const [way, choose, look] of [["mouse", byMouse, {}], ["keyboard", byKeys, {}], ["touch on a phone", byTouch, phone]]) {
    test(`a game of ${game} by ${way}`, () =>
      visit(`/play?seed=3&game=${game}&against=${level}`, look, (page) => whole(page, choose)));
  }
}

test("two people on one screen", () => visit("/play?seed=1&you=both", {}, async (page) => {
  await says(page, /Red to move/);
  for (const [index, column] of [..."1212121"].entries()) {
    await page.locator(`.top[data-move="${column}"]`).click();
    await page.waitForFunction((count) => document.querySelectorAll(".cell .disc:not(.ghost)").length === count, index + 1);
  }
  await says(page, /Red wins/);
  await page.locator('[aria-label="a4, red, last move, winning"]').waitFor();
  await page.locator(".top").first().click({ force: true });
  await says(page, /The game is over/);
}));

test("two engines, and one watches", () => visit("/play?seed=1&game=3x3c3f&you=none&against=perfect", {}, async (page) => {
  await says(page, /A draw/);
  assert.equal(await discs(page), 9);
}));

test("each side may have an engine of its own", () =>
  visit("/play?seed=1&game=3x3c3f&you=none&first=perfect&second=naive", {}, async (page) => {
    await says(page, /Red wins|A draw/);
    assert.match(page.url(), /first=perfect&second=naive/);
  }));

test("a clock that is run down decides the game", () =>
  visit("/play?seed=1&you=both&clock=1&used=59.5,3&moves=44", {}, async (page) => {
    await says(page, /Red has run out of time\. Yellow wins\./);
    await page.locator(".clock", { hasText: "0:00" }).waitFor();
    await page.keyboard.press("n");
    await page.locator('.clock[data-side="first"]', { hasText: "1:00" }).waitFor();
  }));

test("a full column says why it is refused", () => visit("/play?seed=1&you=both&moves=444444", {}, async (page) => {
  await says(page, /to move/);
  await page.locator('.top[data-move="4"]').click({ force: true });
  await says(page, /Column 4 is full\. Choose another\./);
  assert.equal(await discs(page), 6);
}));

test("undo, redo, hint, results, resign, new game", () => visit("/play?seed=1&moves=4453", {}, async (page) => {
  await says(page, /Your move/);
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 2);
  await page.keyboard.press("r");
  await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 4);
  await page.keyboard.press("h");
  await says(page, /Hint: column \d/);
  await page.locator(".cell.hinted").waitFor();
  await page.keyboard.press("a");
  await page.waitForFunction(() => document.querySelectorAll(".top .result").length === 7);
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "Resign" }).click();
  await says(page, /Red resigns\. The computer wins\./);
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 0);
  await says(page, /Your move/);
}));

test("the sheet: another opponent, side and board", () => visit("/play?seed=1", {}, async (page) => {
  await says(page, /Your move/);
  await page.getByRole("button", { name: "New game" }).click();
  const sheet = page.getByRole("dialog", { name: "New game" });
  await sheet.getByRole("radio", { name: /Otto/ }).check();
  await accessible(page);
  await sheet.getByRole("radio", { name: "both" }).check();
  await sheet.getByText("Other size…").click();
  await sheet.getByLabel("Columns").fill("5");
  await sheet.getByLabel("Rows").fill("4");
  await sheet.getByLabel("Length").fill("3");
  await sheet.getByRole("button", { name: "Play on this device" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".cell").length === 20);
  assert.match(page.url(), /game=5x4c3&.*you=both/);
  await accessible(page);
}));

test("boards that cannot be are explained", () => visit("/play?seed=1", { wrong: true }, async (page) => {
  await says(page, /Your move/);
  await page.keyboard.press("n");
  const sheet = page.getByRole("dialog", { name: "New game" });
  await sheet.getByText("Other size…").click();
  await sheet.getByLabel("Columns").fill("2");
  await sheet.getByLabel("Rows").fill("2");
  await sheet.getByLabel("Length").fill("9");
  await sheet.getByRole("button", { name: /^Play/ }).click();
  await page.locator(".status.wrong").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".cell").count(), 42);
}));

test("after the game: the score, a rematch with sides swapped, the next opponent", () =>
  visit("/play?seed=1&against=script:222&you=first", {}, async (page) => {
    await says(page, /Your move/);
    for (const count of [2, 4, 6]) {
      await page.keyboard.press("1");
      await page.waitForFunction((expected) => document.querySelectorAll(".cell .disc:not(.ghost)").length === expected, count);
      await says(page, /Your move/);
    }
    await page.keyboard.press("1");
    await says(page, /You win!/);
    await page.getByText("You 1 : 0").waitFor();
    await accessible(page);
    await page.getByRole("button", { name: "Rematch" }).click();
    await page.waitForURL(/you=second/);
    await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 1);
  }));

test("a game goes on where it was left", () => visit("/play?seed=1&you=both", {}, async (page) => {
  await says(page, /to move/);
  for (const [index, column] of [..."443"].entries()) {
    await page.keyboard.press(column);
    await page.waitForFunction((count) => document.querySelectorAll(".cell .disc:not(.ghost)").length === count, index + 1);
    await says(page, index % 2 ? /Red to move/ : /Yellow to move/);
  }
  await page.getByRole("link", { name: "Learn" }).click();
  await page.getByRole("heading", { name: "Win or block" }).waitFor();
  await page.goto(new URL("/play", page.url()).href);
  await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 3);
}));

test("a disc falls behind the board, faster and faster, at once", () => visit("/play?seed=1&you=both", {}, async (page) => {
  await says(page, /to move/);
  const heights = await page.evaluate(() => new Promise((done) => {
    const seen = [];
    /** @type {HTMLElement} */ (document.querySelector('.top[data-move="4"]')).click();
    const look = () => {
      const disc = document.querySelector(".cell .falls");
      if (disc) seen.push(disc.getBoundingClientRect().top);
      if (disc || !seen.length) requestAnimationFrame(look);
      else done(seen);
    };
    look();
  }));
  assert(heights.length > 5, `${heights.length} frames`);
  const rest = Math.max(...heights);
  // What follows is the bounce.
  const ground = heights.findIndex((height) => height > rest - 20);
  const way = heights.slice(0, ground + 1);
  assert(way.every((height, index) => index === 0 || height >= way[index - 1]), `it falls: ${way}`);
  const cell = await page.locator(".cell").first().evaluate((one) => one.getBoundingClientRect().height);
  assert(rest - way[0] > 4 * cell, "from above the board");
}));

test("discs do not fall where less motion is asked for", async () => {
  const animated = async (look) => {
    let names;
    await visit("/play?seed=1&you=both", look, async (page) => {
      await says(page, /to move/);
      await page.keyboard.press("4");
      names = await page.locator(".falls").first().evaluate((disc) => getComputedStyle(disc).animationName);
    });
    return names;
  };
  assert.equal(await animated({}), "fall");
  assert.equal(await animated({ reduced: true }), "none");
});

// What stays on the device, and what happens when the server goes away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, says, site } from "./harness.js";

const { address, visit, kill, restart } = await site();

const discs = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll(".cell .disc:not(.ghost)").length === wanted, count);

test("games that are finished or left are listed, gone on with and deleted", () => visit("/play?seed=1&you=both&moves=121212", {}, async (page) => {
  await says(page, /to move/);
  await page.keyboard.press("1");
  await says(page, /Red wins/);
  // Another game is left for a third one.
  await page.goto(`${address}/play?seed=2&you=both&moves=44`);
  await says(page, /to move/);
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "New game" }).getByRole("button", { name: /^Play/ }).click();
  await discs(page, 0);
  await page.goto(`${address}/games`);
  await says(page, /2 games/);
  assert.equal(await page.locator(".game").count(), 2);
  await accessible(page);
  await page.getByRole("button", { name: /^Go on/ }).click();
  await discs(page, 2);
  await page.goto(`${address}/games`);
  await says(page, /1 game/);
  await page.getByRole("button", { name: "Delete all" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete all" }).click();
  await page.getByText("No games yet.").waitFor();
}));

test("how it went is counted", () => visit("/games", {}, async (page) => {
  await page.evaluate(() => localStorage.setItem("games", JSON.stringify([
    { date: "2026-01-03T00:00:00Z", game: "7x6c4", moves: "4444", you: "first", against: "level:2", result: "first" },
    { date: "2026-01-02T00:00:00Z", game: "7x6c4", moves: "4444", you: "second", against: "level:2", result: "second" },
    { date: "2026-01-01T00:00:00Z", game: "7x6c4", moves: "4444", you: "first", against: "level:2", result: "draw" },
    { date: "2026-01-01T00:00:00Z", game: "3x3c3f", moves: "b2 a1", you: "first", against: "perfect", result: "second" },
  ])));
  await page.reload();
  await says(page, /4 games/);
  const rows = await page.locator(".figures tbody tr").allInnerTexts();
  assert.deepEqual(rows.map((row) => row.split(/\s*\t\s*/).slice(1)).sort(), [["1", "0", "0", "1", "0\u202f%"], ["3", "2", "1", "0", "83\u202f%"]]);
  await page.getByText("Longest run of wins: 2.").waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as text" }).click()]);
  assert.equal(file.suggestedFilename(), "fourfold-games.txt");
}));

test("a reload gives no time back", () => visit("/play?seed=5&you=both&clock=1&moves=4&used=10.0,0.0", {}, async (page) => {
  const left = () => page.locator('.clock[data-side="second"]').innerText();
  await says(page, /to move/);
  // The move began a while ago.
  await page.evaluate(() => {
    const turn = JSON.parse(localStorage.getItem("turn") ?? "{}");
    localStorage.setItem("turn", JSON.stringify({ ...turn, since: turn.since - 30_000 }));
  });
  await page.reload();
  await says(page, /to move/);
  assert.match(await left(), /^0:[0-2]\d$/);
}));

test("a player that does not exist is said so", () => visit("/play?seed=1&you=second&against=nobody", { wrong: true }, async (page) => {
  await page.getByRole("heading", { name: "That did not work" }).waitFor();
  assert.doesNotMatch(await page.locator(".panel").innerText(), /Thinking/);
  await page.getByRole("button", { name: "New opponent" }).waitFor();
}));

test("a server that is away is waited for", () => visit("/play?seed=1&against=level:1", { wrong: /Failed to load resource|ERR_|fetching the script/ }, async (page) => {
  await says(page, /Your move/);
  await kill();
  await page.keyboard.press("4");
  await says(page, /does not answer/);
  await restart();
  // The game goes on by itself, with the move that was made meanwhile.
  await discs(page, 2);
  await says(page, /Your move/);
}));

// Analyse: results as they come, lines that can be walked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { says, site } from "./harness.js";

const { visit } = await site();

test("every column gets its exact result, and the line can be played", () =>
  visit("/analyse?moves=444444333332252266", {}, async (page) => {
    await says(page, /Red loses in 2 moves\./);
    assert.deepEqual(await page.locator(".top .sign").allTextContents(), ["−12", "−12", "−12", "−11", "−12", "−12"]);
    await page.locator(".chip").first().click();
    await says(page, /Yellow wins in 2 moves\./);
    await page.keyboard.press("u");
    await says(page, /Red loses in 2 moves\./);
  }));

test("any notation can be pasted, and nonsense is explained", () => visit("/analyse", { wrong: true }, async (page) => {
  await says(page, /Red wins in 21 moves\./);
  const box = page.getByLabel("Position");
  await box.fill("......./......./......./......./...o.../..oxx..");
  await page.getByRole("button", { name: "Show" }).click();
  await says(page, /wins in|loses in|draw/);
  await page.locator('[aria-label^="d2, yellow"]').waitFor();
  await page.getByLabel("Position").fill("what is this");
  await page.getByRole("button", { name: "Show" }).click();
  await page.locator(".status.wrong").waitFor();
}));

test("what is beyond reach says so", () => visit("/analyse?game=9x7c4&time=2", {}, async (page) => {
  await says(page, /Not solved within/);
  await page.getByText(/A search \d+ moves deep would play/).waitFor();
}));

test("threats are an explanation on the board", () => visit("/analyse?moves=1122", {}, async (page) => {
  await says(page, /wins in|loses in|draw/);
  await page.getByRole("button", { name: "Threats" }).click();
  await page.getByText(/An explanation, not a proof/).waitFor();
}));

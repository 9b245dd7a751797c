// Learn and Lab: every chapter's figures live, the glossary linked, worksheets ready for paper, runs to browse.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, phone, says, site } from "./harness.js";

const { address, visit } = await site();

test("the naive player plays to the end, and the game is in the address", () => visit("/learn", {}, async (page) => {
  const turn = page.locator(".figure .turn");
  const over = /You win|The computer wins|A draw/;
  for (let tries = 0; tries < 200; tries += 1) {
    await turn.filter({ hasText: /Your move|You win|The computer wins|A draw/ }).waitFor();
    // It may be the computer's turn again by now, or the game be over and no cell left to click: only the end ends it.
    const text = (await turn.textContent()) ?? "";
    if (over.test(text)) break;
    if (text.includes("Your move")) await page.locator("button.cell:not([data-taken])").first().click({ timeout: 1000 }).catch(() => {});
  }
  // A click may have come just after the end, and been answered.
  await says(page, /You win|The computer wins|A draw|The game is over/);
  assert.match(page.url(), /moves=/);
  await page.reload();
  await page.getByText(/You win!|The computer wins\.|A draw\./).first().waitFor();
  await page.getByRole("button", { name: "Play again" }).click();
  await page.getByText("Your move.").waitFor();
}));

test("minimax is filled in from the bottom", () => visit("/learn?chapter=minimax", {}, async (page) => {
  const figure = page.locator(".figure-quiz");
  const answer = (value) => figure.getByRole("button", { name: value, exact: true }).click();
  await answer("9");
  await says(page, /takes the smallest/);
  for (const value of ["5", "3", "2", "5"]) await answer(value);
  await says(page, /root is worth 5, and MAX plays E-1/);
  await page.locator(".figure-counts").getByText("549\u2009946 nodes").waitFor();
}));

test("alpha-beta is stepped through by button and key", () => visit("/learn?chapter=alpha-beta", {}, async (page) => {
  const figure = page.locator(".figure-steps");
  await figure.getByText("Start at the root").waitFor();
  assert.equal(await figure.locator(".scissors").count(), 0);
  await figure.getByRole("button", { name: "Forward" }).click();
  await says(page, /Go down E-1/);
  await page.keyboard.press("End");
  await says(page, /The root is worth 5/);
  assert.equal(await figure.locator(".scissors").count(), 3);
  await page.keyboard.press("ArrowLeft");
  assert.match(page.url(), /step=\d+/);
  const told = await figure.locator(".sentence").textContent();
  await page.reload();
  await figure.getByText(told ?? "").waitFor();
  await figure.getByText("nodes visited").waitFor();
}));

test("searches are counted as they are chosen", () => visit("/learn?chapter=ordering", {}, async (page) => {
  const rows = page.locator(".bar-row .number");
  const counts = async () => {
    await rows.nth(3).filter({ hasText: "fewer" }).waitFor();
    return (await rows.allTextContents()).map((text) => Number(text.replace(/ nodes.*/, "").replaceAll("\u2009", "")));
  };
  const six = await counts();
  assert(six[0] > six[1] && six[1] > six[2] && six[2] > six[3], String(six));
  await page.getByRole("radio", { name: "4" }).check({ force: true });
  await page.getByText("2\u2009717 nodes").waitFor();
}));

test("a guess changes into a proof", () => visit("/learn?chapter=horizon", {}, async (page) => {
  await page.locator(".figure-depths tbody tr").nth(6).waitFor();
  const rows = await page.locator(".figure-depths tbody tr").allTextContents();
  assert.match(rows[3], /a guess/);
  assert.match(rows[4], /column 1.*wins in 3 moves/);
}));

test("orders of moves are many, positions few", () => visit("/learn?chapter=tables", {}, async (page) => {
  await page.getByText("12\u2009236\u2009101").waitFor();
  await page.getByText("1015 times").waitFor();
}));

test("every column is known", () => visit("/learn?chapter=perfect", {}, async (page) => {
  await says(page, /wins in 21 moves/);
  await page.keyboard.press("4");
  await says(page, /loses in 20 moves/);
  await page.getByRole("link", { name: "Analyse this position" }).click();
  await says(page, /loses in 20 moves/);
  assert.match(page.url(), /\/analyse\?.*moves=4/);
}));

test("chapters follow each other, and words lead to the glossary", () => visit("/learn", phone, async (page) => {
  await page.getByRole("link", { name: "Next: Think for both sides" }).click();
  await says(page, /Think for both sides/);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Think for both sides");
  await page.getByRole("link", { name: "utility" }).click();
  await says(page, /^Utility:/);
  assert.match(page.url(), /\/learn\/glossary#utility$/);
  await page.locator("#value + dd").getByRole("link", { name: "minimax" }).click();
  await says(page, /^Minimax:/);
  await page.goBack();
  await says(page, /^Utility:/);
  await page.goBack();
  await says(page, /Think for both sides/);
}));

test("every link to the glossary finds its term", () => visit("/learn/glossary", {}, async (page) => {
  const lost = await page.evaluate(async () => {
    const { chapters, glossary } = await import(/** @type {any} */ ("/assets/learn-strings.js"));
    const names = new Set(glossary.map(([name]) => name));
    const texts = [...glossary.map(([, , meaning]) => meaning), ...chapters.flatMap(({ body }) => body)].filter((text) => typeof text === "string");
    return texts.flatMap((text) => [...text.matchAll(/\[\[([^\]|]+)/g)]).map(([, term]) => term.replaceAll(" ", "-")).filter((term) => !names.has(term));
  });
  assert.deepEqual(lost, []);
}));

test("worksheets are made, kept in the address and fit for paper", () => visit("/learn/worksheet?kinds=cuts,endgames&count=3&seed=5", {}, async (page) => {
  await says(page, /3 exercises are ready to print/);
  assert.equal(await page.locator(".paper").count(), 2);
  assert.equal(await page.locator(".paper").first().locator(".scissors").count(), 0);
  assert(await page.locator(".paper").last().locator(".scissors").count() > 0);
  await page.getByLabel("How many").fill("4");
  await page.getByRole("button", { name: "Make the sheet" }).click();
  await says(page, /4 exercises/);
  assert.match(page.url(), /count=4/);
  await page.getByRole("radio", { name: "exercises" }).check({ force: true });
  await page.waitForFunction(() => document.querySelectorAll(".paper").length === 1);
  await page.getByRole("radio", { name: "both" }).check({ force: true });
  await page.waitForFunction(() => document.querySelectorAll(".paper").length === 2);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await page.getByRole("navigation", { name: "Pages" }).isVisible(), false);
  assert.equal(await page.getByRole("button", { name: "Print" }).isVisible(), false);
  const [paper, ink, breaks] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,
    getComputedStyle(/** @type {Element} */ (document.querySelectorAll(".paper")[1])).breakBefore]);
  assert.deepEqual([paper, ink, breaks], ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "page"]);
}));

test("a sheet that cannot be made is told, and can be mended", () => visit("/learn/worksheet?branches=5&levels=5", { wrong: true }, async (page) => {
  await says(page, /3125 leaves do not fit on paper/);
  await page.getByLabel("Levels").fill("2");
  await page.getByRole("button", { name: "Make the sheet" }).click();
  await says(page, /ready to print/);
}));

test("runs are browsed, and their reports stand alone", () => visit("/lab", {}, async (page) => {
  await page.getByRole("link", { name: /Does minimax grow/ }).click();
  await says(page, /Does minimax grow/);
  assert.match(page.url(), /\/lab\?run=radboud-growth/);
  await page.getByRole("img", { name: /Leaves of a search/ }).waitFor();
  const broken = await page.evaluate(() => [...document.images].filter((image) => image.complete && !image.naturalWidth).map((image) => image.src));
  assert.deepEqual(broken, []);
  await accessible(page);
  await page.getByRole("link", { name: "The full report" }).click();
  await page.getByRole("heading", { name: "How this was measured" }).waitFor();
  assert.equal(page.url(), `${address}/lab/radboud-growth/report`);
  await accessible(page);
  await page.goBack();
  await says(page, /Does minimax grow/);
}));

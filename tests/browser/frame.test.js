// What holds on every page: open to everybody, light and dark, wide and narrow; small, and steady while one plays.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, phone, says, site } from "./harness.js";
import { PAGES } from "./pages.js";

const { address, visit } = await site();

for (const { name, path, ready } of PAGES) {
  for (const [look, options] of Object.entries({
    "wide and light": {}, "wide and dark": { dark: true }, "narrow and light": phone, "narrow and dark": { ...phone, dark: true },
  })) {
    test(`${name} keeps nobody out, ${look}`, () => visit(path, options, async (page) => {
      await says(page, ready);
      await accessible(page);
    }));
  }
}

test("the first page is small", () => visit("/healthz", {}, async (page) => {
  let bytes = 0;
  const sizes = [];
  page.on("requestfinished", (request) => sizes.push(request.sizes().then((size) => (bytes += size.responseBodySize + size.responseHeadersSize))));
  await page.goto(address);
  await says(page, /Your move/);
  await Promise.all(sizes);
  assert(bytes > 10_000 && bytes < 80_000, `${bytes} bytes`);
}));

test("a second visit asks for nothing but the page and the engine", () => visit("/play?seed=1", {}, async (page) => {
  await says(page, /Your move/);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await says(page, /Your move/);
  const fetched = await page.evaluate(() => performance.getEntriesByType("resource")
    .filter((entry) => /assets/.test(entry.name) && /** @type {PerformanceResourceTiming} */ (entry).transferSize > 300).map(({ name }) => name));
  assert.deepEqual(fetched, []);
}));

test("an unknown page is a page", () => visit("/play", { wrong: /status of 404/ }, async (page) => {
  const answer = await page.goto(`${address}/nowhere`);
  assert.equal(answer?.status(), 404);
  await page.getByRole("heading", { name: "There is no such page", level: 2 }).waitFor();
  await accessible(page);
  await page.getByRole("link", { name: "Play a game" }).click();
  await says(page, /Your move/);
}));

test("nothing moves while one plays", () => visit("/play?seed=1&against=lookahead:2", {}, async (page) => {
  await says(page, /Your move/);
  await page.evaluate(() => {
    /** @type {any} */ (window).shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) /** @type {any} */ (window).shift += /** @type {any} */ (entry).value;
    }).observe({ type: "layout-shift" });
  });
  for (const [column, discs] of [["4", 2], ["3", 4], ["5", 6]]) {
    await page.keyboard.press(String(column));
    await page.waitForFunction((count) => document.querySelectorAll(".cell .disc:not(.ghost)").length === count, discs);
    await says(page, /Your move/);
  }
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).shift), 0);
}));

test("back and forward walk through the pages", () => visit("/play?seed=1&moves=44", {}, async (page) => {
  await says(page, /Your move/);
  await page.getByRole("link", { name: "Analyse", exact: true }).first().click();
  await says(page, /wins in|draw|loses in/);
  assert.match(page.url(), /\/analyse\?.*moves=44/);
  await page.goBack();
  await says(page, /Your move/);
  await page.goForward();
  await says(page, /wins in|draw|loses in/);
}));

test("the theme is remembered", () => visit("/play?seed=1", {}, async (page) => {
  await says(page, /Your move/);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole("button", { name: "Light or dark" }).click();
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  await says(page, /Your move/);
  assert.equal(await paper(), dark);
}));

test("help tells the keys", () => visit("/play?seed=1", {}, async (page) => {
  await says(page, /Your move/);
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("undo, redo").waitFor();
  await accessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}));

test("the words can be replaced: the app in German", () => visit("/play?seed=1&against=level:1", {}, async (page) => {
  await says(page, /Your move/);
  await page.keyboard.press("?");
  await page.getByLabel("Language").selectOption("de");
  await says(page, /Du bist dran/);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  await page.getByRole("link", { name: "Spielen" }).waitFor();
  await page.keyboard.press("4");
  await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 2);
  await says(page, /Du bist dran/);
  await accessible(page);
  const english = await page.evaluate(() => document.querySelector("main")?.textContent?.match(/\b(Undo|Hint|Your|You|Red|Yellow|Moves)\b/g));
  assert.equal(english, null);
}));

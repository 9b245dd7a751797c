// The site without a server: in a folder of a plain host, with the engine in the page, also offline. SITE names what ./site made.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, test } from "node:test";
import { accessible, browse, phone, says } from "./harness.js";
import { host } from "./static.js";

const folder = process.env.SITE ?? "";
const skip = existsSync(folder) ? false : "SITE names no site; ./site makes one";

const server = skip ? undefined : await host(folder, "/some/folder/");
const browser = skip ? undefined : await browse();
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});
const port = /** @type {any} */ (server?.address())?.port;
const address = `http://127.0.0.1:${port}/some/folder`;

/** Shows a page; whatever it throws, logs as an error, or asks of anybody else fails the test. */
const visit = async (path, { width = 1440, height = 900, touch = false }, act) => {
  const context = await /** @type {import("playwright-core").Browser} */ (browser).newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch });
  context.setDefaultTimeout(60_000);
  const faults = [];
  context.on("request", (request) => {
    if (!request.url().startsWith(`${address}/`) && !/^(blob|data):/.test(request.url())) faults.push(`asked for ${request.url()}`);
    if (request.url().includes("/api/")) faults.push(`asked a server: ${request.url()}`);
  });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && faults.push(`logged ${message.text()} ${message.location().url}`));
  page.on("pageerror", (error) => faults.push(`threw ${error}`));
  await page.goto(address + path);
  await act(page, context);
  assert.deepEqual(faults, [], path);
  await context.close();
};

const small = { ...phone, width: 375, height: 812 };

for (const [name, look] of /** @type {[string, any][]} */ ([["a desk", {}], ["a phone", small]])) {
  test(`a move is answered and a position analysed, on ${name}`, { skip }, async () => {
    await visit("/play?seed=3&against=level:3", look, async (page) => {
      await page.locator(".top[data-move='4']").click();
      await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 2);
      await accessible(page);
    });
    await visit("/analyse?moves=3216462511257", look, async (page) => {
      await says(page, /wins|draw/i);
      await accessible(page);
    });
  });
}

test("every page shows something, by links within the app", { skip }, () => visit("/", {}, async (page) => {
  for (const name of ["analyse", "review", "puzzles", "learn", "microscope", "lab", "play"]) {
    await page.locator(`header nav a[href*="/${name}"]`).first().click();
    await page.waitForFunction((path) => location.pathname.endsWith(path), `/${name}`);
    await page.waitForFunction(() => document.querySelector("main")?.childElementCount);
    assert.equal(await page.locator(".status.wrong").count(), 0, name);
  }
}));

test("a search that is left makes way for the next", { skip }, () => visit("/analyse?game=8x8c4", {}, async (page) => {
  await page.waitForFunction(() => document.querySelector(".board"));
  await page.evaluate(() => {
    history.pushState(null, "", "?moves=3216462511257");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await says(page, /wins|draw/i);
}));

test("after the first visit the network may go", { skip }, () => visit("/play?seed=3&against=level:3", {}, async (page, context) => {
  await page.evaluate(async () => { await navigator.serviceWorker.ready; });
  await context.setOffline(true);
  for (const path of ["/analyse?moves=44", "/puzzles", "/learn/glossary", "/play?seed=5&against=level:3", "/"]) {
    await page.goto(address + path);
    await page.waitForFunction(() => document.querySelector("main")?.childElementCount);
    assert.equal(await page.locator(".status.wrong").count(), 0, path);
  }
  await page.goto(`${address}/play?seed=5&against=level:3`);
  await page.locator(".top[data-move='4']").click();
  await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 2);
}));

// The site without a server: in a folder of a plain host, with the engine in the page, also offline. SITE names what ./site made.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { accessible, browse, open, phone, says } from "./harness.js";
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
const visit = async (path, { width = 1440, height = 900, touch = false, worker = undefined }, act) => {
  const context = await /** @type {import("playwright-core").Browser} */ (browser).newContext({
    viewport: { width, height }, hasTouch: touch, isMobile: touch, permissions: ["clipboard-read", "clipboard-write"], serviceWorkers: worker ? "block" : "allow",
  });
  context.setDefaultTimeout(60_000);
  if (worker) await context.route("**/engine-worker.js", worker);
  const faults = [];
  const whole = path.startsWith("file:");
  context.on("request", (request) => {
    const own = whole ? request.url().split("#")[0] === path.split("#")[0] : request.url().startsWith(`${address}/`);
    if (!own && !/^(blob|data):/.test(request.url())) faults.push(`asked for ${request.url()}`);
    if (request.url().includes("/api/")) faults.push(`asked a server: ${request.url()}`);
  });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && faults.push(`logged ${message.text()} ${message.location().url}`));
  page.on("pageerror", (error) => faults.push(`threw ${error}`));
  await page.goto(whole ? path : address + path);
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

test("pictures are made in the page", { skip }, () => visit("/analyse?moves=4453&tab=share", {}, async (page) => {
  for (const [index, start] of [[0, "<svg"], [1, "\x89PNG"]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("a[download]").nth(Number(index)).click()]);
    assert.equal(readFileSync(await download.path()).subarray(0, 4).toString("latin1"), start);
  }
}));

const served = skip || (process.env.FOURFOLD?.endsWith("static.js") ? "this is about a server" : false);
test("served with a site, pages have the engine inside and ask the server for the rest", { skip: served }, async () => {
  const { visit, end } = await open("--site", folder);
  try {
    await visit("/play?seed=3&against=level:3", {}, async (page) => {
      const asked = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.locator(".top[data-move='4']").click();
      await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 2);
      assert.deepEqual(asked.filter((path) => path.startsWith("/api/")), []);
      await page.goto(page.url().replace(/\/play.*/, "/analyse?game=8x7c4&moves=4444444&time=1"));
      await page.getByText(/Not solved|wins in|draw/i).first().waitFor();
      assert(asked.includes("/api/v1/solve/events"), asked.join(" "));
    });
    await visit("/friend", {}, (page) => page.getByRole("button", { name: "Invite a friend" }).waitFor());
  } finally {
    await end();
  }
});

/** Another state of the page, as a link within the app would show it. */
const go = (page, query) => page.evaluate((query) => {
  history.pushState(null, "", query);
  dispatchEvent(new PopStateEvent("popstate"));
}, query);

test("a search that is left makes way for the next", { skip }, () => visit("/analyse?game=8x8c4", {}, async (page) => {
  await page.waitForFunction(() => document.querySelector(".board"));
  await go(page, "?moves=3216462511257");
  await says(page, /wins|draw/i);
}));

test("an engine that traps is started anew, and says so", { skip }, async () => {
  // The first workers, one for what is quick and one for searches, have a module that gives up on its first search.
  let workers = 0;
  const worker = async (route) => {
    const response = await route.fetch();
    const broken = "if (request.call === 'solve') throw new WebAssembly.RuntimeError('unreachable'); const answer = engine.call();";
    const script = await response.text();
    await route.fulfill({ response, body: workers++ < 2 ? script.replace("const answer = engine.call();", broken) : script });
  };
  await visit("/analyse?moves=3216462511257", { worker }, async (page) => {
    await says(page, /started anew/);
    await go(page, "?moves=32164625112571");
    await says(page, /wins|draw/i);
  });
});

test("a friend plays by links alone", { skip }, () => visit("/friend", small, async (page, context) => {
  await page.getByRole("button", { name: "Start a game" }).click();
  await page.locator("dialog[open] footer button").click();
  await says(page, /Your move/);
  await page.locator(".top[data-move='4']").click();
  await says(page, /Send this link/);
  await accessible(page);
  const friend = await context.newPage();
  await friend.goto(await page.locator(".linkbox input").inputValue());
  await says(friend, /Your move/);
  await friend.locator(".top[data-move='5']").click();
  await says(friend, /Send this link/);
  await page.goto(await friend.locator(".linkbox input").inputValue());
  await says(page, /Your move/);
  assert.equal(await page.locator(".cell .disc:not(.ghost)").count(), 2);
}));

test("one file has all of it", { skip }, () => visit(pathToFileURL(join(folder, "fourfold.html")).href, {}, async (page) => {
  await page.locator(".top[data-move='4']").click();
  await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 2);
  for (const name of ["analyse", "review", "puzzles", "learn", "microscope", "lab"]) {
    await page.locator(`header nav a[href*="/${name}"]`).first().click();
    await page.waitForFunction((name) => location.hash.startsWith(`#/${name}`), name);
    await page.waitForFunction(() => document.querySelector("main")?.childElementCount);
    assert.equal(await page.locator(".status.wrong").count(), 0, name);
  }
  await go(page, "#/puzzles");
  await says(page, /to move/);
  await go(page, "#/analyse?moves=3216462511257");
  await says(page, /wins|draw/i);
  await accessible(page);
  await page.reload();
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
  // Beyond the book: what the search needs is kept, too.
  await page.goto(`${address}/analyse?moves=3216462511257`);
  await says(page, /wins|draw/i);
  await page.goto(`${address}/play?seed=5&against=level:3`);
  await page.locator(".top[data-move='4']").click();
  await page.waitForFunction(() => document.querySelectorAll(".cell .disc:not(.ghost)").length === 2);
}));

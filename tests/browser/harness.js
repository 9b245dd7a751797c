// A server and a browser for a file of tests. Whatever a page logs as an error, throws, or asks of another host fails the test
// that showed it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const program = process.env.FOURFOLD ?? fileURLToPath(new URL("../../target/debug/fourfold", import.meta.url));
const browsers = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How long a page may take to say what is expected, in ms: the machine may be busy. */
const PATIENCE = 60_000;

/** Starts `fourfold serve`, on a free port unless one is named. @param {string[]} args @param {string} [port] */
const serve = async (args, port = "0") => {
  const server = spawn(program, ["serve", "--port", port, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await Promise.race([
    createInterface({ input: server.stdout })[Symbol.asyncIterator]().next().then(({ value }) => [value]),
    new Promise((_, fail) => server.on("error", fail)),
  ]);
  assert.match(line, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const gone = new Promise((done) => server.once("exit", done));
  /** Ends it at once, in the middle of whatever it does. */
  const kill = async () => {
    server.kill("SIGKILL");
    await gone;
  };
  return { address: line.slice(0, -1), end: () => server.kill(), kill };
};

/** A server and a browser, ended after the last test of the file. @param {string[]} args more arguments for the server */
export const site = async (...args) => {
  const opened = await open(...args);
  after(opened.end);
  return opened;
};

/** A browser. */
export const browse = () => {
  const executablePath = browsers.find((path) => path && existsSync(path));
  assert(executablePath, "no browser: install chromium, or name one in CHROMIUM");
  return chromium.launch({ executablePath, chromiumSandbox: false, args: quiet });
};

/** A server and a browser, until they are ended. @param {string[]} args more arguments for the server */
export const open = async (...args) => {
  let server = await serve(args);
  const { address } = server;
  const browser = await browse();
  const end = async () => {
    await browser.close();
    server.end();
  };
  /** Ends the server as kill -9 does. */
  const kill = () => server.kill();
  /** Starts it again where it was. */
  const restart = async () => {
    server = await serve(args, new URL(address).port);
  };

  /**
   * Shows a page of the app and does something with it.
   * @param {string} path
   * @param {{ width?: number, height?: number, dark?: boolean, reduced?: boolean, touch?: boolean, wrong?: boolean | RegExp, scripts?: boolean }} look `wrong`: what is entered
   *   is wrong on purpose, and the browser logs that the server refuses it; or what else it may log
   * @param {(page: import("playwright-core").Page) => Promise<void>} act
   */
  const visit = async (path, look, act) => {
    const { width = Number(process.env.WIDTH ?? 1280), height = 800, dark = false, reduced = false, touch = false, wrong = false, scripts = true } = look;
    const context = await browser.newContext({
      viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: reduced ? "reduce" : "no-preference", hasTouch: touch, isMobile: touch,
      javaScriptEnabled: scripts,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    context.setDefaultTimeout(PATIENCE);
    const faults = [];
    context.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${address}/`) && !/^(blob|data):/.test(url)) faults.push(`asked for ${url}`);
    });
    const page = await context.newPage();
    page.on("console", (message) => {
      const refused = wrong && (wrong === true ? /status of 400/ : wrong).test(message.text());
      if (message.type() === "error" && !refused) faults.push(`logged ${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => faults.push(`threw ${error}`));
    await page.goto(address + path);
    await act(page);
    assert.deepEqual(faults, [], path);
    await context.close();
  };
  return { address, browser, visit, end, kill, restart };
};

export const phone = { width: 360, height: 740, touch: true };

/** Waits until the status line says something. @param {import("playwright-core").Page} page @param {RegExp} words */
export const says = async (page, words) => {
  await page.waitForFunction(([source, flags]) =>
    new RegExp(source, flags).test(document.querySelector(".status")?.textContent ?? ""), [words.source, words.flags]);
};

/** Nothing that keeps anybody out, and nothing wider than the screen. @param {import("playwright-core").Page} page */
export const accessible = async (page) => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => /** @type {any} */ (window).axe.run());
  const told = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`);
  assert.deepEqual(told, [], page.url());
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert(inner <= outer, `${page.url()} is ${inner} px wide on a screen of ${outer}`);
};

// Two browsers play each other by a link, through a kill -9 and restart of the server; others watch; offers, rematch, wrong links.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { accessible, phone, says, site } from "./harness.js";

const folder = mkdtempSync(join(tmpdir(), "fourfold-friend-"));
after(() => rmSync(folder, { recursive: true }));
const { address, visit, kill, restart } = await site("--games", join(folder, "games"));

/** @typedef {import("playwright-core").Page} Page */

const discs = (/** @type {Page} */ page, /** @type {number} */ count) =>
  page.waitForFunction((expected) => document.querySelectorAll(".cell .disc:not(.ghost)").length === expected, count);
const drop = (/** @type {Page} */ page, /** @type {string} */ column) => page.locator(`.top[data-move="${column}"]`).click();
const press = (/** @type {Page} */ page, /** @type {string | RegExp} */ name) => page.getByRole("button", { name }).click();

/** Makes a game through the sheet, and gives the path of the link for the friend. @param {Page} page @param {string} [side] */
const invited = async (page, side = "Red") => {
  await says(page, /Your move|Play a friend|to move/);
  await page.getByRole("button", { name: /New game|Invite a friend/ }).first().click();
  const sheet = page.getByRole("dialog", { name: "New game" });
  await sheet.getByRole("radio", { name: /A friend/ }).check();
  await sheet.getByRole("radio", { name: side, exact: true }).check();
  await sheet.getByRole("button", { name: "Invite a friend" }).click();
  await says(page, /Waiting for your friend/);
  const url = new URL(await page.getByLabel("Link for your friend").inputValue());
  assert.equal(url.origin, address);
  return url.pathname + url.hash;
};

/** Both at a game that has just begun: red and yellow. @param {(red: Page, yellow: Page, path: string) => Promise<void>} act @param {any} [look] */
const together = (act, look = {}) => visit("/friend", look, async (red) => {
  const path = await invited(red);
  await visit(path, look, async (yellow) => {
    await says(red, /The game begins\. Your move/);
    await says(yellow, /Your friend's move/);
    await act(red, yellow, path);
  });
});

test("two browsers play each other by link, through a kill -9 of the server", () =>
  visit("/play?seed=1", { wrong: /ERR_|status of 50\d/ }, async (red) => {
    const path = await invited(red);
    await accessible(red);
    await press(red, "Copy link");
    await says(red, /The link is copied/);
    assert.equal(await red.evaluate(() => navigator.clipboard.readText()), address + path);
    await visit(path, { ...phone, wrong: /ERR_|status of 50\d/ }, async (yellow) => {
      // The secret is gone from the address: whoever copies it gives a link to watch.
      await says(yellow, /Your friend's move/);
      assert.equal(new URL(yellow.url()).hash, "");
      await says(red, /The game begins\. Your move/);
      await drop(red, "1");
      await discs(yellow, 1);
      await says(yellow, /Your friend played a1\. Your move/);
      await drop(yellow, "2");
      await discs(red, 2);
      await accessible(yellow);

      await kill();
      await says(red, /The connection is lost/);
      await says(yellow, /The connection is lost/);
      // A move that is made now falls at once and is sent when that is possible.
      await drop(red, "1");
      await discs(red, 3);
      await restart();
      await discs(yellow, 3);
      await says(yellow, /Your move/);
      await yellow.reload();
      await discs(yellow, 3);
      await says(yellow, /Your move/);
      await drop(yellow, "2");
      await discs(red, 4);
      await drop(red, "1");
      await discs(yellow, 5);
      await drop(yellow, "2");
      await discs(red, 6);
      await drop(red, "1");
      await says(red, /You win!/);
      await says(yellow, /Your friend wins/);
      await accessible(red);
      await accessible(yellow);

      // Both want another: the sides are swapped, the score goes on.
      await press(red, "Rematch");
      await says(yellow, /Your friend wants a rematch/);
      await press(yellow, "Rematch");
      await discs(red, 0);
      await says(yellow, /Your move/);
      await says(red, /Your friend's move/);
      await red.getByText("You 1 : 0 Your friend").waitFor();
      await yellow.getByText("You 0 : 1 Your friend").waitFor();
      await drop(yellow, "4");
      await discs(red, 1);
    });
  }));

test("a third one watches, and the seat stays taken", () => together(async (red, yellow, path) => {
  await visit(path, { wrong: /status of 409/ }, async (third) => {
    await says(third, /Somebody has taken this seat already\. You are watching/);
    await red.getByText("1 watching").waitFor();
    await drop(red, "4");
    await discs(third, 1);
    await says(third, /Red played d1\. Yellow to move/);
    await third.locator('.top[data-move="4"]').click({ force: true });
    await accessible(third);
    await drop(yellow, "4");
    await discs(third, 2);
  });
  await visit(path.split("#")[0], {}, async (watcher) => {
    await discs(watcher, 2);
    await says(watcher, /Red to move/);
  });
}));

test("draws are offered, declined and accepted; a game can be given up", () => together(async (red, yellow) => {
  await press(red, "Offer draw");
  await says(yellow, /Your friend offers a draw/);
  await accessible(yellow);
  await press(yellow, "Decline");
  await yellow.locator(".offer").waitFor({ state: "hidden" });
  await drop(red, "4");
  await discs(yellow, 1);
  await press(yellow, "Offer draw");
  await red.getByRole("button", { name: "Accept" }).click();
  await says(yellow, /You both agreed\. A draw/);
  await press(red, "Rematch");
  await press(yellow, "Rematch");
  await says(yellow, /Your move/);
  await drop(yellow, "4");
  await discs(red, 1);
  await press(yellow, "Resign");
  await press(yellow, "Really resign?");
  await says(red, /Your friend resigned\. You win/);
  await red.getByRole("region", { name: "Play a friend" }).getByRole("link", { name: "Review" }).waitFor();
  assert.equal(await red.locator(".board.over").count(), 1);
}));

test("who is there is shown, and a seat is kept on the device", () => visit("/friend", {}, async (red) => {
  const path = await invited(red, "Yellow");
  await visit(path, {}, async (friend) => {
    await says(friend, /Your move/);
    await drop(friend, "3");
    await discs(red, 1);
    assert.equal(await red.locator(".here.yes").count(), 1);
  });
  // The friend has closed the page, and comes back by the list of games on the device.
  await red.locator(".here:not(.yes)", { hasText: "away" }).waitFor();
  await red.goto(`${address}/friend`);
  await red.getByRole("link", { name: /Open: Connect Four, you play Yellow/ }).click();
  await discs(red, 1);
  await says(red, /Your move/);
}));

test("the server owns the clock", () => visit("/friend", {}, async (red) => {
  await red.getByRole("button", { name: "Invite a friend" }).click();
  const sheet = red.getByRole("dialog", { name: "New game" });
  await sheet.getByRole("radio", { name: "Red", exact: true }).check();
  const clock = sheet.getByRole("group", { name: "Minutes for each side" });
  await clock.getByRole("radio", { name: "3", exact: true }).check();
  const added = sheet.getByRole("group", { name: "Seconds added for each move" });
  await added.getByRole("radio", { name: "5", exact: true }).check();
  await accessible(red);
  await sheet.getByRole("button", { name: "Invite a friend" }).click();
  const path = await red.getByLabel("Link for your friend").inputValue();
  await visit(path.slice(address.length), {}, async (yellow) => {
    await says(red, /Your move/);
    await drop(red, "4");
    await yellow.locator('.clock.running[data-side="second"]', { hasText: /2:5\d/ }).waitFor();
    await drop(yellow, "4");
    await red.locator('.clock.running[data-side="first"]', { hasText: /2:5\d/ }).waitFor();
    await red.locator('.clock:not(.running)[data-side="second"]', { hasText: /3:0\d|2:5\d/ }).waitFor();
  });
}));

test("a link can be copied without a secure connection", () => visit("/friend", {}, async (red) => {
  await red.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await red.reload();
  const path = await invited(red);
  await press(red, "Copy link");
  await says(red, /The link is copied/);
  const copied = await red.evaluate(() => getSelection()?.toString() || /** @type {HTMLInputElement} */ (document.activeElement).value);
  assert.equal(copied, address + path);
}));

test("wrong and expired links say so", async () => {
  await visit("/friend/000000000000", { wrong: /status of 404/ }, async (page) => {
    await says(page, /This game is not here any more/);
    await accessible(page);
  });
  await visit("/friend/nonsense#nonsense", { wrong: /status of 40\d/ }, (page) => says(page, /This link is no invitation|not here any more/));
  await visit("/friend", {}, async (red) => {
    const path = await invited(red);
    await visit(`${path.slice(0, -3)}000`, { wrong: /status of 403/ }, async (page) => {
      await says(page, /This link is no invitation/);
      await page.getByRole("link", { name: "Watch" }).click();
      await says(page, /Waiting/);
    });
  });
});

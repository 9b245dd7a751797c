// Review: games judged.

import { test } from "node:test";
import { says, site } from "./harness.js";

const { visit } = await site();

test("a game is judged, and one can walk through it", () =>
  visit("/review?game=3x3c3f&moves=b2+b1+a1+c3", {}, async (page) => {
    await says(page, /Every move is judged/);
    await page.getByRole("button", { name: "2: Yellow, b1, blunder" }).click();
    await says(page, /blunder/);
    await page.locator(".told", { hasText: "with it." }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText("3 / 4").waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.getByText("2 / 4").waitFor();
    await page.locator(".told .chip").first().click();
    await page.waitForURL(/analyse/);
  }));

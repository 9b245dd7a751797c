// The microscope: stepping, playing, comparing, the quiz; large trees fold; wrong trees are explained.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, phone, says, site } from "./harness.js";

const { visit } = await site();

const edges = (page, kind) => page.locator(`.tree .edge.${kind}`).count();
const row = (page, name) => page.locator(".counts tr", { hasText: name }).locator("td").allTextContents();

test("one steps forward and back by keys, by buttons and by the slider", () => visit("/microscope", {}, async (page) => {
  await says(page, /Start at the root: MAX to move/);
  await page.keyboard.press("ArrowRight");
  await says(page, /Go down E-1: MIN to move, with alpha −∞, beta \+∞/);
  await page.getByRole("button", { name: "Step forward" }).click();
  await says(page, /E-4 is a leaf worth 9/);
  await page.keyboard.press("ArrowLeft");
  await says(page, /Go down E-1/);
  await page.keyboard.press("c");
  await says(page, /MIN already has 6 here, MAX has 7 elsewhere.*cut E-8 to E-9/);
  assert.equal(await edges(page, "cut"), 2);
  assert.deepEqual(await row(page, "Edges cut"), ["2"]);
  await page.waitForURL(/step=13/);
  await page.keyboard.press("End");
  await says(page, /The root is worth 7/);
  assert.deepEqual(await row(page, "Nodes visited"), ["9 / 13"]);
  assert.equal(await edges(page, "line"), 2);
  await page.getByText("The result: 7 by E-1.").waitFor();
  await page.keyboard.press("Home");
  await says(page, /Start at the root/);
  await page.getByRole("slider", { name: "Step" }).fill("7");
  await says(page, /7 comes up from E-6 to E-1/);
  await page.waitForURL(/step=7/);
  await page.reload();
  await says(page, /7 comes up from E-6 to E-1/);
}));

test("it plays by itself, and a node that is clicked is gone to", () => visit("/microscope?speed=20", {}, async (page) => {
  await says(page, /Start at the root/);
  await page.keyboard.press(" ");
  await says(page, /The root is worth 7/);
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await page.locator('.tree [data-node="7"]').click();
  await says(page, /E-7 is a leaf worth 6/);
}));

test("minimax stands beside alpha-beta, with both counts", () => visit("/microscope?step=22", {}, async (page) => {
  await says(page, /The root is worth 7/);
  await page.getByRole("button", { name: "Minimax beside alpha-beta" }).click();
  await page.locator(".trees.two").waitFor();
  assert.deepEqual(await row(page, "Leaves visited"), ["9 / 9", "5 / 9"]);
  await page.keyboard.press("Home");
  await page.keyboard.press("c");
  await says(page, /cut E-8 to E-9/);
  assert.deepEqual(await row(page, "Nodes visited"), ["7 / 13", "7 / 13"]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await row(page, "Nodes visited"), ["9 / 13", "7 / 13"]);
}));

test("the quiz asks, checks and explains, by mouse and by keys", () => visit("/microscope", {}, async (page) => {
  await says(page, /Start/);
  await page.getByRole("button", { name: "Quiz: which edges are cut?" }).click();
  await says(page, /Which edges will alpha-beta cut/);
  for (const edge of ["E-8", "E-9", "E-11"]) await page.getByRole("checkbox", { name: edge, exact: true }).locator(".broad").click({ force: true });
  await page.getByRole("checkbox", { name: "E-3", exact: true }).focus();
  await page.keyboard.press("Space");
  await page.getByText("Chosen: E-3, E-8, E-9, E-11").waitFor();
  await page.getByRole("button", { name: "Check" }).click();
  await says(page, /3 right, 1 missed, 1 wrong\./);
  await page.getByText(/E-3 ✗ wrong\. Alpha-beta has to look there\./).waitFor();
  await accessible(page);
  await page.getByRole("button", { name: "See it step by step" }).click();
  await says(page, /Start at the root/);
}));

test("switches change the search, and say where they make no sense", () => visit("/microscope?game=3x3c3f&depth=2", {}, async (page) => {
  await says(page, /Start at the root/);
  await page.keyboard.press("End");
  await says(page, /The root is worth/);
  const before = await row(page, "Nodes visited");
  await page.getByText("Switches", { exact: true }).click();
  await page.getByRole("checkbox", { name: "symmetry" }).check();
  await says(page, /Start at the root/);
  assert.match(page.url(), /symmetry=on/);
  await page.keyboard.press("End");
  await says(page, /The root is worth/);
  assert.notDeepEqual(await row(page, "Nodes visited"), before);
  assert.equal(await page.getByRole("checkbox", { name: "book" }).isDisabled(), true);
  await page.getByText("Not here: there is no opening book for this game.").waitFor();
  await accessible(page);
}));

test("a large tree is folded, and can be unfolded", () => visit("/microscope?random=4,6,1&step=200", {}, async (page) => {
  await says(page, /E-\d+/);
  const drawn = () => page.locator(".tree [data-node]").count();
  const before = await drawn();
  assert(before < 300, `${before} nodes drawn`);
  const pill = page.locator(".tree .fold").last();
  await pill.focus();
  await page.keyboard.press("Enter");
  assert(await drawn() > before);
  await page.getByRole("button", { name: "Fold again" }).click();
  assert.equal(await drawn(), before);
  await page.keyboard.press("End");
  await says(page, /The root is worth/);
}));

test("the tree is panned, zoomed and fitted", () => visit("/microscope?step=13", {}, async (page) => {
  await says(page, /cut/);
  const where = () => page.locator(".tree > g").getAttribute("transform");
  const fitted = await where();
  await page.getByRole("button", { name: "Zoom in" }).click();
  const zoomed = await where();
  assert.notEqual(zoomed, fitted);
  const box = /** @type {any} */ (await page.locator(".tree").boundingBox());
  await page.mouse.move(box.x + 60, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 90, { steps: 4 });
  await page.mouse.up();
  const panned = await where();
  assert.notEqual(panned, zoomed);
  await page.locator(".tree").focus();
  await page.keyboard.press("Shift+ArrowLeft");
  assert.notEqual(await where(), panned);
  await page.getByRole("button", { name: "Fit" }).click();
  assert.equal(await where(), fitted);
}));

test("two fingers zoom the tree", () => visit("/microscope?step=13", phone, async (page) => {
  await says(page, /cut/);
  const scale = async () => Number(/scale\((.*)\)/.exec(String(await page.locator(".tree > g").getAttribute("transform")))?.[1]);
  const before = await scale();
  const box = /** @type {any} */ (await page.locator(".tree").boundingBox());
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const browser = await page.context().newCDPSession(page);
  const touch = (type, apart) => browser.send("Input.dispatchTouchEvent", { type, touchPoints: apart ? [{ x: x - apart, y, id: 0 }, { x: x + apart, y, id: 1 }] : [] });
  await touch("touchStart", 30);
  for (const apart of [40, 50, 60]) await touch("touchMove", apart);
  await touch("touchEnd", 0);
  const after = await scale();
  assert(after > 1.6 * before && after < 2.4 * before, `${before} became ${after}`);
}));

test("the tree can be read as text", () => visit("/microscope?step=13", phone, async (page) => {
  await says(page, /cut/);
  await page.getByText("The tree as text").click();
  await page.locator(".outline li", { hasText: /^E-8, leaf, 5, cut$/ }).waitFor();
  await page.locator(".outline", { hasText: "E-2, MIN, 6, here is the search" }).waitFor();
}));

test("wrong trees are explained, and can be mended", () => visit("/microscope", { wrong: true }, async (page) => {
  await says(page, /Start/);
  await page.getByLabel("Tree", { exact: true }).fill("((1 x)");
  await page.getByRole("button", { name: "Show" }).click();
  await says(page, /Column 5: 'x' does not belong here/);
  await page.getByLabel("Tree", { exact: true }).fill("((1 2)(3 4))");
  await page.getByRole("button", { name: "Show" }).click();
  await says(page, /Start at the root/);
  await page.getByRole("radio", { name: "random" }).check({ force: true });
  await says(page, /Start at the root/);
  await page.getByLabel("Levels", { exact: true }).fill("30");
  await page.getByRole("button", { name: "Show" }).click();
  await says(page, /at most 20.000 are allowed here: take fewer children or levels/);
}));

test("a game that is over, and a number alone, are trees too", async () => {
  await visit("/microscope?moves=1212121", {}, (page) => says(page, /The root is a leaf worth a loss with disc 7/));
  await visit("/microscope?tree=-5&step=99&compare=1&picks=x", {}, (page) => says(page, /The root is a leaf worth -5/));
  await visit("/microscope?random=4,6,1&quiz=1&step=abc", {}, (page) => says(page, /Start at the root/));
});

test("a position goes along from page to page", () => visit("/play?seed=1&moves=4453", {}, async (page) => {
  await says(page, /Your move/);
  await page.getByRole("link", { name: "Microscope", exact: true }).click();
  await says(page, /Start at the root/);
  assert.equal(await page.locator(".mini .cell .disc:not(.ghost)").count(), 4);
  await page.keyboard.press("ArrowRight");
  await says(page, /Go down E-1 \(column 1\)/);
  await page.goBack();
  await says(page, /Your move/);
}));

test("the drawing can be saved", () => visit("/microscope?step=13", {}, async (page) => {
  await says(page, /cut/);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save as SVG" }).click();
  assert.equal((await download).suggestedFilename(), "tree.svg");
}));

// The microscope: stepping, playing, the pseudocode, predicting, editing, comparing, the quiz; large trees fold; wrong trees are explained.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, phone, says, site } from "./harness.js";

const { visit } = await site();

const edges = (page, kind) => page.locator(`.tree .edge.${kind}`).count();
/** The names of the lines of pseudocode that are lit. */
const lit = (page) => page.locator(".code .on").evaluateAll((lines) => lines.map((line) => line.dataset.line));
/** Chooses what to do with the tree. */
const mode = (page, name) => page.getByRole("radio", { name, exact: true }).check({ force: true });
const row = (page, name) => page.locator(".counts tr", { hasText: name }).locator("td").allTextContents();

test("one steps forward and back by keys, by buttons and by the slider", () => visit("/microscope", {}, async (page) => {
  await says(page, /Start at the root: MAX to move/);
  await page.keyboard.press("ArrowRight");
  await says(page, /Go down E-1: MIN to move, with alpha −∞, beta \+∞/);
  await page.getByRole("button", { name: "Next step" }).click();
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

test("it plays by itself, stops, and a node that is clicked is gone to", () => visit("/microscope?speed=4", {}, async (page) => {
  await says(page, /Start at the root/);
  const play = page.getByRole("button", { name: "Play", exact: true });
  await play.click();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await play.waitFor();
  await page.getByRole("slider", { name: "Step" }).fill("17");
  await page.locator(".told-step").click();
  await page.keyboard.press(" ");
  await says(page, /The root is worth 7/);
  await play.waitFor();
  assert.deepEqual(await page.getByLabel("Speed").locator("option").allTextContents(), ["0.5×", "1×", "2×", "4×"]);
  await page.locator('.tree [data-node="7"]').click();
  await says(page, /E-7 is a leaf worth 6/);
}));

test("the line of pseudocode that a step carries out is lit", () => visit("/microscope", {}, async (page) => {
  await says(page, /Start at the root/);
  assert.deepEqual(await lit(page), ["enter"]);
  await page.getByText("function max(node, α, β)").waitFor();
  for (const [lines, sentence] of /** @type {[string[], RegExp][]} */ ([
    [["enter"], /Go down E-1/], [["leaf"], /E-4 is a leaf/], [["update", "window"], /9 comes up/], [["leaf"], /E-5 is a leaf/], [["update", "window"], /8 comes up/],
  ])) {
    await page.keyboard.press("ArrowRight");
    await says(page, sentence);
    assert.deepEqual(await lit(page), lines);
  }
  await page.getByText("function min(node, α, β)").waitFor();
  assert.equal(await page.locator('.code [data-line="update"] em').textContent(), "8 < 9");
  await page.keyboard.press("c");
  await says(page, /cut E-8 to E-9/);
  assert.deepEqual(await lit(page), ["cut"]);
  assert.equal(await page.locator('.code [aria-current="step"]').textContent(), "if α ≥ β: break7 ≥ 6: cut");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await lit(page), ["leave"]);
}));

test("minimax has no lines about alpha and beta, and switches bring their own", async () => {
  await visit("/microscope?algorithm=minimax", {}, async (page) => {
    await says(page, /Start at the root/);
    assert.deepEqual(await page.locator(".code li").evaluateAll((lines) => lines.map(({ dataset }) => dataset.line)), ["enter", "leaf", "first", "each", "update", "leave"]);
  });
  await visit("/microscope?game=7x6c4&moves=444&depth=4&table=1&symmetry=on&contempt=5", {}, async (page) => {
    await says(page, /Start at the root/);
    for (const line of ["table", "symmetric", "store"]) assert.equal(await page.locator(`.code [data-line="${line}"]`).count(), 1, line);
    await page.locator(".code-notes", { hasText: "contempt" }).waitFor();
    await page.locator('.tree [data-node="4"]').waitFor();
    await page.keyboard.press("End");
    await says(page, /The root is worth/);
    assert.deepEqual(await lit(page), ["store", "leave"]);
  });
});

test("a prediction is told right or wrong, with the reason, and counted", () => visit("/microscope?tree=((5 9)(3 7))", {}, async (page) => {
  await says(page, /Start at the root/);
  await mode(page, "Predict");
  await says(page, /What comes next\?/);
  const node = (id) => page.locator(`.tree [data-node="${id}"]`);
  const verdict = page.locator(".verdict-line");
  const score = page.locator(".score-line");
  await node(2).click();
  await says(page, /Not quite\. Children are tried in order/);
  await node(1).click();
  await says(page, /Right\. Go down E-1/);
  assert.equal(await score.textContent(), "0 of 1");
  await page.getByRole("button", { name: "Cut the rest" }).click();
  await says(page, /Alpha \(−∞\) is still below beta \(\+∞\)/);
  // By keys: from the root down to E-1 and on to its first leaf.
  await node(1).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await says(page, /Right\. E-3 is a leaf worth 5.*What is MIN's best there now/);
  await page.getByRole("button", { name: "5", exact: true }).click();
  await says(page, /Right\. 5 comes up/);
  await node(4).click();
  await page.getByRole("button", { name: "9", exact: true }).click();
  await says(page, /MIN keeps the smallest of 5, 9/);
  await page.getByRole("button", { name: "5", exact: true }).click();
  await node(2).click();
  await says(page, /Not quite\. Every child has been tried/);
  await page.keyboard.press("u");
  await says(page, /Right\. E-1 is worth 5/);
  await page.getByRole("button", { name: "5", exact: true }).click();
  await node(2).click();
  await node(5).click();
  await page.getByRole("button", { name: "3", exact: true }).click();
  await says(page, /Right\. 3 comes up from E-5/);
  await node(6).click();
  await says(page, /Alpha \(5\) has reached beta \(3\)/);
  await accessible(page);
  await page.keyboard.press("x");
  await says(page, /Right\. MIN already has 3 here/);
  await page.getByRole("button", { name: "Show me" }).click();
  await page.getByRole("button", { name: "5", exact: true }).click();
  await page.keyboard.press("u");
  await says(page, /Done: \d+ of \d+ right at first try/);
  assert.match((await score.textContent()) ?? "", /^8 of 13$/);
  assert.match((await verdict.textContent()) ?? "", /The root is worth 5/);
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("button", { name: "Next step" }).waitFor();
}));

test("a tree is edited by clicking and by keys, and the address follows", () => visit("/microscope?tree=((9 8)(6 5))", {}, async (page) => {
  await says(page, /Start at the root/);
  await mode(page, "Edit");
  await says(page, /The root is worth 8\. One edge is cut/);
  const tree = () => new URL(page.url()).searchParams.get("tree");
  const node = (id) => page.locator(`.tree [data-node="${id}"]`);
  await node(5).click();
  await says(page, /E-5 is chosen/);
  await page.getByLabel("Value").fill("10");
  await page.keyboard.press("Enter");
  await says(page, /The root is worth 8\. Nothing is cut/);
  assert.equal(tree(), "((9 8)(10 5))");
  await page.getByRole("button", { name: "Give it children" }).click();
  await says(page, /The root is worth/);
  assert.equal(tree(), "((9 8)((10 0)5))".replace(")5", ") 5"));
  await page.goBack();
  await page.waitForURL((url) => url.searchParams.get("tree") === "((9 8)(10 5))");
  await node(2).focus();
  await page.keyboard.press("Insert");
  await page.waitForURL((url) => url.searchParams.get("tree") === "((9 8)(10 5 0))");
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-node") === "7");
  await page.keyboard.press("4");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("tree") === "((9 8)(10 5 4))");
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-node") === "7");
  await page.keyboard.press("Shift+ArrowLeft");
  await page.waitForURL((url) => url.searchParams.get("tree") === "((9 8)(10 4 5))");
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-node") === "6");
  await page.keyboard.press("Delete");
  await page.waitForURL((url) => url.searchParams.get("tree") === "((9 8)(10 5))");
  await node(1).click();
  await page.getByRole("button", { name: "Move right" }).click();
  await page.waitForURL((url) => url.searchParams.get("tree") === "((10 5)(9 8))");
  await accessible(page);
  await page.getByRole("button", { name: "Done" }).click();
  await says(page, /Start at the root/);
}));

test("changes asked for faster than they are searched are all made, in order", () => visit("/microscope?tree=((9 8)(6 5))&edit=1", {}, async (page) => {
  await says(page, /The root is worth 8\. One edge is cut/);
  // Answers that take their time, as from a busy server.
  await page.route("**/api/**", async (route) => {
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  await page.locator('.tree [data-node="2"]').focus();
  for (const key of ["Insert", "Shift+ArrowLeft", "Shift+ArrowLeft", "Insert", "Delete"]) await page.keyboard.press(key);
  await page.waitForURL((url) => url.searchParams.get("tree") === "((9 8)((0) 6 5))");
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-node") === "8");
}));

test("what cannot be edited says why", () => visit("/microscope?game=3x3c3f&depth=2", {}, async (page) => {
  await says(page, /Start at the root/);
  assert.equal(await page.getByRole("radio", { name: "Edit" }).isDisabled(), true);
  assert.match((await page.locator("label", { hasText: /^Edit$/ }).getAttribute("title")) ?? "", /cannot be edited/);
}));

test("edges of a game tree have numbers only if they are asked for", () => visit("/microscope?game=7x6c4&moves=4455&depth=2", {}, async (page) => {
  await says(page, /Start at the root/);
  const names = () => page.locator(".tree .name").allTextContents();
  assert((await names()).every((name) => name.startsWith("col ")));
  await page.keyboard.press("ArrowRight");
  await says(page, /^Go down column 1: MIN to move/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await says(page, /comes up from 1-1 to 1:/);
  await page.getByRole("button", { name: "Edge names" }).click();
  await says(page, /comes up from E-8 to E-1:/);
  assert.match(page.url(), /names=1/);
  assert((await names()).includes("E-1"));
}));

test("no edge strikes through a label", () => visit("/microscope?random=3,3,5&step=40", {}, async (page) => {
  await says(page, /E-\d+/);
  // Whatever stands on edges and beside nodes comes after all lines, on a background of its own.
  const order = await page.locator(".tree > g > *").evaluateAll((parts) => parts.map((part) => (part.matches(".edge") ? "edge" : part.matches(".spot") ? "spot" : part.matches(".name") ? "name" : "")));
  assert(order.lastIndexOf("edge") < order.indexOf("spot"));
  assert.equal(order.filter((kind) => kind === "spot").length, order.filter((kind) => kind === "name").length);
  assert(await page.locator(".tree .pill rect").count() > 0);
}));

test("the projector shows the tree and the sentence, large", () => visit("/microscope?step=13", { width: 1920, height: 1080 }, async (page) => {
  await says(page, /cut/);
  const size = () => page.locator(".told-step .sentence").evaluate((line) => Number.parseFloat(getComputedStyle(line).fontSize));
  const before = await size();
  await page.keyboard.press("p");
  await page.locator(".setup").waitFor({ state: "hidden" });
  for (const part of ["body > header", ".code", ".modes", ".beside"]) assert.equal(await page.locator(part).isVisible(), false, part);
  assert(await size() > 1.8 * before);
  const box = /** @type {any} */ (await page.locator(".tree").boundingBox());
  assert(box.width > 1700 && box.height > 650, JSON.stringify(box));
  await page.keyboard.press("ArrowRight");
  await says(page, /E-2 is worth 6/);
  await accessible(page);
  await page.keyboard.press("Escape");
  await page.locator(".setup").waitFor();
  await page.getByRole("button", { name: "Projector view", exact: true }).click();
  await page.getByRole("button", { name: "Leave the projector view" }).click();
  await page.locator(".setup").waitFor();
}));

test("numbers that change flash once, and not under reduced motion", async () => {
  for (const reduced of [false, true]) {
    await visit("/microscope?step=2", { reduced }, async (page) => {
      await says(page, /E-4 is a leaf/);
      await page.keyboard.press("ArrowRight");
      await says(page, /9 comes up/);
      const moving = await page.locator(".watch .flash").first().evaluate((box) => getComputedStyle(box).animationName);
      assert.equal(moving, reduced ? "none" : "flash");
    });
  }
});

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
  await mode(page, "Quiz");
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
  const link = page.getByRole("link", { name: "Microscope", exact: true });
  // On a phone it is in the menu.
  if (!await link.isVisible()) await page.locator(".main-menu summary").click();
  await link.click();
  await says(page, /Start at the root/);
  assert.equal(await page.locator(".mini .cell .disc:not(.ghost)").count(), 4);
  await page.keyboard.press("ArrowRight");
  await says(page, /Go down column 1/);
  await page.goBack();
  await says(page, /Your move/);
}));

test("the drawing can be saved", () => visit("/microscope?step=13", {}, async (page) => {
  await says(page, /cut/);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save as SVG" }).click();
  assert.equal((await download).suggestedFilename(), "tree.svg");
}));

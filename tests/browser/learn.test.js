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
  await page.locator(".figure-counts").getByText("549\u202f946 nodes").waitFor();
}));

test("alpha-beta is stepped through by button and key, with its pseudocode", () => visit("/learn?chapter=alpha-beta", {}, async (page) => {
  const figure = page.locator(".figure-steps");
  await figure.locator(".sentence", { hasText: "Start at the root" }).waitFor();
  assert.equal(await figure.locator(".snip").count(), 0);
  await figure.getByRole("button", { name: "Next step" }).click();
  await says(page, /Go down E-1/);
  assert.equal(await figure.locator('.code [aria-current="step"]').getAttribute("data-line"), "enter");
  await page.keyboard.press("c");
  await says(page, /cut E-9/);
  assert.equal(await figure.locator('.code [aria-current="step"]').getAttribute("data-line"), "cut");
  await page.keyboard.press("End");
  await says(page, /The root is worth 5/);
  assert.equal(await figure.locator(".snip").count(), 3);
  await page.keyboard.press("ArrowLeft");
  await page.waitForURL(/step=23/);
  const told = await figure.locator(".sentence").textContent();
  await page.reload();
  await figure.locator(".sentence", { hasText: told ?? "" }).waitFor();
}));

test("a chapter is done when its question is answered, and that is kept", () => visit("/learn?chapter=minimax", phone, async (page) => {
  await says(page, /Think for both sides/);
  const ask = page.locator(".ask");
  const done = page.locator(".contents .done");
  await ask.getByRole("button", { name: "7", exact: true }).click();
  await says(page, /Not quite\. That would be MAX's choice/);
  assert.equal(await done.count(), 0);
  await ask.getByRole("button", { name: "2", exact: true }).click();
  await says(page, /Right\. 2\. MIN moves, and takes the smallest/);
  assert.equal(await done.count(), 1);
  await page.reload();
  await page.getByRole("link", { name: /Minimax, done/ }).waitFor();
  await ask.getByText("takes the smallest").waitFor();
  // The names of all chapters are there on a phone, and the current one is in sight.
  await page.locator(".contents .chapter-name", { hasText: "Perfect play" }).waitFor();
  const box = /** @type {any} */ (await page.locator(".contents [aria-current]").boundingBox());
  assert(box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
  await accessible(page);
}));

test("formulas are set, not typed", () => visit("/learn?chapter=ordering", {}, async (page) => {
  await says(page, /Try the best move first/);
  assert.equal(await page.locator("math msup").count(), 3);
  assert(!/\^/.test((await page.locator(".lesson").textContent()) ?? ""));
}));

test("the projector shows a chapter's figure", () => visit("/learn?chapter=perfect", { width: 1920, height: 1080 }, async (page) => {
  await says(page, /wins in 21 moves/);
  await page.keyboard.press("p");
  await page.locator(".ask").waitFor({ state: "hidden" });
  const box = /** @type {any} */ (await page.locator(".figure-solved .board").boundingBox());
  assert(box.height > 700, JSON.stringify(box));
  assert.equal(await page.locator("body > header").isVisible(), false);
  await accessible(page);
  await page.keyboard.press("Escape");
  await page.locator(".ask").waitFor();
}));

test("searches are counted as they are chosen", () => visit("/learn?chapter=ordering", {}, async (page) => {
  const rows = page.locator(".bar-row .number");
  const counts = async () => {
    await rows.nth(3).filter({ hasText: "fewer" }).waitFor();
    return (await rows.allTextContents()).map((text) => Number(text.replace(/ nodes.*/, "").replaceAll("\u202f", "")));
  };
  const six = await counts();
  assert(six[0] > six[1] && six[1] > six[2] && six[2] > six[3], String(six));
  await page.getByRole("radio", { name: "4" }).check({ force: true });
  await page.getByText("2\u202f717 nodes").waitFor();
}));

test("a guess changes into a proof", () => visit("/learn?chapter=horizon", {}, async (page) => {
  await page.locator(".figure-depths tbody tr").nth(6).waitFor();
  const rows = await page.locator(".figure-depths tbody tr").allTextContents();
  assert.match(rows[3], /a guess/);
  assert.match(rows[4], /column 1.*wins in 3 moves/);
}));

test("orders of moves are many, positions few", () => visit("/learn?chapter=tables", {}, async (page) => {
  await page.getByText("12\u202f236\u202f101").waitFor();
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

test("worksheets on move order, evaluation and counting have their answers", () => visit("/learn/worksheet?kinds=order,evaluation,counting&count=12&seed=3", {}, async (page) => {
  await says(page, /12 exercises are ready to print/);
  const key = page.locator(".paper").last();
  const told = await key.locator("li > p").allTextContents();
  assert.equal(told.length, 12);
  assert.equal(told.filter((words) => /leaves as drawn, \d+ in the order \(/.test(words)).length, 4, told.join("\n"));
  assert.equal(told.filter((words) => /The value is -?\d+ - -?\d+ = -?\d+\. Best is/.test(words)).length, 4);
  assert.equal(told.filter((words) => /\d+ (ways|nodes), \d+ (positions|leaves)/.test(words)).length, 4);
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
  await page.getByRole("link", { name: "This experiment" }).click();
  await says(page, /Does minimax grow/);
}));

test("a link hands out a lesson, a tree or a set of puzzles", async () => {
  await visit("/learn", {}, async (page) => {
    await page.getByRole("link", { name: "Lessons for a class" }).click();
    await says(page, /A course in six lessons/);
    await page.getByRole("link", { name: "Alpha-beta: what need not be looked at" }).click();
    assert.match(page.url(), /\/learn\/course#lesson-3$/);
  });
  await visit("/learn/course#lesson-3", phone, async (page) => {
    await says(page, /3\. Alpha-beta: what need not be looked at/);
    const lesson = page.locator("#lesson-3");
    const box = /** @type {any} */ (await lesson.locator("h2").boundingBox());
    assert(box.y >= 0 && box.y < 300, JSON.stringify(box));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
    await accessible(page);
    await lesson.getByRole("link", { name: "Step through it" }).first().click();
    await page.waitForURL(/\/microscope\?tree=/);
    await says(page, /Start at the root/);
  });
  await visit("/learn/course#lesson-5", {}, async (page) => {
    await page.locator("#lesson-5").getByRole("link", { name: "Puzzles" }).click();
    await page.waitForURL(/\/puzzles\?/);
    await page.locator('select[name="theme"]').waitFor({ state: "attached" });
    assert.equal(await page.locator('select[name="theme"]').inputValue(), "win2");
  });
});

test("Learn, the glossary, the course and Lab can be read without scripts", async () => {
  for (const [path, words] of /** @type {[string, RegExp[]][]} */ ([
    ["/learn?chapter=horizon", [/Win or block/, /Stop somewhere and guess/, /Know everything/]],
    ["/learn/glossary#beta", [/Zero-sum/]],
    ["/learn/course#lesson-3", [/Games as trees/, /Alpha and beta/, /Your programs/]],
    ["/lab", [/The laboratory/, /How many positions are there/]],
    ["/lab?run=radboud-growth", [/Does minimax grow/, /The full report/]],
  ])) {
    await visit(path, { scripts: false }, async (page) => {
      const text = (await page.locator("main").textContent()) ?? "";
      for (const word of words) assert.match(text, word, path);
      assert.equal(await page.locator(".needs-script:visible").count(), 0);
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert(inner <= outer, path);
    });
  }
  await visit("/learn", { scripts: false }, async (page) => {
    await page.locator("#naive details summary").click();
    await page.getByText("never a move ahead").waitFor();
    await page.locator("#alpha-beta img").scrollIntoViewIfNeeded();
    await page.waitForFunction(() => /** @type {HTMLImageElement} */ (document.querySelector("#alpha-beta img")).naturalWidth > 0);
  });
});

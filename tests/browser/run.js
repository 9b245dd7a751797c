// All tests, two files at a time. A file with a failure runs once more by itself, since a test of a real browser can lose a race on
// a machine that is busy; what fails only the first time is named at the end, and is a fault to be mended.
//
//   npm test [-- FILE...]
//   npm run site -- WIDTH [FILE...]   the same against the site without a server, in windows of that width where a test names none;
//                                     SITE and PACKAGE name what ./site made, and left-out.js what needs a server

import { readdirSync } from "node:fs";
import { run } from "node:test";
import { tap } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const asked = process.argv.slice(2);
if (asked[0] === "--site") {
  Object.assign(process.env, { FOURFOLD: here("static.js"), WIDTH: asked[1], NODE_OPTIONS: `--import=${here("left-out.js")}` });
  asked.splice(0, 2);
}
const files = (asked.length ? asked : readdirSync(here(".")).filter((name) => name.endsWith(".test.js"))).map(here);

/** Runs files and shows how they went. @returns {Promise<{ file: string, name: string }[]>} what failed */
const ran = (files, concurrency) => new Promise((done, fail) => {
  /** @type {{ file: string, name: string }[]} */
  const failed = [];
  const running = run({ files, concurrency });
  running.on("test:fail", ({ file, name }) => failed.push({ file: file ?? name, name }));
  running.on("error", fail);
  running.on("end", () => done(failed));
  running.compose(tap).pipe(process.stdout, { end: false });
});

const first = await ran(files, 2);
const again = first.length ? await ran([...new Set(first.map(({ file }) => file))], 1) : [];
for (const { file, name } of first) {
  if (!again.some((one) => one.name === name)) process.stdout.write(`# failed once, then passed: ${name} (${file})\n`);
}
process.exitCode = again.length ? 1 : 0;

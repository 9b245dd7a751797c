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

/** Runs a file and shows how it went. @param {string} file @returns {Promise<string[]>} the tests that failed */
const ran = (file) => new Promise((done, fail) => {
  /** @type {string[]} */
  const failed = [];
  const running = run({ files: [file] });
  running.on("test:fail", ({ name }) => failed.push(name));
  // In one piece, since two files run at a time.
  running.compose(tap).toArray().then((lines) => {
    process.stdout.write(lines.join(""));
    done(failed);
  }, fail);
});

/** What failed, by file. @type {Map<string, string[]>} */
const first = new Map();
const queue = [...files];
await Promise.all(Array.from({ length: 2 }, async () => {
  for (let file = queue.shift(); file; file = queue.shift()) {
    const failed = await ran(file);
    if (failed.length) first.set(file, failed);
  }
}));
let again = 0;
for (const [file, names] of first) {
  const failed = await ran(file);
  again += failed.length;
  for (const name of names.filter((name) => !failed.includes(name))) process.stdout.write(`# failed once, then passed: ${name} (${file})\n`);
}
process.stdout.write(again ? `# ${again} failed twice\n` : `# ${files.length} files passed\n`);
process.exitCode = again ? 1 : 0;

// The npm package, as it would be installed: packed, unpacked elsewhere, and asked. PACKAGE names what ./site --package made.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const folder = process.env.PACKAGE ?? "";
const skip = existsSync(folder) ? false : "PACKAGE names no package; ./site --package makes one";

test("three lines solve a position", { skip }, () => {
  const place = mkdtempSync(join(tmpdir(), "fourfold-package-"));
  try {
    const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", folder, "--json", "--silent", "--pack-destination", place], { encoding: "utf8" }));
    const home = join(place, "node_modules", "fourfold");
    mkdirSync(home, { recursive: true });
    execFileSync("tar", ["xzf", join(place, filename), "-C", home, "--strip-components=1"]);
    writeFileSync(join(place, "try.mjs"), `import { solve, FourfoldError, move } from "fourfold";
const { words, score, columns } = await solve("4453");
const refused = await solve("9").catch((error) => error);
const answered = await move("4453", { player: "level:3", seed: 1 });
console.log(JSON.stringify({ words, score, columns: columns.length, where: refused.where, own: refused instanceof FourfoldError, move: answered.move }));
`);
    const told = JSON.parse(execFileSync(process.execPath, [join(place, "try.mjs")], { encoding: "utf8" }));
    assert.equal(told.columns, 7);
    assert.equal(typeof told.score, "number");
    assert.deepEqual([told.where, told.own], ["moves", true]);
    assert.match(told.move, /^[1-7]$/);
  } finally {
    rmSync(place, { recursive: true });
  }
});

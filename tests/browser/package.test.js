// The npm package, as it would be installed: packed, unpacked elsewhere, and asked. PACKAGE names what ./site --package made.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

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

/** The module alone: its exports, and what it answers to the bytes of a request. */
const module = async () => {
  const text = (address, length) => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, address, length));
  const fourfold = {
    now: () => performance.now(), event: () => undefined, log: (...told) => assert.fail(text(...told)),
    part_size: (...name) => readFileSync(join(folder, text(...name))).length,
    part: (address, length, to) => new Uint8Array(engine.memory.buffer).set(readFileSync(join(folder, text(address, length))), to),
  };
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, "engine.wasm")), { fourfold });
  const engine = /** @type {any} */ (instance.exports);
  const answer = (bytes) => {
    const address = engine.request(bytes.length);
    new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
    const found = engine.call();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(engine.memory.buffer, found, engine.length())));
  };
  return { engine, answer };
};

test("every solved position that comes with the library has its score", { skip }, async () => {
  const { answer } = await module();
  const sets = fileURLToPath(new URL("../../crates/fourfold/tests/data/solved", import.meta.url));
  let count = 0;
  for (const name of readdirSync(sets, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"))) {
    for (const line of readFileSync(join(sets, name), "utf8").trim().split("\n")) {
      const [moves, known] = line.split(" ");
      const request = { call: "solve", params: { moves, game: dirname(name) }, only: "", slice: 1e15, book: false };
      const { answer: told } = answer(new TextEncoder().encode(JSON.stringify(request)));
      assert.equal(told.score, Number(known), `${name}: ${line}: ${JSON.stringify(told)}`);
      count++;
    }
  }
  assert.equal(count, 1470);
});

test("any bytes are answered, and the module never traps", { skip }, async () => {
  let seed = 18;
  const random = (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const { engine, answer } = await module();
  const good = new TextEncoder().encode('{"call":"move","params":{"moves":"3216462511257","player":"level:4","seed":7},"slice":1000,"found":[{"move":"1","score":2}]}');
  for (let count = 0; count < 500; count++) {
    // Noise, and a good request with some of its bytes changed.
    const bytes = count % 2 ? Uint8Array.from({ length: random(64) }, () => random(256)) : good.slice();
    for (let change = 0; count % 2 === 0 && change < 1 + random(3); change++) bytes[random(bytes.length)] = random(256);
    const { status, answer: told } = answer(bytes);
    assert(status === 200 || (status >= 400 && status < 500 && typeof told.detail === "string"), `${status} ${JSON.stringify(told)}`);
  }
  assert.equal(answer(good).status, 200);
  // Too long for any room.
  assert.equal(engine.request(1 << 30), 0);
});

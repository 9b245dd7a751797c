// The tests of the app that the site without a server cannot pass, by name, with the reason. Loaded before the tests
// (`node --import`) when they run against the site; see run.js.

import { createRequire, syncBuiltinESMExports } from "node:module";

/** @type {[RegExp, string][]} */
const LEFT_OUT = [
];

const module = createRequire(import.meta.url)("node:test");
const { test } = module;
module.test = (name, options, act) => {
  const [, skip] = LEFT_OUT.find(([pattern]) => pattern.test(name)) ?? [];
  if (!skip) return test(name, options, act);
  const [given, body] = typeof options === "function" ? [{}, options] : [options, act];
  return test(name, { ...given, skip }, body);
};
syncBuiltinESMExports();

// The tests of the app that the site without a server cannot pass, by name, with the reason. Loaded before the tests
// (`node --import`) when they run against the site; see run.js.

import { createRequire, syncBuiltinESMExports } from "node:module";

const LIVE = "a game that goes on by itself needs a server; site.test.js plays a friend by links";

/** @type {Record<string, string>} */
const LEFT_OUT = {
  "two browsers play each other by link, through a kill -9 of the server": LIVE,
  "a third one watches, and the seat stays taken": LIVE,
  "draws are offered, declined and accepted; a game can be given up": LIVE,
  "who is there is shown, and a seat is kept on the device": LIVE,
  "the server owns the clock": LIVE,
  "a link can be copied without a secure connection": LIVE,
  "wrong and expired links say so": LIVE,
  "a position is shared as a link, a text and a picture": "pictures have no addresses here; site.test.js saves one",
  "runs are browsed, and their reports stand alone": "the address of a folder ends with a slash on a host of files",
  "Learn, the glossary, the course and Lab can be read without scripts": "a host of files cannot put one run of Lab into the page; without scripts its report is read",
  "the first page is small": "the engine comes along, and a host may or may not pack it; results/ has its size",
  "an unknown page is a page": "a host of files has a page of its own for that",
  "a server that is away is waited for": "there is no server to wait for; site.test.js plays offline",
};

const module = createRequire(import.meta.url)("node:test");
const { test } = module;
module.test = (name, options, act) => {
  const skip = LEFT_OUT[name];
  if (!skip) return test(name, options, act);
  const [given, body] = typeof options === "function" ? [{}, options] : [options, act];
  return test(name, { ...given, skip }, body);
};
syncBuiltinESMExports();

// How long Play takes to open on a slow line: `npm run load [RUNS]`. Prints the median of the first and of the second visit, and what was sent.
//
// The line is 4G as WebPageTest has it: 9 Mbit/s, 170 ms there and back. "Open" is when the board can be played on.

import { open } from "./harness.js";

const RUNS = Number(process.argv[2] ?? 9);
const LINE = { offline: false, latency: 170, downloadThroughput: (9e6 / 8), uploadThroughput: (9e6 / 8) };

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

const { address, browser, end } = await open();
const times = { first: [], second: [] };
const bytes = [];
for (let run = 0; run < RUNS; run += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", LINE);
  let sent = 0;
  line.on("Network.loadingFinished", ({ encodedDataLength }) => (sent += encodedDataLength));
  const ready = () => page.waitForFunction(() => document.querySelector(".top:not([aria-disabled])"), undefined, { polling: "raf" });
  const visit = async () => {
    const began = performance.now();
    await page.goto(`${address}/play`, { waitUntil: "commit" });
    await ready();
    return performance.now() - began;
  };
  times.first.push(await visit());
  bytes.push(sent);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The worker keeps the files from the second visit on; the browser's own cache has them already.
  await page.goto("about:blank");
  times.second.push(await visit());
  await context.close();
}
console.log(`First visit: ${Math.round(median(times.first))} ms (${times.first.map(Math.round).join(", ")})`);
console.log(`Second visit: ${Math.round(median(times.second))} ms (${times.second.map(Math.round).join(", ")})`);
console.log(`Sent for the first visit: ${(median(bytes) / 1000).toFixed(1)} kB`);
await end();

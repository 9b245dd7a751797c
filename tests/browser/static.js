#!/usr/bin/env node
// A host of static pages, as there are many: hands out the files of a folder, redirects to folders, knows nothing else. Run as a
// command it stands in for `fourfold serve`, so that the tests of the app can be run against the site: SITE names the folder. What
// a test itself asks the engine is answered by the package that PACKAGE names; pages get no answer.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const KINDS = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css", json: "application/json", svg: "image/svg+xml", png: "image/png", wasm: "application/wasm", csv: "text/csv" };

/**
 * Serves a folder below a path such as `/` or `/games/`.
 * @param {string} folder @param {string} [below] @param {number} [port]
 * @returns {Promise<import("node:http").Server>}
 */
export const host = (folder, below = "/", port = 0) => new Promise((listening) => {
  const server = createServer(async (request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", "http://localhost");
    // What a test looks at that is none of the app.
    if (/^\/(healthz|favicon\.ico)$/.test(pathname)) return response.writeHead(200, { "content-type": "text/plain" }).end("ok\n");
    if (pathname.startsWith("/api/v1/") && !request.headers["sec-fetch-site"] && process.env.PACKAGE) {
      const { ask } = await import(join(process.env.PACKAGE, "fourfold.js"));
      const answer = await ask(pathname.slice("/api/v1/".length), Object.fromEntries(searchParams)).catch((error) => ({ detail: error.message }));
      return response.writeHead(200, { "content-type": KINDS.json }).end(JSON.stringify(answer));
    }
    const path = normalize(decodeURIComponent(pathname));
    const none = () => response.writeHead(404, { "content-type": "text/plain" }).end("There is nothing here.\n");
    if (!path.startsWith(below)) return none();
    let file = join(folder, path.slice(below.length));
    if (existsSync(file) && statSync(file).isDirectory()) {
      if (!path.endsWith("/")) return response.writeHead(301, { location: `${path}/${search}` }).end();
      file = join(file, "index.html");
    }
    if (!existsSync(file)) return none();
    response.writeHead(200, { "content-type": KINDS[file.split(".").pop() ?? ""] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  server.listen(port, "127.0.0.1", () => listening(server));
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
  const server = await host(process.env.SITE ?? "", "/", port);
  console.log(`http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`);
}

// Pictures of every page, wide and narrow, light and dark, to look at: `npm run shots [DIRECTORY]`.

import { mkdirSync } from "node:fs";
import { open, phone, says } from "./harness.js";
import { PAGES } from "./pages.js";

const folder = process.argv[2] ?? "shots";
mkdirSync(folder, { recursive: true });
const { visit, end } = await open();
for (const { name, path, ready } of PAGES) {
  for (const [look, options] of Object.entries({ wide: { height: 900 }, narrow: phone })) {
    for (const dark of [false, true]) {
      await visit(path, { ...options, dark, reduced: true }, async (page) => {
        await says(page, ready);
        await page.screenshot({ path: `${folder}/${name}-${look}-${dark ? "dark" : "light"}.png`, fullPage: look === "narrow" });
      });
    }
  }
}
await end();

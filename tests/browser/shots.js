// Pictures of every page at five sizes, light and dark, to look at: `npm run shots [DIRECTORY [PAGE...]]`. With `--docs`, those of the README
// instead.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { open, says } from "./harness.js";
import { PAGES } from "./pages.js";

const SIZES = { phone: [375, 812], side: [812, 375], tablet: [1024, 768], desk: [1440, 900], projector: [1920, 1080] };
/** The pictures of the README: what they show, and when it is there. */
const DOCS = [
  { name: "play", path: "/play?seed=7&against=character:milo&moves=44354352", ready: /Your move/ },
  { name: "analyse", path: "/analyse?moves=4453344531&tree=4453(2)344531(62(1)3)33", ready: /wins in/, shows: ".line-graph" },
  { name: "review", path: "/review?moves=4453344531334&you=first&against=character:otto", ready: /moment/ },
  { name: "puzzles", path: "/puzzles?game=7x6c4&number=200", ready: /to move/ },
  { name: "microscope", path: "/microscope?step=13", ready: /cut E-8 to E-9/ },
];

const forDocs = process.argv[2] === "--docs";
const folder = forDocs ? fileURLToPath(new URL("../../docs/pictures", import.meta.url)) : process.argv[2] ?? "shots";
mkdirSync(folder, { recursive: true });
const { visit, end } = await open();

const take = ({ path, ready, shows }, [width, height], dark, file) => visit(path, { width, height, dark, reduced: true }, async (page) => {
  await says(page, ready);
  if (shows) await page.locator(shows).first().waitFor();
  await page.screenshot({ path: `${folder}/${file}.png` });
});

if (forDocs) for (const page of DOCS) await take(page, [1280, 860], false, page.name);
else {
  const named = process.argv.slice(3);
  for (const page of PAGES.filter(({ name }) => !named.length || named.includes(name))) {
    for (const [size, screen] of Object.entries(SIZES)) {
      for (const dark of [false, true]) await take(page, screen, dark, `${page.name}-${size}-${dark ? "dark" : "light"}`);
    }
  }
}
await end();

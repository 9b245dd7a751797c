// The language of the app: English, or one of those that have a module `words-CODE.js`. What such a module leaves out stays English.

/** The languages that there are. */
export const LANGUAGES = { en: "English", de: "Deutsch" };

const chosen = (() => {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
})();

/** The language that is shown, by its code. */
export const language = chosen && chosen in LANGUAGES ? chosen : "en";

/** Remembers another one; it holds from the next page on. @param {string} code */
export const choose = (code) => localStorage.setItem("language", code);

const other = language === "en" ? undefined : await import(`./words-${language}.js`).then(({ words }) => words, () => undefined);

const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** One set of words over another, part by part. */
const over = (under, above) => Object.fromEntries(Object.entries(under).map(([name, value]) =>
  [name, above[name] === undefined ? value : isPlain(value) ? over(value, above[name]) : above[name]]));

/**
 * The words of a part of the app in the language that is shown.
 * @template T @param {string} part @param {T} english @returns {T}
 */
export const translated = (part, english) => (other?.[part] ? /** @type {T} */ (over(english, other[part])) : english);

document.documentElement.lang = language;

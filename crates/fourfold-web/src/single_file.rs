//! The whole app as one file, which a browser opens from a disk: no server, no folder, no network.
//!
//! Browsers neither load modules nor fetch anything from `file:`, so the modules become functions of
//! one classic script, in which their imports are calls. Whatever else the app fetches stands in the
//! script as text. Scripts and styles are allowed by their hashes alone.

use super::assets::{self, FILES, ICON};
use super::static_site::{EngineFiles, drawn, tables};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// What evaluates the modules: each once, after those that it imports.
const LOADER: &str = "\
const modules = new Map(), loaded = new Map();
const load = (name) => {
  const known = name.slice(2);
  if (!loaded.has(known)) {
    const exports = {};
    loaded.set(known, modules.get(known) ? modules.get(known)(exports).then(() => exports) : Promise.reject(new Error(name)));
  }
  return loaded.get(known);
};
";

/// The page; `texts` are more files that it may fetch, by name.
pub(super) fn page(engine: &EngineFiles, texts: &[(String, String)]) -> String {
    let script = script(engine, texts);
    let styles: String =
        FILES.iter().filter(|(name, _)| name.ends_with(".css")).map(|&(_, text)| text).collect();
    let policy = format!(
        "default-src 'none'; script-src '{}' 'wasm-unsafe-eval'; style-src '{}'; img-src data: blob:; \
         connect-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'",
        hash_source(&script),
        hash_source(&styles),
    );
    let icon = format!("data:image/svg+xml;base64,{}", base64(ICON.as_bytes()));
    let mut out = String::new();
    for line in assets::page("").lines() {
        let line = line
            .replace("<html lang=\"en\">", "<html lang=\"en\" data-engine=\"page\">")
            .replace("/favicon.ico", &icon)
            .replace("href=\"/", "href=\"#/");
        let gone = ["<script ", "rel=\"stylesheet\"", "modulepreload", "manifest", "apple-touch"];
        if gone.iter().any(|part| line.contains(part)) {
            continue;
        }
        if line == "</head>" {
            let _ = write!(out, "<style>{styles}</style>\n{line}\n");
        } else if line == "</body>" {
            let _ = write!(out, "<script>{script}</script>\n{line}\n");
        } else {
            out += &line;
            out.push('\n');
        }
        if line.starts_with("<meta charset") {
            let _ =
                writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
        }
    }
    out
}

/// The modules and whatever they fetch, as one classic script.
fn script(engine: &EngineFiles, texts: &[(String, String)]) -> String {
    let mut files = serde_json::Map::new();
    files.insert("engine.wasm".to_owned(), base64(&engine.simd).into());
    for (name, bytes) in tables() {
        files.insert(name.to_owned(), base64(bytes).into());
    }
    for (name, text) in texts {
        files.insert(name.clone(), text.as_str().into());
    }
    for (name, text) in FILES {
        // The drawings themselves are among the texts.
        if name.ends_with(".html") {
            files.insert((*name).to_owned(), drawn(text, &mut Vec::new()).into());
        } else if *name == "engine-worker.js" {
            files.insert((*name).to_owned(), (*text).into());
        }
    }
    let files = serde_json::Value::from(files);
    let mut out = format!("\"use strict\";\nglobalThis.fourfoldFiles = {files};\n{LOADER}");
    for (name, text) in FILES.iter().filter(|(name, _)| name.ends_with(".js")) {
        if *name != "engine-worker.js" {
            let _ = writeln!(out, "modules.set({name:?}, {});", function(text));
        }
    }
    out += "load(\"./main.js\");\n";
    // The end of a script must not stand inside it.
    out.replace("</script", "<\\/script").replace("<!--", "<\\!--")
}

/// A module as a function that fills an object with what the module exports.
fn function(module: &str) -> String {
    let (mut exports, mut body) = (String::new(), String::new());
    for line in module.lines() {
        if let Some((names, from)) = imported(line) {
            let _ = writeln!(body, "const {names} = await load({from});");
            continue;
        }
        let mut line = line;
        if let Some(declared) = line.strip_prefix("export ") {
            line = declared;
            let words = declared.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            let name = words.filter(|word| !KINDS.contains(word)).find(|word| !word.is_empty());
            let name = name.unwrap_or_default();
            let _ = write!(exports, "{name}: {{ get: () => {name}, enumerable: true }}, ");
        }
        body += &line.replace("import(", "load(").replace("import.meta.url", "\"\"");
        body.push('\n');
    }
    format!("async (exports) => {{\nObject.defineProperties(exports, {{ {exports}}});\n{body}}}")
}

/// The words before the name of something that is exported.
const KINDS: [&str; 5] = ["const", "let", "class", "async", "function"];

/// What a line imports, as a pattern to assign to, and the module that it is from.
fn imported(line: &str) -> Option<(String, &str)> {
    let (names, from) = line.strip_prefix("import ")?.split_once(" from ")?;
    let pattern = match names.strip_prefix("* as ") {
        Some(whole) => whole.to_owned(),
        None => names.replace(" as ", ": "),
    };
    Some((pattern, from.trim_end_matches(';')))
}

/// How a policy names a text that it allows.
fn hash_source(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// Bytes as text.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        let word = word << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{FILES, base64, function, hash_source, page};
    use crate::static_site::EngineFiles;

    #[test]
    fn base_64_is_that_of_everybody() {
        for (text, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(text.as_bytes()), coded);
        }
        assert_eq!(hash_source(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn a_module_becomes_a_function() {
        let module = "import { a, b as c } from \"./x.js\";\nimport * as y from \"./y.js\";\n\
                      export const d = (n) => import(`./${n}.js`);\nexport class E {}\n";
        let made = function(module);
        for part in [
            "const { a, b: c } = await load(\"./x.js\");",
            "const y = await load(\"./y.js\");",
            "d: { get: () => d, enumerable: true }, E: { get: () => E",
            "\nconst d = (n) => load(`./${n}.js`);\nclass E {}\n",
        ] {
            assert!(made.contains(part), "{part} in {made}");
        }
    }

    #[test]
    fn no_import_or_export_is_left_and_nothing_is_fetched() {
        let engine = EngineFiles { simd: b"\0asm".to_vec(), plain: Vec::new() };
        let page = page(&engine, &[]);
        for line in page.lines() {
            assert!(!line.starts_with("import ") && !line.starts_with("export "), "{line}");
        }
        for part in ["href=\"/", "src=\"/", "http://", "modulepreload", "<link rel=\"stylesheet"] {
            let found = page.find(part).map(|at| &page[at..(at + 80).min(page.len())]);
            // Names of formats and of other programs may be addresses; nothing is loaded from them.
            assert!(found.is_none_or(|text| text.starts_with("http://www.w3.org/")), "{found:?}");
        }
        assert_eq!(page.matches("</script").count(), 1);
        assert!(FILES.iter().all(|(_, text)| !text.contains("export default")));
    }
}

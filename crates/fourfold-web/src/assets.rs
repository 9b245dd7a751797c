//! The pages, embedded: the files of `assets/` are served as they are, with no build step.
//!
//! They lie in a folder whose name changes with their contents, so that browsers may keep them for
//! ever; the pages themselves are asked for anew each time, by their tags. Everything is packed
//! once, when it is first asked for.

use super::reading;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::{LazyLock, OnceLock};

/// The files that pages are made of, as `build.rs` lists them: names and texts.
pub(super) const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The page for all paths of the app; its script looks at the path itself. `{files}` stands for the
/// folder of the files, `{preload}` for links to what the page is about to need.
const PAGE: &str = include_str!("../assets/index.html");

/// What every page needs, in the order in which it is found out.
const SHARED: &[&str] =
    &["main.js", "dom.js", "strings.js", "language.js", "client.js", "board.js"];

/// The pages: their paths, and the modules that each needs beside [`SHARED`].
const PAGES: &[(&str, &[&str])] = &[
    ("/", PLAY),
    ("/play", PLAY),
    ("/analyse", &["analyse.js", "analyse-strings.js", "picker.js", "variations.js"]),
    ("/review", REVIEW),
    ("/puzzles", PUZZLES),
    ("/friend", FRIEND),
    ("/friend/{id}", FRIEND),
    ("/games", &["games.js", "games-strings.js", "kept.js", "opponents.js"]),
    ("/microscope", MICROSCOPE),
    (LEARN, &["learn.js", "learn-strings.js", "figures.js", "text.js", "kept.js", "present.js"]),
    (GLOSSARY, &["glossary.js", "text.js"]),
    (COURSE, &["course.js", "text.js"]),
    ("/learn/worksheet", &["worksheet.js", "learn-strings.js", "sketch.js"]),
    (LAB, &["lab.js", "formula.js", "text.js"]),
];

/// The pages that [`super::reading`] fills with text.
pub(super) const LEARN: &str = "/learn";
pub(super) const GLOSSARY: &str = "/learn/glossary";
pub(super) const COURSE: &str = "/learn/course";
pub(super) const LAB: &str = "/lab";
const MICROSCOPE: &[&str] = &[
    "microscope.js",
    "microscope-strings.js",
    "walk.js",
    "pseudocode.js",
    "tree.js",
    "camera.js",
    "setup.js",
    "predict.js",
    "edit.js",
    "quiz.js",
    "present.js",
];
const FRIEND: &[&str] =
    &["friend.js", "friend-strings.js", "live.js", "opponents.js", "picker.js", "seats.js"];
const REVIEW: &[&str] = &[
    "review.js",
    "review-parts.js",
    "review-start.js",
    "review-strings.js",
    "thumbnail.js",
    "picker.js",
    "opponents.js",
    "kept.js",
];
const PUZZLES: &[&str] =
    &["puzzles.js", "puzzles-strings.js", "rating.js", "tries.js", "kept.js", "sounds.js"];
const PLAY: &[&str] = &["play.js", "kept.js", "opponents.js", "picker.js", "sounds.js"];

pub(super) const HTML: &str = "text/html; charset=utf-8";
/// Kept for ever: what changes has another name.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// Asked for each time, and sent only if it has changed.
const FRESH: &str = "no-cache";

/// Files of more bytes than this are packed quickly.
const LARGE: usize = 256 << 10;

/// Something to be served, with its packed forms.
#[derive(Debug)]
pub(super) struct Asset {
    kind: &'static str,
    cache: &'static str,
    bytes: Vec<u8>,
    tag: String,
    /// What it may load, if that is not what everything may.
    policy: Option<&'static str>,
    packed: OnceLock<Packed>,
}

#[derive(Debug)]
struct Packed {
    brotli: Vec<u8>,
    gzip: Vec<u8>,
}

impl Asset {
    fn new(kind: &'static str, cache: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        let tag = hash(&bytes);
        Self { kind, cache, bytes, tag, policy: None, packed: OnceLock::new() }
    }

    /// A file that never changes under its name.
    pub(super) fn file(kind: &'static str, bytes: Vec<u8>) -> Self {
        Self::new(kind, FOREVER, bytes)
    }

    /// The same page, with an engine in it; other things as they are.
    pub(super) fn with_engine(self, policy: &'static str) -> Self {
        if !self.is_page() {
            return self;
        }
        let marked = "<html lang=\"en\" data-engine=\"page\" data-server>";
        let page = self.text().replacen("<html lang=\"en\">", marked, 1);
        Self { policy: Some(policy), ..Self::new(self.kind, self.cache, page) }
    }

    /// Whether it is a page.
    pub(super) fn is_page(&self) -> bool {
        self.kind == HTML
    }

    /// What it says.
    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }

    /// A page, asked for each time.
    pub(super) fn page(text: String) -> Self {
        Self::new(HTML, FRESH, text)
    }

    fn packed(&self) -> &Packed {
        self.packed.get_or_init(|| Packed { brotli: brotli(&self.bytes), gzip: gzip(&self.bytes) })
    }

    /// The answer to a request with these headers: packed as the client can read it, or nothing if
    /// it has it already.
    pub(super) fn serve(&self, asked: &HeaderMap) -> Response {
        let encoding = encoding(asked);
        let tag = format!("\"{}{}\"", self.tag, encoding.unwrap_or_default());
        let known = asked.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        let known = known.is_some_and(|tags| tags.split(',').any(|known| known.trim() == tag));
        let body = match encoding {
            _ if known => Vec::new(),
            Some("br") => self.packed().brotli.clone(),
            Some(_) => self.packed().gzip.clone(),
            None => self.bytes.clone(),
        };
        let mut response = body.into_response();
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(header::ETAG, tag);
        }
        if let Some(policy) = self.policy {
            headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        }
        if let (Some(encoding), false) = (encoding, known) {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }
}

/// The best way to pack an answer that the client can read.
fn encoding(asked: &HeaderMap) -> Option<&'static str> {
    let accepted = asked.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
    let takes = |name: &str| {
        accepted.split(',').any(|part| {
            let (encoding, weight) = part.split_once(';').unwrap_or((part, ""));
            let refused = weight
                .trim()
                .strip_prefix("q=")
                .is_some_and(|q| q.trim_matches(['0', '.', ' ']).is_empty());
            encoding.trim().eq_ignore_ascii_case(name) && !refused
        })
    };
    ["br", "gzip"].into_iter().find(|name| takes(name))
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    // Nobody should wait for the best when it takes seconds.
    let quality = if bytes.len() > LARGE { 7 } else { 11 };
    let params = brotli::enc::BrotliEncoderParams { quality, ..Default::default() };
    // Writing into memory cannot fail.
    let _ = brotli::BrotliCompress(&mut &*bytes, &mut packed, &params);
    packed
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

/// A short text that changes with what is hashed.
pub(super) fn hash(what: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Everything that is served, by its path.
pub(super) fn site() -> Vec<(String, Asset)> {
    let folder = folder();
    let mut site = Vec::new();
    for &(name, text) in FILES {
        let kind = match name.rsplit('.').next() {
            Some("css") => "text/css; charset=utf-8",
            Some("html") => HTML,
            _ => "text/javascript; charset=utf-8",
        };
        site.push((format!("{folder}/{name}"), Asset::new(kind, FOREVER, text.to_owned())));
        // For whoever knows a file by its own name.
        site.push((format!("/assets/{name}"), Asset::new(kind, FRESH, text.to_owned())));
    }
    for &(path, _) in PAGES.iter().filter(|(path, _)| *path != LAB) {
        let page = match path {
            LEARN => reading::learn(),
            GLOSSARY => reading::glossary(),
            COURSE => reading::course(),
            path => page(path),
        };
        site.push((path.to_owned(), Asset::page(page)));
    }
    let icon = Asset::new("image/svg+xml", FRESH, ICON.to_owned());
    site.push(("/favicon.ico".to_owned(), icon));
    let worker = worker(&folder[1..], "", &[]);
    let kind = "text/javascript; charset=utf-8";
    site.push(("/worker.js".to_owned(), Asset::new(kind, FRESH, worker)));
    let manifest = include_str!("../assets/manifest.json").to_owned();
    let kind = "application/manifest+json";
    site.push(("/manifest.json".to_owned(), Asset::new(kind, FRESH, manifest)));
    site
}

/// The icon of the app, as SVG.
pub(super) const ICON: &str = include_str!("../assets/icon.svg");

/// The service worker: where the files are, what addresses of pages end in, and which other files it
/// keeps from the start.
pub(super) fn worker(folder: &str, end: &str, all: &[String]) -> String {
    let all: Vec<String> = all.iter().map(|path| format!("{path:?}")).collect();
    include_str!("../assets/worker.js")
        .replace("{files}", folder)
        .replace("{end}", end)
        .replace("/*{all}*/", &all.join(", "))
}

/// The page for an address that leads nowhere; its script says so.
pub(super) fn lost() -> Asset {
    Asset::page(page(""))
}

/// The folder of the files: its name changes with their contents.
pub(super) fn folder() -> &'static str {
    static FOLDER: LazyLock<String> = LazyLock::new(|| format!("/assets/{}", hash(&FILES)));
    &FOLDER
}

/// The page for a path, with links to the modules that it needs.
pub(super) fn page(path: &str) -> String {
    let folder = folder();
    let modules =
        PAGES.iter().find(|(known, _)| *known == path).map_or(&[] as &[_], |found| found.1);
    let link = |module: &&str| format!("<link rel=\"modulepreload\" href=\"{folder}/{module}\">\n");
    let preload: String = SHARED.iter().chain(modules).map(link).collect();
    PAGE.replace("{preload}\n", &preload).replace("{files}", folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(encodings: &'static str) -> HeaderMap {
        [(header::ACCEPT_ENCODING, HeaderValue::from_static(encodings))].into_iter().collect()
    }

    #[test]
    fn clients_get_what_they_can_read() {
        for (accepted, answer) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip;q=0.5, br;q=0", Some("gzip")),
            ("GZIP", Some("gzip")),
            ("br;q=0.000, gzip; q=0.0", None),
            ("identity", None),
            ("", None),
        ] {
            assert_eq!(encoding(&asked(accepted)), answer, "{accepted}");
        }
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let mut text = Vec::new();
        let packed = brotli("four in a row, ".repeat(100).as_bytes());
        assert!(packed.len() < 100);
        brotli::BrotliDecompress(&mut packed.as_slice(), &mut text).unwrap();
        assert_eq!(text, "four in a row, ".repeat(100).into_bytes());
    }

    #[test]
    fn a_tag_that_is_known_gets_no_body() {
        let asset = Asset::new(HTML, FRESH, "text".to_owned());
        let first = asset.serve(&HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        let tag = first.headers()[header::ETAG].clone();
        let again = asset.serve(&[(header::IF_NONE_MATCH, tag.clone())].into_iter().collect());
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        // The packed form is another thing, with another tag.
        let mut packed = asked("br");
        packed.insert(header::IF_NONE_MATCH, tag);
        assert_eq!(asset.serve(&packed).status(), StatusCode::OK);
    }

    #[test]
    fn every_module_that_a_page_preloads_is_there() {
        for module in PAGES.iter().flat_map(|(_, modules)| *modules).chain(SHARED) {
            assert!(FILES.iter().any(|(name, _)| name == module), "{module}");
        }
    }
}

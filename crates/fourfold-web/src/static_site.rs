//! The app as files for any host of static pages, with the engine in the page and nobody's server.
//!
//! The pages are those that the service serves, with relative addresses, so that they work in any
//! folder; what the service would answer, the engine answers inside the browser, and the runs of the
//! laboratory are files.

use super::assets::{self, Asset, ICON};
use super::lab::Shelf;
use super::{picture, single_file};
use fourfold::parts::Part;
use fourfold_app::puzzles;
use fourfold_app::service::{Params, Problem, TRACE, trace_of};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What pages may load: nothing from elsewhere, no inline scripts. The engine is compiled in the
/// page, and drawings to be saved are made there.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'none'";

/// The app as one file, to be opened from a disk.
const ONE_FILE: &str = "fourfold.html";

/// The engine as WebAssembly.
#[derive(Debug, Clone)]
pub struct EngineFiles {
    /// For browsers that know vectors of 128 bits.
    pub simd: Vec<u8>,
    /// For the others.
    pub plain: Vec<u8>,
}

/// Why there is no engine in a folder.
#[derive(Debug, thiserror::Error)]
pub enum ReadSiteError {
    /// A file cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// The folder holds no engine.
    #[error("{} is no site: no folder in its assets has an engine.wasm", directory.display())]
    None {
        /// The folder.
        directory: PathBuf,
    },
}

impl EngineFiles {
    /// The engine of a site that [`write_site`] has written: the newest, if there are several.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of_site(directory: &Path) -> Result<Self, ReadSiteError> {
        let folder = directory.join("assets");
        let reading = |path: &Path| {
            let path = path.to_owned();
            move |why| ReadSiteError::Read { path, why }
        };
        let mut found = None;
        for entry in fs::read_dir(&folder).map_err(reading(&folder))? {
            let path = entry.map_err(reading(&folder))?.path().join("engine.wasm");
            if let Ok(written) = fs::metadata(&path).and_then(|about| about.modified()) {
                found = found.max(Some((written, path)));
            }
        }
        let none = || ReadSiteError::None { directory: directory.to_owned() };
        let (_, path) = found.ok_or_else(none)?;
        let plain = path.with_file_name("engine-plain.wasm");
        let simd = fs::read(&path).map_err(reading(&path))?;
        let plain = fs::read(&plain).map_err(reading(&plain))?;
        if ![&simd, &plain].iter().all(|module| is_wasm(module)) {
            return Err(none());
        }
        Ok(Self { simd, plain })
    }

    /// As they are served, by their paths.
    pub(super) fn assets(self) -> Vec<(String, Asset)> {
        let folder = assets::folder();
        let wasm = |bytes| Asset::file("application/wasm", bytes);
        let mut files = vec![
            (format!("{folder}/engine.wasm"), wasm(self.simd)),
            (format!("{folder}/engine-plain.wasm"), wasm(self.plain)),
        ];
        for (name, bytes) in tables() {
            let asset = Asset::file("application/octet-stream", bytes.to_vec());
            files.push((format!("{folder}/{name}"), asset));
        }
        files
    }
}

/// The tables that the engine leaves out, by the names of their files.
pub(super) fn tables() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let parts = Part::ALL.into_iter().map(|part| (part.name(), part.inside().unwrap_or_default()));
    parts.chain([(puzzles::FILE, puzzles::INSIDE.unwrap_or_default())])
}

fn is_wasm(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0asm")
}

/// Why the site could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteSiteError {
    /// A file cannot be written.
    #[error("cannot write {}: {why}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// The engine is no WebAssembly.
    #[error("the engine is not a WebAssembly module")]
    NotWasm,
}

/// Writes the whole site into a folder, which is made if it does not exist. Files that another
/// version left there stay.
///
/// # Errors
/// If a file cannot be written, or the engine is no WebAssembly.
pub fn write_site(
    directory: &Path,
    engine: &EngineFiles,
    shelf: &Shelf,
) -> Result<usize, WriteSiteError> {
    if [&engine.simd, &engine.plain].iter().any(|module| !is_wasm(module)) {
        return Err(WriteSiteError::NotWasm);
    }
    let files = files(engine, shelf);
    for (path, bytes) in &files {
        let path = directory.join(path);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(directory))?;
            fs::write(&path, bytes)
        };
        write().map_err(|why| WriteSiteError::Write { path: path.clone(), why })?;
    }
    Ok(files.len())
}

/// Every file of the site: its path, and its bytes.
fn files(engine: &EngineFiles, shelf: &Shelf) -> Vec<(String, Vec<u8>)> {
    // The folder of the files has a name that changes with everything that browsers keep.
    let old = &assets::folder()[1..];
    let lab = shelf.files();
    let told: Vec<&str> = lab.iter().map(|file| file.text.as_str()).collect();
    let folder = format!("assets/{}", assets::hash(&(old, &engine.simd, &engine.plain, told)));
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut pages = vec![("lab".to_owned(), shelf.page())];
    let mut drawings = Vec::new();
    for (path, asset) in assets::site() {
        let path = &path[1..];
        if let Some(name) = path.strip_prefix(old) {
            let text = if name.ends_with(".html") {
                drawn(asset.text(), &mut drawings)
            } else {
                asset.text().to_owned()
            };
            files.push((format!("{folder}{name}"), text.into()));
        } else if asset.is_page() && !path.starts_with("assets/") && !path.contains('{') {
            pages.push((path.to_owned(), drawn(asset.text(), &mut drawings)));
        } else if path == "manifest.json" {
            files.push((path.to_owned(), asset.text().replace("favicon.ico", "icon.svg").into()));
        }
    }
    files.push((format!("{folder}/engine.wasm"), engine.simd.clone()));
    files.push((format!("{folder}/engine-plain.wasm"), engine.plain.clone()));
    for (name, bytes) in tables() {
        files.push((format!("{folder}/{name}"), bytes.to_vec()));
    }
    files.push(("icon.svg".to_owned(), ICON.into()));
    for width in [192, 512] {
        files.push((format!("icon-{width}.png"), picture::icon(width).unwrap_or_default()));
    }
    files.extend(drawings.iter().map(|(path, svg)| (path.clone(), svg.clone().into())));
    // What is kept from the first visit on. The plain engine is for few, who keep it as they use it.
    let shown = |path: &&str| !path.contains("-plain") && !path.ends_with(".csv");
    let kept = files.iter().map(|(path, _)| path.as_str());
    let runs = lab.iter().map(|file| file.path.as_str()).filter(|path| !path.ends_with(".html"));
    let all: Vec<String> = kept.chain(runs).filter(shown).map(str::to_owned).collect();
    files.push(("worker.js".to_owned(), assets::worker(&folder, "/", &all).into()));
    for (path, text) in pages {
        let text = text.replace(old, &folder);
        let place =
            if path.is_empty() { "index.html".into() } else { format!("{path}/index.html") };
        files.push((place, relative(&path, &text).into()));
    }
    let runs: Vec<(String, String)> = lab
        .iter()
        .filter(|file| {
            let data = file.path.ends_with(".json") && !file.path.ends_with("summary.json");
            data || file.path.ends_with(".svg")
        })
        .map(|file| (file.path.clone(), file.text.clone()))
        .collect();
    let texts = [runs, drawings].concat();
    files.push((ONE_FILE.to_owned(), single_file::page(engine, &texts).into()));
    files.extend(lab.into_iter().map(|file| (file.path, file.text.into())));
    files
}

/// Where pages ask the service for the drawing of a search.
const DRAWING: &str = "src=\"/api/v1/trace.svg?";

/// A text with the drawings in it as files, which are added to those that there are.
pub(super) fn drawn(text: &str, drawings: &mut Vec<(String, String)>) -> String {
    let mut parts = text.split(DRAWING);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (query, rest) = part.split_once('"').unwrap_or((part, ""));
        let path = format!("drawings/{}.svg", assets::hash(&query));
        if !drawings.iter().any(|(known, _)| *known == path) {
            drawings.push((path.clone(), drawing(query).unwrap_or_default()));
        }
        out += &format!("src=\"/{path}\"{rest}");
    }
    out
}

/// The drawing that a query asks for, as it stands in HTML.
fn drawing(query: &str) -> Result<String, Problem> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name.to_owned(), value.replace('+', " "))
    };
    let given = query.split("&amp;").map(pair).collect();
    Ok(trace_of(&Params::new(given, TRACE)?)?.svg())
}

/// A page with relative addresses, told that the engine is in the page.
fn relative(path: &str, page: &str) -> String {
    let depth = path.split('/').filter(|part| !part.is_empty()).count();
    let up = if depth == 0 { "./".to_owned() } else { "../".repeat(depth) };
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    page.replace("<html lang=\"en\">", "<html lang=\"en\" data-engine=\"page\">")
        .replace("<meta charset=\"utf-8\">", &format!("<meta charset=\"utf-8\">\n{policy}"))
        .replace("href=\"/favicon.ico\"", "href=\"/icon.svg\"")
        .replace("src=\"/favicon.ico\"", "src=\"/icon.svg\"")
        .replace("href=\"/", &format!("href=\"{up}"))
        .replace("src=\"/", &format!("src=\"{up}"))
}

#[cfg(test)]
mod tests {
    use super::{EngineFiles, drawn, files, relative, write_site};
    use crate::lab::Shelf;
    use std::path::Path;

    fn engine(text: &str) -> EngineFiles {
        EngineFiles { simd: text.into(), plain: text.into() }
    }

    #[test]
    fn addresses_are_relative() {
        let page = "<a href=\"/play\"><img src=\"/favicon.ico\"></a><a href=\"#main\">";
        let in_folder = "<a href=\"../../play\"><img src=\"../../icon.svg\"></a><a href=\"#main\">";
        assert_eq!(relative("learn/glossary", page), in_folder);
        assert!(relative("", page).starts_with("<a href=\"./play\">"));
    }

    #[test]
    fn the_site_is_whole_and_asks_nobody() {
        let shelf = Shelf::default();
        let files = files(&engine("\0asm"), &shelf);
        for name in ["index.html", "play/index.html", "learn/glossary/index.html", "lab/runs.json"]
        {
            assert!(files.iter().any(|(path, _)| path == name), "{name}");
        }
        for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with("index.html")) {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains("href=\"/") && !text.contains("src=\"/"), "{path}");
            assert!(!text.contains("{files}"), "{path}");
        }
        let mut names: Vec<&String> = files.iter().map(|(path, _)| path).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "every file is written once");
    }

    #[test]
    fn drawings_of_searches_are_files() {
        let mut drawings = Vec::new();
        let text =
            "<img src=\"/api/v1/trace.svg?tree=((5+9)(8+3))&amp;algorithm=minimax\" alt=\"\">";
        let page = drawn(&format!("{text}{text}"), &mut drawings);
        assert_eq!(drawings.len(), 1);
        assert!(drawings[0].1.starts_with("<svg"), "{}", drawings[0].1);
        assert_eq!(page.matches(&format!("<img src=\"/{}\" alt=", drawings[0].0)).count(), 2);
    }

    #[test]
    fn the_folder_changes_with_the_engine() {
        let shelf = Shelf::default();
        let folder = |text| files(&engine(text), &shelf)[0].0.clone();
        assert_ne!(folder("\0asm1"), folder("\0asm2"));
    }

    #[test]
    fn what_is_no_module_is_refused() {
        let written = write_site(Path::new("nowhere"), &engine("text"), &Shelf::default());
        assert!(written.is_err());
    }
}

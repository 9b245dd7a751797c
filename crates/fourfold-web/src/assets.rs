//! The pages, embedded: the files of `assets/` are served as they are, with no build step.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// A file: its path, its content type, its text.
type Asset = (&'static str, &'static str, &'static str);

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The app's one page, for all of its paths; its script looks at the path itself.
const PAGE: &str = include_str!("../assets/index.html");

macro_rules! script {
    ($name:literal) => {
        (concat!("/assets/", $name), SCRIPT, include_str!(concat!("../assets/", $name)))
    };
}

macro_rules! style {
    ($name:literal) => {
        (concat!("/assets/", $name), STYLE, include_str!(concat!("../assets/", $name)))
    };
}

/// Every file that is served.
pub(super) const ASSETS: &[Asset] = &[
    ("/", HTML, PAGE),
    ("/play", HTML, PAGE),
    ("/analyse", HTML, PAGE),
    ("/review", HTML, PAGE),
    ("/puzzles", HTML, PAGE),
    ("/microscope", HTML, PAGE),
    ("/learn", HTML, PAGE),
    ("/learn/glossary", HTML, PAGE),
    ("/learn/worksheet", HTML, PAGE),
    ("/lab", HTML, PAGE),
    style!("app.css"),
    style!("board.css"),
    style!("puzzles.css"),
    style!("microscope.css"),
    style!("worksheet.css"),
    style!("lab.css"),
    ("/favicon.ico", "image/svg+xml", include_str!("../assets/icon.svg")),
    script!("main.js"),
    script!("strings.js"),
    script!("client.js"),
    script!("dom.js"),
    script!("board.js"),
    script!("picker.js"),
    script!("play.js"),
    script!("sounds.js"),
    script!("opponents.js"),
    script!("kept.js"),
    script!("sheet.js"),
    script!("analyse.js"),
    script!("review.js"),
    script!("puzzles.js"),
    script!("puzzles-strings.js"),
    script!("rating.js"),
    script!("tries.js"),
    script!("microscope.js"),
    script!("microscope-strings.js"),
    script!("quiz.js"),
    script!("setup.js"),
    script!("tree.js"),
    script!("learn.js"),
    script!("figures.js"),
    script!("learn-strings.js"),
    script!("glossary.js"),
    script!("worksheet.js"),
    script!("sketch.js"),
    script!("lab.js"),
];

/// The response with a file.
pub(super) fn serve(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text).into_response()
}

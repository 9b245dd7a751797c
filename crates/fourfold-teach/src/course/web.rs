//! The lessons in the app: what the slides say, to be read without scripts, with the trees as pictures
//! and links to what the app has for each lesson.

use super::CourseError;
use super::lesson::{Block, Lesson};
use super::pages::{inline, position, prose};
use crate::links;
use fourfold_app::worksheet::Kind;
use fourfold_lab::svg::escape;

/// The text of `/learn/course`. Each lesson has an address of its own: `#lesson-3`.
pub(super) fn page(lessons: &[Lesson]) -> Result<String, CourseError> {
    let mut out = "<article class=\"reading\" data-text=\"course\">\n\
                   <p class=\"links\"><a href=\"/learn\">Learn</a> \
                   <a href=\"/learn/glossary\">Glossary</a></p>\n\
                   <p class=\"lead\">A course in six lessons, from paper to perfect play. \
                   <code>fourfold course --out FOLDER</code> makes all that a teacher needs for \
                   it: notes, slides, a worksheet for every student, exercises and \
                   notebooks.</p>\n<ol>\n"
        .to_owned();
    for (index, lesson) in lessons.iter().enumerate() {
        let number = index + 1;
        out += &format!(
            "<li><a href=\"/learn/course#lesson-{number}\">{}</a></li>\n",
            escape(&lesson.title)
        );
    }
    out += "</ol>\n";
    for (index, lesson) in lessons.iter().enumerate() {
        out += &section(lesson, index + 1)?;
    }
    Ok(out + "</article>\n")
}

fn section(lesson: &Lesson, number: usize) -> Result<String, CourseError> {
    let mut out = format!(
        "<section id=\"lesson-{number}\">\n<h2 class=\"title\" tabindex=\"-1\">{number}. \
         {}</h2>\n<p>{}</p>\n",
        escape(&lesson.title),
        inline(&lesson.goal)
    );
    let sheet = &lesson.sheet;
    let kinds: Vec<&str> = sheet.kinds.iter().map(|&kind| Kind::name(kind)).collect();
    let (count, branches, levels) = (sheet.count, sheet.branches, sheet.levels);
    let worksheet = format!(
        "/learn/worksheet?kinds={}&count={count}&branches={branches}&levels={levels}",
        kinds.join(",")
    );
    out += &format!("<p class=\"links\"><a href=\"/learn?chapter={}\">Chapter</a>", lesson.chapter);
    out += &scripted(&worksheet, "Worksheet");
    if let Some(theme) = lesson.puzzles {
        out += &scripted(&format!("/puzzles?theme={}", theme.name()), "Puzzles");
    }
    out += "</p>\n";
    for slide in &lesson.slides {
        out += &format!("<h3>{}</h3>\n", inline(&slide.title));
        for block in &slide.blocks {
            out += &match block {
                Block::Tree { pruning, text } => tree(*pruning, text),
                Block::Board { game, moves } => {
                    let (position, moves) = position(game, moves)?;
                    let address = links::analyse(position.rules(), &moves);
                    format!("<p class=\"links\">{}</p>\n", scripted(&address, "The position"))
                }
                other => prose(std::slice::from_ref(other)),
            };
        }
    }
    Ok(out + "</section>\n")
}

/// A link to something that needs scripts.
fn scripted(address: &str, words: &str) -> String {
    format!(" <a class=\"needs-script\" href=\"{}\">{words}</a>", escape(address))
}

/// A tree as it is in the end, and a link that steps through it.
fn tree(pruning: bool, text: &str) -> String {
    let algorithm = if pruning { "alphabeta" } else { "minimax" };
    let query = format!("tree={}&algorithm={algorithm}", text.replace(' ', "+"));
    format!(
        "<div class=\"figure\"><img src=\"/api/v1/trace.svg?{0}\" alt=\"The tree {1}, searched by \
         {algorithm}.\" loading=\"lazy\"></div>\n<p class=\"links\">{2}</p>\n",
        escape(&query),
        escape(text),
        scripted(&format!("/microscope?{query}"), "Step through it")
    )
}

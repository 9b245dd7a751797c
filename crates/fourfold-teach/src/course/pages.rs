//! The pages of the course. Slides stand alone: style, script and steps are inside.

use super::lesson::{Block, Lesson, Section};
use super::{Course, CourseError, file_name};
use crate::templates::{TEMPLATES, Template};
use fourfold::game::notation::parse_moves;
use fourfold::game::{Move, Position, Rules};
use fourfold::random::Random;
use fourfold::search::{Bound, ExplicitTree, SearchOptions, Step};
use fourfold_app::draw::board_svg;
use fourfold_app::trees::TreeSearch;
use fourfold_app::worksheet::paper::sketch;
use fourfold_app::worksheet::{Kind, TreeTask, seed_of};
use fourfold_lab::svg::escape;
use serde_json::{Map, Value, json};

/// The style of all pages.
pub(super) const STYLE: &str = include_str!("../../course/style.css");
const SCRIPT: &str = include_str!("../../course/slides.js");

fn document(title: &str, class: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n{style}\n\
         </head>\n<body class=\"{class}\">\n{body}</body>\n</html>\n",
        escape(title)
    )
}

fn inside_lesson(title: &str, body: &str) -> String {
    let style = "<link rel=\"stylesheet\" href=\"../style.css\">";
    let back = "<p><a href=\"../index.html\">The course</a></p>\n";
    document(title, "", style, &format!("{back}<h1>{}</h1>\n{body}", escape(title)))
}

/// Text with code between backticks.
pub(super) fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| {
        let part = escape(part);
        if index % 2 == 1 { format!("<code>{part}</code>") } else { part }
    });
    parts.collect()
}

/// Blocks of text; what is drawn is left to slides and activities.
pub(super) fn prose(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        out += &match block {
            Block::Paragraph(text) => format!("<p>{}</p>\n", inline(text)),
            Block::List(items) => {
                let items: String =
                    items.iter().map(|item| format!("<li>{}</li>\n", inline(item))).collect();
                format!("<ul>\n{items}</ul>\n")
            }
            Block::Code(lines) => {
                format!("<pre><code>{}</code></pre>\n", escape(&lines.join("\n")))
            }
            _ => String::new(),
        };
    }
    out
}

/// The teacher's notes.
pub(super) fn notes(lesson: &Lesson, number: usize) -> String {
    let mut body = format!(
        "<p><b>Goal.</b> {}</p>\n<p class=\"muted\">{} minutes. <a \
         href=\"slides.html\">Slides</a>, \
         <a href=\"worksheet.html\">worksheet</a> with its <a href=\"key.html\">key</a>",
        inline(&lesson.goal),
        lesson.minutes
    );
    if lesson.activity.is_some() {
        body += ", <a href=\"activity.html\">activity on paper</a>";
    }
    if lesson.part.is_some() {
        body += ", <a href=\"exercise/README.html\">programming exercise</a>";
    }
    body += ".</p>\n";
    body += &prose(&lesson.notes);
    body += "<h2>What the slides say</h2>\n<ol>\n";
    for slide in &lesson.slides {
        body += &format!("<li>{}</li>\n", inline(&slide.title));
    }
    body += "</ol>\n";
    inside_lesson(&format!("Lesson {number}: {} (teacher's notes)", lesson.title), &body)
}

/// The slides.
pub(super) fn slides(lesson: &Lesson, number: usize) -> Result<String, CourseError> {
    let mut body = format!(
        "<section class=\"slide\">\n<h1>{}</h1>\n<p class=\"muted\">Lesson {number}</p>\n\
         <p>{}</p>\n</section>\n",
        escape(&lesson.title),
        inline(&lesson.goal)
    );
    for slide in &lesson.slides {
        body += &format!("<section class=\"slide\">\n<h2>{}</h2>\n", inline(&slide.title));
        for block in &slide.blocks {
            body += &match block {
                Block::Tree { pruning, text } => tree(*pruning, text)?,
                Block::Board { game, moves } => board(game, moves)?,
                other => prose(std::slice::from_ref(other)),
            };
        }
        body += "</section>\n";
    }
    body += "<div class=\"bar\"><button id=\"before\">Back</button><span id=\"place\"></span>\
             <button id=\"after\">Next</button></div>\n";
    body += &format!("<script>{SCRIPT}</script>\n");
    let title = format!("Lesson {number}: {}", lesson.title);
    let style = format!("<style>{STYLE}@page {{ size: A4 landscape; }}</style>");
    Ok(document(&title, "deck", &style, &body))
}

/// A tree to be stepped through on a screen, and as it is in the end on paper.
fn tree(pruning: bool, text: &str) -> Result<String, CourseError> {
    let parsed = || text.parse::<ExplicitTree>().map_err(CourseError::internal);
    let task = TreeTask::of(parsed()?, String::new())?;
    let kind = if pruning { Kind::Cuts } else { Kind::Best };
    let options = if pruning { SearchOptions::default() } else { SearchOptions::minimax() };
    let search = TreeSearch::search(parsed()?, options, 0, usize::MAX, None)
        .map_err(CourseError::internal)?;
    let frames: Vec<Value> = search
        .trace
        .steps()
        .iter()
        .filter_map(|step| frame(step, &step.sentence(&search.tree, pruning)))
        .collect();
    // A script ends at the first "</", wherever it stands.
    let frames = Value::from(frames).to_string().replace("</", "<\\/");
    Ok(format!(
        "<div class=\"live\">{}<p class=\"said\" aria-live=\"polite\"></p><p class=\"buttons\">\
         <button class=\"back\">Step back</button> <button class=\"next\">Next step</button></p>\
         <script type=\"application/json\">{frames}</script></div>\n<div \
         class=\"print\">{}</div>\n",
        sketch(&task, kind, false, 1),
        sketch(&task, kind, true, 1)
    ))
}

/// What a step changes in a drawing.
fn frame(step: &Step, says: &str) -> Option<Value> {
    let mut set = Map::new();
    let mut cut = Vec::new();
    let node = match step {
        Step::Enter { node, .. } | Step::Leaf { node, .. } => *node,
        Step::Update { node, best, .. } => {
            set.insert(node.index().to_string(), best.to_string().into());
            *node
        }
        Step::Cut { node, edges, .. } => {
            cut.extend(edges.iter().map(|edge| edge.index()));
            *node
        }
        Step::Leave { node, value, bound, .. } => {
            let sign = match bound {
                Bound::Exact => "",
                Bound::AtLeast => "≥",
                Bound::AtMost => "≤",
            };
            set.insert(node.index().to_string(), format!("{sign}{value}").into());
            *node
        }
        _ => return None,
    };
    Some(json!({ "node": node.index(), "says": says, "set": set, "cut": cut }))
}

fn board(game: &str, moves: &str) -> Result<String, CourseError> {
    let (position, moves) = position(game, moves)?;
    let svg = board_svg::draw(&position, moves.last().copied(), "A position");
    Ok(format!("<div class=\"board\">{svg}</div>\n"))
}

/// A position by its game and moves, and these.
pub(super) fn position(game: &str, moves: &str) -> Result<(Position, Vec<Move>), CourseError> {
    let rules: Rules = game.parse().map_err(CourseError::internal)?;
    let moves = parse_moves(&rules, moves).map_err(CourseError::internal)?;
    let position = Position::from_moves(rules, &moves)
        .map_err(|(index, why)| CourseError::Internal(format!("move {}: {why}", index + 1)))?;
    Ok((position, moves))
}

/// An activity on paper.
pub(super) fn activity(section: &Section, lesson: &Lesson, number: usize, seed: u64) -> String {
    let mut body = format!("<p class=\"muted\">Lesson {number}: {}</p>\n", escape(&lesson.title));
    let mut random = Random::new(seed_of(seed, &section.title));
    for block in &section.blocks {
        let Block::Cards { rows, columns } = block else {
            body += &prose(std::slice::from_ref(block));
            continue;
        };
        body += &format!("<div class=\"cards\" style=\"--columns:{columns}\">\n");
        // Every number once, so that no two rows are worth the same.
        let mut numbers: Vec<usize> = (1..=rows * columns).collect();
        for left in (1..numbers.len()).rev() {
            numbers.swap(left, random.below(left + 1));
        }
        for number in numbers {
            body += &format!("<span>{number}</span>\n");
        }
        body += "</div>\n";
    }
    inside_lesson(&section.title, &body)
}

/// The programs to start from. A whole player is only of use where one is written.
fn starters(lesson: &Lesson) -> impl Iterator<Item = &'static Template> {
    let player = lesson.player;
    TEMPLATES.iter().filter(move |template| player || !template.is_player)
}

/// The programming exercise: its text, programs to start from, and how it is graded.
pub(super) fn exercise(lesson: &Lesson, number: usize, seed: u64) -> Vec<(String, String)> {
    let Some(part) = lesson.part else { return Vec::new() };
    let own = seed_of(seed, &format!("exercise {number}"));
    let mut body = format!(
        "<p>{}</p>\n<p>Write <b>{}</b>. Start from one of these files, which read the questions \
         and \
         write the answers; the search is missing.</p>\n<ul>\n",
        inline(&lesson.goal),
        escape(&part.title())
    );
    for template in starters(lesson) {
        body += &format!(
            "<li><a href=\"starter/{0}\">{0}</a> ({1})</li>\n",
            template.file, template.language
        );
    }
    body += &format!(
        "</ul>\n<p>Try it as often as you like: <code>fourfold check FILE --parts {0}</code>. If \
         the \
         answers are wrong, it names the mistake that explains them and shows the smallest \
         question \
         that goes wrong. Report the leaves that your program visits as well: then it can tell \
         more \
         mistakes apart.</p>\n<h2>For the teacher</h2>\n<p>Grade a folder of submissions with \
         <code>sh hidden/grade.sh SUBMISSIONS</code>. It asks other questions than students have \
         seen, \
         with the <a href=\"hidden/rubric.toml\">rubric</a> of this lesson; keep the folder hidden \
         to yourself.</p>\n",
        part.id()
    );
    let title = format!("Lesson {number}: programming exercise");
    let back = "<p><a href=\"../notes.html\">Teacher's notes</a></p>\n";
    let page = document(
        &title,
        "",
        &format!("<style>{STYLE}</style>"),
        &format!("{back}<h1>{title}</h1>\n{body}"),
    );
    let mut files = vec![("README.html".to_owned(), page)];
    for template in starters(lesson) {
        files.push((format!("starter/{}", template.file), template.text.to_owned()));
    }
    let rubric = format!(
        "# Lesson {number}. `fourfold help check` says what can stand here.\n[points]\n{} = 20\n\n\
         [credit]\nwasteful = 0.8\nwrong-moves = 0.7\nwrong = 0.5\n",
        part.id()
    );
    files.push(("hidden/rubric.toml".to_owned(), rubric));
    let script = format!(
        "#!/bin/sh\n# Grades a folder of submissions: sh hidden/grade.sh SUBMISSIONS\nset -eu\n\
         here=$(cd \"$(dirname \"$0\")\" && pwd)\n\
         exec fourfold check \"$1\" --rubric \"$here/rubric.toml\" --seed {own} \\\n  \
         --html pages --csv grades.csv --journal grades.log\n"
    );
    files.push(("hidden/grade.sh".to_owned(), script));
    files
}

/// The list of lessons.
pub(super) fn index(lessons: &[Lesson], course: &Course) -> String {
    let mut body =
        "<h1>From paper to perfect play</h1>\n<p>Six lessons on minimax and alpha-beta. \
                    Slides are pages that print to PDF; arrow keys go from slide to slide and step \
                    through the trees. Nothing here needs a network.</p>\n<table>\n<thead><tr>\
                    <th scope=\"col\">Lesson</th><th scope=\"col\">Material</th></tr></thead>\n\
                    <tbody>\n"
            .to_owned();
    for (index, lesson) in lessons.iter().enumerate() {
        let number = index + 1;
        let mut links = vec![
            ("notes.html", "teacher's notes"),
            ("slides.html", "slides"),
            ("worksheet.html", "worksheet"),
            ("key.html", "key"),
        ];
        if lesson.activity.is_some() {
            links.push(("activity.html", "activity on paper"));
        }
        if lesson.part.is_some() {
            links.push(("exercise/README.html", "programming exercise"));
        }
        let link = |(file, words): &(&str, &str)| {
            format!("<a href=\"lesson-{number}/{file}\">{words}</a>")
        };
        let links: Vec<String> = links.iter().map(link).collect();
        let notebook = lesson.notebook.as_ref().map_or_else(String::new, |name| {
            format!(
                "<br>notebook for <a href=\"lesson-{number}/notebook/otter/student/{name}.ipynb\">\
                 otter-grader</a> and <a href=\"lesson-{number}/notebook/nbgrader/source/{name}/\
                 {name}.ipynb\">nbgrader</a>"
            )
        });
        body += &format!(
            "<tr><td><b>{number}. {}</b><br>{}</td><td>{}{notebook}</td></tr>\n",
            escape(&lesson.title),
            inline(&lesson.goal),
            links.join(", ")
        );
    }
    body += "</tbody>\n</table>\n";
    if !course.students.is_empty() {
        body += "<h2>Students</h2>\n<p>Everybody has worksheets of their own, with keys.</p>\n\
                 <table>\n<tbody>\n";
        for student in &course.students {
            let name = file_name(student);
            let links: Vec<String> = (1..=lessons.len())
                .map(|number| {
                    format!(
                        "<a href=\"lesson-{number}/worksheets/{name}.html\">{number}</a> \
                         (<a href=\"lesson-{number}/keys/{name}.html\">key</a>)"
                    )
                })
                .collect();
            body += &format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n",
                escape(student),
                links.join(", ")
            );
        }
        body += "</tbody>\n</table>\n";
    }
    body += &format!(
        "<p class=\"muted\">Made by <code>fourfold course --seed {}</code>.</p>\n",
        course.seed
    );
    document(
        "From paper to perfect play",
        "",
        "<link rel=\"stylesheet\" href=\"style.css\">",
        &body,
    )
}

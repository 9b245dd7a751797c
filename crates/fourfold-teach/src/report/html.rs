//! Grades as pages: one for each student, and a list for the teacher. They stand alone: no scripts,
//! nothing from elsewhere, light or dark by themselves.

use super::{Submission, points, text};
use crate::grade::{PartGrade, Standing};
use crate::rubric::Rubric;
use fourfold_app::text::capital;
use fourfold_lab::svg::escape;

const STYLE: &str = "\
:root{color-scheme:light dark;--paper:#fafaf7;--ink:#1c2430;--muted:#4a5463;--line:#c9ced6;\
--good:#1d6b3a;--bad:#b3261e}\
@media(prefers-color-scheme:dark){:root{--paper:#14171c;--ink:#e8eaee;--muted:#9aa4b2;\
--line:#3a424e;--good:#6fcf97;--bad:#ff8a80}}\
body{font:17px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;\
background:var(--paper);color:var(--ink);max-width:52rem;margin:0 auto;padding:1rem}\
h1,h2,h3{line-height:1.2}\
section{border-top:1px solid var(--line);padding-top:.5rem;margin-top:2rem}\
.right{color:var(--good)}.wrong{color:var(--bad)}.muted{color:var(--muted)}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.9em;padding:.6rem;border:1px solid var(--line);border-radius:.4rem}\
.drawing{overflow-x:auto}.drawing svg{max-width:none}.fits svg{max-width:100%;height:auto}\
@media(max-width:30rem){.class thead{display:none}.class tr{display:grid;\
grid-template-columns:1fr auto;border-bottom:1px solid var(--line)}.class td,.class th{border:0}\
.class td:last-child{grid-column:1/-1;padding-top:0}}\
ol,ul{padding-left:1.4rem}dt{font-weight:600}dd{margin:0 0 .5rem}\
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4rem .6rem;\
border-bottom:1px solid var(--line);vertical-align:top}\
a{color:inherit}";

/// A page in the style of grades.
#[must_use]
pub fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title)
    )
}

/// The page for a student.
#[must_use]
pub fn page(submission: &Submission, rubric: &Rubric, site: &str) -> String {
    let (got, most) = rubric.total(&submission.grade);
    let mut body = format!("<h1>{}</h1>\n", escape(&submission.name));
    match &submission.refused {
        Some(why) => body += &format!("<p class=\"wrong\">{}</p>\n", escape(why)),
        None => {
            body += &format!("<p><b>{} of {} points</b></p>\n", points(got), points(most));
        }
    }
    for part in &submission.grade.parts {
        body += &section(part, rubric, site);
    }
    document(&submission.name, &body)
}

fn section(part: &PartGrade, rubric: &Rubric, site: &str) -> String {
    let right = part.standing == Standing::Right;
    let title = escape(&capital(&part.title));
    let mut out = format!(
        "<section>\n<h2>{title}: <span class=\"{}\">{}</span></h2>\n\
         <p class=\"muted\">{} of {} questions right, {} of {} points</p>\n",
        if right { "right" } else { "wrong" },
        part.standing.words(),
        part.right,
        part.asked,
        points(rubric.points(part)),
        points(rubric.worth(&part.part))
    );
    let (listed, said): (Vec<&String>, Vec<&String>) =
        part.verdict.iter().partition(|sentence| sentence.starts_with("- "));
    for sentence in said.into_iter().chain(&part.troubles) {
        out += &format!("<p>{}</p>\n", escape(sentence));
    }
    out += &list("ul", listed.iter().map(|sentence| escape(&sentence[2..])));
    if !part.hints.is_empty() {
        out += "<h3>Where to look</h3>\n";
        out += &list("ul", part.hints.iter().map(|hint| escape(hint)));
    }
    if let Some(example) = part.example.as_ref().filter(|_| !right) {
        out += "<h3>The smallest question that goes wrong</h3>\n";
        out += &format!("<pre>{}</pre>\n", escape(&example.shown.join("\n")));
        out += &format!(
            "<dl><dt>Expected</dt><dd>{}</dd><dt>Your program</dt><dd>{}</dd></dl>\n",
            escape(&example.expected),
            escape(&example.given)
        );
        out += &example.svg.as_ref().map_or_else(String::new, |svg| {
            // Each drawing on a page needs names of its own.
            let own = svg.replace("tree-", &format!("{}-", part.part));
            format!("<div class=\"{}\">{own}</div>\n", drawing_class(svg))
        });
        if !example.steps.is_empty() {
            out += match example.instead {
                Some(_) => "<p>The right search up to the first step that goes wrong:</p>\n",
                None => "<p>The right search ends so:</p>\n",
            };
            out += &list("ul", example.steps.iter().map(|step| escape(step)));
        }
        if let Some(instead) = &example.instead {
            out += &format!("<p class=\"wrong\">{}</p>\n", escape(instead));
        }
        if let Some(link) = &example.link {
            out += &format!(
                "<p><a href=\"{}{}\">{}</a></p>\n",
                escape(site),
                escape(link),
                if example.steps.is_empty() {
                    "Look at the position in the app"
                } else {
                    "Step through it in the microscope"
                }
            );
        }
        out += &format!(
            "<details><summary>The question as your program reads it</summary>\
             <pre>{}</pre></details>\n",
            escape(&example.question)
        );
    }
    out + "</section>\n"
}

/// Drawings that can still be read on a phone when they fill its width are made to fit; others are
/// scrolled.
fn drawing_class(svg: &str) -> &'static str {
    const WIDEST: f64 = 640.0;
    let width = svg.split_once(" width=\"").and_then(|(_, rest)| rest.split_once('"'));
    let fits =
        width.and_then(|(width, _)| width.parse::<f64>().ok()).is_some_and(|it| it <= WIDEST);
    if fits { "drawing fits" } else { "drawing" }
}

fn list(kind: &str, items: impl Iterator<Item = String>) -> String {
    let items: String = items.map(|item| format!("<li>{item}</li>\n")).collect();
    if items.is_empty() { items } else { format!("<{kind}>\n{items}</{kind}>\n") }
}

/// The list of a class; `file` gives the page of a program.
#[must_use]
pub fn index(
    submissions: &[Submission],
    rubric: &Rubric,
    file: impl Fn(&Submission) -> String,
) -> String {
    let rows: String = submissions
        .iter()
        .map(|submission| {
            let (got, most) = rubric.total(&submission.grade);
            let said = submission.refused.clone().unwrap_or_else(|| text::in_short(submission));
            format!(
                "<tr><th scope=\"row\"><a href=\"{}\">{}</a></th><td>{} of {}</td>\
                 <td class=\"{}\">{}</td></tr>\n",
                escape(&file(submission)),
                escape(&submission.name),
                points(got),
                points(most),
                if submission.is_right() { "right" } else { "wrong" },
                escape(&said)
            )
        })
        .collect();
    let body = format!(
        "<h1>The class</h1>\n<table class=\"class\">\n<thead><tr><th scope=\"col\">Program</th>\
         <th scope=\"col\">Points</th><th scope=\"col\">What the grader says</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n"
    );
    document("The class", &body)
}

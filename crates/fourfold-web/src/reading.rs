//! Pages that can be read where no script runs: Learn, its glossary, the course and the laboratory.
//!
//! Their text stands inside the app's page, in the place that the script fills. Learn's texts are
//! the files that the script shows as well; the laboratory's come from the runs.

use super::assets::{self, COURSE, GLOSSARY, LAB, LEARN};
use fourfold_lab::html_text;
use fourfold_lab::svg::escape;
use serde_json::Value;
use std::fmt::Write;

/// What stands above the list of runs.
const ABOVE_RUNS: &str = include_str!("../assets/lab.html");

/// The tour.
pub(super) fn learn() -> String {
    page(LEARN, "Learn", &["learn"], include_str!("../assets/learn.html"))
}

/// The glossary.
pub(super) fn glossary() -> String {
    page(GLOSSARY, "Glossary", &["learn"], include_str!("../assets/glossary.html"))
}

/// The lessons of the course; its text is made by `fourfold_teach::course::web_page`.
pub(super) fn course() -> String {
    page(COURSE, "The course", &["learn"], include_str!("../assets/course.html"))
}

/// The list of the laboratory's runs.
pub(super) fn lab<'a>(cards: impl Iterator<Item = &'a Value>) -> String {
    let mut out = format!("<article class=\"gallery\">\n{ABOVE_RUNS}<ul class=\"cards\">\n");
    for card in cards {
        let _ = write!(
            out,
            "<li class=\"run-card\"><h3><a href=\"/lab?run={}\">{}</a></h3>{}",
            text(card, "name"),
            text(card, "question"),
            picture(&card["plot"]),
        );
        paragraph(&mut out, card, "finding", "");
        let (title, date) = (text(card, "title"), text(card, "date"));
        let _ = writeln!(out, "<p class=\"muted small\">{title} · {date}</p></li>");
    }
    page(LAB, "Lab", &["learn", "lab"], &(out + "</ul>\n</article>\n"))
}

/// One run: its question, texts and plots. The tables are in its report.
pub(super) fn lab_run(run: &Value) -> String {
    let mut out = format!(
        "<article class=\"gallery\">\n<p class=\"links\"><a href=\"/lab\">All experiments</a> \
         <a href=\"/lab/{}/report\">The full report</a></p>\n<h2 class=\"title\">{}</h2>\n",
        text(run, "name"),
        text(run, "question"),
    );
    paragraph(&mut out, run, "title", "muted");
    paragraph(&mut out, run, "finding", "finding");
    paragraphs(&mut out, &run["text"]);
    for part in items(&run["parts"]) {
        if part["title"].is_string() {
            let _ = writeln!(out, "<h3>{}</h3>", text(part, "title"));
        }
        paragraphs(&mut out, &part["text"]);
        for plot in items(&part["plots"]) {
            out += &picture(plot);
            paragraph(&mut out, plot, "caption", "muted");
        }
        paragraphs(&mut out, &part["notes"]);
    }
    let title = run["title"].as_str().unwrap_or("Lab");
    page(LAB, title, &["learn", "lab"], &(out + "</article>\n"))
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

/// A field as HTML; nothing if it is no text.
fn text(json: &Value, key: &str) -> String {
    html_text(json[key].as_str().unwrap_or_default())
}

fn paragraph(out: &mut String, json: &Value, key: &str, class: &str) {
    if json[key].as_str().is_some_and(|text| !text.is_empty()) {
        let _ = writeln!(out, "<p class=\"{class}\">{}</p>", text(json, key));
    }
}

fn paragraphs(out: &mut String, texts: &Value) {
    for line in items(texts).iter().filter_map(Value::as_str) {
        let _ = writeln!(out, "<p>{}</p>", html_text(line));
    }
}

/// A plot with what it shows in words.
fn picture(plot: &Value) -> String {
    let attribute = |key: &str| escape(plot[key].as_str().unwrap_or_default());
    if !plot["address"].is_string() {
        return String::new();
    }
    let (address, words) = (attribute("address"), attribute("words"));
    format!("<img class=\"plot\" src=\"{address}\" alt=\"{words}\" loading=\"lazy\">\n")
}

/// The app's page with a title, style sheets, and a text where the script puts what it draws.
fn page(path: &str, title: &str, sheets: &[&str], text: &str) -> String {
    let folder = assets::folder();
    let sheet = |name| format!("<link rel=\"stylesheet\" href=\"{folder}/{name}.css\">\n");
    let sheets: String = sheets.iter().map(sheet).collect();
    let head = assets::page(path).replacen("</head>", &format!("{sheets}</head>"), 1);
    let title = escape(title);
    let titled = filled(&head, "title", &format!("{title} – Fourfold"));
    filled(&filled(&titled, "h1", &title), "main", text)
}

/// A page with other content in the first element of that name.
fn filled(page: &str, element: &str, content: &str) -> String {
    let place = || {
        let open = page.find(&format!("<{element}"))?;
        let start = open + page[open..].find('>')? + 1;
        let end = start + page[start..].find(&format!("</{element}>"))?;
        Some((start, end))
    };
    let Some((start, end)) = place() else { return page.to_owned() };
    [&page[..start], content, &page[end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::{course, filled, glossary, lab, lab_run, learn};
    use serde_json::json;

    #[test]
    fn the_text_stands_inside_the_page() {
        for (page, words) in [
            (learn(), "Leave out what cannot matter"),
            (glossary(), "Zero-sum"),
            (course(), "Games as trees"),
        ] {
            let (_, main) = page.split_once("<main").expect("main");
            let (main, _) = main.split_once("</main>").expect("its end");
            assert!(main.contains(words) && !main.contains("noscript"), "{words}");
            assert!(page.contains("<script type=\"module\""), "the script comes all the same");
            assert!(page.contains("/learn.css"), "and so does its style");
        }
        assert!(learn().contains("<title>Learn – Fourfold</title>"));
    }

    #[test]
    fn every_link_to_the_glossary_finds_its_term() {
        for page in [learn(), glossary()] {
            for link in page.split("href=\"/learn/glossary#").skip(1) {
                let (term, _) = link.split_once('"').expect("a quotation mark");
                assert!(glossary().contains(&format!("<dt id=\"{term}\"")), "{term}");
            }
        }
    }

    #[test]
    fn every_chapter_has_a_figure_and_a_question_with_one_answer() {
        let page = learn();
        let chapters: Vec<&str> = page.split("<section ").skip(1).collect();
        assert_eq!(chapters.len(), 7);
        for chapter in chapters {
            assert_eq!(chapter.matches("data-main").count(), 1, "{chapter}");
            assert_eq!(chapter.matches("<li data-right>").count(), 1, "{chapter}");
            assert!(chapter.matches("<li data-why=").count() >= 2, "{chapter}");
            for with in chapter.split("data-with='").skip(1) {
                let (json, _) = with.split_once('\'').expect("its end");
                serde_json::from_str::<serde_json::Value>(json).expect(json);
            }
        }
    }

    #[test]
    fn runs_are_told_and_escaped() {
        let run = json!({
            "name": "a", "question": "Is x^2 < 3?", "title": "<T>", "date": "today", "text": ["One."],
            "plot": { "address": "/lab/a/1.svg", "words": "\"up\"" },
            "parts": [{ "title": "P", "plots": [{ "address": "/lab/a/1.svg", "words": "w" }] }],
        });
        let list = lab([&run].into_iter());
        assert!(list.contains("<a href=\"/lab?run=a\">Is x<sup>2</sup> &lt; 3?</a>"), "{list}");
        assert!(list.contains("alt=\"&quot;up&quot;\""), "{list}");
        let whole = lab_run(&run);
        assert!(whole.contains("<title>&lt;T&gt; – Fourfold</title>"), "{whole}");
        assert!(whole.contains("<p>One.</p>") && whole.contains("/lab/a/report"), "{whole}");
        let broken = lab_run(&json!({}));
        assert!(broken.contains("<main"), "{broken}");
    }

    #[test]
    fn a_page_without_the_element_stays_as_it_is() {
        assert_eq!(filled("<p>a</p>", "main", "b"), "<p>a</p>");
        assert_eq!(filled("<main x>a</main>", "main", "b"), "<main x>b</main>");
    }
}

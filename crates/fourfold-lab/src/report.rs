//! The report: one HTML file that stands alone, with plots, tables and the provenance of the run.
//! It has no scripts, and is made for light, dark and paper.

use crate::experiment::{Experiment, Part};
use crate::plot::{Plot, draw};
use crate::provenance::Provenance;
use crate::results::ResultTable;
use crate::runner::{Outcome, PartOutcome};
use crate::svg::{escape, powers};
use crate::text::plain;
use std::fmt::Write;

const STYLE: &str = "\
:root{color-scheme:light dark;--paper:light-dark(#f7f4ec,#0d1120);--raised:light-dark(#fff,#171d33);\
--ink:light-dark(#131a33,#eef1fc);--muted:light-dark(#535c76,#a9b2cf);\
--line:light-dark(#e2ddd0,#2a3354);--board:light-dark(#ebe8de,#222a47);\
--brand:light-dark(#1a49b6,#a3bfff)}\
@media print{:root{color-scheme:light;--paper:#fff}}\
*{box-sizing:border-box}\
body{margin:0;background:var(--paper);color:var(--ink);\
font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif;\
font-variant-numeric:tabular-nums}\
main{max-width:64rem;margin:0 auto;padding:24px 16px 64px}\
.app{display:flex;flex-wrap:wrap;align-items:center;gap:0 24px;padding:8px 24px;\
border-bottom:1px solid var(--line)}\
.app a{padding:10px 0;text-decoration:none;font-weight:600;color:var(--muted)}\
.app a:first-child{font-weight:700;font-size:1.25rem;color:var(--ink)}\
.app a:hover{color:var(--ink)}\
h1{font-size:2rem;line-height:1.15;letter-spacing:-.015em;margin:8px 0}\
h2{font-size:1.25rem;margin:48px 0 8px;line-height:1.3}\
p,ul{max-width:44rem;margin:8px 0}a{color:inherit;text-underline-offset:.2em}\
sup{line-height:0;font-size:.72em}\
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}\
.question{font-size:1.25rem;color:var(--muted);max-width:44rem;margin:0 0 16px}\
.finding{border-left:4px solid var(--brand);padding:2px 0 2px 16px;margin:16px 0}\
.muted{color:var(--muted)}\
figure{margin:24px 0;overflow-x:auto}\
figure svg{display:block;width:100%;min-width:33rem;max-width:48rem;height:auto;\
border:1px solid var(--line);border-radius:20px}\
figcaption{max-width:44rem;color:var(--muted);margin-top:4px}\
.scroll{overflow-x:auto;margin:16px 0;border:1px solid var(--line);border-radius:12px;\
background:var(--raised)}\
table{border-collapse:collapse;width:100%;font-size:.9rem}\
th,td{padding:5px 12px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}\
tbody tr:last-child>*{border-bottom:0}\
thead th{font-weight:600;background:var(--board)}\
thead tr:first-child th{text-align:center;border-left:1px solid var(--line)}\
th[scope=row],thead tr:first-child th.axis{text-align:left;border-left:0}\
tbody th{font-weight:400}\
td.published{color:var(--muted);font-style:italic}\
td .range{color:var(--muted);font-size:.85em;display:block;line-height:1.2}\
td.start,thead .start{border-left:1px solid var(--line)}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;font-size:.9rem}\
dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}\
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,28rem),1fr));\
gap:16px;margin:24px 0}\
.card{border:1px solid var(--line);border-radius:20px;padding:16px;background:var(--raised)}\
.card h2{margin:0 0 8px;font-size:1.1rem}\
.card figure{margin:8px 0}.card figure svg{min-width:0;border:0}\
@media print{.app{display:none}main{max-width:none;padding:0}.scroll{border:0;overflow:visible}\
figure svg{min-width:0}table{font-size:8pt}th,td{padding:2px 5px;white-space:normal}\
h2{break-after:avoid}figure{break-inside:avoid}}";

/// A page of its own: the style, a title and a body.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{}</title>\
         <style>{STYLE}</style></head><body><main>\n{body}</main></body></html>\n",
        escape(title)
    )
}

/// A report under a line of links, for a page of an app that shows it: each link's address and text.
#[must_use]
pub fn with_links(report: &str, links: &[(&str, &str)]) -> String {
    let link = |(address, text): &(&str, &str)| {
        format!("<a href=\"{}\">{}</a>", escape(address), escape(text))
    };
    let links: String = links.iter().map(link).collect();
    report.replacen("<body>", &format!("<body><header class=\"app\">{links}</header>"), 1)
}

/// A text as HTML, with its powers raised: `c^(d/2)` as `c<sup>d/2</sup>`.
#[must_use]
pub fn html_text(text: &str) -> String {
    let mut out = String::new();
    for (piece, power) in powers(text) {
        out += &escape(piece);
        if !power.is_empty() {
            let _ = write!(out, "<sup>{}</sup>", escape(power));
        }
    }
    out
}

fn paragraphs(out: &mut String, texts: &[String]) {
    for text in texts {
        let _ = writeln!(out, "<p>{}</p>", html_text(text));
    }
}

/// The report of a run.
#[must_use]
pub fn report(experiment: &Experiment, outcome: &Outcome, provenance: &Provenance) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "<h1>{}</h1>", escape(&experiment.title));
    let _ = writeln!(out, "<p class=\"question\">{}</p>", html_text(&experiment.question));
    if let Some(finding) = experiment.confirmed_finding() {
        let _ = writeln!(out, "<p class=\"finding\">{}</p>", html_text(finding));
    }
    if experiment.quick {
        out += "<p class=\"finding\">This is a quick run: it has fewer games, depths or positions \
                than the full one.</p>\n";
    }
    if let Some(source) = &experiment.source {
        let _ = writeln!(
            out,
            "<p class=\"muted\">Published figures: {}.</p>",
            escape(source.trim_end_matches('.'))
        );
    }
    paragraphs(&mut out, &experiment.text);
    for (part, found) in experiment.parts.iter().zip(&outcome.parts) {
        section(&mut out, part, found);
    }
    foot(&mut out, experiment, provenance);
    page(&experiment.title, &out)
}

fn section(out: &mut String, part: &Part, found: &PartOutcome) {
    let _ = writeln!(out, "<section><h2>{}</h2>", html_text(&part.title));
    paragraphs(out, &part.text);
    for spec in &part.plots {
        let Some(plot) = Plot::of(spec, part, found) else { continue };
        let _ = write!(out, "<figure tabindex=\"0\">{}", draw(&plot));
        let caption = plot.caption(spec);
        if !caption.is_empty() {
            let _ = write!(out, "<figcaption>{}</figcaption>", html_text(&caption));
        }
        *out += "</figure>\n";
    }
    table(out, &ResultTable::of(part, found));
    if part.agree {
        let words = if found.disagreements.is_empty() {
            format!(
                "{} searches were compared with another one of the same position and depth. All \
                 values agree.",
                found.compared
            )
        } else {
            format!("Values disagree: {}.", found.disagreements.join("; "))
        };
        let _ = writeln!(out, "<p>{}</p>", escape(&words));
    }
    if !part.notes.is_empty() {
        *out += "<ul>";
        for note in &part.notes {
            let _ = write!(out, "<li>{}</li>", html_text(note));
        }
        *out += "</ul>\n";
    }
    *out += "</section>\n";
}

fn table(out: &mut String, table: &ResultTable) {
    *out += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>";
    let classes = column_classes(table);
    table_head(out, table, &classes);
    *out += "<tbody>";
    let axes = axes_of(table);
    for row in &table.rows {
        *out += "<tr>";
        for (column, field) in row.iter().enumerate() {
            let _ = if column < axes {
                write!(out, "<th scope=\"row\">{}</th>", escape(field))
            } else {
                write!(out, "<td{}>{}</td>", classes[column], estimate(field))
            };
        }
        *out += "</tr>";
    }
    *out += "</tbody></table></div>\n";
}

/// The number of columns with values of axes.
fn axes_of(table: &ResultTable) -> usize {
    table.groups.first().map_or(0, |(_, span)| *span)
}

fn table_head(out: &mut String, table: &ResultTable, classes: &[&str]) {
    let axes = axes_of(table);
    let second = table.head.iter().skip(axes).any(|name| !name.is_empty());
    let rows = 1 + usize::from(second);
    *out += "<thead><tr>";
    for name in table.head.iter().take(axes) {
        let _ = write!(out, "<th class=\"axis\" rowspan=\"{rows}\">{}</th>", escape(name));
    }
    for (title, span) in table.groups.iter().skip(1) {
        let _ = write!(out, "<th colspan=\"{span}\" scope=\"colgroup\">{}</th>", escape(title));
    }
    if second {
        *out += "</tr><tr>";
        for (name, class) in table.head.iter().zip(classes).skip(axes) {
            let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escape(name));
        }
    }
    *out += "</tr></thead>";
}

/// The class attribute of each column: the first of a group has a line, published figures look
/// different.
fn column_classes(table: &ResultTable) -> Vec<&'static str> {
    let mut starts = vec![false; table.head.len() + 1];
    let mut at = axes_of(table);
    for (_, span) in table.groups.iter().skip(1) {
        starts[at] = true;
        at += span;
    }
    let class = |(published, start): (&bool, &bool)| match (start, published) {
        (true, true) => " class=\"start published\"",
        (true, false) => " class=\"start\"",
        (false, true) => " class=\"published\"",
        (false, false) => "",
    };
    table.published.iter().zip(&starts).map(class).collect()
}

/// `41.5 % (36.8 to 46.4)` with the interval below the number.
fn estimate(field: &str) -> String {
    match field.split_once(" (") {
        Some((value, range)) if range.ends_with(')') => {
            let (value, range) = (escape(value), escape(range.trim_end_matches(')')));
            format!("{value}<span class=\"range\">{range}</span>")
        }
        _ => escape(field),
    }
}

fn foot(out: &mut String, experiment: &Experiment, provenance: &Provenance) {
    *out += "<section><h2>How this was measured</h2>\n";
    *out += "<p>The range below a number is its 95 % confidence interval: Wilson's for shares, by \
             bootstrap for means and ratios (paired item by item where there is a baseline). For \
             times it is the quartiles. A number without a range did not vary. Times are medians \
             after a warm-up and depend on the machine; all other figures depend on the seed \
             alone.</p>\n";
    *out += &definitions(provenance, experiment.seed);
    *out += "</section>\n";
}

/// Where a run was made, as a list of definitions.
pub(crate) fn definitions(provenance: &Provenance, seed: u64) -> String {
    let mut out = String::from("<dl>");
    let seconds = format!("{} s", plain(provenance.seconds.round()));
    let seed = seed.to_string();
    let threads = provenance.threads.to_string();
    let version = match &provenance.commit {
        Some(commit) => format!("Fourfold {}, commit {commit}", provenance.version),
        None => format!("Fourfold {}", provenance.version),
    };
    for (name, value) in [
        ("Command", provenance.command.as_str()),
        ("Seed", &seed),
        ("Version", &version),
        ("Machine", &provenance.machine),
        ("Threads", &threads),
        ("Date", &provenance.date),
        ("Time", &seconds),
    ] {
        let _ = write!(out, "<dt>{name}</dt><dd>{}</dd>", escape(value));
    }
    out + "</dl>\n"
}

/// The front page of several reports: one card each, with the question, the first plot and the
/// finding.
#[must_use]
pub fn front_page(runs: &[(&Experiment, &Outcome)]) -> String {
    let mut out = String::from(
        "<h1>The laboratory</h1>\n\
         <p class=\"question\">Every published experiment, run again.</p>\n\
         <div class=\"cards\">\n",
    );
    for (experiment, outcome) in runs {
        let name = escape(&experiment.name);
        let _ = write!(
            out,
            "<div class=\"card\"><h2><a href=\"{name}/report.html\">{}</a></h2>",
            html_text(&experiment.question)
        );
        let mut plots = experiment.parts.iter().zip(&outcome.parts).flat_map(|(part, found)| {
            part.plots.iter().filter_map(move |spec| Plot::of(spec, part, found))
        });
        if let Some(plot) = plots.next() {
            let _ = write!(out, "<figure>{}</figure>", draw(&plot));
        }
        if let Some(finding) = experiment.confirmed_finding() {
            let _ = write!(out, "<p>{}</p>", html_text(finding));
        }
        let _ = writeln!(out, "<p class=\"muted\">{}</p></div>", escape(&experiment.title));
    }
    page("The laboratory", &(out + "</div>\n"))
}

#[cfg(test)]
mod tests {
    use super::{html_text, page, with_links};

    #[test]
    fn powers_are_raised_and_nothing_else() {
        for (text, html) in [
            ("as c^d, not c^(d/2).", "as c<sup>d</sup>, not c<sup>d/2</sup>."),
            ("7^6 < 7^({n} d)", "7<sup>6</sup> &lt; 7<sup>{n} d</sup>"),
            ("^x 2^ a^(", "^x 2^ a^("),
            ("", ""),
        ] {
            assert_eq!(html_text(text), html, "{text}");
        }
    }

    #[test]
    fn a_report_can_lead_back() {
        let linked = with_links(&page("A", "B"), &[("/lab?a&b", "All <runs>")]);
        assert!(
            linked.contains(
                "<body><header class=\"app\"><a href=\"/lab?a&amp;b\">All &lt;runs&gt;</a>"
            )
        );
    }
}

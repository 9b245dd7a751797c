//! A review as a page that stands alone: no scripts, nothing from elsewhere; light, dark, print.

use super::Reviewed;
use super::show::{accuracy, heading, in_a_row, is_worse, result};
use crate::games::names;
use fourfold::game::{Outcome, Position};
use fourfold::play::{Judgement, MoveReview, SideReview};
use fourfold_app::draw::{board_svg, review_svg};
use fourfold_app::text::capital;
use fourfold_lab::svg::escape;
use std::fmt::Write;

const STYLE: &str = "\
:root{--paper:#fafaf7;--ink:#1c2430;--muted:#4a5463;--line:#d9dde3;--board:#eef1f5;\
color-scheme:light dark}\
@media(prefers-color-scheme:dark){:root{--paper:#14171c;--ink:#e8eaee;--muted:#9aa4b2;\
--line:#2c333d;--board:#1d232c}}\
*{box-sizing:border-box}\
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,\
'Segoe UI',Roboto,'Noto Sans',\
'DejaVu Sans',sans-serif;font-variant-numeric:tabular-nums}\
main{max-width:64rem;margin:0 auto;padding:24px 16px 64px}\
h1{font-size:1.95rem;line-height:1.2;margin:8px 0 24px}h2{font-size:1.25rem;margin:40px 0 8px;\
line-height:1.3}\
h3{font-size:1rem;margin:0 0 8px}p{margin:8px 0}.muted{color:var(--muted)}\
figure{margin:16px 0;overflow-x:auto}figure svg{display:block;max-width:none}\
figure:focus-visible,.scroll:focus-visible{outline:2px solid var(--ink);outline-offset:2px}\
.moments{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:16px}\
.moment{border:1px solid var(--line);border-radius:8px;padding:16px;break-inside:avoid}\
.moment svg{width:100%;height:auto;max-height:16rem}\
.scroll{overflow-x:auto;margin:16px 0;border:1px solid var(--line);border-radius:8px}\
table{border-collapse:collapse;width:100%;font-size:.9rem}\
th,td{padding:5px 12px;text-align:left;overflow-wrap:anywhere;\
border-bottom:1px solid var(--line)}tbody tr:last-child>*{border-bottom:0}\
thead th{font-weight:600;background:var(--board)}tbody th{font-weight:400}\
td.count,th.count{text-align:right}.blunder,.inaccuracy{font-weight:600}\
section+section{border-top:1px solid var(--line);margin-top:48px;padding-top:24px}";

/// The page of some games.
pub(super) fn whole(sections: &[String]) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Review</title>\
         <style>{STYLE}</style></head><body><main>\n<h1>Review</h1>\n{}</main></body></html>\n",
        sections.concat()
    )
}

/// One game: the graph, both sides, the blunders with their boards, every move.
pub(super) fn section(reviewed: &Reviewed, number: usize) -> String {
    let Reviewed { record, review } = reviewed;
    let title = heading(reviewed);
    let positions: Vec<Position> = record.positions().collect();
    let mut out = format!(
        "<section aria-labelledby=\"game-{number}\"><h2 id=\"game-{number}\">{}</h2>\n",
        escape(&title)
    );
    let last = &positions[positions.len() - 1];
    let ending = match last.outcome() {
        _ if record.forfeit.is_some() => {
            let reason = record.forfeit.as_deref().unwrap_or_default();
            format!("{} forfeited the game: {reason}.", names(record)[last.to_move() as usize])
        }
        Outcome::Won { by, .. } => {
            format!("{} won on move {}.", names(record)[by as usize], record.moves.len())
        }
        Outcome::Drawn => "The board is full: a draw.".to_owned(),
        Outcome::Ongoing => "The game was not finished.".to_owned(),
    };
    let _ = writeln!(out, "<p>{}</p>", escape(&ending));
    if !review.moves.is_empty() {
        let graph = review_svg::draw(review, &title);
        let _ = writeln!(
            out,
            "<figure tabindex=\"0\" aria-label=\"How the game went\">{graph}</figure>"
        );
    }
    out += &sides(reviewed);
    let blunders: Vec<&MoveReview> = review
        .moves
        .iter()
        .filter(|mv| mv.found.as_ref().is_some_and(|found| found.judgement == Judgement::Blunder))
        .collect();
    if !blunders.is_empty() {
        out += "<h2>Where it turned</h2>\n<div class=\"moments\">";
        for mv in blunders {
            out += &moment(reviewed, mv, &positions);
        }
        out += "</div>\n";
    }
    out += &moves(reviewed);
    out + "</section>\n"
}

fn sides(Reviewed { record, review }: &Reviewed) -> String {
    let [first, second] = names(record);
    let mut out = format!(
        "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th></th>\
        <th scope=\"col\" class=\"count\">{}</th>\
         <th scope=\"col\" class=\"count\">{}</th></tr></thead><tbody>",
        escape(&first),
        escape(&second)
    );
    let mut row = |name: &str, of: fn(&SideReview) -> String| {
        let (first, second) = (of(&review.first), of(&review.second));
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{name}</th><td class=\"count\">{first}</td>\
            <td class=\"count\">{second}</td></tr>"
        );
    };
    row("Accuracy", accuracy);
    row("▲ Blunders", |side| side.blunders.to_string());
    row("◆ Inaccuracies", |side| side.inaccuracies.to_string());
    row("Only moves found", |side| side.only_moves_found.to_string());
    out + "</tbody></table></div>\n"
}

/// A blunder: the board after it, and what would have been better.
fn moment(Reviewed { review, .. }: &Reviewed, mv: &MoveReview, positions: &[Position]) -> String {
    let rules = &review.rules;
    let Some(found) = &mv.found else { return String::new() };
    let (number, label) = (mv.ply + 1, mv.mv.label(rules));
    let title = format!("Move {number}: {} plays {label}", mv.side.letter());
    let mut out = format!("<div class=\"moment\"><h3>▲ {}</h3>", escape(&title));
    out += &board_svg::draw(&positions[number as usize], Some(mv.mv), &title);
    let _ = write!(out, "<p>{}.</p>", escape(&capital(&result(rules, found))));
    for (name, line) in [("Instead", &found.better), ("Then", &found.refutation)] {
        if !line.is_empty() {
            let _ = write!(
                out,
                "<p><span class=\"muted\">{name}</span> {}</p>",
                escape(&in_a_row(rules, line))
            );
        }
    }
    out + "</div>\n"
}

fn moves(Reviewed { review, .. }: &Reviewed) -> String {
    let rules = &review.rules;
    let mut out = "<h2>Every move</h2>\n<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>\
         <th scope=\"col\" class=\"count\">No.</th><th scope=\"col\">By</th>\
         <th scope=\"col\">Move</th><th scope=\"col\">Judgement</th>\
         <th scope=\"col\">Result</th><th scope=\"col\">Instead</th></tr></thead><tbody>"
        .to_owned();
    for mv in &review.moves {
        let (class, judged, told, instead) = match &mv.found {
            None => ("", "not judged".to_owned(), String::new(), String::new()),
            Some(found) => {
                let name = review_svg::name(found.judgement);
                let only = if found.only_move && found.judgement == Judgement::Best {
                    ", the only move"
                } else {
                    ""
                };
                let judged =
                    format!("{} {name}{only}", review_svg::mark(found.judgement)).trim().to_owned();
                let class = if is_worse(found) { name } else { "" };
                (class, judged, result(rules, found), in_a_row(rules, &found.better))
            }
        };
        let _ = write!(
            out,
            "<tr><td class=\"count\">{}</td><td>{}</td><td>{}</td><td class=\"{class}\">{judged}</td>\
             <td>{}</td><td>{}</td></tr>",
            mv.ply + 1,
            mv.side.letter(),
            escape(&mv.mv.label(rules)),
            escape(&told),
            escape(&instead)
        );
    }
    out + "</tbody></table></div>\n"
}

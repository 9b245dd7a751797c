//! A review as text.

use super::Reviewed;
use crate::games::names;
use crate::output::{Paint, table};
use fourfold::game::{Move, Rules, Side};
use fourfold::play::{Findings, Judgement, MoveReview, SideReview};
use fourfold::score::Verdict;
use fourfold_app::draw::review_svg::{mark, name, score_after};
use fourfold_app::explain::{Names, headline, sentence};
use std::fmt::Write;

/// Everything: who played, how it went, every move, both sides counted.
pub(super) fn text(reviewed: &Reviewed, paint: Paint) -> String {
    let Reviewed { record, review } = reviewed;
    let rules = &review.rules;
    let mut out = format!("{}\n", paint.strong(&heading(reviewed)));
    let course: String = review
        .moves
        .iter()
        .map(|mv| match score_after(mv).map(i32::signum) {
            Some(1) => '+',
            Some(0) => '=',
            Some(_) => '-',
            None => '?',
        })
        .collect();
    if !course.is_empty() {
        let _ = writeln!(out, "For x, move by move: {course}");
    }
    let story = review.story();
    let sides = [(Side::First, story.first), (Side::Second, story.second)];
    let told = sides
        .into_iter()
        .filter_map(|(side, found)| found.map(|found| headline(found, side, Names::LETTERS)));
    let mut told: Vec<String> = told.collect();
    told.dedup();
    if !told.is_empty() {
        let _ = writeln!(out, "{}.", told.join("; "));
    }
    if !course.is_empty() {
        out.push('\n');
    }
    for mv in &review.moves {
        let _ = writeln!(out, "{}", move_line(rules, mv).trim_end());
        let Some(found) = mv.found.as_ref().filter(|found| is_worse(found)) else { continue };
        for (word, moves) in [("instead", &found.better), ("then", &found.refutation)] {
            if !moves.is_empty() {
                let _ = writeln!(
                    out,
                    "{}",
                    paint.faint(&format!("          {word:8}{}", in_a_row(rules, moves)))
                );
            }
        }
        let moment = story.moments.iter().find(|moment| moment.ply == mv.ply);
        for fact in moment.iter().flat_map(|moment| moment.missed.iter().chain(&moment.allowed)) {
            let words = sentence(rules, fact, Names::LETTERS);
            let _ = writeln!(out, "{}", paint.faint(&format!("          why     {words}")));
        }
    }
    let head = std::iter::once(String::new()).chain(names(record)).collect();
    let row = |title: &str, of: fn(&SideReview) -> String| {
        vec![title.to_owned(), of(&review.first), of(&review.second)]
    };
    let rows = [
        head,
        row("accuracy", accuracy),
        row("▲ blunders", |side| side.blunders.to_string()),
        row("◆ inaccuracies", |side| side.inaccuracies.to_string()),
        row("only moves found", |side| side.only_moves_found.to_string()),
    ];
    let _ = write!(out, "\n{}", table(&rows));
    out
}

/// `Connect Four (7x6c4): Ann (x) against Bob (o), 12 moves`.
pub(super) fn heading(Reviewed { record, review }: &Reviewed) -> String {
    let rules = &review.rules;
    let game = if rules.name().is_some() {
        format!("{} ({rules})", rules.title())
    } else {
        rules.to_string()
    };
    let [first, second] = names(record);
    let moves = if review.moves.len() == 1 { "move" } else { "moves" };
    format!("{game}: {first} against {second}, {} {moves}", review.moves.len())
}

pub(super) fn accuracy(side: &SideReview) -> String {
    side.accuracy()
        .map_or_else(|| "no choice".to_owned(), |share| format!("{:.0} %", 100.0 * share))
}

pub(super) fn is_worse(found: &Findings) -> bool {
    matches!(found.judgement, Judgement::Blunder | Judgement::Inaccuracy)
}

/// ` 12. o 4   ▲ blunder     loses in 4 moves; 5 draws`.
fn move_line(rules: &Rules, mv: &MoveReview) -> String {
    let start = format!("{:3}. {} {:3}", mv.ply + 1, mv.side.letter(), mv.mv.label(rules));
    let Some(found) = &mv.found else { return format!("{start}   not judged") };
    let sign = match mark(found.judgement) {
        "" => " ",
        sign => sign,
    };
    let word = if found.only_move && found.judgement == Judgement::Best {
        "only move"
    } else {
        name(found.judgement)
    };
    format!("{start} {sign} {word:11} {}", result(rules, found))
}

/// `loses in 4 moves; 5 draws`, or `wins in 2 moves`.
pub(super) fn result(rules: &Rules, found: &Findings) -> String {
    let played = verb(found.played);
    if !is_worse(found) {
        return played;
    }
    let best: Vec<String> = found.best_moves.iter().map(|mv| mv.label(rules)).collect();
    let best = match &best[..] {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        best => best.concat(),
    };
    format!("{played}; {best} {}", verb(found.best))
}

fn verb(verdict: Verdict) -> String {
    if verdict == Verdict::Draw { "draws".to_owned() } else { verdict.to_string() }
}

pub(super) fn in_a_row(rules: &Rules, moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.label(rules)).collect::<Vec<_>>().join(" ")
}

//! The panel beside the board: the players, the moves, the analysis or review, and the progress of
//! the search.

use super::board::{short, words};
use super::look::{CHOSEN, FAINT, Look, PLAIN, STRONG};
use super::wrapped;
use crate::app::{App, OpenReview, PositionAnalysis, RunningSearch, subject};
use crate::setup::seat_name;
use crate::worker::SearchJob;
use fourfold::game::{Move, Outcome, Rules, Side};
use fourfold::play::{Findings, Judgement, MoveReview, SideReview};
use fourfold::score::Verdict;
use fourfold::solver::{MoveAnalysis, MoveScore};
use fourfold_app::live_game::LiveGame;
use fourfold_app::text::{grouped, rate};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// The lines of the panel, exactly `height` unless the search needs more.
pub(super) fn lines(app: &App, look: Look, width: u16, height: u16) -> Vec<Line<'static>> {
    let (width, height) = (usize::from(width), usize::from(height));
    let feet = search(app, width);
    let room = height.saturating_sub(feet.len());
    let mut lines = match &app.reviewing {
        Some(reviewing) => review(reviewing, look, width, room),
        None => play(app, look, width, room),
    };
    lines.truncate(room);
    lines.resize_with(room, Line::default);
    lines.extend(feet);
    lines
}

fn play(app: &App, look: Look, width: usize, height: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> =
        [Side::First, Side::Second].map(|side| player(app, look, side, width)).into();
    lines.push(Line::default());
    let mut below: Vec<Line<'static>> = Vec::new();
    if let Some(analysis) = app.analysis.as_ref().filter(|_| app.analysing) {
        let room = height.saturating_sub(lines.len() + 2);
        below = analysis_lines(app, analysis, width, room);
    } else if app.analysing {
        below.push(Line::styled("Analysis", FAINT));
        below.push(Line::raw("The game is over."));
    }
    let room = height.saturating_sub(lines.len() + below.len());
    let marks = |_: usize| "";
    lines.extend(moves(&app.game, &marks, None, width, room.max(1)));
    if !below.is_empty() && lines.len() + below.len() < height {
        lines.push(Line::default());
    }
    lines.extend(below);
    lines
}

/// A side's player, with a marker on its turn and a note on the result.
fn player(app: &App, look: Look, side: Side, width: usize) -> Line<'static> {
    let turn = app.is_turn(side);
    let outcome = app.game.position().outcome();
    let note = match outcome {
        _ if app.resigned == Some(side) => " resigned",
        _ if app.resigned == Some(side.other()) => " won",
        Outcome::Won { by, .. } if by == side => " won",
        _ => "",
    };
    let style = if turn || note == " won" { STRONG } else { PLAIN };
    let name = app.subject(side);
    let name = cut(&name, width.saturating_sub(4 + note.len()));
    Line::from(vec![
        Span::styled(if turn { "▸ " } else { "  " }, STRONG),
        Span::styled(look.sign(side), look.side(side)),
        Span::styled(format!(" {name}{note}"), style),
    ])
}

/// The numbered moves: those around `current`, or the last ones, if there is no room for all.
/// `marks` gives the suffix of each move.
fn moves(
    game: &LiveGame,
    marks: &dyn Fn(usize) -> &'static str,
    current: Option<usize>,
    width: usize,
    height: usize,
) -> Vec<Line<'static>> {
    let mut rows: Vec<Line<'static>> = vec![Line::default()];
    let mut current_row = 0;
    for (pair, both) in game.moves().chunks(2).enumerate() {
        let number = format!("{}.", pair + 1);
        let mut spans = vec![Span::styled(number, FAINT)];
        for (index, mv) in both.iter().enumerate() {
            let ply = 2 * pair + index;
            let style = if current == Some(ply) { CHOSEN } else { PLAIN };
            spans.push(Span::raw(" "));
            spans.push(Span::styled(format!("{}{}", mv.label(&game.rules), marks(ply)), style));
        }
        let length: usize = spans.iter().map(Span::width).sum();
        if rows.last().is_some_and(|row| row.width() > 0 && row.width() + 2 + length > width) {
            rows.push(Line::default());
        }
        if current.is_some_and(|ply| ply / 2 == pair) {
            current_row = rows.len() - 1;
        }
        if let Some(row) = rows.last_mut() {
            if row.width() > 0 {
                row.spans.push(Span::raw("  "));
            }
            row.spans.extend(spans);
        }
    }
    if game.moves().is_empty() {
        return vec![Line::styled("No moves yet.", FAINT)];
    }
    let last = if current.is_some() { current_row + height / 2 + 1 } else { rows.len() };
    let end = last.clamp(height.min(rows.len()), rows.len());
    rows.drain(end.saturating_sub(height)..end).collect()
}

/// The results of all moves, or of the best if there is no room for all, and the principal
/// variation.
fn analysis_lines(
    app: &App,
    analysis: &PositionAnalysis,
    width: usize,
    room: usize,
) -> Vec<Line<'static>> {
    let rules = analysis.position.rules();
    let mut lines = vec![Line::styled("Analysis", FAINT)];
    let engine_waits = app.is_engine_thinking();
    if engine_waits && analysis.found.is_empty() {
        lines.push(Line::styled("after the engine moves", FAINT));
        return lines;
    }
    let best = analysis.best();
    let mut legal = analysis.position.legal_moves();
    let tail = tail(analysis, rules, width, room.saturating_sub(1 + legal.len()).clamp(1, 3));
    let all = room.saturating_sub(1 + tail.len());
    let mut left_out = legal.len().saturating_sub(all);
    if left_out > 0 {
        let everything = legal.len();
        legal.retain(|&mv| analysis.of(mv).is_some_and(|found| found.is_telling()));
        legal.sort_by_key(|&mv| std::cmp::Reverse(rank(analysis.of(mv))));
        legal.truncate(all.saturating_sub(1));
        left_out = everything - legal.len();
    }
    for mv in legal {
        lines.push(row(rules, mv, analysis.of(mv), best, width));
    }
    if left_out > 0 {
        let known = analysis.found.iter().any(MoveAnalysis::is_telling);
        let text = if known {
            format!("  and {left_out} more")
        } else {
            "Nothing is proven yet.".to_owned()
        };
        lines.push(Line::styled(text, FAINT));
    }
    lines.extend(tail);
    lines
}

/// The text below the moves: the principal variation, or an estimate until there is one.
fn tail(
    analysis: &PositionAnalysis,
    rules: &Rules,
    width: usize,
    most: usize,
) -> Vec<Line<'static>> {
    let (text, style) = match (&analysis.line, &analysis.estimate) {
        (Some(line), _) => (format!("Best play: {}", labels(rules, line)), PLAIN),
        (None, Some(estimate)) => (estimate.clone(), FAINT),
        (None, None) => return Vec::new(),
    };
    let mut rows = wrapped(&text, width);
    if rows.len() > most {
        rows.truncate(most);
        if let Some(last) = rows.last_mut() {
            *last = last.chars().take(width.saturating_sub(2)).chain(" …".chars()).collect();
        }
    }
    rows.into_iter().map(|row| Line::styled(row, style)).collect()
}

fn row(
    rules: &Rules,
    mv: Move,
    finding: Option<MoveAnalysis>,
    best: Option<i32>,
    width: usize,
) -> Line<'static> {
    let label = mv.label(rules);
    let Some(finding) = finding else { return Line::styled(format!("  {label:>2}  …"), FAINT) };
    let is_best =
        matches!(finding, MoveAnalysis::Exact(MoveScore { score, .. }) if Some(score) == best);
    let style = match finding {
        _ if is_best => STRONG,
        MoveAnalysis::Exact(_) => PLAIN,
        MoveAnalysis::Bounds { .. } => FAINT,
    };
    let score = if finding.exact().is_some() { short(finding).0 } else { String::new() };
    // Scores are aligned in a column of their own, close to the words.
    let column = width.min(28);
    let mut text = format!("{} {label:>2}  {}", if is_best { "▸" } else { " " }, words(finding));
    if text.chars().count() + score.chars().count() >= column {
        // A narrow panel has no room for the unit: "loses in 14".
        let short = text.trim_end_matches(" moves").trim_end_matches(" move").len();
        text.truncate(short);
    }
    let gap = column.saturating_sub(text.chars().count() + score.chars().count());
    Line::styled(format!("{text}{}{score}", " ".repeat(gap)), style)
}

/// Sort key: exact results first, the best highest; unknown moves lowest.
fn rank(finding: Option<MoveAnalysis>) -> (bool, i32) {
    match finding {
        Some(MoveAnalysis::Exact(MoveScore { score, .. })) => (true, score),
        Some(MoveAnalysis::Bounds { lower, .. }) => (false, lower),
        None => (false, i32::MIN),
    }
}

fn labels(rules: &Rules, moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.label(rules)).collect::<Vec<_>>().join(" ")
}

/// The progress of the search; between searches, the report of the last engine move.
fn search(app: &App, width: usize) -> Vec<Line<'static>> {
    let text = match &app.task {
        Some(task) => task_words(task, app.now.saturating_sub(task.since)),
        None if app.reviewing.is_none() => app.engine_report.clone(),
        None => String::new(),
    };
    let mut rows = wrapped(&text, width);
    rows.truncate(3);
    rows.into_iter().map(|row| Line::styled(row, FAINT)).collect()
}

fn task_words(task: &RunningSearch, spent: Duration) -> String {
    let what = match task.job {
        SearchJob::Choose { .. } => "Thinking",
        SearchJob::Hint(_) => "Looking for a hint",
        SearchJob::Analysis(_) => "Solving",
        SearchJob::Review { .. } => "Judging",
    };
    // Tenths of a second are enough for a running clock.
    let mut text = format!("{what}, {:.1} s", spent.as_secs_f64());
    if task.counters.nodes > 0 {
        let nodes = task.counters.nodes;
        text += &format!(": {} nodes, {}", grouped(nodes), rate(nodes, spent));
    }
    if let Some(depth) = task.counters.depth {
        text += &format!(", depth {depth}");
    }
    text
}

fn review(reviewing: &OpenReview, look: Look, width: usize, height: usize) -> Vec<Line<'static>> {
    let game = &reviewing.game.game;
    let mut lines = vec![Line::styled(format!("Review, {}", reviewing.game.result()), STRONG)];
    for side in [Side::First, Side::Second] {
        let counts = reviewing.review.as_ref().map(|review| match side {
            Side::First => review.first,
            Side::Second => review.second,
        });
        let name = cut(&subject(&seat_name(game, side)), width.saturating_sub(3));
        lines.push(Line::from(vec![
            Span::raw(" "),
            Span::styled(look.sign(side), look.side(side)),
            Span::raw(format!(" {name}")),
        ]));
        if let Some(counts) = counts {
            lines.push(Line::styled(format!("   {}", accuracy(&counts)), FAINT));
        }
    }
    let marks = |index: usize| mark(reviewing, index);
    let current = reviewing.ply.checked_sub(1);
    let explained = explanation(reviewing, width);
    let room = height.saturating_sub(lines.len() + explained.len() + 1).clamp(2, 8);
    lines.push(Line::default());
    lines.extend(moves(game, &marks, current, width, room));
    if lines.len() + explained.len() < height {
        lines.push(Line::default());
    }
    lines.extend(explained);
    lines
}

/// `best 3 of 5 1▲`: three of the five choices that mattered were best, one was a blunder.
fn accuracy(counts: &SideReview) -> String {
    if counts.judged == 0 {
        return "no move judged".to_owned();
    }
    let best = match counts.choices {
        0 => "no choice".to_owned(),
        choices => format!("best {} of {choices}", counts.best),
    };
    let mistakes = [(counts.blunders, "▲"), (counts.inaccuracies, "◆")];
    let mistakes = mistakes
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, sign)| format!(" {count}{sign}"));
    best + &mistakes.collect::<String>()
}

fn mark(reviewing: &OpenReview, index: usize) -> &'static str {
    let found =
        reviewing.review.as_ref().and_then(|review| review.moves.get(index)?.found.as_ref());
    match found.map(|found| found.judgement) {
        Some(Judgement::Blunder) => "▲",
        Some(Judgement::Inaccuracy) => "◆",
        Some(Judgement::Best | Judgement::Forced) | None => "",
    }
}

fn explanation(reviewing: &OpenReview, width: usize) -> Vec<Line<'static>> {
    let rules = &reviewing.game.game.rules;
    let mut paragraphs: Vec<(String, Style)> = Vec::new();
    match (&reviewing.review, reviewing.current(), reviewing.ply) {
        (None, _, _) => {
            let (done, all) = reviewing.judged;
            let text = reviewing
                .problem
                .clone()
                .unwrap_or_else(|| format!("{done} of {all} moves judged"));
            paragraphs.push((text, FAINT));
        }
        (Some(_), _, 0) => paragraphs.push(("The start of the game.".to_owned(), FAINT)),
        (Some(_), Some(MoveReview { found: None, .. }) | None, _) => {
            paragraphs.push(("Not judged in the time allowed.".to_owned(), FAINT));
        }
        (Some(_), Some(MoveReview { found: Some(found), mv, .. }), ply) => {
            let judgement = judgement_words(found);
            paragraphs.push((format!("Move {ply}, {}: {judgement}.", mv.label(rules)), STRONG));
            paragraphs.push((format!("It {}.", verb(found.played)), PLAIN));
            if found.played_score != found.best_score {
                let better = labels(rules, &found.best_moves);
                paragraphs.push((format!("Better {better}: {}.", found.best), PLAIN));
                paragraphs.push((format!("Then: {}", labels(rules, &found.refutation)), FAINT));
                paragraphs.push((format!("Instead: {}", labels(rules, &found.better)), FAINT));
            }
        }
    }
    let mut lines = Vec::new();
    for (text, style) in paragraphs {
        let mut rows = wrapped(&text, width);
        rows.truncate(3);
        lines.extend(rows.into_iter().map(|row| Line::styled(row, style)));
    }
    lines
}

/// What a move leads to, as a verb phrase.
fn verb(verdict: Verdict) -> String {
    if verdict == Verdict::Draw { "leads to a draw".to_owned() } else { verdict.to_string() }
}

fn judgement_words(found: &Findings) -> &'static str {
    match found.judgement {
        Judgement::Forced => "the only legal move",
        Judgement::Best if found.only_move => "the only good move",
        Judgement::Best if found.best_moves.len() == found.columns.len() => "as good as any",
        Judgement::Best => "best",
        Judgement::Inaccuracy => "◆ inaccuracy",
        Judgement::Blunder => "▲ blunder",
    }
}

/// The text, cut to `width` characters with an ellipsis.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

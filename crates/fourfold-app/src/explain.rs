//! Facts about positions and games, in words and as JSON.
//!
//! The sentences are written so that a name can be replaced by "you" without another change: the
//! sides stand after "for", before "'s", and before verbs that are the same for everybody ("can",
//! "played"). "was" alone becomes "were".

use crate::board_text::place_noun;
use crate::shapes::{labels, move_json, move_score_json};
use crate::text::capital;
use fourfold::game::{Cell, Move, Position, Rules, Shape, Side};
use fourfold::play::{
    Fact, Findings, Headline, Moment, MomentKind, MoveReview, Review, Story, fatal_moves,
};
use fourfold::score::Verdict;
use serde_json::{Value, json};

/// What the sides are called in a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// The first player.
    pub first: &'a str,
    /// The second player.
    pub second: &'a str,
}

impl Names<'static> {
    /// As the app draws them.
    pub const COLOURS: Self = Self { first: "Red", second: "Yellow" };
    /// As the terminal draws them.
    pub const LETTERS: Self = Self { first: "x", second: "o" };
}

impl Names<'_> {
    fn of(&self, side: Side) -> &str {
        match side {
            Side::First => self.first,
            Side::Second => self.second,
        }
    }
}

/// A fact in a sentence or two.
pub fn sentence(rules: &Rules, fact: &Fact, names: Names<'_>) -> String {
    let place = |mv: Move| format!("{} {}", place_noun(rules), mv.label(rules));
    let start = |mv: Move| capital(&place(mv));
    let after = |mv: Option<Move>, rest: String| match mv {
        Some(mv) => format!("After {}, {rest}", place(mv)),
        None => capital(&rest),
    };
    let name = |side: Side| names.of(side);
    match fact {
        Fact::Wins { mv, .. } => format!("{} wins at once.", start(*mv)),
        Fact::Blocks { by, mv } => {
            format!("{} blocks a win for {}.", start(*mv), name(by.other()))
        }
        Fact::Ignores { by, mv, threat } => {
            format!("{} ignored {}'s threat at {threat}.", start(*mv), name(by.other()))
        }
        Fact::Opens { by, mv, cell } => {
            format!("{} opened {cell}, a winning cell for {}.", start(*mv), name(by.other()))
        }
        Fact::GivesUp { by, mv, threat } => format!(
            "{} gave up {}'s threat at {threat}: {} can take that cell now.",
            start(*mv),
            name(*by),
            name(by.other())
        ),
        Fact::TwoThreats { by, after: Some(mv), cells } => format!(
            "{} makes {} threats at once for {}, at {}: {} can block only one.",
            start(*mv),
            count(cells.len()),
            name(*by),
            list(cells),
            name(by.other())
        ),
        Fact::TwoThreats { by, after: None, cells } => {
            format!("{}'s threats at {} cannot all be blocked.", name(*by), list(cells))
        }
        Fact::Series { by, against: Some(reply), moves, cells } if moves.len() == 1 => format!(
            "There is no defence for {}: after {}, {} makes {} threats at once for {}, at {}.",
            name(by.other()),
            place(*reply),
            place(moves[0]),
            count(cells.len()),
            name(*by),
            list(cells)
        ),
        Fact::Series { by, against, moves, cells } => {
            let own: Vec<String> = moves.iter().step_by(2).map(|mv| mv.label(rules)).collect();
            let start = match against {
                None => format!("A series of threats wins for {}: ", name(*by)),
                Some(mv) => format!(
                    "There is no defence for {}: a series of threats wins for {}; after {} it is ",
                    name(by.other()),
                    name(*by),
                    place(*mv)
                ),
            };
            let noun = place_noun(rules);
            let plural = if own.len() == 1 { "" } else { "s" };
            format!(
                "{start}{noun}{plural} {}. Each must be answered, and the last makes {} at once, \
                 at {}.",
                joined(&own),
                count(cells.len()),
                list(cells)
            )
        }
        Fact::Zugzwang { by, after: mv, threat, free } => {
            let row = if threat.row % 2 == 0 { "odd" } else { "even" };
            let below = Cell { row: threat.row.saturating_sub(1), ..*threat };
            let loser = name(by.other());
            let until = match free {
                0 => format!("{loser} must play {below} below it now"),
                free if free % 2 == 0 => format!(
                    "the other {free} free cells are filled in pairs, and then {loser} must \
                     play {below} below it"
                ),
                _ => format!(
                    "the other cells are filled, and then {loser} must play {below} below it"
                ),
            };
            let rest =
                format!("{}'s threat at {threat}, on an {row} row, decides: {until}.", name(*by));
            match mv {
                Some(_) => after(*mv, rest),
                None => rest,
            }
        }
        Fact::FollowUp { by, after: mv, wins: true } => after(
            *mv,
            format!(
                "following up wins for {}: the free cells are filled in pairs, and {} cannot escape.",
                name(*by),
                name(by.other())
            ),
        ),
        Fact::FollowUp { by, after: mv, .. } => after(
            *mv,
            format!(
                "following up holds everything for {}: the free cells are filled in pairs, and {} \
                 cannot win.",
                name(*by),
                name(by.other())
            ),
        ),
        Fact::NothingLeft => format!("Nobody can complete a {} any more.", shape(rules)),
        Fact::Takes { by, mv } => {
            format!("{} is then {}'s best reply.", start(*mv), name(*by))
        }
        _ => String::new(),
    }
}

fn shape(rules: &Rules) -> String {
    match rules.shape() {
        Shape::Line(size) => format!("line of {}", count(usize::from(size))),
        Shape::Square(_) => "square".to_owned(),
    }
}

/// Small numbers as words.
fn count(number: usize) -> String {
    const WORDS: [&str; 10] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// `3`, `3 and 5`, `3, 5 and 4`.
fn joined(items: &[String]) -> String {
    match items {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        items => items.concat(),
    }
}

/// Cells in words; two that lie one above the other are said to.
fn list(cells: &[Cell]) -> String {
    let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
    match cells {
        [a, b] if a.column == b.column && a.row.abs_diff(b.row) == 1 => {
            format!("{}, one above the other", joined(&names))
        }
        _ => joined(&names),
    }
}

/// A fact as data, with its sentence.
pub fn fact_json(rules: &Rules, fact: &Fact) -> Value {
    let label = |mv: &Move| mv.label(rules);
    let texts = |cells: &[Cell]| cells.iter().map(Cell::to_string).collect::<Vec<String>>();
    let mut json = match fact {
        Fact::Wins { mv, .. } => json!({ "fact": "wins", "move": label(mv) }),
        Fact::Blocks { mv, .. } => json!({ "fact": "blocks", "move": label(mv) }),
        Fact::Ignores { mv, threat, .. } => {
            json!({ "fact": "ignores", "move": label(mv), "cells": texts(&[*threat]) })
        }
        Fact::Opens { mv, cell, .. } => {
            json!({ "fact": "opens", "move": label(mv), "cells": texts(&[*cell]) })
        }
        Fact::GivesUp { mv, threat, .. } => {
            json!({ "fact": "gives_up", "move": label(mv), "cells": texts(&[*threat]) })
        }
        Fact::TwoThreats { after, cells, .. } => {
            json!({ "fact": "two_threats", "move": after.as_ref().map(label), "cells": texts(cells) })
        }
        Fact::Series { against, moves, cells, .. } => json!({
            "fact": "series",
            "against": against.as_ref().map(label),
            "line": labels(rules, moves),
            "cells": texts(cells),
        }),
        Fact::Zugzwang { after, threat, free, .. } => json!({
            "fact": "zugzwang",
            "move": after.as_ref().map(label),
            "cells": texts(&[*threat]),
            "free": free,
        }),
        Fact::FollowUp { after, wins, .. } => {
            json!({ "fact": "follow_up", "move": after.as_ref().map(label), "wins": wins })
        }
        Fact::NothingLeft => json!({ "fact": "nothing_left" }),
        Fact::Takes { mv, .. } => json!({ "fact": "takes", "move": label(mv) }),
        _ => json!({ "fact": "other" }),
    };
    if let Some(by) = side_of(fact) {
        json["by"] = by.to_string().into();
    }
    json["words"] = sentence(rules, fact, Names::COLOURS).into();
    json
}

fn side_of(fact: &Fact) -> Option<Side> {
    match fact {
        Fact::Wins { by, .. }
        | Fact::Blocks { by, .. }
        | Fact::Ignores { by, .. }
        | Fact::Opens { by, .. }
        | Fact::GivesUp { by, .. }
        | Fact::TwoThreats { by, .. }
        | Fact::Series { by, .. }
        | Fact::Zugzwang { by, .. }
        | Fact::FollowUp { by, .. }
        | Fact::Takes { by, .. } => Some(*by),
        _ => None,
    }
}

/// The moves of a position after which the opponent wins at once, each with the cell on which.
pub fn fatal_json(position: &Position) -> Value {
    let rules = position.rules();
    let fatal = fatal_moves(position).into_iter().map(|(mv, reply)| {
        let mut json = move_json(rules, mv);
        json["reply"] = reply.cell(rules).to_string().into();
        json
    });
    fatal.collect()
}

/// How a game went for a side, without a full stop.
pub fn headline(headline: Headline, side: Side, names: Names<'_>) -> String {
    let name = names.of(side);
    match headline {
        Headline::WinningUntil(number) => format!("{name} was winning until move {number}"),
        Headline::HoldingUntil(number) => {
            format!("{name} was holding the draw until move {number}")
        }
        Headline::Behind => format!("{name} was behind from the first move"),
        Headline::NeverLetGo => format!("{name} never let go"),
        Headline::TookChance(number) => format!("{name} took the chance on move {number}"),
        Headline::SecondChance(number) => format!("{name} took a second chance on move {number}"),
        Headline::BothMissed => "Both sides missed a win".to_owned(),
        Headline::Escaped(number) => format!("{name} was losing, and got away on move {number}"),
        Headline::Balanced => "Neither side put a foot wrong".to_owned(),
        _ => String::new(),
    }
}

fn headline_json(found: Option<Headline>, side: Side) -> Value {
    let Some(found) = found else { return Value::Null };
    let (kind, number) = match found {
        Headline::WinningUntil(number) => ("winning_until", Some(number)),
        Headline::HoldingUntil(number) => ("holding_until", Some(number)),
        Headline::Behind => ("behind", None),
        Headline::NeverLetGo => ("never_let_go", None),
        Headline::TookChance(number) => ("took_chance", Some(number)),
        Headline::SecondChance(number) => ("second_chance", Some(number)),
        Headline::BothMissed => ("both_missed", None),
        Headline::Escaped(number) => ("escaped", Some(number)),
        Headline::Balanced => ("balanced", None),
        _ => ("other", None),
    };
    json!({ "kind": kind, "number": number, "words": headline(found, side, Names::COLOURS) })
}

/// What a moment is called.
pub fn title(moment: &Moment, side: Side, names: Names<'_>) -> String {
    let words = match moment.kind {
        _ if moment.decisive => "The move that cost the game",
        _ if moment.returned => return format!("{} handed it back", names.of(side)),
        MomentKind::WinToDraw => "A win slips to a draw",
        MomentKind::WinToLoss => "A win turns into a loss",
        MomentKind::DrawToLoss => "The draw slips away",
        MomentKind::SlowerWin => "A quicker win was there",
        MomentKind::SoonerLoss => "It could have lasted longer",
        MomentKind::OnlyMove => "The only move",
        _ => "A moment",
    };
    words.to_owned()
}

/// What happened at a moment: what was better and why, what was played and what that allowed.
pub fn telling(
    rules: &Rules,
    reviewed: &MoveReview,
    found: &Findings,
    moment: &Moment,
    names: Names<'_>,
) -> String {
    let noun = place_noun(rules);
    let played = reviewed.mv.label(rules);
    let reason = moment.missed.as_ref().map(|fact| sentence(rules, fact, names));
    if moment.kind == MomentKind::OnlyMove {
        let kept = if found.best_score > 0 { "win" } else { "draw" };
        let only = format!("{} {played} was the only move that kept the {kept}.", capital(noun));
        return spaced([Some(only), reason]);
    }
    let better = found.better.first().or(found.best_moves.first()).map(|mv| mv.label(rules));
    let best = better.map(|better| match found.best {
        Verdict::Draw => format!("{} {better} keeps the draw.", capital(noun)),
        Verdict::Loss { .. } => match found.best.winner_moves() {
            Some(moves) => format!("{} {better} holds out for {moves} moves.", capital(noun)),
            None => format!("{} {better} holds out longer.", capital(noun)),
        },
        verdict => format!("{} {better} {verdict}.", capital(noun)),
    });
    // A reason says more than the result, but only if it is about the move that is shown.
    let told = match &moment.missed {
        Some(Fact::Wins { .. } | Fact::TwoThreats { after: Some(_), .. } | Fact::Series { .. }) => {
            reason
        }
        _ => Some(spaced([best, reason])),
    };
    let result = match found.played {
        Verdict::Draw => "only draws".to_owned(),
        verdict => verdict.to_string(),
    };
    let name = names.of(reviewed.side);
    let played = format!("{name} played {noun} {played}, which {result}.");
    let allowed = moment.allowed.iter().map(|fact| {
        let words = sentence(rules, fact, names);
        Some(match fact {
            // The reply may be the same column.
            Fact::TwoThreats { after: Some(_), .. } => format!("Then {}", uncapital(&words)),
            _ => words,
        })
    });
    spaced([told, Some(played)].into_iter().chain(allowed))
}

/// The first letter in lower case.
fn uncapital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

fn spaced(sentences: impl IntoIterator<Item = Option<String>>) -> String {
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The story of a reviewed game: `headline` and `moments`.
pub fn story_json(review: &Review) -> (Value, Value) {
    let Story { first, second, moments, .. } = review.story();
    let headline = json!({
        "first": headline_json(first, Side::First),
        "second": headline_json(second, Side::Second),
    });
    let moments = moments.iter().filter_map(|moment| moment_json(review, moment)).collect();
    (headline, moments)
}

fn moment_json(review: &Review, moment: &Moment) -> Option<Value> {
    let reviewed = review.moves.get(moment.ply as usize)?;
    let found = reviewed.found.as_ref()?;
    let rules = &review.rules;
    let kind = match moment.kind {
        MomentKind::WinToDraw => "win_to_draw",
        MomentKind::WinToLoss => "win_to_loss",
        MomentKind::DrawToLoss => "draw_to_loss",
        MomentKind::SlowerWin => "slower_win",
        MomentKind::SoonerLoss => "sooner_loss",
        MomentKind::OnlyMove => "only_move",
        _ => "other",
    };
    let facts: Vec<Value> = moment.allowed.iter().map(|fact| fact_json(rules, fact)).collect();
    let better = found.better.first().or(found.best_moves.first());
    let columns: Vec<Value> =
        found.columns.iter().map(|column| move_score_json(rules, column)).collect();
    Some(json!({
        "ply": moment.ply,
        "number": moment.ply / 2 + 1,
        "side": reviewed.side.to_string(),
        "kind": kind,
        "decisive": moment.decisive,
        "returned": moment.returned,
        "title": title(moment, reviewed.side, Names::COLOURS),
        "words": telling(rules, reviewed, found, moment, Names::COLOURS),
        "better": better.map(|mv| mv.label(rules)),
        "line": labels(rules, &found.better),
        "columns": columns,
        "missed": moment.missed.as_ref().map(|fact| fact_json(rules, fact)),
        "allowed": facts,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every fact about a game with its moves, so that no sentence is forgotten.
    fn facts(rules: &Rules) -> Vec<Fact> {
        let empty = Position::new(*rules);
        let moves = empty.legal_moves();
        let (mv, other) = (moves[0], moves[1]);
        let (cell, above) = (Cell { column: 0, row: 1 }, Cell { column: 0, row: 2 });
        let by = Side::First;
        let cells = vec![cell, above];
        vec![
            Fact::Wins { by, mv },
            Fact::Blocks { by, mv },
            Fact::Ignores { by, mv, threat: cell },
            Fact::Opens { by, mv, cell },
            Fact::GivesUp { by, mv, threat: cell },
            Fact::TwoThreats { by, after: Some(mv), cells: cells.clone() },
            Fact::TwoThreats { by, after: None, cells: cells.clone() },
            Fact::Series { by, against: None, moves: vec![mv, other, mv], cells: cells.clone() },
            Fact::Series { by, against: Some(mv), moves: vec![other], cells: cells.clone() },
            Fact::Series { by, against: Some(mv), moves: vec![mv, other, mv], cells },
            Fact::Zugzwang { by, after: Some(mv), threat: above, free: 0 },
            Fact::Zugzwang { by, after: None, threat: above, free: 12 },
            Fact::Zugzwang { by, after: None, threat: above, free: 7 },
            Fact::FollowUp { by, after: Some(mv), wins: true },
            Fact::FollowUp { by, after: None, wins: false },
            Fact::NothingLeft,
            Fact::Takes { by, mv },
        ]
    }

    #[test]
    fn every_fact_has_a_sentence_in_which_a_name_can_become_you() {
        const VERBS: [&str; 10] =
            ["'s", "can", "cannot", "played", "must", "was", "took", "never", "handed", "got"];
        for rules in [Rules::CONNECT_FOUR, Rules::TIC_TAC_TOE] {
            for fact in facts(&rules) {
                let words = sentence(&rules, &fact, Names::COLOURS);
                assert!(words.ends_with('.') && words.starts_with(char::is_uppercase), "{words}");
                for name in ["Red", "Yellow"] {
                    for (at, _) in words.match_indices(name) {
                        let rest = words[at + name.len()..].trim_start();
                        let before = words[..at].trim_end();
                        let object = before.ends_with(" for");
                        let free = rest.starts_with(['.', ',', ':', ';']);
                        let verb = VERBS.iter().any(|verb| rest.starts_with(verb));
                        assert!(object || free || verb, "{words}");
                    }
                }
                assert_ne!(fact_json(&rules, &fact)["fact"], "other");
            }
        }
    }

    #[test]
    fn sentences_read_well() {
        let rules = Rules::CONNECT_FOUR;
        let told: Vec<String> =
            facts(&rules).iter().map(|fact| sentence(&rules, fact, Names::LETTERS)).collect();
        assert_eq!(told[0], "Column 1 wins at once.");
        assert_eq!(
            told[5],
            "Column 1 makes two threats at once for x, at a2 and a3, one above the other: o can \
             block only one."
        );
        assert_eq!(
            told[11],
            "x's threat at a3, on an odd row, decides: the other 12 free cells are filled in \
             pairs, and then o must play a2 below it."
        );
    }
}

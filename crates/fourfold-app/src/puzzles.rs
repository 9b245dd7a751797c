//! The puzzles that come with Fourfold: the puzzle of a day, one by number, or one that suits a
//! player. Parameters in, JSON out, without any search.

use crate::shapes::{labels, position_json};
use fourfold::game::notation::Entry;
use fourfold::game::{Move, Position, Rules};
use fourfold::play::{Collection, RatedPuzzle, Section, Theme};
use fourfold::random::Random;
use serde_json::{Value, json};
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// The games that puzzles are made for, with how many of each. The command that makes them is in
/// `docs/puzzles.md`.
pub const SHIPPED: [(&str, u32); 6] = [
    ("7x6c4", 3000),
    ("7x6s2", 60),
    ("6x5c4", 200),
    ("5x4c4", 200),
    ("5x5c4f", 40),
    ("3x3c3f", 20),
];

/// The name of the file that the puzzles are in.
pub const FILE: &str = "shipped.puzzles";

/// The puzzles, as the command wrote them, if this build has them inside.
#[cfg(feature = "tables")]
pub const INSIDE: Option<&[u8]> = Some(include_bytes!("../puzzles/shipped.puzzles"));
/// Not in this build.
#[cfg(not(feature = "tables"))]
pub const INSIDE: Option<&[u8]> = None;

static SUPPLIER: OnceLock<fn() -> Vec<u8>> = OnceLock::new();

/// Names who brings the puzzles if this build leaves them out, when they are first asked for. False
/// if somebody was named before.
pub fn supply_with(supplier: fn() -> Vec<u8>) -> bool {
    SUPPLIER.set(supplier).is_ok()
}

/// The puzzles that come with Fourfold.
pub fn shipped() -> &'static Collection {
    static COLLECTION: OnceLock<Collection> = OnceLock::new();
    let read = |bytes: &[u8]| Collection::read(bytes).unwrap_or_default();
    COLLECTION.get_or_init(|| match (INSIDE, SUPPLIER.get()) {
        // A test reads them, so they are whole.
        (Some(bytes), _) => read(bytes),
        (None, Some(supply)) => read(&supply()),
        (None, None) => Collection::default(),
    })
}

/// A day, in UTC; the first is 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(u32);

/// Why something is not a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a day is written like 2026-11-16, from 1970 to 9999; {text:?} is not")]
pub struct DayError {
    /// As given.
    pub text: String,
}

impl Day {
    /// The day that many seconds after the beginning of 1970.
    pub fn of_seconds(seconds: u64) -> Self {
        Self(u32::try_from(seconds / 86_400).unwrap_or(u32::MAX))
    }

    /// Days in a month of a year.
    fn days_in(year: u32, month: u32) -> u32 {
        match month {
            2 if year.is_multiple_of(4)
                && (!year.is_multiple_of(100) || year.is_multiple_of(400)) =>
            {
                29
            }
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    fn days_of(year: u32) -> u32 {
        (1..=12).map(|month| Self::days_in(year, month)).sum()
    }

    /// 0 for a Monday to 6 for a Sunday.
    fn weekday(self) -> usize {
        // The first day was a Thursday.
        (self.0 as usize + 3) % 7
    }
}

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Self, DayError> {
        let wrong = || DayError { text: text.chars().take(40).collect() };
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else { return Err(wrong()) };
        let number = |text: &str, digits| {
            let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u32>().ok().filter(|_| plain).ok_or_else(wrong)
        };
        let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
        if year < 1970
            || !(1..=12).contains(&month)
            || !(1..=Self::days_in(year, month)).contains(&day)
        {
            return Err(wrong());
        }
        let years: u32 = (1970..year).map(Self::days_of).sum();
        let months: u32 = (1..month).map(|month| Self::days_in(year, month)).sum();
        Ok(Self(years + months + day - 1))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut left, mut year, mut month) = (self.0, 1970, 1);
        while left >= Self::days_of(year) {
            left -= Self::days_of(year);
            year += 1;
        }
        while left >= Self::days_in(year, month) {
            left -= Self::days_in(year, month);
            month += 1;
        }
        write!(f, "{year:04}-{month:02}-{:02}", left + 1)
    }
}

/// Which puzzle is asked for: one by number, that of a day, or else one that suits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PuzzleQuery {
    /// The game; Connect Four if none is named.
    pub game: Option<Rules>,
    /// From 1; the puzzles of a game go from the easiest to the hardest.
    pub number: Option<u64>,
    /// The puzzle of this day.
    pub day: Option<Day>,
    /// Only puzzles about this.
    pub theme: Option<Theme>,
    /// Puzzles of about this difficulty.
    pub rating: Option<u64>,
    /// Which of them.
    pub seed: Option<u64>,
}

/// Why there is no such puzzle, and which part of the query is to blame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPuzzle {
    /// None of that game.
    #[error("there are no puzzles of {game}; there are some of {}", games().join(", "))]
    Game {
        /// The game.
        game: Rules,
    },
    /// No such number.
    #[error("there is no puzzle {number} of {game}: they are numbered from 1 to {count}")]
    Number {
        /// As given.
        number: u64,
        /// The game.
        game: Rules,
        /// How many there are.
        count: usize,
    },
    /// None of that theme.
    #[error("there is no puzzle of {game} about {theme}")]
    Theme {
        /// The theme.
        theme: Theme,
        /// The game.
        game: Rules,
    },
}

impl NoPuzzle {
    /// The part of the query that is to blame: `game`, `number` or `theme`.
    pub fn place(&self) -> &'static str {
        match self {
            Self::Game { .. } => "game",
            Self::Number { .. } => "number",
            Self::Theme { .. } => "theme",
        }
    }
}

fn games() -> Vec<String> {
    shipped().sections.iter().map(|section| section.rules.to_string()).collect()
}

fn section(game: Option<Rules>) -> Result<&'static Section, NoPuzzle> {
    let game = game.unwrap_or(Rules::CONNECT_FOUR);
    let found = shipped().section(&game).filter(|section| !section.puzzles.is_empty());
    found.ok_or(NoPuzzle::Game { game })
}

/// Of puzzles that suit, one of the so many nearest in difficulty is taken.
const NEAREST: usize = 24;

/// The puzzle that is asked for, and its number.
///
/// # Errors
/// If there is none.
pub fn find(query: &PuzzleQuery) -> Result<(usize, &'static RatedPuzzle), NoPuzzle> {
    let section = section(query.game)?;
    let (puzzles, game) = (&section.puzzles, section.rules);
    if let Some(number) = query.number {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let found = index.and_then(|index| Some((index + 1, puzzles.get(index)?)));
        return found.ok_or(NoPuzzle::Number { number, game, count: puzzles.len() });
    }
    if let Some(day) = query.day {
        let index = of_day(puzzles.len(), day);
        return Ok((index + 1, &puzzles[index]));
    }
    let suits =
        |puzzle: &RatedPuzzle| query.theme.is_none_or(|theme| puzzle.themes().contains(&theme));
    let mut suiting: Vec<(usize, &RatedPuzzle)> =
        (1..).zip(puzzles).filter(|(_, puzzle)| suits(puzzle)).collect();
    if let Some(rating) = query.rating {
        suiting
            .sort_by_key(|(number, puzzle)| (u64::from(puzzle.rating).abs_diff(rating), *number));
        suiting.truncate(NEAREST);
    }
    let picked = Random::new(query.seed.unwrap_or(0)).pick(&suiting).copied();
    picked.ok_or_else(|| NoPuzzle::Theme { theme: query.theme.unwrap_or(Theme::Win2), game })
}

/// The seed of the order in which puzzles become that of a day.
const DAILY_SEED: u64 = 2026;

/// Which of so many puzzles, from the easiest to the hardest, is that of a day: easy ones on
/// Mondays, hard ones on Sundays, and none twice before all of its weekday have had their turn.
fn of_day(count: usize, day: Day) -> usize {
    let weekday = day.weekday();
    let (first, end) = (count * weekday / 7, (count * (weekday + 1) / 7).max(1));
    let mut order: Vec<usize> = (first.min(end - 1)..end).collect();
    let weeks = (day.0 as usize + 3) / 7;
    let mut random = Random::for_item(DAILY_SEED, weekday as u64);
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    order[weeks % order.len()]
}

/// A puzzle as JSON: the position, the moves asked for, best play, why it works.
///
/// # Errors
/// If there is no such puzzle.
pub fn puzzle_json(query: &PuzzleQuery) -> Result<Value, NoPuzzle> {
    let (number, puzzle) = find(query)?;
    let RatedPuzzle { moves, position, course, rating, .. } = puzzle;
    let rules = position.rules();
    let mut entry = Entry::of(*position);
    entry.moves = Some(moves.clone());
    let mut json = json!({
        "number": number,
        "count": section(query.game)?.puzzles.len(),
        "position": position_json(&entry),
        "themes": puzzle.themes().iter().map(|theme| theme.name()).collect::<Vec<_>>(),
        "rating": rating,
        "asked": course.asked,
        "line": labels(rules, &course.line),
        "wins_in": puzzle.wins_in(),
        "why": why_json(position, &course.line),
    });
    if let Some(day) = query.day {
        json["day"] = day.to_string().into();
    }
    Ok(json)
}

/// How a line is decided, as facts: two cells at once, one above the other, zugzwang, or a draw.
fn why_json(position: &Position, line: &[Move]) -> Value {
    let rules = position.rules();
    let name = |mv: Move| mv.cell(rules).to_string();
    let after = |moves: &[Move]| moves.iter().fold(*position, |at, &mv| at.play_unchecked(mv));
    let [before @ .., answer, last] = line else { return json!({ "kind": "draw" }) };
    if after(line).outcome() == fourfold::game::Outcome::Drawn {
        return json!({ "kind": "draw" });
    }
    let threats: Vec<String> = after(before).threatened_moves().into_iter().map(name).collect();
    match threats.len() {
        0 => json!({ "kind": "zugzwang", "cells": [name(*last)], "under": name(*answer) }),
        1 => json!({ "kind": "stacked", "cells": [&threats[0], &name(*last)] }),
        _ => json!({ "kind": "threats", "cells": threats }),
    }
}

/// Every puzzle of a game in brief, from the easiest to the hardest: ratings, and the letters of
/// their themes (`2`, `3`, `4`, `o`, `d`; `z` after it for zugzwang).
///
/// # Errors
/// If there are none of that game.
pub fn index_json(game: Option<Rules>) -> Result<Value, NoPuzzle> {
    let section = section(game)?;
    let letters =
        |puzzle: &RatedPuzzle| -> String { puzzle.themes().into_iter().map(letter).collect() };
    let games: Vec<Value> = shipped()
        .sections
        .iter()
        .map(|section| {
            let (game, count) = (section.rules, section.puzzles.len());
            json!({ "game": game, "title": game.title(), "count": count })
        })
        .collect();
    Ok(json!({
        "game": section.rules,
        "games": games,
        "ratings": section.puzzles.iter().map(|puzzle| puzzle.rating).collect::<Vec<_>>(),
        "themes": section.puzzles.iter().map(letters).collect::<Vec<_>>().join(" "),
    }))
}

fn letter(theme: Theme) -> char {
    match theme {
        Theme::Win2 => '2',
        Theme::Win3 => '3',
        Theme::Win4 => '4',
        Theme::OnlyMove => 'o',
        Theme::Defend => 'd',
        Theme::Zugzwang => 'z',
    }
}

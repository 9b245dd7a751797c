//! Positions with a label, as published test and data sets have them: UCI rows and Pons' test
//! lines.

use super::cells;
use super::columns::{self, Naming};
use super::error::excerpt;
use super::{Class, Discs, Entry, Format, NotationError};
use crate::game::{Cell, Move, Rules, Side};

/// Reads a row of the UCI data set: every cell, column by column from the bottom, then perhaps the
/// class.
pub(super) fn read_uci(text: &str, rules: &Rules) -> Result<Entry, NotationError> {
    let format = Format::Uci;
    let wrong = |place: String, problem: String| NotationError::Content { format, place, problem };
    let fields: Vec<&str> = text.trim().split(',').map(str::trim).collect();
    let cells = rules.cells() as usize;
    if fields.len() != cells && fields.len() != cells + 1 {
        let problem = format!(
            "there are {}, but {rules} has {cells} cells (then comes the class)",
            fields.len()
        );
        return Err(wrong("fields".to_owned(), problem));
    }
    let mut discs = Discs::new(*rules);
    for (index, field) in fields[..cells].iter().enumerate() {
        let height = rules.height() as usize;
        let cell = Cell { column: (index / height) as u8, row: (index % height) as u8 };
        match *field {
            "x" => discs.add(cell, Side::First),
            "o" => discs.add(cell, Side::Second),
            "b" => {}
            other => return Err(wrong(format!("field {}, {cell}", index + 1), bad_cell(other))),
        }
    }
    let class = match fields.get(cells) {
        None => None,
        Some(name) => Some(Class::of_name(name).ok_or_else(|| {
            wrong("class".to_owned(), format!("{:?} is neither win, loss nor draw", excerpt(name)))
        })?),
    };
    Ok(Entry { class, ..Entry::of(discs.position()?) })
}

fn bad_cell(text: &str) -> String {
    format!("{:?} is neither b (blank), x nor o", excerpt(text))
}

/// Writes a row, with the class if it is known.
pub(super) fn write_uci(entry: &Entry) -> String {
    let rules = entry.position.rules();
    let mut fields = Vec::new();
    for column in 0..rules.width() as u8 {
        for row in 0..rules.height() as u8 {
            let cell = Cell { column, row };
            fields.push(match entry.position.at(cell) {
                None => "b",
                Some(Side::First) => "x",
                Some(Side::Second) => "o",
            });
        }
    }
    fields.extend(entry.first_players_class().map(Class::name));
    fields.join(",")
}

/// What Pons' solver prints for a column that cannot be played.
const UNPLAYABLE: i64 = -1000;

/// Reads moves, then the score of the position or one score a column (without gravity, a cell). A
/// text that begins with a space has no moves.
pub(super) fn read_pons(text: &str, rules: &Rules) -> Result<Entry, NotationError> {
    let format = Format::Pons;
    let (moves, labels) = split_pons(text, rules);
    let (position, moves) = if rules.gravity() {
        columns::read(moves, Naming::FromOne, rules)?
    } else {
        cells::read(moves, rules)?
    };
    let mut entry = Entry { moves: Some(moves), ..Entry::of(position) };
    let labels: Vec<&str> = labels.split_whitespace().collect();
    let slots = rules.most_moves() as usize;
    if labels.len() != 1 && labels.len() != slots {
        let place = "after the moves".to_owned();
        let problem = format!("there are {} scores, not 1 or {slots}", labels.len());
        return Err(NotationError::Content { format, place, problem });
    }
    let mut scores = Vec::with_capacity(labels.len());
    for (index, label) in labels.iter().enumerate() {
        if labels.len() > 1 && label.parse() == Ok(UNPLAYABLE) {
            scores.push(None);
        } else {
            scores.push(Some(read_score(format, &format!("score {}", index + 1), label, rules)?));
        }
    }
    match scores[..] {
        [score] => entry.score = score,
        _ => {
            entry.scores = Some(scores);
            entry.check_scores(format)?;
        }
    }
    Ok(entry)
}

/// The moves of such a line and its scores. Moves without gravity are cells with spaces between
/// them, and no cell begins like a number.
pub(super) fn split_pons<'a>(text: &'a str, rules: &Rules) -> (&'a str, &'a str) {
    if rules.gravity() {
        return text.split_once(char::is_whitespace).unwrap_or((text, ""));
    }
    let mut before = '.';
    let scores = text.char_indices().find(|&(_, c)| {
        let begins = before.is_whitespace() && (c == '-' || c.is_ascii_digit());
        before = c;
        begins
    });
    text.split_at(scores.map_or(text.len(), |(at, _)| at))
}

/// Writes the moves and the score.
pub(super) fn write_pons(entry: &Entry, moves: &[Move]) -> Result<String, NotationError> {
    let score = entry.best_score().ok_or(NotationError::NoScore { format: Format::Pons })?;
    Ok(format!("{} {score}", super::moves_text(entry.position.rules(), moves)))
}

/// A score as text: a number no larger than the board, either side of 0.
pub(super) fn read_score(
    format: Format,
    place: &str,
    text: &str,
    rules: &Rules,
) -> Result<i32, NotationError> {
    let number = text.parse::<i64>().ok();
    number.and_then(|number| score_in_range(number, rules)).ok_or_else(|| {
        let most = rules.cells();
        let problem =
            format!("{:?} is not a score, a whole number from -{most} to {most}", excerpt(text));
        NotationError::Content { format, place: place.to_owned(), problem }
    })
}

/// The score, if some position of the game could have it.
pub(super) fn score_in_range(number: i64, rules: &Rules) -> Option<i32> {
    let most = i64::from(rules.cells());
    (-most..=most).contains(&number).then_some(number as i32)
}

impl Class {
    /// The class of a name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        [Self::Win, Self::Loss, Self::Draw].into_iter().find(|class| class.name() == name)
    }
}

impl Entry {
    /// The class, if given, or what the score says.
    fn first_players_class(&self) -> Option<Class> {
        self.class.or_else(|| {
            let own = self.best_score()?;
            let first = if self.position.to_move() == Side::First { own } else { -own };
            Some(match first {
                1.. => Class::Win,
                0 => Class::Draw,
                _ => Class::Loss,
            })
        })
    }

    /// The score of the position: as given, or the best of its moves if all of them are known.
    #[must_use]
    pub fn best_score(&self) -> Option<i32> {
        self.score.or_else(|| {
            let scores = self.scores.as_ref()?;
            let legal = self.position.legal_moves();
            let known: Option<Vec<i32>> = legal
                .iter()
                .map(|&mv| scores.get(super::slot(self.position.rules(), mv)).copied().flatten())
                .collect();
            known?.into_iter().max()
        })
    }

    /// What is wrong with the scores, if anything: they must be possible, and those of the moves
    /// one for every slot, and none where no move can be made.
    pub(super) fn score_problem(&self) -> Option<String> {
        let rules = self.position.rules();
        let all = self.score.into_iter().chain(self.scores.iter().flatten().copied().flatten());
        for score in all {
            if score_in_range(i64::from(score), rules).is_none() {
                return Some(format!("no position of {rules} has a score of {score}"));
            }
        }
        let scores = self.scores.as_ref()?;
        let slots = rules.most_moves() as usize;
        if scores.len() != slots {
            return Some(format!("there are {}, not {slots}", scores.len()));
        }
        let mut open = vec![false; slots];
        for mv in self.position.legal_moves() {
            open[super::slot(rules, mv)] = true;
        }
        let wrong = scores.iter().zip(open).position(|(score, open)| score.is_some() && !open)?;
        Some(format!("score {} is for a move that cannot be made", wrong + 1))
    }

    /// The same as an error of reading.
    pub(super) fn check_scores(&self, format: Format) -> Result<(), NotationError> {
        let place = "scores".to_owned();
        self.score_problem()
            .map_or(Ok(()), |problem| Err(NotationError::Content { format, place, problem }))
    }
}

//! Points: what the parts of an exercise are worth, and what is left of them for a mistake.
//!
//! ```toml
//! [points]                 # what each part is worth; a part that is not named is worth nothing
//! minimax-trees = 40
//! alphabeta-trees = 60
//!
//! [credit]                 # what is left of a part's points, from 0 to 1
//! wasteful = 0.8           # values and moves right, too many leaves
//! wrong-moves = 0.7        # values right, moves not
//! wrong = 0.5              # at most: times the share of questions answered rightly
//!
//! [faults]                 # what is left for a mistake by name, before anything else
//! ties-last = 0.95
//! ```

use crate::fault::Fault;
use crate::grade::{Grade, PartGrade, Standing};
use crate::part::Part;
use crate::player::PlayerFault;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What a program is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Rubric {
    points: Vec<(Part, f64)>,
    wasteful: f64,
    wrong_moves: f64,
    wrong: f64,
    faults: Vec<(&'static str, f64)>,
}

impl Default for Rubric {
    /// A hundred points for the searches, and for a whole player.
    fn default() -> Self {
        let points = Part::all().map(|part| (part, part.usual_points())).collect();
        Self { points, wasteful: 0.8, wrong_moves: 0.7, wrong: 0.5, faults: Vec::new() }
    }
}

/// What is wrong with a rubric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct RubricError {
    /// The line, from 1.
    pub line: usize,
    /// In words.
    pub problem: String,
}

impl Rubric {
    /// Reads a rubric in TOML. What it does not mention stays as it is by default, but points: if
    /// any part has some, the others have none.
    ///
    /// # Errors
    /// If it is not TOML, or a key or value makes no sense.
    pub fn read(text: &str) -> Result<Self, RubricError> {
        let line_of = |at: usize| {
            text.as_bytes()[..at.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
        };
        let error = |at: usize, problem: String| RubricError { line: line_of(at), problem };
        let table = DeTable::parse(text).map_err(|why| {
            error(why.span().map_or(0, |span| span.start), why.message().to_owned())
        })?;
        let mut rubric = Self::default();
        for (name, value) in table.get_ref() {
            let at = name.span().start;
            let DeValue::Table(keys) = value.get_ref() else {
                return Err(error(at, format!("there is no key {:?} here", name.get_ref())));
            };
            if name.get_ref() == "points" {
                rubric.points.clear();
            }
            for (key, value) in keys {
                let at = key.span().start;
                let key = key.get_ref().as_ref();
                let most = if name.get_ref() == "points" { 1e6 } else { 1.0 };
                let number = number(value).filter(|number| (0.0..=most).contains(number));
                let number = number
                    .ok_or_else(|| error(at, format!("{key} must be a number from 0 to {most}")))?;
                rubric.set(name.get_ref(), key, number).map_err(|problem| error(at, problem))?;
            }
        }
        Ok(rubric)
    }

    fn set(&mut self, table: &str, key: &str, number: f64) -> Result<(), String> {
        let unknown = |what: &str, all: Vec<&str>| {
            let nearest = fourfold::search::nearest(key, all.iter().copied());
            let hint = nearest.map_or_else(String::new, |near| format!("; {near}"));
            format!("there is no {what} {key:?}{hint}")
        };
        match table {
            "points" => {
                let part = Part::named(key)
                    .ok_or_else(|| unknown("part", Part::all().map(Part::id).collect()))?;
                self.points.push((part, number));
            }
            "credit" => match key {
                "wasteful" => self.wasteful = number,
                "wrong-moves" => self.wrong_moves = number,
                "wrong" => self.wrong = number,
                _ => return Err(unknown("credit", vec!["wasteful", "wrong-moves", "wrong"])),
            },
            "faults" => {
                let searches = Fault::ALL.iter().map(|fault| fault.id());
                let players = PlayerFault::ALL.iter().map(|fault| fault.id());
                let known: Vec<&'static str> = searches.chain(players).collect();
                let fault = known.iter().find(|id| **id == key);
                let fault = fault.ok_or_else(|| unknown("mistake", known.clone()))?;
                self.faults.push((fault, number));
            }
            _ => return Err(format!("there is no table {table:?}")),
        }
        Ok(())
    }

    /// The parts that are worth something.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let worth = |part: &Part| self.worth(part.id()) > 0.0;
        Part::all().filter(worth).collect()
    }

    /// What a part is worth.
    #[must_use]
    pub fn worth(&self, part: &str) -> f64 {
        let found = self.points.iter().find(|(of, _)| of.id() == part);
        found.map_or(0.0, |(_, points)| *points)
    }

    /// The points of a part.
    #[must_use]
    pub fn points(&self, part: &PartGrade) -> f64 {
        let worth = self.worth(&part.part);
        let forgiven = part.faults.iter().map(|fault| {
            self.faults.iter().find(|(other, _)| other == fault).map(|(_, share)| *share)
        });
        // Only if all that is named is forgiven.
        let forgiven = forgiven.collect::<Option<Vec<f64>>>().filter(|all| !all.is_empty());
        let share_right = part.right as f64 / part.asked.max(1) as f64;
        let share = match (part.standing, forgiven) {
            (Standing::Right, _) => 1.0,
            (Standing::NotDone | Standing::Unanswered, _) => 0.0,
            (Standing::Wasteful | Standing::WrongMoves | Standing::Wrong, Some(all)) => {
                all.into_iter().product()
            }
            (Standing::Wasteful, None) => self.wasteful,
            (Standing::WrongMoves, None) => self.wrong_moves,
            (Standing::Wrong | Standing::Broken, _) => self.wrong * share_right,
        };
        (worth * share * 100.0).round() / 100.0
    }

    /// The points of a program, and the most there are.
    #[must_use]
    pub fn total(&self, grade: &Grade) -> (f64, f64) {
        let points = grade.parts.iter().map(|part| self.points(part)).sum();
        (points, grade.parts.iter().map(|part| self.worth(&part.part)).sum())
    }
}

fn number(value: &Spanned<DeValue<'_>>) -> Option<f64> {
    match value.get_ref() {
        DeValue::Integer(integer) => integer.as_str().parse().ok(),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Rubric;
    use crate::{Part, SearchPart};

    #[test]
    fn a_rubric_is_read_and_nonsense_is_refused() {
        let text = "[points]\nalphabeta-trees = 60\n[credit]\nwasteful = 0.9\n[faults]\n\
                    ties-last = 0.95\n";
        let rubric = Rubric::read(text).unwrap();
        assert_eq!(rubric.parts(), [Part::Search(SearchPart::AlphaBetaTrees)]);
        assert_eq!((rubric.wasteful, rubric.wrong), (0.9, 0.5));
        assert_eq!(rubric.faults, [("ties-last", 0.95)]);
        assert_eq!(Rubric::read("").unwrap(), Rubric::default());
        for (text, line, problem) in [
            ("points = 3", 1, "there is no key \"points\" here"),
            ("[points]\nminimax-tree = 3", 2, "did you mean minimax-trees?"),
            ("[credit]\nwrong = 2", 2, "wrong must be a number from 0 to 1"),
            ("[faults]\nwins-unseen = 0.5\nties = 1", 3, "there is no mistake \"ties\""),
            ("[grades]\na = 1", 2, "there is no table \"grades\""),
            ("[points", 1, ""),
        ] {
            let why = Rubric::read(text).unwrap_err();
            assert!(why.line == line && why.problem.contains(problem), "{text}: {why}");
        }
    }
}

//! The contract with a student's program: one question a line, one answer a line, in JSON.
//!
//! All values are MAX's. In a position MAX is the side to move at the root; a won game with `n`
//! discs on the board is worth `1000 - n`, a lost one `n - 1000`, a drawn one 0, and a position at
//! the horizon the cell weights under MAX's discs less those under MIN's.

use fourfold::search::Turn;
use fourfold_app::trees::turn_word;
use serde_json::{Map, Value, json};
use std::fmt;

/// What a win is worth before the discs on the board are taken off.
pub const WIN: i64 = 1000;

/// Answers beyond this are somebody's idea of infinity, whatever it is.
pub const BOUNDLESS: i64 = 2000;

/// The two searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Algorithm {
    /// Visits every leaf.
    Minimax,
    /// Skips what cannot matter.
    AlphaBeta,
}

impl Algorithm {
    /// As in a question.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alphabeta",
        }
    }
}

/// As in a sentence.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alpha-beta",
        })
    }
}

/// A tree of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// A leaf with its value.
    Leaf(i64),
    /// A node with its children, at least one.
    Inner(Vec<Node>),
}

impl Node {
    /// Leaves of the tree.
    #[must_use]
    pub fn leaves(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::Inner(children) => children.iter().map(Self::leaves).sum(),
        }
    }

    /// The nested lists of a question.
    #[must_use]
    pub fn json(&self) -> Value {
        match self {
            Self::Leaf(value) => (*value).into(),
            Self::Inner(children) => children.iter().map(Self::json).collect(),
        }
    }
}

/// As `fourfold tree` and the microscope read it: `((3 5) (2 9))`.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(value) => write!(f, "{value}"),
            Self::Inner(children) => {
                f.write_str("(")?;
                for (index, child) in children.iter().enumerate() {
                    let gap = if index == 0 { "" } else { " " };
                    write!(f, "{gap}{child}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// A player's disc.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disc {
    /// The first player's.
    X,
    /// The second player's.
    O,
}

impl Disc {
    /// The other player's.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }

    /// `x` or `o`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::O => 'o',
        }
    }
}

/// A position of a game of lines, and how far to look ahead.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Discs in a line that win.
    pub line: usize,
    /// Whether discs fall to the lowest free cell of a column.
    pub gravity: bool,
    /// Row by row from the top.
    pub cells: Vec<Option<Disc>>,
    /// Who moves, and is MAX.
    pub to_move: Disc,
    /// What a disc on each cell counts at the horizon.
    pub weights: Vec<i64>,
    /// Plies to look ahead.
    pub depth: u32,
}

impl Board {
    /// The rows from the top, as in a question.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        let letter = |cell: &Option<Disc>| cell.map_or('.', Disc::letter);
        self.cells.chunks(self.width).map(|row| row.iter().map(letter).collect()).collect()
    }

    /// A move in words: a column with gravity, else a cell, both from 0.
    #[must_use]
    pub fn move_name(&self, mv: i64) -> String {
        if self.gravity {
            format!("column {mv}")
        } else {
            let width = self.width as i64;
            format!("cell {mv} (row {}, column {})", mv.div_euclid(width), mv.rem_euclid(width))
        }
    }

    /// The game, as Fourfold names it.
    #[must_use]
    pub fn game(&self) -> String {
        let free = if self.gravity { "" } else { "f" };
        format!("{}x{}c{}{free}", self.width, self.height, self.line)
    }
}

/// What is to be searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// A tree of numbers, and who moves at its root.
    Tree {
        /// Who moves at the root.
        root: Turn,
        /// The tree.
        tree: Node,
    },
    /// A position.
    Position(Board),
}

/// A question: what is to be searched, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// How to search.
    pub algorithm: Algorithm,
    /// What.
    pub problem: Problem,
}

impl Input {
    /// The line that is written to the program.
    #[must_use]
    pub fn line(&self, id: u64) -> String {
        let mut fields = Map::new();
        fields.insert("id".to_owned(), id.into());
        fields.insert("algorithm".to_owned(), self.algorithm.name().into());
        match &self.problem {
            Problem::Tree { root, tree } => {
                fields.insert("root".to_owned(), turn_word(*root).into());
                fields.insert("tree".to_owned(), tree.json());
            }
            Problem::Position(board) => {
                let Board { width, height, line, gravity, .. } = board;
                let game =
                    json!({"width": width, "height": height, "line": line, "gravity": gravity});
                let weights: Vec<Value> =
                    board.weights.chunks(board.width).map(|row| row.to_vec().into()).collect();
                fields.insert("depth".to_owned(), board.depth.into());
                fields.insert("game".to_owned(), game);
                fields.insert("board".to_owned(), board.rows().into());
                fields.insert("to_move".to_owned(), board.to_move.letter().to_string().into());
                fields.insert("weights".to_owned(), weights.into());
            }
        }
        Value::Object(fields).to_string()
    }

    /// A move in words.
    #[must_use]
    pub fn move_name(&self, mv: i64) -> String {
        match &self.problem {
            Problem::Tree { .. } => format!("child {mv}"),
            Problem::Position(board) => board.move_name(mv),
        }
    }
}

/// What a program answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Answer {
    /// MAX's value of the root.
    pub value: Option<i64>,
    /// The index of the best child, column or cell, from 0.
    pub mv: Option<i64>,
    /// The leaves in the order visited.
    pub leaves: Option<Vec<i64>>,
    /// How many leaves were visited.
    pub visited: Option<u64>,
}

/// A line that is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// Not a JSON object.
    #[error("it is not a JSON object")]
    NotAnObject,
    /// The program does not do this kind of question, and says so.
    #[error("the program does not do this")]
    Unsupported,
    /// The program failed, and says how.
    #[error("the program reports an error: {0}")]
    Reported(String),
    /// An answer to another question.
    #[error("it answers question {0}, which was not asked")]
    OtherQuestion(i64),
    /// A field of the wrong kind.
    #[error("{field:?} should be {wanted}")]
    Field {
        /// Its name.
        field: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
    /// Neither value nor move.
    #[error("it has neither a value nor a move")]
    Empty,
}

/// A whole number, or somebody's infinity.
fn whole(value: &Value) -> Option<i64> {
    let number = value.as_i64().or_else(|| {
        let number = value.as_f64()?;
        (number.fract() == 0.0 || number.is_infinite()).then_some(number as i64)
    })?;
    Some(if number.abs() > BOUNDLESS { number.signum() * (BOUNDLESS + 1) } else { number })
}

impl Answer {
    /// Reads a line; `id` is the question's.
    ///
    /// # Errors
    /// If it is not an answer to this question.
    pub fn read(line: &str, id: u64) -> Result<Self, AnswerError> {
        let Ok(Value::Object(fields)) = serde_json::from_str(line) else {
            return Err(AnswerError::NotAnObject);
        };
        let field = |name: &str| fields.get(name).filter(|value| !value.is_null());
        if let Some(other) = field("id").and_then(Value::as_i64).filter(|&other| other != id as i64)
        {
            return Err(AnswerError::OtherQuestion(other));
        }
        if field("unsupported").is_some_and(|value| *value == Value::Bool(true)) {
            return Err(AnswerError::Unsupported);
        }
        if let Some(error) = field("error") {
            let text = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
            return Err(AnswerError::Reported(fourfold_app::text::excerpt(&text)));
        }
        let number = |name: &'static str| {
            let wrong = AnswerError::Field { field: name, wanted: "a whole number" };
            field(name).map(|value| whole(value).ok_or(wrong)).transpose()
        };
        let list = || {
            let wrong = AnswerError::Field { field: "leaves", wanted: "a list of whole numbers" };
            let read =
                |value: &Value| value.as_array()?.iter().map(whole).collect::<Option<Vec<i64>>>();
            field("leaves").map(|value| read(value).ok_or(wrong)).transpose()
        };
        let answer = Self {
            value: number("value")?,
            mv: number("move")?,
            leaves: list()?,
            visited: number("visited")?.map(|count| count.max(0) as u64),
        };
        if answer.value.is_none() && answer.mv.is_none() {
            return Err(AnswerError::Empty);
        }
        Ok(answer)
    }

    /// The leaves visited, however they were reported.
    #[must_use]
    pub fn leaf_count(&self) -> Option<u64> {
        self.leaves.as_ref().map(|leaves| leaves.len() as u64).or(self.visited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_lines_of_json() {
        let tree = Node::Inner(vec![
            Node::Inner(vec![Node::Leaf(3), Node::Inner(vec![Node::Leaf(1), Node::Leaf(2)])]),
            Node::Leaf(5),
        ]);
        assert_eq!((tree.to_string().as_str(), tree.leaves()), ("((3 (1 2)) 5)", 4));
        let problem = Problem::Tree { root: Turn::Max, tree };
        let line = Input { algorithm: Algorithm::Minimax, problem }.line(1);
        let expected = r#"{"id":1,"algorithm":"minimax","root":"max","tree":[[3,[1,2]],5]}"#;
        let [line, expected] =
            [&*line, expected].map(|text| serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(line, expected);
    }

    #[test]
    fn answers_are_read_and_nonsense_is_refused() {
        let read = |line| Answer::read(line, 7);
        let answer = read(r#"{"id":7,"value":5.0,"move":0,"leaves":[3,5],"more":1}"#).unwrap();
        assert_eq!((answer.value, answer.mv, answer.leaf_count()), (Some(5), Some(0), Some(2)));
        assert_eq!(read(r#"{"value":1e300,"move":null}"#).unwrap().value, Some(BOUNDLESS + 1));
        assert_eq!(read("5"), Err(AnswerError::NotAnObject));
        assert_eq!(read(r#"{"id":6,"value":1}"#), Err(AnswerError::OtherQuestion(6)));
        assert_eq!(read(r#"{"unsupported":true}"#), Err(AnswerError::Unsupported));
        assert_eq!(read("{}"), Err(AnswerError::Empty));
        for line in [r#"{"value":1.5}"#, r#"{"value":"1"}"#, r#"{"value":1,"leaves":[true]}"#] {
            assert!(matches!(read(line), Err(AnswerError::Field { .. })), "{line}");
        }
    }
}

//! Static evaluation: what a position seems to be worth without looking ahead.
//!
//! An evaluator sees the discs of MAX and of MIN and returns an integer, positive if it prefers
//! MAX. For the other side's view, swap the two sets. It is called only on games that are not over,
//! and its values stay within [`crate::score::LARGEST_ESTIMATE`]. Builds on `game`; knows nothing
//! of search.
//!
//! Six evaluators are built in and compiled into the searches ([`Evaluator`] picks one by name).
//! A [`CustomEvaluator`] is the user's own.

mod cpu;
mod custom;
mod open_lines;
mod square;
mod windows;
mod windows_literal;

pub use custom::CustomEvaluator;
pub use open_lines::OpenLines;
pub use square::{Square, SquareForm};
pub use windows::{Weights, Windows};
pub use windows_literal::WindowsLiteral;

use crate::game::{Board, Geometry, Position, Rules, Shape, Side, Word};
use custom::Adapter;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A static evaluation, compiled into the search that uses it.
pub trait Evaluate<W: Word>: Clone {
    /// What the position is worth to the owner of `max`.
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32;

    /// True if a position and its images under the game's symmetries are worth the same.
    fn is_symmetric(&self) -> bool {
        true
    }
}

/// Knows nothing: every unfinished position is worth 0, so only ends of games count (UMBC's
/// "Easy").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal;

impl<W: Word> Evaluate<W> for Terminal {
    #[inline(always)]
    fn evaluate(&self, _: &Geometry<W>, _: W, _: W) -> i32 {
        0
    }
}

/// Work that is compiled once for each evaluator: a closure, if closures could be generic.
pub(crate) trait EvaluatorTask<W: Word> {
    /// Its result.
    type Output;

    /// Does the work with this evaluator.
    fn run<E: Evaluate<W>>(self, evaluator: E) -> Self::Output;
}

/// One position, evaluated.
struct Once<'a, W> {
    geometry: &'a Geometry<W>,
    max: W,
    min: W,
}

impl<W: Word> EvaluatorTask<W> for Once<'_, W> {
    type Output = i32;

    fn run<E: Evaluate<W>>(self, evaluator: E) -> i32 {
        evaluator.evaluate(self.geometry, self.max, self.min)
    }
}

/// An evaluator as a value: chosen by name at run time.
///
/// ```
/// use fourfold::eval::Evaluator;
/// use fourfold::game::{Position, Rules, Side};
///
/// let evaluator: Evaluator = "open-lines".parse()?;
/// let empty = Position::new(Rules::TIC_TAC_TOE);
/// let centre = empty.legal_moves()[4];
/// let position = empty.play(centre).unwrap();
/// // Eight lines are open to the first player; four of them are closed to the second.
/// assert_eq!(evaluator.evaluate(&position, Side::First)?, 4);
/// assert_eq!(evaluator.evaluate(&position, Side::Second)?, -4);
/// # Ok::<(), fourfold::eval::EvaluatorError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evaluator {
    /// See [`Terminal`].
    Terminal,
    /// See [`Windows`].
    Windows(Windows),
    /// See [`WindowsLiteral`].
    WindowsLiteral(WindowsLiteral),
    /// See [`Square`].
    Square(Square),
    /// See [`OpenLines`].
    OpenLines,
    /// The user's own; see [`Evaluator::custom`].
    Custom(Arc<dyn CustomEvaluator>),
}

/// Why an evaluator cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// No evaluator has this name.
    #[error("there is no evaluator {name:?}; there are {}", names())]
    Unknown {
        /// As given.
        name: String,
    },
    /// The weights are not four numbers.
    #[error(
        "{text:?} are not weights: write four whole numbers from -{max} to {max}, for windows that lack three discs, \
         two, one, and for fatal columns, as in 1/5/25/100", max = Weights::LARGEST
    )]
    Weights {
        /// As given.
        text: String,
    },
    /// The evaluator is made for other rules.
    #[error("the evaluator {name} cannot judge {game}: {reason}")]
    WrongGame {
        /// The evaluator.
        name: String,
        /// The game.
        game: Rules,
        /// Why not, in words.
        reason: String,
    },
}

fn names() -> String {
    Evaluator::ALL.map(|(name, _)| name).join(", ")
}

impl Evaluator {
    /// Every evaluator: its name and what it does in a line.
    pub const ALL: [(&'static str, &'static str); 6] = [
        ("terminal", "only finished games have a value"),
        (
            "windows",
            "possible wins by the discs they lack, and fatal columns; windows:W1/W2/W3/WF sets the weights",
        ),
        ("windows-literal", "the same by the letter of the published formula, for one side only"),
        ("square", "pairs and threes in 2x2 squares, edges avoided (the corrected formula)"),
        ("square-literal", "the same by the letter of the published formula"),
        ("open-lines", "possible wins open to MAX less those open to MIN"),
    ];

    /// The evaluator that suits a game: `square` for 2x2 squares, `windows` for other games with
    /// gravity, `open-lines` where discs do not fall.
    #[must_use]
    pub fn natural(rules: &Rules) -> Self {
        match (rules.shape(), rules.gravity()) {
            (Shape::Square(2), true) => Self::Square(Square::new(SquareForm::Corrected)),
            (_, true) => Self::Windows(Windows::default()),
            (_, false) => Self::OpenLines,
        }
    }

    /// Says whether it can judge positions of a game.
    ///
    /// # Errors
    /// If it is made for other rules.
    pub fn check(&self, rules: &Rules) -> Result<(), EvaluatorError> {
        let checked = match self {
            // It tells lower pairs from upper ones, so without gravity positions that are each
            // other's images would differ.
            Self::Square(_) if rules.shape() != Shape::Square(2) || !rules.gravity() => {
                Err("it is for squares of side 2 where discs fall".to_owned())
            }
            Self::Custom(custom) => custom.check(rules),
            _ => Ok(()),
        };
        let wrong =
            |reason| EvaluatorError::WrongGame { name: self.to_string(), game: *rules, reason };
        checked.map_err(wrong)
    }

    /// What a position is worth to `side`. For single positions; a search compiles the evaluator
    /// in.
    ///
    /// # Errors
    /// If the evaluator is made for other rules.
    pub fn evaluate(&self, position: &Position, side: Side) -> Result<i32, EvaluatorError> {
        self.check(position.rules())?;
        let geometry = Geometry::<u128>::new(position.rules());
        let board = Board::<u128>::of(position);
        let (max, min) = if side == position.to_move() {
            (board.own, board.opponent())
        } else {
            (board.opponent(), board.own)
        };
        Ok(self.give_to(side, Once { geometry: &geometry, max, min }))
    }

    /// Hands the evaluator itself to work that is compiled for it and in which `max` is MAX.
    #[inline]
    pub(crate) fn give_to<W: Word, T: EvaluatorTask<W>>(&self, max: Side, task: T) -> T::Output {
        match self {
            Self::Terminal => task.run(Terminal),
            Self::Windows(windows) => task.run(*windows),
            Self::WindowsLiteral(windows) => task.run(*windows),
            Self::Square(square) => task.run(*square),
            Self::OpenLines => task.run(OpenLines),
            Self::Custom(custom) => task.run(Adapter { evaluator: Arc::clone(custom), max }),
        }
    }

    /// True if swapping the sides turns the sign, so that what one side gains the other loses.
    #[must_use]
    pub fn is_antisymmetric(&self) -> bool {
        match self {
            Self::Square(square) => square.form() != SquareForm::Literal,
            Self::WindowsLiteral(_) => false,
            Self::Custom(custom) => custom.is_antisymmetric(),
            _ => true,
        }
    }
}

/// The name that [`FromStr`] reads; a user's own evaluator has a name too, but none that is read.
impl fmt::Display for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terminal => f.write_str("terminal"),
            Self::Windows(windows) if *windows == Windows::default() => f.write_str("windows"),
            Self::Windows(windows) => write!(f, "windows:{}", windows.weights()),
            Self::WindowsLiteral(windows) if *windows == WindowsLiteral::default() => {
                f.write_str("windows-literal")
            }
            Self::WindowsLiteral(windows) => write!(f, "windows-literal:{}", windows.weights()),
            Self::Square(square) => f.write_str(match square.form() {
                SquareForm::Literal => "square-literal",
                SquareForm::Corrected => "square",
            }),
            Self::OpenLines => f.write_str("open-lines"),
            Self::Custom(custom) => f.write_str(custom.name()),
        }
    }
}

impl FromStr for Evaluator {
    type Err = EvaluatorError;

    fn from_str(text: &str) -> Result<Self, EvaluatorError> {
        if let Some(weights) = text.strip_prefix("windows:") {
            return Ok(Self::Windows(Windows::new(weights.parse()?)));
        }
        if let Some(weights) = text.strip_prefix("windows-literal:") {
            return Ok(Self::WindowsLiteral(WindowsLiteral::new(weights.parse()?)));
        }
        match text {
            "terminal" => Ok(Self::Terminal),
            "windows" => Ok(Self::Windows(Windows::default())),
            "windows-literal" => Ok(Self::WindowsLiteral(WindowsLiteral::default())),
            "square" => Ok(Self::Square(Square::new(SquareForm::Corrected))),
            "square-literal" => Ok(Self::Square(Square::new(SquareForm::Literal))),
            "open-lines" => Ok(Self::OpenLines),
            _ => Err(EvaluatorError::Unknown { name: text.to_owned() }),
        }
    }
}

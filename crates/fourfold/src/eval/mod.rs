//! Static evaluation: what a position seems to be worth without looking ahead.
//!
//! An evaluator sees the discs of MAX and of MIN and returns an integer, positive if it prefers
//! MAX. For the other side's view, swap the two sets. It is called only on games that are not over,
//! and its values stay within [`crate::score::LARGEST_ESTIMATE`]. Builds on `game`; knows nothing
//! of search.
//!
//! Eight evaluators are built in and compiled into the searches ([`Evaluator`] picks one by name).
//! A [`CustomEvaluator`] is the user's own.

mod cpu;
mod custom;
pub mod net;
mod open_lines;
#[cfg(any(test, target_family = "wasm"))]
mod shared;
mod square;
mod threats;
mod tuned;
mod windows;
mod windows_literal;

pub use custom::CustomEvaluator;
pub use open_lines::OpenLines;
pub use square::{Square, SquareForm, SquareWeights};
pub use threats::{THREAT_WEIGHTS, ThreatWeights};
pub use tuned::TUNED;
pub use windows::{Weights, Windows};
pub use windows_literal::WindowsLiteral;

use crate::game::{Board, Geometry, Position, Rules, Shape, Side, Word};
use custom::Adapter;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use threats::Threats;

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
    fn run<E: Evaluate<W> + 'static>(self, evaluator: E) -> Self::Output;
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
    /// Windows and threats by the parity of their rows, with these weights; see [`ThreatWeights`].
    Threats(ThreatWeights),
    /// The network that comes with the library, where there is one; see [`net`].
    Net,
    /// A network of the user's own; see [`net`].
    OwnNet(Arc<net::Net>),
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
    /// The weights of `square` are not six numbers.
    #[error(
        "{text:?} are not weights of square: write six whole numbers from -{max} to {max}, for one and two discs \
         in the lower pair, one and two in the upper, three in a square, and the edge, as in 9/54/3/6/352/2",
        max = Weights::LARGEST
    )]
    SquareWeights {
        /// As given.
        text: String,
    },
    /// The weights of `threats` are not twelve numbers.
    #[error(
        "{text:?} are not weights of threats: write twelve whole numbers from -{max} to {max} between slashes",
        max = Weights::LARGEST
    )]
    ThreatWeights {
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

/// The discs of `side`, and those of the other.
fn discs_of(position: &Position, side: Side) -> (u128, u128) {
    let board = Board::<u128>::of(position);
    if side == position.to_move() {
        (board.own, board.opponent())
    } else {
        (board.opponent(), board.own)
    }
}

fn names() -> String {
    Evaluator::ALL.map(|(name, _)| name).join(", ")
}

impl Evaluator {
    /// Every evaluator: its name and what it does in a line.
    pub const ALL: [(&'static str, &'static str); 8] = [
        ("terminal", "only finished games have a value"),
        (
            "windows",
            "possible wins by the discs they lack, and fatal columns; windows:W1/W2/W3/WF sets the weights",
        ),
        ("windows-literal", "the same by the letter of the published formula, for one side only"),
        (
            "square",
            "pairs and threes in 2x2 squares, edges avoided (the corrected formula); square:B1/B2/T1/T2/THREE/EDGE \
             sets the weights",
        ),
        ("square-literal", "the same by the letter of the published formula"),
        ("open-lines", "possible wins open to MAX less those open to MIN"),
        (
            "threats",
            "windows, threats by the parity of their rows, wins at once and the middle; threats:W1/.../W12 sets \
             the weights",
        ),
        ("net", "a small network that learned from exact results; windows where there is none"),
    ];

    /// The evaluator that players of a game use unless told otherwise: the one that was tuned for
    /// it if there is one in [`TUNED`], else the textbook's.
    #[must_use]
    pub fn natural(rules: &Rules) -> Self {
        tuned::tuned(rules).unwrap_or_else(|| Self::textbook(rules))
    }

    /// The published evaluator that suits a game, with its published weights: `square` for 2x2
    /// squares, `windows` for other games with gravity, `open-lines` where discs do not fall. What
    /// searches and experiments show unless told otherwise.
    #[must_use]
    pub fn textbook(rules: &Rules) -> Self {
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
            Self::OwnNet(net) if net.rules() != rules => {
                Err(format!("it was trained for {}", net.rules()))
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
        let (max, min) = discs_of(position, side);
        Ok(self.give_to(position.rules(), side, Once { geometry: &geometry, max, min }))
    }

    /// Hands the evaluator itself to work that is compiled for it and in which `max` is MAX.
    #[inline]
    pub(crate) fn give_to<W: Word, T: EvaluatorTask<W>>(
        &self,
        rules: &Rules,
        max: Side,
        task: T,
    ) -> T::Output {
        // A page waits for the code: there the work is compiled once for all evaluators.
        #[cfg(target_family = "wasm")]
        let task = shared::WithShared(task);
        match self {
            Self::Terminal => task.run(Terminal),
            Self::Windows(windows) => task.run(*windows),
            Self::WindowsLiteral(windows) => task.run(*windows),
            Self::Square(square) => task.run(*square),
            Self::OpenLines => task.run(OpenLines),
            Self::Threats(weights) => task.run(Threats { weights: *weights, max }),
            Self::Net => match net::Net::embedded(rules) {
                Some(net) => task.run(net::Incremental::new(net, max)),
                None => task.run(net::fallback()),
            },
            Self::OwnNet(net) => task.run(net::Incremental::new(Arc::clone(net), max)),
            Self::Custom(custom) => task.run(Adapter { evaluator: Arc::clone(custom), max }),
        }
    }

    /// The weights of an evaluator that has some, in the order in which they are written.
    #[must_use]
    pub fn weights(&self) -> Option<Vec<i32>> {
        match self {
            Self::Windows(windows) => Some(windows.weights().to_array().to_vec()),
            Self::Square(square) if square.form() == SquareForm::Corrected => {
                Some(square.weights().to_array().to_vec())
            }
            Self::Threats(weights) => Some(weights.0.to_vec()),
            _ => None,
        }
    }

    /// The same evaluator with other weights; none if it takes no such weights.
    #[must_use]
    pub fn with_weights(&self, weights: &[i32]) -> Option<Self> {
        let allowed = -Weights::LARGEST..=Weights::LARGEST;
        if !weights.iter().all(|weight| allowed.contains(weight)) {
            return None;
        }
        match self {
            Self::Windows(_) => {
                let &[lacking_three, lacking_two, lacking_one, fatal] = weights else {
                    return None;
                };
                let weights = Weights { lacking_three, lacking_two, lacking_one, fatal };
                Some(Self::Windows(Windows::new(weights)))
            }
            Self::Square(square) if square.form() == SquareForm::Corrected => {
                let weights = SquareWeights::of_array(weights.try_into().ok()?);
                Some(Self::Square(Square::with_weights(weights)))
            }
            Self::Threats(_) => Some(Self::Threats(ThreatWeights(weights.try_into().ok()?))),
            _ => None,
        }
    }

    /// What the weights of an evaluator that has some are multiplied with, for `side`: the value is
    /// the sum of the products. None without weights, or if it is made for other rules.
    #[must_use]
    pub fn features(&self, position: &Position, side: Side) -> Option<Vec<i32>> {
        self.check(position.rules()).ok()?;
        let geometry = Geometry::<u128>::new(position.rules());
        let (max, min) = discs_of(position, side);
        match self {
            Self::Windows(_) => Some(Windows::features(&geometry, max, min).to_vec()),
            Self::Square(square) if square.form() == SquareForm::Corrected => {
                Some(Square::features(&geometry, max, min).to_vec())
            }
            Self::Threats(_) => {
                let (first, second) = discs_of(position, Side::First);
                let sign = if side == Side::First { 1 } else { -1 };
                let features = threats::features(&geometry, first, second);
                Some(features.iter().map(|feature| sign * feature).collect())
            }
            _ => None,
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
            Self::Square(square) => match square.form() {
                SquareForm::Literal => f.write_str("square-literal"),
                _ if square.weights() == SquareWeights::default() => f.write_str("square"),
                SquareForm::Corrected => write!(f, "square:{}", square.weights()),
            },
            Self::OpenLines => f.write_str("open-lines"),
            Self::Threats(weights) if *weights == ThreatWeights::default() => {
                f.write_str("threats")
            }
            Self::Threats(weights) => write!(f, "threats:{weights}"),
            Self::Net => f.write_str("net"),
            Self::OwnNet(_) => f.write_str("net:own"),
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
        if let Some(weights) = text.strip_prefix("square:") {
            return Ok(Self::Square(Square::with_weights(weights.parse()?)));
        }
        if let Some(weights) = text.strip_prefix("threats:") {
            return Ok(Self::Threats(weights.parse()?));
        }
        match text {
            "terminal" => Ok(Self::Terminal),
            "windows" => Ok(Self::Windows(Windows::default())),
            "windows-literal" => Ok(Self::WindowsLiteral(WindowsLiteral::default())),
            "square" => Ok(Self::Square(Square::new(SquareForm::Corrected))),
            "square-literal" => Ok(Self::Square(Square::new(SquareForm::Literal))),
            "open-lines" => Ok(Self::OpenLines),
            "threats" => Ok(Self::Threats(ThreatWeights::default())),
            "net" => Ok(Self::Net),
            _ => Err(EvaluatorError::Unknown { name: text.to_owned() }),
        }
    }
}

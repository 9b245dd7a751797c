//! The evaluators a second time, and what a search should find with them: window by window, move by
//! move.
//!
//! Written from the words of the evaluators' documentation, on the plain game. Of the library it
//! uses the *names* of evaluators and their weights, and none of its counting.

use super::{Game, Place, places};
use fourfold::eval::{Evaluator, SquareForm, Weights};
use fourfold::game::Side;
use fourfold::score::WIN;

/// What `evaluator` should say of an unfinished game, for `side`.
pub(crate) fn judge(evaluator: &Evaluator, game: &Game, side: Side) -> i32 {
    match evaluator {
        Evaluator::Terminal => 0,
        Evaluator::OpenLines => open_lines(game, side) - open_lines(game, side.other()),
        Evaluator::Windows(windows) => judge_windows(game, side, windows.weights()),
        Evaluator::WindowsLiteral(windows) => {
            let weights = windows.weights();
            window_sum(game, side, weights) + weights.fatal * literal_fatal_columns(game, side)
        }
        Evaluator::Square(square) => match square.form() {
            SquareForm::Literal => squares(game, side, literal_square),
            SquareForm::Corrected => {
                squares(game, side, corrected_square)
                    - squares(game, side.other(), corrected_square)
            }
        },
        other => panic!("the oracle does not know the evaluator {other}"),
    }
}

/// How many discs a side has in a window.
fn held(game: &Game, window: &[Place], side: Side) -> usize {
    window.iter().filter(|&&(column, row)| game.cells[column][row] == Some(side)).count()
}

/// Windows in which the opponent has nothing.
fn open_lines(game: &Game, side: Side) -> i32 {
    game.windows().iter().filter(|window| held(game, window, side.other()) == 0).count() as i32
}

fn judge_windows(game: &Game, side: Side, weights: Weights) -> i32 {
    let of = |side: Side| {
        window_sum(game, side, weights) + weights.fatal * fatal_columns(game, side.other())
    };
    of(side) - of(side.other())
}

/// The open windows of one side by the discs they lack.
fn window_sum(game: &Game, side: Side, weights: Weights) -> i32 {
    let mut sum = 0;
    for window in game.windows() {
        let own = held(game, window, side);
        if own > 0 && held(game, window, side.other()) == 0 {
            sum += match window.len() - own {
                1 => weights.lacking_one,
                2 => weights.lacking_two,
                3 => weights.lacking_three,
                _ => 0,
            };
        }
    }
    sum
}

/// The columns that, played twice, the opponent first, `winner` wins.
fn literal_fatal_columns(game: &Game, winner: Side) -> i32 {
    let fatal = |&(column, row): &Place| {
        let below = game.with((column, row), Some(winner.other()));
        game.rules.gravity()
            && game.is_open((column, row))
            && row + 1 < game.rules.height() as usize
            && below.with((column, row + 1), Some(winner)).has_won(winner)
    };
    places(&game.rules).iter().filter(|place| fatal(place)).count() as i32
}

/// The columns in which `loser` cannot play without giving the other side a win on the cell above.
pub(crate) fn fatal_columns(game: &Game, loser: Side) -> i32 {
    if !game.rules.gravity() {
        return 0;
    }
    let fatal = |&(column, row): &Place| {
        let below = game.with((column, row), Some(loser));
        game.is_open((column, row))
            && row + 1 < game.rules.height() as usize
            && !below.has_won(loser)
            && below.with((column, row + 1), Some(loser.other())).has_won(loser.other())
    };
    places(&game.rules).iter().filter(|place| fatal(place)).count() as i32
}

/// Every 2x2 square by `worth`, less 2 for every disc in the first or last column.
fn squares(game: &Game, side: Side, worth: fn(&Square) -> i32) -> i32 {
    let (width, height) = (game.rules.width() as usize, game.rules.height() as usize);
    let mut sum = 0;
    for (column, row) in places(&game.rules) {
        if (column == 0 || column + 1 == width) && game.cells[column][row] == Some(side) {
            sum -= 2;
        }
        if column + 1 < width && row + 1 < height {
            sum += worth(&Square::at(game, side, (column, row)));
        }
    }
    sum
}

/// What the square with this lower left cell is worth to `side`, in each form.
pub(crate) fn square_worth(game: &Game, side: Side, at: Place) -> (i32, i32) {
    let square = Square::at(game, side, at);
    (literal_square(&square), corrected_square(&square))
}

/// What one side sees in a 2x2 square.
struct Square {
    bottom: u32,
    top: u32,
    other_on_top: bool,
    other_below: bool,
}

impl Square {
    fn at(game: &Game, side: Side, (column, row): Place) -> Self {
        let at = |right: usize, up: usize| game.cells[column + right][row + up];
        let own = |right, up| u32::from(at(right, up) == Some(side));
        let other = |right, up| at(right, up) == Some(side.other());
        Self {
            bottom: own(0, 0) + own(1, 0),
            top: own(0, 1) + own(1, 1),
            other_on_top: other(0, 1) || other(1, 1),
            other_below: other(0, 0) || other(1, 0),
        }
    }
}

fn literal_square(square: &Square) -> i32 {
    if square.bottom == 2 && square.other_on_top {
        return 0;
    }
    7i32.pow(square.bottom) + 3 * (square.top + square.bottom) as i32
}

fn corrected_square(square: &Square) -> i32 {
    match (square.other_on_top || square.other_below, square.top + square.bottom) {
        (true, _) => 0,
        (false, 3) => 7i32.pow(3) + 3 * 3,
        (false, _) => literal_square(square) - 1,
    }
}

/// What a search is asked: the evaluator at the horizon, and what ends of games are worth.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) evaluator: Evaluator,
    pub(crate) contempt: i32,
    pub(crate) distance: bool,
}

/// The nodes of a full tree, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) inner: u64,
    pub(crate) evaluations: u64,
    pub(crate) ended: u64,
}

impl Tally {
    pub(crate) fn nodes(&self) -> u64 {
        self.inner + self.evaluations + self.ended
    }
}

/// Plain minimax again, with all that [`Terms`] can say, in the scores of the library; counts the
/// nodes. Discs are put down and taken up again on the one board.
pub(crate) fn weigh(
    game: &mut Game,
    max: Side,
    depth: u32,
    terms: &Terms,
    tally: &mut Tally,
) -> i32 {
    let ply = game.ply();
    for side in [Side::First, Side::Second] {
        if game.has_won(side) {
            tally.ended += 1;
            let win = if terms.distance { WIN - ply as i32 } else { WIN };
            return if side == max { win } else { -win };
        }
    }
    if ply == game.rules.cells() {
        tally.ended += 1;
        return -terms.contempt;
    }
    if depth == 0 {
        tally.evaluations += 1;
        return judge(&terms.evaluator, game, max);
    }
    tally.inner += 1;
    let mover = game.to_move();
    let mut best: Option<i32> = None;
    for (column, row) in places(&game.rules) {
        if !game.is_open((column, row)) {
            continue;
        }
        game.cells[column][row] = Some(mover);
        let value = weigh(game, max, depth - 1, terms, tally);
        game.cells[column][row] = None;
        best = Some(match best {
            None => value,
            Some(best) if mover == max => best.max(value),
            Some(best) => best.min(value),
        });
    }
    best.expect("an ongoing game has a move")
}

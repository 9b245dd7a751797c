//! One game between two players.

use super::{Player, PlayerError, Record};
use crate::budget::Budget;
use crate::game::{Move, PlayError, Position, Rules, Side};

/// Why a game could not be finished.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// A player gave no move.
    #[error("the {side} player could not move: {why}")]
    Player {
        /// Who.
        side: Side,
        /// Why.
        why: PlayerError,
    },
    /// A player gave an illegal move. The library's own never do.
    #[error("the {side} player made an illegal move: {why}")]
    Illegal {
        /// Who.
        side: Side,
        /// Why it is illegal.
        why: PlayError,
    },
    /// The budget ended, or somebody asked to stop.
    #[error("the game was stopped")]
    Stopped,
}

/// Plays a game from the empty board to its end and records moves, times and counts. The moves of
/// `opening` are made for the players, in no time. Names and seed are the caller's to fill in. A
/// player that forfeits has lost; the record says why.
///
/// # Errors
/// If the opening cannot be played, a player gives no move or an illegal one, or the
/// budget ends between two moves.
pub fn play_game(
    rules: Rules,
    opening: &[Move],
    first: &mut dyn Player,
    second: &mut dyn Player,
    budget: &Budget,
) -> Result<Record, GameError> {
    let mut position = Position::new(rules);
    for &mv in opening {
        let side = position.to_move();
        position = position.play(mv).map_err(|why| GameError::Illegal { side, why })?;
    }
    let mut moves = opening.to_vec();
    let mut times = vec![0.0; opening.len()];
    let (mut nodes, mut evaluations) = (vec![0; opening.len()], vec![0; opening.len()]);
    let mut forfeit = None;
    let clock = budget.clock();
    while !position.outcome().is_over() {
        if budget.exhausted().is_some() {
            return Err(GameError::Stopped);
        }
        let side = position.to_move();
        let start = clock.now();
        let choice = match side {
            Side::First => first.choose(&position),
            Side::Second => second.choose(&position),
        };
        let elapsed = clock.since(start);
        let choice = match choice {
            Ok(choice) => choice,
            Err(_) if budget.is_stopped() => return Err(GameError::Stopped),
            Err(PlayerError::Forfeit { reason }) => {
                forfeit = Some(reason);
                break;
            }
            Err(why) => return Err(GameError::Player { side, why }),
        };
        position = position.play(choice.mv).map_err(|why| GameError::Illegal { side, why })?;
        moves.push(choice.mv);
        // Whole microseconds: what a clock can tell, and no longer than a line needs.
        times.push(elapsed.as_micros() as f64 / 1000.0);
        nodes.push(choice.thinking.map_or(0, |thinking| thinking.nodes));
        evaluations.push(choice.thinking.map_or(0, |thinking| thinking.evaluations));
    }
    let record = Record::new(rules, moves).with_times_ms(times).with_counts(nodes, evaluations);
    Ok(match forfeit {
        Some(reason) => record.with_forfeit(reason),
        None => record,
    })
}

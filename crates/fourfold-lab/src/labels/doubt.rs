//! Active learning (uncertainty sampling, Lewis and Gale 1994): most positions are labelled in vain,
//! for a network that has learned a little knows their best move. A [`Doubt`] tells the others.

use fourfold::eval::Evaluator;
use fourfold::eval::net::{Net, SCALE};
use fourfold::game::{Outcome, Position, Side};
use std::fmt;
use std::sync::Arc;

/// Positions whose best move a network is not sure of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The network that is asked.
    pub net: Arc<Net>,
    /// How likely it has to be that another move is better, by the network's own odds, in per cent.
    pub percent: u8,
}

impl Doubt {
    /// Whether it is in doubt about a position of its game, which is not over.
    #[must_use]
    pub fn has(&self, position: &Position) -> bool {
        // The odds that the side to move wins after its best move, and after the next best.
        let (mut best, mut second) = (0.0f64, 0.0);
        for mv in position.legal_moves() {
            let won = self.chance(&position.play_unchecked(mv), position.to_move());
            (best, second) = if won > best { (won, best) } else { (best, won.max(second)) };
        }
        100.0 * (1.0 - best) * second >= f64::from(self.percent)
    }

    /// How likely a side wins, a draw being half a win.
    fn chance(&self, position: &Position, side: Side) -> f64 {
        match position.outcome() {
            Outcome::Won { by, .. } => return f64::from(u8::from(by == side)),
            Outcome::Drawn => return 0.5,
            Outcome::Ongoing => {}
        }
        // A network of another game knows nothing.
        let value = Evaluator::OwnNet(Arc::clone(&self.net)).evaluate(position, side).unwrap_or(0);
        1.0 / (1.0 + (-f64::from(value) / f64::from(SCALE)).exp())
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "doubt {} % by the network of {}", self.percent, self.net.trained_on())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourfold::game::Rules;
    use fourfold::game::notation::parse_moves;

    #[test]
    fn doubt_is_about_moves_that_may_change_the_result() {
        let net = Net::embedded(&Rules::CONNECT_FOUR).unwrap();
        let at = |text: &str| {
            parse_moves(&Rules::CONNECT_FOUR, text)
                .unwrap()
                .into_iter()
                .fold(Position::new(Rules::CONNECT_FOUR), |position, mv| position.play(mv).unwrap())
        };
        let doubt = |percent| Doubt { net: Arc::clone(&net), percent };
        // Three in a row with both ends open must be blocked in vain: every move loses.
        assert!(!doubt(5).has(&at("41425")));
        // After 44444 the outcome hangs by a thread.
        assert!(doubt(5).has(&at("44444")));
        assert!(!doubt(40).has(&at("44444")));
        // Whoever asks for no doubt gets every position.
        assert!(doubt(0).has(&at("41425")));
    }
}

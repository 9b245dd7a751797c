//! The clock of a game, which the server owns. It is told the time and never asks for it, and it
//! counts in times of the wall clock, so that it goes on after a restart.

use super::Millis;
use super::game::index;
use fourfold::game::Side;
use serde::{Deserialize, Serialize};

/// What both sides get: a time for all moves, and an increment for each move made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TimeControl {
    pub(super) base_ms: Millis,
    pub(super) increment_ms: Millis,
}

/// A clock with two faces, of which at most one runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) control: TimeControl,
    /// What each side had left when its face last stopped.
    pub(super) left_ms: [Millis; 2],
    /// Whose face runs, and since when.
    pub(super) running: Option<(Side, Millis)>,
}

impl Clock {
    /// It stands until the first move is made.
    pub(super) fn new(control: TimeControl) -> Self {
        Self { control, left_ms: [control.base_ms; 2], running: None }
    }

    /// What a side has left.
    pub(super) fn left(&self, side: Side, now: Millis) -> Millis {
        let left = self.left_ms[index(side)];
        match self.running {
            Some((runs, since)) if runs == side => left.saturating_sub(now.saturating_sub(since)),
            _ => left,
        }
    }

    /// When the side whose face runs will be out of time.
    pub(super) fn deadline(&self) -> Option<Millis> {
        let (side, since) = self.running?;
        Some(since.saturating_add(self.left_ms[index(side)]))
    }

    /// A side has moved: its face stops with the increment, the other's runs. The first move takes
    /// no time.
    pub(super) fn press(&mut self, mover: Side, now: Millis) {
        if self.running.is_some() {
            self.stop(now);
            self.left_ms[index(mover)] += self.control.increment_ms;
        }
        self.running = Some((mover.other(), now));
    }

    /// The game is over.
    pub(super) fn stop(&mut self, now: Millis) {
        if let Some((side, _)) = self.running {
            self.left_ms[index(side)] = self.left(side, now);
        }
        self.running = None;
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, TimeControl};
    use fourfold::game::Side::{First, Second};

    #[test]
    fn it_runs_from_the_first_move_on() {
        let mut clock = Clock::new(TimeControl { base_ms: 60_000, increment_ms: 2_000 });
        assert_eq!((clock.left(First, 99_000), clock.deadline()), (60_000, None));
        clock.press(First, 100_000);
        assert_eq!((clock.left(First, 110_000), clock.left(Second, 110_000)), (60_000, 50_000));
        assert_eq!(clock.deadline(), Some(160_000));
        clock.press(Second, 110_000);
        assert_eq!((clock.left(First, 111_000), clock.left(Second, 111_000)), (59_000, 52_000));
        clock.stop(115_000);
        assert_eq!((clock.left(First, 999_000), clock.left(Second, 999_000)), (55_000, 52_000));
        assert_eq!(clock.deadline(), None);
    }

    #[test]
    fn a_wall_clock_that_is_set_back_takes_nothing() {
        let mut clock = Clock::new(TimeControl { base_ms: 1_000, increment_ms: 0 });
        clock.press(First, 50_000);
        assert_eq!(clock.left(Second, 10), 1_000);
        clock.press(Second, 10);
        assert_eq!(clock.left(First, 20), 990);
    }
}

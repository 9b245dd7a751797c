//! The live game: its players, the moves made and taken back, its record. Line mode and the
//! terminal app both use it. It does no input or output.

use fourfold::game::{Move, Position, Rules, Side};
use fourfold::play::{PlayerSpec, Record};
use std::time::Duration;

/// A game under way.
#[derive(Debug, Clone)]
pub struct LiveGame {
    /// The game.
    pub rules: Rules,
    /// The first and the second player.
    pub specs: [PlayerSpec; 2],
    /// Random seed.
    pub seed: u64,
    /// The number of moves that the game started with; they cannot be taken back.
    start: usize,
    moves: Vec<Move>,
    /// Moves taken back, the next to redo last.
    undone: Vec<Move>,
    /// The thinking time of each move.
    times: Vec<Duration>,
    /// Why the side to move has forfeited the game, if it has.
    forfeit: Option<String>,
}

/// The index of a side in a pair of players.
pub fn seat_of(side: Side) -> usize {
    usize::from(side == Side::Second)
}

impl LiveGame {
    /// A game that begins after `moves`, each legal.
    pub fn new(rules: Rules, specs: [PlayerSpec; 2], moves: Vec<Move>, seed: u64) -> Self {
        let times = vec![Duration::ZERO; moves.len()];
        Self {
            rules,
            specs,
            seed,
            start: moves.len(),
            moves,
            undone: Vec::new(),
            times,
            forfeit: None,
        }
    }

    /// The moves made so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The last move made.
    #[must_use]
    pub fn last(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    /// Whether a move was made since the game began.
    pub fn is_played(&self) -> bool {
        self.moves.len() > self.start
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> Position {
        position_after(&self.rules, &self.moves)
    }

    /// Whether a person plays a side.
    pub fn is_human(&self, side: Side) -> bool {
        self.specs[seat_of(side)].is_human()
    }

    /// The number of players who are people.
    pub fn human_count(&self) -> usize {
        self.specs.iter().filter(|spec| spec.is_human()).count()
    }

    /// A side's name: `you` for the only person, else the player spec.
    pub fn name(&self, side: Side) -> String {
        if self.is_human(side) && self.human_count() == 1 {
            "you".to_owned()
        } else {
            self.specs[seat_of(side)].to_string()
        }
    }

    /// Records that the side to move forfeits the game.
    pub fn set_forfeit(&mut self, reason: String) {
        self.forfeit = Some(reason);
    }

    /// Why the side to move has forfeited the game, if it has.
    pub fn forfeit(&self) -> Option<&str> {
        self.forfeit.as_deref()
    }

    /// Makes a legal move, which took the player `spent` to choose.
    pub fn push(&mut self, mv: Move, spent: Duration) {
        self.moves.push(mv);
        self.times.push(spent);
        self.undone.clear();
    }

    /// Removes the last move, without making it available to [`redo`](Self::redo).
    pub fn pop(&mut self) -> Option<Move> {
        self.times.pop();
        self.moves.pop()
    }

    /// Takes moves back until a person is to move; just one if both players are engines. False if
    /// there is nothing to take back.
    pub fn undo(&mut self) -> bool {
        let settled =
            |game: &Self| game.human_count() == 0 || game.is_human(game.position().to_move());
        let mut undone = Vec::new();
        while self.moves.len() > self.start {
            undone.extend(self.moves.pop());
            if settled(self) {
                break;
            }
        }
        if undone.is_empty() || !settled(self) {
            // The engine opened the game: its move cannot be taken back.
            self.moves.extend(undone.into_iter().rev());
            return false;
        }
        self.times.truncate(self.moves.len());
        self.forfeit = None;
        self.undone.extend(undone);
        true
    }

    /// Replays moves taken back, up to a person's next turn; just one if both players are engines.
    /// False if there is nothing to redo.
    pub fn redo(&mut self) -> bool {
        let mut changed = false;
        while let Some(mv) = self.undone.pop() {
            self.moves.push(mv);
            self.times.push(Duration::ZERO);
            changed = true;
            let position = self.position();
            if self.human_count() == 0
                || self.is_human(position.to_move())
                || position.outcome().is_over()
            {
                break;
            }
        }
        changed
    }

    /// The record of the game so far.
    pub fn record(&self) -> Record {
        let [first, second] = &self.specs;
        let times = self.times.iter().map(|spent| spent.as_micros() as f64 / 1000.0);
        let record = Record::new(self.rules, self.moves.clone())
            .with_players(first.to_string(), second.to_string())
            .with_seed(self.seed)
            .with_times_ms(times.collect());
        match &self.forfeit {
            Some(reason) => record.with_forfeit(reason),
            None => record,
        }
    }
}

/// The position after a sequence of legal moves.
pub fn position_after(rules: &Rules, moves: &[Move]) -> Position {
    moves.iter().fold(Position::new(*rules), |position, &mv| position.play_unchecked(mv))
}

#[cfg(test)]
mod tests {
    use super::LiveGame;
    use fourfold::game::Rules;
    use fourfold::game::notation::{moves_text, parse_moves};
    use std::time::Duration;

    fn game(first: &str, second: &str, start: &str, played: &str) -> LiveGame {
        let rules = Rules::CONNECT_FOUR;
        let specs = [first, second].map(|spec| spec.parse().unwrap());
        let all = parse_moves(&rules, &format!("{start}{played}")).unwrap();
        let mut game = LiveGame::new(rules, specs, all[..start.len()].to_vec(), 1);
        for &mv in &all[start.len()..] {
            game.push(mv, Duration::ZERO);
        }
        game
    }

    #[test]
    fn moves_are_taken_back_to_a_persons_turn() {
        for (first, second, start, played, undone) in [
            ("human", "naive", "", "4453", "44"),
            // The engine has not answered yet.
            ("human", "naive", "", "445", "44"),
            ("human", "naive", "44", "5", "44"),
            ("human", "human", "", "445", "44"),
            ("naive", "naive", "", "445", "44"),
            // The engine began.
            ("naive", "human", "", "445", "4"),
        ] {
            let mut game = game(first, second, start, played);
            assert!(game.undo(), "{first} {second} {start} {played}");
            let text = |game: &LiveGame| moves_text(&Rules::CONNECT_FOUR, game.moves());
            assert_eq!(text(&game), undone, "{first} {second} {start} {played}");
            assert!(game.redo());
        }
        for (first, second, start, played) in [
            ("naive", "human", "", "4"),
            ("human", "naive", "44", ""),
            ("naive", "naive", "44", ""),
        ] {
            let mut game = game(first, second, start, played);
            assert!(!game.undo() && !game.redo());
            assert_eq!(game.moves().len(), start.len() + played.len());
        }
    }
}

//! A game under way: who plays, the moves made and taken back, its record. Line mode and the
//! terminal app both use one. It shows nothing and asks nobody.

use fourfold::game::{Move, Position, Rules, Side};
use fourfold::play::{PlayerSpec, Record};
use std::time::Duration;

/// A game under way.
#[derive(Debug, Clone)]
pub struct LiveGame {
    /// The game.
    pub rules: Rules,
    /// Who moves first, and who second.
    pub specs: [PlayerSpec; 2],
    /// Random seed.
    pub seed: u64,
    /// Moves that were there at the beginning; they cannot be taken back.
    start: usize,
    moves: Vec<Move>,
    /// Moves taken back, the next to redo last.
    undone: Vec<Move>,
    times: Vec<Duration>,
    /// Why whoever is to move has lost without a move.
    forfeit: Option<String>,
}

/// The place of a side in a pair.
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

    /// Whether somebody has moved since the game began.
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

    /// How many people sit there.
    pub fn people(&self) -> usize {
        self.specs.iter().filter(|spec| spec.is_human()).count()
    }

    /// How a side is called: `you` if that is the only person.
    pub fn name(&self, side: Side) -> String {
        if self.is_human(side) && self.people() == 1 {
            "you".to_owned()
        } else {
            self.specs[seat_of(side)].to_string()
        }
    }

    /// Whoever is to move has lost without a move.
    pub fn give_up(&mut self, reason: String) {
        self.forfeit = Some(reason);
    }

    /// Why whoever is to move has lost without a move.
    pub fn forfeit(&self) -> Option<&str> {
        self.forfeit.as_deref()
    }

    /// A move is made, for which so much time was taken.
    pub fn push(&mut self, mv: Move, spent: Duration) {
        self.moves.push(mv);
        self.times.push(spent);
        self.undone.clear();
    }

    /// Takes the last move off, to be made once more.
    pub fn pop(&mut self) -> Option<Move> {
        self.times.pop();
        self.moves.pop()
    }

    /// Takes moves back until a person is to move; just one if nobody is a person. False if there
    /// is nothing to take back.
    pub fn undo(&mut self) -> bool {
        let settled = |game: &Self| game.people() == 0 || game.is_human(game.position().to_move());
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

    /// Plays again what was taken back, up to a person's next turn; just one move if nobody is a
    /// person. False if there is nothing to play again.
    pub fn redo(&mut self) -> bool {
        let mut changed = false;
        while let Some(mv) = self.undone.pop() {
            self.moves.push(mv);
            self.times.push(Duration::ZERO);
            changed = true;
            let position = self.position();
            if self.people() == 0
                || self.is_human(position.to_move())
                || position.outcome().is_over()
            {
                break;
            }
        }
        changed
    }

    /// The game as it is kept.
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

/// The position after some moves, each legal.
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

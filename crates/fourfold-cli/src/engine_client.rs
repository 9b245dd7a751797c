//! The asking side of the engine protocol: a program is greeted, told positions and asked for moves.
//!
//! What becomes of a program that does not answer is up to the caller: it loses a game
//! ([`crate::external`], the tournament of a class) or points (`fourfold check`).

use crate::engine::{SearchInfo, read_info};
use crate::process::{Patience, Process, Silence};
use fourfold::game::notation::{self, Entry, Format};
use fourfold::game::{Move, Position, Rules, Side};
use fourfold_teach::player::position_line;

/// Begins a game: asks which options the program has and says what is to be played. False if it has
/// no option for the game, so that it could not be told.
pub(crate) fn greet(
    process: &mut Process,
    rules: &Rules,
    seed: u64,
    patience: Patience<'_>,
) -> Result<bool, Silence> {
    process.say("uci");
    let (mut knows_game, mut knows_seed) = (false, false);
    process.hear("'uciok'", patience, |line| {
        if let Some(option) = line.strip_prefix("option name ") {
            let name = option.split(" type ").next().unwrap_or("").trim().to_lowercase();
            knows_game |= name == "game";
            knows_seed |= name == "seed";
        }
        (line == "uciok").then_some(())
    })?;
    if knows_game {
        process.say(&format!("setoption name Game value {rules}"));
    }
    if knows_seed {
        process.say(&format!("setoption name Seed value {seed}"));
    }
    process.say("ucinewgame");
    process.say("isready");
    process.hear("'readyok'", patience, |line| (line == "readyok").then_some(()))?;
    Ok(knows_game)
}

/// Asks for the best move of a position: the word after `bestmove`, whatever it is, and what the
/// program has reported about its search.
pub(crate) fn best_move(
    process: &mut Process,
    position_line: &str,
    go_line: &str,
    patience: Patience<'_>,
) -> Result<(String, SearchInfo), Silence> {
    process.say(position_line);
    process.say(go_line);
    let mut info = SearchInfo::default();
    let best = process.hear("a move", patience, |line| match line.split_once(' ') {
        Some(("info", _)) => {
            read_info(line, &mut info);
            None
        }
        Some(("bestmove", best)) => Some(best.split_whitespace().next().unwrap_or("").to_owned()),
        _ => (line == "bestmove").then(String::new),
    })?;
    Ok((best, info))
}

/// The moves that led to a position, as far as they can be known.
pub(crate) struct History {
    position: Position,
    moves: Vec<Move>,
}

impl History {
    /// The beginning of a game.
    pub(crate) fn new(rules: Rules) -> Self {
        Self { position: Position::new(rules), moves: Vec::new() }
    }

    /// Goes on to a position, and says how a program is told of it: by the moves that were made in
    /// between or some that lead there, else by its board.
    pub(crate) fn line_to(&mut self, position: &Position) -> Result<String, String> {
        if self.go_on_to(position) {
            return Ok(position_line(position.rules(), &self.moves));
        }
        let text = notation::write(&Entry::of(*position), Format::Fen);
        text.map(|text| format!("position fen {text}")).map_err(|why| why.to_string())
    }

    /// Goes on to a position: by the moves in between, or by some that lead there. False if there
    /// are none.
    fn go_on_to(&mut self, position: &Position) -> bool {
        let between = self.moves_to(position);
        let found = match between {
            Some(more) => {
                self.moves.extend(more);
                true
            }
            None => match position.some_moves() {
                Ok(moves) => {
                    self.moves = moves;
                    true
                }
                Err(_) => false,
            },
        };
        self.position = *position;
        found
    }

    /// At most two moves, one of each side, that lead from here to there.
    fn moves_to(&self, position: &Position) -> Option<Vec<Move>> {
        let rules = self.position.rules();
        let fresh = |side: Side| {
            let before = self.position.discs(side).bits();
            let set = position.discs(side);
            set.iter().filter(move |cell| before & (1 << cell.bit(rules)) == 0).collect::<Vec<_>>()
        };
        let side = self.position.to_move();
        let cells = match (&fresh(side)[..], &fresh(side.other())[..]) {
            ([], []) => Vec::new(),
            ([one], []) => vec![*one],
            ([one], [two]) => vec![*one, *two],
            _ => return None,
        };
        let moves: Vec<Move> = cells.into_iter().map(|cell| Move::at(cell, rules)).collect();
        let reached =
            moves.iter().try_fold(self.position, |position, &mv| position.play(mv)).ok()?;
        (reached == *position).then_some(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::History;
    use fourfold::game::notation::parse_moves;
    use fourfold::game::{Position, Rules};

    #[test]
    fn moves_are_found_between_positions() {
        let rules = Rules::CONNECT_FOUR;
        let moves = parse_moves(&rules, "4453217").unwrap();
        let at = |ply: usize| Position::from_moves(rules, &moves[..ply]).unwrap();
        let mut history = History::new(rules);
        for ply in [0, 1, 1, 3, 5, 7] {
            assert!(history.go_on_to(&at(ply)));
            assert_eq!(history.moves, moves[..ply]);
        }
        assert_eq!(history.line_to(&at(7)).unwrap(), "position startpos moves 4 4 5 3 2 1 7");
        // Somewhere else: some moves that lead there.
        assert!(history.go_on_to(&at(4)));
        assert_eq!(Position::from_moves(rules, &history.moves).unwrap(), at(4));
    }
}

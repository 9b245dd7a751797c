//! A player of your own in a match: `cargo run --example own_player`.

use fourfold::budget::Budget;
use fourfold::game::{Cell, Move, Position, Rules};
use fourfold::play::{Choice, Match, Player, PlayerError, PlayerFactory, PlayerSpec, run_match};
use fourfold::random::Random;
use std::error::Error;

/// Wins if it can, blocks if it must, else answers in the mirror image of the opponent's last
/// column, else moves at random.
#[derive(Debug)]
struct Mirror {
    random: Random,
    /// The position after its own last move.
    before: Position,
}

impl Mirror {
    /// The move opposite to what the opponent has played since.
    fn opposite(&self, position: &Position) -> Option<Move> {
        let side = position.to_move().other();
        let mut played = position.discs(side).iter();
        let last = played.find(|&cell| self.before.at(cell).is_none())?;
        let column = position.rules().width() as u8 - 1 - last.column;
        let opposite = |mv: &Move| mv.cell(position.rules()).column == column;
        position.legal_moves().into_iter().find(opposite)
    }
}

impl Player for Mirror {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let urgent = [position.winning_moves(), position.threatened_moves()].concat();
        let legal = position.legal_moves();
        let mv = urgent
            .first()
            .copied()
            .or_else(|| self.opposite(position))
            .or_else(|| self.random.pick(&legal).copied())
            .ok_or(PlayerError::GameOver)?;
        self.before = position.play_unchecked(mv);
        Ok(mv.into())
    }
}

/// Seats a [`Mirror`] for every game of a match.
#[derive(Debug)]
struct Mirrors;

impl PlayerFactory for Mirrors {
    fn name(&self) -> &str {
        "mirror"
    }

    fn player(
        &self,
        rules: &Rules,
        seed: u64,
        _: &Budget,
    ) -> Result<Box<dyn Player + Send>, PlayerError> {
        Ok(Box::new(Mirror { random: Random::new(seed), before: Position::new(*rules) }))
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let players = [PlayerSpec::custom(Mirrors), "random".parse()?];
    let contest = Match::new(Rules::CONNECT_FOUR, players).with_games(40).with_seed(1);
    let play = |threads| {
        let (contest, mut games) = (contest.clone().with_threads(threads), Vec::new());
        run_match(&contest, &Default::default(), |_, record| games.push(record.moves.clone()))
            .map(|result| (result, games))
    };
    let (result, games) = play(1)?;
    let [mirror, random] = &result.seats;
    println!("{} won {}, {} won {}", mirror.player, mirror.wins, random.player, random.wins);
    let (rate, interval) = result.win_rate(0);
    // There is none if games repeat that leave nothing to chance.
    if let Some(interval) = interval {
        let [low, high] = [interval.low, interval.high].map(|share| 100.0 * share);
        println!("{:.0} %, 95 % CI {low:.0}-{high:.0}", 100.0 * rate);
    }
    assert_eq!(mirror.player, "mirror");
    assert!(mirror.wins > random.wins, "blocking helps");

    // Games come from the seed alone, however many are played at once.
    let (_, on_four_threads) = play(4)?;
    assert_eq!(on_four_threads, games);

    // The first move has nothing to answer; then a corner is answered with the other corner.
    let mut player = Mirrors.player(&Rules::CONNECT_FOUR, 0, &Budget::unlimited())?;
    let start = Position::new(Rules::CONNECT_FOUR);
    let corner = start.play(start.drop_in(0)?)?;
    assert_eq!(player.choose(&corner)?.mv.cell(corner.rules()), Cell { column: 6, row: 0 });
    Ok(())
}

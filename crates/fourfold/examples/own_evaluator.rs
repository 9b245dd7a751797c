//! An evaluator of your own in searches, players and matches: `cargo run --example own_evaluator`.

use fourfold::eval::{CustomEvaluator, Evaluator};
use fourfold::game::{Position, Rules, Side, notation};
use fourfold::play::{Match, SearchSpec, run_match};
use fourfold::search::{Limits, SearchOptions, Searcher};
use std::error::Error;

/// Counts discs, more for those nearer to the middle column.
#[derive(Debug)]
struct Centre;

impl CustomEvaluator for Centre {
    fn name(&self) -> &str {
        "centre"
    }

    fn evaluate(&self, position: &Position, side: Side) -> i32 {
        let width = position.rules().width() as i32;
        // Twice the distance from the middle, so that boards of even width have whole numbers too.
        let worth = |column: u8| width - (2 * i32::from(column) + 1 - width).abs();
        let sum =
            |side| -> i32 { position.discs(side).iter().map(|cell| worth(cell.column)).sum() };
        sum(side) - sum(side.other())
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // One search, on any board: the evaluator never learns how a board lies in memory.
    for game in ["7x6c4", "9x7c4", "3x3c3f"] {
        let rules: Rules = game.parse()?;
        let options = SearchOptions::default();
        let mut searcher = Searcher::new(Evaluator::custom(Centre), options);
        let report = searcher.search(&Position::new(rules), &Limits::depth(4), 0)?;
        let best = report.best.ok_or("the game is not over")?;
        println!("{game}: {}, best {}", report.verdict, best.cell(&rules));
        let middle = u32::from(best.cell(&rules).column) == rules.width() / 2;
        assert!(middle, "it likes the middle");
    }

    // A match: the same search with this evaluator and with one that knows only finished games.
    let player = |evaluator| SearchSpec::alpha_beta(3).with_evaluator(evaluator).into();
    let players = [player(Evaluator::custom(Centre)), player(Evaluator::Terminal)];
    let contest = Match::new(Rules::CONNECT_FOUR, players).with_games(2);
    let result = run_match(&contest, &Default::default(), |number, record| {
        let moves = notation::moves_text(&record.game, &record.moves);
        println!("game {}: {moves}", number + 1);
    })?;
    for seat in &result.seats {
        println!("{} won {} of {}", seat.player, seat.wins, result.games);
    }
    assert_eq!(result.seats[0].player, "alphabeta:depth=3,eval=centre");
    assert_eq!(result.seats[0].wins, 2, "the middle is worth something");
    Ok(())
}

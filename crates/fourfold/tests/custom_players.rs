//! Players that users write, in matches: seated anew for each game, seeded, named, stopped.

use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::play::{
    Choice, Match, MatchError, Player, PlayerError, PlayerFactory, PlayerSpec, Record, run_match,
};
use fourfold::random::Random;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Plays at random, and refuses games on which discs do not fall.
#[derive(Debug, Default)]
struct Dice {
    seated: AtomicUsize,
    /// Gives up in the middle of the game.
    forfeits: bool,
}

struct Thrown {
    random: Random,
    forfeits: bool,
}

impl Player for Thrown {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        if self.forfeits && position.ply() >= 4 {
            return Err(PlayerError::Forfeit { reason: "the dice rolled away".to_owned() });
        }
        let legal = position.legal_moves();
        self.random.pick(&legal).map(|&mv| mv.into()).ok_or(PlayerError::GameOver)
    }
}

impl PlayerFactory for Dice {
    fn name(&self) -> &str {
        "dice"
    }

    fn player(
        &self,
        rules: &Rules,
        seed: u64,
        _: &Budget,
    ) -> Result<Box<dyn Player + Send>, PlayerError> {
        if !rules.gravity() {
            return Err(PlayerError::Left { reason: "dice must fall".to_owned() });
        }
        self.seated.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(Thrown { random: Random::new(seed), forfeits: self.forfeits }))
    }
}

fn games(contest: &Match) -> Vec<Record> {
    let mut games = Vec::new();
    run_match(contest, &Arc::default(), |_, record| games.push(record.clone())).unwrap();
    games
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    for share in [0.0, 0.3] {
        let mut dice = PlayerSpec::custom(Dice::default());
        dice.random = share;
        let contest = Match::new(Rules::CONNECT_FOUR, [dice, "lookahead:2".parse().unwrap()])
            .with_games(40)
            .with_seed(5);
        let moves = |threads| -> Vec<_> {
            let contest = contest.clone().with_threads(threads);
            games(&contest).into_iter().map(|game| (game.moves, game.seed, game.result)).collect()
        };
        let one = moves(1);
        assert_eq!(one.len(), 40);
        assert_eq!(one, moves(2));
        assert_eq!(one, moves(5));
        let again = contest.game(17, &Arc::default()).unwrap();
        assert_eq!(again.moves, one[17].0, "a game by its number alone");
        let different: std::collections::HashSet<_> = one.iter().map(|game| &game.0).collect();
        assert!(different.len() > 30, "games differ by their seeds");
    }
}

#[test]
fn results_and_records_carry_its_name() {
    let players = [PlayerSpec::custom(Dice::default()), "naive".parse().unwrap()];
    let contest = Match::new(Rules::CONNECT_FOUR, players).with_games(4);
    let result = run_match(&contest, &Arc::default(), |index, record| {
        let names = [record.first.as_deref(), record.second.as_deref()];
        let expected = if index % 2 == 0 { ["dice", "naive"] } else { ["naive", "dice"] };
        assert_eq!(names, expected.map(Some));
        #[cfg(feature = "json")]
        assert_eq!(&record.to_line().parse::<Record>().unwrap(), record);
    })
    .unwrap();
    assert_eq!(result.seats[0].player, "dice");
    assert_eq!(result.seats[0].games_as_first, 2);
}

#[test]
fn it_is_seated_anew_for_every_game() {
    let dice = Arc::new(Dice::default());
    let mut spec: PlayerSpec = "naive".parse().unwrap();
    let shared: Arc<dyn PlayerFactory> = dice.clone();
    spec.seat = fourfold::play::Seat::Custom(shared);
    assert_eq!(spec, spec.clone());
    assert_ne!(spec, PlayerSpec::custom(Dice::default()));
    let naive = "naive".parse().unwrap();
    games(&Match::new(Rules::CONNECT_FOUR, [spec, naive]).with_games(10));
    // Once more before the first game, to be told of mistakes.
    assert_eq!(dice.seated.load(Ordering::Relaxed), 11);
}

#[test]
fn a_game_it_refuses_is_told_before_the_first() {
    let players = [PlayerSpec::custom(Dice::default()), "naive".parse().unwrap()];
    let contest = Match::new(Rules::TIC_TAC_TOE, players);
    let refused = run_match(&contest, &Arc::default(), |_, _| panic!("no game")).unwrap_err();
    assert!(matches!(&refused, MatchError::Seat { player, .. } if player == "dice"));
    assert_eq!(refused.to_string(), "dice: dice must fall");
}

#[test]
fn its_forfeits_are_counted() {
    let dice = Dice { forfeits: true, ..Dice::default() };
    let players = [PlayerSpec::custom(dice), "random".parse().unwrap()];
    let contest = Match::new(Rules::CONNECT_FOUR, players).with_games(6);
    let result = run_match(&contest, &Arc::default(), |_, record| {
        assert_eq!(record.forfeit.as_deref(), Some("the dice rolled away"));
    })
    .unwrap();
    assert_eq!((result.seats[0].forfeits, result.seats[1].wins), (6, 6));
}

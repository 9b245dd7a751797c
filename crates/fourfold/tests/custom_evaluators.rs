//! Evaluators that users write, in every kind of search: what they say arrives unchanged.

mod oracle;

use fourfold::budget::Budget;
use fourfold::eval::{CustomEvaluator, Evaluator, EvaluatorError};
use fourfold::game::{Cell, Position, Rules, Side};
use fourfold::play::{PlayerSpec, Seat};
use fourfold::random::Random;
use fourfold::score::LARGEST_ESTIMATE;
use fourfold::search::{
    ExplicitTree, Limits, SearchError, SearchOptions, Searcher, search_numbered,
};
use oracle::chance::{random_depth, random_position, rules};
use std::sync::Arc;

/// Games in words of 64 and of 128 bits, with and without gravity.
const RULES: [&str; 6] = ["7x6c4", "4x3c3", "9x7c4", "6x6s2", "3x3c3f", "10x9c5f"];

/// A built-in evaluator, asked from outside.
#[derive(Debug)]
struct Copied(Evaluator);

impl CustomEvaluator for Copied {
    fn name(&self) -> &str {
        "copied"
    }

    fn evaluate(&self, position: &Position, side: Side) -> i32 {
        assert!(!position.outcome().is_over(), "only games under way are judged\n{position}");
        self.0.evaluate(position, side).expect("it was checked")
    }

    fn check(&self, rules: &Rules) -> Result<(), String> {
        self.0.check(rules).map_err(|why| why.to_string())
    }

    fn is_antisymmetric(&self) -> bool {
        self.0.is_antisymmetric()
    }
}

/// Two evaluators that always agree, for a game.
fn twins(rules: &Rules) -> [Evaluator; 2] {
    let built_in = Evaluator::natural(rules);
    [built_in.clone(), Evaluator::custom(Copied(built_in))]
}

#[test]
fn a_search_is_the_same_as_with_the_built_in_evaluator() {
    let everything = SearchOptions::default()
        .with_mid_col(true)
        .with_early_win(true)
        .with_table(1)
        .with_symmetry(true)
        .with_killers(true)
        .with_history(true)
        .with_deepening(true)
        .with_forward(4)
        .with_cached_ends(true);
    for (index, text) in RULES.iter().enumerate() {
        let random = &mut Random::for_item(8, index as u64);
        for _ in 0..12 {
            let position = random_position(&rules(text), random);
            let limits = Limits::depth(random_depth(&position, random));
            for options in [SearchOptions::minimax(), SearchOptions::default(), everything.clone()]
            {
                let [built_in, custom] = twins(position.rules()).map(|evaluator| {
                    Searcher::new(evaluator, options.clone())
                        .search(&position, &limits, 0)
                        .expect("no limit is reached")
                });
                assert_eq!(custom.score, built_in.score, "{text} {options:?}\n{position}");
                assert_eq!(custom.line, built_in.line, "{text} {options:?}\n{position}");
                assert_eq!(custom.counters, built_in.counters, "{text} {options:?}\n{position}");
            }
        }
    }
}

#[test]
fn explicit_trees_take_it_as_well() {
    for text in ["4x3c3", "3x3c3f", "12x9c4"] {
        let game = rules(text);
        // With an odd number of discs, MAX is the second player.
        let position = Position::new(game).play(Position::new(game).legal_moves()[0]).unwrap();
        let options = SearchOptions::default().with_table(1);
        let [built_in, custom] = twins(&game).map(|evaluator| {
            let tree = ExplicitTree::build(&position, &evaluator, &options, 3, 1 << 24).unwrap();
            let found = search_numbered(&tree, &options, &Limits::depth(3), 0, &mut ()).unwrap();
            (tree.weigh(), found.value, found.line)
        });
        assert_eq!(custom, built_in, "{text}");
    }
}

#[test]
fn players_search_with_it_and_name_it() {
    let game = rules("5x4c4");
    let [built_in, custom] = twins(&game).map(|evaluator| {
        let mut spec: PlayerSpec = "alphabeta:depth=4".parse().unwrap();
        let Seat::Search(search) = &mut spec.seat else { panic!("alphabeta searches") };
        search.evaluator = Some(evaluator);
        spec
    });
    assert_eq!(custom.to_string(), "alphabeta:depth=4,eval=copied");
    let mut position = Position::new(game);
    while !position.outcome().is_over() {
        let [one, two] = [&built_in, &custom].map(|spec| {
            spec.player(&game, 1, &Budget::unlimited()).unwrap().choose(&position).unwrap()
        });
        assert_eq!((one.mv, one.thinking), (two.mv, two.thinking), "{position}");
        position = position.play(one.mv).unwrap();
    }
}

/// Says the same of every position.
#[derive(Debug)]
struct Constant(i32);

impl CustomEvaluator for Constant {
    fn name(&self) -> &str {
        "constant"
    }

    fn evaluate(&self, _: &Position, _: Side) -> i32 {
        self.0
    }
}

#[test]
fn what_it_says_is_never_taken_for_a_decided_game() {
    for (said, heard) in
        [(i32::MAX, LARGEST_ESTIMATE), (i32::MIN, -LARGEST_ESTIMATE), (7, 7), (-7, -7)]
    {
        let evaluator = Evaluator::custom(Constant(said));
        let empty = Position::new(Rules::CONNECT_FOUR);
        assert_eq!(evaluator.evaluate(&empty, Side::First), Ok(heard));
        let report = Searcher::new(evaluator, SearchOptions::default())
            .search(&empty, &Limits::depth(2), 0)
            .unwrap();
        assert_eq!(report.score, heard);
    }
}

/// Likes the left edge.
#[derive(Debug)]
struct Lopsided;

impl CustomEvaluator for Lopsided {
    fn name(&self) -> &str {
        "lopsided"
    }

    fn evaluate(&self, position: &Position, side: Side) -> i32 {
        i32::from(position.at(Cell { column: 0, row: 0 }) == Some(side))
    }

    fn check(&self, rules: &Rules) -> Result<(), String> {
        if rules.gravity() { Ok(()) } else { Err("discs must fall".to_owned()) }
    }

    fn is_antisymmetric(&self) -> bool {
        false
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

#[test]
fn it_can_refuse_games_and_symmetry() {
    let evaluator = Evaluator::custom(Lopsided);
    assert!(!evaluator.is_antisymmetric());
    let refused = evaluator.check(&Rules::TIC_TAC_TOE).unwrap_err();
    assert_eq!(refused.to_string(), "the evaluator lopsided cannot judge 3x3c3f: discs must fall");
    assert!(matches!(refused, EvaluatorError::WrongGame { game: Rules::TIC_TAC_TOE, .. }));
    let symmetric = SearchOptions::default().with_symmetry(true);
    let empty = Position::new(Rules::CONNECT_FOUR);
    let outcome = Searcher::new(evaluator, symmetric).search(&empty, &Limits::depth(1), 0);
    assert!(matches!(outcome, Err(SearchError::Unserved { switch: "symmetry" })), "{outcome:?}");
}

#[test]
fn equal_is_only_the_same_one() {
    let shared: Arc<dyn CustomEvaluator> = Arc::new(Lopsided);
    let (one, two) = (Evaluator::Custom(Arc::clone(&shared)), Evaluator::Custom(shared));
    assert_eq!(one, two);
    assert_eq!(one, one.clone());
    assert_ne!(one, Evaluator::custom(Lopsided));
    assert_ne!(one, Evaluator::Terminal);
}

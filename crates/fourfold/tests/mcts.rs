//! Monte Carlo tree search: what it proves is true, what it is seeded with decides all, and more
//! playouts play better.

use fourfold::budget::Budget;
use fourfold::game::notation::parse_moves;
use fourfold::game::{Position, Rules};
use fourfold::play::{Match, PlayerSpec, run_match};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::search::{Ended, Halt, MctsOptions, MctsReport, PlayoutPolicy, monte_carlo};
use fourfold::solver::{Solver, SolverOptions};

const GAMES: [&str; 7] = ["4x4c3", "5x4c4", "6x5c4", "5x5s2", "3x3c3f", "4x4c4f", "9x8c4"];

fn playouts(number: u64) -> MctsOptions {
    let mut options = MctsOptions::default();
    options.playouts = Some(number);
    options
}

/// Unfinished positions of random games, at least a quarter full.
fn positions(rules: &Rules, count: usize) -> Vec<Position> {
    let position = |index| {
        let mut random = Random::for_item(5, index);
        let least = rules.cells() / 4;
        let plies = least + random.below((rules.cells() - least) as usize) as u32;
        let mut position = Position::new(*rules);
        while position.ply() < plies {
            position = position.play(*random.pick(&position.legal_moves())?).ok()?;
        }
        (!position.outcome().is_over()).then_some(position)
    };
    (0..).filter_map(position).take(count).collect()
}

/// 1, 0 or -1 for the side to move; none if nothing is proven.
fn sign(verdict: Verdict) -> Option<i32> {
    match verdict {
        Verdict::Win { .. } => Some(1),
        Verdict::Draw => Some(0),
        Verdict::Loss { .. } => Some(-1),
        _ => None,
    }
}

#[test]
fn what_is_proven_is_true() {
    let mut proven = 0;
    for text in GAMES.iter().filter(|&&game| game != "9x8c4") {
        let rules: Rules = text.parse().unwrap();
        let mut solver = Solver::new(&rules, SolverOptions::default()).unwrap();
        for (index, position) in positions(&rules, 60).iter().enumerate() {
            let mut options = playouts(300);
            if index % 2 == 0 {
                options.policy = PlayoutPolicy::Random;
            }
            let report = monte_carlo(position, &options, &Budget::unlimited(), index as u64);
            let budget = Budget::unlimited();
            if let Some(found) = sign(report.verdict) {
                let exact = solver.solve(position, &budget).unwrap().score.signum();
                assert_eq!(found, exact, "{rules} {position:?}");
                proven += 1;
            }
            for mv in &report.moves {
                let Some(found) = mv.proven.and_then(sign) else { continue };
                let after = position.play(mv.mv).unwrap();
                let exact = -solver.solve(&after, &budget).unwrap().score.signum();
                assert_eq!(found, exact, "{rules} {position:?} {:?}", mv.mv);
            }
        }
    }
    assert!(proven > 150, "only {proven} positions were proven");
}

/// Everything in a report but the time.
fn summary(report: &MctsReport) -> String {
    format!("{report:?}")
}

#[test]
fn the_seed_decides() {
    for text in GAMES {
        let position = Position::new(text.parse().unwrap());
        let options = playouts(200);
        let budget = Budget::unlimited();
        let search = |seed| summary(&monte_carlo(&position, &options, &budget, seed));
        assert_eq!(search(1), search(1), "{text}");
        assert_ne!(search(1), search(2), "{text}");
    }
}

#[test]
fn limits_are_kept_and_counted() {
    let position = Position::new(Rules::CONNECT_FOUR);
    let report = monte_carlo(&position, &playouts(100), &Budget::unlimited(), 1);
    assert_eq!((report.playouts, report.ended), (100, Ended::Completed));
    assert_eq!(report.moves.iter().map(|mv| mv.visits).sum::<u64>(), 100);
    assert!(report.nodes > 1000, "playouts count: {}", report.nodes);

    let budget = Budget::unlimited().with_nodes(5000);
    let mut options = playouts(1);
    options.playouts = None;
    let report = monte_carlo(&position, &options, &budget, 1);
    assert_eq!((report.nodes, report.ended), (5000, Ended::Halted(Halt::Nodes)));
    assert_eq!(budget.nodes_left(), Some(0));
    assert!(report.best.is_some());

    let moves = parse_moves(&Rules::CONNECT_FOUR, "1212121").unwrap();
    let over = Position::from_moves(Rules::CONNECT_FOUR, &moves).unwrap();
    let report = monte_carlo(&over, &playouts(10), &Budget::unlimited(), 1);
    assert_eq!((report.best, report.verdict), (None, Verdict::Loss { plies: Some(0) }));
}

#[test]
fn wins_and_blocks_are_seen() {
    for text in GAMES {
        let rules: Rules = text.parse().unwrap();
        for position in positions(&rules, 40) {
            let report = monte_carlo(&position, &playouts(500), &Budget::unlimited(), 3);
            let best = report.best.unwrap();
            let (wins, threats) = (position.winning_moves(), position.threatened_moves());
            if !wins.is_empty() {
                assert!(wins.contains(&best), "{rules} {position:?}");
            } else if threats.len() == 1 && sign(report.verdict) != Some(-1) {
                assert_eq!(best, threats[0], "{rules} {position:?}");
            }
        }
    }
}

#[test]
fn more_playouts_play_better() {
    let players = ["mcts:playouts=400", "mcts:playouts=20"].map(|text| text.parse().unwrap());
    let contest = Match::new("6x5c4".parse().unwrap(), players).with_games(60).with_seed(1);
    let result = run_match(&contest, &Budget::unlimited(), |_, _| ()).unwrap();
    assert!(result.seats[0].wins > 2 * result.seats[1].wins, "{result:?}");
}

#[test]
fn specs_are_read_and_written() {
    for (text, shown) in [
        ("mcts", "mcts:playouts=1000"),
        ("mcts:50", "mcts:playouts=50"),
        ("mcts:nodes=5000", "mcts:nodes=5000"),
        ("mcts:nodes=5000,playouts=7,random=0.5", "mcts:playouts=7,nodes=5000,random=0.5"),
        (
            "mcts:time=10,policy=random,proven=off,exploration=0.5",
            "mcts:time=10,exploration=0.5,policy=random,proven=off",
        ),
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), shown);
        assert_eq!(shown.parse::<PlayerSpec>().unwrap(), spec);
    }
    for (text, error) in [
        ("mcts:0", "playouts=0 makes no sense: it is a number of playouts from 1 to 1000000000"),
        ("mcts:exploration=-1", "exploration=-1 makes no sense: it is a number from 0 to 100"),
        ("mcts:exploration=NaN", "exploration=NaN makes no sense: it is a number from 0 to 100"),
        ("mcts:policy=best", "policy=best makes no sense: playouts are random or naive"),
        ("mcts:playout=3", "mcts takes no argument \"playout\"; did you mean playouts?"),
    ] {
        assert_eq!(text.parse::<PlayerSpec>().unwrap_err().to_string(), error);
    }
}

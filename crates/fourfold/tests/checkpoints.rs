//! Solves that are killed and go on from a checkpoint: the same results, for about the same nodes.

use fourfold::budget::{Budget, Clock, Progress};
use fourfold::game::{Position, Rules, notation};
use fourfold::random::Random;
use fourfold::solver::{
    AnalysisOptions, Checkpoint, CheckpointError, Idea, Ideas, SolveError, Solver, SolverOptions,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn rules(game: &str) -> Rules {
    game.parse().unwrap_or_else(|why| panic!("{why}"))
}

fn position(game: &str, moves: &str) -> Position {
    let entry = notation::Reader::new().rules(&rules(game)).read(moves);
    entry.unwrap_or_else(|why| panic!("{game} {moves}: {why}")).position
}

const MINUTE: Duration = Duration::from_secs(60);

/// A solver that goes on from the bytes of a checkpoint, if there are any.
fn solver(game: &str, options: SolverOptions, from: Option<&[u8]>) -> Solver {
    let mut solver = Solver::new(&rules(game), options).expect("memory");
    solver.keep_checkpoints(MINUTE, |_| {});
    if let Some(bytes) = from {
        let checkpoint = Checkpoint::read(bytes).expect("it is whole");
        solver.go_on_from(&checkpoint).expect("it is of the game");
    }
    solver
}

/// Solves a position in parts of a random number of nodes, each by a new solver with the next
/// options. Returns the score, the nodes of all parts, and how many parts there were.
fn in_parts(
    position: &Position,
    game: &str,
    options: &[SolverOptions],
    part_nodes: u64,
    random: &mut Random,
) -> (i32, u64, usize) {
    let mut bytes: Option<Vec<u8>> = None;
    let (mut nodes, mut known) = (0, None);
    for part in 0.. {
        let mut solver = solver(game, options[part % options.len()], bytes.as_deref());
        let most = 1 + random.below(2 * part_nodes as usize) as u64;
        let budget = Budget::unlimited().with_nodes(most);
        let result = solver.solve(position, &budget);
        nodes += budget.spent();
        let checkpoint = solver.checkpoint().expect("it keeps them");
        assert_eq!(checkpoint.nodes(), nodes, "{game}: what all parts took");
        let bounds = checkpoint.bounds(position).expect("it was asked for");
        if let Some((lower, upper)) = known {
            assert!(lower <= bounds.0 && bounds.1 <= upper, "{game}: nothing is forgotten");
        }
        known = Some(bounds);
        match result {
            Ok(solved) => {
                assert_eq!(bounds, (solved.score, solved.score), "{game}");
                return (solved.score, nodes, part + 1);
            }
            Err(SolveError::Unfinished { lower, upper, .. }) => assert_eq!(bounds, (lower, upper)),
            Err(why) => panic!("{game}: {why}"),
        }
        let written = checkpoint.to_bytes();
        assert_eq!(Checkpoint::read(&written).as_ref(), Ok(&checkpoint), "{game}");
        bytes = Some(written);
    }
    unreachable!("the loop has no end")
}

/// Positions for every engine and kind of key: byte columns, packed into 64 and 128 bits, other
/// lines, free placement.
const GAMES: [(&str, &str); 7] = [
    ("7x5c4", "4444"),
    ("6x6c4", "332"),
    ("9x4c4", "55554"),
    (
        "12x6c4",
        "11,11,1,1,10,5,1,1,1,5,6,9,2,12,12,2,10,9,5,5,6,5,4,7,8,5,10,2,2,2,11,12,12,3,3,7,11,10,8,\
         8,10,3",
    ),
    ("6x5c5", ""),
    ("5x6c5", "33"),
    ("6x5c4f", "c3"),
];

#[test]
fn a_solve_that_is_killed_again_and_again_goes_on() {
    let usual = SolverOptions::default();
    let mut long = 0;
    for (index, (game, moves)) in GAMES.into_iter().enumerate() {
        let position = position(game, moves);
        let mut whole = Solver::new(&rules(game), usual).expect("memory");
        let solved = whole.solve(&position, &Budget::unlimited()).expect("no limit");
        let mut random = Random::for_item(91, index as u64);
        for divisor in [3, 12] {
            let part = (solved.nodes / divisor).max(500);
            let (score, nodes, parts) = in_parts(&position, game, &[usual], part, &mut random);
            let case = format!("{game}: {nodes} nodes in {parts} parts, {} in one", solved.nodes);
            assert_eq!(score, solved.score, "{case}");
            // A part begins with an empty table for late positions and without history.
            let room = solved.nodes / 2 + 2000 * parts as u64;
            assert!(nodes <= solved.nodes + room, "{case}");
            long += usize::from(parts > 2 && solved.nodes > 4000);
        }
    }
    assert!(long >= 10, "{long} solves had more than two parts");
}

/// Table sizes, threads, processors and ideas may change from part to part.
#[test]
fn a_checkpoint_fits_every_solver_of_the_game() {
    let usual = SolverOptions::default();
    let ideas = Ideas::ALL.without(Idea::Claimeven).expect("every build can");
    let options = [
        usual.with_memory(1),
        usual.with_memory(64),
        usual.with_threads(2),
        usual.with_ideas(ideas).with_portable(true),
        usual.with_memory(2).with_threads(3),
    ];
    for (index, (game, moves)) in GAMES.into_iter().enumerate() {
        let position = position(game, moves);
        let mut whole = Solver::new(&rules(game), usual).expect("memory");
        let solved = whole.solve(&position, &Budget::unlimited()).expect("no limit");
        let mut random = Random::for_item(92, index as u64);
        let part = (solved.nodes / 5).max(500);
        let (score, ..) = in_parts(&position, game, &options, part, &mut random);
        assert_eq!(score, solved.score, "{game}");
    }
}

/// Whatever is asked of a solver goes through checkpoints: weak solutions, analyses, lines.
#[test]
fn analyses_and_lines_go_on_too() {
    let (game, moves) = ("6x5c4", "3344");
    let position = position(game, moves);
    let mut plain = Solver::new(&rules(game), SolverOptions::default()).expect("memory");
    let unlimited = Budget::unlimited();
    let line = plain.line(&position, &unlimited).expect("no limit").moves;
    let scores = |solver: &mut Solver, budget: &Budget| {
        let options = AnalysisOptions::default();
        solver.analyse_with(&position, options, budget, |_| {}).expect("its game").scores()
    };
    let truth = scores(&mut plain, &unlimited).expect("no limit");
    let mut bytes: Option<Vec<u8>> = None;
    let mut parts = 0;
    loop {
        let mut solver = solver(game, SolverOptions::default(), bytes.as_deref());
        let budget = Budget::unlimited().with_nodes(1000);
        if let Some(found) = scores(&mut solver, &budget) {
            assert_eq!(found, truth);
            assert_eq!(solver.line(&position, &unlimited).expect("no limit").moves, line);
            let weakly = solver.solve_weakly(&position, &unlimited).expect("no limit");
            let best = truth.iter().map(|found| found.score).max().expect("it has moves");
            assert_eq!(weakly.score, best.signum());
            break;
        }
        parts += 1;
        bytes = Some(solver.checkpoint().expect("it keeps them").to_bytes());
    }
    assert!(parts > 2, "{parts}");
}

/// A clock that goes on by 40 ms each time it is read.
fn ticking() -> Clock {
    static NOW: AtomicU64 = AtomicU64::new(0);
    Clock::new(|| Duration::from_millis(NOW.fetch_add(40, Ordering::Relaxed)))
}

#[test]
fn checkpoints_come_at_intervals_and_progress_is_guessed() {
    let position = position("7x5c4", "4444");
    for threads in [1, 2] {
        let options = SolverOptions::default().with_threads(threads);
        let mut solver = Solver::new(position.rules(), options).expect("memory");
        let saved: Arc<Mutex<Vec<Checkpoint>>> = Arc::default();
        let (keep, progress) = (Arc::clone(&saved), Arc::new(Progress::default()));
        let told = Arc::clone(&progress);
        let shares: Arc<Mutex<Vec<Option<u32>>>> = Arc::default();
        let guesses = Arc::clone(&shares);
        solver.keep_checkpoints(Duration::from_secs(3), move |checkpoint| {
            let share = told.share_done().map(|share| share.per_mille);
            guesses.lock().expect("no panic").push(share);
            keep.lock().expect("no panic").push(checkpoint);
        });
        let budget = Budget::unlimited().with_clock(ticking()).with_progress(progress.clone());
        let solved = solver.solve(&position, &budget).expect("no limit");
        assert_eq!(progress.nodes(), solved.nodes);
        assert!(progress.entries() > 100, "{}", progress.entries());
        let saved = saved.lock().expect("no panic");
        assert!(saved.len() > 3, "{}", saved.len());
        assert!(saved.is_sorted_by_key(Checkpoint::nodes));
        assert!(saved.is_sorted_by_key(Checkpoint::time));
        assert!(saved.last().is_some_and(|last| last.entries() > 100));
        let shares = shares.lock().expect("no panic");
        assert!(shares.iter().flatten().all(|&share| share <= 1000), "{shares:?}");
        assert!(shares.iter().flatten().any(|&share| share > 0), "{shares:?}");
        // Any of them leads to the same result.
        for checkpoint in saved.iter() {
            let mut other = Solver::new(position.rules(), options).expect("memory");
            other.go_on_from(checkpoint).expect("it is of the game");
            let again = other.solve(&position, &Budget::unlimited()).expect("no limit");
            assert_eq!(again.score, solved.score);
        }
    }
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let position = position("6x4c4", "");
    let mut solver = solver("6x4c4", SolverOptions::default(), None);
    assert_eq!(solver.checkpoint().expect("it keeps them").entries(), 0);
    let budget = Budget::unlimited().with_nodes(300);
    assert!(solver.solve(&position, &budget).is_err(), "it takes more nodes");
    let checkpoint = solver.checkpoint().expect("it keeps them");
    let bytes = checkpoint.to_bytes();
    assert_eq!(Checkpoint::read(&bytes), Ok(checkpoint.clone()));
    for length in 0..bytes.len() {
        assert!(Checkpoint::read(&bytes[..length]).is_err(), "the first {length} bytes");
    }
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(Checkpoint::read(&changed).is_err(), "bit {bit}");
    }
    assert!(Checkpoint::read(&[&bytes[..], &[0]].concat()).is_err(), "a byte more");
    assert_eq!(Checkpoint::read(b"4455 18\n"), Err(CheckpointError::Foreign));
    assert_eq!(Checkpoint::read(b""), Err(CheckpointError::Foreign));
    let newer = [&bytes[..7], &[3], &bytes[8..]].concat();
    assert_eq!(Checkpoint::read(&newer), Err(CheckpointError::Version(3, 2)));
    assert_eq!(Checkpoint::read(&bytes[..40]), Err(CheckpointError::Damaged));
    let mut other = Solver::new(&rules("5x5c4"), SolverOptions::default()).expect("memory");
    let refused = other.go_on_from(&checkpoint).expect_err("another game").to_string();
    assert_eq!(refused, "this solver was made for 5x5c4, not 6x4c4");
}

#[test]
fn a_solver_that_keeps_none_has_none() {
    let mut solver = Solver::new(&rules("5x4c4"), SolverOptions::default()).expect("memory");
    assert_eq!(solver.checkpoint(), None);
}

//! Figures of the published texts, reproduced.

use fourfold::eval::Evaluator;
use fourfold::game::{Cell, Position, Rules};
use fourfold::search::{Counters, ExplicitTree, Limits, SearchOptions, Searcher, search_tree};

fn count(position: &Position, options: &SearchOptions) -> u64 {
    let mut searcher = Searcher::new(Evaluator::Terminal, options.clone());
    let report = searcher.search(position, &Limits::depth(9), 0).unwrap();
    report.counters.nodes
}

/// The lecture counts calls below the root; wins are worth the same whenever they come.
fn calls(position: &Position, alpha_beta: bool, exact_root: bool) -> u64 {
    let options = SearchOptions::default()
        .with_alpha_beta(alpha_beta)
        .with_exact_root(exact_root)
        .with_distance(false);
    count(position, &options) - 1
}

#[test]
fn tic_tac_toe_calls_of_the_lecture() {
    let empty = Position::new(Rules::TIC_TAC_TOE);
    assert_eq!(calls(&empty, false, false), 549_945);
    assert_eq!(calls(&empty, true, true), 30_709, "a fresh window for each first move");
    assert_eq!(calls(&empty, true, false), 18_296, "one window at the root");
    // The human begins at a corner, an edge, the centre.
    for (cell, minimax, alpha_beta) in [
        (Cell { column: 0, row: 2 }, 59_704, 4_089),
        (Cell { column: 1, row: 2 }, 63_904, 6_061),
        (Cell { column: 1, row: 1 }, 55_504, 6_138),
    ] {
        let position = empty.play(empty.place(cell).unwrap()).unwrap();
        assert_eq!(calls(&position, false, false), minimax, "after {cell}");
        assert_eq!(calls(&position, true, true), alpha_beta, "after {cell}");
    }
}

#[test]
fn symmetry_leaves_three_first_moves_of_tic_tac_toe() {
    let options = SearchOptions::default().with_symmetry(true);
    let mut searcher = Searcher::new(Evaluator::OpenLines, options);
    let report = searcher.search(&Position::new(Rules::TIC_TAC_TOE), &Limits::depth(2), 0).unwrap();
    assert_eq!(report.moves.iter().filter(|mv| mv.same_as.is_none()).count(), 3);
}

#[test]
fn open_lines_at_depth_two() {
    let options = SearchOptions::default().with_exact_root(true).with_symmetry(true);
    let mut searcher = Searcher::new(Evaluator::OpenLines, options);
    let report = searcher.search(&Position::new(Rules::TIC_TAC_TOE), &Limits::depth(2), 0).unwrap();
    let scores: Vec<i32> = report.moves.iter().map(|mv| mv.score.unwrap()).collect();
    assert_eq!(scores, [-1, -2, -1, -2, 1, -2, -1, -2, -1]);
}

#[test]
fn the_practice_problem() {
    let tree: ExplicitTree =
        "((((8 9)(7 4))((6 7)(3 3)))(((8 9)(6 9))((1 4)(2 6))))".parse().unwrap();
    let mut counters = Counters::default();
    let report =
        search_tree(&tree, &SearchOptions::default(), &Limits::depth(9), 0, &mut counters).unwrap();
    assert_eq!(report.value, 6);
    assert_eq!(report.best.unwrap().to_string(), "E-1");
}

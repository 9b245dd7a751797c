//! Without a mistake the grader's search answers as the library's does; with one it answers
//! otherwise somewhere.

use fourfold::search::{ExplicitTree, SearchOptions};
use fourfold_app::trees::TreeSearch;
use fourfold_teach::diagnosis::agrees;
use fourfold_teach::expand::Grown;
use fourfold_teach::search::answer;
use fourfold_teach::{Algorithm, Answer, Fault, Faults, Input, SearchPart, suite};

/// What the library answers.
fn by_the_library(input: &Input) -> Answer {
    let grown = Grown::of(input).unwrap();
    let tree: ExplicitTree = grown.node.to_string().parse().unwrap();
    let options = match input.algorithm {
        Algorithm::Minimax => SearchOptions::minimax(),
        Algorithm::AlphaBeta => SearchOptions::default(),
    };
    let tree = tree.with_root_turn(grown.root);
    let search = TreeSearch::search(tree, options, 0, usize::MAX, None).unwrap();
    let best = search.report.best.map(|best| grown.moves()[best.index() - 1] as i64);
    let leaves = search.trace.leaves().iter().filter_map(|&leaf| search.tree.leaf_value(leaf));
    let leaves: Vec<i64> = leaves.map(i64::from).collect();
    Answer {
        value: Some(i64::from(search.report.value)),
        mv: best,
        visited: Some(leaves.len() as u64),
        leaves: Some(leaves),
    }
}

#[test]
fn without_a_mistake_it_agrees_with_the_library() {
    for part in SearchPart::ALL {
        for number in 0..1500 {
            let input = suite::candidate(part, 7, number);
            assert_eq!(answer(&input, Faults::NONE), by_the_library(&input), "{input:?}");
        }
    }
}

#[test]
fn every_mistake_shows_in_some_question() {
    let questions: Vec<Input> = SearchPart::ALL
        .iter()
        .flat_map(|&part| suite::questions(part, suite::STANDARD_SEED))
        .collect();
    for &fault in Fault::ALL {
        let wrong = |input: &&Input| {
            !agrees(&answer(input, Faults::of(&[fault])), &answer(input, Faults::NONE))
        };
        let shown = questions.iter().filter(wrong).count();
        assert!(shown > 0, "{fault}");
    }
}

//! Samples of searches, for the trainer of the policy networks.
#![cfg(feature = "training")]

use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use fourfold::solver::{
    MoveOrder, MoveOutcome, NodeSample, OrderForm, Sampling, Solver, SolverOptions,
};

fn solver(rules: &Rules) -> Solver {
    Solver::new(rules, SolverOptions::default()).unwrap()
}

fn positions(rules: &Rules, count: usize, plies: u32) -> Vec<Position> {
    let mut random = Random::new(4);
    let mut positions = Vec::new();
    while positions.len() < count {
        let range = plies..=plies + 4;
        let found = fourfold::play::random_position(rules, range, &mut random);
        positions.extend(found.map(|(position, _)| position));
    }
    positions
}

fn sampling(every: u64) -> Sampling {
    Sampling { every: [every, every], most_nodes: 20_000, seed: 1 }
}

fn samples(rules: &Rules, every: u64) -> Vec<NodeSample> {
    let mut solver = solver(rules);
    let sample = |position: &Position| {
        solver.forget();
        solver.sample(position, &Budget::unlimited(), &sampling(every)).unwrap()
    };
    positions(rules, 20, rules.cells() / 4).iter().flat_map(sample).collect()
}

/// The position of a move's inputs: discs by cell, W's first.
fn position_of(rules: &Rules, inputs: &[u16]) -> Option<Position> {
    let (cells, height) = (rules.cells() as usize, rules.height() as usize);
    let has = |player: usize, column: usize, row: usize| {
        inputs.contains(&((player * cells + column * height + row) as u16))
    };
    let rows = (0..height).rev().map(|row| {
        let cell = |column: usize| match [0, 1].map(|player| has(player, column, row)) {
            [true, false] => 'x',
            [false, true] => 'o',
            _ => '.',
        };
        (0..rules.width() as usize).map(cell).collect::<String>() + "\n"
    });
    let text: String = rows.collect();
    let entry = fourfold::game::notation::Reader::new().rules(rules).read(&text).ok()?;
    Some(entry.position)
}

#[test]
fn samples_agree_with_the_scores_of_the_solver() {
    for game in ["5x4c4", "6x5c4", "9x4c4"] {
        let rules: Rules = game.parse().unwrap();
        let form = OrderForm::new(&rules).unwrap();
        let mut solver = solver(&rules);
        let (mut cutoffs, mut in_vain) = (0, 0);
        for sample in samples(&rules, 8).iter().take(120) {
            assert!(sample.moves.len() > 1);
            assert!(sample.moves.iter().any(|mv| mv.outcome == MoveOutcome::Cutoff));
            for mv in &sample.moves {
                let most = form.inputs(sample.large);
                let inputs = [&sample.shared_inputs[..], &mv.inputs].concat();
                assert!(inputs.iter().all(|&input| usize::from(input) < most));
                let by_all = |input| sample.moves.iter().all(|mv| mv.inputs.contains(input));
                assert!(!mv.inputs.iter().any(by_all), "what all moves set is shared");
                let Some(reached) = position_of(&rules, &inputs) else { continue };
                let solved = solver.solve(&reached, &Budget::unlimited()).unwrap();
                // The score is for the side to move there, which need not be the other one.
                let mover = sample.role % 2 == reached.ply() as usize % 2;
                let score = if mover { solved.score } else { -solved.score };
                match mv.outcome {
                    MoveOutcome::Cutoff => {
                        assert!(
                            score > sample.alpha,
                            "{game}: {score} {}\n{reached}",
                            sample.alpha
                        );
                        cutoffs += 1;
                    }
                    MoveOutcome::InVain => {
                        assert!(
                            score <= sample.alpha,
                            "{game}: {score} {}\n{reached}",
                            sample.alpha
                        );
                        in_vain += 1;
                    }
                    MoveOutcome::Unknown => {}
                }
            }
        }
        assert!(cutoffs > 30 && in_vain > 15, "{game}: {cutoffs} and {in_vain}");
    }
}

#[test]
fn a_sampled_search_finds_the_same_and_goes_on_as_if_nothing_had_happened() {
    let rules: Rules = "6x5c4".parse().unwrap();
    let mut sampled = solver(&rules);
    for position in positions(&rules, 10, 6) {
        let mut plain = solver(&rules);
        let found = plain.solve(&position, &Budget::unlimited()).unwrap();
        sampled.forget();
        let budget = Budget::unlimited();
        let samples = sampled.sample(&position, &budget, &sampling(50)).unwrap();
        assert_eq!(budget.spent(), found.nodes, "{} samples\n{position}", samples.len());
        // What is known afterwards is true.
        assert_eq!(sampled.solve(&position, &Budget::unlimited()).unwrap().score, found.score);
    }
}

#[test]
fn samples_depend_on_the_seed_alone_and_stop_with_the_budget() {
    let rules: Rules = "6x5c4".parse().unwrap();
    assert_eq!(samples(&rules, 30), samples(&rules, 30));
    let position = Position::new(rules);
    let budget = Budget::unlimited().with_nodes(20_000);
    let found = solver(&rules).sample(&position, &budget, &sampling(30)).unwrap();
    assert!(!found.is_empty());
    assert!(budget.spent() <= 20_000);
    let others: Rules = "5x5c5".parse().unwrap();
    let found =
        solver(&others).sample(&Position::new(others), &Budget::unlimited(), &sampling(1)).unwrap();
    assert!(found.is_empty(), "no networks for lines of five");
}

#[test]
fn quantised_weights_come_back_as_they_were() {
    let rules: Rules = "6x5c4".parse().unwrap();
    let form = OrderForm::new(&rules).unwrap();
    let networks: Vec<_> =
        (0..8).map(|index| form.tuned(index % OrderForm::ROLES, index >= 4)).collect();
    let weights = form.quantised(&networks, "nothing".to_owned(), "a test".to_owned()).unwrap();
    let back = form.networks(&weights).unwrap();
    let again = form.quantised(&back, "nothing".to_owned(), "a test".to_owned()).unwrap();
    assert_eq!(weights, again);
    for (one, other) in networks.iter().zip(&back) {
        let close = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.01);
        assert!(close(&one.rows, &other.rows) && close(&one.output, &other.output));
    }
    // It ranks much as the tuned weights do: nearly as many nodes, and far fewer than without.
    let count = |order: &MoveOrder| {
        let mut solver = solver(&rules).with_order(order);
        let positions = positions(&rules, 15, 6);
        positions
            .iter()
            .map(|at| solver.solve(at, &Budget::unlimited()).unwrap().nodes)
            .sum::<u64>()
    };
    let (tuned, linear) = (count(&MoveOrder::Tuned), count(&MoveOrder::Learned(weights.into())));
    assert!(linear < 2 * tuned, "{linear} nodes, {tuned} with the tuned weights");
}

//! The gradient, and a whole training in small.

use super::*;
use network::{BoardNetwork, Passes};
use std::sync::atomic::AtomicBool;

fn options(games: &str) -> OrderOptions {
    let games: Vec<Rules> = games.split(',').map(|game| game.parse().unwrap()).collect();
    OrderOptions {
        rounds: 2,
        positions: 60,
        tests: 40,
        every: [12, 4],
        epochs: 6,
        ..OrderOptions::new(&games)
    }
}

fn quiet(_: OrderStep, _: u64, _: u64) {}

#[test]
fn the_gradient_is_that_of_the_loss() {
    for games in ["5x4c4", "5x4c4,5x5c4"] {
        check_gradient(OrderOptions { positions: 6, ..options(games) });
    }
}

fn check_gradient(options: OrderOptions) {
    let training = OrderTraining::new(options, String::new()).unwrap();
    let samples = training.sample(1, &Budget::unlimited(), &mut quiet).unwrap();
    let mut random = Random::new(3);
    for large in [false, true] {
        let is_large = |node: &&SampledNode| usize::from(node.network) / OrderForm::ROLES == 1;
        let nodes: Vec<_> = samples.iter().filter(|node| is_large(node) == large).collect();
        let Some(node) = nodes.iter().max_by_key(|node| node.pairs.len()) else { continue };
        let forms = training.form.boards(large);
        let mut network = Network::new(&training.form, large, &training.form.tuned(1, large));
        network.wake(&mut random);
        let mut board = BoardNetwork::new(&forms[usize::from(node.game)], &network);
        let mut passes = Passes::default();
        let mut learn = |network: &Network| {
            board.take(network, &network.numbers);
            let (mut own, mut gradient) = (board.gradient(), vec![0.0; network.numbers.len()]);
            let loss = board.learn(node, 1e-3, &mut passes, &mut own) * 1e-3;
            board.give(network, &own, &mut gradient);
            (loss, gradient)
        };
        let gradient = learn(&network).1;
        let touched: Vec<usize> =
            (0..gradient.len()).filter(|&index| gradient[index].abs() > 1e-3).collect();
        assert!(touched.len() > 20, "{}", touched.len());
        let mut close = 0;
        for _ in 0..60 {
            let index = *random.pick(&touched).unwrap();
            let was = network.numbers[index];
            network.numbers[index] = was + 2e-3;
            let above = learn(&network).0;
            network.numbers[index] = was - 2e-3;
            let slope = (above - learn(&network).0) / 4e-3;
            network.numbers[index] = was;
            let found = f64::from(gradient[index]);
            close += usize::from((slope - found).abs() < 1e-4 + 0.1 * found.abs());
        }
        // A unit may cross zero within the step.
        assert!(close > 50, "{close} of 60");
    }
}

#[test]
fn a_small_training_saves_nodes_on_positions_it_has_not_seen() {
    let budget = Budget::unlimited();
    let mut training = OrderTraining::new(options("5x5c4"), "a test".to_owned()).unwrap();
    let round = training.run_round(2, &budget, &mut quiet).unwrap();
    assert!(round.samples > 500, "{}", round.samples);
    assert!(round.fits.iter().any(|fit| fit.nodes > 0 && fit.after < fit.before), "{round:?}");
    let (first, samples) = (training.weights().unwrap(), training.samples());
    training.run_round(1, &budget, &mut quiet).unwrap();
    let tests = training.test(2, &budget, &mut quiet).unwrap();
    assert!(tests.ratio() < 1.0, "{tests:?}");
    let last = training.weights().unwrap();
    assert_eq!(training.best(), Some(&(last.clone(), tests)));

    // From what the first round has written, the second gives the same on any number of threads.
    let mut resumed = OrderTraining::new(options("5x5c4"), "a test".to_owned()).unwrap();
    for cut in [0, 7, samples.len() / 2, samples.len() - 1] {
        let refused = resumed.take_round(&first, &samples[..cut]);
        assert_eq!(refused, Err(OrderError::Samples { round: 1 }));
    }
    let mut damaged = samples.clone();
    damaged[samples.len() / 2] ^= 4;
    assert_eq!(resumed.take_round(&first, &damaged), Err(OrderError::Samples { round: 1 }));
    resumed.take_round(&OrderWeights::read(&first.to_bytes()).unwrap(), &samples).unwrap();
    assert!(resumed.take_round(&first, &samples).is_err(), "the round is over");
    resumed.run_round(2, &budget, &mut quiet).unwrap();
    assert_eq!(resumed.weights().unwrap(), last);
}

#[test]
fn universal_networks_save_nodes_and_order_the_moves_of_other_boards() {
    let budget = Budget::unlimited();
    let mut training = OrderTraining::new(options("6x4c4,5x5c4"), "a test".to_owned()).unwrap();
    training.run_round(2, &budget, &mut quiet).unwrap();
    let (first, samples) = (training.weights().unwrap(), training.samples());
    assert_eq!(first.game(), None);
    training.run_round(1, &budget, &mut quiet).unwrap();
    let tests = training.test(2, &budget, &mut quiet).unwrap();
    assert_eq!(tests.games().count(), 2);
    assert!(tests.games().all(|(_, [tuned, nodes])| nodes < tuned), "{tests:?}");

    let mut resumed = OrderTraining::new(options("6x4c4,5x5c4"), "a test".to_owned()).unwrap();
    resumed.take_round(&OrderWeights::read(&first.to_bytes()).unwrap(), &samples).unwrap();
    resumed.run_round(2, &budget, &mut quiet).unwrap();
    assert_eq!(resumed.weights().unwrap(), training.weights().unwrap());

    // On a board that they have not seen the order is another, and the scores are the same.
    let other = OrderTraining::new(options("6x5c4"), String::new()).unwrap();
    let learned = MoveOrder::Learned(training.weights().unwrap().into());
    let (mut nodes, mut solvers) = ([0; 2], [other.solvers(), other.solvers()]);
    for number in 0..12 {
        let Some(position) = other.position(0, 0, number).unwrap() else { continue };
        let mut solve = |index: usize, order: &MoveOrder| {
            let solver = other.solver(&mut solvers[index], 0, order).unwrap();
            let part = budget.part();
            let solution = solver.solve(&position, &part).unwrap();
            nodes[index] += part.spent();
            solution.verdict
        };
        assert_eq!(solve(0, &MoveOrder::Tuned), solve(1, &learned));
    }
    assert_ne!(nodes[0], nodes[1]);
}

#[test]
fn a_training_can_be_stopped_and_other_games_are_refused() {
    let mut training = OrderTraining::new(options("6x4c4"), String::new()).unwrap();
    let stop = std::sync::Arc::new(AtomicBool::new(true));
    let budget = Budget::unlimited().with_stop(stop);
    let ended = training.run_round(2, &budget, &mut quiet);
    assert_eq!(ended, Err(OrderError::Stopped));
    assert_eq!(training.round(), 0);
    for game in ["5x5c5", "tictactoe", "10x6c4"] {
        for games in [game.to_owned(), format!("6x4c4,{game}")] {
            let refused = OrderTraining::new(options(&games), String::new());
            assert!(matches!(refused, Err(OrderError::Weights(_))), "{games}");
        }
    }
}

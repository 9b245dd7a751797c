//! The examples run to their end, and what they assert holds.

#[path = "../examples/own_evaluator.rs"]
mod own_evaluator;
#[path = "../examples/own_player.rs"]
mod own_player;

#[test]
fn an_evaluator_of_ones_own() {
    own_evaluator::main().unwrap();
}

#[test]
fn a_player_of_ones_own() {
    own_player::main().unwrap();
}

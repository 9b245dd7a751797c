//! Orders of moves that lead to a position: found whenever there is one, and right.

use fourfold::game::{HistoryError, Position, Rules};
use fourfold::random::Random;
use std::collections::HashSet;

/// Plays a random game for at most `plies` moves.
fn random_position(rules: Rules, plies: usize, random: &mut Random) -> Position {
    let mut position = Position::new(rules);
    for _ in 0..plies {
        match random.pick(&position.legal_moves()) {
            Some(&mv) => position = position.play(mv).expect("legal"),
            None => break,
        }
    }
    position
}

fn rules(text: &str) -> Rules {
    text.parse().expect("rules")
}

#[test]
fn every_played_position_gets_an_order_that_leads_to_it() {
    let games = [
        "7x6c4", "7x6s2", "3x3c3f", "4x4c4", "9x7c4", "12x9c5", "18x6c4", "8x15c6", "64x1c2",
        "15x7c5f", "11x10s3", "5x5c4f",
    ];
    let mut random = Random::new(1);
    for game in games.map(rules) {
        for _ in 0..200 {
            let plies = random.below(game.cells() as usize + 1);
            let position = random_position(game, plies, &mut random);
            let moves =
                position.some_moves().unwrap_or_else(|why| panic!("{game}: {why}\n{position}"));
            assert_eq!(Position::from_moves(game, &moves), Ok(position), "{game}");
        }
    }
}

/// Every board of a small game whose discs can lie so, reachable or not.
fn all_setups(rules: Rules) -> Vec<Position> {
    let (width, height) = (rules.width(), rules.height());
    // A column: a marker above its discs, a bit per disc.
    let columns = 2u128 << height;
    let mut found = Vec::new();
    for code in 0..columns.pow(width) {
        let (mut first, mut second, mut rest, mut valid) = (0u128, 0u128, code, true);
        for column in 0..width {
            let packed = rest % columns;
            rest /= columns;
            valid &= packed > 0;
            let discs = 127 - packed.max(1).leading_zeros();
            let all = (1u128 << discs) - 1;
            first |= (packed & all) << (column * rules.stride());
            second |= (!packed & all) << (column * rules.stride());
        }
        if valid {
            found.extend(Position::from_discs(rules, first, second));
        }
    }
    found
}

#[test]
fn says_exactly_of_the_unreachable_that_they_are() {
    for game in ["4x3c3", "3x4c3", "3x3s2", "4x2c2"].map(rules) {
        let mut reachable = HashSet::from([Position::new(game)]);
        let mut open = vec![Position::new(game)];
        while let Some(position) = open.pop() {
            for mv in position.legal_moves() {
                let next = position.play(mv).expect("legal");
                if reachable.insert(next) {
                    open.push(next);
                }
            }
        }
        let setups = all_setups(game);
        assert!(setups.len() > reachable.len(), "{game}: some setups are out of reach");
        for position in setups {
            match position.some_moves() {
                Ok(moves) => assert_eq!(Position::from_moves(game, &moves), Ok(position)),
                Err(HistoryError::Unreachable) => {
                    assert!(!reachable.contains(&position), "{position}");
                }
                Err(why) => panic!("{game}: {why}"),
            }
        }
    }
}

//! The accumulator, the symmetry and the file of networks.

use super::*;
use crate::eval::Evaluator;
use crate::game::Position;
use crate::random::Random;

/// A network of random weights.
pub(crate) fn random_net(rules: &Rules, units: usize, seed: u64) -> NetWeights {
    let mut random = Random::new(seed);
    let inputs = NetInputs::new(rules).unwrap();
    let mut words = |count: usize, most: usize| -> Vec<i16> {
        (0..count).map(|_| random.below(2 * most + 1) as i16 - most as i16).collect()
    };
    let heads = (0..BUCKETS)
        .map(|_| Head {
            second: words(units * SECOND, 200),
            second_bias: words(SECOND, 9000).into_iter().map(i32::from).collect(),
            third: words(SECOND * THIRD, 200),
            third_bias: words(THIRD, 9000).into_iter().map(i32::from).collect(),
            output: words(THIRD, 200),
            output_bias: i32::from(words(1, 5000)[0]),
        })
        .collect();
    let bias = words(units, 100);
    let rows = words(units * inputs.count(), 100).into_iter().map(|weight| weight as i8).collect();
    let trained_on = "nothing".to_owned();
    NetWeights { rules: *rules, units, trained_on, bias, rows, heads }
}

/// The positions of random games, one after the other.
fn positions(rules: &Rules, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    for _ in 0..20 {
        let mut position = Position::new(*rules);
        while !position.outcome().is_over() {
            found.push(position);
            let mv = *random.pick(&position.legal_moves()).unwrap();
            position = position.play_unchecked(mv);
        }
    }
    found
}

fn discs(position: &Position) -> Discs {
    let (own, all) = position.bits();
    let (own, other) = (own as u64, (own ^ all) as u64);
    if position.to_move() == Side::First { [own, other] } else { [other, own] }
}

#[test]
fn an_updated_accumulator_is_the_one_made_anew() {
    for game in ["7x6c4", "5x4c4", "7x6s2", "8x7c4", "4x8c4"] {
        let rules: Rules = game.parse().unwrap();
        let net = random_net(&rules, 16, 1).net().unwrap();
        let mut updated = net.accumulator([0, 0]);
        let mut list = positions(&rules, 2);
        // Neighbours, then positions from anywhere.
        let mut random = Random::new(3);
        for _ in 0..200 {
            list.push(list[random.below(list.len())]);
        }
        for position in list {
            net.update(&mut updated, discs(&position));
            let anew = net.accumulator(discs(&position));
            assert_eq!(updated.units, anew.units, "{game} {position:?}");
        }
    }
}

#[test]
fn mirror_images_are_worth_the_same() {
    for game in ["7x6c4", "6x5c4", "7x6s2"] {
        let rules: Rules = game.parse().unwrap();
        let weights = random_net(&rules, 32, 5);
        let net = Arc::new(weights.net().unwrap());
        let evaluator = Evaluator::OwnNet(Arc::clone(&net));
        let mut seen = std::collections::HashSet::new();
        for position in positions(&rules, 7) {
            let value = net.evaluate(discs(&position));
            assert_eq!(value, net.evaluate(discs(&position.mirror())), "{game} {position:?}");
            assert_eq!(evaluator.evaluate(&position, Side::First), Ok(value));
            assert_eq!(evaluator.evaluate(&position, Side::Second), Ok(-value));
            seen.insert(value);
        }
        assert!(seen.len() > 100, "the net tells positions apart");
        for input in 0..net.inputs.count() as u16 {
            assert_eq!(net.inputs.mirrored(net.inputs.mirrored(input)), input);
        }
    }
}

#[test]
fn a_file_is_read_as_it_was_written_and_damage_is_refused() {
    let rules: Rules = "5x4c4".parse().unwrap();
    let weights = random_net(&rules, 16, 9);
    let bytes = weights.to_bytes();
    assert_eq!(NetWeights::of_bytes(&bytes), Ok(weights));
    for at in [0, 5, 9, 20, 1000, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(NetWeights::of_bytes(&damaged).is_err(), "byte {at}");
    }
    for length in [0, 5, 8, 20, bytes.len() - 1] {
        assert!(NetWeights::of_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    let later = [&bytes[..5], &[9], &bytes[6..]].concat();
    assert_eq!(NetWeights::of_bytes(&later), Err(NetError::Version { version: 9 }));
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(NetWeights::of_bytes(&longer), Err(NetError::Damaged));
}

/// The bytes of version 3, which did not pack the numbers.
fn plain_bytes(weights: &NetWeights) -> Vec<u8> {
    let mut bytes = b"FFNET\x03\0\0".to_vec();
    let game = weights.rules.to_string();
    bytes.push(game.len() as u8);
    bytes.extend(game.as_bytes());
    bytes.extend((weights.units as u16).to_le_bytes());
    bytes.extend((weights.trained_on.len() as u16).to_le_bytes());
    bytes.extend(weights.trained_on.as_bytes());
    let words = |words: &[i16]| -> Vec<u8> { words.iter().flat_map(|n| n.to_le_bytes()).collect() };
    let longs = |longs: &[i32]| -> Vec<u8> { longs.iter().flat_map(|n| n.to_le_bytes()).collect() };
    bytes.extend(words(&weights.bias));
    bytes.extend(weights.rows.iter().map(|&weight| weight as u8));
    for head in &weights.heads {
        bytes.extend(words(&head.second));
        bytes.extend(longs(&head.second_bias));
        bytes.extend(words(&head.third));
        bytes.extend(longs(&head.third_bias));
        bytes.extend(words(&head.output));
        bytes.extend(longs(&[head.output_bias]));
    }
    bytes
}

#[test]
fn files_of_the_version_before_are_read() {
    let rules: Rules = "5x4c4".parse().unwrap();
    let weights = random_net(&rules, 32, 11);
    let summed = |bytes: &[u8]| [bytes, &file::checksum(bytes).to_le_bytes()].concat();
    let bytes = plain_bytes(&weights);
    assert_eq!(NetWeights::of_bytes(&summed(&bytes)), Ok(weights));
    let (found, wanted) = (bytes.len() + 7, bytes.len() + 8);
    let short = NetWeights::of_bytes(&summed(&bytes[..bytes.len() - 1]));
    assert_eq!(short, Err(NetError::Length { found, wanted }));
    assert_eq!(NetWeights::of_bytes(&bytes), Err(NetError::Damaged));
}

#[test]
fn packed_numbers_that_do_not_fit_are_refused_though_the_checksum_is_right() {
    let rules: Rules = "5x4c4".parse().unwrap();
    let bytes = random_net(&rules, 16, 12).to_bytes();
    let body = &bytes[..bytes.len() - 8];
    let mut random = Random::new(13);
    for _ in 0..200 {
        let mut other = body.to_vec();
        // Behind the version and the name of the game.
        let at = 14 + random.below(other.len() - 14);
        other[at] = other[at].wrapping_add(1 + random.below(255) as u8);
        other.truncate(other.len() - random.below(3));
        other.extend(file::checksum(&other).to_le_bytes());
        // Anything but a panic; whatever is read can be used.
        if let Ok(weights) = NetWeights::of_bytes(&other) {
            let _ = weights.net().unwrap().evaluate([1, 2]);
        }
    }
}

#[test]
#[cfg(feature = "net")]
fn the_network_that_comes_with_the_library_takes_less_than_a_mebibyte() {
    let bytes = Part::Net.inside().unwrap();
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    let weights = NetWeights::of_bytes(bytes).unwrap();
    assert_eq!(weights.rules, Rules::CONNECT_FOUR);
    assert_eq!(weights.to_bytes(), bytes, "it is what the trainer writes");
}

#[test]
fn games_without_a_network_are_judged_by_windows() {
    let rules: Rules = "6x5c4".parse().unwrap();
    let windows: Evaluator = "windows".parse().unwrap();
    for position in positions(&rules, 1) {
        assert_eq!(
            Evaluator::Net.evaluate(&position, Side::First),
            windows.evaluate(&position, Side::First)
        );
    }
    assert!(NetInputs::new(&"3x3c3f".parse().unwrap()).is_none());
    assert!(NetInputs::new(&"9x8c4".parse().unwrap()).is_none());
    let net = random_net(&rules, 16, 1).net().unwrap();
    assert!(Evaluator::OwnNet(Arc::new(net)).check(&Rules::CONNECT_FOUR).is_err());
}

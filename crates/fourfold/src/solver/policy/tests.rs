//! The networks against their stored weights, mirror images and the range of their sums.

use super::file::{OWN_BOARDS, UNIVERSAL_BOARDS};
use super::inputs::LINE_STATES;
use super::*;
use crate::game::{Position, Rules};
use crate::random::Random;
use crate::solver::layout::{ByteColumns, PackedColumns};
use crate::solver::order::{MoveOrdering, RankingContext};
use crate::solver::soundness::random_position;

fn embedded() -> Arc<PolicyNetworks> {
    let weights = OrderWeights::embedded(&Rules::CONNECT_FOUR).unwrap();
    Arc::clone(weights.networks().unwrap())
}

fn board() -> BoardMasks<ByteColumns> {
    BoardMasks::new(&Rules::CONNECT_FOUR, ByteColumns)
}

fn parent(board: &BoardMasks<ByteColumns>, position: &Position) -> (ParentPosition<u64>, u64) {
    let (own, opponent) = board.discs(position);
    let ply = position.ply() as i32;
    (
        ParentPosition { own, opponent, ply, useful: 0 },
        board.completing(opponent) & !(own | opponent),
    )
}

/// The position after some moves, of which all but the first count as forced, and the threats after
/// the first.
fn reached(
    board: &BoardMasks<ByteColumns>,
    parent: &ParentPosition<u64>,
    moves: &[u64],
) -> (u64, ReachedPosition<u64>) {
    let (mut own, mut opponent) = (parent.opponent, parent.own | moves[0]);
    let after = board.completing(opponent) & !(own | opponent);
    for &mv in &moves[1..] {
        (own, opponent) = (opponent, own | mv);
    }
    let reached = ReachedPosition {
        discs: (own, opponent),
        ply: parent.ply + moves.len() as i32,
        safe: board.playable(own | opponent),
        mover_again: moves.len().is_multiple_of(2),
    };
    (after, reached)
}

/// The ranks of the first of some moves by the player's networks; the others count as forced.
fn ranks(
    board: &BoardMasks<ByteColumns>,
    position: &Position,
    moves: &[u64],
    plies: i32,
) -> Vec<i32> {
    fn rank<const UNITS: usize, const LINES: bool>(
        networks: &[Box<PolicyNetwork<UNITS, LINES>>],
        board: &BoardMasks<ByteColumns>,
        (parent, threats): (&ParentPosition<u64>, u64),
        (mv, plies): (u64, i32),
        (after, reached): &(u64, ReachedPosition<u64>),
    ) -> Vec<i32> {
        let map = &embedded().map;
        let rank = |network: &PolicyNetwork<UNITS, LINES>| {
            let accumulator = network.accumulator(map, board, parent, threats, plies);
            network.rank(map, board, parent, &accumulator, (mv, *after), reached)
        };
        networks
            .iter()
            .skip(parent.ply as usize % 2)
            .step_by(2)
            .map(|network| rank(network))
            .collect()
    }
    let (parent, threats) = parent(board, position);
    let reached = reached(board, &parent, moves);
    let (before, mv) = ((&parent, threats), (moves[0], plies));
    let networks = embedded();
    let mut ranks = rank(&networks.small, board, before, mv, &reached);
    ranks.extend(rank(&networks.large, board, before, mv, &reached));
    ranks
}

/// The inputs that are set for the first of some moves, straight from their definition.
fn inputs(
    board: &BoardMasks<ByteColumns>,
    position: &Position,
    moves: &[u64],
    plies: i32,
) -> Vec<usize> {
    let (parent, _) = parent(board, position);
    let (_, ReachedPosition { discs: (own, opponent), ply, safe, mover_again }) =
        reached(board, &parent, moves);
    let [white, black] = if ply % 2 == 0 { [own, opponent] } else { [opponent, own] };
    let empty = !(white | black);
    let map = &embedded().map;
    let cells = |first: usize, set: u64| {
        let bits = (0..64).filter(move |bit| set >> bit & 1 == 1);
        bits.map(move |bit| first + bit / 8 * 6 + bit % 8)
    };
    let mut inputs = Vec::new();
    inputs.extend(cells(map.discs(0), white));
    inputs.extend(cells(map.discs(1), black));
    inputs.extend(cells(map.threats(0), board.completing(white) & empty));
    inputs.extend(cells(map.threats(1), board.completing(black) & empty));
    inputs.extend(cells(map.playable(), board.playable(white | black)));
    inputs.extend(cells(map.mv(), moves[0]));
    inputs.push(map.choices() + 8 * usize::from(mover_again) + safe.count_ones() as usize);
    inputs.push(map.forced() + moves.len() - 1);
    inputs.push(
        map.horizon() + [6, 8, 10, 12, 15, 19, 24].iter().filter(|&&most| plies > most).count(),
    );
    for line in 0..69 {
        let cells = map.line_cells(line);
        match ((cells & white).count_ones() as usize, (cells & black).count_ones() as usize) {
            (held @ 1..=3, 0) => inputs.push(map.open_lines() + line * LINE_STATES + held - 1),
            (0, held @ 1..=3) => inputs.push(map.open_lines() + line * LINE_STATES + 2 + held),
            _ => {}
        }
    }
    inputs
}

/// The ranks that a player's stored weights give for these inputs, computed the plain way.
fn ranks_of_bytes(player: usize, inputs: &[usize]) -> Vec<i32> {
    let map = &embedded().map;
    let mirrored = map.mirrored();
    let rank = |weights: &[u8], input_count: usize, units: usize| {
        let pairs = units / 2;
        let weight = |at: usize| i32::from(weights[at].cast_signed());
        let wide = |at: usize| i32::from(i16::from_le_bytes([weights[at], weights[at + 1]]));
        let unit = |unit: usize| {
            let (pair, image) = (unit % pairs, unit >= pairs);
            let known = inputs.iter().filter(|&&input| input < input_count);
            let input = |&input: &usize| if image { mirrored[input] } else { input };
            let sum: i32 = known.map(|at| weight(input(at) * pairs + pair)).sum();
            let sum = sum + wide(input_count * pairs + 2 * pair);
            let activation = if pair == pairs - 1 { sum } else { sum.max(0) };
            activation * wide((input_count + 2) * pairs + 2 * pair)
        };
        (0..units).map(unit).sum::<i32>() >> OUTPUT_SHIFT
    };
    let embedded = OrderWeights::embedded(&Rules::CONNECT_FOUR).unwrap();
    let weights = embedded.weights();
    let [small, large] =
        [PolicyNetwork::<SMALL, false>::bytes(map), PolicyNetwork::<LARGE, true>::bytes(map)];
    let (smalls, larges) = weights.split_at(ROLES * small);
    let smalls = smalls.chunks(small).map(|bytes| rank(bytes, map.count(false), SMALL));
    let larges = larges.chunks(large).map(|bytes| rank(bytes, map.count(true), LARGE));
    smalls.skip(player).step_by(2).chain(larges.skip(player).step_by(2)).collect()
}

/// Positions where the player cannot win at once, each with up to three moves to play from there
/// and a distance to the horizon.
fn cases() -> Vec<(Position, Vec<u64>, i32)> {
    let (board, mut random) = (board(), Random::new(20));
    let mut cases = Vec::new();
    while cases.len() < 2000 {
        let plies = 8 + random.below(26) as u32;
        let Some(position) = random_position(&Rules::CONNECT_FOUR, plies, true, &mut random) else {
            continue;
        };
        let (own, opponent) = board.discs(&position);
        let (mut all, mut moves) = (own | opponent, Vec::new());
        if !(board.completing(own) & board.playable(all)).is_zero() {
            continue;
        }
        for _ in 0..1 + random.below(3) {
            let playable = board.playable(all);
            let columns: Vec<u64> = (0..7)
                .map(|column| playable & board.column(column))
                .filter(|&mv| mv != 0)
                .collect();
            let mv = columns[random.below(columns.len())];
            all |= mv;
            moves.push(mv);
        }
        cases.push((position, moves, 1 + random.below(30) as i32));
    }
    cases
}

#[test]
fn ranks_are_those_of_the_stored_weights() {
    let board = board();
    for (position, moves, plies) in cases() {
        let player = position.ply() as usize % 2;
        let expected = ranks_of_bytes(player, &inputs(&board, &position, &moves, plies));
        assert_eq!(ranks(&board, &position, &moves, plies), expected, "{moves:?}\n{position}");
    }
}

#[test]
fn mirror_images_have_the_same_ranks() {
    let board = board();
    for (position, moves, plies) in cases() {
        let mirrored: Vec<u64> = moves.iter().map(|&mv| ByteColumns.mirror(mv, 7)).collect();
        let (here, there) = (
            ranks(&board, &position, &moves, plies),
            ranks(&board, &position.mirror(), &mirrored, plies),
        );
        assert_eq!(here, there, "{moves:?}\n{position}");
    }
}

#[test]
fn no_sum_overflows() {
    fn check<const UNITS: usize, const LINES: bool>(network: &PolicyNetwork<UNITS, LINES>) {
        let max = |rows: &[UnitRow<UNITS>], unit: usize| {
            rows.iter().map(|row| i32::from(row.0[unit]).abs()).max().unwrap_or_default()
        };
        let mut rank = 0;
        for unit in 0..UNITS {
            let columns: i32 = (0..7).map(|column| max(network.columns.column(column), unit)).sum();
            // Every cell is a threat of both players.
            let threats: i32 =
                network.threats.iter().flatten().map(|row| i32::from(row.0[unit]).abs()).sum();
            // Every line is in the state of the largest weight.
            let open = network.open_lines.get(1..).unwrap_or_default().chunks(LINE_STATES);
            let size = |row: &ByteUnitRow<UNITS>| i32::from(row.0[unit]).abs();
            let lines: i32 =
                open.map(|states| states.iter().map(size).max().unwrap_or_default()).sum();
            let others: i32 =
                [&network.moves[..], &network.choices, &network.forced, &network.bias]
                    .iter()
                    .map(|rows| max(rows, unit))
                    .sum();
            // During an update, a column or a line may be counted twice.
            let sum = 2 * (columns + lines) + threats + others;
            assert!(sum < i32::from(i16::MAX), "unit {unit}");
            rank += i64::from(sum) * i64::from(network.output_weights.0[unit].unsigned_abs());
        }
        assert!(rank < i64::from(i32::MAX) && rank >> OUTPUT_SHIFT < 1 << 24, "{rank}");
    }
    embedded().small.iter().for_each(|network| check(network));
    embedded().large.iter().for_each(|network| check(network));
}

#[test]
fn other_boards_and_layouts_have_no_networks() {
    let rules: Rules = "5x7c4".parse().unwrap();
    let order = MoveOrder::Embedded;
    assert!(PolicyNetworks::of(&BoardMasks::new(&rules, ByteColumns), &order).is_none());
    let packed = BoardMasks::new(&Rules::CONNECT_FOUR, PackedColumns::<u64>::new(7, 6));
    assert!(PolicyNetworks::of(&packed, &order).is_none());
    assert!(PolicyNetworks::of(&board(), &order).is_some());
    assert!(PolicyNetworks::of(&board(), &MoveOrder::Tuned).is_none());
}

/// The networks that come with the library are for boards that they were trained on, and for no
/// other game.
#[test]
fn learned_boards_have_networks() {
    let file = WeightsFile::read(Part::Boards.inside().unwrap()).unwrap();
    let games: Vec<_> = file.all().iter().filter_map(OrderWeights::game).collect();
    assert_eq!(
        games.iter().map(|game| (game.width(), game.height())).collect::<Vec<_>>(),
        OWN_BOARDS
    );
    for (width, height) in OWN_BOARDS.into_iter().chain(UNIVERSAL_BOARDS) {
        let rules = Rules::new(width, height, Shape::Line(4), Placement::Gravity).unwrap();
        let weights = OrderWeights::embedded(&rules).unwrap();
        assert_eq!(weights.game(), Some(&rules));
        assert!(weights.trained_on().contains(&rules.to_string()), "{rules}");
        let order = MoveOrder::Embedded;
        let networks = if width <= 8 && height <= 7 {
            PolicyNetworks::of(&BoardMasks::new(&rules, ByteColumns), &order)
        } else {
            let packed = PackedColumns::<u64>::new(width, height);
            PolicyNetworks::of(&BoardMasks::new(&rules, packed), &order)
        };
        assert!(networks.is_some(), "{rules}");
    }
    for game in ["8x6c5", "6x6c4f", "8x6s2", "5x5c4", "8x7c4", "10x6c4"] {
        assert!(OrderWeights::embedded(&game.parse().unwrap()).is_none(), "{game}");
    }
}

/// Packed networks wait until a search is long enough to be worth it, and the first plies are left
/// to tuned weights where a file says so.
#[test]
fn networks_rank_from_a_node_and_a_ply_on() {
    let at = |ply: i32| RankingContext { discs: (0u64, 0), threats: 0, ply, alpha: 0 };
    let rules: Rules = "6x6c4".parse().unwrap();
    let mut ordering = MoveOrdering::new(&BoardMasks::new(&rules, ByteColumns));
    assert!(ordering.networks(&at(20), 3999).is_none());
    assert!(ordering.networks(&at(20), 4000).is_some());
    assert!(ordering.networks(&at(20), 0).is_none(), "searches are alike whatever came before");
    ordering.order_by(MoveOrder::Learned(random_weights(&rules, 1).with_first_ply(5).into()));
    assert!(ordering.networks(&at(4), 10_000).is_none());
    assert!(ordering.networks(&at(5), 0).is_some());
    ordering.order_by(MoveOrder::Tuned);
    assert!(ordering.networks(&at(20), 10_000).is_none());
    let connect_four = MoveOrdering::new(&board());
    assert!(connect_four.networks(&at(0), 0).is_some());
}

/// Weights for a board from small random numbers.
fn random_weights(rules: &Rules, seed: u64) -> OrderWeights {
    let map = InputMap::new(rules).unwrap();
    let count = ROLES
        * (PolicyNetwork::<SMALL, false>::bytes(&map) + PolicyNetwork::<LARGE, true>::bytes(&map));
    let mut random = Random::new(seed);
    // Of a number of two bytes one is the sign of the other, so that they stay small.
    let weights = (0..count).map(|_| (random.below(9) as i8 - 4) as u8).collect();
    OrderWeights::new(rules, format!("seed {seed}"), "a test".to_owned(), weights).unwrap()
}

/// The ranks of random weights on other boards, in both layouts, are those of a mirror image.
#[test]
fn every_board_of_64_bits_can_have_networks() {
    fn check<L: Layout<W = u64>>(rules: &Rules, layout: L) {
        let order = MoveOrder::Learned(random_weights(rules, 3).into());
        let board = BoardMasks::new(rules, layout);
        let networks = PolicyNetworks::of(&board, &order).unwrap();
        let PolicyNetworks { map, large, .. } = &*networks;
        let mut random = Random::new(5);
        let (mut compared, mut ranks) = (0, std::collections::HashSet::new());
        while compared < 50 {
            let plies = 2 + random.below(rules.cells() as usize / 2) as u32;
            let Some(position) = random_position(rules, plies, true, &mut random) else { continue };
            let rank = |position: &Position, column: u32| {
                let (own, opponent) = board.discs(position);
                let all = own | opponent;
                let mv = board.playable(all) & board.column(column);
                let ply = position.ply() as i32;
                let parent = ParentPosition { own, opponent, ply, useful: 0 };
                let threats = board.completing(opponent) & !all;
                let network = &large[2 + ply as usize % 2];
                let accumulator = network.accumulator(map, &board, &parent, threats, 20);
                let (discs, all) = ((opponent, own | mv), all | mv);
                let safe = board.playable(all);
                let reached = ReachedPosition { discs, ply: ply + 1, safe, mover_again: false };
                let after = board.completing(own | mv) & !all;
                (mv != 0).then(|| {
                    network.rank(map, &board, &parent, &accumulator, (mv, after), &reached)
                })
            };
            for column in 0..rules.width() {
                let (here, there) =
                    (rank(&position, column), rank(&position.mirror(), rules.width() - 1 - column));
                assert_eq!(here, there, "{column}\n{position}");
                ranks.extend(here);
            }
            compared += 1;
        }
        assert!(ranks.len() > 40, "{rules}: {}", ranks.len());
    }
    for game in ["6x5c4", "8x7c4", "4x4c4", "5x4c4"] {
        check(&game.parse().unwrap(), ByteColumns);
    }
    for game in ["9x6c4", "7x8c4", "12x4c4", "10x5c4", "6x9c4"] {
        let rules: Rules = game.parse().unwrap();
        check(&rules, PackedColumns::<u64>::new(rules.width(), rules.height()));
    }
    for game in ["10x6c4", "4x10c4", "7x6c5", "3x3c3f"] {
        let Ok(rules) = game.parse::<Rules>() else { continue };
        assert!(InputMap::new(&rules).is_none(), "{game}");
    }
}

/// Whatever orders the moves, scores are the same.
#[test]
fn the_order_never_changes_a_score() {
    use crate::budget::Budget;
    use crate::solver::{Solver, SolverOptions};
    for game in ["5x4c4", "6x5c4", "9x4c4", "7x6c4", "6x7c4", "10x4c4"] {
        let rules: Rules = game.parse().unwrap();
        let mut random = Random::new(11);
        let mut solvers: Vec<Solver> = [
            MoveOrder::Embedded,
            MoveOrder::Tuned,
            MoveOrder::Learned(random_weights(&rules, 1).into()),
            MoveOrder::Learned(random_weights(&rules, 2).into()),
        ]
        .iter()
        .map(|order| Solver::new(&rules, SolverOptions::default()).unwrap().with_order(order))
        .collect();
        let (mut solved, mut nodes) = (0, [0; 4]);
        while solved < 25 {
            let plies = rules.cells() / 3 + random.below(6) as u32;
            let Some(position) = random_position(&rules, plies, true, &mut random) else {
                continue;
            };
            let mut scores = Vec::new();
            for (solver, nodes) in solvers.iter_mut().zip(&mut nodes) {
                let found = solver.solve(&position, &Budget::unlimited()).unwrap();
                scores.push(found.score);
                *nodes += found.nodes;
            }
            assert!(scores.iter().all(|&score| score == scores[0]), "{scores:?}\n{position}");
            solved += 1;
        }
        assert_ne!(nodes[1], nodes[2], "{game}: the weights are used");
        assert_ne!(nodes[2], nodes[3], "{game}: the weights are used");
    }
}

#[test]
fn damaged_and_foreign_weights_are_refused() {
    let rules: Rules = "5x4c4".parse().unwrap();
    let weights = random_weights(&rules, 7);
    let bytes = weights.to_bytes();
    assert_eq!(OrderWeights::read(&bytes).unwrap(), weights);
    let mut random = Random::new(9);
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        damaged[random.below(bytes.len())] ^= 1 << random.below(8);
        assert!(OrderWeights::read(&damaged).is_err());
        assert!(OrderWeights::read(&bytes[..random.below(bytes.len())]).is_err());
    }
    let resealed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes[..bytes.len() - 8].to_vec();
        change(&mut bytes);
        bytes.extend(crate::bytes::crc64(&bytes).to_le_bytes());
        OrderWeights::read(&bytes).unwrap_err()
    };
    assert_eq!(resealed(&|bytes| bytes[0] = b'G'), WeightsError::NotWeights);
    assert_eq!(resealed(&|bytes| bytes[7] = 3), WeightsError::Version { found: 3 });
    assert_eq!(resealed(&|bytes| bytes[12] = 9), WeightsError::Form { found: 9 });
    assert_eq!(resealed(&|bytes| bytes.truncate(16)), WeightsError::Head);
    assert!(matches!(resealed(&|bytes| bytes[16] = b'9'), WeightsError::Packed { .. }));
    assert!(matches!(resealed(&|bytes| bytes[20] = b'5'), WeightsError::Game { .. }));
    assert!(matches!(resealed(&|bytes| bytes.push(0)), WeightsError::Packed { .. }));
    let large = vec![127; weights.weights().len()];
    let large = OrderWeights::new(&rules, String::new(), String::new(), large).unwrap_err();
    assert!(matches!(large, WeightsError::Range { .. }), "{large}");
}

#[test]
fn files_joined_end_to_end_are_a_file_and_damage_to_any_is_found() {
    let games: [Rules; 2] = ["5x4c4", "6x5c4"].map(|game| game.parse().unwrap());
    let [one, two] = [0, 1].map(|index| random_weights(&games[index], 7).with_first_ply(3));
    let bytes = [one.to_bytes(), two.to_bytes()].concat();
    let file = WeightsFile::read(&bytes).unwrap();
    assert_eq!(file.all(), [one.clone(), two.clone()]);
    assert_eq!(file.for_game(&games[1]).as_ref(), Ok(&two));
    assert_eq!(two.first_ply(), 3);
    let made_for = "5x4c4, 6x5c4".to_owned();
    let game = Rules::CONNECT_FOUR;
    assert_eq!(file.for_game(&game), Err(WeightsError::OtherGame { made_for, game }));
    let mut random = Random::new(10);
    for _ in 0..100 {
        let mut damaged = bytes.clone();
        damaged[random.below(bytes.len())] ^= 1 << random.below(8);
        assert!(WeightsFile::read(&damaged).is_err());
        let cut = &bytes[..random.below(bytes.len())];
        assert_eq!(WeightsFile::read(cut).is_ok(), cut.len() == one.to_bytes().len());
    }
}

/// The version before, in which networks are not packed.
#[test]
fn files_of_version_1_are_read() {
    let rules: Rules = "5x4c4".parse().unwrap();
    let weights = random_weights(&rules, 7);
    let mut bytes = b"FFORDER\x01\x01\x00\x055x4c4\x06\x00seed 7\x06\x00a test".to_vec();
    bytes.extend(weights.weights());
    bytes.extend(crate::bytes::crc64(&bytes).to_le_bytes());
    assert_eq!(OrderWeights::read(&bytes).unwrap(), weights);
    assert_eq!(WeightsFile::read(&bytes).unwrap().all(), [weights]);
    bytes[30] ^= 1;
    assert!(matches!(OrderWeights::read(&bytes), Err(WeightsError::Checksum { .. })));
}

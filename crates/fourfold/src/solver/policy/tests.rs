//! The networks against their stored weights, mirror images and the range of their sums.

use super::inputs::{
    CHOICES, DISCS, FORCED, HEIGHT, HORIZON, LINE_CELLS, LINE_COUNT, LINE_STATES, MOVE, OPEN_LINES,
    PLAYABLE, THREATS, mirrored,
};
use super::*;
use crate::game::{Position, Rules};
use crate::random::Random;
use crate::solver::layout::{ByteColumns, PackedColumns};
use crate::solver::soundness::random_position;

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
        let rank = |network: &PolicyNetwork<UNITS, LINES>| {
            let accumulator = network.accumulator(board, parent, threats, plies);
            network.rank(board, parent, &accumulator, (mv, *after), reached)
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
    let mut ranks = rank(&NETWORKS.as_ref().unwrap().small, board, before, mv, &reached);
    ranks.extend(rank(&NETWORKS.as_ref().unwrap().large, board, before, mv, &reached));
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
    let cells = |first: usize, set: u64| {
        let bits = (0..64).filter(move |bit| set >> bit & 1 == 1);
        bits.map(move |bit| first + bit / 8 * HEIGHT + bit % 8)
    };
    let mut inputs = Vec::new();
    inputs.extend(cells(DISCS[0], white));
    inputs.extend(cells(DISCS[1], black));
    inputs.extend(cells(THREATS[0], board.completing(white) & empty));
    inputs.extend(cells(THREATS[1], board.completing(black) & empty));
    inputs.extend(cells(PLAYABLE, board.playable(white | black)));
    inputs.extend(cells(MOVE, moves[0]));
    inputs.push(CHOICES + 8 * usize::from(mover_again) + safe.count_ones() as usize);
    inputs.push(FORCED + moves.len() - 1);
    inputs.push(HORIZON + [6, 8, 10, 12, 15, 19, 24].iter().filter(|&&most| plies > most).count());
    for (line, cells) in LINE_CELLS.iter().enumerate() {
        match ((cells & white).count_ones() as usize, (cells & black).count_ones() as usize) {
            (held @ 1..=3, 0) => inputs.push(OPEN_LINES + line * LINE_STATES + held - 1),
            (0, held @ 1..=3) => inputs.push(OPEN_LINES + line * LINE_STATES + 2 + held),
            _ => {}
        }
    }
    inputs
}

/// The ranks that a player's stored weights give for these inputs, computed the plain way.
fn ranks_of_bytes(player: usize, inputs: &[usize]) -> Vec<i32> {
    let rank = |weights: &[u8], input_count: usize, units: usize| {
        let pairs = units / 2;
        let weight = |at: usize| i32::from(weights[at].cast_signed());
        let wide = |at: usize| i32::from(i16::from_le_bytes([weights[at], weights[at + 1]]));
        let unit = |unit: usize| {
            let (pair, image) = (unit % pairs, unit >= pairs);
            let known = inputs.iter().filter(|&&input| input < input_count);
            let input = |&input: &usize| if image { mirrored(input) } else { input };
            let sum: i32 = known.map(|at| weight(input(at) * pairs + pair)).sum();
            let sum = sum + wide(input_count * pairs + 2 * pair);
            let activation = if pair == pairs - 1 { sum } else { sum.max(0) };
            activation * wide((input_count + 2) * pairs + 2 * pair)
        };
        (0..units).map(unit).sum::<i32>() >> OUTPUT_SHIFT
    };
    let weights = Part::Policy.inside().expect("the feature is on");
    let (small, large) = weights.split_at(ROLES * PolicyNetwork::<SMALL, false>::BYTES);
    let small = small
        .chunks(PolicyNetwork::<SMALL, false>::BYTES)
        .map(|bytes| rank(bytes, OPEN_LINES, SMALL));
    let large = large
        .chunks(PolicyNetwork::<LARGE, true>::BYTES)
        .map(|bytes| rank(bytes, OPEN_LINES + LINE_COUNT * LINE_STATES, LARGE));
    small.skip(player).step_by(2).chain(large.skip(player).step_by(2)).collect()
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
            let columns: i32 = network.columns.iter().map(|rows| max(rows, unit)).sum();
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
    NETWORKS.as_ref().unwrap().small.iter().for_each(|network| check(network));
    NETWORKS.as_ref().unwrap().large.iter().for_each(|network| check(network));
}

#[test]
fn other_boards_and_layouts_have_no_networks() {
    let rules: Rules = "7x7c4".parse().unwrap();
    assert!(PolicyNetworks::of(&BoardMasks::new(&rules, ByteColumns)).is_none());
    assert!(
        PolicyNetworks::of(&BoardMasks::new(&Rules::CONNECT_FOUR, PackedColumns::<u64>::new(6)))
            .is_none()
    );
    assert!(PolicyNetworks::of(&board()).is_some());
}

//! Networks for every board: rows of weights that do not depend on the size of the board.
//!
//! A cell is known by its distance from the left and from the right edge, each together with its
//! row counted from the top, and by its row counted from the bottom; a line of four by its
//! direction and the same. The row of an input on a board is the sum of the rows of what is known
//! of it. So the networks of a board are made from the universal ones by additions, once, and are
//! then like those that were trained for that board alone: a search does not know the difference.
//!
//! Who profits from zugzwang depends on whether the number of cells is even, and which rows are
//! worth having on how far they are from the top (`docs/solver.md`, "Any height"). So on boards
//! with an odd number of cells the players change places here, and the parity of a row is counted
//! from the top.

use super::inputs::{CHOICES, FORCED, HORIZONS, InputMap, LINE_STATES, MOST_ROWS};
use super::weights::{NEIGHBOUR_WEIGHTS, neighbour_parity_swapped};
use super::{LARGE, ROLES, SMALL};

/// The distances of a cell and of the end of a line from an edge that are told apart; further ones
/// are alike.
const CELL_SIDES: usize = 6;
const LINE_SIDES: usize = 3;

const ROWS: usize = MOST_ROWS as usize;

/// What is known of a cell: its distance from each side, each with its row from the top, and its
/// row from the bottom.
const OF_CELL: usize = 2 * CELL_SIDES * ROWS + ROWS;

/// What is known of a line: the distance of its ends from each side, each with its lowest row,
/// counted from the top.
const OF_LINE: usize = 2 * LINE_SIDES * ROWS;

/// The kinds of inputs that are cells, as [`InputMap`] has them; the first four are of a player.
const CELL_KINDS: usize = 6;
const PLAYER_KINDS: usize = 4;

const DIRECTIONS: usize = 4;
const RISING: usize = 2;
const FALLING: usize = 3;

/// Widths and heights that are told apart.
const WIDTHS: usize = 13;
const HEIGHTS: usize = ROWS + 1;

const FIRST_CHOICE: usize = CELL_KINDS * OF_CELL;
const FIRST_WIDTH: usize = FIRST_CHOICE + CHOICES + FORCED + HORIZONS;
const FIRST_HEIGHT: usize = FIRST_WIDTH + WIDTHS;
const FIRST_LINE: usize = FIRST_HEIGHT + HEIGHTS;

/// The number of universal inputs, with the lines or without.
pub(super) const fn count(lines: bool) -> usize {
    FIRST_LINE + if lines { DIRECTIONS * LINE_STATES * OF_LINE } else { 0 }
}

/// How many there are of each kind, with the lines or without.
pub(super) fn kinds(lines: bool) -> Vec<usize> {
    let mut kinds = vec![OF_CELL; CELL_KINDS];
    kinds.extend([CHOICES, FORCED, HORIZONS, WIDTHS, HEIGHTS]);
    if lines {
        kinds.extend([LINE_STATES * OF_LINE; DIRECTIONS]);
    }
    kinds
}

/// The number of the choices.
#[cfg(feature = "training")]
pub(super) const fn choices() -> usize {
    FIRST_CHOICE
}

/// The bytes of the weights of all networks: rows, then for each pair its bias and its output
/// weight, two bytes each, and the neighbours.
pub(super) const fn size() -> usize {
    ROLES * (network_size(false) + network_size(true))
}

pub(super) const fn pairs(large: bool) -> usize {
    if large { LARGE / 2 } else { SMALL / 2 }
}

const fn network_size(large: bool) -> usize {
    (count(large) + 4) * pairs(large) + NEIGHBOUR_WEIGHTS
}

/// Whether the players change places.
pub(super) fn swaps_players(map: &InputMap) -> bool {
    map.width * map.height % 2 == 1
}

/// Whether rows of even number, counted from the bottom, count as odd ones.
pub(super) fn swaps_rows(map: &InputMap) -> bool {
    map.height % 2 == 1
}

/// The inputs that stand for the size of a board; they are there in every position.
pub(super) fn of_board(map: &InputMap) -> [usize; 2] {
    [FIRST_WIDTH + map.width.min(WIDTHS - 1), FIRST_HEIGHT + map.height.min(HEIGHTS - 1)]
}

/// Calls `see` with the universal inputs that an input of a board stands for.
pub(super) fn for_each(map: &InputMap, input: usize, mut see: impl FnMut(usize)) {
    let swap = swaps_players(map);
    let (width, height) = (map.width, map.height);
    if input >= map.open_lines() {
        let at = input - map.open_lines();
        let (line, state) = (at / LINE_STATES, at % LINE_STATES);
        let state = if swap { (state + LINE_STATES / 2) % LINE_STATES } else { state };
        let (direction, [left, right, lowest]) = place_of_line(map, line);
        let first = FIRST_LINE + (direction * LINE_STATES + state) * OF_LINE;
        let top = height - 1 - lowest;
        see(first + left.min(LINE_SIDES - 1) * ROWS + top);
        see(first + (LINE_SIDES + right.min(LINE_SIDES - 1)) * ROWS + top);
    } else if input >= map.choices() {
        see(FIRST_CHOICE + input - map.choices());
    } else {
        let (kind, cell) = (input / (width * height), input % (width * height));
        let kind = if swap && kind < PLAYER_KINDS { kind ^ 1 } else { kind };
        let (column, row) = (cell / height, cell % height);
        let (first, top) = (kind * OF_CELL, height - 1 - row);
        see(first + column.min(CELL_SIDES - 1) * ROWS + top);
        see(first + (CELL_SIDES + (width - 1 - column).min(CELL_SIDES - 1)) * ROWS + top);
        see(first + 2 * CELL_SIDES * ROWS + row);
    }
}

/// The direction of a line, the distances of its ends from the left and the right edge, and its
/// lowest row.
fn place_of_line(map: &InputMap, line: usize) -> (usize, [usize; 3]) {
    let cells = map.line_cells(line);
    let place = |bit: u32| ((bit / map.stride) as usize, (bit % map.stride) as usize);
    let (left, row) = place(cells.trailing_zeros());
    let (right, last_row) = place(63 - cells.leading_zeros());
    let direction = match (left == right, row == last_row) {
        (true, _) => 0,
        (_, true) => 1,
        _ if row < last_row => RISING,
        _ => FALLING,
    };
    (direction, [left, map.width - 1 - right, row.min(last_row)])
}

/// For every universal input, the one that is its mirror image.
#[cfg(all(test, feature = "training"))]
fn mirrored() -> Vec<usize> {
    let turned = |at: usize, sides: usize| match at {
        left if left < sides * ROWS => left + sides * ROWS,
        right if right < 2 * sides * ROWS => right - sides * ROWS,
        other => other,
    };
    let image = |input: usize| {
        if input < FIRST_CHOICE {
            input - input % OF_CELL + turned(input % OF_CELL, CELL_SIDES)
        } else if input < FIRST_LINE {
            input
        } else {
            let at = input - FIRST_LINE;
            let (line, known) = (at / OF_LINE, at % OF_LINE);
            let (direction, state) = (line / LINE_STATES, line % LINE_STATES);
            let direction = match direction {
                RISING => FALLING,
                FALLING => RISING,
                other => other,
            };
            let first = FIRST_LINE + (direction * LINE_STATES + state) * OF_LINE;
            first + turned(known, LINE_SIDES)
        }
    };
    (0..count(true)).map(image).collect()
}

/// The weights of the networks of a board, from those of universal ones.
pub(super) fn for_board(weights: &[u8], map: &InputMap) -> Vec<u8> {
    let mut found = Vec::new();
    for large in [false, true] {
        let (size, pairs) = (network_size(large), pairs(large));
        let first = if large { ROLES * network_size(false) } else { 0 };
        for role in 0..ROLES {
            let from = if swaps_players(map) { role ^ 1 } else { role };
            let own = &weights[first + from * size..][..size];
            let row = |input: usize| own[input * pairs..][..pairs].iter().map(|&byte| byte as i8);
            let mut sums = vec![0i16; pairs];
            for input in 0..map.count(large) {
                sums.fill(0);
                for_each(map, input, |known| {
                    sums.iter_mut()
                        .zip(row(known))
                        .for_each(|(sum, weight)| *sum += i16::from(weight));
                });
                found.extend(sums.iter().map(|&sum| sum.clamp(-127, 127) as i8 as u8));
            }
            let (bias, rest) = own[count(large) * pairs..].split_at(2 * pairs);
            for (pair, two) in bias.chunks_exact(2).enumerate() {
                let bias = i32::from(i16::from_le_bytes([two[0], two[1]]));
                let weight = |input: usize| i32::from(own[input * pairs + pair] as i8);
                let sum = of_board(map).iter().fold(bias, |sum, &input| sum + weight(input));
                let most = i32::from(i16::MAX);
                found.extend((sum.clamp(-most, most) as i16).to_le_bytes());
            }
            let (output, neighbours) = rest.split_at(2 * pairs);
            found.extend(output);
            let swap = swaps_rows(map);
            found.extend(
                (0..neighbours.len())
                    .map(|at| neighbours[if swap { neighbour_parity_swapped(at) } else { at }]),
            );
        }
    }
    found
}

#[cfg(all(test, feature = "training"))]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn map(game: &str) -> InputMap {
        InputMap::new(&game.parse::<Rules>().unwrap()).unwrap()
    }

    fn known(map: &InputMap, input: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for_each(map, input, |known| found.push(known));
        found.sort_unstable();
        found
    }

    #[test]
    fn an_input_and_its_mirror_image_stand_for_mirror_images() {
        let images = mirrored();
        for (input, &image) in images.iter().enumerate() {
            assert_eq!(images[image], input);
        }
        for game in ["7x6c4", "6x7c4", "9x5c4", "10x4c4", "7x7c4", "6x9c4", "4x4c4"] {
            let map = map(game);
            for (input, &image) in map.mirrored().iter().enumerate() {
                let mut here: Vec<usize> =
                    known(&map, input).iter().map(|&known| images[known]).collect();
                here.sort_unstable();
                assert_eq!(known(&map, image), here, "{game}: {input}");
                assert!(here.iter().all(|&known| known < count(true)));
            }
        }
    }

    #[test]
    fn different_inputs_of_a_board_stand_for_different_things() {
        for game in ["7x6c4", "6x7c4", "5x5c4", "8x6c4"] {
            let map = map(game);
            let mut all: Vec<_> = (0..map.open_lines()).map(|input| known(&map, input)).collect();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), map.open_lines(), "{game}");
        }
    }

    #[test]
    fn on_boards_with_an_odd_number_of_cells_the_players_change_places() {
        let (even, odd) = (map("7x6c4"), map("7x7c4"));
        // The highest cell of the first column, and the vertical line that ends there.
        for player in 0..2 {
            let (of_even, of_odd) =
                (known(&even, even.discs(player) + 5), |player| known(&odd, odd.discs(player) + 6));
            assert_eq!(of_even[..2], of_odd(1 - player)[..2]);
            assert_ne!(of_even[..2], of_odd(player)[..2]);
        }
    }
}

//! Positions as numbers: sets of cells in the bit layout of [`crate::game`], and the key made of
//! them.

use super::error::excerpt;
use super::{Format, NotationError};
use crate::game::{Board, Geometry, Position, Rules, Side};

const FORMAT: Format = Format::Bitboards;
const NAMES: [&str; 3] = ["mask", "mover", "key"];

/// Reads `mask=M mover=O key=K`, in any order, decimal or `0x` hexadecimal. Two of them are enough;
/// where discs fall, so is the key alone. Numbers without names are taken in that order, two or
/// three of them.
pub(super) fn read(text: &str, rules: &Rules) -> Result<Position, NotationError> {
    let mut values: [Option<u128>; 3] = [None; 3];
    let mut bare = 0;
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    for word in words {
        let (slot, digits) = match word.split_once('=') {
            Some((name, digits)) => {
                let slot = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name));
                let slot =
                    slot.ok_or_else(|| problem(word, "the names are mask, mover and key"))?;
                (slot, digits)
            }
            None => {
                bare += 1;
                (bare - 1, word)
            }
        };
        let value =
            parse(digits).ok_or_else(|| problem(word, "it is not a number of at most 128 bits"))?;
        match values.get_mut(slot) {
            Some(place @ None) => *place = Some(value),
            Some(_) => return Err(problem(word, "it is given twice")),
            None => return Err(problem(word, "there are more than three numbers")),
        }
    }
    if bare == 1 {
        return Err(problem(
            text.trim(),
            "a number without a name (mask=, mover= or key=) says too little",
        ));
    }
    let [mask, mover, key] = values;
    if key.is_some() && !rules.gravity() {
        return Err(problem(
            "key",
            "it does not tell positions apart where discs do not fall; give mask and mover",
        ));
    }
    let (mask, mover) = match (mask, mover, key) {
        (Some(mask), Some(mover), _) => (mask, mover),
        (Some(mask), None, Some(key)) => (mask, difference(key, mask, "mask")?),
        (None, Some(mover), Some(key)) => (difference(key, mover, "mover")?, mover),
        (None, None, Some(key)) => decode(key, rules)?,
        _ => return Err(problem(text.trim(), "two of mask, mover and key are needed")),
    };
    if mover & !mask != 0 {
        return Err(problem("mover", "it has discs that are not in the mask"));
    }
    // Who is to move follows from the number of discs; from_discs checks everything else.
    let other = mover ^ mask;
    let (first, second) =
        if mask.count_ones().is_multiple_of(2) { (mover, other) } else { (other, mover) };
    let position = Position::from_discs(*rules, first, second)?;
    match key {
        Some(key) if Some(key) != mover.checked_add(mask) => Err(problem(
            "key",
            &format!("{key} is not the sum of mask and mover, {}", mover + mask),
        )),
        _ => Ok(position),
    }
}

/// Writes all three numbers, or the two that make sense where discs do not fall.
pub(super) fn write(position: &Position) -> String {
    let mover = position.discs(position.to_move()).bits();
    let mask = position.discs(Side::First).bits() | position.discs(Side::Second).bits();
    if position.rules().gravity() {
        format!("mask={mask} mover={mover} key={}", position.key())
    } else {
        format!("mask={mask} mover={mover}")
    }
}

/// The mask and mover that a key is the sum of: in every column, the key is the mover's discs and
/// the mask below the lowest empty cell, so that adding the bottom row gives the mover's discs and
/// a marker on that cell.
fn decode(key: u128, rules: &Rules) -> Result<(u128, u128), NotationError> {
    let geometry = Geometry::<u128>::new(rules);
    let packed =
        key.checked_add(geometry.bottom()).ok_or_else(|| problem("key", "it is too large"))?;
    let Board { own, all } = Board::unpack(packed, &geometry);
    if own.checked_add(all) == Some(key) {
        Ok((all, own))
    } else {
        Err(problem("key", "no position has it"))
    }
}

fn difference(key: u128, part: u128, name: &str) -> Result<u128, NotationError> {
    key.checked_sub(part).ok_or_else(|| problem("key", &format!("it is less than {name}")))
}

fn parse(digits: &str) -> Option<u128> {
    let (digits, radix) = match digits.strip_prefix("0x") {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (digits, 10),
    };
    // from_str_radix would take a sign.
    let plain = digits.chars().all(|c| c.is_digit(radix));
    if plain { u128::from_str_radix(digits, radix).ok() } else { None }
}

fn problem(place: &str, problem: &str) -> NotationError {
    NotationError::Content { format: FORMAT, place: excerpt(place), problem: problem.to_owned() }
}

//! The JSON arrays that learning environments use for Connect Four: Kaggle's ConnectX, OpenSpiel,
//! PettingZoo.
//!
//! Plane order and row order are as the packages give them (open_spiel 2.0.2 and pettingzoo 1.27.0
//! were compared).

use super::{Discs, Format, NotationError, settle};
use crate::game::{Cell, Position, Rules, Shape, Side};
use serde_json::{Value, json};

/// Reads the bare board, an object with `board` (and perhaps `mark`, `columns`, `rows`, `inarow`),
/// or one with `observation` and `configuration`.
pub(super) fn read_kaggle(value: &Value, given: Option<&Rules>) -> Result<Position, NotationError> {
    let format = Format::Kaggle;
    let observation = ["observation", "obs"].iter().find_map(|key| value.get(key)).unwrap_or(value);
    let board = observation.get("board").unwrap_or(observation);
    let config = ["configuration", "config"].iter().find_map(|key| value.get(key)).unwrap_or(value);
    let rules = settle(kaggle_rules(config)?, given)?;
    format.check_game(&rules)?;
    if let Some(mark) = observation.get("mark")
        && !matches!(whole(mark), Some(1 | 2))
    {
        return Err(wrong(format, "mark", "it must be 1 or 2"));
    }
    let cells = list(format, "board", board, rules.cells() as usize)?;
    let mut discs = Discs::new(rules);
    for (index, value) in cells.iter().enumerate() {
        let index = index as u32;
        let (column, from_top) = (index % rules.width(), index / rules.width());
        let cell = Cell { column: column as u8, row: (rules.height() - 1 - from_top) as u8 };
        match whole(value) {
            Some(0) => {}
            Some(1) => discs.add(cell, Side::First),
            Some(2) => discs.add(cell, Side::Second),
            _ => return Err(wrong(format, &format!("board[{index}]"), "it must be 0, 1 or 2")),
        }
    }
    discs.position()
}

/// The game that `columns`, `rows` and `inarow` name: all three, or none.
fn kaggle_rules(config: &Value) -> Result<Option<Rules>, NotationError> {
    let names = ["columns", "rows", "inarow"];
    if names.iter().all(|name| config.get(name).is_none()) {
        return Ok(None);
    }
    let number = |name: &str| {
        let value = config.get(name).and_then(whole).and_then(|number| u8::try_from(number).ok());
        value.ok_or_else(|| wrong(Format::Kaggle, name, "it must be a number from 0 to 255"))
    };
    let (columns, rows, inarow) = (number("columns")?, number("rows")?, number("inarow")?);
    let placement = crate::game::Placement::Gravity;
    Ok(Some(Rules::new(u32::from(columns), u32::from(rows), Shape::Line(inarow), placement)?))
}

/// Writes the observation with its configuration.
pub(super) fn write_kaggle(position: &Position) -> String {
    let rules = position.rules();
    let mut board = Vec::new();
    for row in (0..rules.height() as u8).rev() {
        for column in 0..rules.width() as u8 {
            board.push(position.at(Cell { column, row }).map_or(0, mark));
        }
    }
    let (columns, rows, inarow) = (rules.width(), rules.height(), rules.shape().size());
    let mark = mark(position.to_move());
    format!(
        r#"{{"board":{},"mark":{mark},"columns":{columns},"rows":{rows},"inarow":{inarow}}}"#,
        json!(board)
    )
}

fn mark(side: Side) -> u8 {
    match side {
        Side::First => 1,
        Side::Second => 2,
    }
}

/// Reads the tensor, nested or flat, or the JSON form of a state (`board` with rows from the
/// bottom).
pub(super) fn read_openspiel(value: &Value, rules: &Rules) -> Result<Position, NotationError> {
    let format = Format::OpenSpiel;
    format.check_game(rules)?;
    if let Some(board) = value.get("board") {
        return read_openspiel_state(board, rules);
    }
    let (width, height) = (rules.width() as usize, rules.height() as usize);
    let flat = value.as_array().is_some_and(|items| items.first().is_some_and(Value::is_number));
    let mut numbers = Vec::with_capacity(3 * width * height);
    if flat {
        numbers.extend(list(format, "tensor", value, 3 * width * height)?);
    } else {
        for (plane, rows) in list(format, "tensor", value, 3)?.iter().enumerate() {
            let place = format!("plane {plane}");
            for (row, cells) in list(format, &place, rows, height)?.iter().enumerate() {
                numbers.extend(list(format, &format!("{place}, row {row}"), cells, width)?);
            }
        }
    }
    let mut discs = Discs::new(*rules);
    for index in 0..width * height {
        let cell = Cell { column: (index % width) as u8, row: (index / width) as u8 };
        let planes = [0, 1, 2]
            .map(|plane| numbers.get(plane * width * height + index).and_then(|v| whole(v)));
        match planes {
            [Some(1), Some(0), Some(0)] => discs.add(cell, Side::First),
            [Some(0), Some(1), Some(0)] => discs.add(cell, Side::Second),
            [Some(0), Some(0), Some(1)] => {}
            _ => {
                return Err(wrong(
                    format,
                    &cell.to_string(),
                    "it must be 1 in one plane and 0 in the others",
                ));
            }
        }
    }
    discs.position()
}

fn read_openspiel_state(board: &Value, rules: &Rules) -> Result<Position, NotationError> {
    let format = Format::OpenSpiel;
    let mut discs = Discs::new(*rules);
    for (row, cells) in list(format, "board", board, rules.height() as usize)?.iter().enumerate() {
        let place = format!("board, row {row}");
        for (column, value) in
            list(format, &place, cells, rules.width() as usize)?.iter().enumerate()
        {
            let cell = Cell { column: column as u8, row: row as u8 };
            match value.as_str() {
                Some("x") => discs.add(cell, Side::First),
                Some("o") => discs.add(cell, Side::Second),
                Some(".") => {}
                _ => {
                    return Err(wrong(
                        format,
                        &cell.to_string(),
                        "it must be \"x\", \"o\" or \".\"",
                    ));
                }
            }
        }
    }
    discs.position()
}

/// Writes the tensor, nested.
pub(super) fn write_openspiel(position: &Position) -> String {
    let rules = position.rules();
    let plane = |holder: Option<Side>| -> Vec<Vec<u8>> {
        let cell = |column, row| u8::from(position.at(Cell { column, row }) == holder);
        let row = |row| (0..rules.width() as u8).map(|column| cell(column, row)).collect();
        (0..rules.height() as u8).map(row).collect()
    };
    json!([Some(Side::First), Some(Side::Second), None].map(plane)).to_string()
}

/// Reads the observation, alone or with `action_mask`.
///
/// An observation shows own and opponent's discs. Whose it is follows from the number of discs, or
/// else from the mask: only the side to move is shown one that is not all zeros. If neither tells
/// (no mask, or a full board), it is the side to move's.
pub(super) fn read_pettingzoo(value: &Value, rules: &Rules) -> Result<Position, NotationError> {
    let format = Format::PettingZoo;
    format.check_game(rules)?;
    let (width, height) = (rules.width() as usize, rules.height() as usize);
    let planes = value.get("observation").unwrap_or(value);
    let mut seen = Discs::new(*rules);
    for (from_top, cells) in list(format, "observation", planes, height)?.iter().enumerate() {
        let place = format!("observation[{from_top}]");
        for (column, pair) in list(format, &place, cells, width)?.iter().enumerate() {
            let cell = Cell { column: column as u8, row: (height - 1 - from_top) as u8 };
            match list(format, &cell.to_string(), pair, 2)?.iter().map(whole).collect::<Vec<_>>()[..]
            {
                [Some(0), Some(0)] => {}
                [Some(1), Some(0)] => seen.add(cell, Side::First),
                [Some(0), Some(1)] => seen.add(cell, Side::Second),
                _ => {
                    return Err(wrong(
                        format,
                        &cell.to_string(),
                        "it must be [0,0], [1,0] or [0,1]",
                    ));
                }
            }
        }
    }
    let Discs { first: own, second: other, .. } = seen;
    let all = own | other;
    let open: Vec<i64> = (0..rules.width())
        .map(|column| i64::from(all >> (column * rules.stride() + rules.height() - 1) & 1 == 0))
        .collect();
    let mask = match value.get("action_mask") {
        None => open.clone(),
        Some(mask) => {
            let mask = list(format, "action_mask", mask, width)?;
            let read = |value: &Value| {
                let bit = whole(value).filter(|bit| (0..=1).contains(bit));
                bit.ok_or_else(|| wrong(format, "action_mask", "it must be zeros and ones"))
            };
            mask.iter().map(read).collect::<Result<_, _>>()?
        }
    };
    let idle = mask.iter().all(|&bit| bit == 0);
    if !idle && mask != open {
        return Err(wrong(
            format,
            "action_mask",
            "it does not fit the board: 1 means that the column is not full",
        ));
    }
    let waits = idle && mask != open;
    let own_is_first = match own.count_ones().cmp(&other.count_ones()) {
        std::cmp::Ordering::Equal => !waits,
        more_or_less => more_or_less.is_gt(),
    };
    let (first, second) = if own_is_first { (own, other) } else { (other, own) };
    Ok(Position::from_discs(*rules, first, second)?)
}

/// Writes what the side to move observes. As in the package, the mask only says which columns are
/// not full.
pub(super) fn write_pettingzoo(position: &Position) -> String {
    let rules = position.rules();
    let pair = |cell| match position.at(cell) {
        None => [0, 0],
        Some(side) if side == position.to_move() => [1, 0],
        Some(_) => [0, 1],
    };
    let row = |row| -> Vec<[u8; 2]> {
        (0..rules.width() as u8).map(|column| pair(Cell { column, row })).collect()
    };
    let observation: Vec<Vec<[u8; 2]>> = (0..rules.height() as u8).rev().map(row).collect();
    let top = rules.height() as u8 - 1;
    let open = |column| u8::from(position.at(Cell { column, row: top }).is_none());
    let mask: Vec<u8> = (0..rules.width() as u8).map(open).collect();
    format!(r#"{{"observation":{},"action_mask":{}}}"#, json!(observation), json!(mask))
}

/// A whole number, written as one or as a float such as 1.0.
fn whole(value: &Value) -> Option<i64> {
    let float = || value.as_f64().filter(|f| f.fract() == 0.0 && f.abs() < 1e9).map(|f| f as i64);
    value.as_i64().or_else(float)
}

/// The items of an array of this length.
fn list<'a>(
    format: Format,
    place: &str,
    value: &'a Value,
    length: usize,
) -> Result<&'a [Value], NotationError> {
    match value.as_array() {
        Some(items) if items.len() == length => Ok(items),
        Some(items) => {
            Err(wrong(format, place, &format!("it has {} items, not {length}", items.len())))
        }
        None => Err(wrong(format, place, "it is not an array")),
    }
}

fn wrong(format: Format, place: &str, problem: &str) -> NotationError {
    NotationError::Content { format, place: place.to_owned(), problem: problem.to_owned() }
}

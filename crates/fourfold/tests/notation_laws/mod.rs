//! What holds for every text and every reader of positions. The property tests and the fuzz targets
//! (`fuzz/`) share it.

use fourfold::game::notation::{
    self, Entry, Format, NotationError, moves_text, parse_move, parse_moves,
};
use fourfold::game::{Position, Rules};

/// Boards in 64 and in 128 bits, one row, many columns, squares, and free placement.
pub(crate) const GAMES: [&str; 16] = [
    "7x6c4", "7x6s2", "3x3c3f", "4x4c4", "5x5c4f", "9x7c4", "10x6c4", "12x9c5", "18x6c4", "8x15c6",
    "64x1c2", "30x3c3", "15x7c5f", "11x10s3", "3x3c3", "26x3c4f",
];

/// No text makes a reader of positions panic, and whatever is read is the same position when it is
/// written in any format and read again.
#[allow(dead_code, reason = "not every fuzz target needs it")]
pub(crate) fn of_positions(text: &str, rules: &Rules) {
    for given in [None, Some(rules)] {
        for format in std::iter::once(None).chain(Format::ALL.map(Some)) {
            match notation::Reader::new().format(format).rules(given).read(text) {
                Ok(entry) => is_kept(text, &entry),
                Err(why) => is_a_message(text, &why),
            }
        }
    }
}

/// The same for moves and for the names of games.
#[allow(dead_code, reason = "not every fuzz target needs it")]
pub(crate) fn of_moves(text: &str, rules: &Rules) {
    match parse_moves(rules, text) {
        Ok(moves) => {
            let written = moves_text(rules, &moves);
            assert_eq!(
                parse_moves(rules, &written),
                Ok(moves),
                "{rules}: {text:?} was written as {written:?}"
            );
        }
        Err(why) => is_a_message(text, &why),
    }
    let empty = Position::new(*rules);
    match parse_move(&empty, text) {
        Ok(mv) => assert_eq!(parse_move(&empty, &mv.label(rules)), Ok(mv), "{rules}: {text:?}"),
        Err(why) => is_a_message(text, &why),
    }
    if let Ok(game) = text.parse::<Rules>() {
        assert_eq!(game.to_string().parse(), Ok(game), "{text:?}");
    }
}

fn is_kept(text: &str, entry: &Entry) {
    let rules = entry.position.rules();
    for format in Format::ALL {
        let written = match notation::write(entry, format) {
            Ok(written) => written,
            Err(NotationError::NotForGame { .. } | NotationError::NoScore { .. }) => continue,
            // A board that was set up need not come from any order of moves, and formats that list
            // moves then say so.
            Err(_) if entry.moves.is_none() && entry.position.some_moves().is_err() => continue,
            Err(why) => {
                panic!("{text:?} was read as {entry:?}, which {format} does not write: {why}")
            }
        };
        let again =
            notation::Reader::new().format(format).rules(rules).read(&written).unwrap_or_else(
                |why| panic!("{text:?} was written in {format} as {written:?}: {why}"),
            );
        assert_eq!(
            again.position, entry.position,
            "{text:?} was written in {format} as {written:?}"
        );
        if format.keeps_order() && entry.moves.is_some() {
            assert_eq!(again.moves, entry.moves, "{text:?} was written in {format} as {written:?}");
        }
    }
}

fn is_a_message(text: &str, why: &NotationError) {
    assert!(why.to_string().len() < 2000, "a message, not a dump: {text:?}");
}

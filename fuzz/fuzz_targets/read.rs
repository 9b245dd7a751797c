//! The first byte chooses a game, the rest is a text.
#![no_main]

#[path = "../../crates/fourfold/tests/notation_laws/mod.rs"]
mod notation_laws;

use libfuzzer_sys::fuzz_target;
use notation_laws::GAMES;

fuzz_target!(|data: &[u8]| {
    let Some((choice, text)) = data.split_first() else { return };
    let rules = GAMES[usize::from(*choice) % GAMES.len()].parse().expect("a game");
    notation_laws::of_positions(&String::from_utf8_lossy(text), &rules);
});

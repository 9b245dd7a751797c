//! Properties of all formats: whatever is written is read back, and nothing that is read can make
//! the reader panic.

mod notation_laws;

use fourfold::game::notation::{self, Class, Entry, Format, NotationError, slot};
use fourfold::game::{Move, Position, Rules};
use fourfold::random::Random;
use notation_laws::GAMES;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn game() -> impl Strategy<Value = Rules> {
    prop::sample::select(&GAMES[..]).prop_map(|text| text.parse().expect("rules"))
}

/// A random game, cut off somewhere or played to its end, with made-up labels.
fn entry() -> impl Strategy<Value = Entry> {
    (game(), any::<u64>(), 0.0..=1.0).prop_map(|(rules, seed, share): (Rules, u64, f64)| {
        let mut random = Random::new(seed);
        let mut moves: Vec<Move> = Vec::new();
        let mut position = Position::new(rules);
        while let Some(&mv) = random.pick(&position.legal_moves()) {
            if moves.len() as f64 >= share * f64::from(rules.cells()) {
                break;
            }
            position = position.play(mv).expect("legal");
            moves.push(mv);
        }
        let mut entry = Entry::of(position).with_moves(moves);
        if random.chance(0.5) {
            entry.score = Some(random.below(5) as i32 - 2);
        }
        if random.chance(0.5) && !position.legal_moves().is_empty() {
            let mut scores = vec![None; rules.most_moves() as usize];
            for mv in position.legal_moves() {
                scores[slot(&rules, mv)] = Some(random.below(5) as i32 - 2);
            }
            entry.scores = Some(scores);
        }
        if random.chance(0.5) {
            entry.class = random.pick(&[Class::Win, Class::Loss, Class::Draw]).copied();
        }
        entry
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600,
        failure_persistence: None,
        // The same cases each time; `fuzz/` looks further.
        rng_seed: RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    })]

    /// Written and read back, a position is the same; so are the order of moves and the labels that a format keeps.
    #[test]
    fn what_is_written_is_read_back(entry in entry()) {
        let rules = *entry.position.rules();
        for format in Format::ALL {
            let text = match notation::write(&entry, format) {
                Ok(text) => text,
                Err(NotationError::NotForGame { .. }) => continue,
                Err(NotationError::NoScore { .. }) if entry.best_score().is_none() => continue,
                Err(why) => return Err(TestCaseError::fail(format!("{format}: {why}"))),
            };
            let back = notation::Reader::new().format(format).rules(&rules).read(&text);
            let back = back.map_err(|why| TestCaseError::fail(format!("{format}: {text}: {why}")))?;
            prop_assert_eq!(back.position, entry.position, "{}: {}", format, text);
            if format.keeps_order() {
                prop_assert_eq!(&back.moves, &entry.moves, "{}: {}", format, text);
            }
            if matches!(format, Format::Ndjson) {
                prop_assert_eq!(&back, &entry);
            }
            if matches!(format, Format::Csv) {
                prop_assert_eq!((back.score, &back.scores), (entry.score, &entry.scores));
            }
            if format != Format::Zero {
                // Recognised for what it is, or (rarely) refused as ambiguous; never read as something else.
                match notation::Reader::new().rules(&rules).read(&text) {
                    Ok(guessed) => prop_assert_eq!(guessed.position, entry.position, "{}: {}", format, text),
                    Err(NotationError::Ambiguous { .. }) => {}
                    Err(why) => return Err(TestCaseError::fail(format!("{format}: {text}: {why}"))),
                }
            }
        }
    }

    /// Formats that list moves find an order for discs alone.
    #[test]
    fn discs_alone_are_written_in_every_format(entry in entry()) {
        let discs = Entry::of(entry.position).with_score(0);
        for format in Format::ALL {
            match notation::write(&discs, format) {
                Ok(text) => {
                    let back = notation::Reader::new().format(format).rules(entry.position.rules()).read(&text);
                    prop_assert_eq!(back.map(|back| back.position), Ok(entry.position), "{}", text);
                }
                Err(NotationError::NotForGame { .. }) => {}
                Err(why) => return Err(TestCaseError::fail(format!("{format}: {why}"))),
            }
        }
    }

    /// No text makes a reader panic, and whatever it accepts is written and read again as the same position.
    #[test]
    fn nothing_panics(text in hostile(), rules in game()) {
        survives(&text, &rules);
    }

    #[test]
    fn nothing_panics_on_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), rules in game()) {
        survives(&String::from_utf8_lossy(&bytes), &rules);
    }

    /// A valid text with a piece cut out, doubled or replaced.
    #[test]
    fn nothing_panics_on_damaged_texts(
        entry in entry(), format in prop::sample::select(&Format::ALL[..]),
        cut in any::<prop::sample::Index>(), length in 0usize..6, with in hostile(),
    ) {
        let rules = *entry.position.rules();
        if let Ok(text) = notation::write(&entry, format) {
            let mut chars: Vec<char> = text.chars().collect();
            let start = cut.index(chars.len() + 1);
            let end = (start + length).min(chars.len());
            chars.splice(start..end, with.chars().take(8));
            survives(&chars.into_iter().collect::<String>(), &rules);
        }
    }
}

/// Texts made of the pieces that formats are made of, and any others.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "0",
        "1",
        "4",
        "9",
        "10",
        "99999999999999999999999",
        "-1",
        "a",
        "d1",
        "zz9",
        "x",
        "o",
        "b",
        ".",
        "/",
        "7",
        ",",
        " ",
        "\n",
        "\"",
        "[",
        "]",
        "{",
        "}",
        ":",
        "=",
        "mask=",
        "mover=",
        "key=",
        "0x",
        "7x6c4",
        "3x3c3f",
        "game",
        "\"moves\":",
        "\"board\":",
        "\"observation\":",
        "win",
        "é",
        "\u{2009}",
        "null",
        "1e400",
        "1.0",
        "\0",
    ]);
    prop_oneof![
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat()),
        "\\PC{0,80}",
        ".{0,80}",
    ]
}

fn survives(text: &str, rules: &Rules) {
    notation_laws::of_positions(text, rules);
    notation_laws::of_moves(text, rules);
}

//! The table of switches: one home for names, docs, defaults and values.

use fourfold::search::{Effect, SWITCHES, SearchOptions, Switch, SwitchKind, Tie};
use std::collections::BTreeSet;

fn error(name: &str, value: &str) -> String {
    SearchOptions::default().set(name, value).unwrap_err().to_string()
}

#[test]
fn switches_are_described_once_and_wholly() {
    let names: BTreeSet<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
    assert_eq!(names.len(), SWITCHES.len(), "names are unique");
    for switch in &SWITCHES {
        assert!(!switch.doc.is_empty() && !switch.doc.ends_with('.'), "{}", switch.name);
        assert!(switch.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{}", switch.name);
        assert_eq!(Switch::named(switch.name).map(|found| found.doc), Some(switch.doc));
        assert!(!switch.effect.to_string().is_empty());
        // Set to its default, everything stays as it was.
        let mut options = SearchOptions::default();
        options.set(switch.name, &switch.default_value()).unwrap();
        assert_eq!(options, SearchOptions::default(), "{}", switch.name);
    }
    assert!(Switch::named("nothing").is_none());
}

/// Every value worth trying of a switch.
fn values(switch: &Switch) -> Vec<String> {
    match switch.kind {
        SwitchKind::Flag => vec!["on".to_owned(), "off".to_owned()],
        SwitchKind::Number { min, max, unit } => {
            assert!(min < max && !unit.is_empty());
            vec![min.to_string(), (min + 1).to_string(), max.to_string()]
        }
        SwitchKind::Choice(words) => words.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn what_is_set_is_read_and_alone_is_changed() {
    for switch in &SWITCHES {
        for value in values(switch) {
            let mut options = SearchOptions::default();
            options.set(switch.name, &value).unwrap();
            assert_eq!(switch.value(&options), value, "{}", switch.name);
            let changed: Vec<(&str, String)> =
                options.changed().map(|(switch, value)| (switch.name, value)).collect();
            if value == switch.default_value() {
                assert!(changed.is_empty(), "{}", switch.name);
                assert!(options.keeps_value());
            } else {
                assert_eq!(changed, [(switch.name, value)]);
                assert_eq!(
                    options.keeps_value(),
                    switch.effect != Effect::MayChangeValue,
                    "{}",
                    switch.name
                );
            }
            // The changes alone make the same options again.
            let mut again = SearchOptions::default();
            for (switch, value) in options.changed() {
                again.set(switch.name, &value).unwrap();
            }
            assert_eq!(again, options);
        }
    }
    let words: BTreeSet<String> =
        [Tie::First, Tie::Centre, Tie::Random].iter().map(ToString::to_string).collect();
    let tie = values(Switch::named("tie").unwrap()).into_iter().collect();
    assert_eq!(words, tie);
}

#[test]
fn flags_are_read_in_the_usual_words() {
    for (words, on) in [(["on", "true", "1"], true), (["off", "false", "0"], false)] {
        for word in words {
            let mut options = SearchOptions::default().with_mid_col(!on);
            options.set("mid_col", word).unwrap();
            assert_eq!(options.mid_col, on, "{word}");
        }
    }
}

#[test]
fn what_cannot_be_set_is_refused_in_words() {
    assert_eq!(error("mid_col", "yes"), "mid_col cannot be \"yes\": it is on or off");
    assert_eq!(
        error("table", "-1"),
        "table cannot be \"-1\": it is a number of MiB from 0 to 65536"
    );
    assert_eq!(
        error("table", "65537"),
        "table cannot be \"65537\": it is a number of MiB from 0 to 65536"
    );
    assert_eq!(
        error("contempt", "99999999999999999999"),
        "contempt cannot be \"99999999999999999999\": it is a number of points from -1000000 to 1000000"
    );
    assert_eq!(error("tie", "last"), "tie cannot be \"last\": it is one of first, centre, random");
    for switch in &SWITCHES {
        let mut options = SearchOptions::default();
        assert!(
            options.set(switch.name, "").is_err() && options.set(switch.name, "\u{221e}").is_err()
        );
        assert_eq!(options, SearchOptions::default(), "a refused value changes nothing");
    }
}

#[test]
fn unknown_names_are_met_with_the_nearest_or_with_all() {
    for (given, meant) in [
        ("midcol", "mid_col"),
        ("alphabeta", "alpha_beta"),
        ("killer", "killers"),
        ("simmetry", "symmetry"),
        ("ties", "tie"),
        ("deepning", "deepening"),
        ("exactroot", "exact_root"),
    ] {
        assert_eq!(
            error(given, "on"),
            format!("there is no switch {given:?}; did you mean {meant}?")
        );
    }
    let all: Vec<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
    for given in ["", "x", "foo", "eval", "\u{7684}", "nothing_of_the_kind"] {
        assert_eq!(
            error(given, "on"),
            format!("there is no switch {given:?}; there are {}", all.join(", "))
        );
    }
}

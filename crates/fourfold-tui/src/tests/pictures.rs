//! What is drawn: whole screens kept as text, colours, and the pictures that the documents show.
//!
//! To write what is drawn into the files instead of comparing, set `FOURFOLD_UPDATE_DOCS`.

use super::{ASCII, Driver, FEW, FULL, PLAIN, svg, text_of};
use crate::app::{AppEvent, SearchCounts};
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Color;
use std::path::Path;
use std::time::Duration;

fn check(path: &str, drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("FOURFOLD_UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "{} shows\n{kept}\nbut this is drawn:\n{drawn}", path.display());
}

fn check_screen(name: &str, drawn: &str) {
    check(&format!("src/tests/screens/{name}.txt"), drawn);
}

/// A game in its middle, every move's result shown.
fn analysed(size: (u16, u16)) -> Driver {
    let mut driver = Driver::new("7x6c4", "human", "level:4", "32164625", size);
    driver.press("a");
    driver
}

/// A game that somebody has won.
fn won(size: (u16, u16)) -> Driver {
    let mut driver = Driver::new("7x6c4", "human", "script:3352", "", size);
    driver.press("4441");
    driver.press("4");
    driver
}

#[test]
fn screens_are_as_they_were() {
    for size in [(60, 20), (80, 24), (120, 40)] {
        let (width, height) = size;
        check_screen(&format!("analysis-{width}x{height}"), &analysed(size).text(PLAIN));
        check_screen(&format!("analysis-{width}x{height}-ascii"), &analysed(size).text(ASCII));
        check_screen(&format!("won-{width}x{height}"), &won(size).text(PLAIN));
        check_screen(&format!("won-{width}x{height}-ascii"), &won(size).text(ASCII));
        for (name, key) in [("help", "?"), ("menu", "m"), ("players", "p"), ("games", "l")] {
            let mut driver = won(size);
            driver.press(key);
            check_screen(&format!("{name}-{width}x{height}"), &driver.text(PLAIN));
        }
        let mut reviewed = won(size);
        reviewed.press("v");
        reviewed.code(KeyCode::Up);
        check_screen(&format!("review-{width}x{height}"), &reviewed.text(PLAIN));
        let mut cells = Driver::new("tictactoe", "human", "human", "b2 b1", size);
        cells.press("a");
        check_screen(&format!("tictactoe-{width}x{height}"), &cells.text(PLAIN));
        check_screen(&format!("tictactoe-{width}x{height}-ascii"), &cells.text(ASCII));
    }
}

#[test]
fn any_board_is_drawn() {
    for (game, moves) in [
        ("7x6s2", "44353"),
        ("12x9c5", "6,6,7,12,12"),
        ("9x9c5f", "e5 a1 i9"),
        ("64x1c4f", "a1 bl1"),
        ("1x127c4f", "a1 a2"),
        ("2x63c4", "12"),
    ] {
        check_screen(
            &format!("board-{game}"),
            &Driver::new(game, "human", "human", moves, (60, 20)).text(PLAIN),
        );
    }
}

#[test]
fn too_small_a_terminal_is_explained() {
    let driver = Driver::new("7x6c4", "human", "human", "", (59, 20));
    let text = driver.text(PLAIN);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "Fourfold needs 60 columns and 20 rows, but this window has 59 and 20. \
                    Make it larger, or press Q and try 'fourfold play --line'.";
    assert_eq!(words, expected);
    for size in [(1, 1), (2, 30), (200, 1), (59, 19)] {
        assert!(!Driver::new("7x6c4", "human", "human", "", size).text(ASCII).is_empty());
    }
}

#[test]
fn searches_are_counted_while_they_run() {
    let mut driver = Driver::new("7x6c4", "human", "minimax:depth=30", "", (80, 24));
    driver.type_keys("4");
    driver.wait(Duration::from_millis(2500));
    driver.send(AppEvent::Tick(SearchCounts { nodes: 7_500_000, depth: Some(30) }));
    let text = driver.text(PLAIN).replace('\u{202f}', " ");
    assert!(text.contains("Thinking, 2.5 s: 7 500 000"), "{text}");
    assert!(text.contains("nodes, 3.0 M/s, depth 30"), "{text}");
    assert!(text.contains("minimax:depth=30 is thinking…"), "{text}");
}

#[test]
fn colour_is_never_needed() {
    for driver in [analysed((80, 24)), won((80, 24)), won((120, 40))] {
        let [full, few, plain] = [FULL, FEW, PLAIN].map(|look| driver.picture(look));
        assert_eq!(text_of(&full), text_of(&plain));
        assert_eq!(text_of(&few), text_of(&plain));
        assert!(
            plain.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
        );
        assert!(
            few.content()
                .iter()
                .all(|cell| matches!(cell.fg, Color::Reset | Color::Yellow | Color::Cyan))
        );
        assert!(full.content().iter().any(|cell| matches!(cell.fg, Color::Indexed(_))));
    }
}

#[test]
fn the_pictures_of_the_documents_are_current() {
    for (name, moves, keys) in
        [("terminal", "4435415635", "a"), ("terminal-review", "443541235215334421354575", "v")]
    {
        let mut driver = Driver::new("7x6c4", "human", "level:4", moves, (104, 32));
        driver.press(keys);
        driver.code(KeyCode::Up);
        let picture = svg::draw(&driver.picture(FULL));
        assert!(roxmltree::Document::parse(&picture).is_ok());
        check(&format!("pictures/{name}.svg"), &picture);
    }
}

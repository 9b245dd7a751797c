//! The terminal after a panic, for which the app has no cause of its own: this very program is run
//! in a terminal and panics there.

use super::PLAIN;
use super::tmux::Pane;
use crate::screen::Screen;

/// Panics while the terminal is taken over, on the thread that draws or on another.
fn panic_in_the_app(elsewhere: bool) {
    let _screen = Screen::take(PLAIN, || {}).expect("there is a terminal");
    if elsewhere {
        let _ = std::thread::spawn(|| panic!("a panic on purpose")).join();
    } else {
        panic!("a panic on purpose");
    }
}

#[test]
#[ignore = "it panics, for the test below"]
fn panics_here() {
    panic_in_the_app(false);
}

#[test]
#[ignore = "it panics, for the test below"]
fn panics_elsewhere() {
    panic_in_the_app(true);
}

#[test]
fn a_panic_leaves_the_terminal_as_it_was() {
    let program = std::env::current_exe().expect("this program has a path");
    for name in ["panics_here", "panics_elsewhere"] {
        let test = format!("tests::panics::{name}");
        let command = format!("'{}' --ignored --exact {test} --nocapture", program.display());
        let pane = Pane::run_with(&command, (80, 24), &[("RUST_BACKTRACE", "0")]);
        pane.wait_for("ended with 101");
        pane.assert_restored();
        assert!(pane.text().contains("a panic on purpose"), "{}", pane.text());
    }
}

//! `fourfold play` in a terminal: played by keys, resized, left in every way, and the terminal as
//! it was afterwards.
#![cfg(unix)]

mod common;
#[path = "../../fourfold-tui/src/tests/tmux.rs"]
mod tmux;

use common::scratch;
use std::process::Command;
use tmux::Pane;

fn play(arguments: &str, size: (u16, u16)) -> Pane {
    play_with(arguments, size, &[])
}

fn play_with(arguments: &str, size: (u16, u16), variables: &[(&str, &str)]) -> Pane {
    let variables = [&[("LC_ALL", "C.UTF-8")], variables].concat();
    let pane = Pane::run_with(
        &format!("'{}' play {arguments}", env!("CARGO_BIN_EXE_fourfold")),
        size,
        &variables,
    );
    if !arguments.contains("--line") {
        pane.wait_for("Fourfold  ");
        assert_eq!(pane.fact("#{alternate_on} #{cursor_flag} #{mouse_any_flag}"), "1 0 1");
    }
    pane
}

fn quit(pane: &Pane) {
    pane.press(&["q"]);
    pane.wait_for("ended with 0");
    pane.assert_restored();
}

#[test]
fn a_whole_game_of_connect_four() {
    let pane = play("--second script:2223", (80, 24));
    pane.wait_for("Your move.");
    for (key, moves) in [("1", "1. 1 2"), ("1", "2. 1 2"), ("1", "3. 1 2")] {
        pane.press(&[key]);
        pane.wait_for(moves);
    }
    // Taken back, and something else tried.
    pane.press(&["u"]);
    pane.wait_until("the third moves are gone", |pane| !pane.text().contains("3. 1"));
    pane.press(&["8"]);
    pane.wait_for("There is no column 8: the board has columns 1 to 7.");
    pane.press(&["r"]);
    pane.wait_for("3. 1 2");
    // The last disc by arrows.
    pane.press(&["Home", "Enter"]);
    pane.wait_for("You win. N begins a new game, V reviews this one.");
    assert!(pane.text().contains("┏▟▀▀▙┓"), "{}", pane.text());
    for (width, height) in [(60, 20), (120, 40), (100, 30)] {
        pane.resize(width, height);
        pane.wait_until("the new size", |pane| {
            let text = pane.text();
            text.contains("You win.")
                && text.lines().count() == usize::from(height)
                && text.contains("┏")
        });
    }
    pane.resize(40, 12);
    pane.wait_for("Fourfold needs 60");
    pane.resize(80, 24);
    pane.wait_for("You win.");
    pane.press(&["v"]);
    pane.wait_for("Enter plays on from here.");
    pane.press(&["Escape"]);
    pane.wait_for("You win.");
    quit(&pane);
    assert!(!pane.text().contains("The game stands at"), "{}", pane.text());
}

#[test]
fn a_whole_game_of_tic_tac_toe() {
    let pane = play("-g tictactoe -1 human -2 human --ascii", (60, 20));
    pane.wait_for("The first player to move.");
    // b2 by the cursor, a3 and so on by numbers; the fifth disc wins.
    pane.press(&["Enter"]);
    pane.wait_for("1. b2");
    pane.press(&["Up", "Left", "Enter"]);
    pane.wait_for("1. b2 a3");
    pane.press(&["4"]);
    pane.wait_for("2. a2");
    pane.press(&["2"]);
    pane.wait_for("2. a2 b3");
    pane.press(&["4"]);
    pane.wait_for("Cell a2 is taken.");
    pane.press(&["6"]);
    pane.wait_for("The first player wins.");
    assert!(pane.text().is_ascii(), "{}", pane.text());
    quit(&pane);
}

#[test]
fn rules_and_players_change_and_the_mouse_plays() {
    let pane = play("-1 human -2 human", (80, 24));
    pane.wait_for("The first player to move.");
    // A click with the left button near the left edge of the board, as terminals tell it.
    pane.send("\x1b[<0;11;8M");
    pane.wait_for("1. 1");
    pane.press(&["p"]);
    pane.wait_for("Players and rules");
    pane.press(&["Down"]);
    pane.send("4x4c3");
    pane.press(&["Enter"]);
    pane.wait_for("4x4c3  a line of 3 wins");
    pane.wait_for("game 2, move 1");
    pane.press(&["l"]);
    pane.wait_for("1. 7x6c4");
    pane.press(&["Escape"]);
    pane.wait_until("the list is gone", |pane| !pane.text().contains("1. 7x6c4"));
    pane.press(&["?"]);
    pane.wait_for("drop a disc in that column");
    pane.press(&["Enter", "a"]);
    pane.wait_for("Best play: ");
    quit(&pane);
}

#[test]
fn a_long_search_shows_counters_and_can_be_stopped() {
    let pane = play("--second minimax:depth=40", (80, 24));
    pane.press(&["4"]);
    pane.wait_until("counters", |pane| {
        let text = pane.text();
        text.contains("Thinking, ") && text.contains(" nodes") && text.contains("depth 40")
    });
    // The screen is alive meanwhile.
    pane.press(&["?"]);
    pane.wait_for("drop a disc in that column");
    pane.press(&["x"]);
    pane.press(&["Escape"]);
    pane.wait_for("was stopped.");
    pane.press(&["u"]);
    pane.wait_for("Your move.");
    pane.press(&["4"]);
    pane.wait_for("is thinking");
    quit(&pane);
    assert!(pane.text().contains("The game stands at \"4\"."), "{}", pane.text());
}

#[test]
fn interrupt_stops_a_search_and_then_leaves() {
    let pane = play("--second minimax:depth=40", (80, 24));
    pane.press(&["4"]);
    pane.wait_for("is thinking");
    pane.press(&["C-c"]);
    pane.wait_for("was stopped.");
    pane.press(&["C-c"]);
    pane.wait_for("ended with 0");
    pane.assert_restored();
}

#[test]
fn signals_leave_the_terminal_as_it_was_and_keep_the_game() {
    for (signal, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let file = scratch(&format!("{signal}.jsonl"));
        let pane =
            play(&format!("--second minimax:depth=40 --save '{}'", file.display()), (80, 24));
        pane.press(&["4"]);
        pane.wait_for("is thinking");
        kill(signal, &pane.process());
        pane.wait_for(&format!("ended with {code}"));
        pane.assert_restored();
        let saved = std::fs::read_to_string(&file).expect("the game was kept");
        assert!(saved.contains("\"moves\":\"4\""), "{saved}");
        std::fs::remove_file(file).expect("it can go");
    }
}

#[test]
fn nothing_is_left_behind_when_the_terminal_is_closed() {
    let pane = play("--second minimax:depth=40", (80, 24));
    pane.press(&["4"]);
    pane.wait_for("is thinking");
    let process = pane.process();
    assert!(is_running(&process));
    pane.close();
    pane.wait_until("the program is gone", |_| !is_running(&process));
}

#[test]
fn the_shell_has_the_terminal_while_the_app_is_suspended() {
    let pane = Pane::shell((80, 24));
    pane.send(&format!("'{}' play -1 human -2 human 445", env!("CARGO_BIN_EXE_fourfold")));
    pane.press(&["Enter"]);
    pane.wait_for("The second player to move.");
    pane.press(&["C-z"]);
    pane.wait_until("the main screen", |pane| pane.fact("#{alternate_on} #{cursor_flag}") == "0 1");
    pane.send("echo between");
    pane.press(&["Enter"]);
    pane.wait_until("an answer", |pane| pane.text().matches("between").count() >= 2);
    pane.send("fg");
    pane.press(&["Enter"]);
    pane.wait_for("The second player to move.");
    pane.press(&["3"]);
    pane.wait_for("2. 5 3");
    pane.press(&["q"]);
    pane.wait_for("The game stands at \"4453\".");
    assert_eq!(pane.fact("#{alternate_on} #{cursor_flag}"), "0 1");
}

#[test]
fn colours_are_those_the_terminal_has() {
    let has = |pane: &Pane, sequence: &str| pane.coloured_text().contains(sequence);
    let arguments = "-1 human -2 human 44";
    for (term, more, sequences) in [
        ("screen-256color", "", ["38;5;208m", "38;5;39m"]),
        ("screen", "", ["33m", "36m"]),
        ("screen", "--color always", ["33m", "36m"]),
    ] {
        let pane = play_with(
            &format!("{arguments} {more}"),
            (80, 24),
            &[("TERM", term), ("COLORTERM", "")],
        );
        for sequence in sequences {
            assert!(
                has(&pane, sequence),
                "{term}: {sequence:?} is not in {:?}",
                pane.coloured_text()
            );
        }
        quit(&pane);
    }
    let pane = play_with(arguments, (80, 24), &[("TERM", "screen-256color"), ("NO_COLOR", "1")]);
    for sequence in ["[38;5;", "[33m", "[36m", ";33m", ";36m"] {
        assert!(!has(&pane, sequence), "{:?}", pane.coloured_text());
    }
    assert!(pane.text().contains("▟▀▀▙"), "{}", pane.text());
    quit(&pane);
}

#[test]
fn lines_where_they_are_asked_for_or_nothing_else_will_do() {
    for (arguments, variables) in [("--line 4453", &[][..]), ("--line 4453", &[("TERM", "dumb")])] {
        let pane = play_with(arguments, (80, 24), variables);
        pane.wait_for("x to move:");
        assert_eq!(pane.fact("#{alternate_on}"), "0");
        pane.press(&["q", "Enter"]);
        pane.wait_for("The game stands at \"4453\".");
        pane.wait_for("ended with 0");
        pane.assert_restored();
    }
}

fn kill(signal: &str, process: &str) -> bool {
    let killed =
        Command::new("sh").args(["-c", &format!("kill -{signal} {process} 2>/dev/null")]).status();
    killed.expect("the shell runs").success()
}

/// Whether a process runs; one that only waits to be buried does not.
fn is_running(process: &str) -> bool {
    let buried = std::fs::read_to_string(format!("/proc/{process}/stat"));
    kill("0", process) && !buried.is_ok_and(|stat| stat.contains(") Z "))
}

//! How keys, the mouse and search events change the state.

use super::{ASCII, Driver, FULL, PLAIN};
use crate::app::{AppEvent, Dialog};
use crate::worker::{SearchEvent, SearchJob};
use fourfold::game::{Outcome, Side};
use fourfold::play::Winner;
use fourfold::random::Random;
use fourfold::solver::MoveAnalysis;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use std::time::Duration;

const SIZE: (u16, u16) = (80, 24);

fn driver(game: &str, first: &str, second: &str) -> Driver {
    let mut driver = Driver::new(game, first, second, "", SIZE);
    driver.work();
    driver
}

#[test]
fn a_whole_game_by_number_keys() {
    let mut driver = driver("7x6c4", "human", "script:222");
    assert_eq!(driver.status(), "Your move.");
    driver.press("1");
    assert_eq!(driver.status(), "script:222 plays column 2. Your move.");
    driver.press("118");
    assert_eq!(driver.status(), "There is no column 8: the board has columns 1 to 7.");
    driver.press("1");
    assert_eq!(driver.moves(), "1212121");
    assert!(matches!(driver.app.game.position().outcome(), Outcome::Won { by: Side::First, .. }));
    assert_eq!(driver.status(), "You win. N begins a new game, V reviews this one.");
    driver.press("4");
    assert_eq!(driver.status(), "The game is over. N begins a new one, U takes a move back.");
    driver.press("n");
    assert_eq!((driver.moves().as_str(), driver.app.number), ("", 2));
    assert_eq!(driver.saved.len(), 1);
    assert_eq!(driver.saved[0].result, Some(Winner::First));
    driver.press("q");
    // Nothing was played in the second game.
    assert!(driver.left && driver.saved.len() == 1);
}

#[test]
fn arrows_choose_and_enter_plays() {
    let mut columns = driver("7x6c4", "human", "human");
    for code in
        [KeyCode::Left, KeyCode::Left, KeyCode::Enter, KeyCode::End, KeyCode::Down, KeyCode::Home]
    {
        columns.code(code);
    }
    columns.press(" ");
    assert_eq!(columns.moves(), "271");
    assert_eq!(columns.status(), "The second player to move.");

    let mut cells = driver("tictactoe", "human", "human");
    cells.code(KeyCode::Enter);
    cells.code(KeyCode::Enter);
    assert_eq!(cells.status(), "Cell b2 is taken. Choose another.");
    for code in
        [KeyCode::Up, KeyCode::Left, KeyCode::Enter, KeyCode::Right, KeyCode::Right, KeyCode::Enter]
    {
        cells.code(code);
    }
    assert_eq!(cells.moves(), "b2 a3 c3");
    // By numbers, row by row from the top left.
    cells.press("4");
    assert_eq!(cells.moves(), "b2 a3 c3 a2");
    cells.press("4");
    assert_eq!(cells.status(), "Cell a2 is taken.");
}

#[test]
fn columns_of_two_digits_are_typed_and_entered() {
    let mut driver = driver("12x9c5", "human", "human");
    driver.press("12");
    assert_eq!(
        (driver.moves().as_str(), driver.status().as_str()),
        ("", "Column 12: Enter plays there.")
    );
    driver.code(KeyCode::Enter);
    driver.press("5");
    driver.code(KeyCode::Enter);
    // 13 is no column: what counts is the 3.
    driver.press("13");
    driver.code(KeyCode::Enter);
    driver.press("1");
    driver.code(KeyCode::Esc);
    assert_eq!(driver.status(), "The second player to move.");
    assert_eq!(driver.moves(), "12,5,3");
}

#[test]
fn undo_stops_the_engine_and_takes_the_move_back() {
    let mut driver = driver("7x6c4", "human", "level:2");
    driver.type_keys("4");
    assert!(matches!(driver.order, Some((1, SearchJob::Choose { .. }))));
    driver.type_keys("u");
    assert_eq!((driver.moves().as_str(), driver.stopped.as_slice()), ("", &[1][..]));
    assert!(driver.order.is_none());
    // Late reports of the stopped search are ignored.
    let mv = driver.app.game.position().drop_in(0).unwrap();
    driver.send(AppEvent::Search(1, SearchEvent::Chose(fourfold::play::Choice::unthinking(mv))));
    assert_eq!(driver.moves(), "");
    driver.press("r");
    assert_eq!(driver.moves().len(), 2);
    driver.press("uu");
    assert_eq!(driver.status(), "There is nothing to take back.");
    driver.press("rr");
    assert_eq!(driver.status(), "There is nothing to redo.");
}

#[test]
fn escape_and_interrupt_stop_a_search_before_they_leave() {
    let mut driver = driver("7x6c4", "human", "level:2");
    driver.type_keys("4");
    driver.code(KeyCode::Esc);
    assert_eq!(driver.status(), "Level 2 was stopped. Space lets it think, U takes a move back.");
    assert!(driver.order.is_none() && driver.app.paused);
    driver.type_keys("3");
    assert_eq!(driver.status(), "Level 2 is to move. Space lets it think.");
    driver.type_keys(" ");
    assert!(driver.order.is_some());
    driver.type_keys("3");
    assert_eq!(driver.status(), "Level 2 is thinking. Esc stops it.");
    driver.control('c');
    assert!(driver.app.paused && !driver.left);
    driver.type_keys("?");
    driver.control('c');
    assert!(driver.app.dialog.is_none() && !driver.left);
    driver.control('c');
    assert!(driver.left);
    assert_eq!((driver.saved.len(), driver.saved[0].result), (1, None));
}

#[test]
fn analysis_comes_move_by_move_and_goes_with_the_position() {
    let mut driver = Driver::new("7x6c4", "human", "human", "32164625", SIZE);
    driver.type_keys("a");
    let Some((task, SearchJob::Analysis(position))) = driver.order.clone() else {
        panic!("{:?}", driver.order)
    };
    let mv = position.drop_in(2).unwrap();
    driver.send(AppEvent::Search(
        task,
        SearchEvent::Found(MoveAnalysis::Bounds { mv, lower: 1, upper: 11 }),
    ));
    assert!(driver.text(PLAIN).contains(" 3  wins\n"), "{}", driver.text(PLAIN));
    assert!(driver.text(PLAIN).contains(" 4  …\n"));
    driver.type_keys("h");
    assert!(
        matches!(driver.order, Some((_, SearchJob::Hint(_)))),
        "a hint comes before the analysis"
    );
    driver.work();
    assert_eq!(driver.status(), "Hint: column 3 wins in 7 moves.");
    assert_eq!(driver.app.cursor.column, 2);
    let text = driver.text(PLAIN);
    assert!(text.contains("▸  3  wins in 7 moves    +11"), "{text}");
    assert!(text.contains("Best play: 3 "), "{text}");
    assert!(text.contains("3★"), "{text}");
    let analysis = driver.app.analysis.as_ref().unwrap();
    assert!(analysis.complete && analysis.best() == Some(11));
    driver.type_keys("3");
    assert!(driver.app.hint.is_none() && driver.app.analysis.as_ref().unwrap().found.is_empty());
    driver.type_keys("a");
    assert!(driver.app.analysis.is_none() && driver.order.is_none());
}

#[test]
fn engines_play_each_other_at_a_pace_and_can_be_paused() {
    let mut driver = driver("7x6c4", "naive", "level:1");
    assert_eq!(driver.moves().len(), 1);
    assert!(driver.app.is_waiting() && driver.order.is_none());
    driver.wait(Duration::from_secs(1));
    driver.work();
    assert_eq!(driver.moves().len(), 2);
    driver.press(" ");
    driver.wait(Duration::from_secs(9));
    driver.work();
    assert_eq!((driver.moves().len(), driver.status().as_str()), (2, "Paused. Space resumes."));
    driver.press("u");
    assert_eq!(driver.moves().len(), 1);
    driver.press("x");
    assert_eq!(driver.status(), "Engines play both sides, so nobody can resign.");
    driver.press(" ");
    for _ in 0..50 {
        driver.wait(Duration::from_secs(1));
        driver.work();
    }
    assert!(driver.app.is_over() && !driver.app.is_waiting());
}

#[test]
fn a_person_may_resign_and_think_better_of_it() {
    let mut driver = driver("7x6c4", "human", "level:1");
    driver.press("4x");
    assert_eq!(
        driver.status(),
        "You resign. Level 1 wins. N begins a new game, V reviews this one."
    );
    driver.press("u");
    assert_eq!((driver.status().as_str(), driver.moves().len()), ("The game goes on.", 2));
    driver.press("xn");
    assert_eq!(driver.app.finished_games[0].result(), "first resigned");
    assert_eq!(driver.saved[0].result, None);
}

#[test]
fn an_engine_that_forfeits_has_lost_until_the_move_is_taken_back() {
    let mut driver = driver("7x6c4", "human", "level:1");
    driver.type_keys("4");
    let (task, _) = driver.order.take().unwrap();
    driver.send(AppEvent::Search(task, SearchEvent::Forfeited("it said nothing".to_owned())));
    assert_eq!(
        driver.status(),
        "Level 1 forfeits: it said nothing. You win. N begins a new game, V reviews this one."
    );
    assert!(driver.app.is_over() && driver.order.is_none());
    assert_eq!(driver.app.games()[0].result(), "second forfeited");
    driver.type_keys("u");
    assert_eq!((driver.status().as_str(), driver.moves().as_str()), ("Your move.", ""));
    driver.press("4q");
    assert_eq!((driver.saved[0].result, driver.saved[0].forfeit.as_deref()), (None, None));
}

#[test]
fn players_and_rules_change_without_leaving() {
    let mut driver = driver("7x6c4", "human", "level:4");
    driver.press("44p");
    // One level up, in the same game.
    driver.code(KeyCode::Right);
    driver.code(KeyCode::Enter);
    assert_eq!(driver.status(), "You play first, level 5 second.");
    assert_eq!((driver.moves().len(), driver.app.number), (4, 1));
    // Anybody who can be written down.
    driver.press("pnave");
    driver.code(KeyCode::Enter);
    let text = driver.text(PLAIN);
    assert!(text.contains("There is no player \"nave\"; did you mean naive?"), "{text}");
    driver.code(KeyCode::Backspace);
    driver.code(KeyCode::Backspace);
    driver.code(KeyCode::Backspace);
    driver.type_keys("aive");
    driver.code(KeyCode::Enter);
    assert!(driver.app.dialog.is_none(), "{}", driver.text(PLAIN));
    assert_eq!(driver.app.game.specs[1].to_string(), "naive");
    // Other rules are another game.
    driver.press("g");
    driver.code(KeyCode::Down);
    driver.press("3x3c4");
    driver.code(KeyCode::Enter);
    assert!(driver.text(PLAIN).contains("Nobody could ever win 3x3c4"), "{}", driver.text(PLAIN));
    driver.code(KeyCode::Backspace);
    driver.type_keys("3f");
    driver.code(KeyCode::Enter);
    assert_eq!((driver.app.game.rules.to_string().as_str(), driver.app.number), ("3x3c3f", 2));
    assert_eq!(driver.app.finished_games.len(), 1);
    // A player who cannot judge the game is refused.
    driver.press("pminimax:eval=square");
    driver.code(KeyCode::Enter);
    assert!(driver.text(PLAIN).contains("cannot judge 3x3c3f"), "{}", driver.text(PLAIN));
    driver.code(KeyCode::Esc);
    driver.press("s");
    assert_eq!(driver.moves().len(), 2, "the engine moves first now");
}

#[test]
fn a_game_is_reviewed_and_played_on() {
    let mut driver = Driver::new("tictactoe", "human", "human", "", SIZE);
    driver.press("v");
    assert_eq!(driver.status(), "There is no move to review yet.");
    // b2 b1 a1 c3, then the first player wins.
    driver.press("58739");
    driver.press("n");
    driver.press("l");
    assert!(matches!(driver.app.dialog, Some(Dialog::Games(0))));
    driver.code(KeyCode::Enter);
    assert!(driver.text(PLAIN).contains("0 of 5 moves judged"), "{}", driver.text(PLAIN));
    driver.work();
    driver.code(KeyCode::Up);
    let reviewing = driver.app.reviewing.as_ref().unwrap();
    assert_eq!(reviewing.ply, 2);
    let text = driver.text(PLAIN);
    assert!(text.contains("Move 2, b1: ▲ blunder.") && text.contains("b1▲"), "{text}");
    assert!(text.contains("best 1 of 2 1▲"), "{text}");
    driver.code(KeyCode::Left);
    driver.code(KeyCode::Enter);
    assert_eq!((driver.moves().as_str(), driver.app.reviewing.is_none()), ("b2", true));
    driver.press("u");
    assert_eq!(driver.status(), "There is nothing to take back.", "what was there stays");
}

#[test]
fn a_review_that_is_left_is_stopped() {
    let mut driver = Driver::new("7x6c4", "human", "human", "4453", SIZE);
    driver.type_keys("v");
    assert!(matches!(driver.order, Some((1, SearchJob::Review { .. }))));
    driver.code(KeyCode::Esc);
    assert_eq!((driver.stopped.as_slice(), driver.order.is_none()), (&[1][..], true));
}

#[test]
fn the_mouse_plays_and_presses_keys() {
    let mut driver = driver("7x6c4", "human", "human");
    let place = |driver: &Driver, what: &str| {
        let text = driver.text(PLAIN);
        let row = text
            .lines()
            .position(|line| line.contains(what))
            .unwrap_or_else(|| panic!("{what}\n{text}"));
        let line = text.lines().nth(row).unwrap();
        let column = line[..line.find(what).unwrap()].chars().count();
        (column as u16, row as u16)
    };
    // On the name of a column, and anywhere above it.
    let (x, y) = place(&driver, "1    2    3");
    driver.click(x + 10, y);
    driver.click(x + 10, 5);
    driver.click(x, 10);
    assert_eq!(driver.moves(), "331");
    let (x, y) = place(&driver, "U undo");
    driver.click(x + 3, y);
    assert_eq!(driver.moves(), "33");
    let (x, y) = place(&driver, "M menu");
    driver.click(x, y);
    assert!(matches!(driver.app.dialog, Some(Dialog::Menu(0))));
    let (x, y) = place(&driver, "Start a new game");
    driver.click(x, y);
    assert_eq!((driver.moves().as_str(), driver.app.number), ("", 2));
    driver.press("p");
    driver.click(0, 0);
    assert!(driver.app.dialog.is_none());

    let mut cells = Driver::new("3x3c3f", "human", "human", "", (120, 40));
    let (x, y) = place(&cells, "2 │");
    cells.click(x + 6, y);
    assert_eq!(cells.moves(), "a2");
}

/// Whatever comes, there is a picture, the game is legal, and at most one search is under way.
#[test]
fn nothing_brings_it_down() {
    let games = ["7x6c4", "7x6s2", "3x3c3f", "12x9c5", "64x1c4f", "1x127c4f", "2x63c4", "9x9c5f"];
    let keys: Vec<char> = "1234567890uurrhhaanpsxvlm?g c".chars().collect();
    let codes = [
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::Backspace,
    ];
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let game = games[random.below(games.len())];
        let mut driver = Driver::new(
            game,
            "human",
            random.pick(&["human", "naive", "script:1"]).unwrap(),
            "",
            SIZE,
        );
        for _ in 0..250 {
            match random.below(12) {
                0..=4 => driver.code(KeyCode::Char(*random.pick(&keys).unwrap())),
                5..=7 => driver.code(*random.pick(&codes).unwrap()),
                8 => {
                    let size = (1 + random.below(160) as u16, 1 + random.below(60) as u16);
                    let size =
                        if random.chance(0.5) { (size.0.max(60), size.1.max(20)) } else { size };
                    driver.send(AppEvent::Resize(size.0, size.1));
                }
                9 => {
                    let (x, y) = (random.below(160) as u16, random.below(60) as u16);
                    let moved = MouseEvent {
                        kind: MouseEventKind::Moved,
                        column: x,
                        row: y,
                        modifiers: KeyModifiers::NONE,
                    };
                    driver.send(AppEvent::Mouse(moved));
                    driver.click(x, y);
                }
                10 => driver.wait(Duration::from_millis(300)),
                _ => answer(&mut driver, &mut random),
            }
            let (text, ascii) = (driver.text(FULL), driver.text(ASCII));
            assert!(ascii.is_ascii(), "{ascii}");
            assert_eq!(text.lines().count(), ascii.lines().count());
        }
    }
}

/// Ends the task under way: with a move if one is wanted, else with nothing or a failure.
fn answer(driver: &mut Driver, random: &mut Random) {
    let Some((task, job)) = driver.order.take() else { return };
    match job {
        SearchJob::Choose { position, .. } => {
            let mv = *random.pick(&position.legal_moves()).expect("the game goes on");
            driver.send(AppEvent::Search(
                task,
                SearchEvent::Chose(fourfold::play::Choice::unthinking(mv)),
            ));
        }
        SearchJob::Analysis(position) => {
            for mv in position.legal_moves() {
                let (lower, upper) = (random.below(5) as i32 - 4, random.below(5) as i32);
                driver.send(AppEvent::Search(
                    task,
                    SearchEvent::Found(MoveAnalysis::Bounds { mv, lower, upper }),
                ));
            }
            driver.send(AppEvent::Search(task, SearchEvent::Done));
        }
        _ => driver.send(AppEvent::Search(task, SearchEvent::Failed("it did not work".to_owned()))),
    }
}

#[test]
fn keys_that_are_let_go_do_nothing() {
    let mut driver = driver("7x6c4", "human", "human");
    let mut key = KeyEvent::new(KeyCode::Char('4'), KeyModifiers::NONE);
    key.kind = ratatui::crossterm::event::KeyEventKind::Release;
    driver.send(AppEvent::Key(key));
    key.kind = ratatui::crossterm::event::KeyEventKind::Press;
    key.modifiers = KeyModifiers::ALT;
    driver.send(AppEvent::Key(key));
    assert_eq!(driver.moves(), "");
}

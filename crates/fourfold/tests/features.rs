//! The library with and without its cargo features: what is left out says so, and results are the
//! same. Run it as `cargo test -p fourfold --no-default-features --features ...`.

use fourfold::book::Book;
use fourfold::game::notation::{self, Format, NotationError};
use fourfold::game::{Position, Rules};
use fourfold::play::PlayerSpec;
use fourfold::search::{Limits, SearchError, SearchOptions, Searcher};
use fourfold::solver::{Solver, SolverOptions};

#[test]
fn there_is_a_book_with_the_feature_only() {
    let empty = Position::new(Rules::CONNECT_FOUR);
    let book = Book::embedded(&Rules::CONNECT_FOUR);
    assert_eq!(book.and_then(|book| book.score(&empty)), cfg!(feature = "book").then_some(1));
    assert!(Book::embedded(&Rules::SQUARE).is_none());
    let mut searcher = Searcher::new(
        fourfold::eval::Evaluator::Terminal,
        SearchOptions::default().with_book(true),
    );
    let found = searcher.search(&empty, &Limits::depth(1), 0);
    assert_eq!(found.is_ok(), cfg!(feature = "book"));
    assert!(matches!(found, Ok(_) | Err(SearchError::Unserved { switch: "book" })), "{found:?}");
}

#[test]
fn exact_results_do_not_depend_on_features() {
    let position: Position = "32164625".parse().unwrap();
    let mut solver = Solver::new(position.rules(), SolverOptions::default()).unwrap();
    assert_eq!(solver.solve(&position, &Default::default()).unwrap().score, 11);
    let perfect: PlayerSpec = "perfect".parse().unwrap();
    let mut player =
        perfect.player(position.rules(), 0, &fourfold::budget::Budget::unlimited()).unwrap();
    let choice = player.choose(&position).unwrap();
    let after = position.play(choice.mv).unwrap();
    assert_eq!(solver.solve(&after, &Default::default()).unwrap().score, -11);
}

#[test]
fn json_is_read_and_written_with_the_feature_only() {
    let entry = notation::read("4453").unwrap();
    let json = r#"{"game":"7x6c4","moves":"4453"}"#;
    for format in [Format::Kaggle, Format::OpenSpiel, Format::PettingZoo, Format::Ndjson] {
        let written = notation::write(&entry, format);
        assert_eq!(written.is_ok(), cfg!(feature = "json"), "{written:?}");
        let back = notation::Reader::new().format(format).read(format.example());
        assert_eq!(back.is_ok(), cfg!(feature = "json"), "{back:?}");
    }
    let expected =
        if cfg!(feature = "json") { Ok(entry.clone()) } else { Err(NotationError::NoJson) };
    assert_eq!(notation::read(json), expected);
    // Every other format is always there.
    for format in [Format::Columns, Format::Letters, Format::Cells, Format::Fen, Format::Csv] {
        let text = notation::write(&entry, format).unwrap();
        assert_eq!(notation::read(&text).unwrap().position, entry.position, "{text}");
    }
}

//! The book that comes with the library, by itself and in textbook searches.

use fourfold::book::Book;
use fourfold::eval::Evaluator;
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::search::{Limits, SearchOptions, Searcher};

#[test]
fn the_book_that_comes_along_knows_the_opening() {
    let rules = Rules::CONNECT_FOUR;
    let book = Book::embedded(&rules).unwrap();
    assert_eq!((book.plies(), book.rules()), (8, &rules));
    let empty = Position::new(rules);
    let first: Vec<i32> = empty
        .legal_moves()
        .iter()
        .map(|&mv| -book.score(&empty.play(mv).unwrap()).unwrap())
        .collect();
    assert_eq!(first, [-2, -1, 0, 1, 0, -1, -2]);
    assert_eq!(book.inconsistency(), None);
    let plies = book.summary();
    assert_eq!(
        plies.iter().map(|ply| ply.positions).collect::<Vec<_>>(),
        [1, 4, 25, 121, 568, 2144, 8231, 27109, 91295]
    );
    assert!(plies.iter().all(|ply| ply.won + ply.drawn + ply.lost == ply.positions));
    assert!(Book::embedded(&Rules::TIC_TAC_TOE).is_none());
}

#[test]
fn a_textbook_search_with_the_book_knows_how_the_opening_ends() {
    let book = Book::embedded(&Rules::CONNECT_FOUR).unwrap();
    let mut random = Random::new(5);
    for round in 0..200 {
        let mut position = Position::new(Rules::CONNECT_FOUR);
        for _ in 0..random.below(7) {
            position = position.play(*random.pick(&position.legal_moves()).unwrap()).unwrap();
        }
        let truth = Verdict::of_distance_score(book.score(&position).unwrap(), &position);
        let options = SearchOptions::default().with_book(true).with_alpha_beta(round % 2 == 0);
        let mut searcher = Searcher::new(Evaluator::Terminal, options);
        let report =
            searcher.search(&position, &Limits::depth(1 + random.below(2) as u32), 0).unwrap();
        match truth {
            // Nothing says that an even result is proven.
            Verdict::Draw => assert_eq!(report.score, 0, "\n{position}"),
            truth => assert_eq!(report.verdict, truth, "\n{position}"),
        }
        assert!(report.counters.book_hits > 0);
    }
    // A game without a book cannot be asked for one.
    let options = SearchOptions::default().with_book(true);
    let mut searcher = Searcher::new(Evaluator::Terminal, options);
    let error =
        searcher.search(&Position::new(Rules::TIC_TAC_TOE), &Limits::depth(2), 0).unwrap_err();
    assert!(error.to_string().contains("book"), "{error}");
}

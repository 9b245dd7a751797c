//! Books: right in every score, and refused when a byte is not what was written.

use fourfold::book::{Book, BookError, Draft, DraftError};
use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use fourfold::solver::{Analysis, Solver, SolverOptions};
use std::collections::HashMap;

fn rules(game: &str) -> Rules {
    game.parse().unwrap()
}

fn solver(rules: &Rules) -> Solver {
    Solver::new(rules, SolverOptions::default().with_memory(1)).unwrap()
}

/// A draft with everything solved.
fn solved_draft(game: &str, plies: u32) -> Draft {
    let mut draft = Draft::new(&rules(game), plies).unwrap();
    let mut solver = solver(draft.rules());
    for position in draft.needed().to_vec() {
        let score = solver.solve(&position, &Budget::unlimited()).unwrap().score;
        draft.set(&position, score).unwrap();
    }
    draft
}

fn book(game: &str, plies: u32) -> Book {
    solved_draft(game, plies).finish().unwrap()
}

/// Every position of the game with at most so many discs.
fn positions(rules: Rules, plies: u32) -> Vec<Position> {
    let mut all = vec![Position::new(rules)];
    let mut level = all.clone();
    for _ in 0..plies {
        let mut next = HashMap::new();
        for position in &level {
            for mv in position.legal_moves() {
                let after = position.play(mv).unwrap();
                next.insert(after.key(), after);
            }
        }
        level = next.into_values().collect();
        all.extend(&level);
    }
    all
}

#[test]
fn a_book_knows_every_unfinished_position() {
    for (game, plies) in [("5x4c4", 6), ("4x5c4", 8), ("4x4c4", 10), ("6x4c4", 4), ("9x2c4", 4)] {
        let book = book(game, plies);
        assert_eq!(book.inconsistency(), None, "{game}");
        let mut solver = solver(&rules(game));
        for position in positions(rules(game), plies.min(9)) {
            let score = book.score(&position);
            if position.outcome().is_over() {
                assert_eq!(score, None, "{game}\n{position}");
            } else {
                let truth = solver.solve(&position, &Budget::unlimited()).unwrap().score;
                assert_eq!(score, Some(truth), "{game}\n{position}");
            }
        }
        let bytes = book.to_bytes().unwrap();
        assert_eq!(Book::read(&bytes).unwrap().to_bytes().unwrap(), bytes, "{game}");
    }
}

#[test]
fn moves_that_a_book_knows_need_no_solver() {
    let (game, plies) = ("5x4c4", 6);
    let book = book(game, plies);
    let mut solver = solver(&rules(game));
    let mut beyond = 0;
    for position in positions(rules(game), plies) {
        match Analysis::from_book(&book, &position) {
            Some(found) => {
                let analysis = solver.analyse(&position, &Budget::unlimited()).unwrap();
                assert_eq!(found.moves, analysis.moves, "{position:?}");
            }
            None => {
                assert_eq!(position.ply(), plies);
                beyond += 1;
            }
        }
    }
    assert!(beyond > 100, "{beyond}");
}

#[test]
fn positions_that_it_cannot_know_have_no_score() {
    let book = book("5x4c4", 4);
    assert_eq!(book.score(&Position::new(rules("4x5c4"))), None, "another game");
    let mut position = Position::new(rules("5x4c4"));
    for column in [0, 0, 1, 1, 2] {
        position = position.play(position.drop_in(column).unwrap()).unwrap();
    }
    assert_eq!(book.score(&position), None, "too many discs");
}

#[test]
fn a_book_with_a_flipped_bit_is_refused() {
    let bytes = book("5x4c4", 4).to_bytes().unwrap();
    let mut damaged = bytes.clone();
    for index in 0..bytes.len() {
        for bit in 0..8 {
            damaged[index] ^= 1 << bit;
            assert!(Book::read(&damaged).is_err(), "bit {bit} of byte {index}");
            damaged[index] = bytes[index];
        }
        damaged[index] = !bytes[index];
        assert!(Book::read(&damaged).is_err(), "byte {index}");
        damaged[index] = bytes[index];
    }
}

#[test]
fn a_book_that_is_not_whole_is_refused() {
    let bytes = book("4x4c4", 3).to_bytes().unwrap();
    for length in 0..bytes.len() {
        assert!(Book::read(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(Book::read(&[&bytes[..], b"x"].concat()).is_err(), "a byte too many");
    assert!(Book::read(&[&bytes[..], &bytes[..]].concat()).is_err(), "twice");
}

#[test]
fn reasons_are_told() {
    let bytes = book("4x4c4", 3).to_bytes().unwrap();
    let with = |at: usize, new: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        Book::read(&bytes).unwrap_err()
    };
    assert_eq!(with(0, b"PK"), BookError::NotABook);
    assert_eq!(with(8, &[9, 0]), BookError::Version { found: 9 });
    assert!(matches!(with(10, &[4, 0]), BookError::Length { plies: 4, .. }));
    assert!(matches!(with(10, &[99, 0]), BookError::TooLarge { plies: 99, .. }));
    assert!(matches!(with(12, b"5x4c4"), BookError::Length { .. }));
    assert!(matches!(with(12, b"hello"), BookError::Head { .. }));
    assert!(matches!(with(12, b"4x4s2"), BookError::Checksum { .. }), "another game of that size");
    assert!(matches!(with(40, &[1]), BookError::Checksum { .. }));
    assert!(matches!(with(12, b"60x1c4f"), BookError::Length { .. }), "a head that promises much");
    let error = Book::read(&bytes[..50]).unwrap_err().to_string();
    assert!(error.contains("4x4c4 to ply 3 has") && error.contains("this has 50"), "{error}");
}

#[test]
fn what_is_not_a_book_is_refused() {
    let mut random = Random::new(1);
    for length in 0..400 {
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        assert!(Book::read(&bytes).is_err());
        if length > 40 {
            bytes[..8].copy_from_slice(b"FOURFOLD");
            assert!(Book::read(&bytes).is_err());
        }
    }
}

#[test]
fn drafts_refuse_what_does_not_fit() {
    let full = solved_draft("5x4c4", 4);
    let other = Draft::new(&rules("5x4c4"), 3).unwrap();
    assert!(matches!(other.finish(), Err(DraftError::Incomplete { missing: 49, needed: 49 })));
    let mut draft = full.clone();
    let position = draft.needed()[5];
    let score = draft.score(&position).unwrap();
    assert_eq!(draft.set(&position, score), Ok(()), "the same again");
    assert!(matches!(draft.set(&position, score + 1), Err(DraftError::Differs { .. })));
    let empty = Position::new(rules("5x4c4"));
    assert!(matches!(draft.set(&empty, 0), Err(DraftError::NotNeeded { .. })));
    let too_large = Draft::new(&Rules::CONNECT_FOUR, 30).unwrap_err().to_string();
    assert!(too_large.contains("16 is the most"), "{too_large}");
    assert!(
        Draft::new(&rules("3x3c3f"), 9).unwrap_err().to_string().contains("full after 9 moves")
    );
}

#[test]
fn a_solver_with_a_book_answers_the_same_without_search() {
    let book = std::sync::Arc::new(book("6x4c4", 5));
    let mut plain = solver(book.rules());
    let mut quick = solver(book.rules()).with_book(Some(std::sync::Arc::clone(&book)));
    let limits = Budget::unlimited();
    for position in positions(*book.rules(), 5) {
        let (with, without) =
            (quick.solve(&position, &limits).unwrap(), plain.solve(&position, &limits).unwrap());
        assert_eq!((with.score, with.verdict), (without.score, without.verdict), "\n{position}");
        assert_eq!(with.nodes, 0, "\n{position}");
        if position.ply() == 4 {
            let scores = |solver: &mut Solver| solver.analyse(&position, &limits).unwrap().moves;
            assert_eq!(scores(&mut quick), scores(&mut plain), "\n{position}");
            let weak = |solver: &mut Solver| solver.solve_weakly(&position, &limits).unwrap().score;
            assert_eq!(weak(&mut quick), weak(&mut plain), "\n{position}");
        }
    }
    let empty = Position::new(*book.rules());
    let line = |solver: &mut Solver| solver.line(&empty, &limits).unwrap().moves;
    assert_eq!(line(&mut quick), line(&mut plain));
}

/// A book as P. Pons' solver writes it, made from its description.
fn pons_book(book: &Book, positions: &[Position], log_size: u8, key_bytes: usize) -> Vec<u8> {
    let rules = *book.rules();
    let is_prime = |n: usize| (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
    let size = (1usize << log_size..).find(|&n| is_prime(n)).unwrap();
    let (mut keys, mut values) = (vec![0u8; size * key_bytes], vec![0u8; size]);
    for position in positions {
        let Some(score) = book.score(position) else { continue };
        let digits = |position: &Position| {
            let mut text = String::new();
            let rows: Vec<String> =
                position.to_string().lines().rev().map(|row| row.replace(' ', "")).collect();
            for column in 0..rules.width() as usize {
                for row in &rows {
                    match row.as_bytes()[column] {
                        b'.' => {}
                        disc => {
                            text.push(if (disc == b'x') == (position.ply().is_multiple_of(2)) {
                                '1'
                            } else {
                                '2'
                            });
                        }
                    }
                }
                text.push('0');
            }
            u64::from_str_radix(&text[..text.len() - 1], 3).unwrap()
        };
        let key = digits(position).min(digits(&position.mirror()));
        let place = key as usize % size;
        assert!(values[place] == 0 || keys[place * key_bytes] == key as u8, "choose a larger size");
        keys[place * key_bytes..][..key_bytes].copy_from_slice(&key.to_le_bytes()[..key_bytes]);
        values[place] = (score + rules.cells() as i32 / 2 - 3 + 1) as u8;
    }
    let head = [
        rules.width() as u8,
        rules.height() as u8,
        book.plies() as u8,
        key_bytes as u8,
        1,
        log_size,
    ];
    [&head[..], &keys, &values].concat()
}

#[test]
fn books_of_pons_solver_are_read() {
    let ours = book("5x4c4", 3);
    let all = positions(rules("5x4c4"), 3);
    let bytes = pons_book(&ours, &all, 14, 2);
    let theirs = Book::read(&bytes).unwrap();
    assert!(theirs.is_pons() && theirs.to_bytes().is_none());
    assert_eq!((theirs.rules(), theirs.plies()), (ours.rules(), 3));
    for position in &all {
        assert_eq!(theirs.score(position), ours.score(position), "\n{position}");
    }
    for length in 0..bytes.len().min(100) {
        assert!(Book::read(&bytes[..length]).is_err(), "{length}");
    }
    assert!(matches!(Book::read(&bytes[..bytes.len() - 1]), Err(BookError::Length { .. })));
}

#[test]
fn a_pons_book_whose_keys_are_ambiguous_is_refused() {
    let ours = book("5x4c4", 3);
    let mut bytes = pons_book(&ours, &[], 4, 1);
    assert!(Book::read(&bytes).is_ok(), "3^7 keys of 17 x 256");
    bytes[2] = 5;
    let error = Book::read(&bytes).unwrap_err().to_string();
    assert!(error.contains("do not tell all positions of 5 plies apart"), "{error}");
}

//! The textbook searches under Criterion: `cargo bench -p fourfold`. `fourfold bench` measures the
//! same kinds of search once, for a signature and a quick look; this repeats them and keeps
//! statistics.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fourfold::book::Book;
use fourfold::eval::Evaluator;
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use fourfold::search::{Limits, SearchOptions, Searcher};
use std::hint::black_box;

fn search(position: &Position, evaluator: &str, options: &SearchOptions, depth: u32) -> u64 {
    let evaluator: Evaluator = evaluator.parse().expect("it exists");
    let mut searcher = Searcher::new(evaluator, options.clone());
    let report = searcher.search(position, &Limits::depth(depth), 0).expect("no limit is set");
    report.counters.nodes
}

fn searches(criterion: &mut Criterion) {
    let plain = SearchOptions::minimax();
    let ordered = SearchOptions::default().with_mid_col(true).with_early_win(true);
    let everything = ordered
        .clone()
        .with_table(16)
        .with_symmetry(true)
        .with_killers(true)
        .with_history(true)
        .with_deepening(true)
        .with_cached_ends(true);
    let jobs: [(&str, Rules, &str, &SearchOptions, u32); 6] = [
        ("minimax terminal", Rules::CONNECT_FOUR, "terminal", &plain, 7),
        ("minimax windows", Rules::CONNECT_FOUR, "windows", &plain, 6),
        ("alpha-beta windows centre early-win", Rules::CONNECT_FOUR, "windows", &ordered, 9),
        ("every switch", Rules::CONNECT_FOUR, "windows", &everything, 9),
        ("squares", Rules::SQUARE, "square", &ordered, 7),
        ("tic-tac-toe minimax", Rules::TIC_TAC_TOE, "open-lines", &plain, 9),
    ];
    let mut group = criterion.benchmark_group("search");
    group.sample_size(20);
    for (name, rules, evaluator, options, depth) in jobs {
        let position = Position::new(rules);
        // Per node, so that the rate reads as nodes a second.
        group.throughput(Throughput::Elements(search(&position, evaluator, options, depth)));
        group.bench_function(format!("{name}, depth {depth}"), |bencher| {
            bencher.iter(|| search(black_box(&position), evaluator, options, depth));
        });
    }
    group.finish();
}

fn book(criterion: &mut Criterion) {
    let rules = Rules::CONNECT_FOUR;
    let book = Book::embedded(&rules).expect("there is one for this game");
    let mut random = Random::new(1);
    let positions: Vec<Position> = (0..10_000)
        .map(|_| {
            let discs = random.below(book.plies() as usize + 1);
            (0..discs).fold(Position::new(rules), |position, _| {
                match random.pick(&position.legal_moves()) {
                    Some(&mv) => position.play_unchecked(mv),
                    None => position,
                }
            })
        })
        .collect();
    let mut group = criterion.benchmark_group("book");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("look-ups", |bencher| {
        bencher.iter(|| positions.iter().filter_map(|position| book.score(position)).sum::<i32>());
    });
    group.finish();
}

fn positions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("position");
    group.bench_function("a random game with checked moves", |bencher| {
        let mut random = Random::new(1);
        bencher.iter(|| {
            let mut position = Position::new(Rules::CONNECT_FOUR);
            while let Some(&mv) = random.pick(&position.legal_moves()) {
                position = position.play(mv).expect("it is legal");
            }
            position
        });
    });
    group.finish();
}

criterion_group!(benches, searches, positions, book);
criterion_main!(benches);

//! Positions with known values: `data/positions.txt`, checked with every kind of search and with
//! the naive game.

mod oracle;

use fourfold::eval::Evaluator;
use fourfold::game::{Position, Rules, notation};
use fourfold::search::{Limits, SearchOptions, Searcher};

struct Line<'a> {
    position: Position,
    depth: u32,
    evaluator: Evaluator,
    verdict: &'a str,
    best: Vec<&'a str>,
}

/// `game position depth evaluator verdict moves`, with `-` for the empty board and for no move.
fn parse(line: &str) -> Line<'_> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [game, position, depth, evaluator, verdict, best] = fields[..] else {
        panic!("six fields: {line}")
    };
    let rules: Rules = game.parse().expect(line);
    Line {
        position: notation::Reader::new().rules(&rules).read(position).expect(line).position,
        depth: depth.parse().expect(line),
        evaluator: evaluator.parse().expect(line),
        verdict,
        best: best.split_whitespace().collect(),
    }
}

fn lines() -> impl Iterator<Item = &'static str> {
    include_str!("data/positions.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
}

#[test]
fn known_positions_have_their_values() {
    let everything = SearchOptions::default()
        .with_mid_col(true)
        .with_early_win(true)
        .with_table(1)
        .with_symmetry(true)
        .with_killers(true)
        .with_history(true)
        .with_deepening(true)
        .with_cached_ends(true)
        .with_exact_root(true);
    let exact = SearchOptions::default().with_exact_root(true);
    assert!(lines().count() >= 40);
    for text in lines() {
        let line = parse(text);
        for options in [SearchOptions::minimax(), exact.clone(), everything.clone()] {
            if !options.alpha_beta && line.depth > 7 && line.position.empty() > 12 {
                continue; // plain minimax would take minutes
            }
            let mut searcher = Searcher::new(line.evaluator.clone(), options);
            let report =
                searcher.search(&line.position, &Limits::depth(line.depth), 0).expect(text);
            assert_eq!(report.verdict.to_string(), line.verdict, "{text}");
            let rules = line.position.rules();
            let best: Vec<String> = report
                .moves
                .iter()
                .filter(|found| found.score == Some(report.score))
                .map(|found| found.mv.label(rules))
                .collect();
            assert_eq!(best, line.best, "{text}");
        }
    }
}

/// The same values by the naive game, where it is quick enough.
#[test]
fn the_naive_game_agrees() {
    let mut checked = 0;
    for text in lines() {
        let line = parse(text);
        if line.position.empty().min(line.depth) > 6 {
            continue;
        }
        let leaf = |game: &oracle::Game| {
            oracle::judge::judge(&line.evaluator, game, line.position.to_move())
        };
        let value = oracle::minimax(&oracle::Game::of(&line.position), line.depth, &leaf);
        let mut searcher = Searcher::new(line.evaluator, SearchOptions::minimax());
        let report = searcher.search(&line.position, &Limits::depth(line.depth), 0).expect(text);
        let offset = fourfold::score::WIN - oracle::BASE;
        let scaled = if report.score.abs() >= fourfold::score::DECIDED {
            report.score - report.score.signum() * offset
        } else {
            report.score
        };
        assert_eq!(scaled, value, "{text}");
        checked += 1;
    }
    assert!(checked >= 15, "{checked} positions");
}

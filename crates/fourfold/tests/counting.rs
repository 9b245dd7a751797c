//! Counting against two independent programs, a data file of known figures, and its own limits.
//!
//! The naive game below shares no code with the library: a board is a grid of letters, a win is
//! looked for cell by cell, and positions are text in a set.

use fourfold::game::counting::{CountLimits, CountProgress, Counts, Reason, Stage, count};
use fourfold::game::{Position, Rules};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// Cells row by row from the bottom.
type Grid = Vec<u8>;

/// A game as its text says it: `7x6c4`, `7x6s2`, `3x3c3f`.
#[derive(Clone, Copy)]
struct Naive {
    width: usize,
    height: usize,
    size: usize,
    square: bool,
    free: bool,
}

impl Naive {
    fn parse(game: &str) -> Self {
        let (width, rest) = game.trim_end_matches('f').split_once('x').unwrap();
        let (height, size) = rest.split_once(['c', 's']).unwrap();
        let number = |text: &str| text.parse().unwrap();
        let (square, free) = (game.contains('s'), game.ends_with('f'));
        Self { width: number(width), height: number(height), size: number(size), square, free }
    }

    fn empty(&self) -> Grid {
        vec![b'.'; self.width * self.height]
    }

    fn moves(&self, grid: &Grid) -> Vec<usize> {
        let lands = |cell: usize| self.free || cell < self.width || grid[cell - self.width] != b'.';
        (0..grid.len()).filter(|&cell| grid[cell] == b'.' && lands(cell)).collect()
    }

    fn has_won(&self, grid: &Grid, who: u8) -> bool {
        let owns = |row: isize, column: isize| {
            let inside = (0..self.height as isize).contains(&row)
                && (0..self.width as isize).contains(&column);
            inside && grid[row as usize * self.width + column as usize] == who
        };
        let size = self.size as isize;
        (0..self.height as isize).any(|row| {
            (0..self.width as isize).any(|column| {
                if self.square {
                    return (0..size)
                        .all(|up| (0..size).all(|right| owns(row + up, column + right)));
                }
                [(0, 1), (1, 0), (1, 1), (1, -1)]
                    .iter()
                    .any(|(up, right)| (0..size).all(|k| owns(row + k * up, column + k * right)))
            })
        })
    }

    /// Is the game over after `made` moves?
    fn is_over(&self, grid: &Grid, made: usize) -> bool {
        made == grid.len() || self.has_won(grid, if made % 2 == 1 { b'x' } else { b'o' })
    }

    /// The grid with every cell (row, column) taken from where `from` says.
    fn moved(&self, grid: &Grid, from: impl Fn(usize, usize) -> (usize, usize)) -> Grid {
        let source = |cell: usize| from(cell / self.width, cell % self.width);
        (0..grid.len()).map(source).map(|(row, column)| grid[row * self.width + column]).collect()
    }

    /// The least of all images.
    fn class(&self, grid: &Grid) -> Grid {
        let mut images = vec![grid.clone()];
        let mut double = |from: &dyn Fn(usize, usize) -> (usize, usize)| {
            let more: Vec<Grid> = images.iter().map(|image| self.moved(image, from)).collect();
            images.extend(more);
        };
        double(&|row, column| (row, self.width - 1 - column));
        if self.free {
            double(&|row, column| (self.height - 1 - row, column));
        }
        if self.free && self.width == self.height {
            double(&|row, column| (column, row));
        }
        images.into_iter().min().unwrap()
    }

    /// (sequences, finished) at exactly `plies` more moves: plain perft, every sequence played out.
    fn perft(&self, grid: &mut Grid, made: usize, plies: usize) -> (u128, u128) {
        let over = self.is_over(grid, made);
        if plies == 0 || over {
            return (u128::from(plies == 0), u128::from(plies == 0 && over));
        }
        let mut sums = (0, 0);
        for cell in self.moves(grid) {
            grid[cell] = if made.is_multiple_of(2) { b'x' } else { b'o' };
            let (sequences, finished) = self.perft(grid, made + 1, plies - 1);
            grid[cell] = b'.';
            sums = (sums.0 + sequences, sums.1 + finished);
        }
        sums
    }

    /// The figures of plies 0 to `plies`, from a map of all positions to the sequences that reach
    /// them.
    fn rows(&self, plies: u32) -> Vec<Row> {
        let mut level = HashMap::from([(self.empty(), 1u128)]);
        let mut rows = Vec::new();
        for made in 0..=plies as usize {
            let (finished, ongoing): (HashMap<_, _>, HashMap<_, _>) =
                level.into_iter().partition(|(grid, _)| self.is_over(grid, made));
            let classes: HashSet<Grid> =
                finished.keys().chain(ongoing.keys()).map(|grid| self.class(grid)).collect();
            let over: u128 = finished.values().sum();
            let sequences = over + ongoing.values().sum::<u128>();
            let positions = finished.len() + ongoing.len();
            rows.push((made as u32, sequences, over, positions as u128, classes.len() as u128));
            level = HashMap::new();
            if made == plies as usize {
                break;
            }
            for (grid, sequences) in ongoing {
                for cell in self.moves(&grid) {
                    let mut child = grid.clone();
                    child[cell] = if made.is_multiple_of(2) { b'x' } else { b'o' };
                    *level.entry(child).or_insert(0) += sequences;
                }
            }
        }
        rows
    }
}

fn counted(game: &str, plies: u32, limits: &CountLimits<'_>) -> Counts {
    let rules: Rules = game.parse().unwrap();
    count(&Position::new(rules), plies, limits, |_| {}).unwrap()
}

/// Ply, sequences, finished games, positions, positions up to symmetry.
type Row = (u32, u128, u128, u128, u128);

fn rows(counts: &Counts) -> Vec<Row> {
    let row = |p: &fourfold::game::counting::PlyCount| {
        (p.ply, p.sequences, p.finished, p.positions, p.up_to_symmetry)
    };
    counts.plies.iter().map(row).collect()
}

/// Games small enough for the naive program, with plies that take it a moment, and plies for plain
/// perft.
const NAIVE: [(&str, u32, u32); 20] = [
    ("7x6c4", 6, 5),
    ("4x2c2", 8, 8),
    ("4x4c3", 9, 6),
    ("3x3c3", 9, 9),
    ("5x1c3", 5, 5),
    ("5x4c4", 7, 6),
    ("4x5c5", 8, 7),
    ("7x6s2", 6, 5),
    ("3x4s2", 12, 8),
    ("4x3s2", 10, 7),
    ("3x3c3f", 9, 7),
    ("3x3c2f", 9, 7),
    ("2x3c2f", 6, 6),
    ("4x3c3f", 5, 4),
    ("4x4s2f", 5, 4),
    ("7x1c3f", 7, 7),
    ("8x7c4", 6, 5),
    ("9x9c5", 5, 4),
    ("7x7c5f", 3, 2),
    ("9x9s2f", 2, 2),
];

#[test]
fn every_figure_agrees_with_a_naive_program() {
    for (game, plies, perft_plies) in NAIVE {
        let naive = Naive::parse(game);
        let ours = rows(&counted(game, plies, &CountLimits::default()));
        assert_eq!(ours, naive.rows(plies), "{game}");
        for row in &ours[..=perft_plies as usize] {
            assert_eq!(
                (row.1, row.2),
                naive.perft(&mut naive.empty(), 0, row.0 as usize),
                "{game} {row:?}"
            );
        }
    }
}

/// The games of the data file with their lines: game, ply, sequences, finished games, positions, up
/// to symmetry.
fn data() -> Vec<(&'static str, Vec<Row>)> {
    let mut games: Vec<(&str, Vec<Row>)> = Vec::new();
    for line in include_str!("data/perft.txt").lines() {
        let Some((game, numbers)) = line.split('#').next().unwrap().trim().split_once(' ') else {
            continue;
        };
        let numbers: Vec<u128> = numbers.split_whitespace().map(|n| n.parse().unwrap()).collect();
        let [ply, sequences, finished, positions, classes] = numbers[..] else { panic!("{line}") };
        if games.last().is_none_or(|(last, _)| *last != game) {
            games.push((game, Vec::new()));
        }
        games.last_mut().unwrap().1.push((ply as u32, sequences, finished, positions, classes));
    }
    games
}

#[test]
fn the_data_file_is_reproduced() {
    let games = data();
    assert!(games.len() >= 12);
    for (game, lines) in games {
        let limits = CountLimits::default().with_threads(2);
        assert_eq!(rows(&counted(game, lines.last().unwrap().0, &limits)), lines, "{game}");
    }
}

#[test]
#[ignore = "minutes and gigabytes: proves the data file with the naive program"]
fn the_data_file_is_right() {
    for (game, lines) in data() {
        assert_eq!(Naive::parse(game).rows(lines.last().unwrap().0), lines, "{game}");
    }
}

#[test]
fn cumulative_figures_are_those_of_the_reports() {
    let four = counted("7x6c4", 6, &CountLimits::default());
    assert_eq!(four.totals_from(0).positions, 22_100);
    let tic = counted("3x3c3f", 99, &CountLimits::default());
    assert_eq!(tic.plies.len(), 10, "no more plies than cells");
    let (all, rootless) = (tic.totals_from(0), tic.totals_from(1));
    assert_eq!(
        (all.sequences, all.finished, all.positions, all.up_to_symmetry),
        (549_946, 255_168, 5_478, 765)
    );
    assert_eq!((rootless.sequences, rootless.bound), (549_945, Some(986_409)));
}

#[test]
fn figures_do_not_depend_on_the_number_of_threads_or_on_memory() {
    for (game, plies) in [("7x6c4", 9), ("9x9c5", 6), ("4x4c4f", 8), ("6x6s2f", 4), ("9x9c5f", 3)] {
        let reference = counted(game, plies, &CountLimits::default());
        for threads in [2, 3, 7] {
            assert_eq!(
                counted(game, plies, &CountLimits::default().with_threads(threads)),
                reference,
                "{game}"
            );
        }
    }
    // Just enough memory for the ply before the last, so that the last takes several passes.
    let (reference, mut passes_seen) = (counted("7x6c4", 9, &CountLimits::default()), 1);
    let limits = CountLimits::default().with_threads(3).with_memory(3_400_000);
    let counts = count(&Position::new(Rules::CONNECT_FOUR), 9, &limits, |progress| {
        if let Stage::Counting { passes, .. } = progress.stage {
            passes_seen = passes_seen.max(passes);
        }
    });
    assert_eq!(counts.unwrap(), reference);
    assert!(passes_seen > 1);
}

#[test]
fn too_little_memory_ends_the_count_with_what_was_finished() {
    let start = Position::new(Rules::CONNECT_FOUR);
    let reference = counted("7x6c4", 10, &CountLimits::default());
    let mut reached = Vec::new();
    for memory in [0, 1, 100, 10_000, 100_000, 1_000_000, 3_000_000, 8_000_000] {
        let ended =
            count(&start, 10, &CountLimits::default().with_threads(2).with_memory(memory), |_| {})
                .unwrap_err();
        let Reason::Memory { ply, needed, allowed } = ended.reason else { panic!("{ended:?}") };
        assert_eq!((ply as usize, allowed), (ended.counts.plies.len(), memory));
        assert!(needed > memory, "{ended:?}");
        assert_eq!(ended.counts.plies, reference.plies[..ply as usize]);
        reached.push(ply);
    }
    assert!(reached.is_sorted() && reached[0] == 1 && reached[7] == 10, "{reached:?}");
    // What it says it needs is about right.
    let ended =
        count(&start, 10, &CountLimits::default().with_memory(8_000_000), |_| {}).unwrap_err();
    let Reason::Memory { needed, .. } = ended.reason else { panic!("{ended:?}") };
    assert!((8_000_000..9_500_000).contains(&needed), "{ended:?}");
    assert!(ended.to_string().starts_with("counting ply 10 takes about 8."), "{ended}");
}

#[test]
fn the_stop_flag_ends_the_count_with_what_was_finished() {
    let start = Position::new(Rules::CONNECT_FOUR);
    let stop = AtomicBool::new(true);
    let limits = CountLimits::default().with_threads(2).with_stop(&stop);
    let ended = count(&start, 20, &limits, |_| {}).unwrap_err();
    assert_eq!((ended.reason, ended.counts.plies.len()), (Reason::Stopped { ply: 1 }, 1));
    stop.store(false, Ordering::Relaxed);
    let ended = count(&start, 20, &limits, |progress: CountProgress| {
        assert!(progress.done <= progress.total);
        stop.store(progress.ply == 8, Ordering::Relaxed);
    })
    .unwrap_err();
    let plies = ended.counts.plies.len() as u32;
    // The flag is set when ply 8 has its first progress, and ply 8 may be finished by then.
    assert!(matches!(ended.reason, Reason::Stopped { ply: 8 | 9 }), "{ended:?}");
    assert!(plies == 8 || plies == 9);
    assert_eq!(rows(&ended.counts), rows(&counted("7x6c4", plies - 1, &CountLimits::default())));
}

/// Counts from a position against plain perft over the library's own moves and sets of positions.
#[test]
fn any_position_may_be_the_start() {
    let cases: [(&str, &[usize]); 9] = [
        ("7x6c4", &[]),
        ("7x6c4", &[3, 3]),
        ("7x6c4", &[0, 3, 5]),
        ("7x6c4", &[0, 1, 0, 1, 0, 1, 0]),
        ("3x3c3f", &[4]),
        ("3x3c3f", &[0]),
        ("3x3c3f", &[0, 7]),
        ("5x4c4f", &[1, 2]),
        ("9x9c5", &[4, 2]),
    ];
    for (game, moves) in cases {
        let start = moves.iter().fold(Position::new(game.parse().unwrap()), |p, &index| {
            p.play(p.legal_moves()[index]).unwrap()
        });
        let counts = count(&start, 4, &CountLimits::default(), |_| {}).unwrap();
        let mut sequences = vec![start];
        for row in &counts.plies {
            let positions: HashSet<Position> = sequences.iter().copied().collect();
            let over = sequences.iter().filter(|p| p.outcome().is_over()).count();
            let expected = (sequences.len() as u128, over as u128, positions.len() as u128);
            assert_eq!(
                (row.sequences, row.finished, row.positions),
                expected,
                "{game} {moves:?} {row:?}"
            );
            let kept: Vec<_> = fourfold::game::Symmetry::of(start.rules())
                .iter()
                .filter(|&&symmetry| start.transform(symmetry) == start)
                .collect();
            let class = |p: &Position| kept.iter().map(|&&s| p.transform(s).key()).min();
            let classes: HashSet<_> = positions.iter().map(class).collect();
            assert_eq!(row.up_to_symmetry, classes.len() as u128, "{game} {moves:?} {row:?}");
            let children = |p: &Position| {
                let p = *p;
                p.legal_moves().into_iter().map(move |mv| p.play_unchecked(mv))
            };
            sequences = sequences.iter().flat_map(children).collect();
        }
    }
}

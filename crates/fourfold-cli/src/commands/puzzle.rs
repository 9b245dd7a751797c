//! `fourfold puzzle`: positions with a single good move, to be printed or solved line by line.

mod collection;

use super::positions::Range;
use crate::arguments::{at_least, whole};
use crate::failure::Failure;
use crate::input::{GameArg, Lines};
use crate::interrupt;
use crate::output::{Paint, stdout};
use crate::progress::SolveLine;
use crate::solving::{BookArgs, SolverArgs};
use fourfold::budget::Budget;
use fourfold::game::notation::{Entry, Format, moves_text, parse_move, write as write_position};
use fourfold::game::{Move, Rules};
use fourfold::play::{Puzzle, puzzle, random_position};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::solver::Solver;
use fourfold::workers::Threads;
use fourfold_app::board_text;
use fourfold_app::text::capital;
use serde::Serialize;
use std::collections::HashSet;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const HELP: &str = "\
In every puzzle one move keeps the win or the draw and all others throw it
away. Nobody can win at once, and there is no threat to block. The level says
how far a 'lookahead' player must look ahead to find the move: 2 plies for
level 1, 4 for 2, 6 for 3, 8 for 4, more for 5. The same options give the same
puzzles.

With --play, type your move; 'hint' says what it leads to, 'skip' shows it,
'quit' ends.

--collection makes a file of puzzles from games of the levels, with themes and
measured ratings: of the game that is named, or of all that come with the
program. After Ctrl-C the same command continues. --daily shows the puzzle of
the day from those that come with the program.

Examples:
  fourfold puzzle
  fourfold puzzle --play --level 2 --count 5 --seed 7
  fourfold puzzle --game tictactoe --count 2
  fourfold puzzle --count 100 --json > puzzles.jsonl
  fourfold puzzle --daily
  fourfold puzzle --collection my.puzzles --game 6x5c4 --count 200";

/// Generate puzzles, positions with a single move that keeps the outcome, or solve them here
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,

    /// Number of puzzles [default: 3; of each game of a collection: 100, or what comes with the
    /// program]
    #[arg(long, short = 'n', value_name = "N")]
    #[arg(value_parser = at_least(1u64))]
    count: Option<u64>,

    /// Random seed
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Only puzzles of this level, 1 (easiest) to 5 [default: any]
    #[arg(long, short, value_name = "LEVEL", value_parser = whole(1..=5u8))]
    level: Option<u8>,

    /// Discs on the board: A..B, both included, or one number [default: from a quarter to three
    /// quarters of the cells]
    #[arg(long, value_name = "A..B")]
    plies: Option<Range>,

    /// Solve them here, line by line
    #[arg(long, short, conflicts_with = "json")]
    play: bool,

    /// Print one JSON object per puzzle
    #[arg(long)]
    json: bool,

    /// Skip positions that are not solved within this many nodes
    #[arg(long, default_value_t = 2_000_000, value_name = "N", value_parser = at_least(1u64))]
    nodes: u64,

    /// Give up after this many random games in a row without a puzzle
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = at_least(1u64))]
    tries: u64,

    /// Make or continue a file of rated puzzles from games of the levels
    #[arg(long, value_name = "FILE", conflicts_with_all = ["level", "plies", "play", "json"])]
    collection: Option<PathBuf>,

    /// Show the puzzle of a day (2026-11-16), or of today
    #[arg(long, value_name = "DAY", num_args = 0..=1, default_missing_value = collection::TODAY)]
    #[arg(conflicts_with_all = ["collection", "level", "plies", "play", "count"])]
    daily: Option<String>,

    /// Games to search at once for a collection [default: one per processor]
    #[arg(long, short, value_name = "N", requires = "collection")]
    threads: Option<Threads>,

    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    solver: SolverArgs,
}

/// How many puzzles are made if nobody says.
const USUAL_COUNT: u64 = 3;

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    if let Some(path) = &args.collection {
        return collection::make(args, path);
    }
    if let Some(day) = &args.daily {
        return collection::daily(args, day, paint);
    }
    let count = args.count.unwrap_or(USUAL_COUNT);
    let rules = args.game.rules();
    let cells = rules.cells();
    let plies = args.plies.unwrap_or(Range { first: cells / 4, last: 3 * cells / 4 });
    check_possible(plies, args.level, &rules)?;
    let book = args.book.books()?.book_for(&rules)?;
    let working = Arc::new(AtomicBool::new(true));
    let watch = interrupt::watched(interrupt::flag_while(&working)?);
    let mut maker = Maker {
        args,
        plies: plies.first..=plies.last.min(cells - 1),
        solver: args.solver.solver_for(&rules)?.with_book(book),
        line: SolveLine::new(&watch),
        watch,
        seen: HashSet::new(),
        count,
        next: 0,
        found: 0,
    };
    if args.play {
        return play(&mut maker, &working, paint);
    }
    let mut out = stdout();
    let mut found = Vec::new();
    for number in 1..=count {
        let puzzle = maker.next()?;
        if args.json {
            serde_json::to_writer(&mut out, &PuzzleJson::new(&puzzle)).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{}\n", task(number, &puzzle, paint))?;
            found.push(puzzle);
        }
        out.flush()?;
    }
    if !args.json {
        writeln!(out, "Solutions:")?;
        for (index, puzzle) in found.iter().enumerate() {
            writeln!(out, "{}. {}", index + 1, solution(puzzle))?;
        }
    }
    Ok(out.flush()?)
}

/// Refuses what no search can find.
fn check_possible(plies: Range, level: Option<u8>, rules: &Rules) -> Result<(), Failure> {
    plies.check("--plies", rules)?;
    let empty = rules.cells() - plies.first;
    if empty < 2 {
        return Err(Failure::usage(format!(
            "--plies {}: only one cell of {rules} is empty then, so there is nothing to choose",
            plies.first
        )));
    }
    // A player that sees to the end of the game finds every move.
    let beyond = level.map_or(0, |level| 2 * (u32::from(level) - 1));
    if empty <= beyond {
        let level = level.unwrap_or_default();
        return Err(Failure::usage(format!(
            "--level {level}: it takes more than {beyond} empty cells, and at most {empty} are left"
        )));
    }
    Ok(())
}

/// Goes through random games and finds puzzles in them.
struct Maker<'a> {
    args: &'a Args,
    plies: std::ops::RangeInclusive<u32>,
    solver: Solver,
    watch: Budget,
    line: SolveLine,
    /// The positions that were tried, whatever came of them.
    seen: HashSet<fourfold::game::Key>,
    /// How many puzzles are wanted.
    count: u64,
    /// The next random game.
    next: u64,
    /// How many puzzles were found.
    found: u64,
}

impl Maker<'_> {
    fn next(&mut self) -> Result<Puzzle, Failure> {
        self.line.begin();
        let found = self.look();
        self.line.end();
        found
    }

    fn look(&mut self) -> Result<Puzzle, Failure> {
        for _ in 0..self.args.tries {
            let number = self.next;
            self.next += 1;
            let (wanted, games, tried) = (self.count, self.next, self.seen.len());
            let puzzle_number = self.found + 1;
            self.line.say(|| {
                format!("puzzle {puzzle_number} of {wanted}: game {games}, {tried} positions tried")
            });
            let mut random = Random::for_item(self.args.seed, number);
            let drawn = random_position(self.solver.rules(), self.plies.clone(), &mut random);
            // What was tried before gives nothing new, and may be costly.
            if drawn.is_none_or(|(position, _)| !self.seen.insert(position.canonical().key())) {
                continue;
            }
            let limits = self.watch.part().with_nodes(self.args.nodes);
            let found =
                puzzle(&mut self.solver, self.plies.clone(), self.args.seed, number, &limits);
            if self.watch.is_stopped() {
                return Err(Failure::runtime("interrupted"));
            }
            let Some(puzzle) = found.map_err(Failure::runtime)? else { continue };
            if self.args.level.is_none_or(|level| level == puzzle.level()) {
                self.found += 1;
                return Ok(puzzle);
            }
        }
        let level = self.args.level.map_or(String::new(), |level| format!(" of level {level}"));
        let (first, last) = (self.plies.start(), self.plies.end());
        Err(Failure::runtime(format!(
            "found {} of {} puzzles{level}, then none in {} random games ({} positions with \
             {first} to {last} discs were tried): --plies, --nodes and --tries allow more",
            self.found,
            self.count,
            self.args.tries,
            self.seen.len()
        )))
    }
}

/// `wins in 7 moves` or `keeps the draw`.
fn aim(verdict: Verdict) -> String {
    if verdict == Verdict::Draw { "keeps the draw".to_owned() } else { verdict.to_string() }
}

/// The board and what is to be found.
fn task(number: u64, puzzle: &Puzzle, paint: Paint) -> String {
    let position = &puzzle.position;
    let rules = position.rules();
    let what = if puzzle.verdict == Verdict::Draw { "keeps the draw" } else { "wins" };
    let title = format!(
        "{number}. Level {}: {} to move. One {} {what}.",
        puzzle.level(),
        position.to_move().letter(),
        board_text::place_noun(rules)
    );
    let last = puzzle.moves.last().copied();
    format!(
        "{}\n{}\n{}",
        paint.strong(&title),
        paint.faint(&format!("{rules} after {}", moves_text(rules, &puzzle.moves))),
        board_text::draw(position, last, paint)
    )
}

fn labels(rules: &Rules, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| mv.label(rules)).collect()
}

/// The move, what it leads to, who finds it.
fn solution(puzzle: &Puzzle) -> String {
    let rules = puzzle.position.rules();
    let found = match puzzle.depth {
        Some(1) => "Looking 1 ply ahead finds it".to_owned(),
        Some(depth) => format!("Looking {depth} plies ahead finds it"),
        None => "Looking 8 plies ahead does not find it".to_owned(),
    };
    let missed: Vec<String> = puzzle.missed_by.iter().map(ToString::to_string).collect();
    let missed = if missed.is_empty() {
        String::new()
    } else {
        format!("; missed by {}", missed.join(", "))
    };
    format!(
        "{} {} {}. {found}{missed}.\n   Best play: {}",
        capital(board_text::place_noun(rules)),
        puzzle.solution.label(rules),
        aim(puzzle.verdict),
        labels(rules, &puzzle.line).join(" ")
    )
}

/// Asks one puzzle after the other.
fn play(maker: &mut Maker<'_>, working: &AtomicBool, paint: Paint) -> Result<(), Failure> {
    let mut lines = Lines::new(BufReader::new(io::stdin()));
    let (mut asked, mut solved, mut at_once) = (0, 0, 0);
    'puzzles: for number in 1..=maker.count {
        working.store(true, Ordering::Relaxed);
        let puzzle = maker.next()?;
        working.store(false, Ordering::Relaxed);
        say(&format!("{}\n", task(number, &puzzle, paint)))?;
        asked += 1;
        let rules = puzzle.position.rules();
        let mut tries = 0;
        loop {
            ask(&format!("{} to move: ", puzzle.position.to_move().letter()))?;
            let typed = lines
                .next()
                .map_err(|why| Failure::runtime(format!("cannot read what you type: {why}")))?;
            let Some(typed) = typed else {
                say("")?;
                break 'puzzles;
            };
            match typed.trim().to_lowercase().as_str() {
                "" | "?" | "help" => say("Type your move, or 'hint', 'skip' or 'quit'.")?,
                "q" | "quit" | "exit" => break 'puzzles,
                "h" | "hint" => {
                    tries += 1;
                    say(&format!("The right move {}.", aim(puzzle.verdict)))?;
                }
                "s" | "skip" => {
                    say(&format!("{}\n", solution(&puzzle)))?;
                    break;
                }
                typed => match parse_move(&puzzle.position, typed) {
                    Err(why) => say(&format!("{}. Choose another.", capital(&why.to_string())))?,
                    Ok(mv) if mv == puzzle.solution => {
                        (solved, at_once) = (solved + 1, at_once + u32::from(tries == 0));
                        say(&format!("Right. {}\n", solution(&puzzle)))?;
                        break;
                    }
                    Ok(mv) => {
                        tries += 1;
                        let led = puzzle
                            .columns
                            .iter()
                            .find(|column| column.mv == mv)
                            .map(|column| column.verdict);
                        let led = led.map_or_else(String::new, aim);
                        let noun = capital(board_text::place_noun(rules));
                        say(&format!(
                            "No: {} {} {led}. Try again, or type 'skip'.",
                            noun.to_lowercase(),
                            mv.label(rules)
                        ))?;
                    }
                },
            }
        }
    }
    say(&format!("You solved {solved} of {asked}, {at_once} of them at once."))
}

fn say(text: &str) -> Result<(), Failure> {
    ask(&format!("{text}\n"))
}

fn ask(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    write!(out, "{text}")?;
    Ok(out.flush()?)
}

#[derive(Serialize)]
struct PuzzleJson {
    game: Rules,
    moves: String,
    position: String,
    to_move: char,
    level: u8,
    depth: Option<u32>,
    missed_by: Vec<String>,
    solution: String,
    verdict: Verdict,
    line: Vec<String>,
    columns: Vec<ColumnJson>,
}

#[derive(Serialize)]
struct ColumnJson {
    #[serde(rename = "move")]
    name: String,
    verdict: Verdict,
    score: i32,
}

impl PuzzleJson {
    fn new(puzzle: &Puzzle) -> Self {
        let rules = puzzle.position.rules();
        let column = |column: &fourfold::solver::MoveScore| ColumnJson {
            name: column.mv.label(rules),
            verdict: column.verdict,
            score: column.score,
        };
        Self {
            game: *rules,
            moves: moves_text(rules, &puzzle.moves),
            position: write_position(&Entry::of(puzzle.position), Format::Fen).unwrap_or_default(),
            to_move: puzzle.position.to_move().letter(),
            level: puzzle.level(),
            depth: puzzle.depth,
            missed_by: puzzle.missed_by.iter().map(ToString::to_string).collect(),
            solution: puzzle.solution.label(rules),
            verdict: puzzle.verdict,
            line: labels(rules, &puzzle.line),
            columns: puzzle.columns.iter().map(column).collect(),
        }
    }
}

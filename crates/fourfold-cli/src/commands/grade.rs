//! `fourfold grade`: players graded against exact play.

mod positions;

use crate::arguments::{at_least, whole};
use crate::external;
use crate::failure::Failure;
use crate::games;
use crate::input::{self, Lines, PositionArgs, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note, stdout, table};
use crate::progress;
use crate::solving::{BookArgs, ChosenBooks, SolverArgs, Solvers};
use fourfold::budget::Budget;
use fourfold::game::{Move, Rules, Side};
use fourfold::play::{GameError, Grade, Interval, Phase, PlayerSpec, Record, Review, Tally};
use fourfold::solver::SolverOptions;
use fourfold::workers::{InOrder, Threads, share_out};
use fourfold_lab::grading::{GradeFigures, GradeReport, GradedGame, Grading, GradingError, judge};
use fourfold_lab::tournament::is_header;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const HELP: &str = "\
Columns:
  choices   moves at which some legal move would have thrown away a win or a
            draw
  kept      share of the choices that kept it, with Wilson's 95 % confidence
            interval
  lost      plies by which a win came later than necessary, or a loss sooner:
            the mean over all moves at which that could differ, with its 95 %
            bootstrap confidence interval
Begin, middle and end are the thirds of the board as it fills.

A player is graded on games that begin with a few random moves, which it plays
against itself or against --against. In a file of games, every player is
graded by name. Moves that cannot be solved within --nodes are left out: early
moves on large boards.

Examples:
  fourfold grade lookahead:5
  fourfold grade utility:3 --against naive --count 50
  fourfold grade lookahead:1,eval=net --positions middle.txt
  fourfold grade games.jsonl --json";

/// Grade a player, or the players in a file of games, against exact play
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// A player (see 'fourfold match --help'), or a file of games or records, one per line; - is
    /// standard input
    #[arg(value_name = "PLAYER|FILE")]
    who: String,

    #[command(flatten)]
    game: PositionArgs,

    /// Grade a player's choices in the positions of a file instead of in games: one per line, as
    /// moves and perhaps a score ('fourfold positions'). May be repeated
    #[arg(long, value_name = "FILE")]
    positions: Vec<PathBuf>,

    /// Opponent [default: the player itself]
    #[arg(long, value_name = "PLAYER", value_parser = external::player)]
    against: Option<PlayerSpec>,

    /// Number of games
    #[arg(long, short = 'n', alias = "games", default_value_t = 20, value_name = "N")]
    #[arg(value_parser = at_least(1u64))]
    count: u64,

    /// Random moves that each game begins with
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = whole(0..=128u32))]
    opening: u32,

    /// Random seed
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Search at most this many nodes to judge a game; the last moves are judged first
    #[arg(long, default_value_t = 20_000_000, value_name = "N", value_parser = at_least(1u64))]
    nodes: u64,

    /// Games to play and judge at once [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// Print one JSON object per player
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    solver: SolverArgs,
}

/// A player, and everything counted for it.
struct Graded {
    name: String,
    games: u64,
    grade: Grade,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let is_file = args.who == "-" || Path::new(&args.who).is_file();
    let stop = interrupt::flag()?;
    let judge = Judge {
        nodes: args.nodes,
        options: args.solver.options(),
        books: args.book.books()?,
        stop: Arc::clone(&stop),
    };
    if !args.positions.is_empty() {
        return positions::run(args, &judge);
    }
    let (graded, end) = if is_file { of_file(args, &judge) } else { of_player(args, &judge) }?;
    let mut out = stdout();
    if args.json {
        for graded in &graded {
            let Graded { name, games, grade } = graded;
            serde_json::to_writer(&mut out, &GradeReport::new(name, *games, grade))
                .map_err(io::Error::from)?;
            writeln!(out)?;
        }
    } else {
        write!(out, "{}", shown(&graded))?;
    }
    out.flush()?;
    if stop.load(Ordering::Relaxed) {
        Err(Failure::runtime("interrupted: not all games are counted"))
    } else {
        end
    }
}

/// What a thread needs to judge games.
struct Judge {
    nodes: u64,
    options: SolverOptions,
    books: ChosenBooks,
    stop: Arc<AtomicBool>,
}

impl Judge {
    /// Does some work on each item until Ctrl-C, several at once, and hands the results on in
    /// order. The first failure ends it.
    fn in_turn<T, R: Send>(
        &self,
        items: impl Iterator<Item = T> + Send,
        threads: Option<Threads>,
        work: impl Fn(&mut Solvers, T) -> Result<R, Failure> + Sync,
        mut take: impl FnMut(R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let items = items.take_while(|_| !self.stop.load(Ordering::Relaxed));
        let mut end = Ok(());
        let mut order = InOrder::default();
        let each = |index, result: Result<R, Failure>| {
            for (_, result) in order.add(index, result) {
                end = result.and_then(&mut take);
                if end.is_err() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        share_out(items, threads_or_all(threads), || self.solvers(), work, each);
        end
    }

    /// No limit but Ctrl-C.
    fn budget(&self) -> Budget {
        Budget::unlimited().with_stop(Arc::clone(&self.stop))
    }

    fn solvers(&self) -> Solvers {
        Solvers::new(self.options, &self.books)
    }

    fn judge(
        &self,
        solvers: &mut Solvers,
        rules: &Rules,
        moves: &[Move],
    ) -> Result<Review, Failure> {
        let budget = self.budget().with_nodes(self.nodes);
        let mut solver = solvers.lend(rules)?;
        judge(moves, &mut solver, &budget).map_err(Failure::runtime)
    }
}

type Counted = Result<(Vec<Graded>, Result<(), Failure>), Failure>;

/// Plays games and judges the player's moves.
fn of_player(args: &Args, judge: &Judge) -> Counted {
    let spec = external::player(&args.who).map_err(|why| {
        Failure::usage(format!("{:?} is neither a file nor a player: {why}", args.who))
    })?;
    let rules = args.game.rules();
    for player in [Some(&spec), args.against.as_ref()].into_iter().flatten() {
        player
            .player(&rules, 0, &Budget::unlimited())
            .map_err(|why| Failure::usage(format!("{player}: {why}")))?;
    }
    if args.opening >= rules.cells() {
        let problem =
            format!("a game of {rules} is over with {} discs at the latest", rules.cells());
        return Err(Failure::usage(format!("--opening {}: {problem}", args.opening)));
    }
    let bar = progress::Bar::new("games", args.count);
    let grading = Grading {
        rules,
        player: spec.clone(),
        against: args.against.clone(),
        games: args.count,
        opening: args.opening,
        seed: args.seed,
        nodes: args.nodes,
    };
    let work = |solvers: &mut Solvers, index: u64| -> Result<Option<GradedGame>, Failure> {
        let mut solver = solvers.lend(&rules)?;
        match grading.game(index, &mut solver, &judge.budget()) {
            Ok(game) => Ok(Some(game)),
            Err(GradingError::Game { why: GameError::Stopped, .. }) => Ok(None),
            Err(why @ GradingError::Opening { .. }) => {
                Err(Failure::usage(format!("--opening {}: {why}; choose fewer", args.opening)))
            }
            Err(why) => Err(Failure::runtime(why)),
        }
    };
    let mut graded = Graded { name: spec.to_string(), games: 0, grade: Grade::default() };
    let mut in_a_row = 0;
    let end = judge.in_turn(0..args.count, args.threads, work, |found| {
        let Some(GradedGame { grade, record: Record { forfeit, .. } }) = found else {
            return Ok(());
        };
        bar.inc();
        graded.games += 1;
        graded.grade.extend(&grade);
        in_a_row = if forfeit.is_some() { in_a_row + 1 } else { 0 };
        match forfeit {
            Some(reason) if in_a_row >= external::MOST_FORFEITS_IN_A_ROW => {
                Err(Failure::runtime(format!("{in_a_row} games in a row were forfeited: {reason}")))
            }
            _ => Ok(()),
        }
    });
    bar.end();
    end.map(|()| (vec![graded], Ok(())))
}

/// Judges the games of a file, player by player.
fn of_file(args: &Args, judge: &Judge) -> Counted {
    let cannot = |why: io::Error| Failure::runtime(format!("cannot read {}: {why}", args.who));
    let reader: Box<dyn BufRead + Send> = if args.who == "-" {
        Box::new(BufReader::new(io::stdin()))
    } else {
        Box::new(BufReader::new(File::open(&args.who).map_err(cannot)?))
    };
    let mut lines = Lines::new(reader);
    let mut number = 0;
    let texts = std::iter::from_fn(move || {
        number += 1;
        match lines.next() {
            Ok(text) => Some(Ok((number, text?.into_owned()))),
            Err(why) => Some(Err(why)),
        }
    });
    let is_blank = |text: &str| text.trim().is_empty() || is_header(text);
    let texts = texts.filter(|text| !matches!(text, Ok((_, text)) if is_blank(text)));
    let work = |solvers: &mut Solvers, text: io::Result<(u64, String)>| {
        let (number, text) = text.map_err(cannot)?;
        let judged = games::read(&text, &args.game).and_then(|record| {
            let review = judge.judge(solvers, &record.game, &record.moves)?;
            Ok((record, review))
        });
        Ok((number, judged))
    };
    let mut graded: Vec<Graded> = Vec::new();
    let mut refused = 0;
    let bar = progress::Bar::open_ended("games");
    let judged = judge.in_turn(texts, args.threads, work, |(number, judged)| match judged {
        Ok((record, review)) => {
            bar.inc();
            count(&mut graded, &record, &review);
            Ok(())
        }
        Err(Failure::Invalid(why)) => {
            bar.aside(|| note(format!("fourfold: line {number}: {why}")));
            refused += 1;
            Ok(())
        }
        Err(why) => Err(why),
    });
    bar.end();
    judged?;
    if graded.is_empty() && refused == 0 {
        input::note_empty("games");
    }
    let end = if refused > 0 { Err(Failure::Refused(refused)) } else { Ok(()) };
    Ok((graded, end))
}

/// Adds a game to both of its players.
fn count(graded: &mut Vec<Graded>, record: &Record, review: &Review) {
    let names = [(&record.first, Side::First), (&record.second, Side::Second)];
    let alone = record.first == record.second && record.first.is_some();
    for (name, side) in names {
        let name = name.clone().unwrap_or_else(|| format!("the {side} player"));
        let at = graded.iter().position(|other| other.name == name).unwrap_or_else(|| {
            graded.push(Graded { name, games: 0, grade: Grade::default() });
            graded.len() - 1
        });
        graded[at].games += u64::from(!alone || side == Side::First);
        for mv in review.moves.iter().filter(|mv| mv.side == side) {
            graded[at].grade.add(&review.rules, mv);
        }
    }
}

fn shown(graded: &[Graded]) -> String {
    let head =
        ["player", "phase", "moves", "judged", "choices", "kept", "95 % CI", "lost", "95 % CI"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for Graded { name, grade, .. } in graded {
        let row = |name: &str, phase: &str, tally: &Tally| {
            let numbers = GradeFigures::of(tally);
            let none = || "-".to_owned();
            let confidence = |range: Interval, scale: f64| {
                format!("{:.1}-{:.1}", scale * range.low, scale * range.high)
            };
            vec![
                name.to_owned(),
                phase.to_owned(),
                grouped(tally.moves),
                grouped(tally.judged),
                grouped(tally.choices),
                numbers.kept_share.map_or_else(none, |share| format!("{:.1} %", 100.0 * share)),
                numbers.kept_interval.map_or_else(none, |range| confidence(range, 100.0)),
                numbers.distance_lost.map_or_else(none, |lost| format!("{lost:.2}")),
                numbers.distance_lost_interval.map_or_else(none, |range| confidence(range, 1.0)),
            ]
        };
        for (phase, tally) in Phase::ALL.into_iter().zip(&grade.phases) {
            rows.push(row(if phase == Phase::Begin { name } else { "" }, phase.name(), tally));
        }
        rows.push(row("", "all", &grade.total()));
    }
    table(&rows)
}

//! `fourfold match`: many games between two players, counted.

use crate::arguments::at_least;
use crate::external;
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::openings::{ChosenOpenings, OpeningArgs};
use crate::output::{grouped, note, stdout, table};
use crate::progress;
use fourfold::budget::Budget;
use fourfold::game::Rules;
use fourfold::play::{
    Interval, Match, MatchError, MatchResult, PlayerSpec, Record, run_match_while,
};
use fourfold::workers::Threads;
use fourfold_lab::tournament::{Pairs, Pentanomial, Sprt, SprtState};
use serde::Serialize;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

const EXAMPLES: &str = "\
A player that forfeits three games in a row ends the match. More than two
players, or Elo ratings: 'fourfold tournament'.

Examples:
  fourfold match lookahead:3 naive
  fourfold match lookahead:5 lookahead:4 --openings level --count 200
  fourfold match lookahead:5 lookahead:4 --sprt 0,30
  fourfold match lookahead:3,random=0.1 alphabeta:depth=5 --count 1000
  fourfold match perfect external:./engine --count 20 --save games.jsonl";

/// Play many games between two players and count the results
#[derive(Debug, clap::Args)]
#[command(after_help = super::players_help(EXAMPLES))]
pub(crate) struct Args {
    /// First player (see below)
    #[arg(value_name = "A", value_parser = external::player)]
    first: PlayerSpec,

    /// Second player
    #[arg(value_name = "B", value_parser = external::player)]
    second: PlayerSpec,

    #[command(flatten)]
    game: GameArg,

    /// Number of games; with --sprt, the most [default: 100, with --sprt 4000]
    #[arg(long, short = 'n', alias = "games", value_name = "N", value_parser = at_least(1u64))]
    count: Option<u64>,

    #[command(flatten)]
    openings: OpeningArgs,

    /// Stop as soon as it is clear whether A is ELO0 or ELO1 stronger, wrong at most 1 time in 20.
    /// Without --openings, level ones are drawn
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, conflicts_with = "no_swap")]
    sprt: Option<Sprt>,

    /// Random seed. The same seed gives the same games on any number of threads, unless a player
    /// has a time limit
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Games to play at once [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// Let A begin every game; without it, the players take turns
    #[arg(long)]
    no_swap: bool,

    /// Let the players take turns to begin, as they do anyway
    #[arg(long, hide = true, conflicts_with = "no_swap")]
    swap: bool,

    /// Append every game to this file, one per line, for 'fourfold replay'
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a CSV table, one row per player
    #[arg(long)]
    csv: bool,
}

/// Forfeits that are reported one by one.
const MOST_REPORTED: u64 = 10;

/// Games of a match unless it is said how many, without a test and with one.
const USUAL_GAMES: (u64, u64) = (100, 4000);

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let usual = if args.sprt.is_some() { USUAL_GAMES.1 } else { USUAL_GAMES.0 };
    let stop = interrupt::flag()?;
    let budget = Budget::unlimited().with_stop(stop.clone());
    let threads = threads_or_all(args.threads);
    let mut contest = Match::new(args.game.rules(), [args.first.clone(), args.second.clone()])
        .with_games(args.count.unwrap_or(usual))
        .with_seed(args.seed)
        .with_swap(!args.no_swap)
        .with_threads(threads);
    let openings = if args.openings.is_given() || args.sprt.is_some() {
        let (rules, rounds) = (contest.rules, contest.rounds());
        Some(args.openings.choose(&rules, rounds, args.seed, threads, &budget)?)
    } else {
        None
    };
    let is_fixed = contest.players.iter().all(PlayerSpec::is_deterministic);
    if let Some(openings) = &openings {
        let distinct = contest.games_per_opening() * openings.moves.len() as u64;
        if is_fixed {
            contest.games = contest.games.min(distinct);
        }
        contest = contest.with_openings(openings.moves.clone());
    } else if contest.games > contest.games_per_opening() && is_fixed {
        note(
            "fourfold: neither player leaves anything to chance, so these games are all alike; \
             --openings level starts them from different positions, and tie=random or random=0.1 \
             brings variety",
        );
    }
    let mut save = args.save.as_deref().map(Save::open).transpose()?;
    let bar = progress::Bar::new("games", contest.games);
    let (mut forfeits, mut in_a_row, mut broken) = (0, 0, None);
    let mut pairs = Pairs::new(args.sprt);
    let is_varied = contest.players.iter().any(PlayerSpec::draws_on_seed);
    let mut seen = HashSet::new();
    let outcome = run_match_while(&contest, &budget, |index, record| {
        bar.inc();
        in_a_row = if record.forfeit.is_some() { in_a_row + 1 } else { 0 };
        if let Some(reason) = &record.forfeit {
            forfeits += 1;
            let loser = if record.moves.len() % 2 == 0 { &record.first } else { &record.second };
            let loser = loser.as_deref().unwrap_or("somebody");
            if forfeits <= MOST_REPORTED {
                let game = index + 1;
                bar.aside(|| note(format!("fourfold: game {game}: {loser} forfeits: {reason}")));
            }
            if in_a_row >= external::MOST_FORFEITS_IN_A_ROW && broken.is_none() {
                broken = Some(loser.to_owned());
                stop.store(true, Ordering::Relaxed);
            }
        }
        if let Some(save) = &mut save {
            save.write(record);
        }
        // The same game again says nothing new, unless chance could have made it another.
        let is_new = seen.insert((contest.is_swapped(index), record.moves.clone())) || is_varied;
        let is_complete = pairs.add(&contest, index, record, is_new).is_some();
        let is_decided = pairs.state().is_some_and(|state| state.accepted.is_some());
        if is_complete && is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.end();
    if forfeits > MOST_REPORTED {
        note(format!("fourfold: {forfeits} games were forfeited; --save keeps the reasons"));
    }
    if let Some(save) = save {
        save.finish()?;
    }
    let result = outcome.map_err(|error| match error {
        MatchError::Seat { .. } => Failure::usage(error),
        _ => Failure::runtime(error),
    })?;
    let mut out = stdout();
    if args.json {
        serde_json::to_writer(&mut out, &MatchJson::new(&contest, &result, &pairs))
            .map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else if args.csv {
        write_csv(&mut out, &result)?;
    } else {
        write_table(&mut out, &contest, &result, openings.as_ref())?;
        if openings.is_some() && contest.swap {
            write_pairs(&mut out, &result, &pairs, args.sprt)?;
        }
    }
    out.flush()?;
    let so_far = format!("stopped after {} of {} games", result.games, contest.games);
    match broken {
        Some(loser) => Err(Failure::runtime(format!(
            "{so_far}: {in_a_row} in a row were forfeited, the last by {loser}"
        ))),
        None if stop.load(Ordering::Relaxed) && result.games < contest.games => {
            Err(Failure::runtime(so_far))
        }
        None => Ok(()),
    }
}

/// What the pairs of a match say.
fn write_pairs(
    out: &mut impl Write,
    result: &MatchResult,
    pairs: &Pairs,
    test: Option<Sprt>,
) -> std::io::Result<()> {
    let counts = pairs.counts().counts.map(|count| count.to_string()).join(", ");
    let a = &result.seats[0].player;
    write!(out, "\nPairs in which {a} made 0, ½, 1, 1½ and 2 points: {counts}.")?;
    if result.distinct == result.games {
        let difference = pairs.counts().difference();
        write!(
            out,
            "\nElo difference {} (95 % CI {}), superiority {}.",
            difference.elo_text(),
            difference.interval_text(),
            percent(difference.superiority)
        )?;
    }
    writeln!(out)?;
    let Some((test, state)) = test.zip(pairs.state()) else { return Ok(()) };
    let found = match state.accepted {
        Some(accepted) => format!("{accepted} is accepted"),
        None => "it is still open".to_owned(),
    };
    writeln!(
        out,
        "SPRT of H0 ({} Elo) against H1 ({} Elo): {found}, LLR {:.2} ({:.2} to {:.2}).",
        test.elo0, test.elo1, state.llr, state.lower, state.upper,
    )
}

/// A file of records. A record that cannot be written is reported once, at the end: the match goes
/// on.
struct Save<'a> {
    path: &'a Path,
    file: BufWriter<File>,
    error: Option<std::io::Error>,
}

impl<'a> Save<'a> {
    fn open(path: &'a Path) -> Result<Self, Failure> {
        let file = File::options().create(true).append(true).open(path);
        let file = file
            .map_err(|why| Failure::runtime(format!("cannot write {}: {why}", path.display())))?;
        Ok(Self { path, file: BufWriter::new(file), error: None })
    }

    fn write(&mut self, record: &Record) {
        if self.error.is_none() {
            self.error = writeln!(self.file, "{}", record.to_line()).err();
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        let error = self.error.take().or_else(|| self.file.flush().err());
        error.map_or(Ok(()), |why| {
            let path = self.path.display();
            Err(Failure::runtime(format!("cannot save all games in {path}: {why}")))
        })
    }
}

fn write_table(
    out: &mut impl Write,
    contest: &Match,
    result: &MatchResult,
    openings: Option<&ChosenOpenings>,
) -> std::io::Result<()> {
    let begins = if contest.swap { "taking turns to begin" } else { "the first player begins" };
    let openings = openings.map_or(String::new(), |openings| format!("{}, ", openings.about));
    writeln!(
        out,
        "{}, {} {}, {begins}, {openings}seed {}\n",
        contest.rules,
        grouped(result.games),
        if result.games == 1 { "game" } else { "games" },
        contest.seed
    )?;
    let head = [
        "player",
        "wins",
        "rate",
        "95 % CI",
        "time per move",
        "nodes per move",
        "evaluations per move",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (index, seat) in result.seats.iter().enumerate() {
        let (rate, interval) = result.win_rate(index);
        rows.push(vec![
            seat.player.clone(),
            grouped(seat.wins),
            percent(rate),
            confidence(interval),
            format!("{:.3} ms", seat.time_per_move()),
            format!("{:.1}", seat.nodes_per_move()),
            format!("{:.1}", seat.evaluations_per_move()),
        ]);
    }
    let (rate, interval) = result.draw_rate();
    rows.push(vec!["draws".to_owned(), grouped(result.draws), percent(rate), confidence(interval)]);
    write!(out, "{}", table(&rows))?;
    if result.distinct < result.games {
        let intervals = if result.draw_rate().1.is_some() {
            "intervals count each of them once"
        } else {
            "there are no intervals, since nothing was left to chance"
        };
        writeln!(
            out,
            "\nOnly {} of the {} games were distinct; {intervals}.",
            grouped(result.distinct),
            grouped(result.games)
        )?;
    }
    for seat in result.seats.iter().filter(|seat| seat.forfeits > 0) {
        let games = if seat.forfeits == 1 { "game" } else { "games" };
        writeln!(out, "\n{} forfeited {} {games}.", seat.player, grouped(seat.forfeits))?;
    }
    if result.games > 0 {
        writeln!(
            out,
            "\nA game took {:.1} moves ({} to {}) and {:.3} ms, a move {:.3} ms. \
             Whoever began won {} of {}.",
            result.length(),
            result.shortest,
            result.longest,
            result.time_per_game(),
            result.time_per_move(),
            grouped(result.first_wins),
            grouped(result.games),
        )?;
    }
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// `98.8-99.8`, in per cent; a dash if there is none.
fn confidence(interval: Option<Interval>) -> String {
    interval.map_or("-".to_owned(), |interval| {
        format!("{:.1}-{:.1}", 100.0 * interval.low, 100.0 * interval.high)
    })
}

const CSV_HEAD: &str = "player,games,wins,draws,losses,win_rate,win_rate_low,win_rate_high,\
    games_as_first,wins_as_first,moves,time_ms_per_move,nodes_per_move,evaluations_per_move,\
    moves_per_game,time_ms_per_game,forfeits,distinct_games";

fn write_csv(out: &mut impl Write, result: &MatchResult) -> std::io::Result<()> {
    writeln!(out, "{CSV_HEAD}")?;
    for (index, seat) in result.seats.iter().enumerate() {
        let (rate, interval) = result.win_rate(index);
        let maybe = |end: Option<f64>| end.map_or(String::new(), |end| end.to_string());
        writeln!(
            out,
            "\"{}\",{},{},{},{},{rate},{},{},{},{},{},{},{},{},{},{},{},{}",
            seat.player.replace('"', "\"\""),
            result.games,
            seat.wins,
            result.draws,
            result.games - seat.wins - result.draws,
            maybe(interval.map(|interval| interval.low)),
            maybe(interval.map(|interval| interval.high)),
            seat.games_as_first,
            seat.wins_as_first,
            seat.moves,
            seat.time_per_move(),
            seat.nodes_per_move(),
            seat.evaluations_per_move(),
            result.length(),
            result.time_per_game(),
            seat.forfeits,
            result.distinct,
        )?;
    }
    Ok(())
}

#[derive(Serialize)]
struct MatchJson {
    game: Rules,
    seed: u64,
    swap: bool,
    openings: usize,
    games: u64,
    distinct_games: u64,
    draws: u64,
    draw_rate: f64,
    draw_rate_interval: Option<Interval>,
    first_player_wins: u64,
    moves_per_game: f64,
    shortest: u64,
    longest: u64,
    time_ms_per_game: f64,
    time_ms_per_move: f64,
    pairs: Option<Pentanomial>,
    sprt: Option<SprtState>,
    players: Vec<SeatJson>,
}

#[derive(Serialize)]
struct SeatJson {
    player: String,
    wins: u64,
    win_rate: f64,
    win_rate_interval: Option<Interval>,
    games_as_first: u64,
    wins_as_first: u64,
    forfeits: u64,
    moves: u64,
    time_ms_per_move: f64,
    nodes_per_move: f64,
    evaluations_per_move: f64,
}

impl MatchJson {
    fn new(contest: &Match, result: &MatchResult, pairs: &Pairs) -> Self {
        let (draw_rate, draw_rate_interval) = result.draw_rate();
        let seat = |index: usize| {
            let seat = &result.seats[index];
            let (win_rate, win_rate_interval) = result.win_rate(index);
            SeatJson {
                player: seat.player.clone(),
                wins: seat.wins,
                win_rate,
                win_rate_interval,
                games_as_first: seat.games_as_first,
                wins_as_first: seat.wins_as_first,
                forfeits: seat.forfeits,
                moves: seat.moves,
                time_ms_per_move: seat.time_per_move(),
                nodes_per_move: seat.nodes_per_move(),
                evaluations_per_move: seat.evaluations_per_move(),
            }
        };
        Self {
            game: contest.rules,
            seed: contest.seed,
            swap: contest.swap,
            openings: contest.openings.len(),
            games: result.games,
            distinct_games: result.distinct,
            draws: result.draws,
            draw_rate,
            draw_rate_interval,
            first_player_wins: result.first_wins,
            moves_per_game: result.length(),
            shortest: result.shortest,
            longest: result.longest,
            time_ms_per_game: result.time_per_game(),
            time_ms_per_move: result.time_per_move(),
            pairs: contest.swap.then(|| pairs.counts()),
            sprt: pairs.state(),
            players: vec![seat(0), seat(1)],
        }
    }
}

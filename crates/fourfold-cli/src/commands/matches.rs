//! `fourfold match`: many games between two players, counted.

use crate::arguments::at_least;
use crate::external;
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note, stdout, table};
use crate::progress;
use fourfold::budget::Budget;
use fourfold::game::Rules;
use fourfold::play::{Interval, Match, MatchError, MatchResult, PlayerSpec, Record, run_match};
use fourfold::workers::Threads;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

const EXAMPLES: &str = "\
A player that forfeits three games in a row ends the match.

Examples:
  fourfold match lookahead:3 naive
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

    /// Number of games
    #[arg(long, short = 'n', alias = "games", default_value_t = 100, value_name = "N")]
    #[arg(value_parser = at_least(1u64))]
    count: u64,

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

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let contest = Match::new(args.game.rules(), [args.first.clone(), args.second.clone()])
        .with_games(args.count)
        .with_seed(args.seed)
        .with_swap(!args.no_swap)
        .with_threads(threads_or_all(args.threads));
    let different_games = if contest.swap { 2 } else { 1 };
    if args.count > different_games && contest.players.iter().all(PlayerSpec::is_deterministic) {
        note(
            "fourfold: neither player leaves anything to chance, so these games are all alike; \
             tie=random or random=0.1 brings variety",
        );
    }
    let mut save = args.save.as_deref().map(Save::open).transpose()?;
    let stop = interrupt::flag()?;
    let bar = progress::Bar::new("games", args.count);
    let (mut forfeits, mut in_a_row, mut broken) = (0, 0, None);
    let budget = Budget::unlimited().with_stop(stop.clone());
    let outcome = run_match(&contest, &budget, |index, record| {
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
        serde_json::to_writer(&mut out, &MatchJson::new(&contest, &result))
            .map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else if args.csv {
        write_csv(&mut out, &result)?;
    } else {
        write_table(&mut out, &contest, &result)?;
    }
    out.flush()?;
    let so_far = format!("stopped after {} of {} games", result.games, args.count);
    match broken {
        Some(loser) => Err(Failure::runtime(format!(
            "{so_far}: {in_a_row} in a row were forfeited, the last by {loser}"
        ))),
        None if stop.load(Ordering::Relaxed) && result.games < args.count => {
            Err(Failure::runtime(so_far))
        }
        None => Ok(()),
    }
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

fn write_table(out: &mut impl Write, contest: &Match, result: &MatchResult) -> std::io::Result<()> {
    let begins = if contest.swap { "taking turns to begin" } else { "the first player begins" };
    writeln!(
        out,
        "{}, {} {}, {begins}, seed {}\n",
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

/// `98.8-99.8`, in per cent.
fn confidence(interval: Interval) -> String {
    format!("{:.1}-{:.1}", 100.0 * interval.low, 100.0 * interval.high)
}

const CSV_HEAD: &str = "player,games,wins,draws,losses,win_rate,win_rate_low,win_rate_high,\
    games_as_first,wins_as_first,moves,time_ms_per_move,nodes_per_move,evaluations_per_move,\
    moves_per_game,time_ms_per_game,forfeits";

fn write_csv(out: &mut impl Write, result: &MatchResult) -> std::io::Result<()> {
    writeln!(out, "{CSV_HEAD}")?;
    for (index, seat) in result.seats.iter().enumerate() {
        let (rate, interval) = result.win_rate(index);
        writeln!(
            out,
            "\"{}\",{},{},{},{},{rate},{},{},{},{},{},{},{},{},{},{},{}",
            seat.player.replace('"', "\"\""),
            result.games,
            seat.wins,
            result.draws,
            result.games - seat.wins - result.draws,
            interval.low,
            interval.high,
            seat.games_as_first,
            seat.wins_as_first,
            seat.moves,
            seat.time_per_move(),
            seat.nodes_per_move(),
            seat.evaluations_per_move(),
            result.length(),
            result.time_per_game(),
            seat.forfeits,
        )?;
    }
    Ok(())
}

#[derive(Serialize)]
struct MatchJson {
    game: Rules,
    seed: u64,
    swap: bool,
    games: u64,
    draws: u64,
    draw_rate: f64,
    draw_rate_interval: Interval,
    first_player_wins: u64,
    moves_per_game: f64,
    shortest: u64,
    longest: u64,
    time_ms_per_game: f64,
    time_ms_per_move: f64,
    players: Vec<SeatJson>,
}

#[derive(Serialize)]
struct SeatJson {
    player: String,
    wins: u64,
    win_rate: f64,
    win_rate_interval: Interval,
    games_as_first: u64,
    wins_as_first: u64,
    forfeits: u64,
    moves: u64,
    time_ms_per_move: f64,
    nodes_per_move: f64,
    evaluations_per_move: f64,
}

impl MatchJson {
    fn new(contest: &Match, result: &MatchResult) -> Self {
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
            games: result.games,
            draws: result.draws,
            draw_rate,
            draw_rate_interval,
            first_player_wins: result.first_wins,
            moves_per_game: result.length(),
            shortest: result.shortest,
            longest: result.longest,
            time_ms_per_game: result.time_per_game(),
            time_ms_per_move: result.time_per_move(),
            players: vec![seat(0), seat(1)],
        }
    }
}

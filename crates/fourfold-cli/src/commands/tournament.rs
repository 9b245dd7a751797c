//! `fourfold tournament`: players against each other from many openings, rated.

mod class;

use super::lab::command_line;
use crate::arguments::at_least;
use crate::external;
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::openings::OpeningArgs;
use crate::output::{grouped, note, stdout, table};
use crate::progress;
use fourfold::budget::Budget;
use fourfold::play::{PlayerSpec, Record};
use fourfold::workers::Threads;
use fourfold_lab::Provenance;
use fourfold_lab::files::write_whole;
use fourfold_lab::tournament::{
    Format, RatingKind, SavedError, Sprt, Standings, Tournament, TournamentError, TournamentEvent,
    TournamentOutcome, csv, json, page, run as play,
};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

const EXAMPLES: &str = "\
Every opening is played from both sides. Ratings are Elo by maximum
likelihood, with 95 % intervals from these pairs of games.

Examples:
  fourfold tournament lookahead:2 lookahead:4 naive random
  fourfold tournament perfect lookahead:9 lookahead:7 --gauntlet --games 200
  fourfold tournament lookahead:1 lookahead:2 lookahead:3 --neighbours
  fourfold tournament utility:4 lookahead:4 --sprt 0,20 --games 4000
  fourfold tournament naive lookahead:2 --games 1000 --save games.jsonl
  fourfold tournament naive random lookahead:1 -g 7x6s2 --html report.html
  fourfold tournament --class submissions --html class.html";

/// Play a tournament: Elo ratings with intervals from games in pairs
#[derive(Debug, clap::Args)]
#[command(after_help = super::players_help(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    choice: TournamentChoice,

    #[command(flatten)]
    class: class::ClassArgs,

    /// End a pairing as soon as it is clear whether its first player is ELO0 or ELO1 stronger,
    /// wrong at most 1 time in 20; for two players or with --gauntlet
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// Give this player this rating; without it, the mean of all is 0
    #[arg(long, value_name = "PLAYER=ELO", value_parser = anchor)]
    anchor: Option<(PlayerSpec, f64)>,

    /// Games to play at once [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// Keep every game in this file, one per line. The same command goes on where it was stopped
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a CSV table, one row per player
    #[arg(long)]
    csv: bool,

    /// Also write a report with plots to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Who plays whom, from where, how often.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct TournamentChoice {
    /// Players (see below), at least two
    #[arg(value_name = "PLAYER", num_args = 1.., value_parser = external::player)]
    pub(super) players: Vec<PlayerSpec>,

    #[command(flatten)]
    game: GameArg,

    /// Let the first player play all others; without it, everybody plays everybody
    #[arg(long, conflicts_with = "neighbours")]
    gauntlet: bool,

    /// Let every player play the next in the list only: quick for a ladder
    #[arg(long, alias = "neighbors")]
    neighbours: bool,

    #[command(flatten)]
    openings: OpeningArgs,

    /// Games of every two players that meet, an even number; with a test (SPRT), the most
    /// [default: 100, with --class 2]
    #[arg(long, short = 'n', alias = "count", value_name = "N", value_parser = at_least(2u64))]
    games: Option<u64>,

    /// Random seed. The same seed gives the same games on any number of threads, unless a player
    /// has a time limit
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,
}

impl TournamentChoice {
    /// The tournament, and where its openings come from.
    pub(super) fn tournament(
        &self,
        threads: usize,
        budget: &Budget,
    ) -> Result<(Tournament, String), Failure> {
        let rules = self.game.rules();
        let format = match (self.gauntlet, self.neighbours) {
            (true, _) => Format::Gauntlet,
            (_, true) => Format::Neighbours,
            _ => Format::RoundRobin,
        };
        if self.players.len() < 2 {
            return Err(Failure::usage("a tournament needs at least two players"));
        }
        let games = self.games.unwrap_or(GAMES);
        let rounds = games.div_ceil(2);
        let openings = self.openings.choose(&rules, rounds, self.seed, threads, budget)?;
        let tournament = Tournament::new(rules, self.players.clone(), openings.moves)
            .with_format(format)
            .with_games(games)
            .with_seed(self.seed);
        Ok((tournament, openings.about))
    }
}

/// Reads `PLAYER=ELO`; players have equals signs of their own.
fn anchor(text: &str) -> Result<(PlayerSpec, f64), String> {
    let expected = "write a player and its rating: lookahead:3=1500";
    let (player, elo) = text.rsplit_once('=').ok_or(expected)?;
    let elo = elo.parse().ok().filter(|elo: &f64| elo.abs() <= 1e6).ok_or(expected)?;
    Ok((external::player(player).map_err(|why| why.to_string())?, elo))
}

/// Games of two players if nothing is said.
const GAMES: u64 = 100;

/// Forfeits that are reported one by one.
const MOST_REPORTED: u64 = 10;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(folder) = &args.class.class {
        return class::run(args, folder);
    }
    let began = Instant::now();
    if args.sprt.is_some() && !args.choice.gauntlet && args.choice.players.len() > 2 {
        return Err(Failure::usage("--sprt is for two players, or more with --gauntlet"));
    }
    let anchor = args.anchor.as_ref().map(|(spec, elo)| {
        let place = args.choice.players.iter().position(|player| player == spec);
        place
            .map(|place| (place, *elo))
            .ok_or_else(|| Failure::usage(format!("--anchor: {spec} is not one of the players")))
    });
    let anchor = anchor.transpose()?;
    let threads = threads_or_all(args.threads);
    let stop = interrupt::flag()?;
    let budget = Budget::unlimited().with_stop(stop);
    let (tournament, openings) = args.choice.tournament(threads, &budget)?;
    let tournament = tournament.with_sprt(args.sprt);
    let outcome = play_with_progress(&tournament, threads, &budget, args, |_| {})?;
    let standings = Standings::of(&tournament, &outcome, anchor);
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", json(&tournament, &outcome, &standings))?;
    } else if args.csv {
        write!(out, "{}", csv(&standings))?;
    } else {
        write_report(&mut out, &tournament, &outcome, &standings, &openings)?;
    }
    out.flush()?;
    if let Some(path) = &args.html {
        let seconds = began.elapsed().as_secs_f64();
        let provenance =
            Provenance::of_this_process(command_line(), super::commit(), threads, seconds);
        let html = page(&tournament, &outcome, &standings, &provenance);
        write_whole(path, html.as_bytes())?;
    }
    completed(&outcome, args)
}

/// Fails if not everything was played, and says how it can be.
fn completed(outcome: &TournamentOutcome, args: &Args) -> Result<(), Failure> {
    if outcome.is_complete {
        return Ok(());
    }
    let hint = match &args.save {
        Some(_) => "the same command goes on",
        None => "with --save it could go on",
    };
    let games = grouped(outcome.games());
    Err(Failure::runtime(format!("stopped after {games} games; {hint}")))
}

fn play_with_progress(
    tournament: &Tournament,
    threads: usize,
    budget: &Budget,
    args: &Args,
    mut seen: impl FnMut(&Record),
) -> Result<TournamentOutcome, Failure> {
    let bar = progress::Bar::new("games", 0);
    let (mut done, mut total, mut forfeits, mut saved_games) = (0, 0, 0, 0);
    let outcome = play(tournament, threads, budget, args.save.as_deref(), |event| match event {
        TournamentEvent::Began { games, saved } => {
            (total, saved_games) = (games, saved);
            bar.set(0, total);
        }
        TournamentEvent::Game { record, is_saved, .. } => {
            done += 1;
            bar.set(done, total);
            seen(record);
            if is_saved {
                // What earlier sessions did says nothing about the speed of this one.
                bar.reset_eta();
            }
            if let Some(reason) = &record.forfeit {
                forfeits += 1;
                let seat = if record.moves.len() % 2 == 0 { &record.first } else { &record.second };
                let loser = seat.as_deref().unwrap_or("somebody");
                if forfeits <= MOST_REPORTED && !is_saved {
                    bar.aside(|| note(format!("fourfold: {loser} forfeits: {reason}")));
                }
            }
        }
        TournamentEvent::Decided { left_out, .. } => {
            total -= left_out;
            bar.set(done, total);
        }
        _ => {}
    });
    bar.end();
    if saved_games > 0 {
        let games = grouped(saved_games);
        note(format!("fourfold: {games} games had been played before and were not played again"));
    }
    outcome.map_err(|error| match error {
        TournamentError::TooFewPlayers
        | TournamentError::Twice { .. }
        | TournamentError::Seat { .. } => Failure::usage(error),
        TournamentError::Saved(
            SavedError::NotATournament { .. } | SavedError::OtherTournament { .. },
        ) => Failure::usage(format!("{error}; name another file with --save")),
        TournamentError::Saved(SavedError::Line { .. }) => Failure::invalid(error),
        _ => Failure::runtime(error),
    })
}

/// Pairings are listed if there are at most this many; the cross table has them all.
const MOST_LISTED: usize = 15;

pub(super) fn write_report(
    out: &mut impl Write,
    tournament: &Tournament,
    outcome: &TournamentOutcome,
    standings: &Standings,
    openings: &str,
) -> io::Result<()> {
    let games = outcome.games();
    writeln!(
        out,
        "{}, {}, {} games in pairs, {openings}, seed {}\n",
        tournament.rules,
        tournament.format,
        grouped(games),
        tournament.seed,
    )?;
    write_ratings(out, standings)?;
    let order = standings.order();
    if order.len() > 2 {
        write_cross_table(out, &order, outcome, standings)?;
    }
    if outcome.pairings.len() <= MOST_LISTED || tournament.format != Format::RoundRobin {
        write_pairings(out, outcome, standings)?;
    }
    let share = |count: u64| 100.0 * count as f64 / games.max(1) as f64;
    let (first, draws) = (outcome.first_wins(), outcome.draws());
    writeln!(
        out,
        "\nWhoever began won {} games ({:.1} %), whoever did not {} ({:.1} %); {} were drawn \
         ({:.1} %).",
        grouped(first),
        share(first),
        grouped(games - first - draws),
        share(games - first - draws),
        grouped(draws),
        share(draws),
    )?;
    let distinct = outcome.distinct();
    if distinct < games {
        writeln!(out, "{} of the {} games were distinct.", grouped(distinct), grouped(games))?;
    } else {
        writeln!(out, "All games were distinct.")?;
    }
    let repeated: u64 = outcome.pairings.iter().map(|pairing| pairing.repeated).sum();
    if repeated > 0 {
        writeln!(
            out,
            "{} pairs were the same games again and do not count: nothing was left to chance.",
            grouped(repeated)
        )?;
    }
    if standings.ratings.iter().any(|rating| is_bound(rating.kind)) {
        writeln!(
            out,
            "A rating with ≥ or ≤ is a bound, not an estimate: one side won every game. Each step \
             holds with 95 % confidence."
        )?;
    }
    for rating in standings.ratings.iter().filter(|rating| rating.totals.forfeits > 0) {
        writeln!(out, "{} forfeited {} games.", rating.player, rating.totals.forfeits)?;
    }
    Ok(())
}

fn is_bound(kind: RatingKind) -> bool {
    matches!(kind, RatingKind::AtLeast | RatingKind::AtMost)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn write_ratings(out: &mut impl Write, standings: &Standings) -> io::Result<()> {
    let head =
        ["player", "Elo", "95 % CI", "games", "won", "drawn", "lost", "points", "nodes per move"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (number, place) in standings.order().into_iter().enumerate() {
        let rating = &standings.ratings[place];
        rows.push(vec![
            format!("{}. {}", number + 1, rating.player),
            rating.elo_text(),
            rating.interval_text(),
            grouped(rating.games()),
            grouped(rating.wins),
            grouped(rating.draws),
            grouped(rating.losses),
            percent(rating.score()),
            format!("{:.1}", rating.totals.nodes_per_move()),
        ]);
    }
    write!(out, "{}", table(&rows))
}

/// The points of each player against each, in per cent.
fn write_cross_table(
    out: &mut impl Write,
    order: &[usize],
    outcome: &TournamentOutcome,
    standings: &Standings,
) -> io::Result<()> {
    let mut head = vec!["points in %".to_owned()];
    head.extend((1..=order.len()).map(|number| number.to_string()));
    let mut rows = vec![head];
    for (number, &place) in order.iter().enumerate() {
        let mut row = vec![format!("{}. {}", number + 1, standings.ratings[place].player)];
        row.extend(order.iter().map(|&other| {
            let score = outcome.score(place, other);
            score.map_or("·".to_owned(), |score| format!("{:.1}", 100.0 * score))
        }));
        rows.push(row);
    }
    write!(out, "\n{}", table(&rows))
}

fn write_pairings(
    out: &mut impl Write,
    outcome: &TournamentOutcome,
    standings: &Standings,
) -> io::Result<()> {
    let has_test = outcome.pairings.iter().any(|pairing| pairing.sprt.is_some());
    let head =
        ["pairing", "pairs 0, ½, 1, 1½, 2", "points", "Elo difference", "95 % CI", "superiority"];
    let mut head = head.map(str::to_owned).to_vec();
    if has_test {
        head.push("SPRT".to_owned());
    }
    let mut rows = vec![head];
    let name = |place: usize| &standings.ratings[place].player;
    for found in &outcome.pairings {
        let pairs = found.pentanomial();
        let difference = pairs.difference();
        let mut row = vec![
            format!("{} - {}", name(found.pairing.first), name(found.pairing.second)),
            pairs.counts.map(|count| count.to_string()).join(", "),
            percent(pairs.score()),
            difference.elo_text(),
            difference.interval_text(),
            percent(difference.superiority),
        ];
        row.extend(found.sprt.map(|test| {
            let state = test.accepted.map_or("open".to_owned(), |h| format!("{h} accepted"));
            format!("{state}, LLR {:.2} ({:.2} to {:.2})", test.llr, test.lower, test.upper)
        }));
        rows.push(row);
    }
    write!(out, "\n{}", table(&rows))
}

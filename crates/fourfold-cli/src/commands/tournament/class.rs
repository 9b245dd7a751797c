//! `fourfold tournament --class`: students' programs against each other.
//!
//! Programs are found and started as `fourfold check` does, within its limits. Those that speak the
//! engine protocol are asked in it, all others for the best move of a position, in the grader's
//! lines. What a program does wrong loses it the game, and is counted.

use super::super::check::program::{Limits, Runner};
use super::super::check::submission::{self, Found, Ready};
use super::{Args, play_with_progress, write_report};
use crate::arguments::{mebibytes, milliseconds, whole};
use crate::external;
use crate::failure::Failure;
use crate::input::threads_or_all;
use crate::interrupt;
use crate::output::{note, stdout, table};
use fourfold::budget::Budget;
use fourfold::game::{Move, Position, Rules, Shape};
use fourfold::play::{Choice, Player, PlayerError, PlayerFactory, PlayerSpec, Record, Winner};
use fourfold_app::draw::board_svg;
use fourfold_lab::files::read_bytes;
use fourfold_lab::svg::escape;
use fourfold_lab::tournament::{Standings, TournamentOutcome, csv, json};
use fourfold_teach::suite::board_of;
use fourfold_teach::{Algorithm, Input, Problem, Program, Reply, report};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// The class, and what its programs may use.
#[derive(Debug, clap::Args)]
pub(super) struct ClassArgs {
    /// Let the programs of this folder play each other, found as by 'fourfold check'
    #[arg(long, value_name = "DIR", conflicts_with_all = ["players", "sprt", "anchor", "save"])]
    pub(super) class: Option<PathBuf>,

    /// Plies that the programs of a class are asked to look ahead
    #[arg(long, short, default_value_t = 4, value_name = "N", value_parser = whole(1..=42u32))]
    depth: u32,

    /// Time of a class's program for a move; for its first four times as long
    #[arg(long, default_value = "5s", value_name = "TIME", value_parser = milliseconds)]
    time: u64,

    /// Resident memory of a class's program (looked at on Linux only)
    #[arg(long, default_value = "1G", value_name = "SIZE", value_parser = mebibytes)]
    memory: u32,
}

/// Games of two programs if nothing is said: one from each side.
const GAMES: u64 = 2;
/// A program that has failed in this many games in a row is not started any more.
const MOST_FAILURES: u32 = 3;
/// The longest that a program may take for a game.
const GAME_TIME: Duration = Duration::from_secs(600);
/// The most of a file that is looked at.
const MAX_SOURCE: u64 = 16 << 20;
/// Games on the page.
const GAMES_SHOWN: usize = 6;

/// What programs do wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Illegal,
    Late,
    Memory,
    Broken,
}

impl Fault {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Illegal, "illegal moves"),
        (Self::Late, "too late"),
        (Self::Memory, "too much memory"),
        (Self::Broken, "crashes and nonsense"),
    ];

    /// What a reason for a forfeit comes down to: the words are those of the grader and of the
    /// engine protocol.
    fn of(reason: &str) -> Self {
        let reason = reason.to_ascii_lowercase();
        match () {
            () if reason.starts_with("illegal move") => Self::Illegal,
            () if reason.contains("did not answer") || reason.contains("used up its") => Self::Late,
            () if reason.contains("used more than") => Self::Memory,
            () => Self::Broken,
        }
    }
}

/// A submission, as a player.
#[derive(Debug)]
struct Submission {
    name: String,
    ready: Result<Arc<Ready>, String>,
    /// The same as a player in the engine protocol, if it speaks that.
    engine: Option<PlayerSpec>,
    limits: Limits,
    depth: u32,
    stop: Arc<AtomicBool>,
    /// Games in a row in which it failed.
    failures: Arc<AtomicU32>,
}

impl PlayerFactory for Submission {
    fn name(&self) -> &str {
        &self.name
    }

    fn player(
        &self,
        rules: &Rules,
        seed: u64,
        budget: &Budget,
    ) -> Result<Box<dyn Player + Send>, PlayerError> {
        let weights = weights(rules);
        let asked = match (&self.ready, &self.engine) {
            (Err(why), _) => Asked::Nobody(why.clone()),
            _ if self.failures.load(Ordering::Relaxed) >= MOST_FAILURES => {
                Asked::Nobody(format!("it failed in {MOST_FAILURES} games in a row"))
            }
            (Ok(_), Some(spec)) => match spec.player(rules, seed, budget) {
                Ok(player) => Asked::Engine(player),
                Err(why) => Asked::Nobody(why.to_string()),
            },
            (Ok(ready), None) => {
                let stop = Arc::clone(&self.stop);
                Asked::Lines(Box::new(Runner::new(Arc::clone(ready), self.limits, stop)))
            }
        };
        let failures = Arc::clone(&self.failures);
        let stop = Arc::clone(&self.stop);
        let algorithm = Algorithm::AlphaBeta;
        Ok(Box::new(Seated { asked, weights, depth: self.depth, failures, stop, algorithm }))
    }
}

/// How a submission is asked.
enum Asked {
    Lines(Box<Runner>),
    Engine(Box<dyn Player + Send>),
    Nobody(String),
}

/// A submission at the board.
struct Seated {
    asked: Asked,
    weights: Vec<i64>,
    depth: u32,
    failures: Arc<AtomicU32>,
    stop: Arc<AtomicBool>,
    algorithm: Algorithm,
}

impl Player for Seated {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let choice = self.ask(position);
        if self.stop.load(Ordering::Relaxed) {
            return Err(PlayerError::Left { reason: "the game was stopped".to_owned() });
        }
        match &choice {
            Ok(_) => self.failures.store(0, Ordering::Relaxed),
            Err(_) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
            }
        }
        choice
    }
}

impl Seated {
    fn ask(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let forfeit = |reason: String| Err(PlayerError::Forfeit { reason });
        let runner = match &mut self.asked {
            Asked::Engine(player) => return player.choose(position),
            Asked::Nobody(why) => return forfeit(why.clone()),
            Asked::Lines(runner) => runner,
        };
        loop {
            let board = board_of(position, self.weights.clone(), self.depth);
            let input = Input { algorithm: self.algorithm, problem: Problem::Position(board) };
            match runner.ask(&input) {
                Reply::Answer(answer) => {
                    let Some(mv) = answer.mv else {
                        return forfeit("it answered without a move".to_owned());
                    };
                    return match legal(position, mv) {
                        Some(mv) => Ok(Choice::unthinking(mv)),
                        None => forfeit(format!("illegal move: {}", input.move_name(mv))),
                    };
                }
                Reply::Unsupported if self.algorithm == Algorithm::AlphaBeta => {
                    self.algorithm = Algorithm::Minimax;
                }
                Reply::Unsupported => return forfeit("it does not play positions".to_owned()),
                Reply::Trouble(why) | Reply::Over(why) => return forfeit(why),
            }
        }
    }
}

/// The move that an answer means, if it is legal.
fn legal(position: &Position, answer: i64) -> Option<Move> {
    let rules = position.rules();
    let number = |mv: Move| {
        let cell = mv.cell(rules);
        let row = rules.height() as i64 - 1 - i64::from(cell.row);
        let across = i64::from(cell.column);
        if rules.gravity() { across } else { row * i64::from(rules.width()) + across }
    };
    position.legal_moves().into_iter().find(|&mv| number(mv) == answer)
}

/// What a disc on each cell counts at the horizon: the winning lines through it.
fn weights(rules: &Rules) -> Vec<i64> {
    let (width, height) = (rules.width() as i64, rules.height() as i64);
    let Shape::Line(length) = rules.shape() else { return vec![0; (width * height) as usize] };
    let length = i64::from(length);
    let mut weights = vec![0; (width * height) as usize];
    for (across, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for row in 0..height {
            for column in 0..width {
                let cell = |step: i64| (row + down * step, column + across * step);
                let (last_row, last_column) = cell(length - 1);
                if (0..height).contains(&last_row) && (0..width).contains(&last_column) {
                    for (row, column) in (0..length).map(cell) {
                        weights[(row * width + column) as usize] += 1;
                    }
                }
            }
        }
    }
    weights
}

/// Whether a program speaks the engine protocol: then the word it answers with is in it.
fn is_engine(found: &Found) -> bool {
    let has = |bytes: &[u8]| bytes.windows(8).any(|word| word == b"bestmove");
    found.files().iter().any(|file| read_bytes(file, MAX_SOURCE).is_ok_and(|bytes| has(&bytes)))
}

/// The words of a command as `external:` reads them.
fn quoted(words: &[String]) -> String {
    let quote = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
    words.iter().map(quote).collect::<Vec<String>>().join(" ")
}

impl Submission {
    fn new(found: &Found, args: &ClassArgs, stop: &Arc<AtomicBool>) -> Self {
        let limits = Limits {
            answer: Duration::from_millis(args.time),
            total: GAME_TIME,
            kibibytes: u64::from(args.memory) << 10,
        };
        let mut ready = found.ready(limits.total, stop).map(Arc::new);
        let mut engine = None;
        if let (Ok(program), true) = (&ready, is_engine(found)) {
            let (depth, wait) = (args.depth, args.time);
            let command = quoted(&program.words);
            let spec = format!("external:depth={depth},wait={wait},start={},{command}", 4 * wait);
            match external::player(&spec) {
                Ok(spec) => engine = Some(spec),
                Err(why) => ready = Err(why.to_string()),
            }
        }
        Self {
            name: found.name.clone(),
            ready,
            engine,
            limits,
            depth: args.depth,
            stop: Arc::clone(stop),
            failures: Arc::default(),
        }
    }
}

pub(super) fn run(args: &Args, folder: &Path) -> Result<(), Failure> {
    let found = submission::find(&[folder.to_owned()], None)?;
    if found.len() < 2 {
        return Err(Failure::usage("a class needs at least two programs"));
    }
    let rules = args.choice.game.rules();
    if !matches!(rules.shape(), Shape::Line(_)) {
        return Err(Failure::usage("programs of a class play games of lines only"));
    }
    let stop = interrupt::flag()?;
    let submissions = found.iter().map(|found| Submission::new(found, &args.class, &stop));
    let players: Vec<PlayerSpec> = submissions
        .map(|submission| {
            if let Err(why) = &submission.ready {
                note(format!("fourfold: {}: {why}", submission.name));
            }
            PlayerSpec::custom(submission)
        })
        .collect();
    let threads = threads_or_all(args.threads);
    let budget = Budget::unlimited().with_stop(stop);
    let choice = super::TournamentChoice {
        players,
        games: Some(args.choice.games.unwrap_or(GAMES)),
        ..args.choice.clone()
    };
    let (tournament, openings) = choice.tournament(threads, &budget)?;
    let tournament = tournament.forgiving();
    let mut records = Vec::new();
    let outcome = play_with_progress(&tournament, threads, &budget, args, |record| {
        records.push(record.clone());
    })?;
    let standings = Standings::of(&tournament, &outcome, None);
    let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
    let faults = faults(&names, &records);
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", json(&tournament, &outcome, &standings))?;
    } else if args.csv {
        write!(out, "{}", csv(&standings))?;
    } else {
        write_report(&mut out, &tournament, &outcome, &standings, &openings)?;
        write!(out, "{}", fault_table(&names, &faults))?;
    }
    out.flush()?;
    if let Some(path) = &args.html {
        let html = page(&outcome, &standings, &names, &faults, &records);
        std::fs::write(path, html)
            .map_err(|why| Failure::runtime(format!("cannot write {}: {why}", path.display())))?;
    }
    if outcome.is_complete { Ok(()) } else { Err(Failure::runtime("stopped before the end")) }
}

/// Who gave a game up.
fn loser(record: &Record) -> Option<&str> {
    let seat = if record.moves.len() % 2 == 0 { &record.first } else { &record.second };
    seat.as_deref()
}

/// How often each program did each thing wrong.
fn faults(names: &[&str], records: &[Record]) -> Vec<[u32; 4]> {
    let mut counts = vec![[0; 4]; names.len()];
    for record in records {
        let (Some(reason), Some(loser)) = (&record.forfeit, loser(record)) else { continue };
        let place = names.iter().position(|name| *name == loser);
        let kind = Fault::ALL.iter().position(|(fault, _)| *fault == Fault::of(reason));
        if let (Some(place), Some(kind)) = (place, kind) {
            counts[place][kind] += 1;
        }
    }
    counts
}

fn fault_table(names: &[&str], faults: &[[u32; 4]]) -> String {
    let mut head = vec!["games lost by".to_owned()];
    head.extend(Fault::ALL.map(|(_, words)| words.to_owned()));
    let mut rows = vec![head];
    for (name, counts) in names.iter().zip(faults) {
        if counts.iter().any(|&count| count > 0) {
            let mut row = vec![(*name).to_owned()];
            row.extend(counts.map(|count| count.to_string()));
            rows.push(row);
        }
    }
    if rows.len() == 1 { String::new() } else { format!("\n{}", table(&rows)) }
}

/// The games to show: won on the board, between the strongest, the longest first.
fn best_games<'a>(records: &'a [Record], standings: &Standings) -> Vec<&'a Record> {
    let strength = |name: &Option<String>| {
        let ratings = &standings.ratings;
        let found = ratings.iter().find(|rating| Some(&rating.player) == name.as_ref());
        found.map_or(0.0, fourfold_lab::tournament::Rating::score)
    };
    let mut games: Vec<&Record> = records
        .iter()
        .filter(|record| record.forfeit.is_none() && record.result.is_some())
        .filter(|record| record.result != Some(Winner::Draw))
        .collect();
    let worth = |record: &Record| {
        let weakest = strength(&record.first).min(strength(&record.second));
        (1000.0 * weakest) as i64 + record.moves.len() as i64
    };
    games.sort_by_key(|record| std::cmp::Reverse(worth(record)));
    games.truncate(GAMES_SHOWN);
    games
}

fn page(
    outcome: &TournamentOutcome,
    standings: &Standings,
    names: &[&str],
    faults: &[[u32; 4]],
    records: &[Record],
) -> String {
    let order = standings.order();
    let mut body = format!(
        "<h1>The class tournament</h1>\n<p class=\"muted\">{} programs, {} games.</p>\n\
         <div class=\"drawing\"><table>\n<thead><tr><th scope=\"col\">Program</th>\
         <th scope=\"col\">Elo</th><th scope=\"col\">Won</th><th scope=\"col\">Drawn</th>\
         <th scope=\"col\">Lost</th>",
        names.len(),
        outcome.games()
    );
    for (_, words) in Fault::ALL {
        body += &format!("<th scope=\"col\">{}</th>", escape(words));
    }
    body += "</tr></thead>\n<tbody>\n";
    for (number, &place) in order.iter().enumerate() {
        let rating = &standings.ratings[place];
        body += &format!(
            "<tr><th scope=\"row\">{}. {}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
            number + 1,
            escape(&rating.player),
            escape(&rating.elo_text()),
            rating.wins,
            rating.draws,
            rating.losses
        );
        for count in faults[place] {
            body +=
                &format!("<td>{}</td>", if count == 0 { String::new() } else { count.to_string() });
        }
        body += "</tr>\n";
    }
    body += "</tbody>\n</table></div>\n<h2>Who beat whom</h2>\n<p class=\"muted\">Points in per \
             cent of the program in the row against the one in the column.</p>\n\
             <div class=\"drawing\"><table>\n<thead><tr><td></td>";
    for number in 1..=order.len() {
        body += &format!("<th scope=\"col\">{number}</th>");
    }
    body += "</tr></thead>\n<tbody>\n";
    for (number, &place) in order.iter().enumerate() {
        let name = escape(&standings.ratings[place].player);
        body += &format!("<tr><th scope=\"row\">{}. {name}</th>", number + 1);
        for &other in &order {
            let score = outcome.score(place, other);
            let score = score.map_or("·".to_owned(), |score| format!("{:.0}", 100.0 * score));
            body += &format!("<td>{score}</td>");
        }
        body += "</tr>\n";
    }
    body += "</tbody>\n</table></div>\n";
    let games = best_games(records, standings);
    if !games.is_empty() {
        body += "<h2>Games to look at</h2>\n";
    }
    for record in games {
        body += &shown_game(record);
    }
    report::document("The class tournament", &body)
}

/// A game: who played, the board at its end, and the moves.
fn shown_game(record: &Record) -> String {
    let name = |seat: &Option<String>| escape(seat.as_deref().unwrap_or("somebody"));
    let Ok(position) = Position::from_moves(record.game, &record.moves) else {
        return String::new();
    };
    let labels: Vec<String> = record.moves.iter().map(|mv| mv.label(&record.game)).collect();
    let winner = match record.result {
        Some(Winner::First) => name(&record.first),
        Some(Winner::Second) => name(&record.second),
        _ => "nobody".to_owned(),
    };
    let svg = board_svg::draw(&position, record.moves.last().copied(), "The end of the game");
    format!(
        "<section>\n<h3>{} (red) against {} (yellow)</h3>\n<p>{winner} wins with disc {}.</p>\n\
         <div class=\"drawing\" style=\"max-width:22rem\">{svg}</div>\n\
         <p class=\"muted\">{}</p>\n</section>\n",
        name(&record.first),
        name(&record.second),
        record.moves.len(),
        labels.join(" ")
    )
}

//! `fourfold tournament --class`: students' programs against each other.
//!
//! Programs are found and started as `fourfold check` does, within its limits. Those that speak the
//! engine protocol are asked in it, all others for the best move of a position, in the grader's
//! lines. What a program does wrong loses it the game, and is counted.

use super::super::check::program::{Limits, Runner};
use super::super::check::submission::{self, Found, Ready};
use super::{Args, play_with_progress};
use crate::arguments::{mebibytes, milliseconds, whole};
use crate::engine_client::History;
use crate::failure::Failure;
use crate::input::threads_or_all;
use crate::interrupt;
use crate::output::{note, stdout, table};
use fourfold::budget::Budget;
use fourfold::game::notation::parse_move;
use fourfold::game::{Move, Position, Rules, Shape};
use fourfold::play::{Choice, Player, PlayerError, PlayerFactory, PlayerSpec, Record, Winner};
use fourfold_app::draw::board_svg;
use fourfold_lab::files::write_whole;
use fourfold_lab::svg::escape;
use fourfold_lab::tournament::TournamentOutcome;
use fourfold_teach::suite::board_of;
use fourfold_teach::{Algorithm, Input, Problem, Program, Reply, report};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The class, and what its programs may use.
#[derive(Debug, clap::Args)]
pub(super) struct ClassArgs {
    /// Let the programs of this folder play each other, found as by 'fourfold check'
    #[arg(long, value_name = "DIR", conflicts_with_all = ["players", "sprt", "anchor"])]
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
    /// Whether it is asked in the engine protocol.
    is_engine: bool,
    limits: Limits,
    depth: u32,
    stop: Arc<AtomicBool>,
    failures: Arc<Mutex<Failures>>,
}

/// Games in a row in which a program failed, and how it did in the last.
#[derive(Debug, Default)]
struct Failures {
    in_a_row: u32,
    last: String,
}

impl PlayerFactory for Submission {
    fn name(&self) -> &str {
        &self.name
    }

    fn player(
        &self,
        rules: &Rules,
        _: u64,
        _: &Budget,
    ) -> Result<Box<dyn Player + Send>, PlayerError> {
        let weights = weights(rules);
        let given_up = self.failures.lock().ok().filter(|seen| seen.in_a_row >= MOST_FAILURES);
        let given_up = given_up.map(|seen| seen.last.clone());
        let runner = |ready: &Arc<Ready>| {
            let stop = Arc::clone(&self.stop);
            Box::new(Runner::new(Arc::clone(ready), self.limits, stop))
        };
        let asked = match &self.ready {
            Err(why) => Asked::Nobody(why.clone()),
            _ if given_up.is_some() => Asked::Nobody(given_up.unwrap_or_default()),
            Ok(ready) if self.is_engine => Asked::Engine(runner(ready), History::new(*rules)),
            Ok(ready) => Asked::Lines(runner(ready)),
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
    Engine(Box<Runner>, History),
    Nobody(String),
}

/// A submission at the board.
struct Seated {
    asked: Asked,
    weights: Vec<i64>,
    depth: u32,
    failures: Arc<Mutex<Failures>>,
    stop: Arc<AtomicBool>,
    algorithm: Algorithm,
}

impl Player for Seated {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let choice = self.ask(position);
        if self.stop.load(Ordering::Relaxed) {
            return Err(PlayerError::Left { reason: "the game was stopped".to_owned() });
        }
        if let Ok(mut failures) = self.failures.lock() {
            match &choice {
                Ok(_) => failures.in_a_row = 0,
                Err(why) => {
                    failures.in_a_row += 1;
                    failures.last = match why {
                        PlayerError::Forfeit { reason } => reason.clone(),
                        other => other.to_string(),
                    };
                }
            }
        }
        choice
    }
}

impl Seated {
    fn ask(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let forfeit = |reason: String| Err(PlayerError::Forfeit { reason });
        let runner = match &mut self.asked {
            Asked::Engine(runner, history) => {
                let line = history.line_to(position);
                let line = line.map_err(|reason| PlayerError::Left { reason })?;
                return match runner.best_move(position.rules(), &line, self.depth) {
                    Reply::Answer((word, _)) => match parse_move(position, &word) {
                        Ok(mv) => Ok(Choice::unthinking(mv)),
                        Err(why) => forfeit(format!("illegal move: {why}")),
                    },
                    Reply::Unsupported => forfeit("it does not play positions".to_owned()),
                    Reply::Trouble(why) | Reply::Over(why) => forfeit(why),
                };
            }
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

impl Submission {
    fn new(found: &Found, args: &ClassArgs, stop: &Arc<AtomicBool>) -> Self {
        let limits = Limits {
            answer: Duration::from_millis(args.time),
            total: GAME_TIME,
            kibibytes: u64::from(args.memory) << 10,
        };
        Self {
            name: found.name.clone(),
            ready: found.ready(limits.total, stop).map(Arc::new),
            is_engine: found.is_engine(),
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
    let tournament = tournament.forgiving().with_conditions(conditions(&found, &args.class));
    let mut records = Vec::new();
    let outcome = play_with_progress(&tournament, threads, &budget, args, |record| {
        records.push(record.clone());
    })?;
    let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
    let results = results(&names, &records);
    let mut out = stdout();
    if args.json {
        for row in &results {
            writeln!(out, "{}", row.json())?;
        }
    } else if args.csv {
        write!(out, "{}", csv(&results))?;
    } else {
        let games = records.len();
        writeln!(
            out,
            "{rules}, {} programs, {games} games, {openings}, depth {}, seed {}\n",
            names.len(),
            args.class.depth,
            tournament.seed
        )?;
        write!(out, "{}\n{}", standings_table(&results), cross_table(&results, &outcome))?;
    }
    out.flush()?;
    if let Some(path) = &args.html {
        let html = page(&outcome, &results, &records);
        write_whole(path, html.as_bytes())?;
    }
    super::completed(&outcome, args)
}

/// What decides the games besides the names of the programs: their files, and how they are asked.
/// Games that were kept of programs that have changed since are none of this tournament.
fn conditions(found: &[Found], args: &ClassArgs) -> String {
    let setting = format!("depth {}, time {}, memory {}", args.depth, args.time, args.memory);
    let programs = found.iter().map(|found| found.fingerprint("").unwrap_or_default());
    format!("{setting}; {}", programs.collect::<Vec<String>>().join(" "))
}

/// Who gave a game up.
fn loser(record: &Record) -> Option<&str> {
    [&record.first, &record.second][record.moves.len() % 2].as_deref()
}

/// How a program did.
#[derive(Debug, Clone)]
struct ClassResult<'a> {
    name: &'a str,
    /// Its place among the players.
    place: usize,
    elo: f64,
    won: u32,
    drawn: u32,
    lost: u32,
    /// Games lost by each of [`Fault::ALL`].
    faults: [u32; 4],
}

impl ClassResult<'_> {
    fn points(&self) -> f64 {
        f64::from(self.won) + f64::from(self.drawn) / 2.0
    }

    fn json(&self) -> Value {
        let faults: serde_json::Map<String, Value> = Fault::ALL
            .iter()
            .zip(self.faults)
            .map(|((_, words), count)| ((*words).to_owned(), count.into()))
            .collect();
        json!({
            "program": self.name, "elo": self.elo.round() as i64, "won": self.won,
            "drawn": self.drawn, "lost": self.lost, "lost_by": faults,
        })
    }
}

/// How everybody did, the best first.
fn results<'a>(names: &[&'a str], records: &[Record]) -> Vec<ClassResult<'a>> {
    let mut all: Vec<ClassResult<'a>> = names
        .iter()
        .enumerate()
        .map(|(place, &name)| ClassResult {
            name,
            place,
            elo: 0.0,
            won: 0,
            drawn: 0,
            lost: 0,
            faults: [0; 4],
        })
        .collect();
    let mut games = Vec::new();
    for record in records {
        let at =
            |seat: &Option<String>| names.iter().position(|name| Some(*name) == seat.as_deref());
        let (Some(first), Some(second)) = (at(&record.first), at(&record.second)) else { continue };
        let share = match record.result {
            Some(Winner::First) => 1.0,
            Some(Winner::Second) => 0.0,
            _ => 0.5,
        };
        games.push((first, second, share));
        for (place, own) in [(first, share), (second, 1.0 - share)] {
            let result = &mut all[place];
            result.won += u32::from(own == 1.0);
            result.drawn += u32::from(own == 0.5);
            result.lost += u32::from(own == 0.0);
        }
        if let (Some(reason), Some(loser)) = (&record.forfeit, loser(record)) {
            let kind = Fault::ALL.iter().position(|(fault, _)| *fault == Fault::of(reason));
            let place = names.iter().position(|name| *name == loser);
            if let (Some(place), Some(kind)) = (place, kind) {
                all[place].faults[kind] += 1;
            }
        }
    }
    for (result, elo) in all.iter_mut().zip(elo(names.len(), &games)) {
        result.elo = elo;
    }
    all.sort_by(|one, two| two.elo.total_cmp(&one.elo).then_with(|| one.name.cmp(two.name)));
    all
}

/// Rounds of the fit: more change nothing that is shown.
const ROUNDS: usize = 2000;

/// Elo ratings of the Bradley-Terry model with mean 0. Everybody also drew a game with an average
/// player, so that those who won or lost everything have a rating too.
fn elo(players: usize, games: &[(usize, usize, f64)]) -> Vec<f64> {
    let mut strength = vec![1.0_f64; players];
    for _ in 0..ROUNDS {
        // Points, and what they are divided by (Hunter 2004).
        let mut points = vec![0.5; players];
        let mut met: Vec<f64> = strength.iter().map(|own| 1.0 / (own + 1.0)).collect();
        for &(first, second, share) in games {
            points[first] += share;
            points[second] += 1.0 - share;
            let both = 1.0 / (strength[first] + strength[second]);
            met[first] += both;
            met[second] += both;
        }
        for place in 0..players {
            strength[place] = points[place] / met[place];
        }
    }
    let elo: Vec<f64> = strength.iter().map(|own| 400.0 * own.log10()).collect();
    let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
    elo.iter().map(|own| own - mean).collect()
}

fn head() -> Vec<String> {
    let mut head = ["program", "Elo", "points", "won", "drawn", "lost"].map(str::to_owned).to_vec();
    head.extend(Fault::ALL.map(|(_, words)| words.to_owned()));
    head
}

fn cells(result: &ClassResult<'_>) -> Vec<String> {
    let mut row = vec![
        format!("{:+.0}", result.elo),
        result.points().to_string(),
        result.won.to_string(),
        result.drawn.to_string(),
        result.lost.to_string(),
    ];
    row.extend(result.faults.map(|count| count.to_string()));
    row
}

fn standings_table(results: &[ClassResult<'_>]) -> String {
    let mut rows = vec![head()];
    for (index, result) in results.iter().enumerate() {
        let mut row = vec![format!("{}. {}", index + 1, result.name)];
        row.extend(cells(result));
        rows.push(row);
    }
    table(&rows)
}

fn csv(results: &[ClassResult<'_>]) -> String {
    let mut out = head().join(",") + "\n";
    for result in results {
        let name = result.name.replace('"', "\"\"");
        out += &format!("\"{name}\",{}\n", cells(result).join(","));
    }
    out
}

fn cross_table(results: &[ClassResult<'_>], outcome: &TournamentOutcome) -> String {
    let mut head = vec!["points in %".to_owned()];
    head.extend((1..=results.len()).map(|number| number.to_string()));
    let mut rows = vec![head];
    for (index, result) in results.iter().enumerate() {
        let mut row = vec![format!("{}. {}", index + 1, result.name)];
        row.extend(results.iter().map(|other| score(outcome, result, other)));
        rows.push(row);
    }
    table(&rows)
}

fn score(outcome: &TournamentOutcome, one: &ClassResult<'_>, two: &ClassResult<'_>) -> String {
    let score = outcome.score(one.place, two.place);
    score.map_or("·".to_owned(), |score| format!("{:.0}", 100.0 * score))
}

/// The games to show: won on the board, between the strongest, the longest first.
fn best_games<'a>(records: &'a [Record], results: &[ClassResult<'_>]) -> Vec<&'a Record> {
    let place = |seat: &Option<String>| {
        let found = results.iter().position(|result| Some(result.name) == seat.as_deref());
        found.unwrap_or(results.len())
    };
    let mut games: Vec<&Record> = records
        .iter()
        .filter(|record| record.forfeit.is_none())
        .filter(|record| matches!(record.result, Some(Winner::First | Winner::Second)))
        .collect();
    games.sort_by_key(|record| {
        let (first, second) = (place(&record.first), place(&record.second));
        (first.max(second), first.min(second), std::cmp::Reverse(record.moves.len()))
    });
    games.truncate(GAMES_SHOWN);
    games
}

fn page(outcome: &TournamentOutcome, results: &[ClassResult<'_>], records: &[Record]) -> String {
    let mut body = format!(
        "<h1>The class tournament</h1>\n<p class=\"muted\">{} programs, {} games.</p>\n\
         <div class=\"drawing\"><table>\n<thead><tr>",
        results.len(),
        records.len()
    );
    for words in head() {
        body += &format!("<th scope=\"col\">{}</th>", escape(&words));
    }
    body += "</tr></thead>\n<tbody>\n";
    for (index, result) in results.iter().enumerate() {
        let name = escape(result.name);
        body += &format!("<tr><th scope=\"row\">{}. {name}</th>", index + 1);
        for cell in cells(result) {
            body += &format!("<td>{cell}</td>");
        }
        body += "</tr>\n";
    }
    body += "</tbody>\n</table></div>\n<h2>Who beat whom</h2>\n<p class=\"muted\">Points of the \
             program in the row against the one in the column, in per cent.</p>\n\
             <div class=\"drawing\"><table>\n<thead><tr><td></td>";
    for number in 1..=results.len() {
        body += &format!("<th scope=\"col\">{number}</th>");
    }
    body += "</tr></thead>\n<tbody>\n";
    for (index, result) in results.iter().enumerate() {
        let name = escape(result.name);
        body += &format!("<tr><th scope=\"row\">{}. {name}</th>", index + 1);
        for other in results {
            body += &format!("<td>{}</td>", score(outcome, result, other));
        }
        body += "</tr>\n";
    }
    body += "</tbody>\n</table></div>\n";
    let games = best_games(records, results);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_follow_points_and_lie_where_the_model_says() {
        // 0 beats everybody, 1 and 2 share their games, 3 loses everything.
        let mut games = Vec::new();
        for (first, second, share) in
            [(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0), (1, 2, 0.5), (1, 3, 1.0), (2, 3, 1.0)]
        {
            games.extend([(first, second, share), (second, first, 1.0 - share)]);
        }
        let found = elo(4, &games);
        assert!(found[0] > found[1] + 100.0 && found[2] > found[3] + 100.0, "{found:?}");
        assert!((found[1] - found[2]).abs() < 1e-6 && found.iter().all(|own| own.is_finite()));
        assert!(found.iter().sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn cells_count_as_many_lines_as_go_through_them() {
        let rules = Rules::CONNECT_FOUR;
        let found = weights(&rules);
        // 69 lines of four cells.
        assert_eq!(found.iter().sum::<i64>(), 4 * 69);
        assert_eq!(&found[35..], [3, 4, 5, 7, 5, 4, 3]);
    }

    #[test]
    fn answers_are_columns_or_cells_from_the_top() {
        let board = Position::new(Rules::CONNECT_FOUR);
        assert_eq!(legal(&board, 3).map(|mv| mv.label(board.rules())).as_deref(), Some("4"));
        assert_eq!((legal(&board, 7), legal(&board, -1)), (None, None));
        let cells = Position::new(Rules::TIC_TAC_TOE);
        assert_eq!(legal(&cells, 1).map(|mv| mv.label(cells.rules())).as_deref(), Some("b3"));
    }
}

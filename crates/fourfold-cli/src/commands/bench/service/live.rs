//! Live games under load: many games with a move a second each, many watchers, and in the end a
//! kill -9 in the middle, after which no accepted move may be missing.

use super::client::{Client, EventReader};
use super::{PartReport, ServerProcess};
use crate::failure::Failure;
use crate::output::note;
use fourfold::game::notation::moves_text;
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The most moves of a game here: the cells of its board.
pub(super) const MOST_SECONDS: u64 = 40;

/// A game, and when each of its moves was sent.
struct Table {
    path: String,
    tokens: [String; 2],
    moves: Vec<char>,
    /// Nanoseconds after the start; 0 if it was not.
    sent: Vec<AtomicU64>,
    /// Moves that the server has accepted.
    accepted: AtomicUsize,
}

/// What was measured.
#[derive(Default)]
struct Heard {
    /// From sending a move to its answer.
    answers: Vec<Duration>,
    /// From sending a move to its event, for each player and watcher.
    events: Vec<Duration>,
}

type SharedHeard = Arc<Mutex<Heard>>;

/// A file for the games, removed at the end.
struct GamesFile(PathBuf);

impl GamesFile {
    fn new() -> Self {
        let name = format!("fourfold-bench-{}.games", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for GamesFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Plays `games` games for so many seconds before `watchers` watchers, kills the server, and looks
/// what it has kept.
pub(super) async fn measure(
    games: u32,
    watchers: u32,
    seconds: u64,
    random: &mut Random,
) -> Result<Vec<PartReport>, Failure> {
    let file = GamesFile::new();
    let _ = std::fs::remove_file(&file.0);
    let path = file.0.to_str().ok_or_else(|| Failure::runtime("no place for a file"))?;
    let args = ["--games", path];
    let mut server = ServerProcess::start(&args)?;
    let mut tables = Vec::new();
    for _ in 0..games {
        let moves = long_game(random);
        let table = make(&server.address, moves).await;
        tables.push(Arc::new(table.ok_or_else(|| Failure::runtime("a game was not made"))?));
    }
    note(format_args!("live: {games} games, {watchers} watchers, {seconds} s"));
    let began = Instant::now();
    let heard = SharedHeard::default();
    let mut streams = JoinSet::new();
    for index in 0..watchers as usize {
        let table = &tables[index % tables.len()];
        streams.spawn(follow(
            server.address.clone(),
            Arc::clone(table),
            None,
            began,
            heard.clone(),
        ));
    }
    for table in &tables {
        for seat in 0..2 {
            let (address, heard) = (server.address.clone(), heard.clone());
            streams.spawn(follow(address, Arc::clone(table), Some(seat), began, heard));
        }
    }
    // Everybody has the first state.
    sleep(Duration::from_secs(2)).await;
    let mut players = JoinSet::new();
    for (index, table) in tables.iter().enumerate() {
        // Not all at once.
        let first = Duration::from_secs(1) * index as u32 / games;
        let (address, heard) = (server.address.clone(), heard.clone());
        players.spawn(play(address, Arc::clone(table), first, began, heard));
    }
    sleep(Duration::from_secs(seconds)).await;
    let memory = server.memory();
    let elapsed = Duration::from_secs(seconds);
    let expected = expected_events(&tables, watchers);
    // In the middle of it.
    server.kill();
    players.shutdown().await;
    streams.shutdown().await;
    let heard = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
    let server = ServerProcess::start(&args)?;
    let kept = kept_moves(&server.address, &tables).await;
    let accepted: usize = tables.iter().map(|table| table.accepted.load(Ordering::SeqCst)).sum();
    let found = kept.iter().sum::<usize>();
    note(format_args!("killed: {accepted} moves were accepted, {found} of them are kept"));
    let parts = [("live moves", heard.answers, 0), ("live events", heard.events, expected)];
    let mut reports: Vec<PartReport> = parts
        .into_iter()
        .map(|(name, times, expected)| {
            let lost = expected.saturating_sub(times.len() as u64);
            PartReport { lost, ..PartReport::of_times(name, times, elapsed, memory) }
        })
        .collect();
    let lost = (accepted - found) as u64;
    reports.push(PartReport {
        part: "kept after kill -9",
        answered: found as u64,
        lost,
        memory_mib: server.memory(),
        ..PartReport::default()
    });
    Ok(reports)
}

/// Events that should have come of the moves that were accepted a while ago.
fn expected_events(tables: &[Arc<Table>], watchers: u32) -> u64 {
    let each = |index: usize| {
        let watching = watchers as usize / tables.len()
            + usize::from(index < watchers as usize % tables.len());
        // Those of the last move may still be on their way.
        let moves = tables[index].accepted.load(Ordering::SeqCst).saturating_sub(1);
        (moves * (watching + 2)) as u64
    };
    (0..tables.len()).map(each).sum()
}

/// A game of Connect Four in which nobody wins.
fn long_game(random: &mut Random) -> Vec<char> {
    let rules = Rules::CONNECT_FOUR;
    loop {
        let mut position = Position::new(rules);
        let mut moves = Vec::new();
        loop {
            let wins = position.winning_moves();
            let legal = position.legal_moves();
            let quiet: Vec<_> = legal.into_iter().filter(|mv| !wins.contains(mv)).collect();
            let Some(&mv) = random.pick(&quiet) else { break };
            position = position.play_unchecked(mv);
            moves.push(mv);
        }
        if moves.len() as u64 > MOST_SECONDS {
            return moves_text(&rules, &moves).chars().collect();
        }
    }
}

/// Makes a game and takes both seats.
async fn make(address: &str, moves: Vec<char>) -> Option<Table> {
    let mut client = Client::new(address.to_owned());
    let read = |(status, body): (u16, Vec<u8>)| {
        (status == 200).then(|| serde_json::from_slice::<Value>(&body).ok()).flatten()
    };
    let made = read(client.post("/api/v1/games", None, "{}").await?)?;
    let path = format!("/api/v1/games/{}", made["id"].as_str()?);
    let invitation = made["invitation"].as_str();
    let joined = read(client.post(&format!("{path}/join"), invitation, "{}").await?)?;
    let token = |json: &Value| json["token"].as_str().map(str::to_owned);
    let sent = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let tokens = [token(&made)?, token(&joined)?];
    Some(Table { path, tokens, moves, sent, accepted: AtomicUsize::new(0) })
}

/// Makes a move a second until the game or the server ends.
async fn play(
    address: String,
    table: Arc<Table>,
    first: Duration,
    began: Instant,
    heard: SharedHeard,
) {
    let mut clients = [Client::new(address.clone()), Client::new(address)];
    let mut next = tokio::time::Instant::now() + first;
    let path = format!("{}/moves", table.path);
    for (ply, column) in table.moves.iter().enumerate() {
        tokio::time::sleep_until(next).await;
        next += Duration::from_secs(1);
        let body = json!({ "ply": ply, "move": column.to_string() }).to_string();
        let sent = Instant::now();
        table.sent[ply].store((sent - began).as_nanos() as u64, Ordering::SeqCst);
        let answer = clients[ply % 2].post(&path, Some(&table.tokens[ply % 2]), &body).await;
        if answer.is_none_or(|(status, _)| status != 200) {
            return;
        }
        table.accepted.store(ply + 1, Ordering::SeqCst);
        heard.lock().unwrap_or_else(PoisonError::into_inner).answers.push(sent.elapsed());
    }
}

/// Follows a game from a seat or as a watcher, and notes how old each move is when it comes.
async fn follow(
    address: String,
    table: Arc<Table>,
    seat: Option<usize>,
    began: Instant,
    heard: SharedHeard,
) {
    let token = seat.map(|seat| table.tokens[seat].as_str());
    let path = format!("{}/events", table.path);
    let Some(mut events) = EventReader::open(&address, &path, token).await else { return };
    while let Some(state) = events.next("state").await {
        let now = began.elapsed();
        let ply = state.split("\"ply\":").nth(1).and_then(|rest| {
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()
        });
        let sent = ply.and_then(|ply| table.sent.get(ply.checked_sub(1)?));
        if let Some(sent) = sent.map(|sent| sent.load(Ordering::SeqCst)).filter(|&sent| sent > 0) {
            let age = now.saturating_sub(Duration::from_nanos(sent));
            heard.lock().unwrap_or_else(PoisonError::into_inner).events.push(age);
        }
    }
}

/// How many of the accepted moves of each game a server knows.
async fn kept_moves(address: &str, tables: &[Arc<Table>]) -> Vec<usize> {
    let mut client = Client::new(address.to_owned());
    let mut kept = Vec::new();
    for table in tables {
        let request = format!("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", table.path);
        let answer = client.ask(&request).await;
        let state = answer.and_then(|(_, body)| serde_json::from_slice::<Value>(&body).ok());
        let moves = state.and_then(|state| Some(state["board"]["moves"].as_str()?.to_owned()));
        let same = moves.unwrap_or_default();
        let same = same.chars().zip(&table.moves).take_while(|(one, other)| one == *other).count();
        kept.push(same.min(table.accepted.load(Ordering::SeqCst)));
    }
    kept
}

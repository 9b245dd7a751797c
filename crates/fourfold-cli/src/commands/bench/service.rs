//! `fourfold bench service`: starts a server and puts load on it: book answers, moves, exact
//! results, a flood, live games.

mod client;
mod live;

use crate::arguments::{at_least, whole};
use crate::failure::Failure;
use crate::output::{grouped, note, stdout, table, time};
use client::{Client, Timed};
use fourfold::game::notation::moves_text;
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const HELP: &str = "\
Starts 'fourfold serve' on a free port and asks it over loopback, in turn:

  book    positions of the opening book, as fast as they are answered
  moves   the move of 'lookahead:3', one request after another: what a person
          waits for
  exact   the result of every column just after the book (plies 9 to 20), one
          request after another, within the app's limits
  flood   hard positions on all connections at once, while another connection
          asks for the health check
  live    games between people with a move a second each, followed by their
          players and by watchers: from sending a move to its answer, and to
          its event at everybody who follows. Then the server is killed in the
          middle (kill -9) and started again with the same file: lost are
          moves that it had accepted and does not know any more

Requests that the server refuses with 503 and Retry-After count as refused,
not as lost: lost is a request that was accepted and never answered. Server
and clients share this machine's processors.

Examples:
  fourfold bench service
  fourfold bench service --connections 1000 --seconds 10
  fourfold bench service --live --games 100 --watchers 1000 --seconds 30";

/// Start a server, put load on it, and measure throughput, latency and memory
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Connections of the flood
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = whole(1..=2000u32))]
    connections: u32,

    /// Games between people
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = whole(1..=500u32))]
    games: u32,

    /// Those who watch them
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = whole(0..=1000u32))]
    watchers: u32,

    /// Measure only the games between people
    #[arg(long)]
    live: bool,

    /// How long to ask for book answers, and how long the flood and the games between people last
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = whole(1..=600u64))]
    seconds: u64,

    /// How many positions to solve just after the book
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = at_least(1u32))]
    positions: u32,

    /// Random seed of the positions
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Print one JSON object per part
    #[arg(long)]
    json: bool,
}

/// Connections of the part `book`.
const READERS: u32 = 32;
/// Search budget of a request of the flood, in milliseconds.
const FLOOD_BUDGET: u32 = 1000;
/// Requests of the part `moves`.
const MOVES: u32 = 200;

/// The measurements of one part.
#[derive(Debug, Default, Serialize)]
struct PartReport {
    part: &'static str,
    answered: u64,
    refused: u64,
    lost: u64,
    /// Answers per second.
    rate: u64,
    /// Latency of the answers, in milliseconds.
    median_ms: f64,
    p95_ms: f64,
    p99_ms: f64,
    worst_ms: f64,
    /// Peak memory of the server so far, in MiB; none where the system does not report it.
    memory_mib: Option<u64>,
}

impl PartReport {
    fn of(
        part: &'static str,
        replies: &[Timed],
        elapsed: Duration,
        server: &ServerProcess,
    ) -> Self {
        let times =
            replies.iter().filter(|reply| reply.status == 200).map(|reply| reply.took).collect();
        let count =
            |status: u16| replies.iter().filter(|reply| reply.status == status).count() as u64;
        Self {
            refused: count(503),
            lost: replies.len() as u64 - count(200) - count(503),
            ..Self::of_times(part, times, elapsed, server.memory())
        }
    }

    /// Of answers that took so long.
    fn of_times(
        part: &'static str,
        mut times: Vec<Duration>,
        elapsed: Duration,
        memory_mib: Option<u64>,
    ) -> Self {
        times.sort_unstable();
        let share = |share: f64| {
            let index = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
            times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        Self {
            part,
            answered: times.len() as u64,
            refused: 0,
            lost: 0,
            rate: (times.len() as f64 / elapsed.as_secs_f64()) as u64,
            median_ms: share(0.5),
            p95_ms: share(0.95),
            p99_ms: share(0.99),
            worst_ms: share(1.0),
            memory_mib,
        }
    }

    fn row(&self) -> Vec<String> {
        let shown = |ms: f64| match ms {
            0.0 => "-".to_owned(),
            ms => time(Duration::from_secs_f64(ms / 1000.0)),
        };
        vec![
            self.part.to_owned(),
            grouped(self.answered),
            grouped(self.refused),
            grouped(self.lost),
            grouped(self.rate),
            shown(self.median_ms),
            shown(self.p95_ms),
            shown(self.p99_ms),
            shown(self.worst_ms),
            self.memory_mib.map_or_else(|| "-".to_owned(), grouped),
        ]
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()
        .map_err(|why| Failure::runtime(format!("cannot start: {why}")))?;
    let mut parts = Vec::new();
    if !args.live {
        let server = ServerProcess::start(&[])?;
        parts = runtime.block_on(measure(args, &server));
    }
    let seconds = args.seconds.min(live::MOST_SECONDS);
    let random = &mut Random::new(args.seed);
    parts.extend(runtime.block_on(live::measure(args.games, args.watchers, seconds, random))?);
    let mut out = stdout();
    if args.json {
        for part in &parts {
            writeln!(out, "{}", serde_json::to_string(part).map_err(Failure::runtime)?)?;
        }
    } else {
        let head = [
            "part",
            "answered",
            "refused",
            "lost",
            "answers/s",
            "median",
            "95 %",
            "99 %",
            "worst",
            "MiB",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(parts.iter().map(PartReport::row));
        write!(out, "{}", table(&rows))?;
    }
    out.flush()?;
    Ok(())
}

async fn measure(args: &Args, server: &ServerProcess) -> Vec<PartReport> {
    let random = &mut Random::new(args.seed);
    let seconds = Duration::from_secs(args.seconds);
    let mut parts = Vec::new();
    let add = |parts: &mut Vec<PartReport>, name, (replies, elapsed): (Vec<Timed>, Duration)| {
        note(format_args!("{name}: {} requests", grouped(replies.len() as u64)));
        parts.push(PartReport::of(name, &replies, elapsed, server));
    };

    let book: Vec<String> = (0..2000)
        .map(|_| format!("/api/v1/solve?line=false&moves={}", some_moves(random, 0, 7)))
        .collect();
    add(&mut parts, "book", many_clients(server, READERS, &book, seconds).await);
    let moves: Vec<String> = (0..MOVES)
        .map(|seed| {
            format!(
                "/api/v1/move?player=lookahead:3&seed={seed}&moves={}",
                some_moves(random, 0, 20)
            )
        })
        .collect();
    add(&mut parts, "moves", one_client(server, &moves).await);
    let exact: Vec<String> = (0..args.positions)
        .map(|_| format!("/api/v1/solve?line=false&time=8000&moves={}", some_moves(random, 9, 20)))
        .collect();
    add(&mut parts, "exact", one_client(server, &exact).await);

    let hard: Vec<String> = (0..100)
        .map(|_| {
            format!(
                "/api/v1/solve?game=9x7c4&time={FLOOD_BUDGET}&moves={}",
                some_moves(random, 2, 6)
            )
        })
        .collect();
    let health = health_checks(server, seconds);
    let (flood, health) =
        tokio::join!(many_clients(server, args.connections, &hard, seconds), health);
    add(&mut parts, "flood", flood);
    add(&mut parts, "health in the flood", health);
    parts
}

/// Random moves from the empty board that do not end the game; `fewest` to `most` of them.
fn some_moves(random: &mut Random, fewest: usize, most: usize) -> String {
    let rules = Rules::CONNECT_FOUR;
    let plies = fewest + random.below(most - fewest + 1);
    loop {
        let mut position = Position::new(rules);
        let mut moves = Vec::new();
        while moves.len() < plies && !position.outcome().is_over() {
            let legal = position.legal_moves();
            // There is a legal move as long as the game goes on.
            let Some(&mv) = random.pick(&legal) else { break };
            position = position.play_unchecked(mv);
            moves.push(mv);
        }
        if !position.outcome().is_over() {
            return moves_text(&rules, &moves);
        }
    }
}

/// Many clients send requests until the time is up, then wait for their last answers.
async fn many_clients(
    server: &ServerProcess,
    clients: u32,
    paths: &[String],
    time: Duration,
) -> (Vec<Timed>, Duration) {
    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for client in 0..clients {
        let (address, paths) = (server.address.clone(), paths.to_vec());
        tasks.spawn(async move {
            let mut client_of = Client::new(address);
            let mut replies = Vec::new();
            for path in paths.iter().cycle().skip(client as usize % paths.len()) {
                if began.elapsed() >= time {
                    break;
                }
                let reply = client_of.get(path).await;
                let refused = reply.status == 503;
                replies.push(reply);
                if refused {
                    // As Retry-After says.
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
            replies
        });
    }
    let replies = tasks.join_all().await.concat();
    (replies, began.elapsed())
}

/// One client sends one request after another.
async fn one_client(server: &ServerProcess, paths: &[String]) -> (Vec<Timed>, Duration) {
    let began = Instant::now();
    let mut client = Client::new(server.address.clone());
    let mut replies = Vec::new();
    for path in paths {
        replies.push(client.get(path).await);
    }
    (replies, began.elapsed())
}

/// One client checks the health fifty times per second.
async fn health_checks(server: &ServerProcess, time: Duration) -> (Vec<Timed>, Duration) {
    let began = Instant::now();
    let mut client = Client::new(server.address.clone());
    let mut replies = Vec::new();
    while began.elapsed() < time {
        replies.push(client.get("/healthz").await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    (replies, began.elapsed())
}

/// The server under load, ended with the measurement.
struct ServerProcess {
    child: Child,
    address: String,
}

impl ServerProcess {
    fn start(args: &[&str]) -> Result<Self, Failure> {
        let cannot =
            |why: &dyn std::fmt::Display| Failure::runtime(format!("cannot start a server: {why}"));
        let program = std::env::current_exe().map_err(|why| cannot(&why))?;
        let mut child = Command::new(program)
            // All connections come from this machine.
            .args(["serve", "--port", "0", "--per-client", "0"])
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|why| cannot(&why))?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line).map_err(|why| cannot(&why))?;
        }
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        let server = Self { child, address };
        if server.address.is_empty() { Err(cannot(&"it ended at once")) } else { Ok(server) }
    }

    /// Ends it as kill -9 does.
    fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Its peak memory in MiB, where the system reports it.
    fn memory(&self) -> Option<u64> {
        let mut path = String::new();
        write!(path, "/proc/{}/status", self.child.id()).ok()?;
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kib| kib.div_ceil(1024))
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

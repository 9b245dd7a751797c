//! Players that are other programs: started, asked in the engine protocol, and ended.
//!
//! Every game has a [`Process`] of its own, which ends with the game. Whatever a program does wrong
//! (it ends, hangs, talks nonsense, moves where it cannot) loses it the game, with the reason.

use crate::engine::SearchInfo;
use crate::engine_client::{self, History};
use crate::process::{Patience, Process, Silence, Streams};
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::eval::net::{Net, NetWeights};
use fourfold::game::notation::parse_move;
use fourfold::game::{Position, Rules};
use fourfold::play::{
    Choice, ExternalSpec, Player, PlayerError, PlayerSpec, Seat, SpecError, Thinking,
};
use fourfold::score::Verdict;
use fourfold_lab::files::read_bytes;
use fourfold_lab::tune::WeightsFile;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Reads a player of a command line: there, other programs may be started, and weights and networks
/// may be files.
pub(crate) fn player(text: &str) -> Result<PlayerSpec, SpecError> {
    let (text, evaluator) = learned(text).map_err(|problem| SpecError::File { problem })?;
    let mut spec = text.parse::<PlayerSpec>()?;
    if let (Seat::Search(search), Some(evaluator)) = (&mut spec.seat, evaluator) {
        search.evaluator = Some(evaluator);
    }
    Ok(spec.hosted_by(seat))
}

/// The spec without `weights=FILE` and `eval=net:FILE`, and the evaluator that the file holds.
fn learned(text: &str) -> Result<(String, Option<Evaluator>), String> {
    let Some((name, arguments)) = text.split_once(':').filter(|(name, _)| *name != "external")
    else {
        return Ok((text.to_owned(), None));
    };
    let mut evaluator = None;
    let mut rest = Vec::new();
    for argument in arguments.split(',') {
        if let Some(path) = argument.strip_prefix("eval=net:") {
            evaluator = Some(Evaluator::OwnNet(read_net(Path::new(path))?));
        } else if let Some(path) = argument.strip_prefix("weights=").filter(|text| is_path(text)) {
            let file = WeightsFile::read(Path::new(path)).map_err(|why| why.to_string())?;
            evaluator = Some(file.evaluator);
        } else {
            rest.push(argument);
        }
    }
    let colon = if rest.is_empty() { "" } else { ":" };
    Ok((format!("{name}{colon}{}", rest.join(",")), evaluator))
}

/// The weights of the network in a file, or what is wrong with it.
pub(crate) fn read_net_weights(path: &Path) -> Result<NetWeights, String> {
    let bytes = read_bytes(path, MAX_NET_BYTES).map_err(|why| why.to_string())?;
    NetWeights::of_bytes(&bytes).map_err(|why| format!("{}: {why}", path.display()))
}

/// The same network, laid out for use.
pub(crate) fn read_net(path: &Path) -> Result<Arc<Net>, String> {
    let net = read_net_weights(path)?.net();
    net.map(Arc::new).map_err(|why| format!("{}: {why}", path.display()))
}

/// Numbers between slashes are weights; everything else that is not empty names a file.
fn is_path(text: &str) -> bool {
    let numbers = |sign: char| sign.is_ascii_digit() || sign == '/' || sign == '-';
    !text.is_empty() && !text.chars().all(numbers)
}

/// The largest network that is read.
const MAX_NET_BYTES: u64 = 64 << 20;

/// A player that forfeits this many games in a row is broken: more games would tell nothing.
pub(crate) const MOST_FORFEITS_IN_A_ROW: u32 = 3;

/// Seats another program: the library's [`fourfold::play::Host`].
pub(crate) fn seat(
    spec: &ExternalSpec,
    rules: &Rules,
    seed: u64,
    budget: &Budget,
) -> Result<Box<dyn Player + Send>, PlayerError> {
    let process = start(spec.words())?;
    Ok(Box::new(External {
        spec: spec.clone(),
        rules: *rules,
        seed,
        stop: budget.stop_flag().cloned(),
        process: Some(process),
        greeted: false,
        history: History::new(*rules),
        fault: None,
    }))
}

/// Starts a program that speaks the engine protocol.
fn start(words: &[String]) -> Result<Process, PlayerError> {
    let streams = Streams { folder: None, keeps_errors: false, farewell: Some("quit") };
    Process::start(words, streams).map_err(|reason| PlayerError::Left { reason })
}

/// Another program at the board.
struct External {
    spec: ExternalSpec,
    rules: Rules,
    seed: u64,
    stop: Option<Arc<AtomicBool>>,
    /// None once it has done something wrong.
    process: Option<Process>,
    greeted: bool,
    history: History,
    fault: Option<String>,
}

impl Player for External {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        if let Some(reason) = &self.fault {
            return Err(PlayerError::Forfeit { reason: reason.clone() });
        }
        let choice = self.ask(position);
        if let Err(PlayerError::Forfeit { reason }) = &choice {
            // It is not asked again, and need not wait for the end of the game to go.
            self.fault = Some(reason.clone());
            self.process = None;
        }
        choice
    }
}

impl External {
    fn ask(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let stop = self.stop.clone();
        let patience = |time: Duration| Patience { stop: stop.as_deref(), ..Patience::of(time) };
        let process = self.process.as_mut().ok_or_else(|| forfeit("it is gone"))?;
        if !self.greeted {
            let terms = patience(self.spec.patience_at_first());
            let told = engine_client::greet(process, &self.rules, self.seed, terms);
            if !told.map_err(lost)? && self.rules != Rules::CONNECT_FOUR {
                let rules = self.rules;
                return Err(forfeit(format!(
                    "it has no option Game, so it cannot be asked to play {rules}"
                )));
            }
            self.greeted = true;
        }
        let line = self.history.line_to(position);
        let line = line.map_err(|reason| PlayerError::Left { reason })?;
        let go = go_line(&self.spec);
        let terms = patience(self.spec.patience());
        let (best, info) = engine_client::best_move(process, &line, &go, terms).map_err(lost)?;
        let mv =
            parse_move(position, &best).map_err(|why| forfeit(format!("illegal move: {why}")))?;
        let thinking = (info != SearchInfo::default()).then(|| {
            let verdict = info.verdict.unwrap_or(Verdict::Estimate(0));
            Thinking::new(verdict, info.depth.unwrap_or(0), info.nodes.unwrap_or(0), 0)
        });
        Ok(Choice::unthinking(mv).with_thinking(thinking))
    }
}

fn go_line(spec: &ExternalSpec) -> String {
    let mut line = "go".to_owned();
    if let Some(depth) = spec.depth {
        line += &format!(" depth {depth}");
    }
    if let Some(nodes) = spec.nodes {
        line += &format!(" nodes {nodes}");
    }
    if let Some(time) = spec.time_to_ask() {
        line += &format!(" movetime {}", time.as_millis());
    }
    line
}

/// A program that does not answer loses the game, unless nobody waits for it any more.
fn lost(silence: Silence) -> PlayerError {
    match silence {
        Silence::Stopped => PlayerError::Left { reason: "the game was stopped".to_owned() },
        other => forfeit(other.to_string()),
    }
}

fn forfeit(reason: impl Into<String>) -> PlayerError {
    PlayerError::Forfeit { reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::player;
    use crate::process::is_any_running;
    use fourfold::game::Rules;

    #[cfg(unix)]
    #[test]
    fn a_seat_is_a_process_until_it_is_left() {
        let spec = player("external:cat").unwrap();
        let seated =
            spec.player(&Rules::CONNECT_FOUR, 1, &fourfold::budget::Budget::unlimited()).unwrap();
        assert!(is_any_running());
        drop(seated);
    }
}

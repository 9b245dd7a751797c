//! A student's program while it is asked: within limits, and started again when it has ended.

use super::submission::Ready;
use crate::engine::SearchInfo;
use crate::engine_client;
use crate::process::{Patience, Process, Silence, Streams};
use fourfold::game::Rules;
use fourfold_app::text::capital;
use fourfold_teach::player::{self, Played};
use fourfold_teach::{Answer, AnswerError, Input, Program, Reply};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a program may use.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Limits {
    /// Time for an answer.
    pub(in crate::commands) answer: Duration,
    /// Time in all.
    pub(in crate::commands) total: Duration,
    /// Resident memory, in KiB.
    pub(in crate::commands) kibibytes: u64,
}

/// The first answer may take this many times as long: some languages compile first.
const FIRST_ANSWER: u32 = 4;
/// Bytes that a program may write besides an answer.
const MOST_CHATTER: usize = 1 << 16;
/// Times that a program may break down, and those among them that cost the whole time of an
/// answer.
const MOST_FAILURES: u32 = 12;
const MOST_TIMEOUTS: u32 = 2;
/// Times that a program that has never answered may.
const MOST_FAILED_STARTS: u32 = 2;

/// Asks a program.
pub(in crate::commands) struct Runner {
    ready: Arc<Ready>,
    limits: Limits,
    stop: Arc<AtomicBool>,
    process: Option<Process>,
    began: Instant,
    next: u64,
    /// Whether the running process has answered, and whether any has.
    warm: bool,
    ever_answered: bool,
    failures: u32,
    timeouts: u32,
}

impl Runner {
    pub(in crate::commands) fn new(
        ready: Arc<Ready>,
        limits: Limits,
        stop: Arc<AtomicBool>,
    ) -> Self {
        Self {
            ready,
            limits,
            stop,
            process: None,
            began: Instant::now(),
            next: 0,
            warm: false,
            ever_answered: false,
            failures: 0,
            timeouts: 0,
        }
    }

    /// Asks once. `ask` is told whether the program has just been started.
    fn attempt<T>(
        &mut self,
        ask: impl FnOnce(&mut Process, bool, Patience<'_>) -> Result<T, Silence>,
    ) -> Reply<T> {
        let total = self.limits.total;
        let left = total.saturating_sub(self.began.elapsed());
        if left.is_zero() {
            return Reply::Over(format!("It used up its {} s.", total.as_secs()));
        }
        let is_new = self.process.is_none();
        let process = match self.process.take().map_or_else(|| self.start(), Ok) {
            Ok(process) => self.process.insert(process),
            Err(why) => return self.failed(&why, false),
        };
        self.warm &= !is_new;
        let answer = self.limits.answer * if self.warm { 1 } else { FIRST_ANSWER };
        let stop = Arc::clone(&self.stop);
        let patience = Patience {
            time: answer.min(left),
            kibibytes: Some(self.limits.kibibytes),
            chatter: Some(MOST_CHATTER),
            stop: Some(&stop),
        };
        match ask(process, is_new, patience) {
            Ok(answer) => {
                (self.warm, self.ever_answered) = (true, true);
                Reply::Answer(answer)
            }
            Err(silence) => {
                // It may have to be waited for as long the next time.
                let costly = !matches!(silence, Silence::Gone { .. } | Silence::LongLine);
                self.failed(&silence.to_string(), costly)
            }
        }
    }

    fn start(&self) -> Result<Process, String> {
        let folder = Some(self.ready.folder.as_path());
        Process::start(&self.ready.words, Streams { folder, keeps_errors: true, farewell: None })
    }

    /// Ends the program, which is started again for the next question unless there is no hope.
    fn failed<T>(&mut self, why: &str, costly: bool) -> Reply<T> {
        self.end();
        self.failures += 1;
        self.timeouts += u32::from(costly);
        let why = capital(why) + ".";
        let hopeless = !self.ever_answered && self.failures >= MOST_FAILED_STARTS;
        if hopeless || self.failures >= MOST_FAILURES || self.timeouts >= MOST_TIMEOUTS {
            Reply::Over(why)
        } else {
            Reply::Trouble(why)
        }
    }

    fn end(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }

    /// Asks for a move in the engine protocol: the word after `bestmove`, and what was reported of
    /// the search.
    pub(in crate::commands) fn best_move(
        &mut self,
        rules: &Rules,
        position_line: &str,
        depth: u32,
    ) -> Reply<(String, SearchInfo)> {
        let go = format!("go depth {depth}");
        self.attempt(|process, is_new, patience| {
            if is_new {
                engine_client::greet(process, rules, SEED, patience)?;
            }
            engine_client::best_move(process, position_line, &go, patience)
        })
    }
}

/// The random seed that players with such an option are given.
const SEED: u64 = 1;

impl Program for Runner {
    fn ask(&mut self, input: &Input) -> Reply {
        self.next += 1;
        let id = self.next;
        let line = input.line(id);
        let reply = self.attempt(|process, _, patience| {
            process.say(&line);
            process.hear("the question", patience, |line| {
                line.starts_with('{').then(|| Answer::read(line, id))
            })
        });
        match reply {
            Reply::Answer(Ok(answer)) => Reply::Answer(answer),
            Reply::Answer(Err(AnswerError::Unsupported)) => Reply::Unsupported,
            Reply::Answer(Err(AnswerError::OtherQuestion(other))) => {
                self.failed(&format!("it answered question {other} when it was asked {id}"), false)
            }
            Reply::Answer(Err(why)) => Reply::Trouble(format!("An answer cannot be read: {why}.")),
            Reply::Unsupported => Reply::Unsupported,
            Reply::Trouble(why) => Reply::Trouble(why),
            Reply::Over(why) => Reply::Over(why),
        }
    }
}

impl player::Engine for Runner {
    fn best_move(&mut self, question: &player::Question, afresh: bool) -> Reply<Played> {
        if afresh {
            self.end();
        }
        let rules = question.position().rules();
        let line = player::position_line(rules, question.moves());
        let reply = Self::best_move(self, rules, &line, question.depth());
        reply.map(|(word, info)| Played { word, verdict: info.verdict, depth: info.depth })
    }
}

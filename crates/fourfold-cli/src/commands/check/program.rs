//! A student's program while it is asked: within limits, and started again when it has ended.

use super::submission::Ready;
use crate::output::excerpt;
use crate::process::{Heard, LONGEST_LINE, Process, Streams, TICK, resident};
use fourfold_teach::{Answer, AnswerError, Input, Program, Reply};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
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
/// How often memory is looked at.
const MEMORY_TICK: Duration = Duration::from_millis(100);
/// Ticks for which a program that has ended is still listened to.
const MOST_TICKS_AFTER_END: u32 = 10;
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

/// Why there is no answer.
enum Silence {
    /// It must be started again.
    Gone(String),
    /// The same, and it has used up the time of an answer.
    Timeout(String),
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

    fn process(&mut self) -> Result<&mut Process, String> {
        if self.process.is_none() {
            let folder = Some(self.ready.folder.as_path());
            let streams = Streams { folder, keeps_errors: true, farewell: None };
            self.process = Some(Process::start(&self.ready.words, streams)?);
            self.warm = false;
        }
        self.process.as_mut().ok_or_else(|| "it is gone".to_owned())
    }

    /// Asks once.
    fn question(&mut self, input: &Input) -> Result<Result<Answer, AnswerError>, Silence> {
        self.next += 1;
        let (id, limits, stop) = (self.next, self.limits, Arc::clone(&self.stop));
        let line = input.line(id);
        let process = self.process().map_err(Silence::Gone)?;
        // That it is gone is noticed when no answer comes.
        let _ = process.say(&line);
        let patience = if self.warm { limits.answer } else { limits.answer * FIRST_ANSWER };
        let total = (self.began + limits.total).saturating_duration_since(Instant::now());
        let asked = Instant::now();
        let deadline = asked + patience.min(total);
        let (mut chatter, mut looked, mut ticks_after_end) = (0, asked, 0);
        let Some(process) = self.process.as_mut() else {
            return Err(Silence::Gone("it is gone".to_owned()));
        };
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Silence::Timeout("the grader was stopped".to_owned()));
            }
            let now = Instant::now();
            if now >= deadline {
                let seconds = (deadline - asked).as_secs_f64();
                return Err(Silence::Timeout(format!("It did not answer within {seconds:.1} s.")));
            }
            if now - looked >= MEMORY_TICK {
                looked = now;
                if resident(process.group()).is_some_and(|used| used > limits.kibibytes) {
                    let most = limits.kibibytes >> 10;
                    return Err(Silence::Timeout(format!("It used more than {most} MiB.")));
                }
            }
            match process.heard.recv_timeout((deadline - now).min(TICK)) {
                Ok(Heard::Line(line)) if line.starts_with('{') => {
                    return match Answer::read(&line, id) {
                        Err(AnswerError::OtherQuestion(other)) => Err(Silence::Gone(format!(
                            "It answered question {other} when it was asked question {id}."
                        ))),
                        answer => Ok(answer),
                    };
                }
                Ok(Heard::Line(line)) => {
                    chatter += line.len() + 1;
                    if chatter > MOST_CHATTER {
                        return Err(Silence::Timeout(format!(
                            "It writes without end, and no answer: {:?}",
                            excerpt(&line)
                        )));
                    }
                }
                Ok(Heard::TooLong) => {
                    return Err(Silence::Gone(format!(
                        "It wrote a line of more than {LONGEST_LINE} bytes."
                    )));
                }
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(Silence::Gone(ended(process)));
                }
                Err(RecvTimeoutError::Timeout) => {
                    // What it has started may keep its output open.
                    ticks_after_end += u32::from(process.has_ended());
                    if ticks_after_end > MOST_TICKS_AFTER_END {
                        return Err(Silence::Gone(ended(process)));
                    }
                }
            }
        }
    }
}

/// How a program ended by itself.
fn ended(process: &mut Process) -> String {
    let how = process.ending().map_or_else(
        || "It closed its output before it answered".to_owned(),
        |status| format!("It ended before it answered ({status})"),
    );
    match process.last_error() {
        Some(line) => {
            format!("{how}. The last thing it wrote to standard error: {}", excerpt(&line))
        }
        None => format!("{how}."),
    }
}

impl Program for Runner {
    fn ask(&mut self, input: &Input) -> Reply {
        if self.began.elapsed() >= self.limits.total {
            let seconds = self.limits.total.as_secs();
            return Reply::Over(format!("It used up its {seconds} s."));
        }
        let why = match self.question(input) {
            Ok(answer) => {
                (self.warm, self.ever_answered) = (true, true);
                return match answer {
                    Ok(answer) => Reply::Answer(answer),
                    Err(AnswerError::Unsupported) => Reply::Unsupported,
                    Err(why) => Reply::Trouble(format!("An answer cannot be read: {why}.")),
                };
            }
            Err(Silence::Gone(why)) => why,
            Err(Silence::Timeout(why)) => {
                self.timeouts += 1;
                why
            }
        };
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
        self.failures += 1;
        let hopeless = !self.ever_answered && self.failures >= MOST_FAILED_STARTS;
        if hopeless || self.failures >= MOST_FAILURES || self.timeouts >= MOST_TIMEOUTS {
            Reply::Over(why)
        } else {
            Reply::Trouble(why)
        }
    }
}

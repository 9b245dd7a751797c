//! Other programs: started, written to, listened to, and ended for certain.
//!
//! Each runs in a process group of its own, which is killed as a whole. None outlives the command:
//! those that run are listed, and the handler of Ctrl-C goes through the list before it exits.

use crate::output::excerpt;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The processes that run.
static RUNNING: Mutex<Running> = Mutex::new(Running { groups: Vec::new(), over: false });

struct Running {
    /// The numbers of their groups.
    groups: Vec<u32>,
    /// No other may be started.
    over: bool,
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every program that was started. No other can be started after that: the command is about to
/// exit.
pub(crate) fn end_all() {
    let mut running = running();
    running.over = true;
    for &group in &running.groups {
        kill(group);
    }
}

/// Kills a process group. That it is gone already is no failure.
#[cfg(unix)]
fn kill(group: u32) {
    use nix::sys::signal::{Signal, killpg};
    let _ = killpg(nix::unistd::Pid::from_raw(group as i32), Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill(_: u32) {}

/// The longest line that is read. None of the protocols comes near.
pub(crate) const LONGEST_LINE: usize = 1 << 16;
/// Lines that wait to be read; the program that writes more has to wait too.
const MOST_LINES: usize = 256;
/// How often the stop flag is checked while waiting.
pub(crate) const TICK: Duration = Duration::from_millis(20);
/// How often memory is looked at.
const MEMORY_TICK: Duration = Duration::from_millis(100);
/// Ticks for which a program that has ended is still listened to.
const MOST_TICKS_AFTER_END: u32 = 10;
/// How long a program may take to end when it is asked to.
const PARTING: Duration = Duration::from_millis(200);

/// What a program says.
pub(crate) enum Heard {
    Line(String),
    TooLong,
    End,
}

/// What is done with a program's folder and streams.
#[derive(Clone, Copy)]
pub(crate) struct Streams<'a> {
    /// Where it runs; else where the command does.
    pub(crate) folder: Option<&'a Path>,
    /// Whether the end of what it writes to standard error is kept.
    pub(crate) keeps_errors: bool,
    /// What it is told before its input is closed.
    pub(crate) farewell: Option<&'static str>,
}

/// How long and under which limits an answer is waited for.
#[derive(Clone, Copy)]
pub(crate) struct Patience<'a> {
    pub(crate) time: Duration,
    /// Resident memory that the program may use, in KiB.
    pub(crate) kibibytes: Option<u64>,
    /// Bytes that it may write besides the answer.
    pub(crate) chatter: Option<usize>,
    /// Ends the waiting.
    pub(crate) stop: Option<&'a AtomicBool>,
}

impl Patience<'_> {
    /// With a limit of time only.
    pub(crate) fn of(time: Duration) -> Self {
        Self { time, kibibytes: None, chatter: None, stop: None }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Silence {
    /// Nobody waits for it any more.
    Stopped,
    Late {
        what: &'static str,
        time: Duration,
    },
    Memory {
        mebibytes: u64,
    },
    Chatter {
        line: String,
    },
    LongLine,
    Gone {
        what: &'static str,
        status: Option<ExitStatus>,
        last_error: Option<String>,
    },
}

/// A clause about the program: "it did not answer a move within 5.0 s".
impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the command was stopped"),
            Self::Late { what, time } if time.as_secs() == 0 => {
                write!(f, "it did not answer {what} within {} ms", time.as_millis())
            }
            Self::Late { what, time } => {
                write!(f, "it did not answer {what} within {:.1} s", time.as_secs_f64())
            }
            Self::Memory { mebibytes } => write!(f, "it used more than {mebibytes} MiB"),
            Self::Chatter { line } => write!(f, "it writes without end, and no answer: {line:?}"),
            Self::LongLine => write!(f, "it wrote a line of more than {LONGEST_LINE} bytes"),
            Self::Gone { what, status, last_error } => {
                match status {
                    Some(status) => write!(f, "it ended before it answered {what} ({status})")?,
                    None => write!(f, "it closed its output before it answered {what}")?,
                }
                match last_error {
                    Some(line) => {
                        write!(f, "; the last thing it wrote to standard error: {}", excerpt(line))
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

/// A program that runs, in a process group of its own, which is killed as a whole when this is
/// dropped.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    pub(crate) heard: Receiver<Heard>,
    errors: Option<Receiver<String>>,
    farewell: Option<&'static str>,
}

impl Process {
    /// Its process group.
    pub(crate) fn group(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended, though what it has started may run on.
    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// The last thing it wrote to standard error, once it has ended.
    pub(crate) fn last_error(&mut self) -> Option<String> {
        let errors = self.errors.take()?;
        errors.recv_timeout(PARTING).ok().filter(|line| !line.is_empty())
    }

    /// Kills it and everything it has started.
    pub(crate) fn kill(&mut self) {
        kill(self.child.id());
        let _ = self.child.kill();
    }

    /// Starts a program by the words of its command line.
    pub(crate) fn start(words: &[String], streams: Streams<'_>) -> Result<Self, String> {
        let cannot = |why: &dyn std::fmt::Display| {
            format!("{:?} cannot be started: {why}", words.first().map_or("", String::as_str))
        };
        let (program, arguments) = words.split_first().ok_or_else(|| cannot(&"it has no name"))?;
        let mut command = Command::new(program);
        let errors = if streams.keeps_errors { Stdio::piped() } else { Stdio::null() };
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        if let Some(folder) = streams.folder {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Started and listed in one, so that none is missed when all are ended.
        let mut running = running();
        if running.over {
            return Err(cannot(&"the command is ending"));
        }
        let mut child = command.spawn().map_err(|why| cannot(&why))?;
        running.groups.push(child.id());
        drop(running);
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, heard) = mpsc::sync_channel(MOST_LINES);
        if let Some(output) = output {
            // It ends with the program's output, or when the receiver is gone.
            std::thread::spawn(move || listen(output, &sender));
        }
        let errors = child.stderr.take().map(|errors| {
            let (sender, kept) = mpsc::channel();
            std::thread::spawn(move || sender.send(last_line(errors)));
            kept
        });
        Ok(Self { child, input, heard, errors, farewell: streams.farewell })
    }

    /// Writes a line to it. That it is gone is noticed when no answer comes.
    pub(crate) fn say(&mut self, line: &str) {
        let _ = self.try_say(line);
    }

    fn try_say(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{line}").and_then(|()| input.flush())
    }

    /// Listens until a line is what is wanted; `what` names it for people.
    pub(crate) fn hear<T>(
        &mut self,
        what: &'static str,
        patience: Patience<'_>,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Silence> {
        let asked = Instant::now();
        let deadline = asked + patience.time;
        let (mut chatter, mut looked, mut ticks_after_end) = (0, asked, 0);
        loop {
            if patience.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Silence::Stopped);
            }
            let now = Instant::now();
            if now >= deadline {
                return Err(Silence::Late { what, time: patience.time });
            }
            if let Some(most) = patience.kibibytes.filter(|_| now - looked >= MEMORY_TICK) {
                looked = now;
                if resident(self.group()).is_some_and(|used| used > most) {
                    return Err(Silence::Memory { mebibytes: most >> 10 });
                }
            }
            match self.heard.recv_timeout((deadline - now).min(TICK)) {
                Ok(Heard::Line(line)) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                    chatter += line.len() + 1;
                    if patience.chatter.is_some_and(|most| chatter > most) {
                        return Err(Silence::Chatter { line: excerpt(&line) });
                    }
                }
                Ok(Heard::TooLong) => return Err(Silence::LongLine),
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.gone(what));
                }
                Err(RecvTimeoutError::Timeout) => {
                    // What it has started may keep its output open.
                    ticks_after_end += u32::from(self.has_ended());
                    if ticks_after_end > MOST_TICKS_AFTER_END {
                        return Err(self.gone(what));
                    }
                }
            }
        }
    }

    /// It has ended by itself, or closed its output.
    fn gone(&mut self, what: &'static str) -> Silence {
        Silence::Gone { what, status: self.ending(), last_error: self.last_error() }
    }

    /// How it ended by itself; none if it has only gone silent.
    pub(crate) fn ending(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + PARTING;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => return None,
            }
        }
    }
}

/// The last line that is not empty, of as much as a message needs.
fn last_line(errors: impl Read) -> String {
    let mut last = String::new();
    let mut reader = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return last,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                if !text.trim().is_empty() {
                    last = text.trim().to_owned();
                }
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Asked first, so that it can save what it likes; its output ends when it does.
        let told = self.farewell.is_none_or(|word| self.try_say(word).is_ok());
        if told {
            drop(self.input.take());
            let deadline = Instant::now() + PARTING;
            while let Some(left) = deadline.checked_duration_since(Instant::now()) {
                if matches!(self.heard.recv_timeout(left), Ok(Heard::End | Heard::TooLong) | Err(_))
                {
                    break;
                }
            }
        }
        let id = self.child.id();
        let mut running = running();
        // Whatever it has started itself goes too; until it is waited for, its number is nobody
        // else's.
        kill(id);
        let _ = self.child.kill();
        let _ = self.child.wait();
        running.groups.retain(|&other| other != id);
    }
}

fn listen(output: ChildStdout, heard: &SyncSender<Heard>) {
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line);
        let what = match read {
            Ok(0) | Err(_) => Heard::End,
            Ok(LONGEST_LINE) if !line.ends_with(b"\n") => Heard::TooLong,
            Ok(_) => Heard::Line(String::from_utf8_lossy(&line).trim().to_owned()),
        };
        let last = !matches!(what, Heard::Line(_));
        if heard.send(what).is_err() || last {
            return;
        }
    }
}

/// Whether any program runs.
#[cfg(test)]
pub(crate) fn is_any_running() -> bool {
    !running().groups.is_empty()
}

/// The resident memory of a process group, in KiB; none where the system does not tell.
pub(crate) fn resident(group: u32) -> Option<u64> {
    let mut sum = None;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let folder = entry.path();
        let is_number = |name: &str| name.bytes().all(|sign| sign.is_ascii_digit());
        if !folder.file_name().and_then(|name| name.to_str()).is_some_and(is_number) {
            continue;
        }
        // A process may end while it is looked at.
        let Ok(stat) = std::fs::read_to_string(folder.join("stat")) else { continue };
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let its_group = fields.split_whitespace().nth(2).and_then(|field| field.parse().ok());
        if its_group != Some(group) {
            continue;
        }
        let Ok(status) = std::fs::read_to_string(folder.join("status")) else { continue };
        let kibibytes = status.lines().find_map(|line| {
            line.strip_prefix("VmRSS:")?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
        });
        sum = Some(sum.unwrap_or(0) + kibibytes.unwrap_or(0));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{Heard, Process, Streams, resident, running};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    const STREAMS: Streams<'_> = Streams { folder: None, keeps_errors: true, farewell: None };

    #[cfg(unix)]
    #[test]
    fn a_panic_leaves_nothing_behind() {
        let words = ["sh", "-c", "sleep 98764"].map(str::to_owned);
        let process = Process::start(&words, STREAMS).unwrap();
        let id = process.child.id();
        assert!(running().groups.contains(&id));
        if cfg!(target_os = "linux") {
            assert!(resident(id).is_some_and(|kibibytes| kibibytes > 0));
        }
        let outcome = catch_unwind(AssertUnwindSafe(move || {
            let _seated = process;
            panic!("on purpose");
        }));
        assert!(outcome.is_err() && !running().groups.contains(&id));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_program_says_is_heard() {
        let words = ["sh", "-c", "echo hello; echo oh >&2"].map(str::to_owned);
        let mut echo = Process::start(&words, STREAMS).unwrap();
        assert!(matches!(echo.heard.recv(), Ok(Heard::Line(line)) if line == "hello"));
        assert!(matches!(echo.heard.recv(), Ok(Heard::End)));
        assert_eq!(echo.last_error().as_deref(), Some("oh"));
    }
}

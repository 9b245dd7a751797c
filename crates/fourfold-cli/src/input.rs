//! Where positions come from: arguments, or standard input one per line.

use crate::failure::Failure;
use crate::output::note;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fourfold::game::notation::{self, Entry, Format, NotationError};
use fourfold::game::{Position, Rules};
use fourfold::workers::{InOrder, Threads, share_out};
use fourfold_lab::files::read_text;
use fourfold_lab::train::Excluded;
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// The option of every command that plays some game.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct GameArg {
    /// Game: WIDTHxHEIGHT, then cN (a line of N wins) or sN (a square of side N), then f if discs
    /// do not fall; or connect4, square, tictactoe [default: 7x6c4]
    #[arg(long, short, value_name = "GAME")]
    game: Option<Rules>,
}

impl GameArg {
    /// The game that was asked for, or Connect Four.
    pub(crate) fn rules(&self) -> Rules {
        self.game.unwrap_or(Rules::CONNECT_FOUR)
    }

    /// The game that was asked for, if one was.
    pub(crate) fn given(&self) -> Option<&Rules> {
        self.game.as_ref()
    }
}

/// The options of every command that reads positions.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PositionArgs {
    /// Game: WIDTHxHEIGHT, then cN (a line of N wins) or sN (a square of side N), then f if discs
    /// do not fall; or connect4, square, tictactoe [default: the game that a position names, or
    /// 7x6c4]
    #[arg(long, short, value_name = "GAME")]
    game: Option<Rules>,

    /// Format of the positions, one that 'fourfold convert --list' shows [default: recognised if
    /// only one makes sense]
    #[arg(long, short, value_name = "FORMAT", value_parser = formats())]
    #[arg(hide_possible_values = true)]
    from: Option<Format>,
}

/// Parses the name of a text format; shells complete it.
fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.into_iter().map(Format::name))
        .try_map(|name| name.parse::<Format>())
}

impl PositionArgs {
    /// The game that was asked for, if one was.
    pub(crate) fn given(&self) -> Option<&Rules> {
        self.game.as_ref()
    }

    /// The game that was asked for, or Connect Four.
    pub(crate) fn rules(&self) -> Rules {
        self.game.unwrap_or(Rules::CONNECT_FOUR)
    }

    /// Whether any of these options was given.
    pub(crate) fn is_given(&self) -> bool {
        self.game.is_some() || self.from.is_some()
    }

    /// Reads a position of that game (or of the game that the text names), in the format that was
    /// asked for or any other.
    pub(crate) fn read(&self, text: &str) -> Result<Entry, Failure> {
        notation::Reader::new()
            .format(self.from)
            .rules(self.given())
            .read(text)
            .map_err(|why| refused(&why))
    }
}

/// A position that cannot be read, with what to give on the command line so that it can.
pub(crate) fn refused(why: &NotationError) -> Failure {
    let flags = |formats: &[Format]| {
        let flags: Vec<String> = formats.iter().map(|format| format!("--from {format}")).collect();
        flags.join(" or ")
    };
    let hint = match why {
        NotationError::Unrecognised { .. } => {
            "; name its format with --from ('fourfold convert --list' shows them)".to_owned()
        }
        NotationError::Ambiguous { formats, .. } => format!("; give {}", flags(formats)),
        NotationError::CountsFromZero { .. } => {
            format!("; if these are numbered from 0, give {}", flags(&[Format::Zero]))
        }
        NotationError::RowCount { .. } | NotationError::RowWidth { .. } => {
            "; --game names another game".to_owned()
        }
        _ => String::new(),
    };
    Failure::invalid(format!("{why}{hint}"))
}

/// The positions of a file, one per line: moves, perhaps with scores.
pub(crate) fn read_positions(path: &Path, rules: &Rules) -> Result<Vec<Position>, Failure> {
    let text = read_text(path)?;
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
        .map(|(index, line)| {
            // A line that begins with a space is the empty board with its scores.
            let moves = line.split(char::is_whitespace).next().unwrap_or_default();
            let format = if rules.gravity() { Format::Columns } else { Format::Cells };
            let read = notation::Reader::new().format(Some(format)).rules(Some(rules)).read(moves);
            read.map(|entry| entry.position)
                .map_err(|why| Failure::invalid(format!("{}:{}: {why}", path.display(), index + 1)))
        })
        .collect()
}

/// Adds positions, or hashes of positions, from a file to what a training leaves out.
pub(crate) fn add_excluded(
    excluded: &mut Excluded,
    path: &Path,
    rules: &Rules,
) -> Result<(), Failure> {
    let text = read_text(path)?;
    if Excluded::is_list(&text) {
        let wrong = |why| Failure::invalid(format!("{}: {why}", path.display()));
        return excluded.add_list(&text, rules).map_err(wrong);
    }
    read_positions(path, rules)?.iter().for_each(|position| excluded.add(position));
    Ok(())
}

/// As many threads as asked for, or as there are processors.
pub(crate) fn threads_or_all(asked: Option<Threads>) -> usize {
    asked.unwrap_or_else(Threads::available).get()
}

/// Calls `work` for each argument or, if there are none, for each line of standard input.
///
/// A single argument that is refused ends the command with its message. In a batch (several
/// arguments, or standard input) refusals are reported with their number on standard error and the
/// batch goes on; it then ends with [`Failure::Refused`]. So it is with what a limit left
/// unfinished ([`Failure::LeftUnfinished`]). Empty lines of standard input stand for the empty
/// board, as `''` does among arguments.
pub(crate) fn for_each(
    arguments: &[String],
    mut work: impl FnMut(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let [only] = arguments {
        return work(only);
    }
    let mut batch = Batch::new(arguments);
    if arguments.is_empty() {
        let mut lines = Lines::new(standard_input());
        while let Some(text) = lines.next().map_err(|why| cannot_read(&why))? {
            batch.next(work(&text))?;
        }
    } else {
        for text in arguments {
            batch.next(work(text))?;
        }
    }
    batch.end()
}

/// The same with the work done on several threads, each with a state of its own. Results are shown
/// in order, on the calling thread. When one ends the command (it was interrupted, say), what
/// others have finished is still shown.
pub(crate) fn for_each_on<S, R: Send>(
    threads: usize,
    arguments: &[String],
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &str) -> Result<R, Failure> + Sync,
    mut show: impl FnMut(R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut batch = Batch::new(arguments);
    let mut order = InOrder::default();
    let mut ended = Ok(());
    let each = |number: usize, result: Result<R, Failure>| {
        for (_, result) in order.add(number, result) {
            ended = batch.next(result.and_then(&mut show));
            if ended.is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    if arguments.is_empty() {
        // Whichever thread is free reads on, so none may hold the lock.
        drop(standard_input());
        let mut lines = Lines::new(BufReader::new(io::stdin()));
        let texts = std::iter::from_fn(move || match lines.next() {
            Ok(text) => Some(Ok(text?.into_owned())),
            Err(why) => Some(Err(cannot_read(&why))),
        });
        share_out(
            texts,
            threads,
            state,
            |state, text: Result<String, Failure>| work(state, &text?),
            each,
        );
    } else {
        share_out(arguments.iter(), threads, state, |state, text| work(state, text), each);
    }
    for result in order.rest().filter_map(|(_, result)| result.ok()) {
        show(result)?;
    }
    ended.and_then(|()| batch.end())
}

/// Standard input; a person at a terminal gets a prompt.
fn standard_input() -> io::StdinLock<'static> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        note("Reading positions from the terminal, one per line; Ctrl-D ends.");
    }
    stdin.lock()
}

/// Says that there was nothing to do. That is no failure: a list may be empty.
pub(crate) fn note_empty(what: &str) {
    note(format!("fourfold: the input is empty: there are no {what}"));
}

fn cannot_read(why: &io::Error) -> Failure {
    Failure::runtime(format!("cannot read standard input: {why}"))
}

/// Counts what goes wrong in a batch, and tells it.
struct Batch {
    kind: &'static str,
    number: usize,
    refused: usize,
    unfinished: usize,
}

impl Batch {
    fn new(arguments: &[String]) -> Self {
        let kind = if arguments.is_empty() { "line" } else { "argument" };
        Self { kind, number: 0, refused: 0, unfinished: 0 }
    }

    /// Takes what came of the next one; a failure ends the batch.
    fn next(&mut self, result: Result<(), Failure>) -> Result<(), Failure> {
        self.number += 1;
        let (message, count) = match result {
            Err(Failure::Invalid(message)) => (message, &mut self.refused),
            Err(Failure::Unfinished(message)) => (message, &mut self.unfinished),
            other => return other,
        };
        note(format!("fourfold: {} {}: {message}", self.kind, self.number));
        *count += 1;
        Ok(())
    }

    fn end(self) -> Result<(), Failure> {
        if self.number == 0 {
            note_empty("positions");
        }
        match (self.refused, self.unfinished) {
            (0, 0) => Ok(()),
            (0, unfinished) => Err(Failure::LeftUnfinished(unfinished)),
            (refused, _) => Err(Failure::Refused(refused)),
        }
    }
}

/// Lines as text, whatever the input holds: a line that is not UTF-8, or longer than any line
/// should be, is one odd line for its reader to refuse, not the end of the batch nor of the memory.
pub(crate) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    is_first: bool,
}

/// What some programs write at the start of a UTF-8 file; it belongs to no line.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What is kept of a line: more than any notation or record needs.
const LONGEST_LINE: usize = 1 << 20;

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, line: Vec::new(), is_first: true }
    }

    /// The next line without its end; none after the last.
    pub(crate) fn next(&mut self) -> io::Result<Option<Cow<'_, str>>> {
        self.line.clear();
        let read =
            self.reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        if read == LONGEST_LINE && !self.line.ends_with(b"\n") {
            self.reader.skip_until(b'\n')?;
        }
        if std::mem::take(&mut self.is_first) && self.line.starts_with(BYTE_ORDER_MARK) {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        let end = self
            .line
            .iter()
            .rposition(|byte| !matches!(byte, b'\n' | b'\r'))
            .map_or(0, |last| last + 1);
        Ok(Some(String::from_utf8_lossy(&self.line[..end])))
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, Lines};

    #[test]
    fn lines_are_cut_and_repaired_but_never_lost() {
        let long = "x".repeat(3 * LONGEST_LINE);
        let input = [b"4\r\n\n\xff5\n".as_slice(), long.as_bytes(), b"\n7"].concat();
        let mut lines = Lines::new(input.as_slice());
        let mut lengths = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            lengths.push(line.chars().count());
        }
        assert_eq!(lengths, [1, 0, 2, LONGEST_LINE, 1]);
    }

    #[test]
    fn a_byte_order_mark_belongs_to_no_line() {
        let mut lines = Lines::new("\u{feff}44\n\u{feff}45\n".as_bytes());
        assert_eq!(lines.next().unwrap().as_deref(), Some("44"));
        assert_eq!(lines.next().unwrap().as_deref(), Some("\u{feff}45"));
        assert_eq!(lines.next().unwrap(), None);
    }
}

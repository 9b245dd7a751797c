//! Where positions come from: arguments, or standard input one per line.

use crate::failure::Failure;
use fourfold::game::Rules;
use fourfold::game::notation::{self, Entry};
use std::io::{self, BufRead, IsTerminal};

/// The argument shared by every command that plays some game.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct GameArg {
    /// The game: WIDTHxHEIGHT, then cN (line of N) or sN (square of side N), then f if discs do not fall; or
    /// connect4, square, tictactoe [default: the game that a position names, or 7x6c4]
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

    /// Reads a position of that game (or of the game that the text names) in any notation.
    pub(crate) fn read(&self, text: &str) -> Result<Entry, Failure> {
        notation::read(text, None, self.given()).map_err(Failure::invalid)
    }
}

/// Calls `work` for each argument or, if there are none, for each line of standard input.
///
/// A single argument that is refused ends the command with its message. In a batch (several arguments, or standard
/// input) refusals are reported with their number on standard error and the batch goes on; it then ends with
/// [`Failure::Refused`]. Empty lines of standard input stand for the empty board, as `''` does among arguments.
pub(crate) fn for_each(
    arguments: &[String],
    mut work: impl FnMut(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let [only] = arguments {
        return work(only);
    }
    let mut refused = 0;
    let mut attempt = |kind: &str, number: usize, text: &str| match work(text) {
        Err(Failure::Invalid(message)) => {
            eprintln!("fourfold: {kind} {number}: {message}");
            refused += 1;
            Ok(())
        }
        other => other,
    };
    if arguments.is_empty() {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            eprintln!("Reading positions from the terminal, one per line; Ctrl-D ends.");
        }
        // Bytes, not `lines()`: a line that is not UTF-8 is one refused line, not the end of the batch.
        let mut reader = stdin.lock();
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = reader
                .read_until(b'\n', &mut line)
                .map_err(|why| Failure::runtime(format!("cannot read standard input: {why}")))?;
            if read == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&line);
            attempt("line", number, text.trim_end_matches(['\n', '\r']))?;
        }
    } else {
        for (index, text) in arguments.iter().enumerate() {
            attempt("argument", index + 1, text)?;
        }
    }
    if refused == 0 { Ok(()) } else { Err(Failure::Refused(refused)) }
}

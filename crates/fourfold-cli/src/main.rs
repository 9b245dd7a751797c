//! The command `fourfold`: it parses arguments, calls the library, and shows what comes back.
//!
//! All input and output of the project lives in this crate. Data goes to standard output, messages
//! to standard error; exit codes are in [`failure`].

mod arguments;
mod commands;
mod engine;
mod engine_client;
mod external;
mod failure;
mod games;
mod input;
mod interrupt;
mod openings;
mod output;
mod process;
mod progress;
mod solving;
mod switches;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, Error};
use output::excerpt;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = commands::Cli::try_parse().unwrap_or_else(|why| shortened(why).exit());
    match commands::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                output::note(format!("fourfold: {message}"));
            }
            failure.exit_code()
        }
    }
}

/// Repeats no more of a long argument than a message needs.
fn shortened(mut why: Error) -> Error {
    let repeated =
        [ContextKind::InvalidValue, ContextKind::InvalidArg, ContextKind::InvalidSubcommand];
    for kind in repeated {
        if let Some(ContextValue::String(text)) = why.get(kind) {
            let text = excerpt(text);
            why.insert(kind, ContextValue::String(text));
        }
    }
    why
}

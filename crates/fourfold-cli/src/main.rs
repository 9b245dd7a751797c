//! The command `fourfold`: it parses arguments, calls the library, and shows what comes back.
//!
//! All input and output of the project lives in this crate. Data goes to standard output, messages
//! to standard error; exit codes are in [`failure`].

mod arguments;
mod commands;
mod engine;
mod external;
mod failure;
mod games;
mod input;
mod interrupt;
mod output;
mod progress;
mod solving;
mod switches;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = commands::Cli::parse();
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

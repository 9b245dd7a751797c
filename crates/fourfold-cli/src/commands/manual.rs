//! `fourfold completions` and `fourfold man`: shell completions and manual pages.

use super::Cli;
use crate::failure::Failure;
use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;
use std::path::PathBuf;

const COMPLETIONS_HELP: &str = "\
Examples:
  fourfold completions bash > /etc/bash_completion.d/fourfold
  fourfold completions zsh > ~/.zfunc/_fourfold";

/// Print the completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub(crate) struct CompletionArgs {
    /// Shell to complete for
    shell: Shell,
}

pub(crate) fn completions(args: &CompletionArgs) -> Result<(), Failure> {
    // Made in memory first: the generator panics where it cannot write.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "fourfold", &mut text);
    let mut out = output::stdout();
    out.write_all(&text)?;
    out.flush()?;
    Ok(())
}

const MAN_HELP: &str = "\
Examples:
  fourfold man | man -l -
  fourfold man --out ~/.local/share/man/man1";

/// Print the manual page, or write one page per command to a directory
#[derive(Debug, clap::Args)]
#[command(after_help = MAN_HELP)]
pub(crate) struct ManArgs {
    /// Write fourfold.1, fourfold-play.1, ... to this directory instead of printing the main page
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn man(args: &ManArgs) -> Result<(), Failure> {
    match &args.out {
        Some(directory) => {
            let failed = |why| {
                Failure::runtime(format!(
                    "cannot write the pages into {}: {why}",
                    directory.display()
                ))
            };
            std::fs::create_dir_all(directory).map_err(failed)?;
            clap_mangen::generate_to(Cli::command(), directory).map_err(failed)
        }
        None => {
            let mut out = output::stdout();
            clap_mangen::Man::new(Cli::command()).render(&mut out)?;
            out.flush()?;
            Ok(())
        }
    }
}

//! `fourfold completions` and `fourfold man`: what shells and `man` want to know of the command
//! line.

use super::Cli;
use crate::failure::Failure;
use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;
use std::path::PathBuf;

/// Print the completions for a shell
///
/// For bash: fourfold completions bash > ~/.local/share/bash-completion/completions/fourfold
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionArgs {
    /// The shell
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

/// Print the manual page, or write one page for each command into a directory
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Write fourfold.1, fourfold-play.1, ... here rather than printing the main page
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

//! `fourfold weights`: describes the networks that order the solver's moves.

use crate::failure::Failure;
use crate::input::GameArg;
use crate::output::{grouped, stdout};
use crate::solving::read_weights;
use fourfold::game::Rules;
use fourfold::solver::OrderWeights;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  fourfold weights info
  fourfold weights info 6x7c4.weights --json";

/// Describe the networks that order the solver's moves
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: WeightsCommand,
}

#[derive(Debug, clap::Subcommand)]
enum WeightsCommand {
    Info(InfoArgs),
}

const INFO_HELP: &str = "\
A file is checked from its first byte to its last before anything is shown.
'fourfold train order' makes one, and 'fourfold solve --weights' takes it.

Examples:
  fourfold weights info
  fourfold weights info 6x7c4.weights --json";

/// Show what weights are for, what they were trained on and what made them
#[derive(Debug, clap::Args)]
#[command(after_help = INFO_HELP)]
struct InfoArgs {
    /// A weights file [default: the weights that come with the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    game: GameArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `weights info --json` prints.
#[derive(Debug, Serialize)]
struct Info<'a> {
    /// None: for every board.
    game: Option<Rules>,
    roles: usize,
    units: [usize; 2],
    bytes: usize,
    trained_on: &'a str,
    made_by: &'a str,
    checksum: String,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.what {
        WeightsCommand::Info(args) => info(args),
    }
}

fn info(args: &InfoArgs) -> Result<(), Failure> {
    let rules = args.game.rules();
    let weights = match &args.file {
        Some(path) => read_weights(path)?,
        None => OrderWeights::embedded(&rules).ok_or_else(|| {
            Failure::usage(format!("no weights for {rules} come with this program: name a file"))
        })?,
    };
    let info = Info {
        game: weights.game().copied(),
        roles: weights.roles(),
        units: weights.units(),
        bytes: weights.to_bytes().len(),
        trained_on: weights.trained_on(),
        made_by: weights.made_by(),
        checksum: format!("{:016x}", weights.checksum()),
    };
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&info).map_err(Failure::runtime)?)?;
    } else {
        let Info { game, roles, units: [small, large], bytes, trained_on, made_by, checksum } =
            info;
        let game = game.map_or_else(|| "every board".to_owned(), |game| game.to_string());
        writeln!(out, "Game        {game}")?;
        writeln!(out, "Networks    {roles} of {small} units and {roles} of {large} units")?;
        writeln!(out, "Bytes       {}", grouped(bytes as u64))?;
        writeln!(out, "Trained on  {trained_on}")?;
        writeln!(out, "Made by     {made_by}")?;
        writeln!(out, "Checksum    {checksum}")?;
    }
    Ok(out.flush()?)
}

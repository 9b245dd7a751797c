//! `fourfold weights`: describes the networks that order the solver's moves, and joins files of them.

use crate::arguments::whole;
use crate::failure::Failure;
use crate::input::GameArg;
use crate::output::{grouped, stdout};
use crate::solving::read_weights;
use fourfold::game::Rules;
use fourfold::solver::{OrderWeights, WeightsFile};
use fourfold_lab::files::write_whole;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  fourfold weights info
  fourfold weights info 6x7c4.weights --json
  fourfold weights join 6x7c4.weights 8x5c4.weights --out both.weights";

/// Describe the networks that order the solver's moves, and join files of them
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: WeightsCommand,
}

#[derive(Debug, clap::Subcommand)]
enum WeightsCommand {
    Info(InfoArgs),
    Join(JoinArgs),
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

    /// Print one JSON object per board
    #[arg(long)]
    json: bool,
}

const JOIN_HELP: &str = "\
'fourfold solve --weights' takes such a file for each of its boards. If one of
the files is for every board, it serves boards that have none of their own.
In the first plies networks are least sure and a wrong move costs most:
--first-ply leaves these to tuned weights. Two files with networks of the same
board are an error, unless --replace lets the first of them count.

Examples:
  fourfold weights join 6x7c4.weights 8x5c4.weights --out both.weights
  fourfold weights join new.weights both.weights --replace --out both.weights
  fourfold weights join 6x7c4.weights --first-ply 4 --out later.weights";

/// Write the networks of several files into one
#[derive(Debug, clap::Args)]
#[command(after_help = JOIN_HELP)]
struct JoinArgs {
    /// Weights files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Use the networks from this ply on, and tuned weights before [default: as the files say]
    #[arg(long, value_name = "N", value_parser = whole(0..=99u8))]
    first_ply: Option<u8>,

    /// Let the first networks of a board replace those in later files
    #[arg(long)]
    replace: bool,

    /// File to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

fn join(args: &JoinArgs) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    let mut games: Vec<Option<Rules>> = Vec::new();
    for path in &args.files {
        for weights in read_weights(path)?.all() {
            let game = weights.game().copied();
            if games.contains(&game) {
                if args.replace {
                    continue;
                }
                return Err(Failure::usage(format!(
                    "{}: an earlier file has networks of {} too; --replace lets that one count",
                    path.display(),
                    name(game)
                )));
            }
            games.push(game);
            let first_ply = args.first_ply.unwrap_or_else(|| weights.first_ply());
            bytes.extend(weights.clone().with_first_ply(first_ply).to_bytes());
        }
    }
    Ok(write_whole(&args.out, &bytes)?)
}

/// The game of networks, in words.
fn name(game: Option<Rules>) -> String {
    game.map_or_else(|| "every board".to_owned(), |game| game.to_string())
}

/// What `weights info --json` prints.
#[derive(Debug, Serialize)]
struct Info<'a> {
    /// None: for every board.
    game: Option<Rules>,
    roles: usize,
    units: [usize; 2],
    first_ply: u8,
    bytes: usize,
    trained_on: &'a str,
    made_by: &'a str,
    checksum: String,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.what {
        WeightsCommand::Info(args) => info(args),
        WeightsCommand::Join(args) => join(args),
    }
}

fn info(args: &InfoArgs) -> Result<(), Failure> {
    let rules = args.game.rules();
    let file = match &args.file {
        Some(path) => read_weights(path)?,
        None => WeightsFile::from(OrderWeights::embedded(&rules).ok_or_else(|| {
            Failure::usage(format!("no weights for {rules} come with this program: name a file"))
        })?),
    };
    let mut out = stdout();
    for (index, weights) in file.all().iter().enumerate() {
        if index > 0 && !args.json {
            writeln!(out)?;
        }
        describe(&mut out, weights, args.json)?;
    }
    Ok(out.flush()?)
}

fn describe(out: &mut impl Write, weights: &OrderWeights, json: bool) -> Result<(), Failure> {
    let info = Info {
        game: weights.game().copied(),
        roles: weights.roles(),
        units: weights.units(),
        first_ply: weights.first_ply(),
        bytes: weights.to_bytes().len(),
        trained_on: weights.trained_on(),
        made_by: weights.made_by(),
        checksum: format!("{:016x}", weights.checksum()),
    };
    if json {
        writeln!(out, "{}", serde_json::to_string(&info).map_err(Failure::runtime)?)?;
        return Ok(());
    }
    let Info { game, roles, units, first_ply, bytes, trained_on, made_by, checksum } = info;
    let [small, large] = units;
    writeln!(out, "Game        {}", name(game))?;
    writeln!(out, "Networks    {roles} of {small} units and {roles} of {large} units")?;
    if first_ply > 0 {
        writeln!(out, "In use      from ply {first_ply} on")?;
    }
    writeln!(out, "Bytes       {}", grouped(bytes as u64))?;
    writeln!(out, "Trained on  {trained_on}")?;
    writeln!(out, "Made by     {made_by}")?;
    writeln!(out, "Checksum    {checksum}")?;
    Ok(())
}

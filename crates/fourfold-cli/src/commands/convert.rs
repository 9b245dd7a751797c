//! `fourfold convert`: positions from one format to another, one per line or from and to columnar
//! files.

#[cfg(feature = "parquet")]
mod parquet;

use crate::failure::Failure;
use crate::input::GameArg;
use crate::{input, output};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fourfold::game::Rules;
use fourfold::game::notation::{self, Entry, Format, csv_header, is_csv_header};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  fourfold convert --to fen 4453
  fourfold convert --from zero --to columns 3342
  fourfold convert --from uci --to csv < connect-4.data > positions.csv
  fourfold convert --list";

/// Convert positions from one format to another
///
/// Without --from, the format is recognised if only one makes sense; digits are columns from 1. A
/// format that lists moves shows some order of moves that leads to the position if the original
/// order is unknown.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Positions [default: standard input, one per line]; with --from parquet, files
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// Format of the positions [default: recognised if only one makes sense]
    #[arg(long, short, value_name = "FORMAT", value_parser = media(), hide_possible_values = true)]
    from: Option<Medium>,
    /// Format to write; --list shows all
    #[arg(long, short, value_name = "FORMAT", value_parser = media(), hide_possible_values = true)]
    #[arg(required_unless_present_any = ["list", "json"])]
    to: Option<Medium>,
    /// Print one JSON object per position: the same as --to ndjson
    #[arg(long, conflicts_with = "to")]
    json: bool,
    #[command(flatten)]
    game: GameArg,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// List the formats
    #[arg(long)]
    list: bool,
}

/// What can be converted from and to: lines of text, or a file that is not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Medium {
    Text(Format),
    Parquet,
}

const PARQUET: &str = "parquet";
const PARQUET_DOC: &str =
    "Parquet file: columns game, moves, score, s1, s2, ...; one row per position";

/// Parses the name of a format; completions and corrections come with it.
fn media() -> impl TypedValueParser<Value = Medium> {
    let names = Format::ALL.into_iter().map(Format::name).chain([PARQUET]);
    // The list of names lets through nothing else that is not a format.
    PossibleValuesParser::new(names).map(|name| name.parse().map_or(Medium::Parquet, Medium::Text))
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.list {
        return list();
    }
    let json = args.json.then_some(Medium::Text(Format::Ndjson));
    let to = args.to.or(json).ok_or_else(|| Failure::usage("--to is missing"))?;
    let mut sink = Sink::open(to, args)?;
    let result = match args.from {
        Some(Medium::Parquet) => read_parquet(args, |entry| sink.write(&entry)),
        Some(Medium::Text(format)) => read_lines(args, Some(format), &mut sink),
        None => read_lines(args, None, &mut sink),
    };
    match &result {
        Ok(()) | Err(Failure::Refused(_)) => sink.finish(args.game.given().copied())?,
        Err(_) => {}
    }
    result
}

fn read_lines(args: &Args, format: Option<Format>, sink: &mut Sink) -> Result<(), Failure> {
    input::for_each(&args.positions, |text| {
        if matches!(format, None | Some(Format::Csv)) && is_csv_header(text) {
            return Ok(());
        }
        let entry = notation::Reader::new()
            .format(format)
            .rules(args.game.given())
            .read(text)
            .map_err(|why| input::refused(&why))?;
        sink.write(&entry)
    })
}

/// Where converted positions go.
enum Sink {
    Lines {
        out: Box<dyn Write>,
        format: Format,
        /// The game of the header, once it is written.
        head: Option<Rules>,
    },
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Writer>),
}

impl Sink {
    fn open(to: Medium, args: &Args) -> Result<Self, Failure> {
        match to {
            Medium::Text(format) => {
                let out: Box<dyn Write> = match &args.out {
                    Some(_) => Box::new(BufWriter::new(create(args)?)),
                    None => Box::new(output::stdout()),
                };
                Ok(Self::Lines { out, format, head: None })
            }
            #[cfg(feature = "parquet")]
            Medium::Parquet if args.out.is_some() => {
                Ok(Self::Parquet(Box::new(parquet::Writer::new(create(args)?))))
            }
            #[cfg(feature = "parquet")]
            Medium::Parquet => {
                Err(Failure::usage("a Parquet file is not text: name the file with --out FILE"))
            }
            #[cfg(not(feature = "parquet"))]
            Medium::Parquet => Err(no_parquet()),
        }
    }

    fn write(&mut self, entry: &Entry) -> Result<(), Failure> {
        match self {
            Self::Lines { out, format, head } => {
                let line = notation::write(entry, *format).map_err(Failure::invalid)?;
                let rules = entry.position.rules();
                match head {
                    _ if *format != Format::Csv => {}
                    Some(first) => check_same_columns(first, rules)?,
                    None => {
                        writeln!(out, "{}", csv_header(rules))?;
                        *head = Some(*rules);
                    }
                }
                writeln!(out, "{line}")?;
                Ok(())
            }
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.write(entry),
        }
    }

    /// Ends the output. A file without positions gets the columns of `game`.
    fn finish(self, game: Option<Rules>) -> Result<(), Failure> {
        let game = game.unwrap_or(Rules::CONNECT_FOUR);
        match self {
            Self::Lines { mut out, format, head } => {
                if format == Format::Csv && head.is_none() {
                    writeln!(out, "{}", csv_header(&game))?;
                }
                Ok(out.flush()?)
            }
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.finish(&game),
        }
    }
}

/// All rows of a table have as many scores as its head has names for.
fn check_same_columns(first: &Rules, rules: &Rules) -> Result<(), Failure> {
    let (there, here) = (first.most_moves(), rules.most_moves());
    if there == here {
        return Ok(());
    }
    Err(Failure::invalid(format!(
        "a row of {rules} has {here} scores, but the table began with {first}, which has {there}; \
         convert games of different sizes into different files",
    )))
}

/// Makes the file of `--out`, unless it is one of the files to read.
fn create(args: &Args) -> Result<File, Failure> {
    let path = args.out.as_deref().unwrap_or(std::path::Path::new(""));
    let same =
        |other: &String| match (path.canonicalize(), std::path::Path::new(other).canonicalize()) {
            (Ok(out), Ok(read)) => out == read,
            _ => false,
        };
    if args.from == Some(Medium::Parquet) && args.positions.iter().any(same) {
        return Err(Failure::usage(format!(
            "{} cannot be read and written at once",
            path.display()
        )));
    }
    File::create(path)
        .map_err(|why| Failure::runtime(format!("cannot write {}: {why}", path.display())))
}

#[cfg(feature = "parquet")]
fn read_parquet(
    args: &Args,
    work: impl FnMut(Entry) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if args.positions.is_empty() {
        return Err(Failure::usage("name the Parquet files to read"));
    }
    parquet::read(&args.positions, args.game.given(), work)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(_: &Args, _: impl FnMut(Entry) -> Result<(), Failure>) -> Result<(), Failure> {
    Err(no_parquet())
}

#[cfg(not(feature = "parquet"))]
fn no_parquet() -> Failure {
    Failure::usage("this fourfold was built without Parquet: build it with --features parquet")
}

/// Shows the formats with an example each.
fn list() -> Result<(), Failure> {
    let mut out = output::stdout();
    writeln!(out, "Formats, each with an example (the moves 4453 on 7x6 where it can hold them).")?;
    writeln!(out, "Those with * keep the order of the moves.\n")?;
    for format in Format::ALL {
        let star = if format.keeps_order() { '*' } else { ' ' };
        writeln!(
            out,
            "{star} {format:<11} {}\n{:14}{}",
            format.doc(),
            "",
            shortened(format.example())
        )?;
    }
    let note = if cfg!(feature = "parquet") { "" } else { " (not in this build)" };
    writeln!(out, "* {PARQUET:<11} {PARQUET_DOC}{note}")?;
    out.flush()?;
    Ok(())
}

/// As much of an example as fits a line.
fn shortened(example: &str) -> String {
    const MOST: usize = 80;
    if example.chars().count() <= MOST {
        return example.to_owned();
    }
    let start: String = example.chars().take(MOST - 1).collect();
    format!("{start}…")
}

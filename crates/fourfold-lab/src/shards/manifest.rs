//! What is to be done, and by which program: the one file that all machines must agree on.

use crate::files::{ReadError, read_text};
use crate::fingerprint::{of_parts, of_text};
use crate::labels::LabelOptions;
use crate::tournament::{Format, Tournament};
use fourfold::book::{Book, BookError, Draft};
use fourfold::game::Rules;
use fourfold::game::notation::parse_moves;
use fourfold::solver::weights_hash;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// The name of the file in the folder of a job.
pub const MANIFEST: &str = "manifest.json";

/// The version of the form.
const FORMAT: u32 = 1;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Job {
    /// A book of all positions up to a ply.
    Book {
        /// The game.
        game: Rules,
        /// How far it reaches.
        plies: u32,
    },
    /// The value of a board, from all positions at a ply.
    Solve {
        /// The game.
        game: Rules,
        /// Where it is cut into pieces.
        plies: u32,
    },
    /// Positions with the exact score of every move.
    Labels {
        /// The game.
        game: Rules,
        /// The random seed.
        seed: u64,
        /// The fewest and the most discs.
        plies: [u32; 2],
        /// Only who wins.
        weak: bool,
        /// Positions that take more are left out.
        nodes: u64,
        /// Plies to the end under best play.
        remaining: Option<[u32; 2]>,
        /// Labels wanted.
        count: u64,
        /// Blocks of games to sample them from.
        blocks: u64,
    },
    /// The games of a tournament.
    Tournament {
        /// The game.
        game: Rules,
        /// Who plays whom.
        format: Format,
        /// The players.
        players: Vec<String>,
        /// The openings, as moves.
        openings: Vec<String>,
        /// Games of every two players that meet.
        games: u64,
        /// The random seed.
        seed: u64,
    },
}

impl Job {
    /// The game.
    #[must_use]
    pub fn rules(&self) -> Rules {
        match self {
            Self::Book { game, .. }
            | Self::Solve { game, .. }
            | Self::Labels { game, .. }
            | Self::Tournament { game, .. } => *game,
        }
    }

    /// What its rows are, for people.
    #[must_use]
    pub fn rows_are(&self) -> &'static str {
        match self {
            Self::Book { .. } | Self::Solve { .. } => "positions",
            Self::Labels { .. } => "blocks of games",
            Self::Tournament { .. } => "games",
        }
    }

    /// In words, for people.
    #[must_use]
    pub fn about(&self) -> String {
        match self {
            Self::Book { game, plies } => format!("a book of {game} to ply {plies}"),
            Self::Solve { game, plies } => format!("the value of {game} from ply {plies}"),
            Self::Labels { game, count, .. } => format!("{count} labels of {game}"),
            Self::Tournament { game, players, .. } => {
                format!("a tournament of {} players of {game}", players.len())
            }
        }
    }

    /// The positions to solve for a book or a board.
    pub(super) fn draft(&self) -> Result<Option<Draft>, BookError> {
        match self {
            Self::Book { game, plies } | Self::Solve { game, plies } => {
                Draft::new(game, *plies).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// How labels are made, and how many.
    pub(super) fn label_options(&self) -> Option<(LabelOptions, u64)> {
        let Self::Labels { game, seed, plies, weak, nodes, remaining, count, .. } = self else {
            return None;
        };
        let mut options = LabelOptions::new(*game);
        options.plies = plies[0]..=plies[1];
        options.remaining = remaining.map(|[first, last]| first..=last);
        (options.seed, options.weak, options.nodes) = (*seed, *weak, *nodes);
        Some((options, *count))
    }

    /// The tournament to play.
    ///
    /// # Errors
    /// If a player or an opening makes no sense.
    pub fn tournament(&self) -> Result<Option<Tournament>, String> {
        let Self::Tournament { game, format, players, openings, games, seed } = self else {
            return Ok(None);
        };
        let wrong = |text: &String, why: String| format!("{text}: {why}");
        let players: Result<Vec<_>, String> = players
            .iter()
            .map(|text| text.parse().map_err(|why| wrong(text, format!("{why}"))))
            .collect();
        let openings: Result<Vec<_>, String> = openings
            .iter()
            .map(|text| parse_moves(game, text).map_err(|why| wrong(text, why.to_string())))
            .collect();
        Ok(Some(
            Tournament::new(*game, players?, openings?)
                .with_format(*format)
                .with_games(*games)
                .with_seed(*seed),
        ))
    }
}

/// The program that did the work, as far as results depend on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The version of Fourfold.
    pub version: String,
    /// The hash of the solver's learned move order.
    pub weights: String,
    /// The hash of the book of this game that comes with it; empty without one.
    pub book: String,
}

impl Program {
    /// This program.
    #[must_use]
    pub fn of_this_process(rules: &Rules) -> Self {
        let book = Book::embedded(rules).and_then(|book| book.to_bytes());
        // A book ends with its own checksum.
        let sum = |bytes: &[u8]| -> String {
            bytes.iter().rev().take(8).map(|byte| format!("{byte:02x}")).collect()
        };
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            weights: weights_hash().map_or_else(String::new, |hash| format!("{hash:016x}")),
            book: book.map_or_else(String::new, |bytes| sum(&bytes)),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn or_none(text: &str) -> &str {
            if text.is_empty() { "none" } else { text }
        }
        let (weights, book) = (or_none(&self.weights), or_none(&self.book));
        write!(f, "fourfold {} (weights {weights}, book {book})", self.version)
    }
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is not a manifest.
    #[error("{}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The book or board is too large.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The job makes no sense.
    #[error("{0}")]
    Job(String),
    /// Another version, other weights or another book would find other results.
    #[error("the shards are for {wanted}; this is {here}")]
    OtherProgram {
        /// As planned.
        wanted: Box<Program>,
        /// As it runs here.
        here: Box<Program>,
    },
}

/// A job, cut into shards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the form.
    format: u32,
    /// What is to be done.
    pub job: Job,
    /// Rows in all.
    pub rows: u64,
    /// Shards; row i belongs to shard i mod this.
    pub shards: u64,
    /// The hash of what the rows are made from.
    pub input: String,
    /// The program that it was planned with.
    pub program: Program,
}

impl Manifest {
    /// Plans a job in so many shards; fewer if it has fewer rows.
    ///
    /// # Errors
    /// If the job makes no sense.
    pub fn new(job: Job, shards: u64) -> Result<Self, ManifestError> {
        Ok(Self::new_with_draft(job)?.0.cut(shards))
    }

    /// A job in one shard, with the list of positions if it has one: making it takes long.
    pub(super) fn new_with_draft(job: Job) -> Result<(Self, Option<Draft>), ManifestError> {
        let draft = job.draft()?;
        let (rows, input) = input_of(&job, draft.as_ref())?;
        if rows == 0 {
            return Err(ManifestError::Job("there is nothing to do".to_owned()));
        }
        let program = Program::of_this_process(&job.rules());
        Ok((Self { format: FORMAT, job, rows, shards: 1, input, program }, draft))
    }

    /// The same job in so many shards; fewer if it has fewer rows.
    #[must_use]
    pub fn cut(self, shards: u64) -> Self {
        Self { shards: shards.clamp(1, self.rows), ..self }
    }

    /// Reads the manifest in a folder, and checks that this program can do its work and that its
    /// rows are those of its job. The list of a large book takes seconds to make.
    ///
    /// # Errors
    /// If it cannot be read, was planned with another program, or contradicts itself.
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        Ok(Self::read_with_draft(folder)?.0)
    }

    /// The same, with the list of positions if the job has one: making it takes long.
    pub(super) fn read_with_draft(folder: &Path) -> Result<(Self, Option<Draft>), ManifestError> {
        let manifest = Self::read_head(folder)?;
        let draft = manifest.job.draft()?;
        let (rows, input) = input_of(&manifest.job, draft.as_ref())?;
        if (rows, &input) != (manifest.rows, &manifest.input) {
            return Err(ManifestError::Invalid {
                path: folder.join(MANIFEST),
                problem: "its rows are not those of its job".to_owned(),
            });
        }
        Ok((manifest, draft))
    }

    /// Reads the manifest in a folder, and checks that this program can do its work, at once: the
    /// rows are taken on trust.
    ///
    /// # Errors
    /// If it cannot be read, or was planned with another program.
    pub fn read_head(folder: &Path) -> Result<Self, ManifestError> {
        let path = folder.join(MANIFEST);
        let text = read_text(&path)?;
        let invalid = |problem: String| ManifestError::Invalid { path: path.clone(), problem };
        let manifest: Self = serde_json::from_str(&text)
            .map_err(|why| invalid(format!("this is not a manifest of shards ({why})")))?;
        if manifest.format != FORMAT {
            let found = manifest.format;
            return Err(invalid(format!("it has form {found}; this program knows form {FORMAT}")));
        }
        let here = Program::of_this_process(&manifest.job.rules());
        if manifest.program != here {
            let (wanted, here) = (Box::new(manifest.program), Box::new(here));
            return Err(ManifestError::OtherProgram { wanted, here });
        }
        if !(1..=manifest.rows).contains(&manifest.shards) {
            let (rows, shards) = (manifest.rows, manifest.shards);
            return Err(invalid(format!("{rows} rows do not make {shards} shards")));
        }
        Ok(manifest)
    }

    /// As it is written.
    #[must_use]
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain fields always make JSON") + "\n"
    }

    /// The hash by which shards know what they belong to.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{:016x}", of_text(&self.to_text()))
    }

    /// The rows of a shard, in order.
    pub fn rows_of(&self, shard: u64) -> impl Iterator<Item = u64> + Send + use<> {
        let (rows, step) = (self.rows, self.shards);
        std::iter::successors(Some(shard), move |row| row.checked_add(step))
            .take_while(move |&row| row < rows)
    }
}

/// How many rows a job with such a list of positions has, and the hash of what they are made from.
fn input_of(job: &Job, draft: Option<&Draft>) -> Result<(u64, String), ManifestError> {
    if let Some(draft) = draft {
        // A line each, never all at once: there may be millions.
        let keys = draft.needed().iter().map(|position| format!("{}\n", position.key()));
        return Ok((draft.needed().len() as u64, format!("{:016x}", of_parts(keys))));
    }
    let text = serde_json::to_string(job).expect("plain fields always make JSON");
    let rows = match job {
        Job::Labels { blocks, .. } => *blocks,
        _ => {
            let tournament = job.tournament().map_err(ManifestError::Job)?;
            tournament.map_or(0, |found| found.matches().iter().map(|contest| contest.games).sum())
        }
    };
    Ok((rows, format!("{:016x}", of_text(&text))))
}

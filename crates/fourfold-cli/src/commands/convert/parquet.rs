//! Positions in Parquet files: a row a position, with columns `game`, `moves`, `score` and a score
//! for every move, `s1`, `s2`, ..., all of them 8-bit and nullable. Not compressed; the encodings
//! keep such files small.

use super::check_same_columns;
use crate::failure::Failure;
use crate::output::note;
use fourfold::game::Rules;
use fourfold::game::notation::{Entry, NotationError, moves_text, parse_moves};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::{Field, Row};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Rows that are held in memory before they are written as a row group.
const GROUP: usize = 1 << 16;

/// Writes a file. Its columns are those of the first position's game.
pub(crate) struct Writer {
    /// Until the first position comes.
    file: Option<File>,
    open: Option<(SerializedFileWriter<File>, Rules)>,
    games: Vec<ByteArray>,
    moves: Vec<ByteArray>,
    /// One column after another: the score, then one for each move.
    scores: Vec<Vec<Option<i32>>>,
}

impl Writer {
    pub(crate) fn new(file: File) -> Self {
        Self {
            file: Some(file),
            open: None,
            games: Vec::new(),
            moves: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// Starts the file with the columns of this game, if it is not started.
    fn begin(&mut self, rules: &Rules) -> Result<(), Failure> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let mut schema = String::from(
            "message positions { required binary game (STRING); required binary moves (STRING); \
             optional int32 score (INTEGER(8,true));",
        );
        for slot in 1..=rules.most_moves() {
            schema.push_str(&format!(" optional int32 s{slot} (INTEGER(8,true));"));
        }
        schema.push_str(" }");
        let schema = Arc::new(parse_message_type(&schema)?);
        let properties = Arc::new(WriterProperties::builder().build());
        let writer = SerializedFileWriter::new(file, schema, properties)?;
        self.scores = vec![Vec::new(); 1 + rules.most_moves() as usize];
        self.open = Some((writer, *rules));
        Ok(())
    }

    /// Adds a row.
    pub(crate) fn write(&mut self, entry: &Entry) -> Result<(), Failure> {
        let rules = entry.position.rules();
        let moves = match &entry.moves {
            Some(moves) => moves.clone(),
            None => {
                let refused = |why| Failure::invalid(format!("a row lists moves: {why}"));
                entry.position.some_moves().map_err(refused)?
            }
        };
        self.begin(rules)?;
        if let Some((_, first)) = &self.open {
            check_same_columns(first, rules)?;
        }
        self.games.push(ByteArray::from(rules.to_string().into_bytes()));
        self.moves.push(ByteArray::from(moves_text(rules, &moves).into_bytes()));
        let slots = entry.scores.iter().flatten().copied().chain(std::iter::repeat(None));
        for (column, score) in self.scores.iter_mut().zip(std::iter::once(entry.score).chain(slots))
        {
            column.push(score);
        }
        if self.games.len() >= GROUP { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> Result<(), Failure> {
        let Some((writer, _)) = &mut self.open else {
            return Ok(());
        };
        let mut group = writer.next_row_group()?;
        for texts in [&mut self.games, &mut self.moves] {
            write_texts(&mut group, texts)?;
            texts.clear();
        }
        for scores in &mut self.scores {
            write_scores(&mut group, scores)?;
            scores.clear();
        }
        group.close()?;
        Ok(())
    }

    /// Writes what is left and the footer. A file without rows gets the columns of `game`.
    pub(crate) fn finish(mut self, game: &Rules) -> Result<(), Failure> {
        self.begin(game)?;
        if !self.games.is_empty() {
            self.write_group()?;
        }
        if let Some((writer, _)) = self.open {
            writer.close()?;
        }
        Ok(())
    }
}

type Group<'a> = SerializedRowGroupWriter<'a, File>;

fn write_texts(group: &mut Group<'_>, texts: &[ByteArray]) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.ok_or_else(too_few_columns)?;
    column.typed::<ByteArrayType>().write_batch(texts, None, None)?;
    column.close()
}

fn write_scores(group: &mut Group<'_>, scores: &[Option<i32>]) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.ok_or_else(too_few_columns)?;
    let values: Vec<i32> = scores.iter().flatten().copied().collect();
    let levels: Vec<i16> = scores.iter().map(|score| i16::from(score.is_some())).collect();
    column.typed::<Int32Type>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

fn too_few_columns() -> ParquetError {
    ParquetError::General("the schema has too few columns".to_owned())
}

/// Errors of writing; reading says which file it was.
impl From<ParquetError> for Failure {
    fn from(why: ParquetError) -> Self {
        Self::runtime(format!("cannot write the Parquet file: {why}"))
    }
}

/// Calls `work` for each row of the files. Rows that make no sense are reported with file and
/// number on standard error; reading goes on and ends with [`Failure::Refused`].
pub(crate) fn read(
    paths: &[String],
    given: Option<&Rules>,
    mut work: impl FnMut(Entry) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut refused = 0;
    for path in paths {
        let cannot_read =
            |why: &dyn std::fmt::Display| Failure::runtime(format!("cannot read {path}: {why}"));
        let file = File::open(Path::new(path)).map_err(|why| cannot_read(&why))?;
        let reader = SerializedFileReader::new(file).map_err(|why| cannot_read(&why))?;
        let rows = reader.get_row_iter(None).map_err(|why| cannot_read(&why))?;
        for (index, row) in rows.enumerate() {
            let row = row.map_err(|why| cannot_read(&why))?;
            match entry_of(&row, given).map_err(Failure::Invalid).and_then(&mut work) {
                Err(Failure::Invalid(message)) => {
                    note(format!("fourfold: {path}, row {}: {message}", index + 1));
                    refused += 1;
                }
                other => other?,
            }
        }
    }
    if refused == 0 { Ok(()) } else { Err(Failure::Refused(refused)) }
}

/// The position of a row, or what is wrong with it.
fn entry_of(row: &Row, given: Option<&Rules>) -> Result<Entry, String> {
    let column = |name: &str| {
        row.get_column_iter().find(|(known, _)| *known == name).map(|(_, field)| field)
    };
    let text = |name: &str| match column(name) {
        Some(Field::Str(text)) => Ok(text.as_str()),
        _ => Err(format!("there is no text in the column {name}")),
    };
    let rules: Rules = text("game")?.parse().map_err(|why| format!("{why}"))?;
    if let Some(&given) = given.filter(|given| **given != rules) {
        return Err(NotationError::OtherGame { named: rules, given }.to_string());
    }
    let moves = parse_moves(&rules, text("moves")?).map_err(|why| why.to_string())?;
    let mut entry = Entry::of_moves(&rules, &moves).map_err(|why| why.to_string())?;
    let score = |name: &str| match column(name) {
        None | Some(Field::Null) => Ok(None),
        Some(Field::Byte(score)) => Ok(Some(i32::from(*score))),
        Some(Field::Short(score)) => Ok(Some(i32::from(*score))),
        Some(Field::Int(score)) => Ok(Some(*score)),
        Some(other) => Err(format!("{other} in the column {name} is not a score")),
    };
    entry.score = score("score")?;
    let slots = (1..=rules.most_moves()).map(|slot| score(&format!("s{slot}")));
    let scores: Vec<Option<i32>> = slots.collect::<Result<_, _>>()?;
    entry.scores = scores.iter().any(Option::is_some).then_some(scores);
    entry.check().map_err(|why| why.to_string())?;
    Ok(entry)
}

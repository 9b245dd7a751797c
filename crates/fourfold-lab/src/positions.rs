//! The positions of a search: listed in the experiment, or in a file of their own with a position
//! per line.

use crate::axes::Combination;
use crate::files::without_bom;
use crate::reading::{FileError, Keys, Place, Placed};
use fourfold::game::{Position, Rules, notation};

/// Reads a file that an experiment names, for the key at a place.
pub(crate) type Load<'a> = dyn FnMut(&Place, &str) -> Result<String, FileError> + 'a;

/// Where positions come from, before anything is filled in.
pub(crate) struct PositionSource {
    listed: Vec<Placed<String>>,
    file: Option<Placed<String>>,
    most: usize,
}

impl PositionSource {
    pub(crate) fn read(keys: &Keys<'_>) -> Result<Self, FileError> {
        let most = keys.parsed("most", "a number of positions, at least 1", |n: &usize| *n > 0)?;
        let (listed, file) = (keys.texts("positions")?, keys.text("file")?);
        match &file {
            Some(file) if !listed.is_empty() => {
                Err(file.place.error("give positions or a file, not both"))
            }
            None if listed.is_empty() => {
                let problem = "positions or file is missing; positions = \"\" is the empty board";
                Err(keys.place().error(problem))
            }
            _ => Ok(Self { listed, file, most: most.unwrap_or(usize::MAX) }),
        }
    }

    /// The positions of a combination, at least one.
    pub(crate) fn positions(
        &self,
        rules: &Rules,
        combination: &Combination<'_>,
        load: &mut Load<'_>,
    ) -> Result<Vec<Position>, FileError> {
        let Some(file) = &self.file else {
            let listed = self.listed.iter().take(self.most);
            let read = |text: &Placed<String>| {
                read_position(&combination.fill(text)?, rules)
                    .map_err(|why| combination.error(&text.place, why))
            };
            return listed.map(read).collect();
        };
        let name = combination.fill(file)?;
        let text = load(&file.place, &name)?;
        read_position_list(&file.place.sibling(&name), &text, rules, self.most)
    }
}

/// The first `most` positions of a list: one per line, `#` starts a comment, `empty` is the empty
/// board. `file` is what errors call the list.
pub(crate) fn read_position_list(
    file: &str,
    text: &str,
    rules: &Rules,
    most: usize,
) -> Result<Vec<Position>, FileError> {
    let error = |line, problem| FileError { file: file.to_owned(), line, key: None, problem };
    let positions = readable_lines(text)
        .take(most)
        .map(|(line, text)| read_position(text, rules).map_err(|why| error(Some(line), why)))
        .collect::<Result<Vec<Position>, FileError>>()?;
    if positions.is_empty() {
        return Err(error(None, "there is no position in this file".to_owned()));
    }
    Ok(positions)
}

/// The lines of a list that hold something, with their numbers from 1: without comments and the
/// spaces around them, and with nothing for the word `empty`.
pub(crate) fn readable_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = without_bom(text).lines().enumerate();
    let lines = lines.map(|(index, line)| (index + 1, line.split('#').next().unwrap_or("").trim()));
    let held = lines.filter(|(_, text)| !text.is_empty());
    held.map(|(line, text)| (line, if text == "empty" { "" } else { text }))
}

/// A position in any notation, of a game that is still under way.
fn read_position(text: &str, rules: &Rules) -> Result<Position, String> {
    let entry =
        notation::Reader::new().rules(rules).read(text.trim()).map_err(|why| why.to_string())?;
    if entry.position.outcome().is_over() {
        return Err(format!("the game is over in {text:?}"));
    }
    Ok(entry.position)
}

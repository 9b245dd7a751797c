//! The fingerprint of an experiment, by which a journal or a summary knows what it belongs to.
//!
//! It is the 64-bit FNV-1a hash of a canonical JSON text with everything that decides the results
//! of the cells and nothing else: no titles, published figures or plots. The text is compact, its
//! fields come in the order of the structures below, and games, players, evaluators, positions and
//! moves are written in the notations in which people type them:
//!
//! ```json
//! {"format":1,"cells":[{"cell":"s: depth=3","budget":1000,"task":{"search":{
//!   "positions":["7x6c4 ......./......./......./......./......./......."],"depth":3,
//!   "evaluator":"windows","switches":["mid_col=on"],"repeats":0}}}]}
//! ```
//!
//! A change of the text, or of what an unchanged text means (the default of a switch, say), takes
//! a new [`FORMAT`]. Journals with another fingerprint are refused.

use crate::experiment::Part;
use crate::task::Task;
use fourfold::game::{Position, notation};
use serde::Serialize;
use std::io::{self, Write};

/// The version of the canonical text.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct CanonicalExperiment<'a> {
    format: u32,
    cells: Vec<CanonicalCell<'a>>,
}

#[derive(Serialize)]
struct CanonicalCell<'a> {
    cell: &'a str,
    budget: u64,
    task: CanonicalTask,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum CanonicalTask {
    Match {
        game: String,
        players: [String; 2],
        opponent_begins: bool,
        swap: bool,
        opening: String,
        games: u64,
        seed: u64,
    },
    Search {
        positions: Vec<String>,
        depth: u32,
        evaluator: String,
        switches: Vec<String>,
        repeats: u32,
    },
    Count {
        start: String,
        ply: u32,
    },
    Replica {
        game: String,
        seats: [String; 2],
        correct: bool,
        depth: u32,
        games: u64,
        seed: u64,
    },
}

impl CanonicalTask {
    fn of(task: &Task) -> Self {
        match task {
            Task::Match(task) => {
                let contest = &task.contest;
                Self::Match {
                    game: contest.rules.to_string(),
                    players: contest.players.each_ref().map(ToString::to_string),
                    opponent_begins: task.opponent_begins,
                    swap: contest.swap,
                    opening: notation::moves_text(&contest.rules, contest.opening(0)),
                    games: contest.games,
                    seed: contest.seed,
                }
            }
            Task::Search(task) => Self::Search {
                positions: task.positions.iter().map(diagram).collect(),
                depth: task.depth,
                evaluator: task.evaluator.to_string(),
                // Those at their default are left out, so that a new switch changes nothing.
                switches: task
                    .options
                    .changed()
                    .map(|(switch, value)| format!("{}={value}", switch.name))
                    .collect(),
                repeats: task.repeats,
            },
            Task::Count(task) => Self::Count { start: diagram(&task.start), ply: task.ply },
            Task::Replica(task) => Self::Replica {
                game: task.rules.to_string(),
                seats: task.seats.each_ref().map(ToString::to_string),
                correct: task.correct,
                depth: task.depth,
                games: task.games,
                seed: task.seed,
            },
        }
    }
}

/// The game, then the rows from the top: `4x2c2 ..../.x..`.
fn diagram(position: &Position) -> String {
    let rows = position.to_string().replace(' ', "").replace('\n', "/");
    format!("{} {rows}", position.rules())
}

/// The fingerprint of an experiment with these parts.
pub(crate) fn fingerprint(parts: &[Part]) -> u64 {
    let mut hash = Fnv(BASIS);
    write_canonical(parts, &mut hash);
    hash.0
}

fn write_canonical(parts: &[Part], to: impl Write) {
    let cells = parts.iter().flat_map(|part| part.cells.iter().map(move |cell| (part, cell)));
    let cells = cells.map(|(part, cell)| CanonicalCell {
        cell: &cell.key,
        budget: part.budget,
        task: CanonicalTask::of(&cell.task),
    });
    let canonical = CanonicalExperiment { format: FORMAT, cells: cells.collect() };
    serde_json::to_writer(to, &canonical).expect("plain fields always make JSON");
}

/// FNV-1a, 64 bits.
struct Fnv(u64);

/// The fingerprint of a text.
pub(crate) fn of_text(text: &str) -> u64 {
    of_parts([text])
}

/// The fingerprint of a text, or of any bytes, that come in parts.
pub(crate) fn of_parts(parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> u64 {
    let mut hash = Fnv(BASIS);
    for part in parts {
        hash.write_all(part.as_ref()).expect("hashing cannot fail");
    }
    hash.0
}

/// Where FNV-1a starts.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

impl Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;

    const EXPERIMENT: &str = r#"
        title = "t"
        question = "q?"
        seed = 7
        budget = 1000
        [[match]]
        name = "m"
        game = "4x4c3"
        player = "alphabeta:depth={depth},order=centre"
        opponent = "naive"
        begins = "turns"
        opening = "12"
        games = 5
        vary = { depth = [2] }
        [[search]]
        name = "s"
        game = "4x2c2"
        positions = ["", "1"]
        depth = 3
        eval = "windows:1/2/3/4"
        switches = "mid_col,table=2"
        [[count]]
        name = "c"
        game = "3x3c3f"
        ply = 2
        [[replica]]
        name = "r"
        game = "4x2c2"
        code = "as-published"
        first = "random"
        second = "alphabeta"
        depth = 2
        games = 9
    "#;

    const CANONICAL: &str = concat!(
        r#"{"format":1,"cells":["#,
        r#"{"cell":"m: depth=2","budget":1000,"task":{"match":{"game":"4x4c3","#,
        r#""players":["alphabeta:depth=2,mid_col=on","naive"],"opponent_begins":false,"#,
        r#""swap":true,"opening":"12","games":5,"seed":7}}},"#,
        r#"{"cell":"s","budget":1000,"task":{"search":{"#,
        r#""positions":["4x2c2 ..../....","4x2c2 ..../x..."],"depth":3,"#,
        r#""evaluator":"windows:1/2/3/4","switches":["mid_col=on","table=2"],"repeats":0}}},"#,
        r#"{"cell":"c","budget":1000,"task":{"count":{"start":"3x3c3f .../.../...","ply":2}}},"#,
        r#"{"cell":"r","budget":1000,"task":{"replica":{"game":"4x2c2","#,
        r#""seats":["random","alphabeta search"],"correct":false,"#,
        r#""depth":2,"games":9,"seed":7}}}]}"#,
    );

    /// Journals and summaries on disk hold these: a change needs a new [`FORMAT`].
    #[test]
    fn the_canonical_text_and_its_fingerprint_are_pinned() {
        let experiment = Experiment::read("t.toml", EXPERIMENT, false, &|_| unreachable!());
        let experiment = experiment.unwrap();
        let mut text = Vec::new();
        write_canonical(&experiment.parts, &mut text);
        assert_eq!(String::from_utf8(text).unwrap(), CANONICAL);
        assert_eq!(format!("{:016x}", experiment.fingerprint), "6bd24666d0238dac");
    }

    #[test]
    fn whatever_decides_the_results_changes_the_fingerprint() {
        let read = |text: &str| {
            let read = Experiment::read("t.toml", text, false, &|_| unreachable!());
            read.unwrap().fingerprint
        };
        let fingerprint = read(EXPERIMENT);
        for (was, is) in [
            ("seed = 7", "seed = 8"),
            ("budget = 1000", "budget = 1001"),
            ("opponent = \"naive\"", "opponent = \"random\""),
            ("order=centre", "killers"),
            ("\"turns\"", "\"opponent\""),
            ("opening = \"12\"", "opening = \"21\""),
            ("games = 5", "games = 6"),
            ("depth = [2]", "depth = [3]"),
            ("[\"\", \"1\"]", "[\"\", \"2\"]"),
            ("table=2", "table=3"),
            ("1/2/3/4", "1/2/3/5"),
            ("ply = 2", "ply = 3"),
            ("as-published", "correct"),
            ("second = \"alphabeta\"", "second = \"minimax\""),
        ] {
            let changed = EXPERIMENT.replace(was, is);
            assert_ne!(changed, EXPERIMENT, "{was} is not there");
            assert_ne!(read(&changed), fingerprint, "{was}");
        }
        assert_eq!(read(&EXPERIMENT.replace("\"q?\"", "\"What?\"")), fingerprint);
    }
}

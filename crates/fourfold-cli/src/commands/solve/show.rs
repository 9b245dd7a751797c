//! How the answers of `fourfold solve` look: a line, a JSON object, or a page with the board.

use super::Solution;
use crate::failure::Failure;
use crate::output::{Paint, table};
use fourfold::game::notation::{self, Entry, Format};
use fourfold::game::{Move, Outcome, Position, Rules};
use fourfold::play::why;
use fourfold::score::Verdict;
use fourfold::solver::MoveScore;
use fourfold_app::board_text;
use fourfold_app::explain::{Names, sentence};
use fourfold_app::text::capital;
use serde::Serialize;
use std::io::Write;

/// What stands for the score of a column (or cell) that is full, as P. Pons' solver prints it.
const UNPLAYABLE: i32 = -1000;

/// `moves score`, or `moves s1 .. sN`, then the line if there is one. If the order of moves is not
/// known, the text of the position stands for them.
pub(super) fn line(text: &str, entry: &Entry, solution: &Solution) -> String {
    let rules = entry.position.rules();
    let mut fields = vec![match &entry.moves {
        Some(moves) => notation::moves_text(rules, moves),
        None => text.trim().to_owned(),
    }];
    match scores(rules, solution) {
        Some(scores) => {
            fields.extend(scores.into_iter().map(|score| score.unwrap_or(UNPLAYABLE).to_string()));
        }
        None => fields.push(solution.score.to_string()),
    }
    if let Some(line) = &solution.line {
        fields.push(if line.is_empty() {
            "-".to_owned()
        } else {
            notation::moves_text(rules, line)
        });
    }
    fields.join(" ")
}

/// A score for each column (without gravity, for each cell from the top left), none where no disc
/// can be put.
fn scores(rules: &Rules, solution: &Solution) -> Option<Vec<Option<i32>>> {
    let columns = solution.columns.as_ref()?;
    let mut scores = vec![None; rules.most_moves() as usize];
    for column in columns {
        if let Some(place) = scores.get_mut(notation::slot(rules, column.mv)) {
            *place = Some(column.score);
        }
    }
    Some(scores)
}

#[derive(Serialize)]
struct SolveJson {
    game: Rules,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    position: String,
    verdict: Verdict,
    score: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<Vec<ColumnJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    nodes: u64,
    time_ms: f64,
}

#[derive(Serialize)]
struct ColumnJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<String>,
    verdict: Verdict,
    score: i32,
}

pub(super) fn json(entry: &Entry, solution: &Solution) -> Result<String, Failure> {
    let rules = entry.position.rules();
    let columns = |columns: &Vec<MoveScore>| {
        let column = |column: &MoveScore| ColumnJson {
            column: rules.gravity().then(|| column.mv.cell(rules).column + 1),
            cell: (!rules.gravity()).then(|| column.mv.label(rules)),
            verdict: column.verdict,
            score: column.score,
        };
        columns.iter().map(column).collect()
    };
    let json = SolveJson {
        game: *rules,
        moves: entry.moves.as_ref().map(|moves| notation::moves_text(rules, moves)),
        position: notation::write(&Entry::of(entry.position), Format::Fen).unwrap_or_default(),
        verdict: solution.verdict,
        score: solution.score,
        columns: solution.columns.as_ref().map(columns),
        line: solution.line.as_ref().map(|line| line.iter().map(|mv| mv.label(rules)).collect()),
        nodes: solution.nodes,
        time_ms: solution.spent.as_secs_f64() * 1e3,
    };
    serde_json::to_string(&json).map_err(Failure::runtime)
}

/// `x wins in 7 moves`, `o loses in 2 moves`, `draw`.
pub(super) fn in_words(position: &Position, verdict: Verdict) -> String {
    match verdict {
        Verdict::Win { .. } | Verdict::Loss { .. } => {
            format!("{} {verdict}", position.to_move().letter())
        }
        Verdict::Draw | Verdict::Estimate(_) => verdict.to_string(),
    }
}

/// The board, the verdict, the columns and the line.
pub(super) fn page(
    out: &mut impl Write,
    entry: &Entry,
    solution: &Solution,
    paint: Paint,
) -> Result<(), Failure> {
    let position = &entry.position;
    let rules = position.rules();
    let game = if rules.name().is_some() {
        format!("{} ({rules})", rules.title())
    } else {
        rules.to_string()
    };
    let discs = if position.ply() == 1 { "disc" } else { "discs" };
    let last = entry.moves.as_ref().and_then(|moves| moves.last().copied());
    match position.outcome() {
        Outcome::Ongoing => {
            writeln!(
                out,
                "{game}, {} {discs}, {} to move",
                position.ply(),
                position.to_move().letter()
            )?;
        }
        _ => writeln!(out, "{game}, {} {discs}", position.ply())?,
    }
    writeln!(out, "{}\n", board_text::draw(position, last, paint))?;
    match position.outcome() {
        Outcome::Ongoing => {}
        Outcome::Won { .. } => {
            let winner = position.to_move().other().letter();
            writeln!(out, "The game is over: {winner} has won (score {}).", solution.score)?;
            return Ok(());
        }
        Outcome::Drawn => {
            writeln!(out, "The game is over: it is a draw (score 0).")?;
            return Ok(());
        }
    }
    let words = in_words(position, solution.verdict);
    let words = if solution.verdict == Verdict::Draw { capital(&words) } else { words };
    let plies = solution
        .verdict
        .plies()
        .map(|plies| format!("{plies} {}, ", if plies == 1 { "ply" } else { "plies" }));
    let number = format!("{}score {}", plies.unwrap_or_default(), solution.score);
    writeln!(out, "{}", paint.strong(&format!("{words} ({number}).")))?;
    let reason = solution.columns.as_ref().and_then(|columns| why(position, columns));
    if let Some(fact) = reason {
        writeln!(out, "{}", sentence(rules, &fact, Names::LETTERS))?;
    }
    writeln!(out)?;
    if let Some(columns) = &solution.columns {
        let mut rows =
            vec![[board_text::place_noun(rules), "result", "score"].map(str::to_owned).to_vec()];
        for column in columns {
            let mark = if column.score == solution.score { "→" } else { " " };
            let name = format!("{mark} {}", column.mv.label(rules));
            rows.push(vec![name, column.verdict.to_string(), column.score.to_string()]);
        }
        write!(out, "{}", table(&rows))?;
    }
    if let Some(line) = &solution.line {
        writeln!(out, "\nBest line: {}", in_a_row(rules, line))?;
    }
    Ok(())
}

fn in_a_row(rules: &Rules, moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.label(rules)).collect::<Vec<_>>().join(" ")
}

//! Grades as text for a terminal.

use super::{Submission, points};
use crate::grade::{PartGrade, Standing};
use crate::rubric::Rubric;
use fourfold_app::text::{Paint, table};

/// How wide sentences are.
const WIDTH: usize = 78;

/// A program's grade; `site` is where the microscope is.
#[must_use]
pub fn student(submission: &Submission, rubric: &Rubric, site: &str, paint: Paint) -> String {
    let mut out = paint.strong(&submission.name) + "\n";
    if let Some(why) = &submission.refused {
        return out + &wrapped(why, "  ", "  ");
    }
    for part in &submission.grade.parts {
        out += &format!(
            "\n{}: {}   {} of {} questions right, {} of {} points\n",
            paint.strong(&part.title),
            part.standing.words(),
            part.right,
            part.asked,
            points(rubric.points(part)),
            points(rubric.worth(&part.part))
        );
        out += &part_text(part, site);
    }
    let (got, most) = rubric.total(&submission.grade);
    out + &format!("\n{} of {} points\n", points(got), points(most))
}

fn part_text(part: &PartGrade, site: &str) -> String {
    let mut out = String::new();
    for sentence in &part.verdict {
        let hang = if sentence.starts_with("- ") { "    " } else { "  " };
        out += &wrapped(sentence, "  ", hang);
    }
    for hint in &part.hints {
        out += &wrapped(&format!("Hint: {hint}"), "  ", "        ");
    }
    for trouble in &part.troubles {
        out += &wrapped(trouble, "  ", "  ");
    }
    let Some(example) = part.example.as_ref().filter(|_| part.standing != Standing::Right) else {
        return out;
    };
    out += "\n  The smallest question that goes wrong:\n";
    for line in &example.shown {
        out += &format!("    {line}\n");
    }
    out += &wrapped(&example.expected, "  expected  ", "            ");
    out += &wrapped(&example.given, "  answered  ", "            ");
    for (index, step) in example.steps.iter().enumerate() {
        let last = index + 1 == example.steps.len();
        let lead = match (last, &example.instead) {
            (false, _) => "                    ",
            (true, Some(_)) => "  first wrong step  ",
            (true, None) => "  it should end so  ",
        };
        out += &wrapped(step, lead, "                    ");
    }
    if let Some(instead) = &example.instead {
        out += &wrapped(instead, "  instead           ", "                    ");
    }
    if let Some(link) = &example.link {
        out += &format!("  {site}{link}\n");
    }
    out
}

/// A sentence in lines.
fn wrapped(text: &str, first: &str, hang: &str) -> String {
    let (mut out, mut line) = (String::new(), first.to_owned());
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out += line.trim_end();
            out.push('\n');
            (line, empty) = (hang.to_owned(), true);
        }
        if !empty {
            line.push(' ');
        }
        line += word;
        empty = false;
    }
    out + line.trim_end() + "\n"
}

/// A class: one line a program.
#[must_use]
pub fn class(submissions: &[Submission], rubric: &Rubric) -> String {
    let mut rows = vec![["program", "points", "what the grader says"].map(str::to_owned).to_vec()];
    for submission in submissions {
        let (got, _) = rubric.total(&submission.grade);
        let said = submission.refused.clone().unwrap_or_else(|| in_short(submission));
        rows.push(vec![submission.name.clone(), points(got), said]);
    }
    left_last(&table(&rows), &rows)
}

/// The findings of a program in a line.
#[must_use]
pub(crate) fn in_short(submission: &Submission) -> String {
    let said = submission.grade.parts.iter().map(|part| {
        let named = match (part.standing, part.faults.is_empty()) {
            (Standing::Right, _) | (_, true) => String::new(),
            _ => format!(" ({})", part.faults.join(", ")),
        };
        format!("{} {}{named}", part.part, part.standing.words())
    });
    if submission.is_right() { "right".to_owned() } else { said.collect::<Vec<_>>().join("; ") }
}

/// The table with its last column at the left of its place.
fn left_last(table: &str, rows: &[Vec<String>]) -> String {
    let mut out = String::new();
    let mut left = rows.iter();
    for (index, line) in table.lines().enumerate() {
        let row = if index == 1 { None } else { left.next() };
        match row.and_then(|row| row.last()) {
            Some(last) => {
                let head = line.strip_suffix(last.as_str()).unwrap_or(line);
                out += head.trim_end();
                out += "  ";
                out += last;
            }
            None => out += line,
        }
        out.push('\n');
    }
    out
}

//! Grades for other programs: CSV, JSON, and Gradescope's `results.json`.

use super::{Submission, points, text};
use crate::grade::Standing;
use crate::rubric::Rubric;
use serde_json::{Value, json};

/// A table for a spreadsheet: one line a program and part.
#[must_use]
pub fn csv(submissions: &[Submission], rubric: &Rubric) -> String {
    let mut out = "program,part,standing,questions,right,points,of,faults,verdict\n".to_owned();
    for submission in submissions {
        let name = field(&submission.name);
        if let Some(why) = &submission.refused {
            out += &format!("{name},,not run,0,0,0,0,,{}\n", field(why));
        }
        for part in &submission.grade.parts {
            let said = [&part.verdict[..], &part.troubles[..]].concat().join(" ");
            out += &format!(
                "{name},{},{},{},{},{},{},{},{}\n",
                part.part,
                field(part.standing.words()),
                part.asked,
                part.right,
                points(rubric.points(part)),
                points(rubric.worth(&part.part)),
                part.faults.join(" "),
                field(&said)
            );
        }
    }
    out
}

/// A field of a CSV file. A formula of a spreadsheet does not come in this way.
fn field(text: &str) -> String {
    let safe = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    let text = format!("{safe}{text}");
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Everything, for programs; drawings are left out.
#[must_use]
pub fn json(submission: &Submission, rubric: &Rubric) -> Value {
    let (got, most) = rubric.total(&submission.grade);
    let mut value = serde_json::to_value(submission).unwrap_or_default();
    let parts = value["grade"]["parts"].take();
    let parts = parts.as_array().cloned().unwrap_or_default().into_iter().map(|mut part| {
        if let Some(Value::Object(example)) = part.get_mut("example") {
            example.remove("svg");
        }
        part
    });
    let parts: Vec<Value> = parts.collect();
    json!({
        "name": submission.name,
        "command": submission.command,
        "refused": submission.refused,
        "right": submission.is_right(),
        "points": got,
        "of": most,
        "parts": parts,
    })
}

/// What Gradescope's autograder reads.
#[must_use]
pub fn gradescope(submission: &Submission, rubric: &Rubric, site: &str) -> Value {
    let tests: Vec<Value> = submission
        .grade
        .parts
        .iter()
        .map(|part| {
            let alone = Submission {
                grade: crate::grade::Grade { parts: vec![part.clone()] },
                ..submission.clone()
            };
            let paint = fourfold_app::text::Paint::new(false);
            let right = part.standing == Standing::Right;
            json!({
                "name": part.title,
                "score": rubric.points(part),
                "max_score": rubric.worth(&part.part),
                "status": if right { "passed" } else { "failed" },
                "output": text::student(&alone, rubric, site, paint),
                "output_format": "text",
            })
        })
        .collect();
    let (got, _) = rubric.total(&submission.grade);
    let output = match &submission.refused {
        Some(why) => why.clone(),
        None => text::in_short(submission),
    };
    json!({ "score": got, "output": output, "visibility": "visible", "tests": tests })
}

//! Which mistakes can be told apart: the table of `docs/teaching.md`.

use crate::diagnosis::{agrees, agrees_in_result};
use crate::fault::{Fault, Faults};
use crate::request::{Answer, Input};
use crate::search::answer;
use crate::suite::{SearchPart, questions};

/// A table in Markdown: for each mistake and part, what the questions cannot tell it from; with the
/// leaves reported, and without.
#[must_use]
pub fn table(seed: u64) -> String {
    let mut out = String::new();
    for part in SearchPart::ALL {
        let inputs = questions(part, seed);
        out += &format!(
            "### {}\n\n{} questions. Mistakes that are not listed do not show in this part.\n\n\
             | mistake | with leaves not told from | without leaves not told from \
             |\n|---|---|---|\n",
            capital(&part.title()),
            inputs.len()
        );
        out += &rows(&inputs);
        out.push('\n');
    }
    out.trim_end().to_owned() + "\n"
}

fn capital(text: &str) -> String {
    fourfold_app::text::capital(text)
}

fn rows(inputs: &[Input]) -> String {
    let of = |faults: Faults| -> Vec<Answer> {
        inputs.iter().map(|input| answer(input, faults)).collect()
    };
    let right = of(Faults::NONE);
    let all: Vec<(Fault, Vec<Answer>)> =
        Fault::ALL.iter().map(|&fault| (fault, of(Faults::of(&[fault])))).collect();
    let same = |fits: fn(&Answer, &Answer) -> bool, one: &[Answer], two: &[Answer]| {
        one.iter().zip(two).all(|(one, two)| fits(one, two))
    };
    let mut out = String::new();
    for (fault, answers) in &all {
        if same(agrees, answers, &right) {
            continue;
        }
        let alike = |fits: fn(&Answer, &Answer) -> bool| {
            let mut names = Vec::new();
            if same(fits, answers, &right) {
                names.push("**a right program**".to_owned());
            }
            for (other, others) in &all {
                if other != fault && same(fits, answers, others) && !same(agrees, others, &right) {
                    names.push(format!("`{other}`"));
                }
            }
            match names.len() {
                // A list of everything that only wastes time helps nobody.
                count if count > 4 => {
                    format!("{} and {} more", names[..3].join(", "), count - 3)
                }
                _ => names.join(", "),
            }
        };
        out += &format!("| `{fault}` | {} | {} |\n", alike(agrees), alike(agrees_in_result));
    }
    out
}

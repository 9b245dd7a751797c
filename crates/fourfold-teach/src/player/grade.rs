//! A player asked and graded, part by part.

use super::fault::{Judged, PlayerFault, Slip, diagnose, slip};
use super::question::{Kind, Question, questions};
use super::{Engine, Played, PlayerPart, position_line};
use crate::example::Example;
use crate::grade::{MOST_TROUBLE, PartGrade, Reply, Standing};
use crate::links;
use crate::part::Part;
use fourfold::game::notation::parse_move;
use fourfold::game::{Cell, Move, Rules, Side};
use fourfold::score::Verdict;
use fourfold_app::draw::board_svg;

/// What players are asked.
#[derive(Debug, Clone)]
pub struct PlayerExercise {
    parts: Vec<(PlayerPart, Vec<Question>)>,
}

/// Positions that may be asked to find the smallest one.
const SHRINKING: usize = 60;
/// Positions that are asked again afresh, to see whether others got in the way.
const ASKED_AGAIN: usize = 3;

impl PlayerExercise {
    /// The parts with the positions of a seed, in a game of lines.
    #[must_use]
    pub fn new(parts: &[PlayerPart], rules: Rules, seed: u64) -> Self {
        Self { parts: parts.iter().map(|&part| (part, questions(part, rules, seed))).collect() }
    }

    /// Asks a player everything.
    pub fn grade(&self, engine: &mut dyn Engine) -> Vec<PartGrade> {
        let mut over = None;
        let mut grades: Vec<PartGrade> = Vec::new();
        for (part, questions) in &self.parts {
            let asked = Asked::new(questions, engine, &mut over);
            let mut grade = asked.grade(*part, engine, over.is_some());
            let is_unexplained = grade.standing == Standing::Wrong && grade.faults.is_empty();
            if is_unexplained && grades.iter().any(|grade| !grade.faults.is_empty()) {
                let advice = "Mend what was found above first: it may explain this as well.";
                grade.verdict.push(advice.to_owned());
            }
            grades.push(grade);
        }
        grades
    }
}

/// The answers of a player.
struct Asked<'a> {
    answered: Vec<(&'a Question, Played)>,
    unanswered: Vec<&'a Question>,
    troubles: Vec<String>,
}

impl<'a> Asked<'a> {
    fn new(questions: &'a [Question], engine: &mut dyn Engine, over: &mut Option<String>) -> Self {
        let mut asked = Self { answered: Vec::new(), unanswered: Vec::new(), troubles: Vec::new() };
        let mut in_a_row = 0;
        for question in questions {
            let reply = match over {
                Some(why) => Reply::Over(why.clone()),
                None if in_a_row >= MOST_TROUBLE => {
                    asked.unanswered.push(question);
                    continue;
                }
                None => engine.best_move(question, false),
            };
            in_a_row += 1;
            let why = match reply {
                Reply::Answer(played) => {
                    in_a_row = 0;
                    asked.answered.push((question, played));
                    continue;
                }
                Reply::Unsupported => "It does not do this.".to_owned(),
                Reply::Trouble(why) => why,
                Reply::Over(why) => {
                    *over = Some(why.clone());
                    why
                }
            };
            asked.unanswered.push(question);
            if !asked.troubles.contains(&why) {
                asked.troubles.push(why);
            }
        }
        asked
    }

    fn grade(self, part: PlayerPart, engine: &mut dyn Engine, over: bool) -> PartGrade {
        let judged: Vec<Judged<'_>> = self
            .answered
            .iter()
            .map(|(question, played)| (*question, played, slip(question, played)))
            .collect();
        let wrong: Vec<&Judged<'_>> = judged.iter().filter(|(.., slip)| slip.is_some()).collect();
        let standing = match (judged.is_empty(), self.unanswered.is_empty(), wrong.is_empty()) {
            (true, true, _) => Standing::NotDone,
            (true, false, _) => Standing::Unanswered,
            (_, false, _) => Standing::Broken,
            (_, _, true) => Standing::Right,
            _ => Standing::Wrong,
        };
        let mut grade = PartGrade {
            asked: judged.len() + self.unanswered.len(),
            right: judged.len() - wrong.len(),
            troubles: self.troubles.clone(),
            ..PartGrade::new(Part::Player(part), standing)
        };
        match standing {
            Standing::NotDone => {
                grade.verdict.push("This game has no such positions.".to_owned());
                return grade;
            }
            Standing::Unanswered => grade.verdict.push("No question was answered.".to_owned()),
            Standing::Broken => grade.verdict.push(format!(
                "{} of {} questions were not answered.",
                self.unanswered.len(),
                grade.asked
            )),
            _ => {}
        }
        let kept = !over && wrong.len() > 1 && are_right_afresh(&wrong, engine);
        let faults = match kept {
            true => vec![PlayerFault::KeepsPosition],
            false => diagnose(part, &judged),
        };
        grade.verdict.extend(verdict(part, &judged, &faults));
        grade.faults = faults.iter().map(|fault| fault.id().to_owned()).collect();
        grade.hints = faults.iter().map(|fault| fault.hint().to_owned()).collect();
        grade.example = match wrong.first() {
            Some((question, played, Some(slip))) if kept || over => {
                Some(example(question, Some((played, *slip))))
            }
            Some((question, played, Some(slip))) => {
                let (question, played, slip) = smallest(question, played, *slip, engine);
                Some(example(&question, Some((&played, slip))))
            }
            _ => self.unanswered.first().map(|question| example(question, None)),
        };
        grade
    }
}

/// Whether a player that has seen no other position finds the right moves.
fn are_right_afresh(wrong: &[&Judged<'_>], engine: &mut dyn Engine) -> bool {
    wrong.iter().take(ASKED_AGAIN).all(|(question, ..)| {
        matches!(engine.best_move(question, true), Reply::Answer(played)
            if slip(question, &played).is_none())
    })
}

/// The diagnosis in words.
fn verdict(part: PlayerPart, judged: &[Judged<'_>], faults: &[PlayerFault]) -> Vec<String> {
    let count = judged.len();
    let wrong = judged.iter().filter(|(.., slip)| slip.is_some()).count();
    let mut said = Vec::new();
    match faults {
        _ if judged.is_empty() => return said,
        [] if wrong == 0 => said.push(format!("Right in all {count} positions answered.")),
        [] => {
            said.push("None of the mistakes that I know explains all of this:".to_owned());
            said.extend(counts(judged));
        }
        _ => {
            let sentences: Vec<&str> = faults.iter().map(|fault| fault.sentence()).collect();
            said.push(format!(
                "Your player {}. It goes wrong in {wrong} of {count} positions.",
                sentences.join(", and ")
            ));
        }
    }
    let tells = |verdict: &Option<Verdict>| {
        matches!(verdict, Some(Verdict::Win { .. } | Verdict::Loss { .. }))
    };
    if part == PlayerPart::Lookahead && !judged.iter().any(|(_, played, _)| tells(&played.verdict))
    {
        said.push(
            "It does not report won and lost games (score mate), so its scores were not checked."
                .to_owned(),
        );
    }
    said
}

/// How often it went wrong, kind by kind.
fn counts(judged: &[Judged<'_>]) -> Vec<String> {
    let mut kinds: Vec<(&str, usize, usize)> = Vec::new();
    for (question, _, slip) in judged {
        let words = question.kind().words();
        let at = kinds.iter().position(|(other, ..)| *other == words).unwrap_or_else(|| {
            kinds.push((words, 0, 0));
            kinds.len() - 1
        });
        kinds[at].1 += usize::from(slip.is_some());
        kinds[at].2 += 1;
    }
    let wrong = kinds.iter().filter(|(_, wrong, _)| *wrong > 0);
    wrong.map(|(words, wrong, all)| format!("- wrong in {wrong} of {all} {words}")).collect()
}

/// The smallest question of its kind that still goes wrong in the same way, and the answer.
fn smallest(
    question: &Question,
    played: &Played,
    slipped: Slip,
    engine: &mut dyn Engine,
) -> (Question, Played, Slip) {
    let mut last = (question.clone(), played.clone(), slipped);
    let mut asked = 0;
    'smaller: loop {
        let from = last.0.clone();
        for small in from.smaller() {
            if asked == SHRINKING {
                return last;
            }
            asked += 1;
            let Reply::Answer(played) = engine.best_move(&small, false) else { return last };
            if slip(&small, &played) == Some(slipped) {
                last = (small, played, slipped);
                continue 'smaller;
            }
        }
        return last;
    }
}

/// A question shown: the board, what is right, what was answered.
fn example(question: &Question, given: Option<(&Played, Slip)>) -> Example {
    let position = question.position();
    let rules = position.rules();
    let labels: Vec<String> = question.moves().iter().map(|mv| mv.label(rules)).collect();
    let line = position_line(rules, question.moves());
    let line = format!("{line}\ngo depth {}", question.depth());
    let mut shown = board_lines(question);
    shown.push(format!(
        "{} to move after {}",
        position.to_move().letter(),
        match labels.is_empty() {
            true => "no moves".to_owned(),
            false => format!("the moves {}", labels.join(" ")),
        }
    ));
    let marks: Vec<Cell> = match question.kind() {
        Kind::Any => Vec::new(),
        _ => question.right().iter().map(|mv| mv.cell(rules)).collect(),
    };
    let extras = board_svg::Extras {
        last: question.moves().last().copied(),
        marks: &marks,
        ..board_svg::Extras::default()
    };
    Example {
        question: line,
        shown,
        expected: expected(question),
        given: given.map_or_else(
            || "no answer".to_owned(),
            |(played, slip)| answered(question, played, slip),
        ),
        steps: Vec::new(),
        instead: None,
        link: Some(links::analyse(rules, question.moves())),
        svg: Some(board_svg::draw_with(position, "The position, the right moves marked", extras)),
    }
}

/// The board as text.
fn board_lines(question: &Question) -> Vec<String> {
    let position = question.position();
    let rules = position.rules();
    let (width, height) = (rules.width() as u8, rules.height() as u8);
    let row = |row: u8| -> String {
        let signs = (0..width).map(|column| {
            let disc = position.at(Cell { column, row });
            format!("{} ", disc.map_or('.', Side::letter))
        });
        signs.collect::<String>().trim_end().to_owned()
    };
    let mut lines: Vec<String> = (0..height).rev().map(row).collect();
    if rules.gravity() {
        let numbers = (1..=width).map(|column| column.to_string());
        lines.push(numbers.collect::<Vec<String>>().join(" "));
    }
    lines
}

fn names(question: &Question, moves: &[Move]) -> String {
    let rules = question.position().rules();
    let labels: Vec<String> = moves.iter().map(|mv| mv.label(rules)).collect();
    let noun = match (rules.gravity(), labels.len()) {
        (true, 1) => "column",
        (true, _) => "columns",
        (false, 1) => "cell",
        (false, _) => "cells",
    };
    match &labels[..] {
        [rest @ .., last] if !rest.is_empty() => {
            format!("{noun} {} or {last}", rest.join(", "))
        }
        _ => format!("{noun} {}", labels.join("")),
    }
}

/// What is right, and why.
fn expected(question: &Question) -> String {
    let right = names(question, question.right());
    match question.kind() {
        Kind::Any => format!("a legal move: {right}"),
        Kind::Win(direction) => {
            format!("{right}: it wins at once, by a line {}", direction.words())
        }
        Kind::Block(direction) => {
            format!("{right}: else the other side wins there, by a line {}", direction.words())
        }
        Kind::WinOrBlock => format!("{right}: it wins at once, so the threat does not matter"),
        Kind::Gift => format!("{right}: after any other move the other side wins at once"),
        Kind::ForcedWin if question.forced().is_none() => {
            format!("any legal move: within {} plies nothing is decided", question.depth())
        }
        Kind::ForcedWin => format!("{right}: the next disc wins, whatever the reply"),
        Kind::ForcedLoss => {
            format!("{right}: after any other move the other side wins within four plies")
        }
        Kind::SoonerWin => format!("{right}: it wins at once, other moves win later"),
    }
}

/// What was answered, in words.
fn answered(question: &Question, played: &Played, slip: Slip) -> String {
    let word = match played.word.as_str() {
        "" => "bestmove without a move".to_owned(),
        word => format!("bestmove {}", fourfold_app::text::excerpt(word)),
    };
    let scored = played.verdict.map_or_else(String::new, |verdict| format!(" ({verdict})"));
    match slip {
        Slip::Full | Slip::Outside | Slip::Unreadable => {
            let why = parse_move(question.position(), &played.word).err();
            why.map_or(word.clone(), |why| format!("{word}: {why}"))
        }
        Slip::Move => word,
        Slip::ReportsDepth => format!(
            "{word}, info depth {} after go depth {}",
            played.depth.unwrap_or(0),
            question.depth()
        ),
        Slip::ScoreSide | Slip::MatePlies | Slip::MateWrong => {
            let truth = question.forced().unwrap_or(0);
            format!("{word}{scored}, where the win takes {truth} plies")
        }
        Slip::TooFar => {
            format!("{word}{scored}, which cannot be known within {} plies", question.depth())
        }
    }
}

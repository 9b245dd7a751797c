//! A program asked, diagnosed and graded, part by part.

use crate::diagnosis::{Diagnosis, agrees, agrees_in_result, agrees_in_value, diagnose};
use crate::example::Example;
use crate::fault::Faults;
use crate::part::Part;
use crate::request::{Answer, Input};
use crate::search::answer;
use crate::shrink::shrink;
use crate::suite::{SearchPart, questions};
use serde::{Deserialize, Serialize};

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply<T = Answer> {
    /// An answer.
    Answer(T),
    /// The program says that it does not do this.
    Unsupported,
    /// No answer: nonsense, an error, silence, a crash. In words.
    Trouble(String),
    /// No answer, and there will be no other: the program has used up its time, say.
    Over(String),
}

impl<T> Reply<T> {
    /// The same with something made of the answer.
    pub fn map<U>(self, of: impl FnOnce(T) -> U) -> Reply<U> {
        match self {
            Self::Answer(answer) => Reply::Answer(of(answer)),
            Self::Unsupported => Reply::Unsupported,
            Self::Trouble(why) => Reply::Trouble(why),
            Self::Over(why) => Reply::Over(why),
        }
    }
}

/// A program that can be asked.
pub trait Program {
    /// Asks it. A program that has ended is started again.
    fn ask(&mut self, input: &Input) -> Reply;
}

/// How well a part was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Everything right.
    Right,
    /// Values and moves right, but more leaves (or others) visited than need be.
    Wasteful,
    /// Values right, moves not.
    WrongMoves,
    /// Values wrong.
    Wrong,
    /// Some questions were not answered.
    Broken,
    /// Nothing was answered.
    Unanswered,
    /// The program does not do this part.
    NotDone,
}

impl Standing {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wasteful => "right, but wasteful",
            Self::WrongMoves => "wrong moves",
            Self::Wrong => "wrong",
            Self::Broken => "breaks down",
            Self::Unanswered => "no answers",
            Self::NotDone => "not done",
        }
    }
}

/// A part of the exercise, graded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartGrade {
    /// The part's id.
    pub part: String,
    /// Its name.
    pub title: String,
    /// How well it was done.
    pub standing: Standing,
    /// Questions asked, and those answered rightly (values and moves).
    pub asked: usize,
    /// See above.
    pub right: usize,
    /// The diagnosis in sentences.
    pub verdict: Vec<String>,
    /// The ids of the mistakes that are named.
    pub faults: Vec<String>,
    /// Where to look, one line a mistake.
    pub hints: Vec<String>,
    /// What kept questions from being answered, each once.
    pub troubles: Vec<String>,
    /// The smallest question that went wrong.
    pub example: Option<Example>,
}

impl PartGrade {
    /// Nothing asked yet.
    #[must_use]
    pub fn new(part: Part, standing: Standing) -> Self {
        Self {
            part: part.id().to_owned(),
            title: part.title(),
            standing,
            asked: 0,
            right: 0,
            verdict: Vec::new(),
            faults: Vec::new(),
            hints: Vec::new(),
            troubles: Vec::new(),
            example: None,
        }
    }

    /// A part that the program does not do, and why.
    #[must_use]
    pub fn not_done(part: Part, why: &str) -> Self {
        Self { verdict: vec![why.to_owned()], ..Self::new(part, Standing::NotDone) }
    }
}

/// A program, graded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// Each part that was asked for.
    pub parts: Vec<PartGrade>,
}

impl Grade {
    /// Whether every part is right. Parts that are not done are not.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.parts.iter().all(|part| part.standing == Standing::Right)
    }
}

/// What is asked.
#[derive(Debug, Clone)]
pub struct Exercise {
    /// The parts with their questions.
    parts: Vec<(SearchPart, Vec<Input>)>,
    /// Whether leaves are looked at.
    leaves: bool,
}

/// Questions in a row without an answer after which a part is given up.
pub(crate) const MOST_TROUBLE: usize = 3;
/// Fewer answers than this are not much to go by.
const FEW: usize = 6;
/// Questions that may be asked to find the smallest one.
const SHRINKING: usize = 300;

impl Exercise {
    /// The parts with the questions of a seed. Without `leaves` the program's word about visited
    /// leaves is ignored.
    #[must_use]
    pub fn new(parts: &[SearchPart], seed: u64, leaves: bool) -> Self {
        let parts = parts.iter().map(|&part| (part, questions(part, seed))).collect();
        Self { parts, leaves }
    }

    /// The parts and their questions.
    #[must_use]
    pub fn parts(&self) -> &[(SearchPart, Vec<Input>)] {
        &self.parts
    }

    /// Asks a program everything.
    pub fn grade(&self, program: &mut dyn Program) -> Grade {
        let mut over = None;
        let parts = self.parts.iter().map(|(part, inputs)| {
            let asked = Asked::new(inputs, program, self.leaves, &mut over);
            asked.grade(*part, program, self.leaves, over.is_some())
        });
        Grade { parts: parts.collect() }
    }
}

/// The answers of a program.
struct Asked<'a> {
    answered: Vec<(&'a Input, Answer)>,
    unanswered: Vec<&'a Input>,
    unsupported: usize,
    troubles: Vec<String>,
}

impl<'a> Asked<'a> {
    fn new(
        inputs: &'a [Input],
        program: &mut dyn Program,
        leaves: bool,
        over: &mut Option<String>,
    ) -> Self {
        let mut asked =
            Self { answered: Vec::new(), unanswered: Vec::new(), unsupported: 0, troubles: vec![] };
        let mut in_a_row = 0;
        for input in inputs {
            let reply = match over {
                Some(why) => Reply::Over(why.clone()),
                None if in_a_row >= MOST_TROUBLE => {
                    asked.unanswered.push(input);
                    continue;
                }
                None => program.ask(input),
            };
            in_a_row += 1;
            match reply {
                Reply::Answer(mut given) => {
                    in_a_row = 0;
                    if !leaves {
                        (given.leaves, given.visited) = (None, None);
                    }
                    asked.answered.push((input, given));
                }
                Reply::Unsupported => {
                    in_a_row = 0;
                    asked.unsupported += 1;
                }
                Reply::Trouble(why) => asked.trouble(input, why),
                Reply::Over(why) => {
                    *over = Some(why.clone());
                    asked.trouble(input, why);
                }
            }
        }
        asked
    }

    fn trouble(&mut self, input: &'a Input, why: String) {
        self.unanswered.push(input);
        if !self.troubles.contains(&why) {
            self.troubles.push(why);
        }
    }

    fn tells_values(&self) -> bool {
        self.answered.iter().any(|(_, given)| given.value.is_some())
    }

    fn standing(&self) -> Standing {
        let all = |fits: fn(&Answer, &Answer) -> bool| {
            self.answered.iter().all(|(input, given)| fits(given, &answer(input, Faults::NONE)))
        };
        match () {
            () if self.answered.is_empty() && self.unanswered.is_empty() => Standing::NotDone,
            () if self.answered.is_empty() => Standing::Unanswered,
            () if !self.unanswered.is_empty() => Standing::Broken,
            () if all(agrees) => Standing::Right,
            () if all(agrees_in_result) => Standing::Wasteful,
            () if all(agrees_in_value) && self.tells_values() => Standing::WrongMoves,
            () => Standing::Wrong,
        }
    }

    fn grade(
        &self,
        part: SearchPart,
        program: &mut dyn Program,
        leaves: bool,
        over: bool,
    ) -> PartGrade {
        let standing = self.standing();
        let answered: Vec<(&Input, &Answer)> =
            self.answered.iter().map(|(input, given)| (*input, given)).collect();
        let right =
            |input: &Input, given: &Answer| agrees_in_result(given, &answer(input, Faults::NONE));
        let mut grade = PartGrade {
            asked: self.answered.len() + self.unanswered.len(),
            right: answered.iter().filter(|(input, given)| right(input, given)).count(),
            troubles: self.troubles.clone(),
            ..PartGrade::new(Part::Search(part), standing)
        };
        if matches!(standing, Standing::NotDone | Standing::Unanswered) {
            grade.verdict.push(match standing {
                Standing::NotDone => "The program says that it does not do this.".to_owned(),
                _ => "No question was answered.".to_owned(),
            });
            grade.example = self.unanswered.first().map(|input| Example::new(input, None, None));
            return grade;
        }
        let mut with_leaves = leaves;
        let mut found = diagnose(&answered, leaves);
        if matches!(found, Diagnosis::Unknown { .. }) && leaves {
            // The leaves may be counted in a way of the program's own.
            let plain = diagnose(&answered, false);
            if !matches!(plain, Diagnosis::Unknown { .. }) {
                (found, with_leaves) = (plain, false);
            }
        }
        let is_known = matches!(found, Diagnosis::Single(_) | Diagnosis::Pairs(_));
        if standing == Standing::Wasteful && !is_known && self.surplus() <= 0 {
            grade.standing = Standing::Right;
            grade.verdict = vec![format!(
                "Right on all {} questions answered. It does not visit the leaves that plain {} \
                 visits, but not more of them either: a table, or another order?",
                self.answered.len(),
                part.algorithm()
            )];
            return grade;
        }
        let named = found.named();
        grade.faults = named.iter().map(|fault| fault.id().to_owned()).collect();
        grade.hints = named.iter().map(|fault| fault.hint().to_owned()).collect();
        grade.verdict = self.verdict(part, standing, &found, leaves && !with_leaves);
        let fits = if standing == Standing::Wasteful { agrees } else { agrees_in_result };
        let wrong =
            answered.iter().find(|(input, given)| !fits(given, &answer(input, Faults::NONE)));
        grade.example = match wrong {
            Some((input, given)) => {
                let (input, given) = if over {
                    ((*input).clone(), (*given).clone())
                } else {
                    smallest(input, given, program, leaves, fits)
                };
                Some(Example::new(&input, Some(&given), found.model()))
            }
            None => self.unanswered.first().map(|input| Example::new(input, None, None)),
        };
        grade
    }

    /// The diagnosis in words.
    fn verdict(
        &self,
        part: SearchPart,
        standing: Standing,
        found: &Diagnosis,
        odd_leaves: bool,
    ) -> Vec<String> {
        let count = self.answered.len();
        let plural = if count == 1 { "" } else { "s" };
        let questions = format!("{count} of {count} question{plural}");
        let search = part.algorithm();
        let mut said = Vec::new();
        if !self.unanswered.is_empty() {
            let (none, all) = (self.unanswered.len(), count + self.unanswered.len());
            said.push(format!("{none} of {all} questions were not answered."));
        }
        if standing == Standing::Wasteful {
            said.extend(self.waste(part));
        }
        match found {
            Diagnosis::Right if standing == Standing::Wasteful || odd_leaves => said.push(
                "Values and moves are right, but the leaves it reports fit no search that I know."
                    .to_owned(),
            ),
            Diagnosis::Right => said.push(match count {
                1 => "Right on the only question answered.".to_owned(),
                _ => format!("Right on all {count} questions answered."),
            }),
            Diagnosis::Single(faults) if faults.len() == 1 => said.push(format!(
                "Your program behaves exactly like {search} that {} ({questions}).",
                faults[0].sentence()
            )),
            Diagnosis::Single(faults) => {
                said.push(format!(
                    "Your program behaves exactly like {search} with one of these mistakes, which \
                     your answers do not tell apart ({questions}):"
                ));
                said.extend(faults.iter().map(|fault| format!("- it {}", fault.sentence())));
            }
            Diagnosis::Pairs(pairs) => {
                let [one, two] = pairs[0];
                said.push(format!(
                    "No single mistake that I know explains every answer, but two at once do: \
                     your program behaves exactly like {search} that {}, and that {} \
                     ({questions}).",
                    one.sentence(),
                    two.sentence()
                ));
                if pairs.len() > 1 {
                    said.push("Other pairs would explain them as well.".to_owned());
                }
            }
            Diagnosis::Unknown { closest } => {
                said.push("None of the mistakes that I know explains all answers.".to_owned());
                if let Some((fault, explained)) = closest {
                    said.push(format!(
                        "The closest is {search} that {} ({explained} of {count} questions).",
                        fault.sentence()
                    ));
                }
            }
        }
        if odd_leaves && standing != Standing::Wasteful && *found != Diagnosis::Right {
            said.push("The leaves it reports fit no search that I know.".to_owned());
        }
        if (1..FEW).contains(&count) {
            said.push(format!("With {count} answer{plural} that is not much to go by."));
        }
        let silent = self.answered.iter().all(|(_, given)| given.leaf_count().is_none());
        if silent && part.algorithm() == crate::Algorithm::AlphaBeta {
            said.push(
                "It does not report the leaves it visits, so what it cuts was not checked."
                    .to_owned(),
            );
        }
        said
    }

    /// Leaves visited beyond those that the right search visits, in all questions.
    fn surplus(&self) -> i64 {
        self.answered.iter().map(|(input, given)| surplus(input, given)).sum()
    }

    /// How many leaves are visited that need not be, in the question where it is worst.
    fn waste(&self, part: SearchPart) -> Option<String> {
        let (input, given) =
            self.answered.iter().max_by_key(|(input, given)| surplus(input, given))?;
        let visited = given.leaf_count()?;
        let needed = answer(input, Faults::NONE).visited?;
        (visited > needed).then(|| {
            let moves = if given.mv.is_some() { " and moves" } else { "" };
            format!(
                "Right values{moves}, but it visits {visited} leaves where {} with this order \
                 visits {needed}.",
                part.algorithm()
            )
        })
    }
}

/// Leaves visited beyond those that the right search visits.
fn surplus(input: &Input, given: &Answer) -> i64 {
    let needed = answer(input, Faults::NONE).visited.unwrap_or(0) as i64;
    given.leaf_count().map_or(0, |visited| visited as i64 - needed)
}

/// The smallest question that still goes wrong in the same way, and its answer.
fn smallest(
    input: &Input,
    given: &Answer,
    program: &mut dyn Program,
    leaves: bool,
    fits: fn(&Answer, &Answer) -> bool,
) -> (Input, Answer) {
    let mut last = given.clone();
    let mut broken = false;
    let small = shrink(input, SHRINKING, |candidate| {
        if broken {
            return false;
        }
        match program.ask(candidate) {
            Reply::Answer(mut other) => {
                if !leaves {
                    (other.leaves, other.visited) = (None, None);
                }
                let wrong = !fits(&other, &answer(candidate, Faults::NONE));
                if wrong {
                    last = other;
                }
                wrong
            }
            Reply::Unsupported => false,
            Reply::Trouble(_) | Reply::Over(_) => {
                broken = true;
                false
            }
        }
    });
    (small, last)
}

//! Which mistakes explain what a program answered.

use crate::fault::{Fault, Faults};
use crate::request::{Answer, Input};
use crate::search::answer;
use crate::suite::sizes;

/// Whether a program's answer is what a search would answer, as far as the program reports.
#[must_use]
pub fn agrees(given: &Answer, model: &Answer) -> bool {
    let counts = given.leaves.is_some() || given.visited.is_none_or(|n| Some(n) == model.visited);
    let leaves = given.leaves.is_none() || sizes(given) == sizes(model);
    agrees_in_result(given, model) && counts && leaves
}

/// The same for value and move alone.
#[must_use]
pub fn agrees_in_result(given: &Answer, model: &Answer) -> bool {
    agrees_in_value(given, model) && given.mv.is_none_or(|mv| Some(mv) == model.mv)
}

/// The same for the value alone.
#[must_use]
pub fn agrees_in_value(given: &Answer, model: &Answer) -> bool {
    given.value.is_none_or(|value| Some(value) == model.value)
}

/// What explains the answers of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Diagnosis {
    /// Nothing is wrong.
    Right,
    /// Each of these mistakes alone explains all answers.
    Single(Vec<Fault>),
    /// Two mistakes together explain all answers; several such pairs may.
    Pairs(Vec<[Fault; 2]>),
    /// Nothing known explains all of them.
    Unknown {
        /// The mistake that explains most, and how many answers.
        closest: Option<(Fault, usize)>,
    },
}

/// Pairs that are named at most.
const MOST_PAIRS: usize = 3;

/// Finds what explains the answers. With `leaves` the leaves visited must be explained too, as far
/// as they were reported.
#[must_use]
pub fn diagnose(answered: &[(&Input, &Answer)], leaves: bool) -> Diagnosis {
    let fits = if leaves { agrees } else { agrees_in_result };
    let explained = |faults: Faults| {
        answered.iter().filter(|(input, given)| fits(given, &answer(input, faults))).count()
    };
    let explains = |faults: Faults| {
        let all = |faults: Faults| {
            answered.iter().all(|(input, given)| fits(given, &answer(input, faults)))
        };
        faults.both_ways().into_iter().any(all)
    };
    if explains(Faults::NONE) {
        return Diagnosis::Right;
    }
    let alone = |&fault: &Fault| explains(Faults::of(&[fault]));
    let single: Vec<Fault> = Fault::ALL.iter().copied().filter(alone).collect();
    if !single.is_empty() {
        return Diagnosis::Single(single);
    }
    let mut pairs = Vec::new();
    for (index, &one) in Fault::ALL.iter().enumerate() {
        for &two in &Fault::ALL[index + 1..] {
            if pairs.len() < MOST_PAIRS && explains(Faults::of(&[one, two])) {
                pairs.push([one, two]);
            }
        }
    }
    if !pairs.is_empty() {
        return Diagnosis::Pairs(pairs);
    }
    let right = explained(Faults::NONE);
    let closest = Fault::ALL
        .iter()
        .map(|&fault| (fault, explained(Faults::of(&[fault]))))
        .rev()
        .max_by_key(|(_, count)| *count)
        // A mistake that explains little more than no mistake at all would be a guess.
        .filter(|&(_, count)| count > right + 1 && 10 * count >= 7 * answered.len());
    Diagnosis::Unknown { closest }
}

impl Diagnosis {
    /// A set of mistakes that explains the answers, the first if there are several. It may have to
    /// compare best values ([`Faults::comparing_best`]).
    #[must_use]
    pub fn model(&self) -> Option<Faults> {
        match self {
            Self::Right => Some(Faults::NONE),
            Self::Single(faults) => Some(Faults::of(&faults[..1])),
            Self::Pairs(pairs) => Some(Faults::of(&pairs[0])),
            Self::Unknown { .. } => None,
        }
    }

    /// Every mistake that is named.
    #[must_use]
    pub fn named(&self) -> Vec<Fault> {
        match self {
            Self::Single(faults) => faults.clone(),
            Self::Pairs(pairs) => pairs[0].to_vec(),
            Self::Right | Self::Unknown { .. } => Vec::new(),
        }
    }
}

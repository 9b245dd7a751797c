//! Positions out of random games, each position once.

use crate::errors::OptionError;
use crate::searching::rules_given;
use crate::solving::Batch;
use fourfold::game::{Position, Rules};
use fourfold::play::random_position;
use fourfold::random::Random;
use pyo3::prelude::*;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

/// Games in a row without a new position, after which there is none left.
const MOST_MISSES: u64 = 20_000;

/// Draws positions: which ones follows from the arguments alone.
#[pyclass(frozen)]
#[derive(Debug)]
pub(crate) struct Sampler {
    rules: Rules,
    plies: RangeInclusive<u32>,
    seed: u64,
    unique: bool,
    hasher: RandomState,
    drawn: Mutex<Drawn>,
}

#[derive(Debug, Default)]
struct Drawn {
    /// The number of the next game.
    number: u64,
    /// Hashes of the positions so far, the same for mirror images. A new position that happens to
    /// share one is passed over, which does no harm and hardly ever happens.
    seen: HashSet<u64>,
}

#[pymethods]
impl Sampler {
    #[new]
    fn new(
        game: Option<&Bound<'_, PyAny>>,
        least: u32,
        most: u32,
        seed: u64,
        unique: bool,
    ) -> PyResult<Self> {
        let rules = rules_given(game)?;
        if least > most || most >= rules.cells() {
            return Err(OptionError::new_err(format!(
                "the plies are a range within 0 to {}, not {least} to {most}",
                rules.cells() - 1
            )));
        }
        let (hasher, drawn) = (RandomState::new(), Mutex::default());
        Ok(Self { rules, plies: least..=most, seed, unique, hasher, drawn })
    }

    /// The next positions; fewer if there are no more.
    fn draw(&self, py: Python<'_>, count: usize) -> Batch {
        let positions = py.detach(|| {
            let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
            let mut positions = Vec::with_capacity(count.min(1 << 20));
            let mut misses = 0;
            while positions.len() < count && misses < MOST_MISSES {
                match self.next(&mut drawn) {
                    Some(position) => {
                        positions.push(position);
                        misses = 0;
                    }
                    None => misses += 1,
                }
            }
            positions
        });
        Batch::new(self.rules, positions)
    }
}

impl Sampler {
    fn next(&self, drawn: &mut Drawn) -> Option<Position> {
        let mut random = Random::for_item(self.seed, drawn.number);
        drawn.number += 1;
        let (position, _) = random_position(&self.rules, self.plies.clone(), &mut random)?;
        let is_new = !self.unique || drawn.seen.insert(self.hasher.hash_one(position.canonical()));
        is_new.then_some(position)
    }
}

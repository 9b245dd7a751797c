//! Worksheets on request: the parameters of a call, and the exercises as JSON.

use super::{Job, Params, Problem};
use crate::worksheet::{BRANCHES, COUNTS, Kind, LEVELS, Sheet, SheetError};
use serde_json::Value;
use std::ops::RangeInclusive;

/// The sheet that is asked for.
#[derive(Debug)]
pub struct Worksheet(Sheet);

impl Worksheet {
    /// What is asked for.
    ///
    /// # Errors
    /// If a parameter makes no sense.
    pub fn of(params: &Params) -> Result<Self, Problem> {
        let within = |name: &str, usual, range: RangeInclusive<u64>| {
            let number = params.number(name)?.unwrap_or(usual);
            if range.contains(&number) {
                return Ok(number);
            }
            let (least, most) = range.into_inner();
            Err(Problem::bad(name, format!("{number} is not from {least} to {most}")))
        };
        let named = |text: &str| {
            let known = || {
                let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
                format!("there is no kind {text:?}; there are: {}", names.join(", "))
            };
            Kind::named(text).ok_or_else(|| Problem::bad("kinds", known()))
        };
        let kinds = params.text("kinds").filter(|text| !text.is_empty());
        let sheet = Sheet {
            kinds: kinds
                .map_or(Ok(Kind::ALL.to_vec()), |kinds| kinds.split(',').map(named).collect())?,
            count: within("count", 6, COUNTS)?,
            branches: within("branches", 3, BRANCHES)?,
            levels: within("levels", 2, LEVELS)?,
            seed: params.number("seed")?.unwrap_or(1),
        };
        sheet.check().map_err(|why| Problem::bad("levels", why))?;
        Ok(Self(sheet))
    }

    /// The exercises with their answers.
    ///
    /// # Errors
    /// If memory is lacking, or nobody waits for them any more.
    pub fn exercises(&self, job: &Job<'_>) -> Result<Value, Problem> {
        let exercises = self.0.exercises(job.pool, &job.budget()).map_err(|why| match why {
            SheetError::Stopped => Problem::unfinished(why),
            _ => Problem::internal(why),
        })?;
        Ok(self.0.json(&exercises))
    }
}

#![doc = include_str!("../README.md")]

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod abi;

use fourfold::book::Books;
use fourfold::budget::{Budget, Clock};
use fourfold::solver::{SolverOptions, SolverPool};
use fourfold_app::service::{self, Job, Params, Problem};
use serde_json::{Value, json};
use std::time::Duration;

/// The most time that a call may take.
const MOST_TIME: Duration = Duration::from_secs(10);
/// Requests longer than this are refused, in bytes.
const LONGEST_REQUEST: usize = 64 << 10;

/// The engine: answers requests one after the other, and keeps what its solver has proven.
#[derive(Debug)]
pub struct Engine {
    pool: SolverPool,
    clock: Clock,
}

impl Engine {
    /// An engine that reads time from this clock.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { pool: SolverPool::new(SolverOptions::default(), Books::Embedded), clock }
    }

    /// Answers a request, whatever it is. `tell` gets the events of the call.
    pub fn respond(&self, request: &[u8], tell: &mut dyn FnMut(&'static str, &Value)) -> String {
        match self.answer(request, tell) {
            Ok((answer, true)) => format!("{{\"status\":200,\"answer\":{}}}", Value::from(answer)),
            Ok((answer, false)) => format!("{{\"status\":200,\"answer\":{answer}}}"),
            Err(problem) => json!({ "status": problem.status(), "answer": problem }).to_string(),
        }
    }

    /// The answer, and whether it is a text rather than JSON.
    fn answer(
        &self,
        request: &[u8],
        tell: &mut dyn FnMut(&'static str, &Value),
    ) -> Result<(String, bool), Problem> {
        if request.len() > LONGEST_REQUEST {
            let detail = format!("the request is longer than {LONGEST_REQUEST} bytes");
            return Err(Problem::new(413, "too_large", detail));
        }
        let request: Value = serde_json::from_slice(request)
            .map_err(|why| Problem::malformed(format!("the request is not JSON: {why}")))?;
        let Some(call) = request["call"].as_str() else {
            return Err(Problem::malformed("the request names no call"));
        };
        let given = match &request["params"] {
            Value::Object(members) => Params::texts(members.clone())?,
            Value::Null => Vec::new(),
            _ => return Err(Problem::malformed("params is not a JSON object")),
        };
        let budget = Budget::unlimited().with_clock(self.clock);
        let job = Job::new(&self.pool, budget, MOST_TIME);
        let answer = service::answer(&job, call, given, tell)?;
        Ok((answer, call.ends_with(".svg")))
    }
}

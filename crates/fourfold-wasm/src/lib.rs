#![doc = include_str!("../README.md")]

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod abi;

use fourfold::book::Books;
use fourfold::budget::{Budget, Clock};
use fourfold::solver::{SolverOptions, SolverPool};
use fourfold_app::service::{self, Job, Params, Problem, SOLVE, Solve, SolveProgress};
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
    /// For whoever wants something proven anew.
    without_book: SolverPool,
    clock: Clock,
    under_way: Option<UnderWay>,
}

/// An analysis that is asked for slice by slice.
#[derive(Debug)]
struct UnderWay {
    given: Vec<(String, String)>,
    solve: Solve,
    progress: SolveProgress,
}

/// What is answered: JSON, a text, or how far an analysis is.
enum Reply {
    Json(String),
    Text(String),
    Unfinished(Value),
}

/// Gets the events of a call.
type Tell<'a> = &'a mut dyn FnMut(&'static str, &Value);

impl Engine {
    /// An engine that reads time from this clock.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let pool = |books| SolverPool::new(SolverOptions::default(), books);
        let (pool, without_book) = (pool(Books::Embedded), pool(Books::None));
        Self { pool, without_book, clock, under_way: None }
    }

    /// Answers a request, whatever it is. `tell` gets the events of the call.
    pub fn respond(&mut self, request: &[u8], tell: Tell<'_>) -> String {
        match self.answer(request, tell) {
            Ok(Reply::Json(answer)) => format!("{{\"status\":200,\"answer\":{answer}}}"),
            Ok(Reply::Text(text)) => json!({ "status": 200, "answer": text }).to_string(),
            Ok(Reply::Unfinished(far)) => json!({ "status": 202, "answer": far }).to_string(),
            Err(problem) => json!({ "status": problem.status(), "answer": problem }).to_string(),
        }
    }

    fn answer(&mut self, request: &[u8], tell: Tell<'_>) -> Result<Reply, Problem> {
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
        let under_way = self.under_way.take();
        let budget = Budget::unlimited().with_clock(self.clock);
        let pool = if request["book"] == false { &self.without_book } else { &self.pool };
        let job = Job::new(pool, budget, MOST_TIME);
        match (call, request["slice"].as_u64()) {
            ("solve", Some(nodes)) => {
                let under_way = under_way.filter(|under_way| under_way.given == given);
                let (reply, left) = slice(&job, &request, given, under_way, nodes, tell)?;
                self.under_way = left;
                Ok(reply)
            }
            _ => {
                let answer = service::answer(&job, call, given, tell)?;
                let drawn = call.ends_with(".svg");
                Ok(if drawn { Reply::Text(answer) } else { Reply::Json(answer) })
            }
        }
    }
}

/// Goes on with an analysis for so many nodes: the answer, and what is left to do.
fn slice(
    job: &Job<'_>,
    request: &Value,
    given: Vec<(String, String)>,
    under_way: Option<UnderWay>,
    nodes: u64,
    tell: Tell<'_>,
) -> Result<(Reply, Option<UnderWay>), Problem> {
    let mut under_way = match under_way {
        Some(under_way) => under_way,
        None => {
            let solve = Solve::of(&Params::new(given.clone(), SOLVE)?, MOST_TIME)?;
            let whole = request["only"].is_null() && request["book"] != false;
            if let Some(answer) = solve.from_book(&Books::Embedded).filter(|_| whole) {
                return Ok((Reply::Json(answer.to_string()), None));
            }
            if request["book"] == false {
                solve.forget(job)?;
            }
            let progress = solve.begin(job);
            UnderWay { given, solve, progress }
        }
    };
    let UnderWay { solve, progress, .. } = &mut under_way;
    // One move for somebody who has the others searched elsewhere.
    if let Some(label) = request["only"].as_str() {
        return Ok(match solve.one(job, label, Some(nodes))? {
            Some(found) => (Reply::Json(found.to_string()), None),
            None => (Reply::Unfinished(json!({})), Some(under_way)),
        });
    }
    let found = request["found"].as_array().map_or(&[][..], Vec::as_slice);
    let found: Option<Vec<(&str, i32)>> = found
        .iter()
        .map(|found| {
            let score = i32::try_from(found["score"].as_i64()?).ok()?;
            Some((found["move"].as_str()?, score))
        })
        .collect();
    let found = found.ok_or_else(|| {
        Problem::malformed("found is a list of objects with a move and its score")
    })?;
    solve.take(progress, &found, tell)?;
    Ok(match solve.go_on(job, progress, Some(nodes), tell)? {
        Some(answer) => (Reply::Json(answer.to_string()), None),
        None => {
            let open = solve.open_moves(progress);
            (Reply::Unfinished(json!({ "open": open })), Some(under_way))
        }
    })
}

//! Notebooks for otter-grader and nbgrader: one exercise each, its tests computed by the library.
//!
//! Both get the same questions. Students see the first few; the others are hidden.

use super::CourseError;
use super::lesson::Lesson;
use crate::fault::Faults;
use crate::request::{Input, Node, Problem};
use crate::search::answer;
use crate::suite::{SearchPart, candidate};
use fourfold::random::Random;
use fourfold::search::Turn;
use fourfold_app::worksheet::{Kind, Sheet, Task, seed_of};
use serde_json::{Value, json};

/// Questions that students see, and those that they do not.
const SHOWN: usize = 4;
const HIDDEN: usize = 12;
/// Leaves of the trees that are asked: to be checked by hand when something is wrong.
const MOST_LEAVES: usize = 24;

/// What a notebook asks.
struct Exercise {
    prompt: &'static str,
    /// The function that solves it; its first line is where students begin.
    solved: &'static str,
    /// Calls with what they return, in Python.
    cases: Vec<(String, String)>,
}

/// The files of a notebook, by their paths.
pub(super) fn files(
    name: &str,
    lesson: &Lesson,
    number: usize,
    seed: u64,
) -> Result<Vec<(String, String)>, CourseError> {
    let seed = seed_of(seed, name);
    let exercise = match name {
        "minimax" => Exercise {
            prompt: "Write `minimax(tree, maximising=True)`. A tree is a number or a list of \
                     trees; \
                     return its value for MAX. MAX moves at the root if `maximising` is true.",
            solved: include_str!("../../course/minimax.py"),
            cases: tree_cases("minimax", SearchPart::MinimaxTrees, seed, |input| {
                answer(input, Faults::NONE).value.map(|value| value.to_string())
            }),
        },
        "alphabeta" => Exercise {
            prompt: "Write `alphabeta(tree, maximising=True)`. Return the value for MAX and the \
                     list of the leaves visited, in order. Cut as soon as alpha reaches beta.",
            solved: include_str!("../../course/alphabeta.py"),
            cases: tree_cases("alphabeta", SearchPart::AlphaBetaTrees, seed, |input| {
                let right = answer(input, Faults::NONE);
                let leaves = Value::from(right.leaves?).to_string().replace(',', ", ");
                Some(format!("({}, {leaves})", right.value?))
            }),
        },
        "order" => Exercise {
            prompt: "Write `best_first(tree, maximising=True)`: the same tree with the children of \
                     every node in the order in which alpha-beta visits the fewest leaves, the \
                     best child first. Keep equal children in the order they were in.",
            solved: include_str!("../../course/order.py"),
            cases: sheet_cases(Kind::Order, seed, |task| match task {
                Task::Tree(task) => Some((
                    format!("best_first({})", python_list(&task.text())),
                    python_list(&task.sorted),
                )),
                _ => None,
            })?,
        },
        "evaluate" => Exercise {
            prompt: "Write `evaluate(rows, side)` for tic-tac-toe. `rows` are three strings from \
                     the top, of `.`, `x` and `o`; `side` is `\"x\"` or `\"o\"`. A line that only \
                     one side can still complete counts 1 for it with one disc and 3 with two. \
                     Return what the lines of `side` count, less what those of the other side do.",
            solved: include_str!("../../course/evaluate.py"),
            cases: sheet_cases(Kind::Evaluation, seed, |task| match task {
                Task::Evaluation(task) => {
                    let position = &task.entry.position;
                    let drawn = position.to_string();
                    let rows: Vec<String> =
                        drawn.lines().take(3).map(|row| row.replace(' ', "")).collect();
                    let side = position.to_move().letter();
                    let rows = Value::from(rows).to_string().replace(',', ", ");
                    Some((format!("evaluate({rows}, \"{side}\")"), task.value.to_string()))
                }
                _ => None,
            })?,
        },
        other => {
            return Err(CourseError::Description(format!("there is no notebook {other:?}")));
        }
    };
    Ok(exercise.files(name, lesson, number))
}

/// `((3 5) 2)` as Python writes it.
fn python_list(tree: &str) -> String {
    tree.replace('(', "[").replace(')', "]").replace(' ', ", ")
}

/// Small trees with what a call on them returns.
fn tree_cases(
    function: &str,
    part: SearchPart,
    seed: u64,
    expected: impl Fn(&Input) -> Option<String>,
) -> Vec<(String, String)> {
    let mut cases = Vec::new();
    let mut random = Random::new(seed);
    let start = random.below(1 << 20) as u64;
    for number in start.. {
        let input = candidate(part, seed, number);
        let Problem::Tree { root, tree } = &input.problem else { break };
        if tree.leaves() > MOST_LEAVES || matches!(tree, Node::Leaf(_)) {
            continue;
        }
        let Some(value) = expected(&input) else { continue };
        let maximising = if *root == Turn::Max { "True" } else { "False" };
        let call = format!("{function}({}, {maximising})", python_list(&tree.to_string()));
        if !cases.iter().any(|(other, _)| *other == call) {
            cases.push((call, value));
        }
        if cases.len() == SHOWN + HIDDEN {
            break;
        }
    }
    cases
}

/// The exercises of a worksheet as calls.
fn sheet_cases(
    kind: Kind,
    seed: u64,
    case: impl Fn(&Task) -> Option<(String, String)>,
) -> Result<Vec<(String, String)>, CourseError> {
    let count = (SHOWN + HIDDEN) as u64;
    let sheet = Sheet { kinds: vec![kind], count, branches: 3, levels: 2, seed };
    let pool = fourfold::solver::SolverPool::new(
        fourfold::solver::SolverOptions::default(),
        fourfold::book::Books::None,
    );
    let exercises = sheet.exercises(&pool, &fourfold::budget::Budget::unlimited())?;
    Ok(exercises.iter().filter_map(|exercise| case(&exercise.task)).collect())
}

impl Exercise {
    fn files(&self, name: &str, lesson: &Lesson, number: usize) -> Vec<(String, String)> {
        let (shown, hidden) = self.cases.split_at(SHOWN.min(self.cases.len()));
        let intro = format!("# Lesson {number}: {}\n\n{}", lesson.title, self.prompt);
        let (head, solution) = self.solved.split_once('\n').unwrap_or((self.solved, ""));
        let starter = format!("{head}\n    raise NotImplementedError  # your code\n");
        let asserts = |cases: &[(String, String)]| {
            let line = |(call, value): &(String, String)| format!("assert {call} == {value}\n");
            cases.iter().map(line).collect::<String>()
        };

        // nbgrader strips what stands between its marks.
        let body = format!("{head}\n    ### BEGIN SOLUTION\n{solution}    ### END SOLUTION\n");
        let tests = format!(
            "{}### BEGIN HIDDEN TESTS\n{}### END HIDDEN TESTS\n",
            asserts(shown),
            asserts(hidden)
        );
        let mark = |id: &str, grade: bool, points: Option<u32>| {
            let mut mark = json!({
                "grade": grade, "grade_id": id, "locked": grade, "schema_version": 3,
                "solution": !grade, "task": false,
            });
            if let Some(points) = points {
                mark["points"] = points.into();
            }
            json!({ "nbgrader": mark })
        };
        let source = document(&[
            cell("markdown", "intro", &intro, &json!({})),
            cell("code", "answer", &body, &mark(name, false, None)),
            cell("code", "tests", &tests, &mark(&format!("{name}-tests"), true, Some(10))),
        ]);

        // otter reads tests from files beside the notebook.
        let student = |code: &str| {
            document(&[
                cell(
                    "code",
                    "begin",
                    &format!("import otter\n\ngrader = otter.Notebook(\"{name}.ipynb\")"),
                    &json!({}),
                ),
                cell("markdown", "intro", &intro, &json!({})),
                cell("code", "answer", code, &json!({})),
                cell("code", "check", &format!("grader.check(\"{name}\")"), &json!({})),
            ])
        };
        let otter = |cases: &[(String, String)]| {
            let case = |(index, (call, value)): (usize, &(String, String))| {
                let hidden = if index < SHOWN { "False" } else { "True" };
                format!(
                    "                {{\n                    \"code\": {},\n                    \
                     \"hidden\": {hidden},\n                    \"locked\": \
                     False,\n                \
                     }},\n",
                    Value::from(format!(">>> {call} == {value}\nTrue"))
                )
            };
            let cases: String = cases.iter().enumerate().map(case).collect();
            format!(
                "OK_FORMAT = True\n\ntest = {{\n    \"name\": \"{name}\",\n    \"points\": \
                 10,\n    \
                 \"suites\": [\n        {{\n            \"cases\": \
                 [\n{cases}            ],\n            \
                 \"scored\": True,\n            \"setup\": \"\",\n            \"teardown\": \"\",\n            \
                 \"type\": \"doctest\",\n        }},\n    ],\n}}\n"
            )
        };
        let config = "c = get_config()\nc.CourseDirectory.course_id = \"fourfold\"\n";
        vec![
            ("nbgrader/nbgrader_config.py".to_owned(), config.to_owned()),
            (format!("nbgrader/source/{name}/{name}.ipynb"), source),
            (format!("otter/student/{name}.ipynb"), student(&starter)),
            (format!("otter/student/tests/{name}.py"), otter(shown)),
            (format!("otter/teacher/{name}.ipynb"), student(self.solved)),
            (format!("otter/teacher/tests/{name}.py"), otter(&self.cases)),
        ]
    }
}

fn cell(kind: &str, id: &str, source: &str, metadata: &Value) -> Value {
    let mut cell = json!({
        "cell_type": kind, "id": id, "metadata": metadata, "source": source.trim_end(),
    });
    if kind == "code" {
        cell["execution_count"] = Value::Null;
        cell["outputs"] = json!([]);
    }
    cell
}

fn document(cells: &[Value]) -> String {
    let notebook = json!({
        "cells": cells,
        "metadata": {
            "kernelspec": { "display_name": "Python 3", "language": "python", "name": "python3" },
            "language_info": { "name": "python" },
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    });
    format!("{notebook:#}\n")
}

//! A question that a program answers wrongly, shown: what was expected and why, where the program
//! first goes wrong, a drawing, and a link to the microscope.

use crate::expand::Grown;
use crate::fault::Faults;
use crate::request::{Algorithm, Answer, Input, Problem};
use crate::search::{Event, EventKind, answer, traced};
use crate::suite::sizes;
use fourfold::search::{ExplicitTree, NodeId, SearchOptions, Step, Turn};
use fourfold_app::draw::tree_svg::draw_marked;
use fourfold_app::trees::TreeSearch;
use serde::{Deserialize, Serialize};

/// A question, the answer, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// The line of the question.
    pub question: String,
    /// The tree or the board, in lines to be read.
    pub shown: Vec<String>,
    /// What the right search answers.
    pub expected: String,
    /// What the program answered.
    pub given: String,
    /// The right search up to the first wrong step, the last steps of it in sentences.
    pub steps: Vec<String>,
    /// What the program does there instead, as far as that is known.
    pub instead: Option<String>,
    /// Where the microscope shows that step: the address without the host.
    pub link: Option<String>,
    /// The tree with the first wrong step marked.
    pub svg: Option<String>,
}

/// Steps that lead up to the wrong one and are shown with it.
const STEPS_BEFORE: usize = 2;
/// Leaves of a tree that is drawn.
const MOST_DRAWN: usize = 64;

impl Example {
    /// Shows a question and its answer; `model` are the mistakes that explain the program's
    /// answers, if any do.
    #[must_use]
    pub fn new(input: &Input, given: Option<&Answer>, model: Option<Faults>) -> Self {
        let right = answer(input, Faults::NONE);
        let mut example = Self {
            question: input.line(1),
            shown: shown(input),
            expected: in_words(input, &right),
            given: given.map_or_else(|| "no answer".to_owned(), |given| in_words(input, given)),
            steps: Vec::new(),
            instead: None,
            link: None,
            svg: None,
        };
        example.explain(input, &right, given, model);
        example
    }

    fn explain(
        &mut self,
        input: &Input,
        right: &Answer,
        given: Option<&Answer>,
        model: Option<Faults>,
    ) -> Option<()> {
        let grown = Grown::of(input)?;
        let text = grown.node.to_string();
        let tree: ExplicitTree = text.parse().ok()?;
        let pruning = input.algorithm == Algorithm::AlphaBeta;
        let options = if pruning { SearchOptions::default() } else { SearchOptions::minimax() };
        let tree = tree.with_root_turn(grown.root);
        let search = TreeSearch::search(tree, options, 0, usize::MAX, None).ok()?;
        let (_, events) = traced(input, Faults::NONE);
        let (at, wrong, by_leaves) = first_wrong(input, right, given, model, &events);
        let node_at = |path: &[usize]| located(&search.tree, &grown.located(path));
        let event = events.get(at).or(events.last())?;
        let node = node_at(&event.path);
        // Where the right search leaves a node early, the cut is the step.
        let goes_on = wrong.as_ref().is_none_or(|wrong| wrong.path.len() > event.path.len());
        let steps = search.trace.steps();
        let step_of = |wanted: &dyn Fn(&Step) -> bool| steps.iter().rposition(wanted);
        let cut = matches!(event.kind, EventKind::Leave(_)) && goes_on;
        let step = cut
            .then(|| step_of(&|step| matches!(step, Step::Cut { node: at, .. } if *at == node)))
            .flatten()
            .or_else(|| {
                step_of(&|step| match (step, event.kind) {
                    (Step::Enter { node: at, .. }, EventKind::Enter)
                    | (Step::Leaf { node: at, .. }, EventKind::Leaf(_))
                    | (Step::Leave { node: at, .. }, EventKind::Leave(_)) => *at == node,
                    _ => false,
                })
            })
            .unwrap_or(steps.len().saturating_sub(1));
        let sentence = |index: usize| {
            format!("{}. {}", index + 1, steps[index].sentence(&search.tree, pruning))
        };
        self.steps = (step.saturating_sub(STEPS_BEFORE)..=step).map(sentence).collect();
        self.instead = wrong.map(|wrong| {
            let name = |node: NodeId| {
                if node == NodeId::ROOT { "the root".to_owned() } else { node.to_string() }
            };
            let there = node_at(&wrong.path);
            let known = grown.located(&wrong.path).len() == wrong.path.len();
            match wrong.kind {
                _ if !known => "The program makes a move there that does not exist.".to_owned(),
                EventKind::Enter => format!("The program goes on to {}.", name(there)),
                EventKind::Leaf(value) => {
                    format!("The program goes on to the leaf {} (value {value}).", name(there))
                }
                EventKind::Leave(value) => {
                    format!("The program leaves {} with {}.", name(there), value_name(value))
                }
            }
        });
        if let (None, Some(given)) = (&self.instead, given)
            && let Some(mv) = given.mv.filter(|&mv| Some(mv) != right.mv)
            && crate::diagnosis::agrees_in_value(given, right)
        {
            let other = input.move_name(mv);
            self.instead = Some(format!("The program comes to the same end, but answers {other}."));
        }
        if by_leaves {
            self.instead =
                Some("The leaves that the program visits differ from here on.".to_owned());
        }
        let root = if grown.root == Turn::Min { "&root=min" } else { "" };
        self.link = Some(format!(
            "/microscope?algorithm={}{root}&tree={}&step={step}",
            input.algorithm.name(),
            encoded(&text)
        ));
        if grown.node.leaves() <= MOST_DRAWN {
            let mark = self.instead.is_some().then_some((node, "first wrong step"));
            self.svg = Some(draw_marked(&search.searched(), Some(4 * MOST_DRAWN), 0, mark));
        }
        Some(())
    }
}

/// The number of the first event at which the program is known to go wrong, what it does there, and
/// whether only its leaves tell. The last event if nothing is known.
fn first_wrong(
    input: &Input,
    right: &Answer,
    given: Option<&Answer>,
    model: Option<Faults>,
    events: &[Event],
) -> (usize, Option<Event>, bool) {
    let last = events.len().saturating_sub(1);
    let explains = |&faults: &Faults| {
        given.is_some_and(|given| crate::diagnosis::agrees(given, &answer(input, faults)))
    };
    let ways = model.into_iter().flat_map(Faults::both_ways);
    if let Some(faults) = ways.into_iter().find(explains) {
        let (_, done) = traced(input, faults);
        let same = events.iter().zip(&done).take_while(|(one, two)| one == two).count();
        return (same.min(last), done.get(same).cloned(), false);
    }
    let (Some(seen), Some(expected)) = (given.and_then(sizes), sizes(right)) else {
        return (last, None, false);
    };
    let same = seen.iter().zip(&expected).take_while(|(one, two)| one == two).count();
    let mut leaves =
        events.iter().enumerate().filter(|(_, event)| matches!(event.kind, EventKind::Leaf(_)));
    let differ = seen != expected;
    (leaves.nth(same).map_or(last, |(index, _)| index), None, differ)
}

/// The node at the end of a path of children.
fn located(tree: &ExplicitTree, path: &[usize]) -> NodeId {
    path.iter().fold(NodeId::ROOT, |node, &index| tree.children(node).nth(index).unwrap_or(node))
}

fn value_name(value: i64) -> String {
    match value {
        value if value > crate::request::BOUNDLESS => "+infinity".to_owned(),
        value if value < -crate::request::BOUNDLESS => "-infinity".to_owned(),
        value => format!("value {value}"),
    }
}

/// The tree, or the board with what belongs to it.
fn shown(input: &Input) -> Vec<String> {
    match &input.problem {
        Problem::Tree { root, tree } => {
            let side = if *root == Turn::Max { "MAX" } else { "MIN" };
            vec![format!("{tree}   {side} to move at the root")]
        }
        Problem::Position(board) => {
            let weights =
                |row: &[i64]| row.iter().map(|weight| format!("{weight:4}")).collect::<String>();
            let mut lines: Vec<String> = board
                .rows()
                .iter()
                .zip(board.weights.chunks(board.width))
                .map(|(row, own)| format!("{row}   weights{}", weights(own)))
                .collect();
            lines.push(format!(
                "{} to move, depth {}, {} in a line{}",
                board.to_move.letter(),
                board.depth,
                board.line,
                if board.gravity { ", discs fall" } else { "" }
            ));
            lines
        }
    }
}

/// Leaves that are listed at most.
const LEAVES_LISTED: usize = 24;

/// An answer in words.
fn in_words(input: &Input, answer: &Answer) -> String {
    let mut parts = Vec::new();
    if let Some(value) = answer.value {
        parts.push(value_name(value));
    }
    if let Some(mv) = answer.mv {
        parts.push(format!("move {}", input.move_name(mv)));
    }
    if let Some(leaves) = &answer.leaves {
        let listed: Vec<String> =
            leaves.iter().take(LEAVES_LISTED).map(ToString::to_string).collect();
        let more = if leaves.len() > LEAVES_LISTED { " …" } else { "" };
        let noun = if leaves.len() == 1 { "leaf" } else { "leaves" };
        parts.push(format!("{} {noun}: {}{more}", leaves.len(), listed.join(" ")));
    } else if let Some(visited) = answer.visited {
        parts.push(format!("{visited} leaves"));
    }
    parts.join(", ")
}

/// Text for the query of an address.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b' ' => "+".to_owned(),
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' => char::from(byte).to_string(),
            b'(' | b')' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Example;
    use crate::{Algorithm, Fault, Faults, Input, Node, Problem, search::answer};
    use fourfold::search::Turn;

    #[test]
    fn the_first_wrong_step_is_found_explained_and_marked() {
        let leaf = Node::Leaf;
        let tree = Node::Inner(vec![leaf(5), Node::Inner(vec![leaf(5), leaf(9)])]);
        let problem = Problem::Tree { root: Turn::Max, tree };
        let input = Input { algorithm: Algorithm::AlphaBeta, problem };
        let faults = Faults::of(&[Fault::CutStrict]);
        let given = answer(&input, faults);
        let example = Example::new(&input, Some(&given), Some(faults));
        assert_eq!(example.expected, "value 5, move child 0, 2 leaves: 5 5");
        assert_eq!(example.given, "value 5, move child 0, 3 leaves: 5 5 9");
        let last = example.steps.last().unwrap();
        assert!(last.contains("cut") || last.contains("Cut"), "{last}");
        assert_eq!(
            example.instead.as_deref(),
            Some("The program goes on to the leaf E-4 (value 9).")
        );
        let link = example.link.unwrap();
        assert!(link.starts_with("/microscope?algorithm=alphabeta&tree=(5+(5+9))&step="), "{link}");
        let svg = example.svg.unwrap();
        let drawing = roxmltree::Document::parse(&svg).unwrap();
        let marked = |node: &roxmltree::Node<'_, '_>| node.attribute("class") == Some("marked");
        assert_eq!(drawing.descendants().filter(marked).count(), 2, "the node and the legend");
    }
}

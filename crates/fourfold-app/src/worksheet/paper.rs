//! Sheets on paper: HTML that prints well and stands alone, and plain text.

use super::{CountingTask, EvaluationTask, Exercise, Kind, OpenLines, Sheet, Task, TreeTask};
use fourfold::game::{Cell, Move, Position, Side};
use fourfold::score::INFINITY;
use fourfold::search::{Bound, NodeId, Tree, Turn};
use fourfold_lab::svg::{escape, round};
use std::fmt::Write;

/// What a sheet of paper shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// The exercises.
    Questions,
    /// The exercises with their answers.
    Answers,
}

/// How a sheet is made out.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    /// At the top.
    pub title: &'a str,
    /// Whose sheet it is; without a name there is a line to write it on.
    pub student: Option<&'a str>,
}

const LEGEND: &str =
    "▲ MAX to move, ▼ MIN to move. All values are MAX's. Alpha-beta goes from left to right.";

/// The style of sheets, for pages that hold some.
pub const STYLE: &str = "\
:root{color-scheme:light}\
body{font:16px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;\
background:#fff;color:#1c2430;max-width:50rem;margin:0 auto;padding:1rem}\
h1{font-size:1.4rem;margin:.2rem 0}.small{font-size:.85rem;color:#4a5463}\
.blanks{display:flex;gap:2rem;margin:1rem 0 .5rem}.blanks span{flex:1;\
border-bottom:1px solid #8a93a0;padding-bottom:.2rem}\
.sheet+.sheet{border-top:2px solid #8a93a0;margin-top:2rem;padding-top:1rem}\
ol.exercises{padding-left:1.6em}ol.exercises>li{margin:1.4rem 0;break-inside:avoid}\
li::marker{font-weight:600}.scroll{overflow-x:auto}\
svg.sketch{display:block;margin:.6rem auto;max-width:100%;height:auto}\
svg.grid{display:block;margin:.6rem auto;width:10.5rem;height:auto}\
.sketch text,.grid text{font:16px system-ui,sans-serif;fill:#1c2430;text-anchor:middle}\
.sketch .edge{stroke:#1c2430;stroke-width:1.6;fill:none}\
.sketch .cut{stroke:#8a93a0;stroke-dasharray:3 5}.sketch .chosen{stroke-width:4}\
.sketch .shape{fill:#fff;stroke:#1c2430;stroke-width:1.6;stroke-linejoin:round}\
.sketch .spot{fill:#fff}.sketch .snip{fill:none;stroke:#1c2430;stroke-width:1.5;\
stroke-linecap:round}.sketch text.name{font-size:12px;fill:#4a5463}\
.sketch text.note{font-size:13px;text-anchor:start}\
.grid path{fill:none;stroke:#1c2430;stroke-width:1.5}.grid text{font-size:26px}\
.grid text.name{font-size:8px;fill:#4a5463;text-anchor:start}\
.grid text.result{font-size:17px;font-weight:600}\
.answer{font-weight:600}\
@media print{body{max-width:none;padding:0}.sheet+.sheet{border:0;break-before:page;margin:0}\
.scroll{overflow:visible}}";

/// A page with the exercises, the answers, or both, each on paper of its own.
#[must_use]
pub fn html(sheet: &Sheet, exercises: &[Exercise], heading: Heading<'_>, sides: &[Face]) -> String {
    let body: String = sides.iter().map(|&side| section(sheet, exercises, heading, side)).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escape(&titled(heading))
    )
}

fn titled(heading: Heading<'_>) -> String {
    match heading.student {
        Some(student) => format!("{}: {student}", heading.title),
        None => heading.title.to_owned(),
    }
}

/// One side of a sheet, to be put into a page.
#[must_use]
pub fn section(sheet: &Sheet, exercises: &[Exercise], heading: Heading<'_>, side: Face) -> String {
    let mut out = "<section class=\"sheet\">\n".to_owned();
    let title = escape(heading.title);
    let name = heading.student.map(escape);
    out += &match (side, name) {
        (Face::Answers, None) => format!("<h1>{title}: answers</h1>\n"),
        (Face::Answers, Some(name)) => format!("<h1>{title}: answers for {name}</h1>\n"),
        (Face::Questions, name) => format!(
            "<h1>{title}</h1>\n<p class=\"blanks\"><span>Name {}</span><span>Date</span></p>\n",
            name.unwrap_or_default()
        ),
    };
    out += &format!("<p class=\"small\">{} {LEGEND}</p>\n<ol class=\"exercises\">\n", made(sheet));
    for (index, exercise) in exercises.iter().enumerate() {
        out += &format!("<li>{}</li>\n", exercise_html(exercise, index + 1, side));
    }
    out + "</ol>\n</section>\n"
}

/// What a sheet is made from, so that it can be made again.
fn made(sheet: &Sheet) -> String {
    let kinds: Vec<&str> = sheet.kinds.iter().map(|kind| kind.name()).collect();
    format!(
        "Sheet {} ({}): trees of {} branches and {} levels.",
        sheet.seed,
        kinds.join(", "),
        sheet.branches,
        sheet.levels
    )
}

/// What is asked.
fn question(exercise: &Exercise) -> String {
    match (&exercise.task, exercise.kind) {
        (Task::Endgame(task), _) => format!(
            "{} to move. How does each move end with best play: win, draw or loss? Circle the \
             best.",
            letter(task.entry.position.to_move())
        ),
        (Task::Evaluation(task), _) => {
            let side = letter(task.entry.position.to_move());
            let [one, two] = OpenLines::WEIGHTS;
            format!(
                "Evaluate for {side}, who is to move: a line that only one side can still \
                 complete counts {one} for it with one disc and {two} with two; the other side's \
                 lines are subtracted. What is the position worth, and which move leads to the \
                 highest value?"
            )
        }
        (Task::Counting(CountingTask::Tree { branches, levels, .. }), _) => format!(
            "Every inner node of a tree has {branches} children, and the leaves lie {levels} \
             levels below the root. How many nodes has it, how many of them are leaves, and how \
             many leaves must alpha-beta visit if the best move always comes first?"
        ),
        (Task::Counting(CountingTask::Game { entry, .. }), _) => format!(
            "{} to move. Draw the rest of the game tree. In how many ways can the game go on to \
             its end, and how many different positions are there, this one included?",
            letter(entry.position.to_move())
        ),
        (Task::Tree(task), kind) => {
            let asked = match kind {
                Kind::Best => "Which move should MAX choose, and what is it worth?",
                Kind::Cuts => "Search with alpha-beta. Strike out every edge that is cut.",
                Kind::Windows => {
                    "Search with alpha-beta. Beside each node write alpha | beta as they stand \
                     when the search leaves it, and cross out what is never visited."
                }
                Kind::Order => {
                    "How many leaves does alpha-beta visit? Put the children of every node into \
                     an order in which it visits as few as possible: how many are they then?"
                }
                _ => "Write the minimax value into every node.",
            };
            format!("{asked} (tree {})", task.random)
        }
    }
}

/// The answer in words.
fn answer(exercise: &Exercise) -> String {
    match (&exercise.task, exercise.kind) {
        (Task::Endgame(task), _) => {
            let moves = task.moves.iter().map(|(mv, _, verdict)| {
                format!("{} {verdict}", mv.label(task.entry.position.rules()))
            });
            format!("{}.", moves.collect::<Vec<String>>().join(", "))
        }
        (Task::Evaluation(task), _) => evaluation_answer(task),
        (Task::Counting(CountingTask::Tree { nodes, leaves, fewest, .. }), _) => {
            format!("{nodes} nodes, {leaves} leaves; alpha-beta visits at least {fewest} of them.")
        }
        (Task::Counting(CountingTask::Game { games, positions, .. }), _) => {
            format!("{games} ways, {positions} positions.")
        }
        (Task::Tree(task), Kind::Best) => {
            let line: Vec<String> = task.report.line.iter().map(ToString::to_string).collect();
            let best = task.report.best.map(|best| best.to_string()).unwrap_or_default();
            format!("{best}, worth {}; expected line {}.", task.values[0], line.join(" "))
        }
        (Task::Tree(task), Kind::Cuts | Kind::Windows) => {
            let cuts: Vec<String> = task.cuts().iter().map(ToString::to_string).collect();
            format!("Cut: {}.", if cuts.is_empty() { "none".to_owned() } else { cuts.join(", ") })
        }
        (Task::Tree(task), Kind::Order) => format!(
            "{} leaves as drawn, {} in the order {}.",
            task.leaves(),
            task.sorted_leaves,
            task.sorted
        ),
        (Task::Tree(task), _) => format!("The root is worth {}.", task.values[0]),
    }
}

fn evaluation_answer(task: &EvaluationTask) -> String {
    let side = task.entry.position.to_move();
    let lines = |lines: OpenLines| format!("{} with one disc, {} with two", lines.ones, lines.twos);
    let rules = task.entry.position.rules();
    let best: Vec<String> = task.best().iter().map(|mv| mv.label(rules)).collect();
    let after = task.moves.iter().map(|(_, value)| *value).max().unwrap_or(0);
    format!(
        "{}: {}; {}: {}. The value is {} - {} = {}. Best is {}, after which it is {after}.",
        letter(side),
        lines(task.own),
        letter(side.other()),
        lines(task.other),
        task.own.value(),
        task.other.value(),
        task.value,
        best.join(" or ")
    )
}

fn letter(side: Side) -> char {
    side.letter().to_ascii_uppercase()
}

fn exercise_html(exercise: &Exercise, number: usize, side: Face) -> String {
    let words = match side {
        Face::Questions => format!("<p>{}</p>", escape(&question(exercise))),
        Face::Answers => format!("<p class=\"answer\">{}</p>", escape(&answer(exercise))),
    };
    let solved = side == Face::Answers;
    let drawing = match &exercise.task {
        Task::Tree(task) => {
            let drawn = sketch(task, exercise.kind, solved, number);
            format!("<div class=\"scroll\">{drawn}</div>")
        }
        Task::Endgame(task) => {
            let scores: Vec<(Move, i32)> =
                task.moves.iter().map(|(mv, score, _)| (*mv, *score)).collect();
            grid(&task.entry.position, if solved { &scores } else { &[] }, number)
        }
        Task::Evaluation(task) => {
            grid(&task.entry.position, if solved { &task.moves } else { &[] }, number)
        }
        Task::Counting(CountingTask::Game { entry, .. }) => grid(&entry.position, &[], number),
        Task::Counting(CountingTask::Tree { .. }) => String::new(),
    };
    format!("{words}\n{drawing}")
}

/// Tic-tac-toe as it is drawn on paper, with numbers in empty cells.
fn grid(position: &Position, numbers: &[(Move, i32)], number: usize) -> String {
    let mut out = format!(
        "<svg class=\"grid\" viewBox=\"-1 -1 122 122\" role=\"img\" aria-label=\"The board of \
         exercise {number}\"><path d=\"M40 0V120M80 0V120M0 40H120M0 80H120\"/>"
    );
    let rules = position.rules();
    for row in 0..3u8 {
        for column in 0..3u8 {
            let cell = Cell { column, row };
            let (x, y) = (40 * u32::from(column), 40 * u32::from(2 - row));
            let disc = [Side::First, Side::Second]
                .into_iter()
                .find(|&side| position.discs(side).iter().any(|own| own == cell));
            if let Some(side) = disc {
                let _ =
                    write!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + 20, y + 29, letter(side));
                continue;
            }
            let mv = Move::at(cell, rules);
            let label = mv.label(rules);
            let _ =
                write!(out, "<text class=\"name\" x=\"{}\" y=\"{}\">{label}</text>", x + 4, y + 37);
            if let Some((_, value)) = numbers.iter().find(|(other, _)| *other == mv) {
                let _ = write!(
                    out,
                    "<text class=\"result\" x=\"{}\" y=\"{}\">{value:+}</text>",
                    x + 20,
                    y + 25
                );
            }
        }
    }
    out + "</svg>"
}

/// Room for a leaf and for a level, and the size of a node, in the units of the drawing.
const LEAF: f64 = 50.0;
const LEVEL: f64 = 92.0;
const NODE: f64 = 20.0;

/// Small open scissors on a spot of paper; drawn, since not every font has them.
const SCISSORS: &str = "<circle class=\"spot\" r=\"9\"/><g class=\"snip\">\
<circle cx=\"-4.5\" cy=\"-3.3\" r=\"2.1\"/><circle cx=\"-4.5\" cy=\"3.3\" r=\"2.1\"/>\
<path d=\"M-2.7-2.1 6.5 3.6M-2.7 2.1 6.5-3.6\"/></g>";

/// What stands in a node of an exercise, and beside it.
fn look(task: &TreeTask, kind: Kind, solved: bool, node: NodeId) -> (String, String) {
    if let Some(value) = task.tree.leaf_value(node) {
        return (value.to_string(), String::new());
    }
    if !solved {
        return Default::default();
    }
    match kind {
        Kind::Cuts | Kind::Windows | Kind::Order => {
            let Some(mark) = task.marks.of(node) else { return Default::default() };
            let sign = match mark.bound {
                Bound::Exact => "",
                Bound::AtLeast => "≥",
                Bound::AtMost => "≤",
            };
            let bound = |value: i32| match value {
                INFINITY => "+∞".to_owned(),
                value if value == -INFINITY => "−∞".to_owned(),
                value => value.to_string(),
            };
            let note = format!("{} | {}", bound(mark.window.alpha), bound(mark.window.beta));
            let note = if kind == Kind::Windows { note } else { String::new() };
            (format!("{sign}{}", mark.value), note)
        }
        _ => (task.values[node.index()].to_string(), String::new()),
    }
}

/// The tree of an exercise, with or without its solution. Shapes, edges and values carry the
/// numbers of their nodes, for scripts.
#[must_use]
pub fn sketch(task: &TreeTask, kind: Kind, solved: bool, number: usize) -> String {
    let tree = &task.tree;
    let mut across = vec![0.0; tree.len()];
    let mut leaves = 0.0;
    place(tree, NodeId::ROOT, &mut across, &mut leaves);
    let x = |node: NodeId| 34.0 + across[node.index()] * LEAF;
    let y = |node: NodeId| NODE + 12.0 + f64::from(tree.level(node)) * LEVEL;
    let side_room = if kind == Kind::Windows && solved { 40.0 } else { 0.0 };
    let width = 68.0 + (leaves - 1.0) * LEAF + side_room;
    let height = 2.0 * NODE + 22.0 + f64::from(tree.depth()) * LEVEL;
    let cuts = if solved && matches!(kind, Kind::Cuts | Kind::Windows | Kind::Order) {
        task.cuts()
    } else {
        Vec::new()
    };
    let line = if solved && kind == Kind::Best { &task.report.line[..] } else { &[] };
    let what = if solved { "solved tree" } else { "tree" };
    let mut out = format!(
        "<svg class=\"sketch\" width=\"{width}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"The {what} of exercise {number}\">"
    );
    let ends = |node: NodeId, parent: NodeId| {
        let foot = if tree.turn(&parent) == Turn::Max { NODE - 4.0 } else { NODE + 10.0 };
        let is_max = tree.leaf_value(node).is_none() && tree.turn(&node) == Turn::Max;
        let head = if is_max { NODE + 10.0 } else { NODE - 4.0 };
        [(x(parent), y(parent) + foot), (x(node), y(node) - head)]
    };
    let edges = || tree.nodes().filter_map(|node| Some((node, tree.parent(node)?)));
    for (node, parent) in edges() {
        let [(x1, y1), (x2, y2)] = ends(node, parent);
        let unseen = !cuts.is_empty() && task.marks.of(node).is_none();
        let class = if unseen { " cut" } else { "" };
        let class = if line.contains(&node) { " chosen" } else { class };
        let _ = write!(
            out,
            "<path class=\"edge{class}\" data-edge=\"{}\" d=\"M{} {}L{} {}\"/>",
            node.index(),
            round(x1),
            round(y1),
            round(x2),
            round(y2)
        );
    }
    for (node, parent) in edges() {
        let [(x1, y1), (x2, y2)] = ends(node, parent);
        let (mx, my) = (x1 + (x2 - x1) * 0.62, y1 + (y2 - y1) * 0.62);
        if cuts.contains(&node) {
            let at = format!("translate({} {})", round(mx), round(my));
            let _ = write!(out, "<g transform=\"{at}\">{SCISSORS}</g>");
            continue;
        }
        let label = node.to_string();
        let wide = 8.0 + 7.0 * label.chars().count() as f64;
        let _ = write!(
            out,
            "<rect class=\"spot\" x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"16\"/>\
             <text class=\"name\" x=\"{}\" y=\"{}\">{label}</text>",
            round(mx - wide / 2.0),
            round(my - 8.0),
            round(mx),
            round(my + 4.0)
        );
    }
    for node in tree.nodes() {
        let (cx, cy) = (x(node), y(node));
        let (text, note) = look(task, kind, solved, node);
        let unseen = !cuts.is_empty() && task.marks.of(node).is_none();
        let class = if unseen { " cut" } else { "" };
        let mut lower = 6.0;
        if tree.leaf_value(node).is_some() {
            let _ = write!(
                out,
                "<rect class=\"shape{class}\" data-shape=\"{}\" x=\"{}\" y=\"{}\" width=\"34\" \
                 height=\"30\" \
                 rx=\"6\"/>",
                node.index(),
                round(cx - 17.0),
                round(cy - 15.0)
            );
        } else {
            let tip = if tree.turn(&node) == Turn::Max { -1.0 } else { 1.0 };
            lower = if tip < 0.0 { 11.0 } else { 1.0 };
            let (point, base) = (cy + tip * (NODE + 10.0), cy - tip * (NODE - 4.0));
            let _ = write!(
                out,
                "<path class=\"shape{class}\" data-shape=\"{5}\" d=\"M{0} {1}L{2} {3}H{4}Z\"/>",
                round(cx),
                round(point),
                round(cx - NODE - 14.0),
                round(base),
                round(cx + NODE + 14.0),
                node.index()
            );
        }
        let _ = write!(out, "<text x=\"{}\" y=\"{}\">{text}</text>", round(cx), round(cy + lower));
        if !note.is_empty() {
            let (right, down) =
                if tree.turn(&node) == Turn::Max { (14.0, -14.0) } else { (22.0, 16.0) };
            let _ = write!(
                out,
                "<text class=\"note\" x=\"{}\" y=\"{}\">{note}</text>",
                round(cx + right),
                round(cy + down)
            );
        }
    }
    out + "</svg>"
}

/// Leaves side by side, every other node above the middle of its children.
fn place(
    tree: &fourfold::search::ExplicitTree,
    node: NodeId,
    across: &mut [f64],
    leaves: &mut f64,
) {
    let children: Vec<NodeId> = tree.children(node).collect();
    for &child in &children {
        place(tree, child, across, leaves);
    }
    across[node.index()] = match (children.first(), children.last()) {
        (Some(first), Some(last)) => (across[first.index()] + across[last.index()]) / 2.0,
        _ => {
            *leaves += 1.0;
            *leaves - 1.0
        }
    };
}

/// The width of text.
const WIDTH: usize = 76;

/// A sheet as plain text: the exercises, the answers, or both.
#[must_use]
pub fn text(sheet: &Sheet, exercises: &[Exercise], heading: Heading<'_>, sides: &[Face]) -> String {
    let mut out = String::new();
    for (index, &side) in sides.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let name = heading.student.unwrap_or("______________________");
        out += &match side {
            Face::Questions => format!("{}\n\nName {name}\n", heading.title),
            Face::Answers => match heading.student {
                Some(name) => format!("{}: answers for {name}\n", heading.title),
                None => format!("{}: answers\n", heading.title),
            },
        };
        out += &wrapped(&format!("{} {LEGEND}", made(sheet)), "");
        for (index, exercise) in exercises.iter().enumerate() {
            out.push('\n');
            let number = format!("{}. ", index + 1);
            let words = match side {
                Face::Questions => question(exercise),
                Face::Answers => answer(exercise),
            };
            out += &wrapped(&words, &number);
            out += &drawn_in_text(exercise, side == Face::Answers);
        }
    }
    out
}

/// Words in lines, the later ones indented as far as `head` goes.
fn wrapped(words: &str, head: &str) -> String {
    let indent = " ".repeat(head.chars().count());
    let mut out = String::new();
    let mut line = head.to_owned();
    for word in words.split_whitespace() {
        let gap = if line.trim().is_empty() || line.ends_with(' ') { "" } else { " " };
        if line.chars().count() + gap.len() + word.chars().count() > WIDTH {
            out += line.trim_end();
            out.push('\n');
            line.clone_from(&indent);
            line += word;
        } else {
            line += gap;
            line += word;
        }
    }
    out + &line + "\n"
}

fn drawn_in_text(exercise: &Exercise, solved: bool) -> String {
    match &exercise.task {
        Task::Tree(task) => {
            let mut out = String::new();
            tree_in_text(task, exercise.kind, solved, (NodeId::ROOT, "   ", true), &mut out);
            out
        }
        Task::Endgame(task) => grid_in_text(&task.entry.position),
        Task::Evaluation(task) => grid_in_text(&task.entry.position),
        Task::Counting(CountingTask::Game { entry, .. }) => grid_in_text(&entry.position),
        Task::Counting(CountingTask::Tree { .. }) => String::new(),
    }
}

fn tree_in_text(
    task: &TreeTask,
    kind: Kind,
    solved: bool,
    (node, indent, is_last): (NodeId, &str, bool),
    out: &mut String,
) {
    let tree = &task.tree;
    let is_root = node == NodeId::ROOT;
    let (text, note) = look(task, kind, solved, node);
    let shape = match (tree.leaf_value(node), tree.turn(&node)) {
        (Some(_), _) => '■',
        (None, Turn::Max) => '▲',
        (None, Turn::Min) => '▼',
    };
    let pruned = solved && matches!(kind, Kind::Cuts | Kind::Windows | Kind::Order);
    let corner = match (is_root, is_last, pruned && task.marks.is_cut(node)) {
        (true, ..) => "",
        (_, true, false) => "└── ",
        (_, true, true) => "└─✂ ",
        (_, false, false) => "├── ",
        (_, false, true) => "├─✂ ",
    };
    let name = if is_root { String::new() } else { format!("{node} ") };
    let text = if text.is_empty() && !(pruned && task.marks.of(node).is_none()) {
        "____".to_owned()
    } else {
        text
    };
    let note = if note.is_empty() { note } else { format!("   {note}") };
    *out += format!("{indent}{corner}{name}{shape} {text}{note}").trim_end();
    out.push('\n');
    let below = match (is_root, is_last) {
        (true, _) => indent.to_owned(),
        (_, true) => format!("{indent}    "),
        (_, false) => format!("{indent}│   "),
    };
    let children: Vec<NodeId> = tree.children(node).collect();
    for (index, &child) in children.iter().enumerate() {
        let last = index + 1 == children.len();
        tree_in_text(task, kind, solved, (child, &below, last), out);
    }
}

fn grid_in_text(position: &Position) -> String {
    position.to_string().lines().map(|line| format!("   {line}\n")).collect()
}

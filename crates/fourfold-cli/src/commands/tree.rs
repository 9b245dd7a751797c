//! `fourfold tree`: a game tree searched before your eyes.

mod source;

use super::Algorithm;
use crate::arguments::{at_least, whole};
use crate::failure::Failure;
use crate::input;
use crate::output::{self, Paint, ascii, grouped, is_utf8_locale};
use crate::switches::SwitchArgs;
use fourfold::search::{ExplicitTree, SearchOptions};
use fourfold_app::draw::{NODES_DRAWN, SearchedTree, counted, in_words, tree_svg, tree_text};
use fourfold_app::trees::{TreeSearch, leaves_in};
use fourfold_lab::files::write_whole;
use source::Source;
use std::io::Write;
use std::path::{Path, PathBuf};

const HELP: &str = "\
How to read the drawing:
  ▲ MAX to move   ▼ MIN to move   ■ a leaf
  E-1, E-2, ...   edges, numbered breadth first; in the tree of a position
                  with the move
  →               principal variation: what happens if both play their best
  ✂               an edge that alpha-beta cut, and why; nothing below it was
                  visited
  ≤6  ≥8          the search learnt only that the value is at most 6, at
                  least 8
  α 7 | β 9       what MAX and MIN were sure of when the search left the node
  W5  L6          the game is over: MAX has won with disc 5, MIN with disc 6
  (+120 nodes)    folded away; --max-nodes shows more

Examples:
  fourfold tree '((9 8 7)(6 5 4)(3 2 1))'           three by three leaves
  fourfold tree '((9 8 7)(6 5 4)(3 2 1))' --steps   each step in a sentence
  fourfold tree '((3 5)(2 9))' --algorithm minimax  without cuts
  fourfold tree --random 3,4,1 --svg tree.svg       a picture for slides
  fourfold tree --game tictactoe '' --depth 2       tic-tac-toe, two plies
  fourfold tree --game tictactoe '' --symmetry --table 1
  echo '((3 5)(2 9))' | fourfold tree --json        for programs
  fourfold tree --depth 1 --json < positions.txt    one tree per line";

/// Search a small tree, typed or grown from a position, and show what minimax or alpha-beta does
///
/// Draws the tree with the value found at each node, the branches that were cut and why, and the
/// principal variation; or describes the search step by step. MAX and MIN take turns, and all
/// values are MAX's.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,

    /// How to search: the same as --alpha-beta=off or on [default: alphabeta]
    #[arg(long, short, value_enum, value_name = "NAME", conflicts_with = "alpha_beta")]
    algorithm: Option<Algorithm>,

    /// Describe every step of the search in a sentence, instead of drawing
    #[arg(long)]
    steps: bool,

    /// Describe at most this many steps [default: 200, with --json all]
    #[arg(long, value_name = "N", requires = "steps", value_parser = at_least(0usize))]
    max_steps: Option<usize>,

    /// Draw about this many nodes and fold the others away [default: 60, in an SVG fewer if it
    /// would become very wide]
    #[arg(long, value_name = "N", value_parser = whole(1..=10_000u32))]
    max_nodes: Option<u32>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Draw the tree as an SVG to FILE (- for standard output) instead of with characters
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw in plain ASCII: MAX, MIN and = for the shapes [default: if the locale is not UTF-8]
    #[arg(long)]
    ascii: bool,

    /// Random seed, for choosing between equal moves with --tie random
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    #[command(flatten)]
    switches: SwitchArgs,
}

/// Steps described unless more are asked for.
const STEPS_SHOWN: usize = 200;

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let svg_to_stdout = args.svg.as_deref() == Some(Path::new("-"));
    if svg_to_stdout && (args.json || args.steps) {
        return Err(Failure::usage(
            "--svg - fills standard output: give --svg a file, or leave out --json and --steps",
        ));
    }
    let mut options = args.switches.options.clone();
    if let Some(algorithm) = args.algorithm {
        options.alpha_beta = algorithm == Algorithm::Alphabeta;
    }
    let mut out = output::stdout();
    let Some(text) = args.source.text(&options)? else {
        if args.svg.is_some() {
            return Err(Failure::usage("--svg draws one tree: give its position as an argument"));
        }
        let mut first = true;
        return input::for_each(&[], |text| {
            let tree = args.source.tree(text, &options)?;
            if !first && !args.json {
                writeln!(out)?;
            }
            first = false;
            show(args, tree, &options, &mut out, paint)
        });
    };
    show(args, args.source.tree(&text, &options)?, &options, &mut out, paint)
}

/// Searches a tree and shows it as asked.
fn show(
    args: &Args,
    tree: ExplicitTree,
    options: &SearchOptions,
    out: &mut impl Write,
    paint: Paint,
) -> Result<(), Failure> {
    let steps = args.max_steps.unwrap_or(if args.json { usize::MAX } else { STEPS_SHOWN });
    let steps = if args.steps { steps } else { 0 };
    let seen = TreeSearch::search(tree, options.clone(), args.seed, steps, None)
        .map_err(Failure::runtime)?;
    let searched = seen.searched();

    if let Some(path) = &args.svg {
        let most = args.max_nodes.map(|most| most as usize);
        let svg = tree_svg::draw(&searched, most, NODES_DRAWN);
        if path == Path::new("-") {
            out.write_all(svg.as_bytes())?;
            return Ok(out.flush()?);
        }
        write_whole(path, svg.as_bytes())?;
    }
    if args.json {
        serde_json::to_writer(&mut *out, &seen.report(args.steps)).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let text = tell(args, &seen, paint);
        let plain = args.ascii || !is_utf8_locale();
        out.write_all(if plain { ascii(&text) } else { text }.as_bytes())?;
    }
    Ok(out.flush()?)
}

/// The answer for people: the drawing or the steps, and what they come to.
fn tell(args: &Args, seen: &TreeSearch, paint: Paint) -> String {
    let searched = &seen.searched();
    let mut text = String::new();
    if let Some(position) = searched.tree.position() {
        let letter = position.to_move().letter();
        text += &format!("{position}\n{letter} to move: MAX is {letter}\n\n");
    }
    if args.steps {
        let (steps, all) = (seen.trace.steps(), seen.trace.count());
        let width = steps.len().to_string().len();
        for (index, step) in steps.iter().enumerate() {
            let sentence = step.sentence(searched.tree, searched.pruning);
            text += &format!("{:>width$}  {sentence}\n", index + 1);
        }
        if all > steps.len() as u64 {
            let left = all - steps.len() as u64;
            text += &format!("… and {}; --max-steps {all} tells all\n", counted(left, "more step"));
        }
        text.push('\n');
    } else if args.svg.is_none() {
        let view = searched.view(args.max_nodes.map_or(NODES_DRAWN, |most| most as usize));
        text += &tree_text::draw(searched, &view, paint);
        if view.folds() {
            let (drawn, all) = (grouped(view.nodes()), counted(searched.tree.len() as u64, "node"));
            text += &paint.faint(&format!("({drawn} of {all} drawn; --max-nodes draws more)"));
            text.push('\n');
        }
        text.push('\n');
    }
    text += &summary(searched, paint);
    if let Some(path) = &args.svg {
        text += &format!("drawing  {}\n", path.display());
    }
    text
}

/// The longest list of edges or values that people are shown.
const LISTED: usize = 48;

/// How far lists go before they are broken, and where they go on.
const WIDTH: usize = 79;
const INDENT: usize = 9;

/// A list that follows `head` on a line of the summary, broken into lines that fit a narrow
/// terminal.
fn listed<T: ToString>(head: &str, items: &[T], separator: &str) -> String {
    let mut text = head.to_owned();
    let mut column = INDENT + head.chars().count();
    let mut words: Vec<String> = items.iter().take(LISTED).map(T::to_string).collect();
    if items.len() > LISTED {
        words.push("…".to_owned());
    }
    for (index, word) in words.iter().enumerate() {
        let gap = if index == 0 { "" } else { separator };
        let width = gap.chars().count() + word.chars().count();
        if column + width > WIDTH && index > 0 {
            text += &format!("{}\n{}{word}", gap.trim_end(), " ".repeat(INDENT));
            column = INDENT + word.chars().count();
        } else {
            text += &format!("{gap}{word}");
            column += width;
        }
    }
    text
}

fn summary(searched: &SearchedTree<'_>, paint: Paint) -> String {
    let SearchedTree { tree, marks, report, .. } = *searched;
    let mut text = format!("value    {}\n", paint.strong(&searched.value(report.value, in_words)));
    if let Some(best) = report.best {
        text += &format!("best     {}\n", paint.strong(&searched.edge_name(best)));
        let line: Vec<String> = report.line.iter().map(|&node| searched.edge_name(node)).collect();
        text += &format!("line     {}\n", listed("", &line, " → "));
    }
    let (visited, leaves) = (grouped(marks.leaves.len() as u64), grouped(leaves_in(tree)));
    let mut of_leaves = format!("{visited} of {leaves} visited");
    // Scores of finished games are long; they are in the drawing in words.
    if tree.position().is_none() {
        let values: Vec<i32> =
            marks.leaves.iter().filter_map(|&leaf| tree.leaf_value(leaf)).collect();
        of_leaves = listed(&format!("{of_leaves}: "), &values, " ");
    }
    text += &format!("leaves   {of_leaves}\n");
    if searched.pruning {
        let cut = marks.cut_edges();
        let count = counted(cut.len() as u64, "edge");
        let colon = if cut.is_empty() { "" } else { ": " };
        text += &format!("cut      {}\n", listed(&format!("{count}{colon}"), &cut, " "));
    }
    text + &format!(
        "nodes    {} of {} visited\n",
        grouped(marks.visited),
        grouped(tree.len() as u64)
    )
}

//! Where the tree comes from: typed, made at random, or grown from a position.

use crate::arguments::{mebibytes, whole};
use crate::failure::Failure;
use crate::input::PositionArgs;
use crate::output::{grouped, note};
use crate::switches::flag_name;
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::Position;
use fourfold::search::{
    ExplicitTree, Limits, SearchOptions, Switch, TreeSizeError, Turn, TypedTreeError,
};
use fourfold_app::draw::counted;
use fourfold_app::draw::marks::Marks;
use fourfold_app::trees::{DEFAULT_DEPTH, RandomTree, count_nodes, inapplicable_in};
use fourfold_lab::files::{MAX_TEXT_BYTES, read_limited};
use std::io::{self, IsTerminal};
use std::time::Duration;

/// Who moves at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Root {
    /// The side that wants large values.
    Max,
    /// The side that wants small ones.
    Min,
}

impl From<Root> for Turn {
    fn from(root: Root) -> Self {
        match root {
            Root::Max => Self::Max,
            Root::Min => Self::Min,
        }
    }
}

/// A tree that takes more bytes than this is announced before it is built.
const WORTH_TELLING: u64 = 16 << 20;

/// What a tree is made from.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Source {
    /// A tree, such as '((3 5)(2 9))': numbers are leaves, parentheses hold the children of a
    /// node. With --game, --from, --depth or --eval, a position in any notation to grow the tree
    /// from ('' is the empty board) [default: standard input: one tree, or one position per line]
    #[arg(value_name = "TREE|POSITION", allow_negative_numbers = true)]
    text: Option<String>,

    /// A full tree with B children at each node, D levels deep, leaves from 0 to 99 by SEED
    #[arg(long, value_name = "B,D,SEED")]
    #[arg(conflicts_with_all = ["text", "game", "from", "depth", "eval"])]
    random: Option<RandomTree>,

    #[command(flatten)]
    game: PositionArgs,

    /// Plies to look ahead from the position [default: 2]
    #[arg(long, short, value_name = "PLIES", value_parser = whole(0..=128u32))]
    depth: Option<u32>,

    /// Evaluator for positions at the horizon: terminal, windows, windows-literal, square,
    /// square-literal or open-lines [default: the one that suits the game]
    #[arg(long, short, value_name = "EVALUATOR")]
    eval: Option<Evaluator>,

    /// Who moves at the root of a typed or random tree [default: max]. At the root of a position,
    /// MAX is the side to move
    #[arg(long, value_name = "SIDE", conflicts_with_all = ["game", "from", "depth", "eval"])]
    root: Option<Root>,

    /// Memory for the tree and its annotations, in MiB or with a unit (64M, 2G)
    #[arg(long, default_value_t = 512, value_name = "SIZE", value_parser = mebibytes)]
    memory: u32,
}

impl Source {
    /// What the tree is made from: an argument, or a typed tree on standard input. None if each
    /// line of that is a position.
    pub(super) fn text(&self, options: &SearchOptions) -> Result<Option<String>, Failure> {
        match &self.text {
            Some(text) => Ok(Some(text.clone())),
            None if self.random.is_some() => Ok(Some(String::new())),
            None if self.is_position(options) => Ok(None),
            None => read_stdin().map(Some),
        }
    }

    /// What makes sense for a position only says that the text is one.
    fn is_position(&self, options: &SearchOptions) -> bool {
        let asked = self.game.is_given() || self.depth.is_some() || self.eval.is_some();
        asked || inapplicable_in(options, None).is_some()
    }

    /// The tree, built for a search with these switches.
    pub(super) fn tree(
        &self,
        text: &str,
        options: &SearchOptions,
    ) -> Result<ExplicitTree, Failure> {
        let inapplicable = inapplicable_in(options, None);
        let refuse = |(switch, why): (&Switch, &str)| {
            Err(Failure::usage(format!("{}: {why}", flag_name(switch))))
        };
        if let Some(random) = self.random {
            return inapplicable.map_or_else(|| Ok(self.rooted(self.plant(random)?)), refuse);
        }
        if !self.is_position(options) {
            return Ok(self.rooted(parse(text)?));
        }
        if text.trim_start().starts_with('(') {
            let leaves = "a typed tree is searched to its leaves: --game, --from, --depth and \
                          --eval are for positions";
            return inapplicable.map_or_else(|| Err(Failure::usage(leaves)), refuse);
        }
        if self.root.is_some() {
            return Err(Failure::usage(
                "MAX is to move at the root of a position: --root is for other trees",
            ));
        }
        let entry = self.game.read(text.trim_end())?;
        let rules = entry.position.rules();
        if let Some(inapplicable) = inapplicable_in(options, Some(rules)) {
            return refuse(inapplicable);
        }
        let evaluator = self.eval.clone().unwrap_or_else(|| Evaluator::textbook(rules));
        self.grow(&entry.position, &evaluator, options)
    }

    fn rooted(&self, tree: ExplicitTree) -> ExplicitTree {
        tree.with_root_turn(self.root.map_or(Turn::Max, Turn::from))
    }

    fn grow(
        &self,
        position: &Position,
        evaluator: &Evaluator,
        options: &SearchOptions,
    ) -> Result<ExplicitTree, Failure> {
        let depth = self.depth.unwrap_or(DEFAULT_DEPTH);
        // The marks want room beside the tree.
        let each = ExplicitTree::BYTES_PER_NODE + Marks::BYTES_PER_NODE;
        let limit = self.limit() / each * ExplicitTree::BYTES_PER_NODE;
        let counting =
            Limits::depth(depth).within(Budget::unlimited().with_time(Duration::from_secs(1)));
        let (nodes, is_all) = count_nodes(position, &counting);
        if nodes.saturating_mul(each) > WORTH_TELLING && nodes.saturating_mul(each) <= self.limit()
        {
            let (more, mebibytes) =
                (if is_all { "" } else { "more than " }, grouped((nodes * each).div_ceil(1 << 20)));
            note(format!(
                "fourfold: the tree has {more}{} and takes {more}{mebibytes} MiB",
                counted(nodes, "node")
            ));
        }
        ExplicitTree::build(position, evaluator, options, depth, limit).map_err(|why| match why {
            TreeSizeError::TooLarge { nodes: least, .. } => {
                self.too_large(nodes.max(least), each, is_all, "look less deep")
            }
            TreeSizeError::Evaluator(why) => Failure::usage(why),
            why => Failure::runtime(why),
        })
    }

    fn plant(&self, random: RandomTree) -> Result<ExplicitTree, Failure> {
        let RandomTree { branching, depth, seed } = random;
        let nodes = random.nodes();
        let each = ExplicitTree::BYTES_PER_NODE + Marks::BYTES_PER_NODE;
        let refuse = || self.too_large(nodes, each, nodes < u64::MAX, "plant a smaller tree");
        if nodes.saturating_mul(each) > self.limit() {
            return Err(refuse());
        }
        ExplicitTree::random(branching, depth, seed, self.limit()).map_err(|why| match why {
            TreeSizeError::TooLarge { .. } => refuse(),
            why => Failure::runtime(why),
        })
    }

    /// Bytes allowed.
    fn limit(&self) -> u64 {
        u64::from(self.memory) << 20
    }

    fn too_large(&self, nodes: u64, each: u64, counted_all: bool, otherwise: &str) -> Failure {
        let more = if counted_all { "" } else { "more than " };
        if nodes > u64::from(u32::MAX) {
            let most = grouped(u32::MAX);
            return Failure::runtime(format!(
                "the tree has {more}{} and no tree may have more than {most}: {otherwise}",
                counted(nodes, "node")
            ));
        }
        let mebibytes = nodes.saturating_mul(each).div_ceil(1 << 20);
        let raise =
            if counted_all { format!("--memory {mebibytes}") } else { "--memory".to_owned() };
        Failure::runtime(format!(
            "the tree has {more}{} and needs {more}{} MiB of memory, but {} are allowed: \
             {otherwise}, or allow more with {raise}",
            counted(nodes, "node"),
            grouped(mebibytes),
            grouped(self.memory)
        ))
    }
}

fn read_stdin() -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        note("Reading a tree such as ((3 5)(2 9)) from the terminal; Ctrl-D ends.");
    }
    let bytes = read_limited(io::stdin().lock(), MAX_TEXT_BYTES)
        .map_err(|why| Failure::runtime(format!("cannot read standard input: {why}")))?
        .ok_or_else(|| {
            let most = MAX_TEXT_BYTES >> 20;
            Failure::invalid(format!("the tree on standard input is larger than {most} MiB"))
        })?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

fn parse(text: &str) -> Result<ExplicitTree, Failure> {
    text.parse().map_err(|why: TypedTreeError| {
        let place = why.column().map_or_else(String::new, |column| point_at(text, column));
        Failure::invalid(format!("{why}{place}"))
    })
}

/// The line of the text that has the character, cut to a readable length, and a caret below it.
fn point_at(text: &str, character: usize) -> String {
    let before: Vec<char> = text.chars().take(character.saturating_sub(1)).collect();
    let start = before.iter().rposition(|&c| c == '\n').map_or(0, |at| at + 1);
    let column = before.len() - start;
    let line: Vec<char> =
        text.chars().skip(start).take_while(|&c| c != '\n' && c != '\r').collect();
    let from = column.saturating_sub(40);
    let to = line.len().min(column + 30);
    // What is not printed as one column would move the caret.
    let plain = |&c: &char| if c.is_control() { ' ' } else { c };
    let shown: String = line.get(from..to).unwrap_or_default().iter().map(plain).collect();
    let (head, tail) = (if from > 0 { "…" } else { "" }, if to < line.len() { "…" } else { "" });
    let gap = " ".repeat(column - from + head.chars().count());
    format!("\n  {head}{shown}{tail}\n  {gap}^")
}

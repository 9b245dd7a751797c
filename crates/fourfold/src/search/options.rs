//! The switches of the textbook search, each described once: name, what it does, default, effect.
//!
//! Front ends (command line, web, Python, experiment files) render [`SWITCHES`]; nothing else lists
//! them.

use std::fmt;
use std::str::FromStr;

/// How the best of several equal moves is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tie {
    /// The first in the order of moves.
    #[default]
    First,
    /// The nearest to the centre; the first of those.
    Centre,
    /// One at random, from the seed.
    Random,
}

impl Tie {
    const NAMES: [&'static str; 3] = ["first", "centre", "random"];
}

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize])
    }
}

/// Every switch of the search: set by field, by builder method, or by name.
///
/// ```
/// use fourfold::search::SearchOptions;
///
/// let built = SearchOptions::default().with_mid_col(true).with_table(16);
/// let mut options = SearchOptions::default();
/// options.set("mid_col", "on")?;
/// options.set("table", "16")?;
/// assert!(options.mid_col && options.alpha_beta);
/// assert_eq!(options, built);
/// assert_eq!(options.set("mid_row", "on").unwrap_err().to_string(),
///     "there is no switch \"mid_row\"; did you mean mid_col?");
/// # Ok::<(), fourfold::search::OptionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchOptions {
    /// Alpha-beta pruning; plain minimax without it.
    pub alpha_beta: bool,
    /// Order moves from the centre outwards.
    pub mid_col: bool,
    /// Take a move that wins at once without searching the others.
    pub early_win: bool,
    /// MiB for the transposition table; 0 for none.
    pub table: u32,
    /// Skip symmetric siblings and share table entries between images.
    pub symmetry: bool,
    /// Killer moves: try those first that caused a cut-off at this ply.
    pub killers: bool,
    /// History heuristic: try those first that have caused many cut-offs.
    pub history: bool,
    /// Iterative deepening: search to depth 1, 2, 3, ...
    pub deepening: bool,
    /// Forward pruning: keep only so many moves at a node; 0 for all.
    pub forward: u32,
    /// Cache positions whose outcome is proven, for use at any depth.
    pub cached_ends: bool,
    /// Score positions in the opening book as proven.
    pub book: bool,
    /// Contempt: how much less than 0 a draw is worth to MAX.
    pub contempt: i32,
    /// Prefer sooner wins and later losses.
    pub distance: bool,
    /// Search every root move with an open window, for its exact value.
    pub exact_root: bool,
    /// How the best of equal moves is chosen.
    pub tie: Tie,
}

impl Default for SearchOptions {
    /// Alpha-beta, nothing else.
    fn default() -> Self {
        Self {
            alpha_beta: true,
            mid_col: false,
            early_win: false,
            table: 0,
            symmetry: false,
            killers: false,
            history: false,
            deepening: false,
            forward: 0,
            cached_ends: false,
            book: false,
            contempt: 0,
            distance: true,
            exact_root: false,
            tie: Tie::First,
        }
    }
}

/// The values a switch can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchKind {
    /// `on` or `off`.
    Flag,
    /// A whole number in a range.
    Number {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
        /// What it counts.
        unit: &'static str,
    },
    /// One of some words.
    Choice(&'static [&'static str]),
}

/// What a switch does to the value of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: the value is the same with and without it.
    KeepsValue,
    /// It says what positions are worth, so values may differ by it.
    DefinesValue,
    /// It leaves moves out, so the value may be wrong.
    MayChangeValue,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KeepsValue => "keeps the value",
            Self::DefinesValue => "changes what is counted",
            Self::MayChangeValue => "may change the value",
        })
    }
}

/// One switch, described.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Switch {
    /// As written in player specs and experiment files.
    pub name: &'static str,
    /// What it does, in a line.
    pub doc: &'static str,
    /// Its values.
    pub kind: SwitchKind,
    /// What it does to the value.
    pub effect: Effect,
    get: fn(&SearchOptions) -> i64,
    set: fn(&mut SearchOptions, i64),
}

impl Switch {
    /// The switch of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        SWITCHES.iter().find(|switch| switch.name == name)
    }

    /// Its value in `options`, as text.
    #[must_use]
    pub fn value(&self, options: &SearchOptions) -> String {
        let value = (self.get)(options);
        match self.kind {
            SwitchKind::Flag => if value == 0 { "off" } else { "on" }.to_owned(),
            SwitchKind::Number { .. } => value.to_string(),
            SwitchKind::Choice(words) => words[value as usize].to_owned(),
        }
    }

    /// Its default, as text.
    #[must_use]
    pub fn default_value(&self) -> String {
        self.value(&SearchOptions::default())
    }
}

/// Why a switch could not be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is none of that name.
    #[error("there is no switch {name:?}; {}", suggestion(.name))]
    Unknown {
        /// As given.
        name: String,
    },
    /// The value does not fit.
    #[error("{name} cannot be {value:?}: {}", expected(.name))]
    Value {
        /// The switch.
        name: &'static str,
        /// As given.
        value: String,
    },
}

fn suggestion(name: &str) -> String {
    let names = SWITCHES.map(|switch| switch.name);
    nearest(name, names.into_iter()).unwrap_or_else(|| format!("there are {}", names.join(", ")))
}

/// `did you mean depth?`, if some known word is near what was typed. For the front ends.
#[doc(hidden)]
#[must_use]
pub fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let (changes, word) = known.map(|word| (distance(typed, word), word)).min()?;
    // Most letters must be right: three wrong ones make any word of "tie".
    (changes <= 3 && 2 * changes < word.len()).then(|| format!("did you mean {word}?"))
}

/// How many letters must change to make one word of another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

fn expected(name: &str) -> String {
    match Switch::named(name).map(|switch| switch.kind) {
        Some(SwitchKind::Number { min, max, unit }) => {
            format!("it is a number of {unit} from {min} to {max}")
        }
        Some(SwitchKind::Choice(words)) => format!("it is one of {}", words.join(", ")),
        _ => "it is on or off".to_owned(),
    }
}

impl SearchOptions {
    /// Plain minimax: everything off but the preference for sooner wins.
    #[must_use]
    pub fn minimax() -> Self {
        Self { alpha_beta: false, ..Self::default() }
    }

    /// For a move within a time: centre first, a table of so many MiB, a ply further each time.
    #[must_use]
    pub fn timed(table: u32) -> Self {
        Self { mid_col: true, early_win: true, table, deepening: true, ..Self::default() }
    }

    /// Sets a switch by name, from text.
    ///
    /// # Errors
    /// If there is no such switch or it cannot have that value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let switch =
            Switch::named(name).ok_or_else(|| OptionError::Unknown { name: name.to_owned() })?;
        let parsed = match switch.kind {
            SwitchKind::Flag => match value {
                "on" | "true" | "1" => Some(1),
                "off" | "false" | "0" => Some(0),
                _ => None,
            },
            SwitchKind::Number { min, max, .. } => {
                i64::from_str(value).ok().filter(|number| (min..=max).contains(number))
            }
            SwitchKind::Choice(words) => {
                words.iter().position(|word| *word == value).map(|index| index as i64)
            }
        };
        let wrong = || OptionError::Value { name: switch.name, value: value.to_owned() };
        (switch.set)(self, parsed.ok_or_else(wrong)?);
        Ok(())
    }

    /// The switches that are not at their default, as `name=value`.
    pub fn changed(&self) -> impl Iterator<Item = (&'static Switch, String)> + '_ {
        SWITCHES.iter().filter_map(|switch| {
            let value = switch.value(self);
            (value != switch.default_value()).then_some((switch, value))
        })
    }

    /// True if no switch may make the value wrong.
    #[must_use]
    pub fn keeps_value(&self) -> bool {
        self.changed().all(|(switch, _)| switch.effect != Effect::MayChangeValue)
    }
}

macro_rules! builder_methods {
    ($($with:ident $field:ident: $type:ty),* $(,)?) => {
        /// Builder methods, one for each field.
        impl SearchOptions {
            $(
                #[doc = concat!("The same with another [`", stringify!($field), "`](Self::",
                    stringify!($field), ").")]
                #[must_use]
                pub fn $with(self, $field: $type) -> Self {
                    Self { $field, ..self }
                }
            )*
        }
    };
}

builder_methods! {
    with_alpha_beta alpha_beta: bool,
    with_mid_col mid_col: bool,
    with_early_win early_win: bool,
    with_table table: u32,
    with_symmetry symmetry: bool,
    with_killers killers: bool,
    with_history history: bool,
    with_deepening deepening: bool,
    with_forward forward: u32,
    with_cached_ends cached_ends: bool,
    with_book book: bool,
    with_contempt contempt: i32,
    with_distance distance: bool,
    with_exact_root exact_root: bool,
    with_tie tie: Tie,
}

macro_rules! flag {
    ($field:ident, $effect:ident, $doc:literal) => {
        Switch {
            name: stringify!($field),
            doc: $doc,
            kind: SwitchKind::Flag,
            effect: Effect::$effect,
            get: |options| i64::from(options.$field),
            set: |options, value| options.$field = value != 0,
        }
    };
}

macro_rules! number {
    ($field:ident, $type:ty, $range:expr, $unit:literal, $effect:ident, $doc:literal) => {
        Switch {
            name: stringify!($field),
            doc: $doc,
            kind: SwitchKind::Number { min: *$range.start(), max: *$range.end(), unit: $unit },
            effect: Effect::$effect,
            get: |options| i64::from(options.$field),
            set: |options, value| options.$field = value as $type,
        }
    };
}

/// All switches.
pub const SWITCHES: [Switch; 15] = [
    flag!(alpha_beta, KeepsValue, "skip moves that cannot change the value (off: plain minimax)"),
    flag!(mid_col, KeepsValue, "try central columns (or cells) first"),
    flag!(
        early_win,
        KeepsValue,
        "take a winning move as soon as it is seen, without trying the others"
    ),
    number!(
        table,
        u32,
        0..=65_536i64,
        "MiB",
        KeepsValue,
        "remember positions met before in a table of this many MiB (0: none)"
    ),
    flag!(
        symmetry,
        KeepsValue,
        "skip moves that lead to a mirror image of a position already tried"
    ),
    flag!(killers, KeepsValue, "try moves first that caused a cut at the same depth"),
    flag!(history, KeepsValue, "try moves first that often caused cuts"),
    flag!(
        deepening,
        KeepsValue,
        "search to depth 1, 2, 3, ... and start each with the best move of the last"
    ),
    number!(
        forward,
        u32,
        0..=128i64,
        "moves",
        MayChangeValue,
        "keep only the moves that look best, this many at each node (0: all); wins and blocks are always kept"
    ),
    flag!(
        cached_ends,
        KeepsValue,
        "remember positions whose end is proven, for any depth and from move to move"
    ),
    flag!(
        book,
        DefinesValue,
        "count positions that the book of openings knows as what they are proven to be"
    ),
    number!(
        contempt,
        i32,
        -1_000_000..=1_000_000i64,
        "points",
        DefinesValue,
        "count a draw as this much of a loss for the side that searches"
    ),
    flag!(distance, DefinesValue, "count a sooner win (and a later loss) as better"),
    flag!(
        exact_root,
        KeepsValue,
        "give every first move its exact value, with a window of its own"
    ),
    Switch {
        name: "tie",
        doc: "how to choose among equally good moves",
        kind: SwitchKind::Choice(&Tie::NAMES),
        effect: Effect::KeepsValue,
        get: |options| options.tie as i64,
        set: |options, value| options.tie = [Tie::First, Tie::Centre, Tie::Random][value as usize],
    },
];

//! Player specs: one line of text for every kind of seat.
//!
//! ```text
//! random                                   any legal move
//! naive                                    win, else block, else any move
//! minimax:depth=5,eval=windows             plain minimax
//! alphabeta:depth=9,order=centre,table=16  alpha-beta with any switches
//! easy:depth=5                             minimax that only knows finished games, at random among equals (UMBC)
//! utility:depth=7,weights=1/5/25/100       minimax with the windows evaluator, at random among equals (UMBC)
//! lookahead:3                              alpha-beta three plies deep with the game's own evaluator
//! mcts:playouts=1000                       Monte Carlo tree search
//! level:5                                  a level of calibrated strength, 1 to 12
//! character:otto                           a level with a style of its own
//! perfect                                  the best move there is, by the exact solver
//! script:4453                              its own moves from a list, then as naive
//! human                                    a person
//! external:./engine                        another program
//! ```
//!
//! Arguments follow a colon, separated by commas; a bare number is the depth, and a switch alone
//! means that it is on. Every player takes `random=0.1`, the share of its moves that are random.
//! Those still win at once or block if they can, unless `careless` is given as well.
//! Searching players take every switch of [`crate::search::SWITCHES`], and `eval`, `weights`,
//! `depth`, `nodes`, `time` (in ms; deepens as far as it gets). `mcts` takes those of [`MctsSpec`],
//! `perfect` those of [`PerfectSpec`], `external` those of [`ExternalSpec`] and before its command.

use super::finishing::Finishing;
use super::players::Wavering;
use super::{
    ExternalSpec, Host, LevelSpec, MctsSpec, Naive, PerfectSpec, Player, PlayerError,
    PlayerFactory, RandomMover, Script, SearchPlayer,
};
use crate::book::Book;
use crate::budget::Budget;
use crate::eval::{Evaluator, EvaluatorError, Square, Weights, Windows};
use crate::game::{Rules, excerpt};
use crate::random::Random;
use crate::search::{
    Limits, OptionError, SearchOptions, Searcher, Switch, SwitchKind, Tie, nearest,
};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// A searching seat. A spec's text makes one, and so do these methods, which also take an
/// evaluator of the user's own:
///
/// ```
/// use fourfold::eval::Evaluator;
/// use fourfold::play::{PlayerSpec, SearchSpec};
///
/// let spec = SearchSpec::alpha_beta(4).with_evaluator(Evaluator::Terminal);
/// assert_eq!(PlayerSpec::from(spec).to_string(), "alphabeta:depth=4,eval=terminal");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SearchSpec {
    /// `minimax`, `alphabeta`, `easy`, `utility` or `lookahead`.
    name: &'static str,
    /// Plies to look ahead.
    pub depth: u32,
    /// The evaluator; the game's natural one if none.
    pub evaluator: Option<Evaluator>,
    /// The switches.
    pub options: SearchOptions,
    /// Node limit per move.
    pub nodes: Option<u64>,
    /// Time limit per move.
    pub time: Option<Duration>,
}

/// Who sits at the board.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Seat {
    /// Any legal move.
    Random,
    /// Win, block, or any move.
    Naive,
    /// The best move of a search.
    Search(SearchSpec),
    /// The best move of a Monte Carlo tree search.
    Mcts(MctsSpec),
    /// A level or a character.
    Level(LevelSpec),
    /// The best move there is.
    Perfect(PerfectSpec),
    /// A list of moves.
    Script(String),
    /// A person, whom the front end asks.
    Human,
    /// Another program, which the front end starts.
    External(ExternalSpec),
    /// The user's own; see [`PlayerSpec::custom`]. No text is read as one.
    Custom(Arc<dyn PlayerFactory>),
}

/// A seat and how often it moves at random. The grammar is that of the module.
///
/// ```
/// use fourfold::play::PlayerSpec;
///
/// let spec: PlayerSpec = "alphabeta:depth=9,order=centre,random=0.1".parse()?;
/// assert_eq!(spec.to_string(), "alphabeta:depth=9,mid_col=on,random=0.1");
/// assert_eq!("nave".parse::<PlayerSpec>().unwrap_err().to_string(),
///     "there is no player \"nave\"; did you mean naive?");
/// # Ok::<(), fourfold::play::SpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlayerSpec {
    /// Who sits there.
    pub seat: Seat,
    /// The share of random moves, from 0 to 1.
    pub random: f64,
    /// Whether random moves may miss a win or a threat at once.
    pub careless: bool,
}

/// Why a text is not a player.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A file that a front end reads for a spec cannot be used.
    #[error("{problem}")]
    File {
        /// What is wrong with it.
        problem: String,
    },
    /// No player has this name.
    #[error("there is no player {name:?}; {hint}")]
    UnknownPlayer {
        /// As given.
        name: String,
        /// What there is.
        hint: String,
    },
    /// The player takes no such argument.
    #[error("{player} takes no argument {argument:?}; {hint}")]
    UnknownArgument {
        /// The player.
        player: &'static str,
        /// As given.
        argument: String,
        /// What there is.
        hint: String,
    },
    /// An argument is there more than once.
    #[error("{argument} is given twice")]
    Twice {
        /// The argument.
        argument: String,
    },
    /// An argument's value does not fit.
    #[error("{argument}={value} makes no sense: {expected}")]
    Value {
        /// The argument.
        argument: &'static str,
        /// As given.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The command of another program cannot be read.
    #[error("external:{command} cannot be started: {problem}")]
    Command {
        /// As given.
        command: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// A switch was given a value it cannot have.
    #[error(transparent)]
    Switch(#[from] OptionError),
    /// The evaluator or its weights.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
}

/// Names of players, a line about each.
const PLAYERS: [(&str, &str); 14] = [
    ("random", "any legal move"),
    ("naive", "wins or blocks if it can at once, else any move"),
    ("minimax", "plain minimax: minimax:depth=5,eval=windows"),
    ("alphabeta", "alpha-beta with any switches: alphabeta:depth=9,mid_col,table=16"),
    ("easy", "minimax that only knows finished games, at random among equals: easy:depth=5"),
    (
        "utility",
        "minimax with the windows evaluator, at random among equals: utility:depth=5,weights=1/5/25/100",
    ),
    ("lookahead", "alpha-beta with the game's own evaluator: lookahead:3"),
    ("mcts", "Monte Carlo tree search (UCT), no evaluator: mcts:playouts=1000"),
    ("level", "a level of calibrated strength, from 1 to 12: level:5"),
    ("character", "a level with a style of its own: character:otto"),
    ("perfect", "the best move there is, by the exact solver: perfect:time=1000"),
    ("script", "its own moves from a list, then as naive: script:4453"),
    ("human", "a person at the keyboard"),
    (
        "external",
        "another program that speaks the engine protocol: external:time=1000,./engine --its arguments",
    ),
];

const DEFAULT_DEPTH: u32 = 5;

impl PlayerSpec {
    /// Every player by name, with a line about it.
    #[must_use]
    pub fn all() -> &'static [(&'static str, &'static str)] {
        &PLAYERS
    }

    /// True if a person has to be asked for its moves.
    #[must_use]
    pub fn is_human(&self) -> bool {
        self.seat == Seat::Human
    }

    /// True if another program has to be started for its moves.
    #[must_use]
    pub fn is_external(&self) -> bool {
        matches!(self.seat, Seat::External(_))
    }

    /// The same; if another program sits there, it is started by `host`.
    #[must_use]
    pub fn hosted_by(mut self, host: Host) -> Self {
        if let Seat::External(external) = &mut self.seat {
            external.host(host);
        }
        self
    }

    /// True if the same position always gets the same move, whatever the seed.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        let chance = match &self.seat {
            Seat::Search(search) => search.options.tie == Tie::Random || search.time.is_some(),
            Seat::Perfect(perfect) => perfect.tie == Tie::Random || perfect.time.is_some(),
            Seat::Random
            | Seat::Naive
            | Seat::Mcts(_)
            | Seat::Level(_)
            | Seat::Script(_)
            | Seat::Human
            | Seat::External(_) => true,
            Seat::Custom(factory) => !factory.is_deterministic(),
        };
        self.random == 0.0 && !chance
    }

    /// True if another seed can make it choose other moves. Of the players that are not
    /// deterministic, those whose moves vary only with the clock or another program do not.
    #[must_use]
    pub fn draws_on_seed(&self) -> bool {
        let random_ties = |tie: &Tie| *tie == Tie::Random;
        self.random > 0.0
            || match &self.seat {
                Seat::External(_) | Seat::Human => false,
                Seat::Search(search) => random_ties(&search.options.tie),
                Seat::Perfect(perfect) => random_ties(&perfect.tie),
                _ => !self.is_deterministic(),
            }
    }

    /// Seats the player for a game of `rules`. Everything random about it comes from `seed`. All
    /// its moves together draw on `budget`, besides what the spec allows for each; whoever watches
    /// the budget sees the player think.
    ///
    /// # Errors
    /// If a person has to be asked, its evaluator or the solver is made for other games, or its
    /// script has a move that is not on the board.
    pub fn player(
        &self,
        rules: &Rules,
        seed: u64,
        budget: &Budget,
    ) -> Result<Box<dyn Player + Send>, PlayerError> {
        let mut random = Random::new(seed);
        let own_seed = random.next_u64();
        let own = Random::new(own_seed);
        let player: Box<dyn Player + Send> = match &self.seat {
            Seat::Random => Box::new(RandomMover::new(own)),
            Seat::Naive => Box::new(Naive::new(own)),
            Seat::Script(moves) => {
                let script = Script::new(moves, own);
                script.check(rules)?;
                Box::new(script)
            }
            Seat::Human => return Err(PlayerError::NeedsFrontEnd { seat: self.to_string() }),
            Seat::External(external) => external.player(rules, seed, budget)?,
            Seat::Custom(factory) => factory.player(rules, own_seed, budget)?,
            Seat::Mcts(mcts) => Box::new(mcts.player(own, budget)),
            Seat::Level(level) => Box::new(level.player(rules, own_seed, budget)),
            Seat::Perfect(perfect) => Box::new(perfect.player(rules, own, budget)?),
            Seat::Search(search) => {
                let evaluator =
                    search.evaluator.clone().unwrap_or_else(|| Evaluator::natural(rules));
                evaluator.check(rules)?;
                let searcher = Searcher::new(evaluator, search.options.clone());
                let limits = search.limits(budget);
                let player = SearchPlayer::new(searcher, limits.clone(), own);
                match Book::embedded(rules).filter(|_| search.options.book) {
                    Some(book) => Box::new(Finishing::new(player, limits, book, rules)?),
                    None => Box::new(player),
                }
            }
        };
        Ok(if self.random > 0.0 {
            Box::new(Wavering { player, share: self.random, careless: self.careless, random })
        } else {
            player
        })
    }
}

impl From<Seat> for PlayerSpec {
    fn from(seat: Seat) -> Self {
        Self { seat, random: 0.0, careless: false }
    }
}

impl From<SearchSpec> for PlayerSpec {
    fn from(search: SearchSpec) -> Self {
        Seat::Search(search).into()
    }
}

impl SearchSpec {
    fn new(name: &'static str, options: SearchOptions) -> Self {
        Self { name, depth: DEFAULT_DEPTH, evaluator: None, options, nodes: None, time: None }
    }

    /// Plain minimax to `depth` plies, with the game's natural evaluator.
    #[must_use]
    pub fn minimax(depth: u32) -> Self {
        Self { depth, ..Self::new("minimax", SearchOptions::minimax()) }
    }

    /// Alpha-beta to `depth` plies, with the game's natural evaluator.
    #[must_use]
    pub fn alpha_beta(depth: u32) -> Self {
        Self { depth, ..Self::new("alphabeta", SearchOptions::default()) }
    }

    /// The same with another evaluator.
    #[must_use]
    pub fn with_evaluator(self, evaluator: Evaluator) -> Self {
        Self { evaluator: Some(evaluator), ..self }
    }

    /// The same with other switches.
    #[must_use]
    pub fn with_options(self, options: SearchOptions) -> Self {
        Self { options, ..self }
    }

    /// The same with a node limit per move.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// The same with a time limit per move.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// What it may spend on a move, out of a budget.
    #[must_use]
    pub fn limits(&self, budget: &Budget) -> Limits {
        let part = budget.part().with_nodes(self.nodes).with_time(self.time);
        Limits::depth(self.depth).within(part)
    }

    /// As named, before any argument.
    fn named(name: &str) -> Option<Self> {
        let at_random = SearchOptions { tie: Tie::Random, ..SearchOptions::minimax() };
        Some(match name {
            "minimax" => Self::minimax(DEFAULT_DEPTH),
            "alphabeta" => Self::alpha_beta(DEFAULT_DEPTH),
            "easy" => Self { evaluator: Some(Evaluator::Terminal), ..Self::new("easy", at_random) },
            "utility" => Self {
                evaluator: Some(Evaluator::Windows(Windows::default())),
                ..Self::new("utility", at_random)
            },
            "lookahead" => {
                let options =
                    SearchOptions { mid_col: true, early_win: true, ..SearchOptions::default() };
                Self::new("lookahead", options)
            }
            _ => return None,
        })
    }

    fn set(&mut self, argument: &str, value: Option<&str>) -> Result<(), SpecError> {
        let text = value.unwrap_or("");
        let wrong =
            |argument, expected| SpecError::Value { argument, value: text.to_owned(), expected };
        match argument {
            "depth" => self.depth = depth_of(text)?,
            "nodes" => self.nodes = Some(nodes_of(text)?),
            "time" => self.time = Some(time_of("time", text)?),
            "eval" => self.evaluator = Some(text.parse()?),
            "weights" => {
                let expected = "only the evaluators windows, square and threats have weights";
                self.evaluator = Some(match self.evaluator {
                    None | Some(Evaluator::Windows(_)) => {
                        Evaluator::Windows(Windows::new(text.parse::<Weights>()?))
                    }
                    Some(Evaluator::Square(_)) => {
                        Evaluator::Square(Square::with_weights(text.parse()?))
                    }
                    Some(Evaluator::Threats(_)) => Evaluator::Threats(text.parse()?),
                    Some(_) => return Err(wrong("weights", expected)),
                });
            }
            "order" => {
                let expected = "the order of moves is first or centre";
                self.options.mid_col = match text {
                    "centre" | "center" => true,
                    "first" => false,
                    _ => return Err(wrong("order", expected)),
                };
            }
            _ => {
                let Some(switch) = Switch::named(argument) else {
                    return Err(self.unknown(argument));
                };
                let alone = if switch.kind == SwitchKind::Flag { "on" } else { "" };
                self.options.set(argument, value.unwrap_or(alone))?;
            }
        }
        Ok(())
    }

    fn unknown(&self, argument: &str) -> SpecError {
        let own = ["depth", "nodes", "time", "eval", "weights", "order", "random", "careless"];
        let known = own.into_iter().chain(crate::search::SWITCHES.iter().map(|switch| switch.name));
        let hint = nearest(argument, known.clone())
            .unwrap_or_else(|| format!("it takes {}", known.collect::<Vec<_>>().join(", ")));
        SpecError::UnknownArgument { player: self.name, argument: excerpt(argument), hint }
    }
}

/// A budget of nodes.
pub(super) fn nodes_of(text: &str) -> Result<u64, SpecError> {
    let expected = "it is a number of positions, at least 1";
    let wrong = || SpecError::Value { argument: "nodes", value: text.to_owned(), expected };
    parse_in(text, &(1..=u64::MAX)).ok_or_else(wrong)
}

/// A budget of time.
pub(super) fn time_of(argument: &'static str, text: &str) -> Result<Duration, SpecError> {
    let expected = "it is a number of milliseconds, at least 1";
    let wrong = || SpecError::Value { argument, value: text.to_owned(), expected };
    parse_in(text, &(1..=u64::from(u32::MAX))).map(Duration::from_millis).ok_or_else(wrong)
}

/// How far to look ahead.
pub(super) fn depth_of(text: &str) -> Result<u32, SpecError> {
    let expected = "it is the number of plies to look ahead, from 1 to 128";
    let wrong = || SpecError::Value { argument: "depth", value: text.to_owned(), expected };
    parse_in(text, &(1..=128)).ok_or_else(wrong)
}

/// The share of random moves.
pub(super) fn random_of(text: &str) -> Result<f64, SpecError> {
    let expected = "it is the share of random moves, from 0 to 1";
    let wrong = || SpecError::Value { argument: "random", value: text.to_owned(), expected };
    parse_in(text, &(0.0..=1.0)).ok_or_else(wrong)
}

/// Something that is on or off.
pub(super) fn flag_of(argument: &'static str, text: &str) -> Result<bool, SpecError> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => {
            Err(SpecError::Value { argument, value: text.to_owned(), expected: "it is on or off" })
        }
    }
}

pub(super) fn parse_in<N: FromStr + PartialOrd>(
    text: &str,
    range: &RangeInclusive<N>,
) -> Option<N> {
    text.parse().ok().filter(|number| range.contains(number))
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, arguments) =
            text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let name = name.to_ascii_lowercase();
        if name == "external" {
            let (external, random, careless) = ExternalSpec::of(arguments.unwrap_or(""))?;
            return Ok(Self { seat: Seat::External(external), random, careless });
        }
        if name != "script" {
            given_once(arguments.into_iter().flat_map(|arguments| arguments.split(',')))?;
        }
        let (mut random, mut careless) = (0.0, false);
        let mut own = Vec::new();
        // Random moves are common to all; what is left is the player's own.
        for argument in arguments.into_iter().flat_map(|arguments| arguments.split(',')) {
            match argument.split_once('=').unwrap_or((argument, "on")) {
                ("random", share) => random = random_of(share)?,
                ("careless", value) => careless = flag_of("careless", value)?,
                _ => own.push(argument),
            }
        }
        let seat = match name.as_str() {
            "random" => plain("random", Seat::Random, &own)?,
            "naive" => plain("naive", Seat::Naive, &own)?,
            "human" => plain("human", Seat::Human, &own)?,
            "script" => Seat::Script(own.join(",")),
            "mcts" => Seat::Mcts(MctsSpec::of(&own)?),
            "level" => Seat::Level(LevelSpec::of(&own)?),
            "character" => Seat::Level(LevelSpec::of_character_named(&own)?),
            "perfect" => Seat::Perfect(PerfectSpec::of(&own)?),
            name => Seat::Search(search_seat(name, &own)?),
        };
        Ok(Self { seat, random, careless })
    }
}

/// Refuses an argument that is given twice: nobody could say which of the two counts.
pub(super) fn given_once<'a>(arguments: impl Iterator<Item = &'a str>) -> Result<(), SpecError> {
    let mut seen = std::collections::HashSet::new();
    for argument in arguments.filter(|argument| !argument.is_empty()) {
        let is_depth = argument.bytes().all(|byte| byte.is_ascii_digit());
        let key = argument.split_once('=').map_or(argument, |(key, _)| key);
        let key = if is_depth { "depth" } else { key };
        if !seen.insert(key) {
            return Err(SpecError::Twice { argument: key.to_owned() });
        }
    }
    Ok(())
}

fn plain(player: &'static str, seat: Seat, own: &[&str]) -> Result<Seat, SpecError> {
    match own {
        [] => Ok(seat),
        [argument, ..] => Err(SpecError::UnknownArgument {
            player,
            argument: (*argument).to_owned(),
            hint: "it takes none but random=SHARE".to_owned(),
        }),
    }
}

fn search_seat(name: &str, own: &[&str]) -> Result<SearchSpec, SpecError> {
    let mut search = SearchSpec::named(name).ok_or_else(|| SpecError::UnknownPlayer {
        name: excerpt(name),
        hint: nearest(name, PLAYERS.map(|(name, _)| name).into_iter())
            .unwrap_or_else(|| format!("there are {}", PLAYERS.map(|(name, _)| name).join(", "))),
    })?;
    let mut depth_given = false;
    for argument in own {
        if argument.bytes().all(|byte| byte.is_ascii_digit()) && !argument.is_empty() {
            search.set("depth", Some(argument))?;
            depth_given = true;
        } else {
            let (key, value) =
                argument.split_once('=').map_or((*argument, None), |(k, v)| (k, Some(v)));
            search.set(key, value)?;
            depth_given |= key == "depth";
        }
    }
    if search.time.is_some() || search.nodes.is_some() {
        // A budget is spent by looking one ply further each time.
        search.options.deepening = true;
        if !depth_given {
            search.depth = 128;
        }
    }
    Ok(search)
}

/// The shortest spec that means the same; of a user's own player, its name.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut arguments: Vec<String> = Vec::new();
        let name = match &self.seat {
            Seat::Random => "random",
            Seat::Naive => "naive",
            Seat::Human => "human",
            Seat::Custom(factory) => factory.name(),
            Seat::External(external) => {
                f.write_str("external:")?;
                return external.write(f, self.random, self.careless);
            }
            Seat::Script(moves) => {
                arguments.push(moves.clone());
                "script"
            }
            Seat::Mcts(mcts) => {
                arguments.extend(mcts.arguments());
                "mcts"
            }
            Seat::Level(level) => {
                let (name, own) = level.written();
                arguments.extend(own);
                name
            }
            Seat::Perfect(perfect) => {
                arguments.extend(perfect.arguments());
                "perfect"
            }
            Seat::Search(search) => {
                let plain = SearchSpec::named(search.name);
                arguments.push(format!("depth={}", search.depth));
                if let Some(evaluator) = &search.evaluator
                    && plain.as_ref().is_none_or(|plain| plain.evaluator != search.evaluator)
                {
                    arguments.push(format!("eval={evaluator}"));
                }
                arguments.extend(search.nodes.map(|nodes| format!("nodes={nodes}")));
                arguments.extend(search.time.map(|time| format!("time={}", time.as_millis())));
                for switch in &crate::search::SWITCHES {
                    let value = switch.value(&search.options);
                    let usual =
                        plain.as_ref().is_some_and(|plain| switch.value(&plain.options) == value);
                    if !usual {
                        arguments.push(format!("{}={value}", switch.name));
                    }
                }
                search.name
            }
        };
        if self.random > 0.0 {
            arguments.push(format!("random={}", self.random));
            arguments.extend(self.careless.then(|| "careless".to_owned()));
        }
        f.write_str(name)?;
        if !arguments.is_empty() {
            write!(f, ":{}", arguments.join(","))?;
        }
        Ok(())
    }
}

//! Cells: what is done for one combination of values, read from the part's texts.
//!
//! [`Work`] is a part's texts before anything is filled in, [`Task`] what a cell does. How a task
//! is done is in `measure`.

use crate::experiment::Filling;
use crate::metrics::Kind;
use crate::reading::{FileError, Keys, Place, Placed};
use crate::replica::{Pruning, Replica};
use fourfold::eval::Evaluator;
use fourfold::game::{Position, Rules, notation};
use fourfold::play::{Host, Match, PlayerSpec};
use fourfold::search::{SearchOptions, Switch, SwitchKind};
use std::str::FromStr;

/// One combination of values and what is done for it.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Unique in the experiment: the part and the values.
    pub key: String,
    /// For each axis, the index of its value.
    pub values: Vec<usize>,
    /// What to do.
    pub task: Task,
}

/// What a cell does.
#[derive(Debug, Clone)]
pub enum Task {
    /// Plays games.
    Match(MatchTask),
    /// Searches positions.
    Search(SearchTask),
    /// Counts a ply.
    Count(CountTask),
    /// Plays games of the Radboud report's search.
    Replica(ReplicaTask),
}

/// Games between two players.
#[derive(Debug, Clone)]
pub struct MatchTask {
    /// The games; the player is first of the two, unless the opponent begins.
    pub contest: Match,
    /// True if the opponent is first of the two.
    pub opponent_begins: bool,
}

/// Searches of positions.
#[derive(Debug, Clone)]
pub struct SearchTask {
    /// What to search.
    pub positions: Vec<Position>,
    /// Plies to look ahead.
    pub depth: u32,
    /// The evaluator.
    pub evaluator: Evaluator,
    /// The switches.
    pub options: SearchOptions,
    /// Timed repeats after the warm-up.
    pub repeats: u32,
}

/// A ply to count.
#[derive(Debug, Clone)]
pub struct CountTask {
    /// Where to start.
    pub start: Position,
    /// How far.
    pub ply: u32,
}

/// Games of the Radboud report.
#[derive(Debug, Clone)]
pub struct ReplicaTask {
    /// The game.
    pub rules: Rules,
    /// Plies that a search looks ahead.
    pub depth: u32,
    /// Who plays.
    pub seats: [ReplicaSeat; 2],
    /// True for correct searches in place of the printed ones.
    pub correct: bool,
    /// How many games.
    pub games: u64,
    /// What everything random comes from.
    pub seed: u64,
}

/// A player of the Radboud report.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplicaSeat {
    /// A search.
    Search(Pruning),
    /// Somebody in place of the human.
    StandIn(PlayerSpec),
}

impl Task {
    /// Games or positions.
    #[must_use]
    pub fn items(&self) -> usize {
        match self {
            Self::Match(task) => task.contest.games as usize,
            Self::Search(task) => task.positions.len(),
            Self::Count(_) => 1,
            Self::Replica(task) => task.games as usize,
        }
    }

    /// Lets `host` start the programs that play, if any do.
    pub(crate) fn let_in(&mut self, host: Host) {
        let let_in = |spec: &mut PlayerSpec| *spec = spec.clone().hosted_by(host);
        match self {
            Self::Match(task) => task.contest.players.iter_mut().for_each(let_in),
            Self::Replica(task) => {
                let stand_ins = task.seats.iter_mut().filter_map(|seat| match seat {
                    ReplicaSeat::StandIn(spec) => Some(spec),
                    ReplicaSeat::Search(_) => None,
                });
                stand_ins.for_each(let_in);
            }
            Self::Search(_) | Self::Count(_) => {}
        }
    }

    /// How many items are done and kept together: small enough that little is lost, large enough
    /// that the journal stays small.
    #[must_use]
    pub fn block(&self) -> usize {
        match self {
            Self::Match(_) | Self::Replica(_) => (self.items() / 40).clamp(1, 100),
            Self::Search(_) | Self::Count(_) => 1,
        }
    }
}

/// Reads a file named at a place.
pub(crate) type Load<'a> = dyn FnMut(&Place, &str) -> Result<String, FileError> + 'a;

/// A part's texts, before anything is filled in.
pub(crate) enum Work {
    Match {
        game: Placed<String>,
        player: Placed<String>,
        opponent: Placed<String>,
        begins: Option<Placed<String>>,
        opening: Option<Placed<String>>,
        games: Placed<String>,
        seed: u64,
    },
    Search {
        game: Placed<String>,
        positions: Positions,
        depth: Placed<String>,
        evaluator: Option<Placed<String>>,
        switches: Option<Placed<String>>,
        repeats: u32,
    },
    Count {
        game: Placed<String>,
        ply: Placed<String>,
    },
    Replica {
        game: Placed<String>,
        code: Placed<String>,
        first: Placed<String>,
        second: Placed<String>,
        depth: Placed<String>,
        games: Placed<String>,
        seed: u64,
    },
}

impl Work {
    pub(crate) fn read(kind: Kind, keys: &Keys<'_>, seed: u64) -> Result<Self, FileError> {
        let game = match keys.text("game")? {
            Some(game) => game,
            None => Placed { value: "7x6c4".to_owned(), place: keys.place() },
        };
        Ok(match kind {
            Kind::Match => Self::Match {
                game,
                player: keys.required("player")?,
                opponent: keys.required("opponent")?,
                begins: keys.text("begins")?,
                opening: keys.text("opening")?,
                games: keys.required("games")?,
                seed,
            },
            Kind::Search => Self::Search {
                game,
                positions: Positions::read(keys)?,
                depth: keys.required("depth")?,
                evaluator: keys.text("eval")?,
                switches: keys.text("switches")?,
                repeats: keys
                    .parsed("repeats", "it is a number from 0 (not timed) to 1000", |n: &u32| {
                        *n <= 1000
                    })?
                    .unwrap_or(0),
            },
            Kind::Count => Self::Count { game, ply: keys.required("ply")? },
            Kind::Replica => Self::Replica {
                game,
                code: keys.required("code")?,
                first: keys.required("first")?,
                second: keys.required("second")?,
                depth: keys.required("depth")?,
                games: keys.required("games")?,
                seed,
            },
        })
    }

    /// The task of one combination; `load` reads the file of positions, if there is one.
    pub(crate) fn task(
        &self,
        filling: &Filling<'_>,
        load: &mut Load<'_>,
    ) -> Result<Task, FileError> {
        match self {
            Self::Match { game, player, opponent, begins, opening, games, seed } => {
                let rules: Rules = filling.parse(game)?;
                let begins =
                    begins.as_ref().map_or(Ok("player".to_owned()), |text| filling.fill(text))?;
                let opponent_begins = match begins.as_str() {
                    "player" | "turns" => false,
                    "opponent" => true,
                    _ => {
                        let place = &self.place_of_begins(game).place;
                        return Err(filling.error(place, "who begins is player, opponent or turns"));
                    }
                };
                let mut players =
                    [filling.player(player, &rules)?, filling.player(opponent, &rules)?];
                if opponent_begins {
                    players.reverse();
                }
                let opening = match opening {
                    None => Vec::new(),
                    Some(text) => {
                        let moves = filling.fill(text)?;
                        notation::parse_moves(&rules, &moves)
                            .map_err(|why| filling.error(&text.place, why))?
                    }
                };
                let contest = Match::new(rules, players)
                    .with_opening(opening)
                    .with_games(filling.number(games, 1..=10_000_000)?)
                    .with_seed(*seed)
                    .with_swap(begins == "turns");
                Ok(Task::Match(MatchTask { contest, opponent_begins }))
            }
            Self::Search { game, positions, depth, evaluator, switches, repeats } => {
                let rules: Rules = filling.parse(game)?;
                let evaluator = match evaluator {
                    None => Evaluator::natural(&rules),
                    Some(text) => {
                        let evaluator: Evaluator = filling.parse(text)?;
                        evaluator.check(&rules).map_err(|why| filling.error(&text.place, why))?;
                        evaluator
                    }
                };
                let mut options = SearchOptions::default();
                if let Some(text) = switches {
                    let list = filling.fill(text)?;
                    set_switches(&mut options, &list)
                        .map_err(|why| filling.error(&text.place, why))?;
                }
                Ok(Task::Search(SearchTask {
                    positions: positions.of(&rules, filling, load)?,
                    depth: filling.number(depth, 0..=128)? as u32,
                    evaluator,
                    options,
                    repeats: *repeats,
                }))
            }
            Self::Count { game, ply } => Ok(Task::Count(CountTask {
                start: Position::new(filling.parse(game)?),
                // Further, numbers would not fit.
                ply: filling.number(ply, 0..=20)? as u32,
            })),
            Self::Replica { game, code, first, second, depth, games, seed } => {
                let rules: Rules = filling.parse(game)?;
                let depth = filling.number(depth, 1..=10)? as u32;
                if Replica::new(&rules, depth, Pruning::None).is_none() {
                    let problem =
                        "the report's code plays lines with gravity, on boards of up to 64 bits";
                    return Err(filling.error(&game.place, problem));
                }
                let correct = match filling.fill(code)?.as_str() {
                    "as-published" => false,
                    "correct" => true,
                    other => {
                        return Err(filling.error(
                            &code.place,
                            format!("{other:?} is not as-published or correct"),
                        ));
                    }
                };
                let seats = [filling.seat(first, &rules)?, filling.seat(second, &rules)?];
                let games = filling.number(games, 1..=1_000_000)?;
                // Two searches play the same game every time.
                let chance = seats.iter().any(|seat| matches!(seat, ReplicaSeat::StandIn(_)));
                let games = if chance { games } else { 1 };
                Ok(Task::Replica(ReplicaTask { rules, depth, seats, correct, games, seed: *seed }))
            }
        }
    }

    fn place_of_begins<'w>(&'w self, otherwise: &'w Placed<String>) -> &'w Placed<String> {
        match self {
            Self::Match { begins: Some(begins), .. } => begins,
            _ => otherwise,
        }
    }
}

/// The positions of a search: a list under `positions`, or a file with a line each under `file`.
pub(crate) struct Positions {
    listed: Vec<Placed<String>>,
    file: Option<Placed<String>>,
    most: usize,
}

impl Positions {
    fn read(keys: &Keys<'_>) -> Result<Self, FileError> {
        let most =
            keys.parsed("most", "it is a number of positions, at least 1", |n: &usize| *n > 0)?;
        let (listed, file) = (keys.texts("positions")?, keys.text("file")?);
        match &file {
            Some(file) if !listed.is_empty() => {
                Err(file.place.error("give positions or a file, not both"))
            }
            None if listed.is_empty() => {
                let problem = "positions or file is missing; positions = \"\" is the empty board";
                Err(keys.place().error(problem))
            }
            _ => Ok(Self { listed, file, most: most.unwrap_or(usize::MAX) }),
        }
    }

    fn of(
        &self,
        rules: &Rules,
        filling: &Filling<'_>,
        load: &mut Load<'_>,
    ) -> Result<Vec<Position>, FileError> {
        let read = |text: &str, place: &Place| {
            let entry = notation::Reader::new()
                .rules(rules)
                .read(text.trim())
                .map_err(|why| filling.error(place, why))?;
            if entry.position.outcome().is_over() {
                return Err(filling.error(place, format!("the game is over in {text:?}")));
            }
            Ok(entry.position)
        };
        let Some(file) = &self.file else {
            let listed = self.listed.iter().take(self.most);
            return listed.map(|text| read(&filling.fill(text)?, &text.place)).collect();
        };
        let text = load(&file.place, &filling.fill(file)?)?;
        let found: Vec<Position> = position_lines(&text)
            .take(self.most)
            .map(|line| read(line, &file.place))
            .collect::<Result<_, _>>()?;
        if found.is_empty() {
            return Err(filling.error(&file.place, "there is no position in this file"));
        }
        Ok(found)
    }
}

/// The positions of a file: a line each, `#` begins a comment, `empty` is the empty board.
fn position_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or("").trim())
        .filter(|line| !line.is_empty())
        .map(|line| if line == "empty" { "" } else { line })
}

/// `mid_col,table=16,alpha_beta=off`; a switch alone is on.
fn set_switches(
    options: &mut SearchOptions,
    list: &str,
) -> Result<(), fourfold::search::OptionError> {
    for switch in
        list.split(',').map(str::trim).filter(|switch| !switch.is_empty() && *switch != "none")
    {
        let (name, value) =
            switch.split_once('=').map_or((switch, None), |(name, value)| (name, Some(value)));
        let flag = Switch::named(name).is_none_or(|switch| switch.kind == SwitchKind::Flag);
        options.set(name, value.unwrap_or(if flag { "on" } else { "" }))?;
    }
    Ok(())
}

impl Filling<'_> {
    fn parse<T: FromStr<Err: std::fmt::Display>>(
        &self,
        text: &Placed<String>,
    ) -> Result<T, FileError> {
        self.fill(text)?.parse().map_err(|why| self.error(&text.place, why))
    }

    fn number(
        &self,
        text: &Placed<String>,
        range: std::ops::RangeInclusive<u64>,
    ) -> Result<u64, FileError> {
        let written = self.fill(text)?;
        written.replace('_', "").parse().ok().filter(|number| range.contains(number)).ok_or_else(
            || {
                let (least, most) = (range.start(), range.end());
                self.error(
                    &text.place,
                    format!(
                        "{written:?} makes no sense: it is a whole number from {least} to {most}"
                    ),
                )
            },
        )
    }

    /// A player that can sit down without anybody being asked.
    fn player(&self, text: &Placed<String>, rules: &Rules) -> Result<PlayerSpec, FileError> {
        let spec: PlayerSpec = self.parse(text)?;
        // Whether a program may be started is not for a file to say.
        if !spec.is_external() {
            spec.player(rules, 0, None).map_err(|why| self.error(&text.place, why))?;
        }
        Ok(spec)
    }

    fn seat(&self, text: &Placed<String>, rules: &Rules) -> Result<ReplicaSeat, FileError> {
        Ok(match self.fill(text)?.as_str() {
            "minimax" => ReplicaSeat::Search(Pruning::None),
            "alphabeta" => ReplicaSeat::Search(Pruning::AlphaBeta),
            _ => ReplicaSeat::StandIn(self.player(text, rules)?),
        })
    }
}

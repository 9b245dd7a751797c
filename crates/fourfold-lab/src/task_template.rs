//! Task templates: the texts of a part before values are filled in, and the [`Task`] that each
//! combination of values makes of them.

use crate::axes::Combination;
use crate::metrics::PartKind;
use crate::positions::{Load, PositionSource};
use crate::reading::{FileError, Keys, Placed};
use crate::replica::{Pruning, Replica};
use crate::task::{CountTask, MatchTask, ReplicaSeat, ReplicaTask, SearchTask, Task};
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Position, Rules, notation};
use fourfold::play::{Match, PlayerSpec};
use fourfold::search::{OptionError, SearchOptions, Switch, SwitchKind};

/// The texts of a part.
pub(crate) enum TaskTemplate {
    Match(MatchTemplate),
    Search(SearchTemplate),
    Count(CountTemplate),
    Replica(ReplicaTemplate),
}

impl TaskTemplate {
    pub(crate) fn read(kind: PartKind, keys: &Keys<'_>, seed: u64) -> Result<Self, FileError> {
        let game = match keys.text("game")? {
            Some(game) => game,
            None => Placed { value: Rules::CONNECT_FOUR.to_string(), place: keys.place() },
        };
        Ok(match kind {
            PartKind::Match => Self::Match(MatchTemplate::read(keys, game, seed)?),
            PartKind::Search => Self::Search(SearchTemplate::read(keys, game)?),
            PartKind::Count => Self::Count(CountTemplate { game, ply: keys.required("ply")? }),
            PartKind::Replica => Self::Replica(ReplicaTemplate::read(keys, game, seed)?),
        })
    }

    /// The task of a combination; `load` reads the file of positions, if there is one.
    pub(crate) fn task(
        &self,
        combination: &Combination<'_>,
        load: &mut Load<'_>,
    ) -> Result<Task, FileError> {
        match self {
            Self::Match(template) => template.task(combination).map(Task::Match),
            Self::Search(template) => template.task(combination, load).map(Task::Search),
            Self::Count(template) => template.task(combination).map(Task::Count),
            Self::Replica(template) => template.task(combination).map(Task::Replica),
        }
    }
}

/// `[[match]]`.
pub(crate) struct MatchTemplate {
    game: Placed<String>,
    player: Placed<String>,
    opponent: Placed<String>,
    begins: Option<Placed<String>>,
    opening: Option<Placed<String>>,
    games: Placed<String>,
    seed: u64,
}

/// Who begins the games of a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Player,
    Opponent,
    Turns,
}

impl MatchTemplate {
    fn read(keys: &Keys<'_>, game: Placed<String>, seed: u64) -> Result<Self, FileError> {
        Ok(Self {
            game,
            player: keys.required("player")?,
            opponent: keys.required("opponent")?,
            begins: keys.text("begins")?,
            opening: keys.text("opening")?,
            games: keys.required("games")?,
            seed,
        })
    }

    fn task(&self, combination: &Combination<'_>) -> Result<MatchTask, FileError> {
        let rules: Rules = combination.parse(&self.game)?;
        let begins = self.begins(combination)?;
        let mut players = [
            read_player(combination, &self.player, &rules)?,
            read_player(combination, &self.opponent, &rules)?,
        ];
        let opponent_begins = begins == Begins::Opponent;
        if opponent_begins {
            players.reverse();
        }
        let opening = match &self.opening {
            None => Vec::new(),
            Some(text) => notation::parse_moves(&rules, &combination.fill(text)?)
                .map_err(|why| combination.error(&text.place, why))?,
        };
        let contest = Match::new(rules, players)
            .with_opening(opening)
            .with_games(combination.number(&self.games, 1..=10_000_000)?)
            .with_seed(self.seed)
            .with_swap(begins == Begins::Turns);
        Ok(MatchTask { contest, opponent_begins })
    }

    fn begins(&self, combination: &Combination<'_>) -> Result<Begins, FileError> {
        let Some(text) = &self.begins else { return Ok(Begins::Player) };
        match combination.fill(text)?.as_str() {
            "player" => Ok(Begins::Player),
            "opponent" => Ok(Begins::Opponent),
            "turns" => Ok(Begins::Turns),
            other => {
                let problem = format!("{other:?} is not player, opponent or turns");
                Err(combination.error(&text.place, problem))
            }
        }
    }
}

/// `[[search]]`.
pub(crate) struct SearchTemplate {
    game: Placed<String>,
    positions: PositionSource,
    depth: Placed<String>,
    evaluator: Option<Placed<String>>,
    switches: Option<Placed<String>>,
    repeats: u32,
}

impl SearchTemplate {
    fn read(keys: &Keys<'_>, game: Placed<String>) -> Result<Self, FileError> {
        let repeats = "a whole number from 0 (not timed) to 1000";
        Ok(Self {
            game,
            positions: PositionSource::read(keys)?,
            depth: keys.required("depth")?,
            evaluator: keys.text("eval")?,
            switches: keys.text("switches")?,
            repeats: keys.parsed("repeats", repeats, |n: &u32| *n <= 1000)?.unwrap_or(0),
        })
    }

    fn task(
        &self,
        combination: &Combination<'_>,
        load: &mut Load<'_>,
    ) -> Result<SearchTask, FileError> {
        let rules: Rules = combination.parse(&self.game)?;
        let evaluator = match &self.evaluator {
            None => Evaluator::textbook(&rules),
            Some(text) => {
                let evaluator: Evaluator = combination.parse(text)?;
                evaluator.check(&rules).map_err(|why| combination.error(&text.place, why))?;
                evaluator
            }
        };
        let options = match &self.switches {
            None => SearchOptions::default(),
            Some(text) => read_switches(&combination.fill(text)?)
                .map_err(|why| combination.error(&text.place, why))?,
        };
        Ok(SearchTask {
            positions: self.positions.positions(&rules, combination, load)?.into(),
            depth: combination.number(&self.depth, 0..=128)? as u32,
            evaluator,
            options,
            repeats: self.repeats,
        })
    }
}

/// `mid_col,table=16,alpha_beta=off`; a switch alone is on.
fn read_switches(list: &str) -> Result<SearchOptions, OptionError> {
    let mut options = SearchOptions::default();
    let switches = list.split(',').map(str::trim);
    for switch in switches.filter(|switch| !switch.is_empty() && *switch != "none") {
        let (name, value) =
            switch.split_once('=').map_or((switch, None), |(name, value)| (name, Some(value)));
        let flag = Switch::named(name).is_none_or(|switch| switch.kind == SwitchKind::Flag);
        options.set(name, value.unwrap_or(if flag { "on" } else { "" }))?;
    }
    Ok(options)
}

/// `[[count]]`.
pub(crate) struct CountTemplate {
    game: Placed<String>,
    ply: Placed<String>,
}

impl CountTemplate {
    fn task(&self, combination: &Combination<'_>) -> Result<CountTask, FileError> {
        Ok(CountTask {
            start: Position::new(combination.parse(&self.game)?),
            // The counts of later plies overflow 64 bits.
            ply: combination.number(&self.ply, 0..=20)? as u32,
        })
    }
}

/// `[[replica]]`.
pub(crate) struct ReplicaTemplate {
    game: Placed<String>,
    code: Placed<String>,
    first: Placed<String>,
    second: Placed<String>,
    depth: Placed<String>,
    games: Placed<String>,
    seed: u64,
}

impl ReplicaTemplate {
    fn read(keys: &Keys<'_>, game: Placed<String>, seed: u64) -> Result<Self, FileError> {
        Ok(Self {
            game,
            code: keys.required("code")?,
            first: keys.required("first")?,
            second: keys.required("second")?,
            depth: keys.required("depth")?,
            games: keys.required("games")?,
            seed,
        })
    }

    fn task(&self, combination: &Combination<'_>) -> Result<ReplicaTask, FileError> {
        let rules: Rules = combination.parse(&self.game)?;
        let depth = combination.number(&self.depth, 1..=10)? as u32;
        if Replica::new(&rules, depth, Pruning::None).is_none() {
            let problem = "the report's code plays lines with gravity, on boards of up to 64 bits";
            return Err(combination.error(&self.game.place, problem));
        }
        let correct = match combination.fill(&self.code)?.as_str() {
            "as-published" => false,
            "correct" => true,
            other => {
                let problem = format!("{other:?} is not as-published or correct");
                return Err(combination.error(&self.code.place, problem));
            }
        };
        let seats = [
            read_seat(combination, &self.first, &rules)?,
            read_seat(combination, &self.second, &rules)?,
        ];
        let games = combination.number(&self.games, 1..=1_000_000)?;
        // Two searches play the same game every time.
        let random = seats.iter().any(|seat| matches!(seat, ReplicaSeat::StandIn(_)));
        let games = if random { games } else { 1 };
        Ok(ReplicaTask { rules, depth, seats, correct, games, seed: self.seed })
    }
}

/// A player that can take part without a person being asked.
fn read_player(
    combination: &Combination<'_>,
    text: &Placed<String>,
    rules: &Rules,
) -> Result<PlayerSpec, FileError> {
    let spec: PlayerSpec = combination.parse(text)?;
    // Whether a program may be started is for the caller of the run to decide, not for a file.
    if !spec.is_external() {
        spec.player(rules, 0, &Budget::unlimited())
            .map_err(|why| combination.error(&text.place, why))?;
    }
    Ok(spec)
}

fn read_seat(
    combination: &Combination<'_>,
    text: &Placed<String>,
    rules: &Rules,
) -> Result<ReplicaSeat, FileError> {
    Ok(match combination.fill(text)?.as_str() {
        "minimax" => ReplicaSeat::Search(Pruning::None),
        "alphabeta" => ReplicaSeat::Search(Pruning::AlphaBeta),
        _ => ReplicaSeat::StandIn(read_player(combination, text, rules)?),
    })
}

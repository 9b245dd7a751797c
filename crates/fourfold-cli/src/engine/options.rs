//! The engine's options: each described once, listed by `uci`, set by `setoption`.

use fourfold::eval::Evaluator;
use fourfold::game::Rules;
use fourfold::play::{LEVEL_ELO, LevelSpec, PlayerSpec, Seat};
use fourfold::search::{SWITCHES, SearchOptions, SwitchKind};
use fourfold::solver::SolverOptions;
use fourfold::workers::Threads;

/// The options of a session.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    /// The game of positions that do not name theirs.
    pub(crate) game: Rules,
    /// Who chooses the moves; none for the engine itself.
    pub(crate) player: Option<PlayerSpec>,
    /// Whether the engine plays only as well as `elo` says.
    pub(crate) limited: bool,
    /// The strength it is limited to.
    pub(crate) elo: u32,
    /// Random seed of the player.
    pub(crate) seed: u64,
    /// The textbook search's evaluator; none for what suits the game.
    pub(crate) evaluator: Option<Evaluator>,
    /// The textbook search's switches.
    pub(crate) switches: SearchOptions,
    /// MiB for the solver's table.
    pub(crate) memory: u32,
    /// The solver's threads.
    pub(crate) threads: u32,
    /// Whether the solver asks the book of openings.
    pub(crate) book: bool,
}

/// MiB for the textbook search's table.
const TABLE: u32 = 16;

impl Default for Settings {
    fn default() -> Self {
        Self {
            game: Rules::CONNECT_FOUR,
            player: None,
            limited: false,
            elo: MOST_ELO,
            seed: 0,
            evaluator: None,
            switches: SearchOptions::timed(TABLE),
            memory: SolverOptions::default().memory,
            threads: 1,
            book: true,
        }
    }
}

/// The strengths to choose from: those of levels 1 and 12.
const LEAST_ELO: u32 = LEVEL_ELO[0];
const MOST_ELO: u32 = LEVEL_ELO[LEVEL_ELO.len() - 1];
const MOST_MEMORY: u32 = 65_536;
const MOST_THREADS: u32 = Threads::MAX as u32;

/// The name by which UCI knows that no text is given.
const EMPTY: &str = "<empty>";

impl Settings {
    /// The lines that `uci` lists, with what is usual (not what is set) as defaults.
    pub(super) fn listed() -> Vec<String> {
        let usual = Self::default();
        let evaluators: String =
            Evaluator::ALL.iter().map(|(name, _)| format!(" var {name}")).collect();
        let mut lines = vec![
            format!("name Game type string default {}", usual.game),
            format!("name Player type string default {EMPTY}"),
            format!("name UCI_LimitStrength type check default {}", usual.limited),
            format!("name UCI_Elo type spin default {} min {LEAST_ELO} max {MOST_ELO}", usual.elo),
            // A text, for it may be larger than what many programs take for a number.
            format!("name Seed type string default {}", usual.seed),
            format!("name Hash type spin default {} min 1 max {MOST_MEMORY}", usual.memory),
            format!("name Threads type spin default {} min 1 max {MOST_THREADS}", usual.threads),
            format!("name OwnBook type check default {}", usual.book),
            "name Clear Hash type button".to_owned(),
            format!("name Eval type combo default natural var natural{evaluators}"),
        ];
        lines.extend(SWITCHES.iter().map(|switch| {
            let (name, value) = (switch.name, switch.value(&usual.switches));
            match switch.kind {
                SwitchKind::Flag => format!("name {name} type check default {}", value == "on"),
                SwitchKind::Number { min, max, .. } => {
                    format!("name {name} type spin default {value} min {min} max {max}")
                }
                SwitchKind::Choice(words) => {
                    let words: String = words.iter().map(|word| format!(" var {word}")).collect();
                    format!("name {name} type combo default {value}{words}")
                }
            }
        }));
        lines
    }

    /// Who chooses the moves: the player that was set, else the level of the strength that the
    /// engine is limited to; none for the engine itself.
    pub(super) fn seat(&self) -> Option<PlayerSpec> {
        let level = || Seat::Level(LevelSpec::of_elo(self.elo)).into();
        self.player.clone().or_else(|| self.limited.then(level))
    }

    /// Sets an option. Names are those of [`Self::listed`], in upper or lower case.
    ///
    /// # Errors
    /// In words, if there is no such option or it cannot have that value.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name.to_lowercase().as_str() {
            "game" => self.game = value.parse().map_err(|why| format!("Game: {why}"))?,
            "player" => self.player = player(value)?,
            "uci_limitstrength" => self.limited = truth("UCI_LimitStrength", value)?,
            "uci_elo" => {
                self.elo =
                    number("UCI_Elo", value, u64::from(LEAST_ELO), u64::from(MOST_ELO))? as u32;
            }
            "seed" => self.seed = number("Seed", value, 0, u64::MAX)?,
            "hash" => self.memory = number("Hash", value, 1, u64::from(MOST_MEMORY))? as u32,
            "threads" => {
                self.threads = number("Threads", value, 1, u64::from(MOST_THREADS))? as u32;
            }
            "ownbook" => self.book = truth("OwnBook", value)?,
            // Whatever is set makes the engine forget; this sets nothing else.
            "clear hash" => {}
            "eval" => {
                let evaluator = || value.parse().map_err(|why| format!("Eval: {why}"));
                self.evaluator = if value == "natural" { None } else { Some(evaluator()?) };
            }
            name => self.switches.set(name, value).map_err(|why| match why {
                fourfold::search::OptionError::Unknown { .. } => {
                    format!("there is no option {name:?}; uci lists them")
                }
                why => why.to_string(),
            })?,
        }
        Ok(())
    }
}

/// A player that the engine can seat by itself; none if the text is empty.
pub(super) fn player(text: &str) -> Result<Option<PlayerSpec>, String> {
    if text.is_empty() || text == EMPTY {
        return Ok(None);
    }
    let spec: PlayerSpec = text.parse().map_err(|why| format!("Player: {why}"))?;
    match spec.seat {
        Seat::Human | Seat::External(_) => Err(format!("Player: {spec} cannot play for an engine")),
        _ => Ok(Some(spec)),
    }
}

fn truth(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(format!("{name} cannot be {value:?}: it is true or false")),
    }
}

fn number(name: &str, value: &str, least: u64, most: u64) -> Result<u64, String> {
    let wrong =
        || format!("{name} cannot be {value:?}: it is a whole number from {least} to {most}");
    value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn every_option_that_is_listed_can_be_set_to_its_default() {
        let mut settings = Settings::default();
        for line in Settings::listed() {
            let (name, rest) = line.strip_prefix("name ").unwrap().split_once(" type ").unwrap();
            let words: Vec<&str> = rest.split(' ').collect();
            let value =
                words.iter().position(|word| *word == "default").map_or("", |at| words[at + 1]);
            assert_eq!(settings.set(name, value), Ok(()), "{line}");
            assert_eq!(settings.set(&name.to_uppercase(), value), Ok(()), "{line}");
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn a_limited_strength_is_a_level() {
        let mut settings = Settings::default();
        assert_eq!(settings.seat(), None);
        settings.set("UCI_LimitStrength", "true").unwrap();
        assert_eq!(settings.seat().unwrap().to_string(), "level:12");
        settings.set("UCI_Elo", &super::LEAST_ELO.to_string()).unwrap();
        assert_eq!(settings.seat().unwrap().to_string(), "level:1");
        settings.set("Player", "naive").unwrap();
        assert_eq!(settings.seat().unwrap().to_string(), "naive");
    }

    #[test]
    fn nonsense_changes_nothing() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("", ""),
            ("Gaem", "7x6c4"),
            ("Game", "0x0"),
            ("Player", "human"),
            ("Player", "nobody"),
            ("Player", "external:ls"),
            ("Hash", "0"),
            ("Threads", "-1"),
            ("Seed", "18446744073709551616"),
            ("OwnBook", "maybe"),
            ("UCI_LimitStrength", "yes"),
            ("UCI_Elo", "9999"),
            ("Eval", "intuition"),
            ("table", "many"),
        ] {
            assert!(settings.set(name, value).is_err(), "{name}={value}");
        }
        assert_eq!(settings, Settings::default());
    }
}

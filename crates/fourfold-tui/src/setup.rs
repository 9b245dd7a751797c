//! The dialog for players and rules: three fields, each with a list of options and free text as
//! the last one.

use super::runner::ReadPlayer;
use fourfold::budget::Budget;
use fourfold::game::{Rules, Side};
use fourfold::play::{CHARACTERS, Character, LEVELS, PlayerSpec};
use fourfold_app::live_game::{LiveGame, seat_of};
use fourfold_app::text::capital;

/// The games on offer, in rules notation.
const GAMES: [&str; 6] = ["7x6c4", "7x6s2", "3x3c3f", "8x7c4", "5x5c4", "9x9c5f"];

/// The players on offer: spec, name, and the name with its strength.
fn seats() -> Vec<(String, String, String)> {
    let seat = |spec: &str, name: &str| (spec.to_owned(), name.to_owned(), name.to_owned());
    let character = |character: &Character| {
        let Character { id, name, level, .. } = character;
        (format!("character:{id}"), (*name).to_owned(), format!("{name} (level {level})"))
    };
    let level = |level| seat(&format!("level:{level}"), &format!("level {level}"));
    let mut seats = vec![seat("human", "you")];
    seats.extend(CHARACTERS.iter().map(character));
    seats.extend((1..=LEVELS.len()).map(level));
    seats.push(seat("perfect:time=4000,tie=random", "perfect"));
    seats.push(seat("naive", "naive"));
    seats
}

/// A side's name: "you" or, of two people, "the first player"; an engine's name on offer, else its
/// spec. Two equal engines are told apart by their sides.
pub(super) fn seat_name(game: &LiveGame, side: Side) -> String {
    let spec = &game.specs[seat_of(side)];
    if spec.is_human() && game.human_count() == 2 {
        return format!("the {side} player");
    }
    let mut seats = seats().into_iter();
    let known = seats.find(|(text, ..)| text.parse().is_ok_and(|known: PlayerSpec| known == *spec));
    let name = known.map_or_else(|| spec.to_string(), |(_, name, _)| name);
    if game.specs[0] == game.specs[1] { format!("{name} ({side})") } else { name }
}

/// One field of the dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SetupField {
    pub(super) label: &'static str,
    /// Value and display name of each option.
    options: Vec<(String, String)>,
    /// Index of the selected option; past the last one, the typed text counts.
    chosen: usize,
    typed: String,
}

impl SetupField {
    fn new(
        label: &'static str,
        options: Vec<(String, String)>,
        is: impl Fn(&str) -> bool,
        text: String,
    ) -> Self {
        let chosen = options.iter().position(|(option, _)| is(option)).unwrap_or(options.len());
        let typed = if chosen == options.len() { text } else { String::new() };
        Self { label, options, chosen, typed }
    }

    /// Whether the typed text counts.
    pub(super) fn is_typed(&self) -> bool {
        self.chosen == self.options.len()
    }

    /// The value to parse.
    fn text(&self) -> &str {
        self.options.get(self.chosen).map_or(&self.typed, |(text, _)| text)
    }

    /// The text to show.
    pub(super) fn shown(&self) -> &str {
        self.options.get(self.chosen).map_or(&self.typed, |(_, name)| name)
    }

    fn step(&mut self, by: isize) {
        let all = self.options.len() + 1;
        self.chosen = self.chosen.checked_add_signed(by).map_or(all - 1, |next| next % all);
    }

    fn write(&mut self, character: char) {
        if !self.is_typed() {
            self.chosen = self.options.len();
            self.typed.clear();
        }
        // Longer than any sensible spec or game.
        if self.typed.chars().count() < 200 {
            self.typed.push(character);
        }
    }

    fn erase(&mut self) {
        if self.is_typed() {
            self.typed.pop();
        }
    }
}

/// The dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setup {
    /// Game, first player, second player.
    pub(super) fields: [SetupField; 3],
    /// Index of the field with the focus.
    pub(super) at: usize,
    pub(super) problem: Option<String>,
}

impl Setup {
    /// The dialog filled in with the players and rules of a game.
    pub(super) fn of(game: &LiveGame) -> Self {
        let games = GAMES.iter().filter_map(|text| {
            let rules: Rules = text.parse().ok()?;
            let name = if rules.name().is_some() {
                format!("{} ({rules})", rules.title())
            } else {
                rules.to_string()
            };
            Some(((*text).to_owned(), name))
        });
        let rules = game.rules.to_string();
        let rules_field =
            SetupField::new("Game", games.collect(), |text| text == rules, rules.clone());
        let seat = |label, side| {
            let spec = &game.specs[seat_of(side)];
            let options = seats().into_iter().map(|(text, _, shown)| (text, shown));
            let is = |text: &str| text.parse().is_ok_and(|known: PlayerSpec| known == *spec);
            SetupField::new(label, options.collect(), is, spec.to_string())
        };
        let fields = [rules_field, seat("First", Side::First), seat("Second", Side::Second)];
        Self { fields, at: 2, problem: None }
    }

    pub(super) fn go(&mut self, by: isize) {
        let all = self.fields.len();
        self.at = self.at.checked_add_signed(by).map_or(all - 1, |next| next % all);
    }

    pub(super) fn step(&mut self, by: isize) {
        self.problem = None;
        self.fields[self.at].step(by);
    }

    pub(super) fn write(&mut self, character: char) {
        self.problem = None;
        self.fields[self.at].write(character);
    }

    pub(super) fn erase(&mut self) {
        self.problem = None;
        self.fields[self.at].erase();
    }

    /// The rules and players chosen. If they are invalid, the dialog shows the problem and moves to
    /// its field.
    pub(super) fn read(&mut self, read_player: ReadPlayer) -> Option<(Rules, [PlayerSpec; 2])> {
        self.problem = None;
        let [game, first, second] = &self.fields;
        let read = || {
            let rules: Rules = game.text().trim().parse().map_err(|why| (0, format!("{why}")))?;
            let mut specs = Vec::new();
            for (at, field) in [(1, first), (2, second)] {
                let spec =
                    read_player(field.text().trim()).map_err(|why| (at, format!("{why}")))?;
                if !spec.is_human() {
                    spec.player(&rules, 0, &Budget::unlimited())
                        .map_err(|why| (at, why.to_string()))?;
                }
                specs.push(spec);
            }
            let specs: [PlayerSpec; 2] =
                specs.try_into().map_err(|_| (1, "two players are needed".to_owned()))?;
            Ok((rules, specs))
        };
        match read() {
            Ok(chosen) => Some(chosen),
            Err((at, why)) => {
                self.at = at;
                self.problem = Some(format!("{}.", capital(&why)));
                None
            }
        }
    }
}

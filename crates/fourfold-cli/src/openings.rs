//! Where the openings of a match or a tournament come from: drawn, or read from a file.

use crate::arguments::whole;
use crate::failure::Failure;
use crate::output::{grouped, note};
use crate::progress::Bar;
use fourfold::budget::Budget;
use fourfold::game::{Move, Rules};
use fourfold_lab::files::read_text;
use fourfold_lab::tournament::{OpeningDraw, OpeningError, OpeningSet, read_openings};
use std::path::Path;

/// Which openings to play.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct OpeningArgs {
    /// Openings: level (exact draws and distant wins, or where these cannot be known, estimates
    /// near 0), draws, random, empty (the empty board), or a file with a position per line
    #[arg(long, value_name = "SET|FILE")]
    openings: Option<String>,

    /// Number of moves that each opening has [default: about a fifth of the cells, from 2 to 8]
    #[arg(long, value_name = "N", value_parser = whole(1..=127u32))]
    opening_plies: Option<u32>,
}

/// Openings, and a line on where they come from.
pub(crate) struct ChosenOpenings {
    pub(crate) moves: Vec<Vec<Move>>,
    pub(crate) about: String,
}

impl OpeningArgs {
    /// Whether any were asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.openings.is_some() || self.opening_plies.is_some()
    }

    /// The openings for so many rounds: fewer if there are not as many, which is said.
    pub(crate) fn choose(
        &self,
        rules: &Rules,
        rounds: u64,
        seed: u64,
        threads: usize,
        budget: &Budget,
    ) -> Result<ChosenOpenings, Failure> {
        let text = self.openings.as_deref().unwrap_or("level");
        let Ok(set) = text.parse::<OpeningSet>() else {
            return self.read(Path::new(text), rules, rounds);
        };
        if set == OpeningSet::Empty && self.opening_plies.is_some() {
            let problem = "--opening-plies and --openings empty contradict each other";
            return Err(Failure::usage(problem));
        }
        let count = usize::try_from(rounds).unwrap_or(usize::MAX);
        let usual = OpeningDraw::new(*rules, count, seed).with_set(set);
        let plies = self.opening_plies.unwrap_or(usual.plies);
        let bar = Bar::new("openings", rounds);
        let draw = usual.with_plies(plies);
        let found = draw.draw_with(threads, budget, |found| bar.set(found as u64, rounds));
        bar.end();
        let found = found.map_err(|why| match why {
            OpeningError::None { .. } => {
                Failure::usage(format!("{why}; --opening-plies names another number"))
            }
            _ => Failure::runtime(why),
        })?;
        if set == OpeningSet::Empty {
            let about = "from the empty board".to_owned();
            return Ok(ChosenOpenings { moves: found.moves, about });
        }
        if (found.moves.len() as u64) < rounds {
            note(format!(
                "fourfold: {rules} has only {} distinct openings of {plies} moves ({set}) that are \
                 not decided; only players that leave something to chance repeat them",
                grouped(found.moves.len() as u64),
            ));
        }
        let parts = [
            (found.draws, "exact draws"),
            (found.level, if set == OpeningSet::Random { "random" } else { "level" }),
            (found.others, "not level"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
        let about =
            format!("{} openings of {plies} moves ({})", found.moves.len(), parts.join(", "));
        Ok(ChosenOpenings { moves: found.moves, about })
    }

    fn read(&self, path: &Path, rules: &Rules, rounds: u64) -> Result<ChosenOpenings, Failure> {
        if !path.exists() {
            let sets: Vec<&str> = OpeningSet::ALL.iter().map(|(name, _, _)| *name).collect();
            let sets = sets.join(", ");
            let name = path.display();
            return Err(Failure::usage(format!(
                "there is no file and no set of openings {name}; the sets are {sets}"
            )));
        }
        if self.opening_plies.is_some() {
            return Err(Failure::usage("--opening-plies goes with openings that are drawn"));
        }
        let name = path.display().to_string();
        let (mut moves, repeated) =
            read_openings(&name, &read_text(path)?, rules).map_err(Failure::invalid)?;
        if repeated > 0 {
            note(format!(
                "fourfold: {repeated} positions of {name} are left out: a symmetry takes them to \
                 others"
            ));
        }
        let count = moves.len();
        if (count as u64) < rounds {
            note(format!(
                "fourfold: {name} has only {count} openings for {} rounds; only players that \
                 leave something to chance repeat them",
                grouped(rounds),
            ));
        }
        moves.truncate(usize::try_from(rounds).unwrap_or(usize::MAX));
        let about = format!("{} openings of {name}", moves.len());
        Ok(ChosenOpenings { moves, about })
    }
}

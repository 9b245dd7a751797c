//! The search's switches as command-line options, made from the library's table of them.

use crate::arguments::whole;
use clap::{Arg, ArgMatches, Command, Error, error::ErrorKind};
use fourfold::search::{SWITCHES, SearchOptions, Switch, SwitchKind};
use fourfold_app::text::capital;

/// `--mid-col`, `--table 16`, ...: every switch of the search.
#[derive(Debug, Clone, Default)]
pub(crate) struct SwitchArgs {
    /// The switches as given.
    pub(crate) options: SearchOptions,
}

fn long_name(switch: &Switch) -> String {
    switch.name.replace('_', "-")
}

/// How a switch is written: `--mid-col`.
pub(crate) fn flag_name(switch: &Switch) -> String {
    format!("--{}", long_name(switch))
}

fn argument(switch: &'static Switch) -> Arg {
    let help =
        format!("{} [{}; default: {}]", capital(switch.doc), switch.effect, switch.default_value());
    let arg = Arg::new(switch.name).long(long_name(switch)).help(help).help_heading("Switches");
    match switch.kind {
        SwitchKind::Flag => arg
            .value_name("on|off")
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("on")
            .value_parser(["on", "off"])
            .hide_possible_values(true),
        SwitchKind::Number { min, max, unit } => arg
            .value_name(unit.to_uppercase())
            .allow_negative_numbers(true)
            .value_parser(whole(min..=max)),
        SwitchKind::Choice(words) => {
            arg.value_name(words.join("|")).value_parser(words.to_vec()).hide_possible_values(true)
        }
    }
}

impl clap::Args for SwitchArgs {
    fn augment_args(command: Command) -> Command {
        command.args(SWITCHES.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for SwitchArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for switch in &SWITCHES {
            let value = match switch.kind {
                SwitchKind::Number { .. } => {
                    matches.get_one::<i64>(switch.name).map(ToString::to_string)
                }
                _ => matches.get_one::<String>(switch.name).cloned(),
            };
            if let Some(value) = value {
                self.options
                    .set(switch.name, &value)
                    .map_err(|why| Error::raw(ErrorKind::ValueValidation, why))?;
            }
        }
        Ok(())
    }
}

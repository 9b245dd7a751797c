//! The mean of several networks, weight by weight.
//!
//! Networks that were trained from the same one are close enough that the network between them is
//! about as good as all of them asked together, at the cost of one (model soups, Wortsman and others
//! 2022). Of networks that began with different random weights the mean is worthless.

use fourfold::eval::net::{Head, NetWeights};
use fourfold::game::Rules;

/// Why there is no mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MeanError {
    /// There are no networks.
    #[error("there is no network")]
    Nothing,
    /// They are not of one game.
    #[error("these are networks of {first} and of {other}")]
    Games {
        /// The game of the first.
        first: Rules,
        /// Another one.
        other: Rules,
    },
    /// They are not of one size.
    #[error("these are networks of {first} and of {other} units")]
    Units {
        /// The units of the first.
        first: usize,
        /// Another number.
        other: usize,
    },
}

/// The most characters that a mean tells of what its networks were trained on: a file has room for
/// 65,535 bytes.
const MOST_TOLD: usize = 10_000;

/// The mean of networks of the same game and size, rounded to the nearest whole number.
///
/// # Errors
/// If there are none, or they are of different games or sizes.
pub fn mean(nets: &[NetWeights]) -> Result<NetWeights, MeanError> {
    let first = nets.first().ok_or(MeanError::Nothing)?;
    for net in nets {
        if net.rules != first.rules {
            return Err(MeanError::Games { first: first.rules, other: net.rules });
        }
        if net.units != first.units {
            return Err(MeanError::Units { first: first.units, other: net.units });
        }
    }
    let heads = (0..first.heads.len()).map(|bucket| Head {
        second: means(nets, |net| &net.heads[bucket].second),
        second_bias: means(nets, |net| &net.heads[bucket].second_bias),
        third: means(nets, |net| &net.heads[bucket].third),
        third_bias: means(nets, |net| &net.heads[bucket].third_bias),
        output: means(nets, |net| &net.heads[bucket].output),
        output_bias: rounded(nets.iter().map(|net| net.heads[bucket].output_bias.into())) as i32,
    });
    let told: Vec<&str> = nets.iter().map(|net| &net.trained_on[..]).collect();
    let trained_on = format!("mean of {}: {}", nets.len(), told.join(" | "));
    Ok(NetWeights {
        rules: first.rules,
        units: first.units,
        trained_on: trained_on.chars().take(MOST_TOLD).collect(),
        bias: means(nets, |net| &net.bias),
        rows: means(nets, |net| &net.rows),
        heads: heads.collect(),
    })
}

/// The means of lists of the same length.
fn means<N: Copy + Into<i64> + TryFrom<i64> + Default>(
    nets: &[NetWeights],
    list: impl Fn(&NetWeights) -> &[N],
) -> Vec<N> {
    let lists: Vec<&[N]> = nets.iter().map(list).collect();
    let length = lists.iter().map(|list| list.len()).min().unwrap_or(0);
    let mean = |at: usize| N::try_from(rounded(lists.iter().map(|list| list[at].into())));
    // A mean is between the numbers, so it is one of their kind.
    (0..length).map(|at| mean(at).unwrap_or_default()).collect()
}

fn rounded(numbers: impl ExactSizeIterator<Item = i64>) -> i64 {
    let count = numbers.len().max(1) as i64;
    (2 * numbers.sum::<i64>() + count).div_euclid(2 * count)
}

#[cfg(test)]
mod tests {
    use super::super::model::Model;
    use super::*;

    fn random(game: &str, units: usize, seed: u64) -> NetWeights {
        let model = Model::new(&game.parse().unwrap(), units, seed).unwrap();
        model.quantised(&model.numbers, format!("seed {seed}"))
    }

    #[test]
    fn the_mean_is_between_the_networks() {
        let nets = [1, 2, 3].map(|seed| random("5x4c4", 16, seed));
        let found = mean(&nets).unwrap();
        assert!(found.net().is_ok());
        assert_eq!(found.trained_on, "mean of 3: seed 1 | seed 2 | seed 3");
        for (at, &weight) in found.rows.iter().enumerate() {
            let exact = nets.iter().map(|net| f64::from(net.rows[at])).sum::<f64>() / 3.0;
            assert!((f64::from(weight) - exact).abs() <= 0.5, "{at}: {weight} {exact}");
        }
        let same = mean(&[nets[0].clone(), nets[0].clone()]).unwrap();
        assert_eq!((&same.rows, &same.heads), (&nets[0].rows, &nets[0].heads));
        assert_eq!(rounded([-1i64, -2].into_iter()), -1);
        assert_eq!(rounded([1i64, 2, 2].into_iter()), 2);
    }

    #[test]
    fn only_networks_of_one_game_and_size_have_a_mean() {
        let net = random("5x4c4", 16, 1);
        let (wider, other) = (random("5x4c4", 32, 1), random("6x4c4", 16, 1));
        assert_eq!(mean(&[]), Err(MeanError::Nothing));
        let units = MeanError::Units { first: 16, other: 32 };
        assert_eq!(mean(&[net.clone(), wider]), Err(units));
        assert!(matches!(mean(&[net, other]), Err(MeanError::Games { .. })));
    }
}

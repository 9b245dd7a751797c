//! Ratings by maximum likelihood, with a covariance that respects the pairing.
//!
//! The model is Bradley and Terry's (1952): player i expects 1 / (1 + exp(r_j - r_i)) of the points
//! against j, a draw counting as half a win and half a loss. That makes it a quasi-likelihood: the
//! estimate needs only the expectation to be right, not the share of draws, nor that games are
//! independent. The covariance is therefore taken from the data ("sandwich": Huber 1967, White
//! 1982): the bread is the curvature of the likelihood, the filling what the gradient was seen to
//! vary from round to round. A round is one opening, played from both sides by every pairing, so
//! whatever an opening does to several games at once is counted.
//!
//! The likelihood has a finite maximum only if no set of players won every game against the rest
//! (Ford 1957). [`groups`] finds those sets; ratings are fitted within each.

use super::elo::{ELO_PER_LOGIT, unseen_pairs};
use super::{Pairing, Pentanomial};

/// The pairs of a pairing, as the fit needs them.
#[derive(Debug, Clone)]
pub(super) struct PairResults {
    pub(super) pairing: Pairing,
    /// Half points of the first player in each pair that counts, with the round it was played in.
    pub(super) pairs: Vec<(usize, u8)>,
}

impl PairResults {
    pub(super) fn pentanomial(&self) -> Pentanomial {
        let mut found = Pentanomial::default();
        self.pairs.iter().for_each(|&(_, half_points)| found.add(half_points));
        found
    }
}

/// For each player the number of its group: players are in one group if each has taken points from
/// the other, directly or through others. Between groups, one side won every game.
pub(super) fn groups(players: usize, results: &[PairResults]) -> Vec<usize> {
    // reaches[a][b]: a has taken points from b, or from one who has, and so on.
    let mut reaches = vec![vec![false; players]; players];
    (0..players).for_each(|player| reaches[player][player] = true);
    for result in results.iter().filter(|result| !result.pairs.is_empty()) {
        let (score, Pairing { first, second }) = (result.pentanomial().score(), result.pairing);
        reaches[first][second] |= score > 0.0;
        reaches[second][first] |= score < 1.0;
    }
    for via in 0..players {
        for from in 0..players {
            for to in 0..players {
                reaches[from][to] |= reaches[from][via] && reaches[via][to];
            }
        }
    }
    (0..players)
        .map(|player| {
            let equal = |&other: &usize| reaches[player][other] && reaches[other][player];
            (0..players).find(equal).unwrap_or(player)
        })
        .collect()
}

/// Ratings of the members of a group, in Elo with mean 0, and their covariance.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub(super) members: Vec<usize>,
    pub(super) elo: Vec<f64>,
    pub(super) covariance: Vec<Vec<f64>>,
    /// In how many rounds there was a pair.
    pub(super) rounds: usize,
}

/// Fits the ratings of a group to the results among its members. There must be a maximum: the group
/// is one of [`groups`].
pub(super) fn fit(members: &[usize], results: &[PairResults]) -> Fit {
    let place = |player: usize| members.iter().position(|&member| member == player);
    let inside: Vec<(usize, usize, &PairResults, Pentanomial)> = results
        .iter()
        .filter(|result| !result.pairs.is_empty())
        .filter_map(|result| {
            let Pairing { first, second } = result.pairing;
            Some((place(first)?, place(second)?, result, result.pentanomial()))
        })
        .collect();
    let count = members.len();
    let mut ratings = vec![0.0; count];
    // Newton's method on a concave function; steps are shortened as long as they do not climb.
    let mut height = log_likelihood(&inside, &ratings);
    for _ in 0..200 {
        let (gradient, curvature) = derivatives(&inside, &ratings);
        let step = multiply(&inverse(curvature), &gradient);
        let mut scale = 1.0;
        let climbed = loop {
            let tried: Vec<f64> =
                ratings.iter().zip(&step).map(|(rating, step)| rating + scale * step).collect();
            let reached = log_likelihood(&inside, &tried);
            if reached > height {
                let by = reached - height;
                (ratings, height) = (tried, reached);
                break by;
            }
            scale /= 2.0;
            if scale < 1e-6 {
                break 0.0;
            }
        };
        if climbed < 1e-13 * height.abs().max(1.0) {
            break;
        }
    }
    let mean = ratings.iter().sum::<f64>() / count.max(1) as f64;
    ratings.iter_mut().for_each(|rating| *rating -= mean);
    let (_, curvature) = derivatives(&inside, &ratings);
    let bread = inverse(curvature);
    let (filling, rounds) = filling(&inside, &ratings);
    let scaled = |row: Vec<f64>| row.iter().map(|x| x * ELO_PER_LOGIT * ELO_PER_LOGIT).collect();
    Fit {
        members: members.to_vec(),
        elo: ratings.iter().map(|rating| rating * ELO_PER_LOGIT).collect(),
        covariance: product(&product(&bread, &filling), &bread).into_iter().map(scaled).collect(),
        rounds,
    }
}

type Inside<'a> = [(usize, usize, &'a PairResults, Pentanomial)];

fn chance(ratings: &[f64], first: usize, second: usize) -> f64 {
    1.0 / (1.0 + (ratings[second] - ratings[first]).exp())
}

fn log_likelihood(inside: &Inside<'_>, ratings: &[f64]) -> f64 {
    inside
        .iter()
        .map(|&(first, second, _, pairs)| {
            let (games, score) = (2.0 * pairs.pairs() as f64, pairs.score());
            let log_odds = ratings[first] - ratings[second];
            // score ln p + (1 - score) ln (1 - p), safe for large odds.
            let log_loss = |x: f64| if x > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() };
            games * (score * log_odds - log_loss(log_odds))
        })
        .sum()
}

/// Gradient and (negative) curvature. The sum of all ratings is free, so a term that holds it is
/// added to the curvature; it changes nothing else.
fn derivatives(inside: &Inside<'_>, ratings: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = ratings.len();
    let mut gradient = vec![0.0; count];
    let mut curvature = vec![vec![1.0 / count as f64; count]; count];
    for &(first, second, _, pairs) in inside {
        let (games, p) = (2.0 * pairs.pairs() as f64, chance(ratings, first, second));
        let pull = games * (pairs.score() - p);
        gradient[first] += pull;
        gradient[second] -= pull;
        add_square(&mut curvature, first, second, games * p * (1.0 - p));
    }
    (gradient, curvature)
}

/// Adds `weight` times the square of the difference of two ratings to a quadratic form.
fn add_square(form: &mut [Vec<f64>], first: usize, second: usize, weight: f64) {
    form[first][first] += weight;
    form[second][second] += weight;
    form[first][second] -= weight;
    form[second][first] -= weight;
}

/// How much the gradient varies from round to round, summed over the rounds, and their number.
fn filling(inside: &Inside<'_>, ratings: &[f64]) -> (Vec<Vec<f64>>, usize) {
    let count = ratings.len();
    let mut by_round = std::collections::BTreeMap::<usize, Vec<f64>>::new();
    let mut unseen = vec![vec![0.0; count]; count];
    for &(first, second, result, pairs) in inside {
        let p = chance(ratings, first, second);
        for &(round, half_points) in &result.pairs {
            let pull = 2.0 * (f64::from(half_points) / 4.0 - p);
            let pulls = by_round.entry(round).or_insert_with(|| vec![0.0; count]);
            pulls[first] += pull;
            pulls[second] -= pull;
        }
        let weight = 4.0 * p * (1.0 - p) * unseen_pairs(pairs.is_uniform());
        add_square(&mut unseen, first, second, weight);
    }
    let rounds = by_round.len();
    let correction = rounds as f64 / (rounds.max(2) - 1) as f64;
    let mut filling = unseen;
    for pulls in by_round.values() {
        for (row, a) in filling.iter_mut().zip(pulls) {
            row.iter_mut().zip(pulls).for_each(|(sum, b)| *sum += correction * a * b);
        }
    }
    (filling, rounds)
}

fn multiply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let dot = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(dot).collect()
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let column = |j: usize| b.iter().map(|row| row[j]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..b.len()).map(column).collect();
    a.iter().map(|row| multiply(&columns, row)).collect()
}

/// The inverse of a positive definite matrix, by Gauss and Jordan with pivots.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    let unit = |i: usize| (0..count).map(|j| f64::from(u8::from(i == j))).collect();
    let mut inverse: Vec<Vec<f64>> = (0..count).map(unit).collect();
    for at in 0..count {
        let size = |row: &usize| matrix[*row][at].abs();
        let pivot = (at..count).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(at);
        matrix.swap(at, pivot);
        inverse.swap(at, pivot);
        // Members of a group are tied by games, so no pivot vanishes; if rounding says otherwise,
        // the rating is as good as unknown.
        let divisor = if matrix[at][at].abs() < 1e-12 { 1e-12 } else { matrix[at][at] };
        for part in [&mut matrix, &mut inverse] {
            part[at].iter_mut().for_each(|value| *value /= divisor);
        }
        for row in (0..count).filter(|&row| row != at) {
            let factor = matrix[row][at];
            for part in [&mut matrix, &mut inverse] {
                let pivot_row = part[at].clone();
                part[row].iter_mut().zip(&pivot_row).for_each(|(a, b)| *a -= factor * b);
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(first: usize, second: usize, pairs: &[u8]) -> PairResults {
        let pairs = pairs.iter().copied().enumerate().collect();
        PairResults { pairing: Pairing { first, second }, pairs }
    }

    #[test]
    fn two_players_are_rated_as_their_score_says() {
        let results = [results(0, 1, &[4, 3, 2, 2, 1, 4, 2, 3])];
        let fit = fit(&[0, 1], &results);
        let direct = results[0].pentanomial().difference();
        assert!((fit.elo[0] - fit.elo[1] - direct.elo.unwrap()).abs() < 1e-6, "{fit:?}");
        let variance = |i: usize, j: usize| fit.covariance[i][j];
        let error = (variance(0, 0) + variance(1, 1) - 2.0 * variance(0, 1)).sqrt();
        let joint = super::super::Difference::new(direct.elo.unwrap(), error, fit.rounds);
        assert!((joint.high.unwrap() - direct.high.unwrap()).abs() < 1e-6, "{joint:?} {direct:?}");
        assert_eq!(fit.rounds, 8);
    }

    #[test]
    fn expected_points_are_those_that_were_made() {
        let results = [
            results(0, 1, &[4, 3, 2, 4]),
            results(1, 2, &[2, 3, 4, 1]),
            results(2, 0, &[1, 0, 2, 2]),
        ];
        let fit = fit(&[0, 1, 2], &results);
        for player in 0..3 {
            let (mut made, mut expected) = (0.0, 0.0);
            for result in &results {
                let Pairing { first, second } = result.pairing;
                let p = super::super::expected_score(fit.elo[first] - fit.elo[second]);
                let pentanomial = result.pentanomial();
                if player == first {
                    made += pentanomial.score();
                    expected += p;
                } else if player == second {
                    made += 1.0 - pentanomial.score();
                    expected += 1.0 - p;
                }
            }
            assert!((made - expected).abs() < 1e-8, "player {player}");
        }
        assert!(fit.elo.iter().sum::<f64>().abs() < 1e-9);
    }

    #[test]
    fn groups_are_apart_where_one_side_won_everything() {
        let clear = [results(0, 1, &[4, 4]), results(1, 2, &[3, 2]), results(2, 3, &[4, 4])];
        assert_eq!(groups(5, &clear), [0, 1, 1, 3, 4]);
        let circle = [results(0, 1, &[4, 4]), results(1, 2, &[4, 4]), results(2, 0, &[4, 4])];
        assert_eq!(groups(3, &circle), [0, 0, 0]);
        // All equal, though nobody lost a pair to the next but all of them.
        assert!(fit(&[0, 1, 2], &circle).elo.iter().all(|elo| elo.abs() < 1e-6));
    }
}

//! The standings of a tournament: every player's points and rating.

use super::elo::{elo_of_score, least_score_of_perfect};
use super::fit::{Fit, PairResults, fit, groups};
use super::{Difference, Pairing, Tournament, TournamentOutcome};
use fourfold::play::SeatTotals;
use serde::Serialize;

/// How a rating is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RatingKind {
    /// An estimate with its interval.
    Estimate,
    /// What others are measured by: its rating was given.
    Anchor,
    /// At least this: the player, or others of its strength, won every game against those that are
    /// measured.
    AtLeast,
    /// At most this: they lost every game.
    AtMost,
    /// No games tell how the player compares with those that are measured.
    Unknown,
}

/// A player's results and rating.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rating {
    /// The player.
    pub player: String,
    /// Elo; none if nothing is known. With [`RatingKind::AtLeast`] and [`RatingKind::AtMost`], a
    /// bound with 95 % confidence for each step between groups.
    pub elo: Option<f64>,
    /// The 95 % interval; none of a bound or an anchor.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// How to read it.
    pub kind: RatingKind,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Moves, nodes, times, forfeits, over all pairings.
    pub totals: SeatTotals,
}

impl Rating {
    /// Games played.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of points, from 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games().max(1) as f64
    }
}

/// The standings of a tournament.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Standings {
    /// By player, in the order of the tournament's list.
    pub ratings: Vec<Rating>,
    /// For each player the number of its group. Between groups, one side won every game, so only a
    /// bound of their distance is known.
    pub groups: Vec<usize>,
    fits: Vec<Fit>,
}

impl Standings {
    /// Rates the players, with mean 0 or so that a player (by its place) has a given rating. If one
    /// side of the field won every game against the other, the mean is that of the largest group
    /// that can be measured.
    ///
    /// # Panics
    /// If there is no such place.
    #[must_use]
    pub fn of(
        tournament: &Tournament,
        outcome: &TournamentOutcome,
        anchor: Option<(usize, f64)>,
    ) -> Self {
        let results: Vec<PairResults> =
            outcome.pairings.iter().map(super::PairingOutcome::results).collect();
        let mut standings = Self::rate(tournament.players.len(), &results, anchor);
        for (place, rating) in standings.ratings.iter_mut().enumerate() {
            rating.player = tournament.players[place].to_string();
            rating.totals.player.clone_from(&rating.player);
        }
        for pairing in &outcome.pairings {
            let Pairing { first, second } = pairing.pairing;
            let (result, [one, two]) = (&pairing.result, &pairing.result.seats);
            for (place, own, other) in [(first, one, two), (second, two, one)] {
                let rating = &mut standings.ratings[place];
                rating.wins += own.wins;
                rating.losses += other.wins;
                rating.draws += result.draws;
                add_totals(&mut rating.totals, own);
            }
        }
        standings
    }

    /// Rates players from the results of pairs alone.
    pub(super) fn rate(
        players: usize,
        results: &[PairResults],
        anchor: Option<(usize, f64)>,
    ) -> Self {
        let groups = groups(players, results);
        let members = |group: usize| -> Vec<usize> {
            (0..players).filter(|&player| groups[player] == group).collect()
        };
        let mut numbers = groups.clone();
        numbers.sort_unstable();
        numbers.dedup();
        let fits: Vec<Fit> = numbers.iter().map(|&group| fit(&members(group), results)).collect();
        // The group that others are compared with: the anchor's or the largest, the first of those.
        let reference = match anchor {
            Some((place, _)) => groups[place],
            None => {
                let size = |group: &usize| (members(*group).len(), usize::MAX - group);
                numbers.iter().copied().max_by_key(size).unwrap_or(0)
            }
        };
        let blank = Rating {
            player: String::new(),
            elo: None,
            low: None,
            high: None,
            kind: RatingKind::Unknown,
            wins: 0,
            draws: 0,
            losses: 0,
            totals: SeatTotals::default(),
        };
        let mut standings = Self { ratings: vec![blank; players], groups, fits };
        let shift = anchor.map_or(0.0, |(place, elo)| {
            elo - standings.within(place).map_or(0.0, |(fit, at)| fit.elo[at])
        });
        for place in 0..players {
            if standings.groups[place] == reference {
                standings.measure(place, anchor, shift);
            }
        }
        standings.bound(&numbers, reference, results);
        standings
    }

    /// The fit that a player is in, and its place there.
    fn within(&self, player: usize) -> Option<(&Fit, usize)> {
        self.fits.iter().find_map(|fit| {
            fit.members.iter().position(|&member| member == player).map(|at| (fit, at))
        })
    }

    /// The rating of a player of the group that is measured.
    fn measure(&mut self, place: usize, anchor: Option<(usize, f64)>, shift: f64) {
        let Some((fit, at)) = self.within(place) else { return };
        let elo = fit.elo[at] + shift;
        let anchored = anchor.and_then(|(anchor, _)| self.within(anchor)).map(|(_, at)| at);
        let variance = |i: usize, j: usize| fit.covariance[i][j];
        let own = match anchored {
            Some(by) => variance(at, at) + variance(by, by) - 2.0 * variance(at, by),
            None => variance(at, at),
        };
        let found = Difference::new(elo, own.max(0.0).sqrt(), fit.rounds);
        let (kind, is_sure) = match anchored {
            Some(by) if by == at => (RatingKind::Anchor, false),
            // One round tells nothing about how much rounds vary.
            _ => (RatingKind::Estimate, fit.rounds > 1),
        };
        // A player that met nobody, or the only one that can be measured, is where the scale is.
        let is_alone = fit.members.len() == 1;
        let rating = &mut self.ratings[place];
        rating.kind = if is_alone { RatingKind::Anchor } else { kind };
        rating.elo = Some(elo);
        if is_sure && !is_alone {
            (rating.low, rating.high) = (found.low, found.high);
        }
    }

    /// Bounds for the players of other groups: upwards from the group that is measured, then
    /// downwards, each step as wide as the games across it prove.
    fn bound(&mut self, numbers: &[usize], reference: usize, results: &[PairResults]) {
        for sign in [1.0, -1.0] {
            // The least distance of each group, in the direction of `sign`.
            let mut offsets = vec![None; numbers.len()];
            let index = |group: usize| numbers.iter().position(|&number| number == group);
            let Some(start) = index(reference) else { return };
            let (fit, first) = (&self.fits[start], self.fits[start].members[0]);
            offsets[start] = self.ratings[first].elo.map(|elo| elo - fit.elo[0]);
            // Steps lead from group to group without a circle, so as many passes as groups do.
            for _ in numbers {
                for result in results.iter().filter(|result| !result.pairs.is_empty()) {
                    let pentanomial = result.pentanomial();
                    let Pairing { first, second } = result.pairing;
                    let (winner, loser) =
                        if pentanomial.score() > 0.5 { (first, second) } else { (second, first) };
                    let (near, far) = if sign > 0.0 { (loser, winner) } else { (winner, loser) };
                    let (Some(from), Some(to)) =
                        (index(self.groups[near]), index(self.groups[far]))
                    else {
                        continue;
                    };
                    let step = elo_of_score(least_score_of_perfect(pentanomial.pairs()));
                    let (Some(offset), Some(step)) = (offsets[from], step) else { continue };
                    if from == to {
                        continue;
                    }
                    let own = |player| self.within(player).map_or(0.0, |(fit, at)| fit.elo[at]);
                    let reached = offset + own(near) + sign * step - own(far);
                    let is_further = |known: f64| sign * reached > sign * known;
                    if offsets[to].is_none_or(is_further) {
                        offsets[to] = Some(reached);
                    }
                }
            }
            for (group, offset) in numbers.iter().zip(&offsets) {
                let Some(offset) = offset else { continue };
                for place in (0..self.ratings.len()).filter(|&p| self.groups[p] == *group) {
                    if *group != reference {
                        let own = self.within(place).map_or(0.0, |(fit, at)| fit.elo[at]);
                        let rating = &mut self.ratings[place];
                        rating.elo = Some(offset + own);
                        rating.kind =
                            if sign > 0.0 { RatingKind::AtLeast } else { RatingKind::AtMost };
                    }
                }
            }
        }
    }

    /// How much stronger one player is than another, by all games of the tournament; with
    /// [`Difference::UNKNOWN`] if they are in different groups.
    #[must_use]
    pub fn difference(&self, one: usize, other: usize) -> Difference {
        match (self.within(one), self.within(other)) {
            (Some((fit, a)), Some((_, b)))
                if self.groups[one] == self.groups[other] && fit.rounds > 1 && one != other =>
            {
                let variance = |i: usize, j: usize| fit.covariance[i][j];
                let error = variance(a, a) + variance(b, b) - 2.0 * variance(a, b);
                Difference::new(fit.elo[a] - fit.elo[b], error.max(0.0).sqrt(), fit.rounds)
            }
            _ => Difference::UNKNOWN,
        }
    }

    /// The players from the strongest to the weakest, by rating; those without one last.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.ratings.len()).collect();
        let key = |place: &usize| self.ratings[*place].elo.unwrap_or(f64::NEG_INFINITY);
        order.sort_by(|a, b| key(b).total_cmp(&key(a)));
        order
    }
}

fn add_totals(sum: &mut SeatTotals, own: &SeatTotals) {
    sum.wins += own.wins;
    sum.wins_as_first += own.wins_as_first;
    sum.games_as_first += own.games_as_first;
    sum.forfeits += own.forfeits;
    sum.moves += own.moves;
    sum.time_ms += own.time_ms;
    sum.nodes += own.nodes;
    sum.evaluations += own.evaluations;
}

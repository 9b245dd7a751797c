//! Intervals and tests checked by simulation: tournaments between players of known strength, many
//! times over, at fixed seeds. They hold the truth as often as they say, and err as seldom.
//!
//! A simulated game is drawn from a threshold model: the side that begins wins if its advantage
//! plus logistic noise is above a margin, and draws within it. The advantage is the difference in
//! strength, plus what the opening gives to the first side (so that the games of a pair hang
//! together), plus what the players make of this opening (so that pairings of a round do).

use super::fit::PairResults;
use super::{Hypothesis, Pairing, Pentanomial, Sprt, Standings};
use fourfold::random::Random;

/// How games go.
#[derive(Clone, Copy)]
struct World {
    /// Half the width of the range of advantages that give a draw, in logits.
    margin: f64,
    /// How much openings favour one side: half of them the first, half the second.
    bias: f64,
    /// How differently players cope with an opening.
    taste: f64,
}

fn uniform(random: &mut Random) -> f64 {
    ((random.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

fn logistic(random: &mut Random) -> f64 {
    let u = uniform(random);
    (u / (1.0 - u)).ln()
}

fn either(random: &mut Random, size: f64) -> f64 {
    if random.chance(0.5) { size } else { -size }
}

impl World {
    /// Half points of the first player in a pair, given strengths in this opening.
    fn pair(self, one: f64, two: f64, bias: f64, random: &mut Random) -> u8 {
        let mut game = |advantage: f64| match advantage + logistic(random) {
            x if x > self.margin => 2,
            x if x < -self.margin => 0,
            _ => 1,
        };
        game(one - two + bias) + (2 - game(two - one + bias))
    }

    /// What the first of two players expects, as a share of points.
    fn expected(self, one: f64, two: f64) -> f64 {
        let above = |x: f64| 1.0 / (1.0 + (-x).exp());
        let game = |advantage: f64| {
            let (win, loss) = (above(advantage - self.margin), above(-advantage - self.margin));
            win + (1.0 - win - loss) / 2.0
        };
        let tastes = [-2.0, 0.0, 0.0, 2.0].map(|t| t * self.taste);
        let mean = |of: &dyn Fn(f64, f64) -> f64| {
            let biases = [self.bias, -self.bias];
            let all = tastes.iter().flat_map(|&t| biases.map(|b| of(t, b)));
            all.sum::<f64>() / 8.0
        };
        mean(&|taste, bias| {
            (game(one - two + taste + bias) + 1.0 - game(two - one - taste + bias)) / 2.0
        })
    }

    fn tournament(
        self,
        strengths: &[f64],
        pairings: &[Pairing],
        rounds: usize,
        random: &mut Random,
    ) -> Vec<PairResults> {
        let blank = |&pairing: &Pairing| PairResults { pairing, pairs: Vec::new() };
        let mut results: Vec<PairResults> = pairings.iter().map(blank).collect();
        for round in 0..rounds {
            let bias = either(random, self.bias);
            let here: Vec<f64> =
                strengths.iter().map(|strength| strength + either(random, self.taste)).collect();
            for result in &mut results {
                let Pairing { first, second } = result.pairing;
                result.pairs.push((round, self.pair(here[first], here[second], bias, random)));
            }
        }
        results
    }
}

const SIMULATIONS: u64 = 1000;

/// In how many of a thousand tournaments the interval of each difference to the next player holds
/// the truth, on average over the differences.
fn coverage(
    world: World,
    strengths: &[f64],
    pairings: &[Pairing],
    rounds: usize,
    seed: u64,
) -> f64 {
    // What the model would find with endless games: no game is expected to go by its formula.
    let expected = |&pairing: &Pairing| {
        let score = world.expected(strengths[pairing.first], strengths[pairing.second]);
        (pairing, score)
    };
    let truth = endless(strengths.len(), &pairings.iter().map(expected).collect::<Vec<_>>());
    let (mut held, mut all) = (0u64, 0u64);
    for number in 0..SIMULATIONS {
        let mut random = Random::for_item(seed, number);
        let results = world.tournament(strengths, pairings, rounds, &mut random);
        let standings = Standings::rate(strengths.len(), &results, None);
        for place in 1..strengths.len() {
            let found = standings.difference(place - 1, place);
            let (Some(low), Some(high)) = (found.low, found.high) else { continue };
            let difference = truth[place - 1] - truth[place];
            held += u64::from(low <= difference && difference <= high);
            all += 1;
        }
    }
    assert!(all > 9 * SIMULATIONS * (strengths.len() as u64 - 1) / 10, "{all} intervals");
    held as f64 / all as f64
}

/// Ratings that expect exactly these scores, by plain gradient steps.
fn endless(players: usize, scores: &[(Pairing, f64)]) -> Vec<f64> {
    let mut elo = vec![0.0; players];
    for _ in 0..20_000 {
        let mut pull = vec![0.0; players];
        for (pairing, score) in scores {
            let off = score - super::expected_score(elo[pairing.first] - elo[pairing.second]);
            pull[pairing.first] += off;
            pull[pairing.second] -= off;
        }
        elo.iter_mut().zip(&pull).for_each(|(elo, pull)| *elo += 100.0 * pull);
    }
    elo
}

fn round_robin(players: usize) -> Vec<Pairing> {
    let below = |second| (0..second).map(move |first| Pairing { first, second });
    (1..players).flat_map(below).collect()
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let plain = World { margin: 0.0, bias: 0.0, taste: 0.0 };
    let drawish = World { margin: 1.0, bias: 0.0, taste: 0.0 };
    let biased = World { margin: 0.5, bias: 2.0, taste: 0.0 };
    let tasteful = World { margin: 0.3, bias: 1.0, taste: 0.7 };
    let two = [Pairing { first: 0, second: 1 }];
    for (name, world, strengths, pairings, rounds) in [
        ("two, no draws", plain, &[0.0, 0.3][..], &two[..], 50),
        ("two, draws", drawish, &[0.2, 0.0], &two, 50),
        ("two, biased openings", biased, &[0.4, 0.0], &two, 50),
        ("two, far apart", drawish, &[2.0, 0.0], &two, 100),
        ("four, draws and bias", biased, &[0.0, 0.3, 0.6, 1.5], &round_robin(4), 40),
        ("four, openings shared", tasteful, &[0.0, 0.3, 0.6, 1.0], &round_robin(4), 40),
    ] {
        let share = coverage(world, strengths, pairings, rounds, 20_261_116);
        assert!((0.93..=0.97).contains(&share), "{name}: {share}");
    }
}

/// How often a test accepts H1 between players with these strengths, and after how many pairs on
/// average.
fn acceptance(world: World, test: Sprt, advantage: f64, seed: u64) -> (f64, f64) {
    let (mut accepted, mut pairs) = (0u64, 0u64);
    for number in 0..SIMULATIONS {
        let mut random = Random::for_item(seed, number);
        let mut counts = Pentanomial::default();
        let decision = loop {
            let bias = either(&mut random, world.bias);
            counts.add(world.pair(advantage, 0.0, bias, &mut random));
            if let Some(decision) = test.decide(&counts) {
                break decision;
            }
        };
        accepted += u64::from(decision == Hypothesis::H1);
        pairs += counts.pairs();
    }
    (accepted as f64 / SIMULATIONS as f64, pairs as f64 / SIMULATIONS as f64)
}

/// The advantage in logits at which a player expects what a difference in Elo says.
fn advantage(world: World, elo: f64) -> f64 {
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if world.expected(middle, 0.0) < super::expected_score(elo) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn tests_err_as_seldom_as_they_say() {
    let drawish = World { margin: 1.0, bias: 0.0, taste: 0.0 };
    let biased = World { margin: 0.5, bias: 2.0, taste: 0.0 };
    for (name, world, elo0, elo1) in [
        ("draws, 0 to 40", drawish, 0.0, 40.0),
        ("bias, 0 to 40", biased, 0.0, 40.0),
        ("bias, -30 to 0", biased, -30.0, 0.0),
        ("draws, 100 to 200", drawish, 100.0, 200.0),
    ] {
        let test = Sprt::new(elo0, elo1).unwrap();
        let (wrong_h1, _) = acceptance(world, test, advantage(world, elo0), 7);
        let (right_h1, pairs) = acceptance(world, test, advantage(world, elo1), 8);
        // 5 %, and two standard errors of a thousand trials.
        assert!(wrong_h1 <= 0.064, "{name}: H1 accepted in {wrong_h1} under H0");
        assert!(1.0 - right_h1 <= 0.064, "{name}: H0 accepted in {} under H1", 1.0 - right_h1);
        assert!(pairs < 2000.0, "{name}: {pairs} pairs");
    }
}

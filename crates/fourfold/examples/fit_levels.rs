//! Fits the levels: plays a fine ladder of skills between those of `LEVELS` against each other,
//! neighbour against neighbour, and prints the table that would make all steps alike.
//!
//! ```text
//! cargo run --release -p fourfold --example fit_levels [GAME [GAMES [POINTS [THREADS]]]]
//! ```
//!
//! GAMES are played by each pair of neighbours (400), POINTS skills stand for each level (2).
//! Skills between two levels are interpolated. Level 1 stays as it is, set by its games against
//! `random`, and so does level 12; run the program again with its own table until the steps no
//! longer change.

use fourfold::game::Rules;
use fourfold::play::{LEVELS, LevelSpec, Match, PlayerSpec, Seat, Skill, run_match};
use std::error::Error;

/// The skills after level 11, before everything is seen: sight in hundredths of a ply.
const BEYOND: [u32; 2] = [6000, 15_000];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |usual: &str| arguments.next().unwrap_or_else(|| usual.to_owned());
    let rules: Rules = next("7x6c4").parse()?;
    let games: u64 = next("400").parse()?;
    let points: u32 = next("2").parse()?;
    let threads: usize = next("1").parse()?;

    let mut anchors = LEVELS[..11].to_vec();
    for sight in BEYOND {
        let last = anchors[anchors.len() - 1];
        let mut skill = last;
        (skill.sight, skill.drop) = (Some(sight.max(2 * last.sight.unwrap_or(0))), last.drop / 2);
        anchors.push(skill);
    }
    let mut ladder: Vec<Skill> = Vec::new();
    for pair in anchors.windows(2) {
        ladder.extend((0..points).map(|k| between(&pair[0], &pair[1], k, points)));
    }
    ladder.push(anchors[anchors.len() - 1]);
    ladder.push(LEVELS[11]);

    let score = against(&rules, ["random".parse()?, seat(&ladder[0])], games, threads)?;
    println!("level 1 scores {:.1} % against random", 100.0 * score);
    let mut heights = vec![0.0];
    for pair in ladder.windows(2) {
        let score = against(&rules, [seat(&pair[0]), seat(&pair[1])], games, threads)?;
        // A step that falls is taken for none.
        let step = elo(score, games);
        heights.push(heights[heights.len() - 1] + step.max(0.0));
        println!("{:>40}  {step:+7.0}  {:7.0}", text(&pair[1]), heights[heights.len() - 1]);
    }
    let step = heights[heights.len() - 1] / 11.0;
    println!("\nThe ladder is {:.0} Elo high: {step:.0} a step. Level by level:", step * 11.0);
    for level in 0..11 {
        let height = step * f64::from(level);
        let above = heights.iter().position(|&reached| reached > height).unwrap_or(1);
        let (low, high) = (heights[above - 1], heights[above]);
        let part = ((height - low) / (high - low) * 1000.0) as u32;
        println!(
            "{:2}  {}",
            level + 1,
            text(&between(&ladder[above - 1], &ladder[above], part, 1000))
        );
    }
    Ok(())
}

/// A skill `part` of `whole` of the way from one to the other; sight by its logarithm.
fn between(low: &Skill, high: &Skill, part: u32, whole: u32) -> Skill {
    let part = f64::from(part) / f64::from(whole);
    let mix =
        |low: u32, high: u32| (f64::from(low) * (1.0 - part) + f64::from(high) * part).round();
    let mut skill = if part < 0.5 { *low } else { *high };
    skill.drop = mix(low.drop, high.drop) as u32;
    skill.noise = mix(low.noise, high.noise) as u32;
    let sight = low
        .sight
        .zip(high.sight)
        .map(|(low, high)| f64::from(low) * (f64::from(high) / f64::from(low)).powf(part));
    skill.sight = sight.map(|sight| sight.round() as u32).or(low.sight);
    skill.alert = low.alert;
    skill
}

fn seat(skill: &Skill) -> PlayerSpec {
    let mut spec = LevelSpec::new(if skill.sight.is_some() { 11 } else { 12 }).expect("a level");
    spec.skill = *skill;
    Seat::Level(spec).into()
}

fn text(skill: &Skill) -> String {
    let sight = skill.sight.map_or("all".to_owned(), |sight| sight.to_string());
    format!("sight {sight}, drop {}, noise {}", skill.drop, skill.noise)
}

/// The second player's share of the points.
fn against(
    rules: &Rules,
    players: [PlayerSpec; 2],
    games: u64,
    threads: usize,
) -> Result<f64, Box<dyn Error>> {
    let contest = Match::new(*rules, players).with_games(games).with_seed(1).with_threads(threads);
    let result = run_match(&contest, &Default::default(), |_, _| ())?;
    Ok((result.seats[1].wins as f64 + result.draws as f64 / 2.0) / result.games as f64)
}

/// The Elo difference of a score; half a game is taken from a clean sweep.
fn elo(score: f64, games: u64) -> f64 {
    let least = 0.5 / games as f64;
    let score = score.clamp(least, 1.0 - least);
    400.0 * (score / (1.0 - score)).log10()
}

//! The results of a tournament as JSON and CSV; `docs/tournaments.md` describes the fields.

use super::{
    Format, Pentanomial, RatingKind, Sprt, SprtState, Standings, Tournament, TournamentOutcome,
};
use fourfold::game::Rules;
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct Json<'a> {
    game: Rules,
    format: Format,
    games_per_pairing: u64,
    openings: usize,
    seed: u64,
    sprt: Option<Sprt>,
    complete: bool,
    games: u64,
    distinct: u64,
    draws: u64,
    first_wins: u64,
    players: Vec<PlayerJson<'a>>,
    pairings: Vec<PairingJson<'a>>,
}

#[derive(Serialize)]
struct PlayerJson<'a> {
    player: &'a str,
    rating: RatingKind,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    group: usize,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    games_as_first: u64,
    wins_as_first: u64,
    forfeits: u64,
    moves: u64,
    nodes_per_move: f64,
    evaluations_per_move: f64,
    time_ms_per_move: f64,
}

#[derive(Serialize)]
struct PairingJson<'a> {
    first: &'a str,
    second: &'a str,
    games: u64,
    distinct: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    first_wins: u64,
    score: f64,
    pairs: Pentanomial,
    repeated_pairs: u64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    superiority: f64,
    sprt: Option<SprtState>,
}

fn players(standings: &Standings) -> impl Iterator<Item = PlayerJson<'_>> {
    standings.order().into_iter().map(|place| {
        let rating = &standings.ratings[place];
        PlayerJson {
            player: &rating.player,
            rating: rating.kind,
            elo: rating.elo,
            elo_low: rating.low,
            elo_high: rating.high,
            group: standings.groups[place],
            games: rating.games(),
            wins: rating.wins,
            draws: rating.draws,
            losses: rating.losses,
            score: rating.score(),
            games_as_first: rating.totals.games_as_first,
            wins_as_first: rating.totals.wins_as_first,
            forfeits: rating.totals.forfeits,
            moves: rating.totals.moves,
            nodes_per_move: rating.totals.nodes_per_move(),
            evaluations_per_move: rating.totals.evaluations_per_move(),
            time_ms_per_move: rating.totals.time_per_move(),
        }
    })
}

/// The results as a JSON object, without a line break.
#[must_use]
pub fn json(tournament: &Tournament, outcome: &TournamentOutcome, standings: &Standings) -> String {
    let name = |place: usize| standings.ratings[place].player.as_str();
    let pairings = outcome.pairings.iter().map(|found| {
        let (pairs, [one, two]) = (found.pentanomial(), &found.result.seats);
        let difference = pairs.difference();
        PairingJson {
            first: name(found.pairing.first),
            second: name(found.pairing.second),
            games: found.result.games,
            distinct: found.result.distinct,
            wins: one.wins,
            draws: found.result.draws,
            losses: two.wins,
            first_wins: found.result.first_wins,
            score: pairs.score(),
            pairs,
            repeated_pairs: found.repeated,
            elo: difference.elo,
            elo_low: difference.low,
            elo_high: difference.high,
            superiority: difference.superiority,
            sprt: found.sprt,
        }
    });
    let json = Json {
        game: tournament.rules,
        format: tournament.format,
        games_per_pairing: tournament.games,
        openings: tournament.openings.len(),
        seed: tournament.seed,
        sprt: tournament.sprt,
        complete: outcome.is_complete,
        games: outcome.games(),
        distinct: outcome.distinct(),
        draws: outcome.draws(),
        first_wins: outcome.first_wins(),
        players: players(standings).collect(),
        pairings: pairings.collect(),
    };
    serde_json::to_string(&json).expect("plain fields always make JSON")
}

const CSV_HEAD: &str = "player,rating,elo,elo_low,elo_high,group,games,wins,draws,losses,score,\
    games_as_first,wins_as_first,forfeits,moves,nodes_per_move,evaluations_per_move,\
    time_ms_per_move";

/// The ratings as a CSV table, the strongest player first. What is not known is left empty.
#[must_use]
pub fn csv(standings: &Standings) -> String {
    let mut out = format!("{CSV_HEAD}\n");
    let maybe = |elo: Option<f64>| elo.map_or(String::new(), |elo| elo.to_string());
    for row in players(standings) {
        let kind = serde_json::to_string(&row.rating).expect("a word is always JSON");
        let _ = writeln!(
            out,
            "\"{}\",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            row.player.replace('"', "\"\""),
            kind.trim_matches('"'),
            maybe(row.elo),
            maybe(row.elo_low),
            maybe(row.elo_high),
            row.group,
            row.games,
            row.wins,
            row.draws,
            row.losses,
            row.score,
            row.games_as_first,
            row.wins_as_first,
            row.forfeits,
            row.moves,
            row.nodes_per_move,
            row.evaluations_per_move,
            row.time_ms_per_move,
        );
    }
    out
}

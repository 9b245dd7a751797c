//! The report of a tournament: one HTML file that stands alone, with the ratings as a plot, the
//! cross table and the pairings.

use super::{PairingOutcome, RatingKind, Standings, Tournament, TournamentOutcome};
use crate::provenance::Provenance;
use crate::report::{definitions, page as html_page};
use crate::svg;
use crate::text::grouped;
use std::fmt::Write;

/// The report as HTML.
#[must_use]
pub fn page(
    tournament: &Tournament,
    outcome: &TournamentOutcome,
    standings: &Standings,
    provenance: &Provenance,
) -> String {
    let title = format!("Tournament: {}", tournament.rules);
    let mut out = format!("<h1>{}</h1>\n", svg::escape(&title));
    let _ = writeln!(
        out,
        "<p class=\"question\">{} players, {}, {} games from {} openings, each played from both \
         sides.</p>",
        tournament.players.len(),
        tournament.format,
        grouped(outcome.games()),
        grouped(tournament.openings.len() as u64),
    );
    if !outcome.is_complete {
        out += "<p class=\"finding\">The tournament is not finished: it was stopped.</p>\n";
    }
    let _ = writeln!(
        out,
        "<p>{} of the games were distinct. {} were drawn; whoever began won {}.</p>",
        grouped(outcome.distinct()),
        grouped(outcome.draws()),
        grouped(outcome.first_wins()),
    );
    out += "<section><h2>Ratings</h2>\n";
    let _ = writeln!(
        out,
        "<figure tabindex=\"0\">{}<figcaption>Elo by maximum likelihood with 95 % intervals. An \
         arrow is a bound: one side won every game.</figcaption></figure>",
        plot(standings)
    );
    ratings(&mut out, standings);
    out += "</section>\n<section><h2>Cross table</h2>\n<p>The share of points of the player in the \
            row against the player in the column.</p>\n";
    cross_table(&mut out, outcome, standings);
    out += "</section>\n<section><h2>Pairings</h2>\n";
    pairings(&mut out, outcome, standings);
    out += "</section>\n<section><h2>How this was measured</h2>\n";
    out += "<p>Ratings are of the Bradley-Terry model, a draw being half a win. Intervals come from \
            how much the results vary from opening to opening, both games of a pair taken \
            together. Times depend on the machine; all other figures depend on the seed \
            alone.</p>\n";
    out += &definitions(provenance, tournament.seed);
    out += "</section>\n";
    html_page(&title, &out)
}

fn open_table(out: &mut String, head: &[&str]) {
    *out += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>\
             <thead><tr>";
    for (column, name) in head.iter().enumerate() {
        let class = if column == 0 { " class=\"axis\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", svg::escape(name));
    }
    *out += "</tr></thead><tbody>";
}

fn row(out: &mut String, cells: &[String]) {
    *out += "<tr>";
    for (column, cell) in cells.iter().enumerate() {
        let _ = match column {
            0 => write!(out, "<th scope=\"row\">{}</th>", svg::escape(cell)),
            _ => write!(out, "<td>{}</td>", svg::escape(cell)),
        };
    }
    *out += "</tr>";
}

const CLOSE_TABLE: &str = "</tbody></table></div>\n";

fn ratings(out: &mut String, standings: &Standings) {
    let head =
        ["player", "Elo", "95 % interval", "games", "won", "drawn", "lost", "points", "ms a move"];
    open_table(out, &head);
    for place in standings.order() {
        let rating = &standings.ratings[place];
        let cells = [
            rating.player.clone(),
            rating.elo_text(),
            rating.interval_text(),
            grouped(rating.games()),
            grouped(rating.wins),
            grouped(rating.draws),
            grouped(rating.losses),
            percent(rating.score()),
            format!("{:.3}", rating.totals.time_per_move()),
        ];
        row(out, &cells);
    }
    *out += CLOSE_TABLE;
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn cross_table(out: &mut String, outcome: &TournamentOutcome, standings: &Standings) {
    let order = standings.order();
    let numbers: Vec<String> = (1..=order.len()).map(|number| number.to_string()).collect();
    let head: Vec<&str> =
        std::iter::once("player").chain(numbers.iter().map(String::as_str)).collect();
    open_table(out, &head);
    for (number, &place) in order.iter().enumerate() {
        let mut cells = vec![format!("{}. {}", number + 1, standings.ratings[place].player)];
        cells.extend(
            order
                .iter()
                .map(|&other| outcome.score(place, other).map_or_else(|| "·".to_owned(), percent)),
        );
        row(out, &cells);
    }
    *out += CLOSE_TABLE;
}

fn pairings(out: &mut String, outcome: &TournamentOutcome, standings: &Standings) {
    let head = [
        "pairing",
        "games",
        "distinct",
        "won",
        "drawn",
        "lost",
        "pairs 0, ½, 1, 1½, 2",
        "Elo difference",
        "95 % interval",
        "superiority",
        "SPRT",
    ];
    open_table(out, &head);
    let name = |place: usize| &standings.ratings[place].player;
    for found in &outcome.pairings {
        let PairingOutcome { pairing, result, .. } = found;
        let pairs = found.pentanomial();
        let difference = pairs.difference();
        let sprt = found.sprt.map_or_else(String::new, |test| {
            let accepted = test.accepted.map_or("open".to_owned(), |h| format!("{h} accepted"));
            format!("{accepted}, LLR {:.2}", test.llr)
        });
        let cells = [
            format!("{} – {}", name(pairing.first), name(pairing.second)),
            grouped(result.games),
            grouped(result.distinct),
            grouped(result.seats[0].wins),
            grouped(result.draws),
            grouped(result.seats[1].wins),
            pairs.counts.map(|count| count.to_string()).join(", "),
            difference.elo_text(),
            difference.interval_text(),
            percent(difference.superiority),
            sprt,
        ];
        row(out, &cells);
    }
    *out += CLOSE_TABLE;
}

/// The ratings as a plot: a line per player, with its interval or an arrow.
fn plot(standings: &Standings) -> String {
    const STYLE: &str = ".fourfold .bar{stroke:#0b5fa5;stroke:var(--second);stroke-width:2;\
        fill:none}.fourfold .mark{fill:#c2500a;fill:var(--first)}.fourfold .grid{stroke:#8a93a0;\
        stroke:var(--line);stroke-width:.5;fill:none}.fourfold text.right{text-anchor:end;\
        font-size:14px}";
    const ROW: f64 = 28.0;
    let order = standings.order();
    let rated = || order.iter().filter_map(|&place| standings.ratings[place].elo);
    let ends = standings.ratings.iter().flat_map(|rating| [rating.low, rating.high]).flatten();
    let all: Vec<f64> = rated().chain(ends).filter(|elo| elo.is_finite()).collect();
    let least = all.iter().copied().fold(f64::INFINITY, f64::min).min(-1.0);
    let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max).max(1.0);
    let names = standings.ratings.iter().map(|rating| svg::text_width(&rating.player, 14.0));
    let left = names.fold(60.0, f64::max).min(320.0) + 20.0;
    let (width, bottom) = (left + 460.0, 20.0 + ROW * order.len() as f64);
    let step = tick_step(most - least);
    let (low, high) = ((least / step).floor() * step, (most / step).ceil() * step);
    let x = |elo: f64| left + 20.0 + (elo - low) / (high - low) * 410.0;
    let title = "Ratings of the players";
    let mut out = svg::open("ratings", (width, bottom + 40.0), title, "Elo with intervals", STYLE);
    out += &svg::rect("paper", (0.0, 0.0), (width, bottom + 40.0));
    let mut tick = low;
    while tick <= high + step / 2.0 {
        out += &svg::line("grid", (x(tick), 10.0), (x(tick), bottom));
        let label = format!("{tick:.0}").replace('-', "−");
        out += &svg::text("small", x(tick), bottom + 14.0, &label);
        tick += step;
    }
    out += &svg::text("small", left + 225.0, bottom + 30.0, "Elo");
    for (number, &place) in order.iter().enumerate() {
        let rating = &standings.ratings[place];
        let y = 10.0 + ROW * (number as f64 + 0.5);
        out += &svg::text("right", left, y, &rating.player);
        let Some(elo) = rating.elo else { continue };
        if let (Some(from), Some(to)) = (rating.low, rating.high) {
            out += &svg::line("bar", (x(from), y), (x(to), y));
            for end in [from, to] {
                out += &svg::line("bar", (x(end), y - 5.0), (x(end), y + 5.0));
            }
        }
        let towards = match rating.kind {
            RatingKind::AtLeast => 1.0,
            RatingKind::AtMost => -1.0,
            _ => 0.0,
        };
        if towards != 0.0 {
            let tip = x(elo) + 18.0 * towards;
            out += &svg::line("bar", (x(elo), y), (tip, y));
            let back = tip - 5.0 * towards;
            out += &svg::polyline("bar", [(back, y - 4.0), (tip, y), (back, y + 4.0)]);
        }
        out += &svg::circle("mark", (x(elo), y), 4.5);
    }
    out + "</svg>"
}

/// A round distance between ticks, about six of them over a range.
fn tick_step(range: f64) -> f64 {
    let rough = (range / 6.0).max(1.0);
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|&step| step >= rough).unwrap_or(10.0 * power)
}

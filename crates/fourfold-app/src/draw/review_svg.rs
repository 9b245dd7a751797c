//! The course of a reviewed game as an SVG: one bar per move, up if the first player is winning
//! after it, down if the second is.

use fourfold::game::Side;
use fourfold::play::{Judgement, MoveReview, Review};
use fourfold_lab::svg::{escape, line, open, round, text};
use std::fmt::Write;

const STYLE: &str = "\
.fourfold .axis{fill:none;stroke:#4a5463;stroke:var(--muted);stroke-width:1.5px}\
.fourfold .first{fill:#c2500a;fill:var(--first)}\
.fourfold .second{fill:#0b5fa5;fill:var(--second)}\
.fourfold .even{fill:#8a93a0;fill:var(--line)}\
.fourfold .unknown{fill:none;stroke:#8a93a0;stroke:var(--line);stroke-width:1px;\
stroke-dasharray:2 3}";

const LEFT: f64 = 16.0;
const TOP: f64 = 32.0;
/// The greatest height of a bar, in pixels.
const REACH: f64 = 84.0;
const FOOT: f64 = 64.0;

/// The symbol of a mistake; empty for other judgements.
pub fn mark(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Blunder => "▲",
        Judgement::Inaccuracy => "◆",
        Judgement::Best | Judgement::Forced => "",
    }
}

/// The score after a move, from the first player's view; none if the move was not judged.
pub fn score_after(mv: &MoveReview) -> Option<i32> {
    let found = mv.found.as_ref()?;
    Some(if mv.side == Side::First { found.played_score } else { -found.played_score })
}

/// Draws a review; `title` names the game.
pub fn draw(review: &Review, title: &str) -> String {
    let step = if review.moves.len() > 40 { 14.0 } else { 20.0 };
    let (width, height) =
        ((2.0 * LEFT + step * review.moves.len() as f64).max(320.0), TOP + 2.0 * REACH + FOOT);
    let middle = TOP + REACH;
    let most = f64::from(review.rules.cells().div_ceil(2).max(1));
    let descriptions: Vec<String> = review.moves.iter().map(|mv| in_words(review, mv)).collect();
    let mut svg = open("", (width, height), title, &descriptions.join("; "), STYLE);
    let _ = writeln!(
        svg,
        "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{}",
        text(
            "small left",
            LEFT,
            14.0,
            "Up: the first player (x) wins, the sooner the higher. Down: the second (o)."
        ),
    );
    for (index, mv) in review.moves.iter().enumerate() {
        let x = LEFT + step * index as f64;
        let (class, up, down) = match score_after(mv) {
            None => ("unknown", 10.0, 10.0),
            Some(0) => ("even", 2.0, 2.0),
            Some(score) => {
                // As on the web page, even the latest win is a quarter of the full height.
                let reach = REACH * (0.25 + 0.75 * f64::from(score.abs()) / most);
                if score > 0 { ("first", reach, 0.0) } else { ("second", 0.0, reach) }
            }
        };
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\">\
             <title>{}</title></rect>",
            round(x + 2.0),
            round(middle - up),
            step - 4.0,
            round(up + down),
            escape(&descriptions[index]),
        );
        let centre = x + step / 2.0;
        if let Some(found) = &mv.found
            && !mark(found.judgement).is_empty()
        {
            let _ = writeln!(
                svg,
                "{}",
                text("", centre, TOP + 2.0 * REACH + 14.0, mark(found.judgement))
            );
        }
        if index == 0 || (index + 1) % 5 == 0 {
            let _ = writeln!(
                svg,
                "{}",
                text("small", centre, TOP + 2.0 * REACH + 34.0, &(index + 1).to_string())
            );
        }
    }
    let _ = writeln!(svg, "{}", line("axis", (LEFT, middle), (width - LEFT, middle)));
    let legend = "▲ a blunder · ◆ an inaccuracy · below, the number of the move";
    let _ = writeln!(svg, "{}", text("small left", LEFT, height - 10.0, legend));
    svg + "</svg>\n"
}

/// `12. o plays 4: blunder, loses in 4 moves`.
fn in_words(review: &Review, mv: &MoveReview) -> String {
    let start =
        format!("{}. {} plays {}", mv.ply + 1, mv.side.letter(), mv.mv.label(&review.rules));
    match &mv.found {
        Some(found) => format!("{start}: {}, {}", name(found.judgement), found.played),
        None => format!("{start}: not judged"),
    }
}

/// A judgement in a word.
pub fn name(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Forced => "forced",
        Judgement::Best => "best",
        Judgement::Inaccuracy => "inaccuracy",
        Judgement::Blunder => "blunder",
    }
}

//! What other sites show of a link to a position: its title and a picture of the board, in the
//! head of the page (Open Graph). Only a server with a public address has them, since the picture
//! must be named by its whole address.

use super::params::Params;
use fourfold::game::{Outcome, Position, Side};
use fourfold_lab::svg::escape;

/// The page with a card in its head, if its address names a position.
pub(super) fn with_card(page: &str, origin: &str, path: &str, query: &str) -> Option<String> {
    let params = Params::of_query(query, &["game", "moves", "position"])?;
    if params.text("moves").is_none() && params.text("position").is_none() {
        return None;
    }
    let position = params.entry().ok()?.position;
    let asked = params.query();
    let image = format!("{origin}/api/v1/card.png?{asked}");
    let address = format!("{origin}{path}?{asked}");
    let metas: String = [
        ("og:type", "website"),
        ("og:site_name", "Fourfold"),
        ("og:title", &title(&position)),
        ("og:url", &address),
        ("og:image", &image),
        ("og:image:width", "1200"),
        ("og:image:height", "630"),
        ("twitter:card", "summary_large_image"),
    ]
    .iter()
    .map(|(name, content)| format!("<meta property=\"{name}\" content=\"{}\">\n", escape(content)))
    .collect();
    Some(page.replacen("</head>", &format!("{metas}</head>"), 1))
}

/// What a position is called: `Connect Four: Red to move`.
fn title(position: &Position) -> String {
    let name = |side| if side == Side::First { "Red" } else { "Yellow" };
    let state = match position.outcome() {
        Outcome::Won { by, .. } => format!("{} has won", name(by)),
        Outcome::Drawn => "a draw".to_owned(),
        Outcome::Ongoing => format!("{} to move", name(position.to_move())),
    };
    format!("{}: {state}", position.rules().title())
}

#[cfg(test)]
mod tests {
    use super::with_card;

    const PAGE: &str = "<head></head>";

    #[test]
    fn a_position_has_a_card() {
        let card = |query: &str| with_card(PAGE, "https://a.example", "/analyse", query);
        let made = card("moves=4453&tab=share&seed=1").expect("a card");
        assert!(made.contains("content=\"Connect Four: Red to move\""), "{made}");
        assert!(
            made.contains("content=\"https://a.example/api/v1/card.png?moves=4453\""),
            "{made}"
        );
        let won = card("game=3x3c3f&moves=a1+b1+a2+b2+a3").expect("a card");
        assert!(won.contains("Red has won"), "{won}");
    }

    #[test]
    fn what_is_no_position_has_none() {
        for query in ["", "seed=3", "moves=%22%3E%3Cscript%3E", "moves=9", "game=x&moves=1", "%"] {
            assert_eq!(with_card(PAGE, "https://a.example", "/play", query), None, "{query}");
        }
    }
}

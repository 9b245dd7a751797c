//! Facts about positions and games, each checked by its definition and against plain minimax.

use fourfold::budget::Budget;
use fourfold::game::{Cell, Move, Outcome, Position, Rules, Side};
use fourfold::play::{
    Fact, Headline, Judgement, MomentKind, Review, fatal_moves, faults, merit, review, why,
};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::solver::{MoveScore, Solver, SolverOptions};
use std::collections::HashMap;

/// Games with how many random positions of each are explained.
const GAMES: [(&str, usize); 10] = [
    ("4x4c3", 200),
    ("4x4c4", 600),
    ("5x4c4", 600),
    ("4x5c4", 400),
    ("4x3s2", 200),
    ("4x4s2", 200),
    ("3x3c3f", 300),
    ("5x3c3", 100),
    ("6x4c4", 300),
    ("5x5c4", 200),
];

/// Plain minimax that remembers positions: the value for the side to move, and nothing clever.
#[derive(Default)]
struct Oracle {
    known: HashMap<Position, i32>,
}

impl Oracle {
    /// 1 if the side to move wins, 0 for a draw, -1 if it loses.
    fn value(&mut self, position: &Position) -> i32 {
        match position.outcome() {
            Outcome::Won { .. } => return -1,
            Outcome::Drawn => return 0,
            Outcome::Ongoing => {}
        }
        if let Some(&value) = self.known.get(position) {
            return value;
        }
        let moves = position.legal_moves();
        let best = moves.iter().map(|&mv| -self.value(&position.play_unchecked(mv))).max();
        let best = best.expect("there is a move");
        self.known.insert(*position, best);
        best
    }

    /// The value for a side, whoever is to move.
    fn value_for(&mut self, side: Side, position: &Position) -> i32 {
        let value = self.value(position);
        if side == position.to_move() { value } else { -value }
    }
}

fn rules(text: &str) -> Rules {
    text.parse().expect("a game")
}

/// The most cells that are empty in a position that minimax is asked about.
const MOST_EMPTY: u32 = 13;

/// A position of a random game that is not over.
fn random_position(rules: Rules, random: &mut Random) -> Position {
    loop {
        let least = rules.cells().saturating_sub(MOST_EMPTY);
        let plies = least as usize + random.below((rules.cells() - least) as usize);
        let mut position = Position::new(rules);
        while position.ply() < plies as u32 && !position.outcome().is_over() {
            let legal = position.legal_moves();
            position = position.play_unchecked(legal[random.below(legal.len())]);
        }
        if !position.outcome().is_over() {
            return position;
        }
    }
}

fn play(position: &Position, mv: Move) -> Position {
    position.play(mv).unwrap_or_else(|why| panic!("{why}:\n{position}"))
}

/// The cell completes a shape for the side, whoever is to move and whether or not it is playable.
fn completes(position: &Position, side: Side, cell: Cell) -> bool {
    let rules = position.rules();
    let discs = position.discs(side).bits() | 1 << cell.bit(rules);
    position.at(cell).is_none() && fourfold::game::Geometry::<u128>::new(rules).has_won(discs)
}

/// The side to move cannot win at once, and whatever it plays the opponent wins with the next move.
fn is_lost_at_once(position: &Position) -> bool {
    !position.wins_at_once()
        && position.legal_moves().iter().all(|&mv| play(position, mv).wins_at_once())
}

/// What a fact says, checked in the position that it is about.
fn check(oracle: &mut Oracle, position: &Position, fact: &Fact) {
    let mover = position.to_move();
    let rules = position.rules();
    let at = |after: &Option<Move>| after.map_or(*position, |mv| play(position, mv));
    match fact {
        Fact::Wins { by, mv } => {
            assert_eq!(*by, mover);
            assert!(matches!(play(position, *mv).outcome(), Outcome::Won { .. }));
        }
        Fact::Blocks { by, mv } => {
            assert_eq!(*by, mover);
            assert!(completes(position, mover.other(), mv.cell(rules)));
        }
        Fact::Ignores { by, mv, threat } => {
            assert_eq!(*by, mover);
            assert!(mv.cell(rules) != *threat);
            let threat = Move::at(*threat, rules);
            assert!(position.threatened_moves().contains(&threat));
            assert!(play(position, *mv).winning_moves().contains(&threat));
        }
        Fact::Opens { by, mv, cell } => {
            assert_eq!(*by, mover);
            let above = Move::at(*cell, rules);
            assert!(!position.legal_moves().contains(&above));
            assert!(play(position, *mv).winning_moves().contains(&above));
        }
        Fact::GivesUp { by, mv, threat } => {
            assert_eq!(*by, mover);
            assert!(!position.legal_moves().contains(&Move::at(*threat, rules)));
            assert!(play(position, *mv).legal_moves().contains(&Move::at(*threat, rules)));
            assert!(completes(&play(position, *mv), mover, *threat));
        }
        Fact::TwoThreats { by, after, cells } => {
            let made = at(after);
            assert_eq!(made.to_move(), by.other());
            assert!(cells.len() >= 2);
            assert!(cells.iter().all(|&cell| completes(&made, *by, cell)));
            assert!(is_lost_at_once(&made));
        }
        Fact::Series { by, against, moves, cells } => {
            let mut now = at(against);
            assert_eq!(now.to_move(), *by);
            assert_eq!(moves.len() % 2, 1);
            for (index, &mv) in moves.iter().enumerate() {
                let next = play(&now, mv);
                assert_eq!(next.outcome(), Outcome::Ongoing);
                if index % 2 == 1 {
                    // Any other move loses at once.
                    let others = now.legal_moves().into_iter().filter(|&other| other != mv);
                    assert!(!now.wins_at_once());
                    for other in others {
                        assert!(play(&now, other).wins_at_once());
                    }
                }
                now = next;
            }
            assert!(is_lost_at_once(&now));
            assert!(cells.iter().all(|&cell| completes(&now, *by, cell)));
            assert_eq!(oracle.value_for(*by, position), 1);
        }
        Fact::Zugzwang { by, after, threat, .. } => {
            let made = at(after);
            assert_eq!(made.to_move(), by.other());
            assert!(completes(&made, *by, *threat));
            assert!(!made.legal_moves().contains(&Move::at(*threat, rules)));
            assert_eq!(oracle.value_for(*by, &made), 1);
        }
        Fact::FollowUp { by, after, wins } => {
            let made = at(after);
            assert_eq!(made.to_move(), by.other());
            assert!(oracle.value_for(*by, &made) >= i32::from(*wins));
        }
        Fact::NothingLeft => {
            let geometry = fourfold::game::Geometry::<u128>::new(rules);
            for side in [Side::First, Side::Second] {
                let room = geometry.cells() & !position.discs(side).bits();
                assert!(!geometry.has_won(room));
            }
        }
        Fact::Takes { .. } => {}
        fact => panic!("{fact:?} has no test"),
    }
}

/// The winner that a fact about a position names, if it says that somebody wins.
fn claimed_winner(fact: &Fact) -> Option<Side> {
    match fact {
        Fact::Wins { by, .. }
        | Fact::TwoThreats { by, .. }
        | Fact::Series { by, .. }
        | Fact::Zugzwang { by, .. }
        | Fact::FollowUp { by, wins: true, .. } => Some(*by),
        _ => None,
    }
}

fn kind(fact: &Fact) -> &'static str {
    match fact {
        Fact::Wins { .. } => "wins",
        Fact::Blocks { .. } => "blocks",
        Fact::Ignores { .. } => "ignores",
        Fact::Opens { .. } => "opens",
        Fact::GivesUp { .. } => "gives up",
        Fact::TwoThreats { .. } => "two threats",
        Fact::Series { .. } => "series",
        Fact::Zugzwang { .. } => "zugzwang",
        Fact::FollowUp { .. } => "follow-up",
        Fact::NothingLeft => "nothing left",
        _ => "other",
    }
}

#[test]
fn every_fact_is_true_and_agrees_with_minimax() {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut explained = 0;
    for (game, count) in GAMES {
        let rules = rules(game);
        let mut solver = Solver::new(&rules, SolverOptions::default()).expect("memory");
        let mut oracle = Oracle::default();
        let mut random = Random::new(17);
        for _ in 0..count {
            let position = random_position(rules, &mut random);
            let analysis = solver.analyse(&position, &Budget::unlimited()).expect("same game");
            let scores = analysis.scores().expect("no limit");
            let value = oracle.value(&position);
            if let Some(fact) = why(&position, &scores) {
                explained += 1;
                *seen.entry(kind(&fact)).or_default() += 1;
                check(&mut oracle, &position, &fact);
                let winner = claimed_winner(&fact);
                let says = winner.map_or(0, |side| if side == position.to_move() { 1 } else { -1 });
                assert_eq!(says, value, "{fact:?}\n{position}");
            }
            for &played in &scores {
                if let Some(fact) = merit(&position, played.mv) {
                    *seen.entry(kind(&fact)).or_default() += 1;
                    check(&mut oracle, &position, &fact);
                    if !matches!(fact, Fact::Blocks { .. }) {
                        assert!(played.score > 0);
                    }
                }
                let after = play(&position, played.mv);
                let reply = solver.line(&after, &Budget::unlimited()).expect("no limit");
                for fact in faults(&position, played, reply.moves.first().copied()) {
                    *seen.entry(kind(&fact)).or_default() += 1;
                    fault_holds(&mut oracle, &position, played, &fact);
                }
            }
            let fatal = fatal_moves(&position);
            for &played in &scores {
                let loses = played.verdict == Verdict::Loss { plies: Some(2) };
                assert_eq!(fatal.iter().any(|(mv, _)| *mv == played.mv), loses);
            }
        }
    }
    for kind in [
        "wins",
        "blocks",
        "ignores",
        "opens",
        "gives up",
        "two threats",
        "series",
        "zugzwang",
        "follow-up",
        "nothing left",
    ] {
        assert!(seen.get(kind).is_some_and(|&count| count >= 5), "{kind}: {seen:?}");
    }
    assert!(explained > 1500, "{explained}: {seen:?}");
}

/// A fault is about the move or about the position after it; a move that wins has none but that it
/// gives up a threat.
fn fault_holds(oracle: &mut Oracle, position: &Position, played: MoveScore, fact: &Fact) {
    match fact {
        Fact::Ignores { .. } | Fact::Opens { .. } => {
            assert!(played.score < 0);
            check(oracle, position, fact);
        }
        Fact::GivesUp { .. } => check(oracle, position, fact),
        _ => {
            assert!(played.score <= 0);
            let after = play(position, played.mv);
            check(oracle, &after, fact);
            if claimed_winner(fact).is_some() {
                assert_eq!(claimed_winner(fact), Some(after.to_move()));
                assert!(played.score < 0);
            }
        }
    }
}

fn reviewed(rules: Rules, moves: &[Move]) -> Review {
    let mut solver = Solver::new(&rules, SolverOptions::default()).expect("memory");
    review(moves, &mut solver, &Budget::unlimited(), |_, _| ()).expect("a game")
}

fn moves(rules: &Rules, text: &str) -> Vec<Move> {
    fourfold::game::notation::parse_moves(rules, text).expect("moves")
}

#[test]
fn a_story_agrees_with_the_judgements() {
    let mut headlines = Vec::new();
    for (game, count) in
        [("4x4c3", 40), ("4x3c3", 60), ("4x4c4", 80), ("3x3c3f", 500), ("4x3s2", 40)]
    {
        let rules = rules(game);
        let mut oracle = Oracle::default();
        let mut random = Random::new(5);
        let mut solver = Solver::new(&rules, SolverOptions::default()).expect("memory");
        for _ in 0..count {
            let mut position = Position::new(rules);
            let mut positions = vec![position];
            let mut moves = Vec::new();
            while !position.outcome().is_over() && !random.chance(0.04) {
                let legal = position.legal_moves();
                // Half of the moves are good ones, so that games turn now and then.
                let best = solver
                    .best_move(&position, &legal, &Budget::unlimited())
                    .expect("no limit")
                    .1
                    .expect("a move");
                let mv = if random.chance(0.6) { best } else { legal[random.below(legal.len())] };
                moves.push(mv);
                position = position.play_unchecked(mv);
                positions.push(position);
            }
            let review = reviewed(rules, &moves);
            let story = review.story();
            assert!(story.moments.len() <= 5);
            assert!(story.moments.is_sorted_by_key(|moment| moment.ply));
            for moment in &story.moments {
                let played = &review.moves[moment.ply as usize];
                let found = played.found.as_ref().expect("judged");
                let lost = found.best_score.signum() - found.played_score.signum();
                let expected = match moment.kind {
                    MomentKind::WinToLoss => 2,
                    MomentKind::WinToDraw | MomentKind::DrawToLoss => 1,
                    _ => 0,
                };
                assert_eq!(lost, expected);
                if let Some(fact) = &moment.missed {
                    check(&mut oracle, &positions[moment.ply as usize], fact);
                }
            }
            let blunders = review.first.blunders + review.second.blunders;
            let told = story.moments.iter().filter(|moment| {
                let found = review.moves[moment.ply as usize].found.as_ref();
                found.is_some_and(|found| found.judgement == Judgement::Blunder)
            });
            assert_eq!(told.count() as u32, blunders.min(5));
            for (side, headline) in [(Side::First, story.first), (Side::Second, story.second)] {
                let Some(headline) = headline else { continue };
                headline_holds(&mut oracle, &positions, side, headline);
                let name = format!("{headline:?}");
                headlines.push(name.split('(').next().unwrap_or_default().to_owned());
            }
        }
    }
    headlines.sort_unstable();
    headlines.dedup();
    assert_eq!(headlines.len(), 9, "every headline was told: {headlines:?}");
}

/// Checks a headline with the values of all positions of the game, by minimax.
fn headline_holds(oracle: &mut Oracle, positions: &[Position], side: Side, headline: Headline) {
    let values: Vec<i32> =
        positions.iter().map(|position| oracle.value_for(side, position)).collect();
    let last = values[values.len() - 1];
    // The position before the side's move of that number, and the one after.
    let ply = |number: u32| (2 * (number - 1) + u32::from(side == Side::Second)) as usize;
    match headline {
        Headline::WinningUntil(number) => {
            assert!(last <= 0);
            assert_eq!(values[ply(number)], 1);
            assert!(values[ply(number) + 1] < 1);
            assert!(values[ply(number) + 1..].iter().all(|&value| value < 1));
        }
        Headline::HoldingUntil(number) => {
            assert_eq!((values[ply(number)], last), (0, -1));
            assert!(values[ply(number) + 1..].iter().all(|&value| value == -1));
        }
        Headline::Behind => assert!(values.iter().all(|&value| value == -1)),
        Headline::NeverLetGo => assert!(values.iter().all(|&value| value == 1)),
        Headline::TookChance(number) => {
            assert!(values.is_sorted());
            assert_eq!((values[ply(number)], last), (1, 1));
            assert!(values[ply(number) - 1] < 1);
        }
        Headline::SecondChance(number) => {
            assert!(!values.is_sorted());
            assert_eq!((values[ply(number)], last), (1, 1));
            assert!(values[ply(number) - 1] < 1);
        }
        Headline::BothMissed => {
            assert!(values.contains(&1) && values.contains(&-1) && last == 0);
        }
        Headline::Escaped(number) => {
            assert_eq!(values[ply(number) - 1], -1);
            assert_eq!((values[ply(number)], last), (0, 0));
        }
        Headline::Balanced => assert!(values.iter().all(|&value| value == 0)),
        headline => panic!("{headline:?} has no test"),
    }
}

#[test]
fn the_words_of_the_field_are_found_in_known_positions() {
    // Three in a row with room at both ends, after a move that ignores it.
    let rules = rules("5x4c3");
    let game = moves(&rules, "3323");
    let story = reviewed(rules, &game).story();
    let missed: Vec<&Fact> = story.moments.iter().filter_map(|m| m.missed.as_ref()).collect();
    assert!(!missed.is_empty(), "{story:?}");
    // Square game, one shape left to nobody.
    let square: Rules = "4x3s2".parse().expect("a game");
    let empty = Position::new(square);
    assert_eq!(merit(&empty, empty.legal_moves()[0]), None);
}

#[test]
fn what_is_not_legal_is_not_explained() {
    let rules = Rules::CONNECT_FOUR;
    let won = Position::from_moves(rules, &moves(&rules, "1212121")).expect("legal");
    assert_eq!(why(&won, &[]), None);
    let odd = MoveScore { mv: moves(&rules, "44")[1], verdict: Verdict::Draw, score: 1 };
    let empty = Position::new(rules);
    assert_eq!(why(&empty, &[odd]), None);
    assert_eq!(merit(&empty, odd.mv), None);
    assert!(faults(&empty, odd, Some(odd.mv)).is_empty());
    assert!(fatal_moves(&won).is_empty());
}

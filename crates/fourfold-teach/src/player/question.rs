//! Positions for players, and which moves are right in them.
//!
//! Positions come from random games. A move is right if it is among the best within the plies that
//! the player is told to look ahead, where only won and lost games count: so every evaluation, and
//! every order of moves, is as good as any other.

use super::PlayerPart;
use fourfold::game::{Cell, Move, Outcome, Position, Rules, Shape, Side};
use fourfold::random::Random;

/// The direction of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Along a row.
    Row,
    /// Up a column.
    Column,
    /// Up to the right.
    Rising,
    /// Down to the right.
    Falling,
}

impl Direction {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Row, Self::Column, Self::Rising, Self::Falling];

    /// To follow "a line".
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Row => "in a row",
            Self::Column => "in a column",
            Self::Rising => "on a diagonal that rises to the right",
            Self::Falling => "on a diagonal that falls to the right",
        }
    }

    /// The only direction in which a disc of this side on the cell of `mv` makes a line; none if it
    /// makes none, or in several.
    fn of_line(position: &Position, side: Side, mv: Move) -> Option<Self> {
        let rules = *position.rules();
        let own = mv.cell(&rules);
        let Shape::Line(length) = rules.shape() else { return None };
        let length = i16::from(length);
        let discs = position.discs(side).bits();
        let is_own = |column: i16, row: i16| {
            let inside = (0..rules.width() as i16).contains(&column)
                && (0..rules.height() as i16).contains(&row);
            inside && {
                let cell = Cell { column: column as u8, row: row as u8 };
                discs >> cell.bit(&rules) & 1 == 1
            }
        };
        let has_line = |direction: &Self| {
            let (across, up) = direction.step();
            let run = |sign: i16| {
                (1..length)
                    .take_while(|step| {
                        is_own(
                            i16::from(own.column) + sign * across * step,
                            i16::from(own.row) + sign * up * step,
                        )
                    })
                    .count() as i16
            };
            run(1) + run(-1) + 1 >= length
        };
        let lines: Vec<Self> = Self::ALL.into_iter().filter(has_line).collect();
        match lines[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Columns to the right and rows up.
    fn step(self) -> (i16, i16) {
        match self {
            Self::Row => (1, 0),
            Self::Column => (0, 1),
            Self::Rising => (1, 1),
            Self::Falling => (1, -1),
        }
    }
}

/// What a position is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Any legal move will do.
    Any,
    /// One move wins at once, by a line in this direction, and nothing threatens.
    Win(Direction),
    /// The other side threatens to win by one move; it must be blocked.
    Block(Direction),
    /// There is a win at once, and the other side threatens one as well.
    WinOrBlock,
    /// Nothing threatens, but many moves let the other side win at once.
    Gift,
    /// A win can be forced with the second disc from here, in three plies.
    ForcedWin,
    /// Some moves let the other side force a win within four plies.
    ForcedLoss,
    /// One move wins at once, another one further left wins with the second disc.
    SoonerWin,
}

impl Kind {
    /// Where this is the thing to see, as a sentence's subject.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Any => "positions",
            Self::Win(_) => "wins at once",
            Self::Block(_) => "threats that must be blocked",
            Self::WinOrBlock => "positions with a win and a threat at once",
            Self::Gift => "positions in which the wrong move lets the other side win at once",
            Self::ForcedWin => "wins that can be forced with two discs",
            Self::ForcedLoss => "threats to force a win within four plies",
            Self::SoonerWin => "positions with a sooner and a later win",
        }
    }

    /// Whether a position is of this kind.
    fn holds(self, position: &Position) -> bool {
        let (wins, threats) = (position.winning_moves(), position.threatened_moves());
        let side = position.to_move();
        let only = |moves: &[Move]| matches!(moves, [_]);
        match self {
            Self::Any => true,
            Self::Win(direction) => {
                threats.is_empty()
                    && only(&wins)
                    && Direction::of_line(position, side, wins[0]) == Some(direction)
            }
            Self::Block(direction) => {
                wins.is_empty()
                    && only(&threats)
                    && Direction::of_line(position, side.other(), threats[0]) == Some(direction)
                    && right_moves(position, 2) == threats
            }
            Self::WinOrBlock => only(&wins) && !threats.is_empty() && !threats.contains(&wins[0]),
            Self::Gift => {
                let moves = position.legal_moves();
                wins.is_empty() && threats.is_empty() && {
                    let right = right_moves(position, 2);
                    // The first column and the middle are what players choose that see nothing.
                    let lures = [moves[0], moves[moves.len() / 2]];
                    2 * right.len() <= moves.len()
                        && value(position, 2) == 0
                        && lures.iter().all(|lure| !right.contains(lure))
                }
            }
            Self::ForcedWin => {
                wins.is_empty()
                    && threats.is_empty()
                    && value(position, 3) > 0
                    && right_moves(position, 3).len() <= 2
            }
            Self::ForcedLoss => {
                wins.is_empty()
                    && threats.is_empty()
                    && value(position, 4) == 0
                    && right_moves(position, 4).len() <= 2
                    && right_moves(position, 2).len() >= 4
            }
            Self::SoonerWin => {
                // The later win comes first in the usual order, so that it is taken if both are
                // worth the same.
                let before = |mv: &Move| *mv != wins[0];
                only(&wins)
                    && position
                        .legal_moves()
                        .into_iter()
                        .take_while(before)
                        .any(|mv| value(&position.play_unchecked(mv), 2) < 0)
            }
        }
    }
}

/// What a win counts; sooner ones count more.
const WIN: i32 = 1000;

/// The value for the side to move if only games that end within these plies count: a win in `n`
/// plies is worth `WIN - n`, a loss the opposite, everything else 0.
fn value(position: &Position, plies: u32) -> i32 {
    search(position, plies, 0, -WIN, WIN)
}

/// The same for a position `ply` plies below the one that is asked about.
fn search(position: &Position, plies: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
    match position.outcome() {
        Outcome::Won { .. } => return ply - WIN,
        Outcome::Drawn => return 0,
        Outcome::Ongoing if plies == 0 => return 0,
        Outcome::Ongoing => {}
    }
    if position.wins_at_once() {
        return WIN - ply - 1;
    }
    let mut best = -WIN;
    for mv in position.legal_moves() {
        let next = position.play_unchecked(mv);
        best = best.max(-search(&next, plies - 1, ply + 1, -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The moves that are best within these plies. Of several wins, one at once is better than others;
/// beyond that they are equally good.
fn right_moves(position: &Position, plies: u32) -> Vec<Move> {
    let worth = |value: i32| match value {
        value if value == WIN - 1 => 2,
        value => value.signum(),
    };
    let moves: Vec<(Move, i32)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let next = position.play_unchecked(mv);
            (mv, worth(-search(&next, plies.saturating_sub(1), 1, -WIN, WIN)))
        })
        .collect();
    let best = moves.iter().map(|(_, worth)| *worth).max();
    moves.into_iter().filter(|(_, worth)| Some(*worth) == best).map(|(mv, _)| mv).collect()
}

/// A position, how far to look ahead, and which moves are right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    moves: Vec<Move>,
    position: Position,
    depth: u32,
    kind: Kind,
    right: Vec<Move>,
}

impl Question {
    /// The question after these moves; none if the game is over, or the position of another kind.
    #[must_use]
    pub fn new(rules: Rules, moves: Vec<Move>, kind: Kind, depth: u32) -> Option<Self> {
        let position = Position::from_moves(rules, &moves).ok()?;
        if position.outcome().is_over() || !kind.holds(&position) {
            return None;
        }
        let right = match kind {
            Kind::Any => position.legal_moves(),
            _ => right_moves(&position, depth),
        };
        Some(Self { moves, position, depth, kind, right })
    }

    /// The moves that lead there.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plies to look ahead.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// What it is asked for.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The moves that are right.
    #[must_use]
    pub fn right(&self) -> &[Move] {
        &self.right
    }

    /// Plies until a win that can be forced within the depth; negative for a loss.
    #[must_use]
    pub fn forced(&self) -> Option<i32> {
        let value = value(&self.position, self.depth);
        (value != 0).then(|| value.signum() * (WIN - value.abs()))
    }

    /// Smaller questions of the same kind: without one disc of each side.
    pub(super) fn smaller(&self) -> impl Iterator<Item = Self> + '_ {
        let (firsts, seconds) = (self.moves.len().div_ceil(2), self.moves.len() / 2);
        let pairs = (0..firsts).flat_map(move |one| (0..seconds).map(move |two| (one, two)));
        pairs.filter_map(|(one, two)| {
            let rest = |side: usize, without: usize| {
                let own = self.moves.iter().copied().skip(side).step_by(2).enumerate();
                own.filter(move |(index, _)| *index != without).map(|(_, mv)| mv)
            };
            let (mut first, mut second) = (rest(0, one), rest(1, two));
            let mut position = Position::new(*self.position.rules());
            let mut moves = Vec::new();
            while moves.len() + 2 < self.moves.len() {
                let next = if moves.len() % 2 == 0 { first.next()? } else { second.next()? };
                // With a disc less below it, a disc falls further.
                let mv = landing(&position, next)?;
                position = position.play(mv).ok().filter(|next| !next.outcome().is_over())?;
                moves.push(mv);
            }
            Self::new(*position.rules(), moves, self.kind, self.depth)
        })
    }
}

/// The move in the same column, or on the same cell where discs do not fall.
fn landing(position: &Position, mv: Move) -> Option<Move> {
    let cell = mv.cell(position.rules());
    if position.rules().gravity() {
        position.drop_in(u32::from(cell.column)).ok()
    } else {
        position.place(cell).ok()
    }
}

/// Random games that positions are taken from, at most.
const MOST_GAMES: u64 = 20_000;

/// How many positions of a kind a part has, and the depths that each is asked with.
fn plan(part: PlayerPart) -> Vec<(Kind, usize, &'static [u32])> {
    match part {
        PlayerPart::Moves => vec![(Kind::Any, 18, &[2])],
        PlayerPart::Tactics => {
            let wins = Direction::ALL.map(|direction| (Kind::Win(direction), 4, &[2][..]));
            let blocks = Direction::ALL.map(|direction| (Kind::Block(direction), 4, &[2][..]));
            let rest = [(Kind::WinOrBlock, 6, &[2][..]), (Kind::Gift, 6, &[2])];
            [&wins[..], &blocks[..], &rest[..]].concat()
        }
        PlayerPart::Lookahead => vec![
            (Kind::ForcedWin, 6, &[2, 3, 4]),
            (Kind::ForcedLoss, 4, &[4]),
            (Kind::SoonerWin, 4, &[4]),
        ],
    }
}

/// The questions of a part, the positions with few discs first. In some games there are not as many
/// as wanted, or none.
pub(super) fn questions(part: PlayerPart, rules: Rules, seed: u64) -> Vec<Question> {
    let plan = plan(part);
    let mut found: Vec<Vec<Question>> = vec![Vec::new(); plan.len()];
    for number in 0..MOST_GAMES {
        if found.iter().zip(&plan).all(|(found, (_, wanted, _))| found.len() >= *wanted) {
            break;
        }
        let mut random = Random::for_item(seed, number);
        let game = random_game(&mut random, rules);
        // One position a game and kind, so that they differ. Every ply of a game comes up among
        // those for which any move will do, the beginning and the end for certain.
        for (found, &(kind, wanted, depths)) in found.iter_mut().zip(&plan) {
            if found.len() >= wanted {
                continue;
            }
            let side = found.len() % 2;
            let plies: Vec<usize> = match kind {
                Kind::Any if found.is_empty() => vec![0],
                Kind::Any if found.len() == 1 => vec![1],
                Kind::Any => {
                    // Near the end, where columns are full.
                    let last = game.len().saturating_sub(1);
                    vec![last - random.below(last / 2 + 1)]
                }
                _ => (side..game.len()).step_by(2).collect(),
            };
            let question = plies.into_iter().find_map(|ply| {
                Question::new(rules, game[..ply.min(game.len())].to_vec(), kind, depths[0])
            });
            found.extend(question);
        }
    }
    let mut all: Vec<Question> = Vec::new();
    for (found, (kind, _, depths)) in found.into_iter().zip(plan) {
        for question in found {
            for &depth in depths {
                all.extend(Question::new(rules, question.moves.clone(), kind, depth));
            }
        }
    }
    all.sort_by_key(|question| question.moves.len());
    all
}

/// The moves of a random game in which nobody wins who need not, so that it becomes long.
fn random_game(random: &mut Random, rules: Rules) -> Vec<Move> {
    let mut position = Position::new(rules);
    let mut moves = Vec::new();
    while !position.outcome().is_over() {
        let all = position.legal_moves();
        let wins = position.winning_moves();
        let quiet: Vec<Move> = all.iter().copied().filter(|mv| !wins.contains(mv)).collect();
        let Some(&mv) = random.pick(if quiet.is_empty() { &all } else { &quiet }) else { break };
        moves.push(mv);
        position = position.play_unchecked(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourfold::game::notation::parse_moves;

    fn question(moves: &str, kind: Kind, depth: u32) -> Option<Question> {
        let rules = Rules::CONNECT_FOUR;
        Question::new(rules, parse_moves(&rules, moves).unwrap(), kind, depth)
    }

    fn right(question: &Question) -> Vec<String> {
        let rules = question.position().rules();
        question.right().iter().map(|mv| mv.label(rules)).collect()
    }

    #[test]
    fn kinds_are_recognised_with_their_right_moves() {
        let win = question("121212", Kind::Win(Direction::Column), 2);
        assert_eq!(win, None, "the other side threatens as well");
        assert_eq!(right(&question("121212", Kind::WinOrBlock, 2).unwrap()), ["1"]);
        assert_eq!(right(&question("112233", Kind::Win(Direction::Row), 2).unwrap()), ["4"]);
        assert_eq!(right(&question("162637", Kind::Win(Direction::Row), 2).unwrap()), ["4"]);
        assert_eq!(right(&question("1716", Kind::Any, 2).unwrap()).len(), 7);
        let block = question("51617", Kind::Block(Direction::Row), 2).unwrap();
        assert_eq!(right(&block), ["4"]);
        assert_eq!(question("51617", Kind::Block(Direction::Column), 2), None);
        assert_eq!(question("5161", Kind::Block(Direction::Row), 2), None, "nothing threatens");
    }

    #[test]
    fn every_part_has_questions_of_every_kind_for_both_sides() {
        for part in PlayerPart::ALL {
            let all = questions(part, Rules::CONNECT_FOUR, 1);
            for (kind, wanted, depths) in plan(part) {
                let own: Vec<&Question> = all.iter().filter(|one| one.kind == kind).collect();
                assert_eq!(own.len(), wanted * depths.len(), "{kind:?}");
                for side in [Side::First, Side::Second] {
                    assert!(own.iter().any(|one| one.position.to_move() == side), "{kind:?}");
                }
                assert!(own.iter().all(|one| !one.right.is_empty()));
            }
            assert_eq!(all, questions(part, Rules::CONNECT_FOUR, 1));
        }
        let cells = questions(PlayerPart::Tactics, Rules::TIC_TAC_TOE, 1);
        assert!(cells.iter().any(|one| matches!(one.kind, Kind::Block(_))));
        // Some boards have full columns, some only one that is not.
        let any = questions(PlayerPart::Moves, Rules::CONNECT_FOUR, 1);
        assert!(any.iter().any(|one| one.right.len() < 4));
    }

    #[test]
    fn forced_wins_need_their_plies() {
        // Three in a row with both ends open come after 4 or 3.
        let two = |depth| question("4455", Kind::ForcedWin, depth).unwrap();
        assert_eq!(two(2).forced(), None);
        assert_eq!((two(3).forced(), right(&two(3))), (Some(3), vec!["3".into(), "6".into()]));
        assert_eq!(right(&two(2)).len(), 7);
        let sooner = question("445566", Kind::SoonerWin, 4);
        assert!(sooner.is_none_or(|question| !question.right().is_empty()));
    }

    #[test]
    fn smaller_questions_are_of_the_same_kind() {
        let all = questions(PlayerPart::Tactics, Rules::CONNECT_FOUR, 1);
        let large = all.last().unwrap();
        let mut count = 0;
        for small in large.smaller() {
            assert_eq!((small.kind, small.moves.len() + 2), (large.kind, large.moves.len()));
            count += 1;
        }
        assert!(count > 0);
    }
}

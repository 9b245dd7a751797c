//! The mistakes of whole players that are known, where each shows, and which of them explain what a
//! player did.

use super::question::{Direction, Kind, Question};
use super::{Played, PlayerPart};
use crate::fault::faults;
use fourfold::game::notation::{NotationError, parse_move};
use fourfold::game::{PlayError, Side};
use fourfold::score::Verdict;
use std::collections::HashSet;

faults! {
    /// A known mistake of a whole player.
    PlayerFault:
    ColumnsFromZero "columns-from-0"
        "counts columns from 0"
        "The protocol counts columns from 1: add 1 to what you write after bestmove, and take 1 \
         off the moves that you read."
    PlaysFull "plays-full-columns"
        "plays where there is no room"
        "Only columns whose top cell is empty can be played. Is that tested for every move that \
         may be returned, the first guess included?"
    PlaysOutside "plays-outside-the-board"
        "plays outside the board"
        "Does the search return a move at all, or where it began, such as 0 or -1?"
    Unreadable "moves-unreadable"
        "answers with something that is no move"
        "Write the word bestmove, a space, and the move: bestmove 4."
    SameMove "always-the-same-move"
        "plays the same move whatever the position"
        "Does it read the moves of the line position startpos moves ...?"
    KeepsPosition "keeps-the-old-position"
        "goes wrong only after it has been asked about other positions"
        "Every position line begins with the empty board. Clear the board, and whose turn it is, \
         before its moves are played; clear tables of results if they depend on it."
    WinsAndBlocks "misses-wins-and-blocks"
        "sees neither wins at once nor threats"
        "Before anything else, try every move: does it win? Then try every move of the other side."
    Wins "misses-wins"
        "does not see that it can win at once"
        "Is a finished game recognised after its own move, before the depth is tested?"
    Replies "misses-replies"
        "does not see that the other side can win with its next move"
        "Two plies are its own move and the reply: is the depth counted so, and does the other \
         side take what is best for itself?"
    Blocks "misses-blocks"
        "does not block the other side's wins"
        "Where the other side would win with its next move, that cell must be taken."
    Gifts "gives-wins-away"
        "makes moves that let the other side win at once"
        "A disc is also a step for the next one: before a move is made, look what becomes possible \
         above it."
    BlocksFirst "blocks-instead-of-winning"
        "blocks where it could win at once"
        "Look for your own win first: after it there is no reply."
    SidesMixedUp "sides-mixed-up"
        "takes the other side's wins for its own when it moves second"
        "Whose turn it is follows from the number of moves: with an odd number the second player \
         moves."
    Rows "misses-rows"
        "does not see lines in a row"
        "Are all rows tested, from the first column to the last that a line can begin in?"
    Columns "misses-columns"
        "does not see lines in a column"
        "Are all columns tested, from the lowest cell to the last that a line can begin in?"
    Diagonals "misses-diagonals"
        "does not see lines on diagonals"
        "There are two kinds of diagonals. Are both tested, and up to the edge of the board?"
    Rising "misses-rising-diagonals"
        "does not see lines on diagonals that rise to the right"
        "Is this kind of diagonal tested, and up to the edge of the board?"
    Falling "misses-falling-diagonals"
        "does not see lines on diagonals that fall to the right"
        "Is this kind of diagonal tested, and up to the edge of the board?"
    LooksTooShort "looks-too-short"
        "does not look as far ahead as it is told to"
        "Is the number after go depth read, and handed to the search?"
    OnePlyLess "looks-one-ply-less"
        "looks one ply less far ahead than it is told to"
        "go depth 3 means three plies: its own move, the reply, its next move."
    OnePlyMore "looks-one-ply-more"
        "looks further ahead than it is told to"
        "go depth 2 means two plies, its own move and the reply. A win that takes three cannot be \
         known then."
    ForcedLosses "misses-forced-losses"
        "does not see that the other side can force a win"
        "Four plies end with the other side's second move. Is the horizon tested after the game \
         is?"
    PutsOff "puts-wins-off"
        "puts wins off"
        "A sooner win must be worth more than a later one: take the number of discs, or of plies, \
         off what a win is worth."
    ScoreSide "scores-for-the-wrong-side"
        "reports scores of the wrong side"
        "Scores are those of the side to move: positive if it is winning."
    MatePlies "mate-counts-plies"
        "counts plies after score mate"
        "score mate N counts the winner's own discs from here: a win in three plies is mate 2."
    MateWrong "mate-wrong"
        "reports wins at a wrong distance"
        "score mate N counts the winner's own discs from here, the winning one included."
    ReportsDepth "reports-another-depth"
        "reports a greater depth than it was told to look"
        "Does the search stop at the depth of the go line?"
}

/// What is wrong with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Slip {
    Unreadable,
    Outside,
    Full,
    /// Legal, but not right.
    Move,
    ScoreSide,
    MatePlies,
    MateWrong,
    /// A result that lies beyond the depth asked for.
    TooFar,
    ReportsDepth,
}

/// What is wrong with an answer, if anything is.
pub(super) fn slip(question: &Question, played: &Played) -> Option<Slip> {
    match parse_move(question.position(), &played.word) {
        Err(NotationError::Illegal(PlayError::ColumnFull { .. } | PlayError::CellTaken { .. })) => {
            return Some(Slip::Full);
        }
        Err(NotationError::Illegal(_)) => return Some(Slip::Outside),
        // Below 0 there is no column either.
        Err(_) if played.word.parse::<i64>().is_ok() => return Some(Slip::Outside),
        Err(_) => return Some(Slip::Unreadable),
        Ok(mv) if !question.right().contains(&mv) => return Some(Slip::Move),
        Ok(_) => {}
    }
    if matches!(question.kind(), Kind::ForcedWin | Kind::ForcedLoss | Kind::SoonerWin) {
        score_slip(question, played)
    } else {
        None
    }
}

fn score_slip(question: &Question, played: &Played) -> Option<Slip> {
    if played.depth.is_some_and(|depth| depth > question.depth()) {
        return Some(Slip::ReportsDepth);
    }
    let truth = question.forced();
    match (played.verdict?, truth) {
        (Verdict::Win { .. } | Verdict::Loss { .. }, None) => Some(Slip::TooFar),
        (Verdict::Loss { .. }, Some(1..)) => Some(Slip::ScoreSide),
        (Verdict::Win { plies: Some(plies) }, Some(truth)) if plies as i32 != truth => {
            // `mate 3` is read as five plies.
            Some(if plies as i32 == 2 * truth - 1 { Slip::MatePlies } else { Slip::MateWrong })
        }
        _ => None,
    }
}

/// Whether a mistake shows in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    Always,
    Perhaps,
    Never,
}

impl PlayerFault {
    /// Whether it makes a player choose a wrong move.
    fn shows(self, question: &Question) -> Shows {
        let kind = question.kind();
        let direction = match kind {
            Kind::Win(direction) | Kind::Block(direction) => Some(direction),
            _ => None,
        };
        let is_win = matches!(kind, Kind::Win(_) | Kind::WinOrBlock);
        let along = |directions: &[Direction]| match direction {
            Some(direction) => directions.contains(&direction),
            None => false,
        };
        let is_second = question.position().to_move() == Side::Second;
        let forced = matches!(kind, Kind::ForcedWin | Kind::ForcedLoss);
        let always = match self {
            Self::WinsAndBlocks => {
                let is_tactical = is_win || matches!(kind, Kind::Block(_) | Kind::SoonerWin);
                is_tactical || forced && question.depth() > 2
            }
            Self::Wins => is_win,
            Self::Replies => matches!(kind, Kind::Block(_) | Kind::Gift),
            Self::Blocks => matches!(kind, Kind::Block(_)),
            Self::Gifts => kind == Kind::Gift,
            Self::BlocksFirst => kind == Kind::WinOrBlock,
            // A win is played for a block, unless there is a block as well.
            Self::SidesMixedUp => kind == Kind::WinOrBlock && is_second,
            Self::Rows => along(&[Direction::Row]),
            Self::Columns => along(&[Direction::Column]),
            Self::Diagonals => along(&[Direction::Rising, Direction::Falling]),
            Self::Rising => along(&[Direction::Rising]),
            Self::Falling => along(&[Direction::Falling]),
            Self::LooksTooShort => forced && question.depth() > 2,
            Self::OnePlyLess => match kind {
                Kind::ForcedWin => question.depth() == 3,
                kind => kind == Kind::ForcedLoss,
            },
            Self::ForcedLosses => kind == Kind::ForcedLoss,
            Self::PutsOff => kind == Kind::SoonerWin,
            _ => false,
        };
        let directed = matches!(
            self,
            Self::Rows | Self::Columns | Self::Diagonals | Self::Rising | Self::Falling
        );
        let perhaps = match self {
            _ if directed => matches!(kind, Kind::WinOrBlock | Kind::Gift),
            Self::WinsAndBlocks => kind == Kind::Gift,
            Self::SidesMixedUp => kind == Kind::Gift && is_second,
            _ => false,
        };
        match () {
            () if always => Shows::Always,
            () if perhaps => Shows::Perhaps,
            () => Shows::Never,
        }
    }
}

/// A question, its answer, and what is wrong with it.
pub(super) type Judged<'a> = (&'a Question, &'a Played, Option<Slip>);

/// The mistakes that explain what went wrong in a part; none if none that is known does.
pub(super) fn diagnose(part: PlayerPart, judged: &[Judged<'_>]) -> Vec<PlayerFault> {
    let slips: HashSet<Slip> = judged.iter().filter_map(|(_, _, slip)| *slip).collect();
    if slips.is_empty() {
        return Vec::new();
    }
    let words: HashSet<&str> = judged.iter().map(|(_, played, _)| &*played.word).collect();
    let illegal = [
        (Slip::Full, PlayerFault::PlaysFull),
        (Slip::Outside, PlayerFault::PlaysOutside),
        (Slip::Unreadable, PlayerFault::Unreadable),
    ];
    let named = |pairs: &[(Slip, PlayerFault)]| -> Vec<PlayerFault> {
        pairs.iter().filter(|(slip, _)| slips.contains(slip)).map(|(_, fault)| *fault).collect()
    };
    if words.len() == 1 && judged.len() >= FEW && !slips.contains(&Slip::Unreadable) {
        return vec![PlayerFault::SameMove];
    }
    let zero = words.contains("0") && !slips.contains(&Slip::Unreadable);
    if zero || judged.iter().all(is_right_one_further) {
        return vec![PlayerFault::ColumnsFromZero];
    }
    let found = named(&illegal);
    if !found.is_empty() {
        return found;
    }
    if slips.contains(&Slip::Move) {
        return by_positions(judged);
    }
    debug_assert!(part == PlayerPart::Lookahead, "only there scores are looked at");
    named(&[
        (Slip::TooFar, PlayerFault::OnePlyMore),
        (Slip::ScoreSide, PlayerFault::ScoreSide),
        (Slip::MatePlies, PlayerFault::MatePlies),
        (Slip::MateWrong, PlayerFault::MateWrong),
        (Slip::ReportsDepth, PlayerFault::ReportsDepth),
    ])
}

/// Fewer answers than this may be the same by chance.
const FEW: usize = 4;

/// Whether the column after the one that was named would have been right.
fn is_right_one_further((question, played, _): &Judged<'_>) -> bool {
    let next = played.word.parse::<u32>().ok().map(|column| (column + 1).to_string());
    let mv = next.and_then(|word| parse_move(question.position(), &word).ok());
    question.position().rules().gravity() && mv.is_some_and(|mv| question.right().contains(&mv))
}

/// The mistake, or the two, that show in the positions with wrong moves and in few others: players
/// that do not see something may do the right thing by chance.
fn by_positions(judged: &[Judged<'_>]) -> Vec<PlayerFault> {
    let is_wrong = |slip: Option<Slip>| slip == Some(Slip::Move);
    // How many questions it shows in, if it explains its share of the wrong ones.
    let extent = |fault: PlayerFault| {
        let shown: Vec<bool> = judged
            .iter()
            .filter(|(question, ..)| fault.shows(question) == Shows::Always)
            .map(|(.., slip)| is_wrong(*slip))
            .collect();
        let wrong = shown.iter().filter(|wrong| **wrong).count();
        (wrong > 0 && 3 * wrong >= 2 * shown.len()).then_some(shown.len())
    };
    let explained = |faults: &[PlayerFault]| {
        judged
            .iter()
            .filter(|(.., slip)| is_wrong(*slip))
            .all(|(question, ..)| faults.iter().any(|fault| fault.shows(question) != Shows::Never))
    };
    let possible: Vec<(PlayerFault, usize)> = PlayerFault::ALL
        .iter()
        .filter_map(|&fault| extent(fault).map(|extent| (fault, extent)))
        .collect();
    let one = possible.iter().filter(|(fault, _)| explained(&[*fault])).min_by_key(|(_, n)| *n);
    if let Some((fault, _)) = one {
        return vec![*fault];
    }
    let pairs = possible.iter().enumerate().flat_map(|(index, one)| {
        possible[index + 1..].iter().map(move |two| ([one.0, two.0], one.1 + two.1))
    });
    let two = pairs.filter(|(pair, _)| explained(pair)).min_by_key(|(_, extent)| *extent);
    two.map_or_else(Vec::new, |(pair, _)| pair.to_vec())
}

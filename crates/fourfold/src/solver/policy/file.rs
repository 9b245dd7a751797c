//! The bytes of the policy networks of a board: what a weights file holds.
//!
//! ```text
//! bytes   what
//! 8       FFORDER, then the version, 2 (numbers have the low byte first)
//! 4       the number of bytes after these four
//! 2       the form of the networks: 1 for one board, 2 for every board
//! 1       the first ply at which they rank the moves
//! 1 + n   the game, such as 7x6c4, after its length; nothing, of length 0, for every board
//! 2 + n   what they were trained on, in words, after the length
//! 2 + n   what made them: a command and a commit, after the length
//! ...     the small networks of the four roles, then the large ones (see `weights.rs`, and for
//!         form 2 `universal.rs`), packed (`pack.rs`)
//! 8       checksum of everything before (CRC-64)
//! ```
//!
//! Files that are joined end to end are a file too: one with the networks of several boards.
//! Version 1, which is read as well, has neither the number of bytes nor the ply, and does not pack
//! the networks.

use super::inputs::InputMap;
use super::pack::{Section, pack, unpack};
use super::{LARGE, PolicyNetwork, PolicyNetworks, ROLES, SMALL, universal};
use crate::bytes::{Reader, crc64};
use crate::game::{Rules, Shape};
use crate::parts::Part;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

const MAGIC: &[u8; 7] = b"FFORDER";
const VERSION: u8 = 2;
/// The version that does not pack the networks.
const PLAIN_VERSION: u8 = 1;
/// Four roles with a small and a large network each: of one board, and of every board.
const BOARD: u16 = 1;
const UNIVERSAL: u16 = 2;
const CHECKSUM: usize = 8;
/// Where the form stands in a file, and in one of the version that does not pack the networks.
const START: usize = PLAIN_START + 4;
const PLAIN_START: usize = MAGIC.len() + 1;

/// No text in a file is longer.
const MOST_TEXT: usize = 4000;

/// Why bytes are not weights of the move order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// They do not begin like weights.
    #[error("these are not weights of Fourfold's move order: they do not begin with FFORDER")]
    NotWeights,
    /// They are of another version.
    #[error("the weights have version {found}; this program reads {PLAIN_VERSION} and {VERSION}")]
    Version {
        /// As found.
        found: u8,
    },
    /// They are for networks of another form.
    #[error(
        "the weights are of form {found}; this program has networks of forms {BOARD} and \
         {UNIVERSAL}"
    )]
    Form {
        /// As found.
        found: u16,
    },
    /// Some byte is not what was written, or some are missing.
    #[error("the weights are damaged: their checksum is {found:016x}, not {expected:016x}")]
    Checksum {
        /// What they say.
        expected: u64,
        /// What their bytes give.
        found: u64,
    },
    /// They end within the head.
    #[error("the weights are damaged: they end before the networks begin")]
    Head,
    /// The game is none, or can have no networks.
    #[error(
        "no networks can order the moves of {game:?}: they are for lines of four with gravity on \
         boards of at most 64 bits (columns times rows and one more) and 9 rows"
    )]
    Game {
        /// As found.
        game: String,
    },
    /// They are of another game.
    #[error("these weights are of {made_for}, not {game}")]
    OtherGame {
        /// The game or games they are for.
        made_for: String,
        /// The game they were asked for.
        game: Rules,
    },
    /// The packed networks end too soon or too late.
    #[error("the networks of {game} are packed into more or fewer bytes than there are")]
    Packed {
        /// The game, or "every board".
        game: String,
    },
    /// There is more or less than the networks need.
    #[error("the networks of {game} have {expected} bytes, these have {found}")]
    Length {
        /// The game, or "every board".
        game: String,
        /// Bytes that they need.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The numbers are so large that ranks would overflow.
    #[error("the weights of {network} are too large: its sums would overflow")]
    Range {
        /// Which network: size and role.
        network: String,
    },
}

/// The weights of the policy networks that order the moves, on one board or on every board. Copies
/// share their memory.
///
/// ```
/// use fourfold::game::Rules;
/// use fourfold::solver::OrderWeights;
///
/// # #[cfg(feature = "weights")] {
/// let weights = OrderWeights::embedded(&Rules::CONNECT_FOUR).expect("they come with the library");
/// assert_eq!(weights.game(), Some(&Rules::CONNECT_FOUR));
/// assert_eq!(OrderWeights::read(&weights.to_bytes()).unwrap(), weights);
/// # }
/// ```
#[derive(Clone)]
pub struct OrderWeights(Arc<Contents>);

struct Contents {
    /// None: they are for every board.
    game: Option<Rules>,
    first_ply: u8,
    trained_on: String,
    made_by: String,
    /// The quantised weights of all networks.
    weights: Vec<u8>,
    /// Laid out when a search first needs them.
    networks: OnceLock<Option<Arc<PolicyNetworks>>>,
    /// If they are for every board: those of the boards that were asked for.
    boards: Mutex<Vec<(Rules, Result<OrderWeights, WeightsError>)>>,
}

/// The game of weights, in words.
fn game_text(game: Option<&Rules>) -> String {
    game.map_or_else(|| "every board".to_owned(), ToString::to_string)
}

/// What a file says before its networks.
struct Head {
    first_ply: u8,
    /// None: they are for every board.
    game: Option<Rules>,
    trained_on: String,
    made_by: String,
}

impl Head {
    /// Reads it, from the form on; what follows is left.
    fn read(bytes: &[u8], version: u8) -> Result<(Self, &[u8]), WeightsError> {
        let mut reader = Reader::new(bytes);
        let number = |reader: &mut Reader<'_>| {
            reader.take().map(u16::from_le_bytes).ok_or(WeightsError::Head)
        };
        let found = number(&mut reader)?;
        if found != BOARD && found != UNIVERSAL {
            return Err(WeightsError::Form { found });
        }
        let [first_ply] = match version {
            PLAIN_VERSION => [0],
            _ => reader.take().ok_or(WeightsError::Head)?,
        };
        let [length] = reader.take().ok_or(WeightsError::Head)?;
        let game = reader.text(usize::from(length)).ok_or(WeightsError::Head)?;
        let mut text = || {
            let length = usize::from(number(&mut reader)?);
            reader.text(length).ok_or(WeightsError::Head)
        };
        let (trained_on, made_by) = (text()?, text()?);
        let game = if found == UNIVERSAL && game.is_empty() {
            None
        } else {
            Some(game.parse().map_err(|_| WeightsError::Game { game })?)
        };
        Ok((Self { first_ply, game, trained_on, made_by }, reader.rest()))
    }
}

/// The version of a file, which must be one that is read.
fn version_of(bytes: &[u8]) -> Result<u8, WeightsError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::NotWeights)?;
    let &found = rest.first().ok_or(WeightsError::Head)?;
    if found != VERSION && found != PLAIN_VERSION {
        return Err(WeightsError::Version { found });
    }
    Ok(found)
}

/// The first of several files that are joined, and the others.
fn split_file(bytes: &[u8]) -> Result<(&[u8], &[u8]), WeightsError> {
    if version_of(bytes)? == PLAIN_VERSION {
        return Ok((bytes, &[]));
    }
    let mut reader = Reader::new(&bytes[PLAIN_START..]);
    let length = reader.take().map(u32::from_le_bytes).ok_or(WeightsError::Head)?;
    // What is cut off is found by the checksum.
    Ok(bytes.split_at_checked(START.saturating_add(length as usize)).unwrap_or((bytes, &[])))
}

/// What the weights of a board, or of every board, consist of.
fn sections(game: Option<&Rules>) -> Result<Vec<Section>, WeightsError> {
    let map = |rules: &Rules| {
        InputMap::new(rules).ok_or_else(|| WeightsError::Game { game: rules.to_string() })
    };
    let map = game.map(map).transpose()?;
    let mut found = Vec::new();
    for large in [false, true] {
        let pairs = universal::pairs(large);
        let kinds = map.as_ref().map_or_else(|| universal::kinds(large), |map| map.kinds(large));
        for _ in 0..ROLES {
            found.extend(kinds.iter().map(|count| Section::Rows(count * pairs)));
            found.extend([Section::Words(4 * pairs), Section::Neighbours]);
        }
    }
    Ok(found)
}

/// A text that fits into a file.
fn cut_off(text: String) -> String {
    if text.len() <= MOST_TEXT { text } else { text.chars().take(MOST_TEXT / 4).collect() }
}

/// The weights that come with the library for a board, made when they are first asked for.
type Embedded = (Rules, Option<OrderWeights>);

static EMBEDDED: Mutex<Vec<Embedded>> = Mutex::new(Vec::new());

/// The file with those of other boards than Connect Four's.
static BOARDS: LazyLock<Option<Cow<'static, [u8]>>> = LazyLock::new(|| Part::Boards.bytes());

/// The boards, as width and height, that have networks of their own there.
pub(super) const OWN_BOARDS: [(u32, u32); 6] = [(6, 7), (8, 5), (7, 7), (9, 5), (8, 6), (10, 4)];

/// The boards whose moves universal networks order. They were trained on 8x7 and 6x9 too, but long
/// searches gain nothing there (`docs/solver.md`), and elsewhere they may go wrong.
pub(super) const UNIVERSAL_BOARDS: [(u32, u32); 6] =
    [(6, 6), (7, 5), (6, 8), (10, 5), (9, 6), (7, 8)];

/// What a weights file holds: the networks of one board, of several, or of every board.
///
/// ```
/// use fourfold::game::Rules;
/// use fourfold::solver::{OrderWeights, WeightsFile};
///
/// # #[cfg(feature = "weights")] {
/// let [six, seven] = ["6x7c4", "7x6c4"].map(|game| {
///     OrderWeights::embedded(&game.parse().unwrap()).expect("they come with the library").to_bytes()
/// });
/// let file = WeightsFile::read(&[six, seven].concat()).unwrap();
/// assert_eq!(file.all().len(), 2);
/// assert_eq!(file.for_game(&Rules::CONNECT_FOUR).unwrap().game(), Some(&Rules::CONNECT_FOUR));
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsFile(Arc<[OrderWeights]>);

impl From<OrderWeights> for WeightsFile {
    fn from(weights: OrderWeights) -> Self {
        Self(Arc::new([weights]))
    }
}

impl WeightsFile {
    /// Reads the bytes of a weights file.
    ///
    /// # Errors
    /// If they are damaged, of another version or form, or no weights.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let mut found = Vec::new();
        let mut rest = bytes;
        loop {
            let (own, others) = split_file(rest)?;
            found.push(OrderWeights::read(own)?);
            if others.is_empty() {
                return Ok(Self(found.into()));
            }
            rest = others;
        }
    }

    /// All networks in it.
    #[must_use]
    pub fn all(&self) -> &[OrderWeights] {
        &self.0
    }

    /// The weights for a game: its own if there are any, or made from those for every board.
    ///
    /// # Errors
    /// If it can have no networks, or all are of other games.
    pub fn for_game(&self, rules: &Rules) -> Result<OrderWeights, WeightsError> {
        let own = self.0.iter().find(|weights| weights.game() == Some(rules));
        let universal = || self.0.iter().find(|weights| weights.game().is_none());
        if let Some(weights) = own.or_else(universal) {
            return weights.for_game(rules);
        }
        let games: Vec<String> = self.0.iter().map(|weights| game_text(weights.game())).collect();
        Err(WeightsError::OtherGame { made_for: games.join(", "), game: *rules })
    }
}

impl fmt::Debug for OrderWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OrderWeights({}, {})", game_text(self.game()), self.0.trained_on)
    }
}

impl PartialEq for OrderWeights {
    fn eq(&self, other: &Self) -> bool {
        let parts =
            |of: &Self| (of.0.game, of.0.first_ply, of.0.trained_on.clone(), of.0.made_by.clone());
        parts(self) == parts(other) && self.0.weights == other.0.weights
    }
}

impl Eq for OrderWeights {}

impl OrderWeights {
    /// Those that come with the library, if there are any for a game. A test reads them, so they
    /// can be read.
    #[must_use]
    pub fn embedded(rules: &Rules) -> Option<Self> {
        if rules.shape() != Shape::Line(4) || !rules.gravity() {
            return None;
        }
        let mut embedded = EMBEDDED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, weights)) = embedded.iter().find(|known| known.0 == *rules) {
            return weights.clone();
        }
        let weights = Self::find_embedded(rules);
        embedded.push((*rules, weights.clone()));
        weights
    }

    fn find_embedded(rules: &Rules) -> Option<Self> {
        // A table is brought only to games that it is for.
        if *rules == Rules::CONNECT_FOUR {
            return Self::read(&Part::Policy.bytes()?).ok();
        }
        let board = (rules.width(), rules.height());
        let is_own = OWN_BOARDS.contains(&board);
        if !is_own && !UNIVERSAL_BOARDS.contains(&board) {
            return None;
        }
        let game = is_own.then_some(*rules);
        // Of the others only the head is looked at.
        let mut rest = BOARDS.as_deref()?;
        loop {
            let (own, others) = split_file(rest).ok()?;
            if Head::read(own.get(START..)?, VERSION).ok()?.0.game == game {
                return Self::read(own).ok()?.for_game(rules).ok();
            }
            rest = others;
        }
    }

    /// Reads the bytes of a weights file with the networks of one board, or of every board.
    ///
    /// # Errors
    /// If they are damaged, of another version or form, or no weights.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let version = version_of(bytes)?;
        let body = bytes.len().checked_sub(CHECKSUM).ok_or(WeightsError::Head)?;
        let (body, sum) = bytes.split_at(body);
        let expected = u64::from_le_bytes(sum.try_into().unwrap_or_default());
        let found = crc64(body);
        if found != expected {
            return Err(WeightsError::Checksum { expected, found });
        }
        let start = if version == PLAIN_VERSION { PLAIN_START } else { START };
        let (Head { first_ply, game, trained_on, made_by }, networks) =
            Head::read(body.get(start..).ok_or(WeightsError::Head)?, version)?;
        let weights = if version == PLAIN_VERSION {
            networks.to_vec()
        } else {
            let sections = sections(game.as_ref())?;
            let packed = || WeightsError::Packed { game: game_text(game.as_ref()) };
            unpack(networks, &sections).ok_or_else(packed)?
        };
        let found = match game {
            Some(rules) => Self::new(&rules, trained_on, made_by, weights),
            None => Self::universal(trained_on, made_by, weights),
        };
        Ok(found?.with_first_ply(first_ply))
    }

    /// The same networks, which rank the moves from a ply on; before it, as if there were none.
    #[must_use]
    pub fn with_first_ply(self, first_ply: u8) -> Self {
        let Contents { game, trained_on, made_by, weights, .. } = &*self.0;
        if self.0.first_ply == first_ply {
            return self;
        }
        let (trained_on, made_by) = (trained_on.clone(), made_by.clone());
        Self::with(*game, first_ply, trained_on, made_by, weights.clone())
    }

    /// Weights as they stand in a file.
    pub(super) fn new(
        rules: &Rules,
        trained_on: String,
        made_by: String,
        weights: Vec<u8>,
    ) -> Result<Self, WeightsError> {
        let map =
            InputMap::new(rules).ok_or_else(|| WeightsError::Game { game: rules.to_string() })?;
        let small = PolicyNetwork::<SMALL, false>::bytes(&map);
        let large = PolicyNetwork::<LARGE, true>::bytes(&map);
        let (expected, found) = (ROLES * (small + large), weights.len());
        if found != expected {
            return Err(WeightsError::Length { game: rules.to_string(), expected, found });
        }
        let (smalls, larges) = weights.split_at(ROLES * small);
        for role in 0..ROLES {
            let fits = [
                PolicyNetwork::<SMALL, false>::is_in_range(&smalls[role * small..][..small], &map),
                PolicyNetwork::<LARGE, true>::is_in_range(&larges[role * large..][..large], &map),
            ];
            if let Some(size) = fits.iter().position(|fits| !fits) {
                let network = format!("the {} network {}", ["small", "large"][size], role + 1);
                return Err(WeightsError::Range { network });
            }
        }
        Ok(Self::with(Some(*rules), 0, trained_on, made_by, weights))
    }

    /// Weights of networks for every board, as they stand in a file.
    pub(super) fn universal(
        trained_on: String,
        made_by: String,
        weights: Vec<u8>,
    ) -> Result<Self, WeightsError> {
        let (expected, found) = (universal::size(), weights.len());
        if found != expected {
            return Err(WeightsError::Length { game: game_text(None), expected, found });
        }
        Ok(Self::with(None, 0, trained_on, made_by, weights))
    }

    fn with(
        game: Option<Rules>,
        first_ply: u8,
        trained_on: String,
        made_by: String,
        weights: Vec<u8>,
    ) -> Self {
        let (networks, boards) = (OnceLock::new(), Mutex::default());
        let (trained_on, made_by) = (cut_off(trained_on), cut_off(made_by));
        Self(Arc::new(Contents { game, first_ply, trained_on, made_by, weights, networks, boards }))
    }

    /// The weights for a game: these, if they are its own, or made from these, if they are for
    /// every board.
    ///
    /// # Errors
    /// If it can have no networks, or these are of another game.
    pub fn for_game(&self, rules: &Rules) -> Result<Self, WeightsError> {
        match self.0.game {
            Some(game) if game == *rules => return Ok(self.clone()),
            Some(made_for) => {
                let made_for = made_for.to_string();
                return Err(WeightsError::OtherGame { made_for, game: *rules });
            }
            None => {}
        }
        let mut boards = self.0.boards.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, weights)) = boards.iter().find(|board| board.0 == *rules) {
            return weights.clone();
        }
        let Contents { first_ply, trained_on, made_by, weights, .. } = &*self.0;
        let made = InputMap::new(rules)
            .ok_or_else(|| WeightsError::Game { game: rules.to_string() })
            .map(|map| universal::for_board(weights, &map))
            .and_then(|weights| Self::new(rules, trained_on.clone(), made_by.clone(), weights))
            .map(|weights| weights.with_first_ply(*first_ply));
        boards.push((*rules, made.clone()));
        made
    }

    /// The bytes of a weights file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Contents { game, first_ply, trained_on, made_by, weights, .. } = &*self.0;
        let mut bytes = if game.is_some() { BOARD } else { UNIVERSAL }.to_le_bytes().to_vec();
        bytes.push(*first_ply);
        let name = game.map_or_else(String::new, |rules| rules.to_string());
        bytes.push(name.len() as u8);
        bytes.extend(name.as_bytes());
        for text in [trained_on, made_by] {
            bytes.extend((text.len() as u16).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        // Weights have a game that can have networks.
        bytes.extend(pack(weights, &sections(game.as_ref()).unwrap_or_default()));
        let length = (bytes.len() + CHECKSUM) as u32;
        bytes.splice(..0, [&MAGIC[..], &[VERSION], &length.to_le_bytes()].concat());
        bytes.extend(crc64(&bytes).to_le_bytes());
        bytes
    }

    /// The checksum of the networks alone, whatever the file says of them.
    #[cfg(feature = "training")]
    #[must_use]
    pub fn networks_checksum(&self) -> u64 {
        crc64(&self.0.weights)
    }

    /// The game they are for; none if they are for every board with gravity where four in a line
    /// win, as far as networks can be made for it.
    #[must_use]
    pub fn game(&self) -> Option<&Rules> {
        self.0.game.as_ref()
    }

    /// They rank the moves from this ply on.
    #[must_use]
    pub fn first_ply(&self) -> u8 {
        self.0.first_ply
    }

    /// What they were trained on, in words.
    #[must_use]
    pub fn trained_on(&self) -> &str {
        &self.0.trained_on
    }

    /// What made them: a command and a commit.
    #[must_use]
    pub fn made_by(&self) -> &str {
        &self.0.made_by
    }

    /// The hidden units of the small networks and of the large ones.
    #[must_use]
    pub fn units(&self) -> [usize; 2] {
        [SMALL, LARGE]
    }

    /// How many networks there are of each size: one per player and role.
    #[must_use]
    pub fn roles(&self) -> usize {
        ROLES
    }

    /// The bytes of all networks' weights.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.weights.len()
    }

    /// The checksum that the file ends with.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let bytes = self.to_bytes();
        crc64(&bytes[..bytes.len() - CHECKSUM])
    }

    /// The quantised weights of all networks.
    #[cfg(any(test, feature = "training"))]
    pub(super) fn weights(&self) -> &[u8] {
        &self.0.weights
    }

    /// The networks, laid out for use; none if these are for every board.
    pub(super) fn networks(&self) -> Option<&Arc<PolicyNetworks>> {
        let Contents { game, first_ply, weights, networks, .. } = &*self.0;
        let lay_out = || {
            let map = InputMap::new(game.as_ref()?)?;
            Some(Arc::new(PolicyNetworks::new(weights, map, *first_ply)))
        };
        networks.get_or_init(lay_out).as_ref()
    }
}

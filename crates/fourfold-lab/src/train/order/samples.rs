//! Sampled nodes as the fit needs them: packed, since a training has millions. And the file that
//! keeps those of a round.
//!
//! ```text
//! line    fourfold samples 1: what the round was trained on
//! ...     by node: its network, its game, whether it is held out, the number of moves and of pairs
//!         (a byte each); where its inputs end (moves + 1 numbers of two bytes, the low byte
//!         first), the inputs (two bytes each), and the pairs (a byte for each move, four for the
//!         weight)
//! 8       hash of everything before (FNV-1a, 64 bits)
//! ```

use crate::fingerprint::of_parts;
use fourfold::solver::{MoveOutcome, NodeSample, OrderForm};

/// The power of the wasted nodes, and the most that count.
const WASTE_POWER: f64 = 0.4;
const MOST_WASTE: f64 = 100_000.0;

/// The weights of neighbours that apply to a move.
const NEIGHBOURS: usize = 4;

/// A sampled node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SampledNode {
    /// Which network ranks its moves.
    pub(super) network: u8,
    /// The index of its game among those trained on.
    pub(super) game: u8,
    /// Whether it is kept out of the fit, to measure it.
    pub(super) held_out: bool,
    /// Where the inputs that all moves share end, then those of each move.
    ends: Box<[u16]>,
    /// Of each move: its inputs, then its weights of neighbours.
    inputs: Box<[u16]>,
    /// The indices of two moves, the one that should come first first, with their weight.
    pub(super) pairs: Box<[(u8, u8, f32)]>,
}

impl SampledNode {
    /// None if no order of its moves is better than another.
    pub(super) fn new(sample: &NodeSample, game: usize, held_out: bool) -> Option<Self> {
        let mut pairs = Vec::new();
        for (first, good) in sample.moves.iter().enumerate() {
            if good.outcome != MoveOutcome::Cutoff {
                continue;
            }
            for (second, other) in sample.moves.iter().enumerate() {
                let waste = match other.outcome {
                    MoveOutcome::InVain => other.cost,
                    MoveOutcome::Cutoff | MoveOutcome::Unknown => {
                        other.cost.saturating_sub(good.cost)
                    }
                };
                if waste > 0 {
                    let waste = (waste as f64 * sample.weight as f64).min(MOST_WASTE);
                    let weight = waste.powf(WASTE_POWER) as f32;
                    pairs.push((u8::try_from(first).ok()?, u8::try_from(second).ok()?, weight));
                }
            }
        }
        if pairs.is_empty() {
            return None;
        }
        let mut inputs = sample.shared_inputs.clone();
        let mut ends = vec![inputs.len() as u16];
        for mv in &sample.moves {
            inputs.extend(mv.inputs.iter().chain(&mv.neighbours));
            ends.push(inputs.len() as u16);
        }
        let large = if sample.large { OrderForm::ROLES } else { 0 };
        Some(Self {
            network: (large + sample.role) as u8,
            game: u8::try_from(game).ok()?,
            held_out,
            ends: ends.into(),
            inputs: inputs.into(),
            pairs: pairs.into(),
        })
    }

    /// How many moves there are.
    pub(super) fn moves(&self) -> usize {
        self.ends.len() - 1
    }

    /// The inputs that every move sets.
    pub(super) fn shared_inputs(&self) -> &[u16] {
        &self.inputs[..usize::from(self.ends[0])]
    }

    /// The other inputs that a move sets, and which weights of neighbours apply to it.
    pub(super) fn inputs(&self, mv: usize) -> (&[u16], &[u16]) {
        let own = &self.inputs[usize::from(self.ends[mv])..usize::from(self.ends[mv + 1])];
        own.split_at(own.len() - NEIGHBOURS)
    }

    /// The weight of all its pairs.
    pub(super) fn weight(&self) -> f64 {
        self.pairs.iter().map(|pair| f64::from(pair.2)).sum()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let (moves, pairs) = (self.moves() as u8, self.pairs.len() as u8);
        bytes.extend([self.network, self.game, u8::from(self.held_out), moves, pairs]);
        bytes.extend(self.ends.iter().chain(&self.inputs).flat_map(|number| number.to_le_bytes()));
        for (first, second, weight) in &self.pairs {
            bytes.extend([*first, *second]);
            bytes.extend(weight.to_le_bytes());
        }
    }

    /// Reads a node from the front of some bytes. None if it is none.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut slice = |length: usize| {
            let (found, rest) = bytes.split_at_checked(length)?;
            *bytes = rest;
            Some(found)
        };
        let &[network, game, held_out, moves, pairs] = slice(5)? else { return None };
        let (moves, pairs) = (usize::from(moves), usize::from(pairs));
        let mut words = |count: usize| -> Option<Box<[u16]>> {
            let words = slice(2 * count)?.chunks_exact(2);
            Some(words.map(|two| u16::from_le_bytes([two[0], two[1]])).collect())
        };
        let ends = words(moves + 1)?;
        let rising =
            ends.windows(2).all(|ends| usize::from(ends[0]) + NEIGHBOURS <= usize::from(ends[1]));
        let inputs = words(usize::from(*ends.last().filter(|_| rising)?))?;
        let pairs: Box<[_]> = slice(6 * pairs)?
            .chunks_exact(6)
            .map(|pair| {
                (pair[0], pair[1], f32::from_le_bytes([pair[2], pair[3], pair[4], pair[5]]))
            })
            .collect();
        let known = pairs.iter().all(|pair| usize::from(pair.0.max(pair.1)) < moves);
        known.then_some(Self { network, game, held_out: held_out != 0, ends, inputs, pairs })
    }
}

fn head(trained_on: &str) -> String {
    format!("fourfold samples 1: {trained_on}\n")
}

/// The file of the samples of a round.
pub(super) fn to_bytes(nodes: &[SampledNode], trained_on: &str) -> Vec<u8> {
    let mut bytes = head(trained_on).into_bytes();
    nodes.iter().for_each(|node| node.write(&mut bytes));
    bytes.extend(of_parts([&bytes]).to_le_bytes());
    bytes
}

/// The samples in such a file, for these games. None if it is damaged or of another round.
pub(super) fn of_bytes(
    bytes: &[u8],
    trained_on: &str,
    form: &OrderForm,
) -> Option<Vec<SampledNode>> {
    let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
    if of_parts([body]).to_le_bytes() != sum {
        return None;
    }
    let mut rest = body.strip_prefix(head(trained_on).as_bytes())?;
    // By size of the network and game: how many inputs there are.
    let inputs = [false, true].map(|large| {
        form.boards(large).iter().map(|board| board.rows.len()).collect::<Vec<usize>>()
    });
    let mut nodes = Vec::new();
    while !rest.is_empty() {
        let node = SampledNode::read(&mut rest)?;
        let large = usize::from(node.network) / OrderForm::ROLES;
        let most = *inputs.get(large)?.get(usize::from(node.game))?;
        let below = |list: &[u16], most: usize| list.iter().all(|&at| usize::from(at) < most);
        let known = below(node.shared_inputs(), most)
            && (0..node.moves()).map(|mv| node.inputs(mv)).all(|(inputs, neighbours)| {
                below(inputs, most) && below(neighbours, form.neighbours())
            });
        nodes.push(Some(node).filter(|_| known)?);
    }
    Some(nodes)
}

//! A small network that has learned from exact results what positions are worth.
//!
//! As in NNUE (Nasu 2018), the inputs are sparse (`inputs`), the hidden layer is an accumulator
//! that is updated incrementally, and everything is whole numbers at run time, so a value is the
//! same on every processor. The hidden layer sees the position and its mirror image with the same
//! weights, and the two are added, so that left and right never matter. Layers of 16 and 32 units
//! and the output follow; there is one such head per phase of the game and side to move.
//!
//! The value is the logarithm of the odds that the first player wins with best play (a draw being
//! half a win), times [`SCALE`]. `fourfold train net` makes the weights; `docs/tuning.md` tells
//! how. Games for which no network was made are judged by [`Windows`] instead.

mod file;
mod inputs;
mod pack;
#[cfg(test)]
mod tests;

pub use file::{Head, MOST_UNITS, NetError, NetWeights};
use inputs::Threats;
pub use inputs::{Discs, NetInputs};

use super::cpu::with_fast_bits;
use super::{Evaluate, Windows};
use crate::game::{Geometry, Rules, Side, Word};
use crate::parts::Part;
use crate::score::LARGEST_ESTIMATE;
use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

/// What one unit of log-odds is worth in values.
pub const SCALE: i32 = 1000;

/// The fixed-point scale of the hidden layer: this much is 1, where its units are cut off.
pub const HIDDEN_ONE: i32 = 255;

/// The fixed-point scale of the weights of the later layers.
pub const WEIGHT_ONE: i32 = 256;

/// Units of the second layer.
pub const SECOND: usize = 16;

/// Units of the third layer.
pub const THIRD: usize = 32;

/// Units of the second and third layer are cut off here.
pub const CUT_OFF: i32 = 16;

/// Phases of the game, each with a head for either side to move.
const PHASES: usize = 6;

/// Heads.
pub const BUCKETS: usize = 2 * PHASES;

/// The head for a number of discs.
#[inline]
#[must_use]
pub fn bucket(ply: u32, cells: u32) -> usize {
    let phase = (ply as usize * PHASES / cells as usize).min(PHASES - 1);
    2 * phase + (ply % 2) as usize
}

/// A network, laid out for use.
#[derive(Debug, Clone)]
pub struct Net {
    rules: Rules,
    units: usize,
    trained_on: String,
    inputs: NetInputs,
    /// For the position, then for its mirror image.
    bias: Vec<i16>,
    /// By input: the row of the position, then that of the mirror image.
    rows: Vec<i16>,
    heads: Vec<Head>,
}

impl PartialEq for Net {
    fn eq(&self, other: &Self) -> bool {
        (&self.rules, &self.bias, &self.rows, &self.heads)
            == (&other.rules, &other.bias, &other.rows, &other.heads)
    }
}

impl Eq for Net {}

static EMBEDDED: LazyLock<Option<Arc<Net>>> = LazyLock::new(|| {
    let bytes = Part::Net.bytes()?;
    NetWeights::of_bytes(&bytes).and_then(|weights| weights.net()).ok().map(Arc::new)
});

impl Net {
    /// The network that comes with the library, if there is one for this game.
    #[must_use]
    pub fn embedded(rules: &Rules) -> Option<Arc<Self>> {
        EMBEDDED.as_ref().filter(|net| net.rules == *rules).cloned()
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// If they are damaged, of another version, or no network.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        NetWeights::of_bytes(bytes)?.net()
    }

    fn new(weights: &NetWeights) -> Result<Self, NetError> {
        let NetWeights { rules, units, trained_on, bias, rows, heads } = weights;
        let units = *units;
        let inputs =
            NetInputs::new(rules).ok_or_else(|| NetError::Game { game: rules.to_string() })?;
        let sizes = rows.len() == units * inputs.count()
            && bias.len() == units
            && heads.len() == BUCKETS
            && heads.iter().all(|head| {
                head.second.len() == units * SECOND
                    && head.second_bias.len() == SECOND
                    && head.third.len() == SECOND * THIRD
                    && head.third_bias.len() == THIRD
                    && head.output.len() == THIRD
            })
            && units.is_multiple_of(16)
            && (1..=MOST_UNITS).contains(&units);
        if !sizes {
            return Err(NetError::Damaged);
        }
        let mut both = Vec::with_capacity(2 * rows.len());
        for input in 0..inputs.count() {
            for input in [input, usize::from(inputs.mirrored(input as u16))] {
                let row = &rows[input * units..(input + 1) * units];
                both.extend(row.iter().map(|&weight| i16::from(weight)));
            }
        }
        Ok(Self {
            rules: *rules,
            units,
            trained_on: trained_on.clone(),
            inputs,
            bias: [&bias[..], &bias[..]].concat(),
            rows: both,
            heads: heads.clone(),
        })
    }

    /// The game it was trained for.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What it was trained on, in words.
    #[must_use]
    pub fn trained_on(&self) -> &str {
        &self.trained_on
    }

    /// The accumulator of a position.
    fn accumulator(&self, discs: Discs) -> Accumulator {
        let mut units = self.bias.clone();
        self.inputs.for_each(discs, |input| self.add(&mut units, input));
        Accumulator { discs, threats: self.inputs.threats_of(discs), units }
    }

    #[inline(always)]
    fn row(&self, input: usize) -> &[i16] {
        let width = 2 * self.units;
        &self.rows[input * width..(input + 1) * width]
    }

    #[inline(always)]
    fn add(&self, units: &mut [i16], input: usize) {
        for (unit, weight) in units.iter_mut().zip(self.row(input)) {
            *unit = unit.wrapping_add(*weight);
        }
    }

    #[inline(always)]
    fn subtract(&self, units: &mut [i16], input: usize) {
        for (unit, weight) in units.iter_mut().zip(self.row(input)) {
            *unit = unit.wrapping_sub(*weight);
        }
    }

    /// Brings an accumulator to another position: what has changed is taken off and added.
    #[inline(always)]
    fn update(&self, accumulator: &mut Accumulator, discs: Discs) {
        let before = std::mem::replace(&mut accumulator.discs, discs);
        let changed = (before[0] ^ discs[0]) | (before[1] ^ discs[1]);
        if changed == 0 {
            return;
        }
        let units = &mut accumulator.units[..];
        let geometry = self.inputs.geometry();
        for column in 0..geometry.rules().width() {
            if changed & geometry.column(column) != 0 {
                self.subtract(units, self.inputs.column(before, column));
                self.add(units, self.inputs.column(discs, column));
            }
        }
        for (index, direction) in geometry.directions().iter().enumerate() {
            let shift = direction.shift;
            let (x, y) = if geometry.squares() { (1, shift) } else { (shift, 2 * shift) };
            let pairs = changed | changed >> x;
            let touched = (pairs | pairs >> y) & direction.anchors;
            self.inputs.windows(before, index, touched, |input| self.subtract(units, input));
            self.inputs.windows(discs, index, touched, |input| self.add(units, input));
        }
        let threats = self.inputs.threats_of(discs);
        let before = std::mem::replace(&mut accumulator.threats, threats);
        self.inputs.threats(&before, &threats, |input, appears| {
            if appears { self.add(units, input) } else { self.subtract(units, input) }
        });
    }

    /// The value of an accumulator for the first player.
    #[inline(always)]
    fn value(&self, accumulator: &Accumulator) -> i32 {
        let ply = (accumulator.discs[0] | accumulator.discs[1]).count_ones();
        let head = &self.heads[bucket(ply, self.rules.cells())];
        let (position, mirrored) = accumulator.units.split_at(self.units);
        let mut hidden = [0i16; MOST_UNITS];
        let hidden = &mut hidden[..self.units];
        for ((hidden, a), b) in hidden.iter_mut().zip(position).zip(mirrored) {
            *hidden = (*a).clamp(0, HIDDEN_ONE as i16) + (*b).clamp(0, HIDDEN_ONE as i16);
        }
        // Weights of a file may be anything: sums wrap rather than overflow.
        let mut second = [0i32; SECOND];
        for (output, unit) in second.iter_mut().enumerate() {
            let weights = &head.second[output * self.units..(output + 1) * self.units];
            let mut sum = head.second_bias[output];
            for (hidden, weight) in hidden.iter().zip(weights) {
                sum = sum.wrapping_add(i32::from(*hidden) * i32::from(*weight));
            }
            *unit = (sum / WEIGHT_ONE).clamp(0, CUT_OFF * HIDDEN_ONE);
        }
        let mut sum = head.output_bias;
        for (output, weights) in head.third.chunks_exact(SECOND).enumerate() {
            let mut unit = head.third_bias[output];
            for (value, weight) in second.iter().zip(weights) {
                unit = unit.wrapping_add(value * i32::from(*weight));
            }
            let unit = (unit / WEIGHT_ONE).clamp(0, CUT_OFF * HIDDEN_ONE);
            sum = sum.wrapping_add(unit * i32::from(head.output[output]));
        }
        let value = i64::from(sum) * i64::from(SCALE) / i64::from(HIDDEN_ONE * WEIGHT_ONE);
        value.clamp(-i64::from(LARGEST_ESTIMATE), i64::from(LARGEST_ESTIMATE)) as i32
    }

    /// The value of a position for the first player.
    #[must_use]
    pub fn evaluate(&self, discs: Discs) -> i32 {
        self.value(&self.accumulator(discs))
    }
}

/// The hidden layer of the position that was evaluated last.
#[derive(Debug, Clone)]
struct Accumulator {
    discs: Discs,
    threats: Threats,
    units: Vec<i16>,
}

/// A network inside a search. Positions that are evaluated one after the other are alike, so its
/// accumulator is brought from one to the next.
#[derive(Debug, Clone)]
pub(super) struct Incremental {
    net: Arc<Net>,
    /// Who MAX is.
    max: Side,
    last: RefCell<Accumulator>,
}

impl Incremental {
    pub(super) fn new(net: Arc<Net>, max: Side) -> Self {
        let last = RefCell::new(net.accumulator([0, 0]));
        Self { net, max, last }
    }
}

impl<W: Word> Evaluate<W> for Incremental {
    fn evaluate(&self, _: &Geometry<W>, max: W, min: W) -> i32 {
        let (max, min) = (max.widen() as u64, min.widen() as u64);
        let (discs, sign) = match self.max {
            Side::First => ([max, min], 1),
            Side::Second => ([min, max], -1),
        };
        let last = &mut *self.last.borrow_mut();
        sign * with_fast_bits(
            #[inline(always)]
            || {
                self.net.update(last, discs);
                self.net.value(last)
            },
        )
    }
}

/// What judges games without a network.
pub(super) fn fallback() -> Windows {
    Windows::default()
}

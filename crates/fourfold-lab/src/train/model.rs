//! The network in floating point: its value, the gradient of its loss, and Adam's steps.
//!
//! The layers are those of [`fourfold::eval::net`], which computes with whole numbers what this
//! computes with fractions; [`Model::quantised`] is the way there.

use fourfold::eval::net::{
    BUCKETS, Discs, HIDDEN_ONE, Head, NetInputs, NetWeights, OUTPUTS, WEIGHT_ONE, bucket,
};
use fourfold::game::Rules;
use fourfold::random::Random;

/// Outputs of the second layer are cut off here.
const MOST: f32 = 16.0;

/// Numbers of a head: weights and biases of the second layer, then of the output.
fn head_len(units: usize) -> usize {
    OUTPUTS * units + 2 * OUTPUTS + 1
}

/// All numbers of a network in one list: bias, rows by input, heads.
#[derive(Debug, Clone)]
pub(super) struct Model {
    rules: Rules,
    pub(super) inputs: NetInputs,
    pub(super) units: usize,
    pub(super) numbers: Vec<f32>,
}

/// What a forward pass computed, for the way back.
#[derive(Debug, Clone, Default)]
pub(super) struct Pass {
    /// Inputs of the position, then of its mirror image.
    active: [Vec<u16>; 2],
    sums: [Vec<f32>; 2],
    hidden: Vec<f32>,
    outputs: [f32; OUTPUTS],
    bucket: usize,
    /// The log-odds that the first player wins.
    pub(super) value: f32,
}

impl Model {
    /// A network of random weights; none if the game cannot have one.
    pub(super) fn new(rules: &Rules, units: usize, seed: u64) -> Option<Self> {
        let inputs = NetInputs::new(rules)?;
        let count = units + units * inputs.count() + BUCKETS * head_len(units);
        let mut model = Self { rules: *rules, inputs, units, numbers: vec![0.0; count] };
        let mut random = Random::new(seed);
        let mut uniform =
            |most: f32| (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) * most;
        let heads = model.head_at(0);
        for (index, number) in model.numbers.iter_mut().enumerate() {
            *number = if index < units {
                0.25
            } else if index < heads {
                uniform(0.08)
            } else {
                match (index - heads) % head_len(units) {
                    at if at < OUTPUTS * units => uniform((3.0 / units as f32).sqrt()),
                    at if at < OUTPUTS * units + OUTPUTS => 0.1,
                    at if at < OUTPUTS * units + 2 * OUTPUTS => uniform(0.5),
                    _ => 0.0,
                }
            };
        }
        Some(model)
    }

    fn row_at(&self, input: u16) -> usize {
        self.units * (1 + usize::from(input))
    }

    fn head_at(&self, bucket: usize) -> usize {
        self.units * (1 + self.inputs.count()) + bucket * head_len(self.units)
    }

    /// Computes the value of a position.
    pub(super) fn forward(&self, discs: Discs, pass: &mut Pass) {
        let units = self.units;
        let [straight, mirrored] = &mut pass.active;
        straight.clear();
        self.inputs.for_each(discs, |input| straight.push(input as u16));
        mirrored.clear();
        mirrored.extend(straight.iter().map(|&input| self.inputs.mirrored(input)));
        pass.hidden.clear();
        pass.hidden.resize(units, 0.0);
        for (active, sums) in pass.active.iter().zip(&mut pass.sums) {
            sums.clear();
            sums.extend_from_slice(&self.numbers[..units]);
            for &input in active {
                let row = &self.numbers[self.row_at(input)..][..units];
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
            for (hidden, sum) in pass.hidden.iter_mut().zip(sums) {
                *hidden += sum.clamp(0.0, 1.0);
            }
        }
        let ply = (discs[0] | discs[1]).count_ones();
        pass.bucket = bucket(ply, self.rules.cells());
        let head = &self.numbers[self.head_at(pass.bucket)..][..head_len(units)];
        let (weights, rest) = head.split_at(OUTPUTS * units);
        let mut value = rest[2 * OUTPUTS];
        for output in 0..OUTPUTS {
            let row = &weights[output * units..][..units];
            let sum = rest[output] + dot(row, &pass.hidden);
            pass.outputs[output] = sum;
            value += sum.clamp(0.0, MOST) * rest[OUTPUTS + output];
        }
        pass.value = value;
    }

    /// Adds the gradient of a loss to `gradient`, given its derivative by the value.
    pub(super) fn backward(&self, pass: &Pass, slope: f32, gradient: &mut [f32]) {
        let units = self.units;
        let at = self.head_at(pass.bucket);
        let head = &self.numbers[at..][..head_len(units)];
        let (weights, rest) = head.split_at(OUTPUTS * units);
        let mut back = vec![0.0f32; units];
        {
            let into = &mut gradient[at..][..head_len(units)];
            let (into_weights, into_rest) = into.split_at_mut(OUTPUTS * units);
            into_rest[2 * OUTPUTS] += slope;
            for output in 0..OUTPUTS {
                let sum = pass.outputs[output];
                into_rest[OUTPUTS + output] += slope * sum.clamp(0.0, MOST);
                if sum <= 0.0 || sum >= MOST {
                    continue;
                }
                let slope = slope * rest[OUTPUTS + output];
                into_rest[output] += slope;
                let row = &weights[output * units..][..units];
                let into_row = &mut into_weights[output * units..][..units];
                for unit in 0..units {
                    into_row[unit] += slope * pass.hidden[unit];
                    back[unit] += slope * row[unit];
                }
            }
        }
        let mut masked = vec![0.0f32; units];
        for (active, sums) in pass.active.iter().zip(&pass.sums) {
            for unit in 0..units {
                let open = sums[unit] > 0.0 && sums[unit] < 1.0;
                masked[unit] = if open { back[unit] } else { 0.0 };
            }
            add(&mut gradient[..units], &masked);
            for &input in active {
                let at = self.row_at(input);
                add(&mut gradient[at..][..units], &masked);
            }
        }
    }

    /// The network with these numbers, as whole numbers.
    pub(super) fn quantised(&self, numbers: &[f32], trained_on: String) -> NetWeights {
        let units = self.units;
        let word = |number: f32, one: i32| -> i16 {
            let scaled = (number * one as f32).round();
            scaled.clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
        };
        let words = |list: &[f32], one| list.iter().map(|&n| word(n, one)).collect();
        let long = |number: f32| (number * (HIDDEN_ONE * WEIGHT_ONE) as f32).round() as i32;
        let heads = (0..BUCKETS).map(|bucket| {
            let head = &numbers[self.head_at(bucket)..][..head_len(units)];
            let (weights, rest) = head.split_at(OUTPUTS * units);
            Head {
                weights: words(weights, WEIGHT_ONE),
                bias: rest[..OUTPUTS].iter().map(|&number| long(number)).collect(),
                output: words(&rest[OUTPUTS..2 * OUTPUTS], WEIGHT_ONE),
                output_bias: long(rest[2 * OUTPUTS]),
            }
        });
        NetWeights {
            rules: self.rules,
            units,
            trained_on,
            bias: words(&numbers[..units], HIDDEN_ONE),
            rows: words(&numbers[units..self.head_at(0)], HIDDEN_ONE),
            heads: heads.collect(),
        }
    }
}

fn add(into: &mut [f32], from: &[f32]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += from;
    }
}

/// Eight sums side by side, which compilers turn into vector instructions.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// Adam (Kingma and Ba 2015): its moments, and the steps made.
#[derive(Debug, Clone)]
pub(super) struct Adam {
    pub(super) first: Vec<f32>,
    pub(super) second: Vec<f32>,
    pub(super) steps: u64,
}

impl Adam {
    pub(super) fn new(count: usize) -> Self {
        Self { first: vec![0.0; count], second: vec![0.0; count], steps: 0 }
    }

    /// Makes a step; `decay` pulls weights towards zero.
    pub(super) fn step(&mut self, numbers: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        const BETA: (f32, f32) = (0.9, 0.999);
        self.steps += 1;
        let power = self.steps.min(100_000) as i32;
        let (first_bias, second_bias) = (1.0 - BETA.0.powi(power), 1.0 - BETA.1.powi(power));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((number, &slope), (first, second)) in numbers.iter_mut().zip(gradient).zip(moments) {
            *first = BETA.0 * *first + (1.0 - BETA.0) * slope;
            *second = BETA.1 * *second + (1.0 - BETA.1) * slope * slope;
            let root = (*second / second_bias).sqrt() + 1e-8;
            *number -= rate * (*first / first_bias / root + decay * *number);
        }
    }
}

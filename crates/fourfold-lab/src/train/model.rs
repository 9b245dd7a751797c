//! The network in floating point: its value, the gradient of its loss, and Adam's steps.
//!
//! The layers are those of [`fourfold::eval::net`], which computes with whole numbers what this
//! computes with fractions; [`Model::quantised`] is the way there. The positions of a label differ
//! by a disc or two, so the hidden layer of each is that of the first with a few inputs changed,
//! and gradients of the inputs that all have in common are added once.

use fourfold::eval::net::{
    BUCKETS, CUT_OFF, Discs, HIDDEN_ONE, Head, NetInputs, NetWeights, SECOND, THIRD, WEIGHT_ONE,
    bucket,
};
use fourfold::game::Rules;
use fourfold::random::Random;

/// Units of the second and third layer are cut off here.
const MOST: f32 = CUT_OFF as f32;

/// Where the parts of a head begin: weights and biases of the second layer, of the third, and of
/// the output; then its length.
fn head_parts(units: usize) -> [usize; 6] {
    let second_bias = SECOND * units;
    let third = second_bias + SECOND;
    let third_bias = third + SECOND * THIRD;
    let output = third_bias + THIRD;
    let output_bias = output + THIRD;
    [second_bias, third, third_bias, output, output_bias, output_bias + 1]
}

/// All numbers of a network in one list: bias, rows by input, heads.
#[derive(Debug, Clone)]
pub(super) struct Model {
    rules: Rules,
    pub(super) inputs: NetInputs,
    pub(super) units: usize,
    pub(super) numbers: Vec<f32>,
}

/// What a forward pass of one position computed, for the way back.
#[derive(Debug, Clone, Default)]
struct Pass {
    /// Inputs that the first position of the label has and this one has not, and the reverse.
    dropped: Vec<u16>,
    added: Vec<u16>,
    /// Of the position, then of its mirror image.
    sums: [Vec<f32>; 2],
    hidden: Vec<f32>,
    second: Vec<f32>,
    third: Vec<f32>,
    bucket: usize,
}

/// What the forward passes of a label's positions computed.
#[derive(Debug, Clone, Default)]
pub(super) struct Passes {
    /// By input: how often the first position has it.
    marks: Vec<u8>,
    /// Inputs of the position at hand.
    active: Vec<u16>,
    passes: Vec<Pass>,
    /// The log-odds that the first player wins, by position.
    pub(super) values: Vec<f32>,
    /// For the way back, by unit.
    back: Vec<f32>,
    masked: Vec<f32>,
    common: [Vec<f32>; 2],
}

impl Model {
    /// A network of random weights; none if the game cannot have one.
    pub(super) fn new(rules: &Rules, units: usize, seed: u64) -> Option<Self> {
        let inputs = NetInputs::new(rules)?;
        let [second_bias, third, third_bias, output, output_bias, len] = head_parts(units);
        let count = units + units * inputs.count() + BUCKETS * len;
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
                match (index - heads) % len {
                    at if at < second_bias => uniform((3.0 / units as f32).sqrt()),
                    at if at < third => 0.1,
                    at if at < third_bias => uniform((6.0 / SECOND as f32).sqrt()),
                    at if at < output => 0.1,
                    at if at < output_bias => uniform(0.4),
                    _ => 0.0,
                }
            };
        }
        Some(model)
    }

    /// The network that whole numbers were made of, as far as they tell; none if the game cannot
    /// have one.
    pub(super) fn of_weights(weights: &NetWeights) -> Option<Self> {
        let NetWeights { rules, units, bias, rows, heads, .. } = weights;
        let mut model = Self::new(rules, *units, 0)?;
        let hidden = |number: f32| number / HIDDEN_ONE as f32;
        let word = |&number: &i16| f32::from(number) / WEIGHT_ONE as f32;
        let long = |&number: &i32| number as f32 / (HIDDEN_ONE * WEIGHT_ONE) as f32;
        let mut numbers: Vec<f32> = bias.iter().map(|&number| hidden(number.into())).collect();
        numbers.extend(rows.iter().map(|&number| hidden(number.into())));
        for head in heads {
            numbers.extend(head.second.iter().map(word));
            numbers.extend(head.second_bias.iter().map(long));
            numbers.extend(head.third.iter().map(word));
            numbers.extend(head.third_bias.iter().map(long));
            numbers.extend(head.output.iter().map(word));
            numbers.push(long(&head.output_bias));
        }
        if numbers.len() != model.numbers.len() {
            return None;
        }
        model.numbers = numbers;
        Some(model)
    }

    /// The same network with more units, which change no value: their weights to the second layer
    /// are zero, and learn at once, since those of the hidden layer are random (in the manner of
    /// Net2Net, Chen and others 2016). None if that would be fewer units.
    pub(super) fn widened(self, units: usize, seed: u64) -> Option<Self> {
        let added = units.checked_sub(self.units)?;
        if added == 0 {
            return Some(self);
        }
        let mut wide = Self::new(&self.rules, units, seed)?;
        let [second_bias, .., len] = head_parts(self.units);
        let [wide_bias, .., wide_len] = head_parts(units);
        let (heads, wide_heads) = (self.head_at(0), wide.head_at(0));
        let rows = self.numbers[..heads].chunks_exact(self.units);
        for (into, row) in wide.numbers[..wide_heads].chunks_exact_mut(units).zip(rows) {
            into[..self.units].copy_from_slice(row);
            // Inputs that never occur have no weights, which takes no space in a file.
            if row.iter().all(|&weight| weight == 0.0) {
                into[self.units..].fill(0.0);
            }
        }
        let all = self.numbers[heads..].chunks_exact(len);
        for (into, head) in wide.numbers[wide_heads..].chunks_exact_mut(wide_len).zip(all) {
            let rows = head[..second_bias].chunks_exact(self.units);
            for (into, row) in into[..wide_bias].chunks_exact_mut(units).zip(rows) {
                into[..self.units].copy_from_slice(row);
                into[self.units..].fill(0.0);
            }
            into[wide_bias..].copy_from_slice(&head[second_bias..]);
        }
        Some(wide)
    }

    fn row(&self, input: u16) -> std::ops::Range<usize> {
        let at = self.units * (1 + usize::from(input));
        at..at + self.units
    }

    fn head_at(&self, bucket: usize) -> usize {
        self.units * (1 + self.inputs.count()) + bucket * head_parts(self.units)[5]
    }

    /// Computes the values of positions that differ little from the first.
    pub(super) fn forward(&self, positions: impl Iterator<Item = Discs>, all: &mut Passes) {
        let Passes { marks, active, passes, values, .. } = all;
        marks.resize(self.inputs.count(), 0);
        values.clear();
        for (index, discs) in positions.enumerate() {
            if passes.len() <= index {
                passes.push(Pass::default());
            }
            let (before, rest) = passes.split_at_mut(index);
            let pass = &mut rest[0];
            active.clear();
            self.inputs.for_each(discs, |input| active.push(input as u16));
            pass.added.clear();
            pass.dropped.clear();
            if let Some(first) = before.first() {
                for &input in &*active {
                    match &mut marks[usize::from(input)] {
                        0 => pass.added.push(input),
                        mark => *mark -= 1,
                    }
                }
                for &input in &first.added {
                    let mark = &mut marks[usize::from(input)];
                    if *mark > 0 {
                        *mark -= 1;
                        pass.dropped.push(input);
                    }
                }
                for (sums, first) in pass.sums.iter_mut().zip(&first.sums) {
                    sums.clone_from(first);
                }
            } else {
                pass.added.clone_from(active);
                for sums in &mut pass.sums {
                    sums.clear();
                    sums.extend_from_slice(&self.numbers[..self.units]);
                }
            }
            // The marks are those of the first position again.
            for &input in before.first().map_or(&pass.added, |first| &first.added) {
                marks[usize::from(input)] += 1;
            }
            let [straight, mirrored] = &mut pass.sums;
            for &input in &pass.added {
                add(straight, &self.numbers[self.row(input)]);
                add(mirrored, &self.numbers[self.row(self.inputs.mirrored(input))]);
            }
            for &input in &pass.dropped {
                subtract(straight, &self.numbers[self.row(input)]);
                subtract(mirrored, &self.numbers[self.row(self.inputs.mirrored(input))]);
            }
            pass.hidden.clear();
            pass.hidden.extend(
                straight.iter().zip(&*mirrored).map(|(a, b)| a.clamp(0.0, 1.0) + b.clamp(0.0, 1.0)),
            );
            pass.bucket = bucket((discs[0] | discs[1]).count_ones(), self.rules.cells());
            values.push(self.value(pass));
        }
        for &input in passes.first().map_or(&[][..], |first| &first.added) {
            marks[usize::from(input)] = 0;
        }
    }

    /// The value of a position whose hidden layer is computed.
    fn value(&self, pass: &mut Pass) -> f32 {
        let [second_bias, third, third_bias, output, output_bias, len] = head_parts(self.units);
        let head = &self.numbers[self.head_at(pass.bucket)..][..len];
        pass.second.clear();
        let rows = head[..second_bias].chunks_exact(self.units).zip(&head[second_bias..third]);
        pass.second.extend(rows.map(|(row, bias)| bias + dot(row, &pass.hidden)));
        let mut cut = [0.0f32; SECOND];
        for (cut, sum) in cut.iter_mut().zip(&pass.second) {
            *cut = sum.clamp(0.0, MOST);
        }
        pass.third.clear();
        let rows = head[third..third_bias].chunks_exact(SECOND).zip(&head[third_bias..output]);
        pass.third.extend(rows.map(|(row, bias)| bias + dot(row, &cut)));
        let mut value = head[output_bias];
        for (sum, weight) in pass.third.iter().zip(&head[output..output_bias]) {
            value += sum.clamp(0.0, MOST) * weight;
        }
        value
    }

    /// Adds the gradient of a loss to `gradient`, given its derivatives by the values of the
    /// forward passes.
    pub(super) fn backward(&self, all: &mut Passes, slopes: &[f32], gradient: &mut [f32]) {
        let units = self.units;
        let Passes { passes, back, masked, common, .. } = all;
        for sums in common.iter_mut() {
            sums.clear();
            sums.resize(units, 0.0);
        }
        masked.resize(units, 0.0);
        for (index, (pass, &slope)) in passes.iter().zip(slopes).enumerate() {
            if slope.abs() < LEAST_SLOPE {
                continue;
            }
            self.backward_head(pass, slope, back, gradient);
            for (mirrored, (sums, common)) in pass.sums.iter().zip(common.iter_mut()).enumerate() {
                for ((masked, back), sum) in masked.iter_mut().zip(&*back).zip(sums) {
                    *masked = if *sum > 0.0 && *sum < 1.0 { *back } else { 0.0 };
                }
                add(common, masked);
                if index == 0 {
                    continue;
                }
                let input = |input| if mirrored == 1 { self.inputs.mirrored(input) } else { input };
                for &added in &pass.added {
                    add(&mut gradient[self.row(input(added))], masked);
                }
                for &dropped in &pass.dropped {
                    subtract(&mut gradient[self.row(input(dropped))], masked);
                }
            }
        }
        for sums in &*common {
            add(&mut gradient[..units], sums);
        }
        for &input in passes.first().map_or(&[][..], |first| &first.added) {
            add(&mut gradient[self.row(input)], &common[0]);
            add(&mut gradient[self.row(self.inputs.mirrored(input))], &common[1]);
        }
    }

    /// The gradient of the head of a position; `back` is the derivative by its hidden layer.
    fn backward_head(&self, pass: &Pass, slope: f32, back: &mut Vec<f32>, gradient: &mut [f32]) {
        let units = self.units;
        let [second_bias, third, third_bias, output, output_bias, len] = head_parts(units);
        let at = self.head_at(pass.bucket);
        let head = &self.numbers[at..][..len];
        let into = &mut gradient[at..][..len];
        let mut second_back = [0.0f32; SECOND];
        into[output_bias] += slope;
        for unit in 0..THIRD {
            let sum = pass.third[unit];
            into[output + unit] += slope * sum.clamp(0.0, MOST);
            if sum <= 0.0 || sum >= MOST {
                continue;
            }
            let slope = slope * head[output + unit];
            into[third_bias + unit] += slope;
            let row = third + unit * SECOND;
            for lower in 0..SECOND {
                into[row + lower] += slope * pass.second[lower].clamp(0.0, MOST);
                second_back[lower] += slope * head[row + lower];
            }
        }
        back.clear();
        back.resize(units, 0.0);
        for (unit, &slope) in second_back.iter().enumerate() {
            let sum = pass.second[unit];
            if sum <= 0.0 || sum >= MOST {
                continue;
            }
            into[second_bias + unit] += slope;
            let row = &head[unit * units..][..units];
            let into = &mut into[unit * units..][..units];
            for ((into, hidden), (back, weight)) in
                into.iter_mut().zip(&pass.hidden).zip(back.iter_mut().zip(row))
            {
                *into += slope * hidden;
                *back += slope * weight;
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
        // The few weights that do not fit into a byte are cut off.
        let byte = |number: f32| word(number, HIDDEN_ONE).clamp(-127, 127) as i8;
        let long = |number: f32| (number * (HIDDEN_ONE * WEIGHT_ONE) as f32).round() as i32;
        let longs = |list: &[f32]| list.iter().map(|&number| long(number)).collect();
        let [second_bias, third, third_bias, output, output_bias, len] = head_parts(units);
        let heads = (0..BUCKETS).map(|bucket| {
            let head = &numbers[self.head_at(bucket)..][..len];
            Head {
                second: words(&head[..second_bias], WEIGHT_ONE),
                second_bias: longs(&head[second_bias..third]),
                third: words(&head[third..third_bias], WEIGHT_ONE),
                third_bias: longs(&head[third_bias..output]),
                output: words(&head[output..output_bias], WEIGHT_ONE),
                output_bias: long(head[output_bias]),
            }
        });
        NetWeights {
            rules: self.rules,
            units,
            trained_on,
            bias: words(&numbers[..units], HIDDEN_ONE),
            rows: numbers[units..self.head_at(0)].iter().map(|&number| byte(number)).collect(),
            heads: heads.collect(),
        }
    }
}

/// Positions whose loss has a smaller derivative are as good as learned.
const LEAST_SLOPE: f32 = 1e-3;

fn add(into: &mut [f32], from: &[f32]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += from;
    }
}

fn subtract(into: &mut [f32], from: &[f32]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into -= from;
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

/// Adam (Kingma and Ba 2015) with decoupled weight decay, and the moving average of the weights.
#[derive(Debug, Clone)]
pub(super) struct Adam {
    pub(super) first: Vec<f32>,
    pub(super) second: Vec<f32>,
    /// The weights, averaged over the last batches.
    pub(super) mean: Vec<f32>,
    pub(super) steps: u64,
}

/// How much a step changes, and how fast it forgets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) rate: f32,
    /// How fast weights are pulled towards zero.
    pub(super) decay: f32,
    /// The gradient is multiplied by this.
    pub(super) scale: f32,
    /// The average is over about so many batches.
    pub(super) batches: f32,
}

impl Adam {
    pub(super) fn new(numbers: &[f32]) -> Self {
        let count = numbers.len();
        Self { first: vec![0.0; count], second: vec![0.0; count], mean: numbers.to_vec(), steps: 0 }
    }

    /// Makes a step. The gradient is the sum of `shards`, which are emptied.
    pub(super) fn step(&mut self, numbers: &mut [f32], shards: &mut [&mut [f32]], step: Step) {
        const BETA: (f32, f32) = (0.9, 0.999);
        /// Numbers that are in the cache together.
        const CHUNK: usize = 4096;
        self.steps += 1;
        let power = self.steps.min(100_000) as i32;
        let (first_bias, second_bias) = (1.0 - BETA.0.powi(power), 1.0 - BETA.1.powi(power));
        // The first batches are forgotten sooner.
        let steps = self.steps.min(1 << 20) as f32;
        let share = (1.0 / step.batches).max(9.0 / (9.0 + steps));
        let mut total = [0.0f32; CHUNK];
        let mut at = 0;
        while at < numbers.len() {
            let range = at..numbers.len().min(at + CHUNK);
            at = range.end;
            let total = &mut total[..range.len()];
            total.fill(0.0);
            for shard in shards.iter_mut() {
                let shard = &mut shard[range.clone()];
                add(total, shard);
                shard.fill(0.0);
            }
            let moments = self.first[range.clone()].iter_mut().zip(&mut self.second[range.clone()]);
            let values = numbers[range.clone()].iter_mut().zip(&mut self.mean[range]);
            for (((number, mean), slope), (first, second)) in values.zip(total).zip(moments) {
                let slope = *slope * step.scale;
                *first = BETA.0 * *first + (1.0 - BETA.0) * slope;
                *second = BETA.1 * *second + (1.0 - BETA.1) * slope * slope;
                let root = (*second / second_bias).sqrt() + 1e-8;
                *number -= step.rate * (*first / first_bias / root + step.decay * *number);
                *mean += share * (*number - *mean);
            }
        }
    }
}

//! What the trainer of the policy networks needs: samples of searches, the networks in floating
//! point, and the way from there to whole numbers.

use super::inputs::{InputMap, PlayerDiscs, horizon_class};
use super::weights::{
    NEIGHBOUR_WEIGHTS, neighbour_at, neighbour_parity_swapped, symmetric_neighbour,
};
use super::{
    LARGE, NEIGHBOUR_STEP, OrderWeights, PolicyNetwork, RANK_SCALE, ROLES, SMALL, universal,
};
use super::{OUTPUT_SHIFT, WeightsError};
use crate::game::{Rules, Word};
use crate::solver::board::BoardMasks;
use crate::solver::layout::{ByteColumns, Layout, PackedColumns};
use crate::solver::opening::ReachedPosition;
use crate::solver::order::{MoveOrdering, TunedRanks};

/// Which nodes of a search are sampled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// One node in so many, of those that small and that large networks rank.
    pub every: [u64; 2],
    /// A node that took more nodes than this gives only the moves that its search has tried, and
    /// no move of another one is searched for longer.
    pub most_nodes: u64,
    /// The random seed.
    pub seed: u64,
}

/// A sampled node where some move causes a cutoff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSample {
    /// The role of the side to move: W defends, B defends, W attacks, B attacks.
    pub role: usize,
    /// Whether a large network ranks the moves, or a small one.
    pub large: bool,
    /// How many such nodes it stands for.
    pub weight: u64,
    /// The null window: is the score above this?
    pub alpha: i32,
    /// The inputs that every move sets: most, for the positions after the moves are much alike.
    pub shared_inputs: Vec<u16>,
    /// Its moves that needed search, or if that took too long, those that were searched.
    pub moves: Vec<MoveSample>,
}

/// A move of a sampled node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveSample {
    /// The column, from 0.
    pub column: u32,
    /// The inputs that it sets and some other move does not.
    pub inputs: Vec<u16>,
    /// Which weights of the neighbours apply.
    pub neighbours: [u16; 4],
    /// Nodes that it takes, given what was known there.
    pub cost: u64,
    /// What comes of it.
    pub outcome: MoveOutcome,
}

impl MoveSample {
    /// Takes out of the moves the inputs that all of them set.
    pub(in crate::solver) fn take_shared_inputs(moves: &mut [Self]) -> Vec<u16> {
        let Some((first, others)) = moves.split_first() else { return Vec::new() };
        let is_shared = |input: &&u16| others.iter().all(|mv| mv.inputs.contains(input));
        let shared: Vec<u16> = first.inputs.iter().filter(is_shared).copied().collect();
        for mv in moves {
            mv.inputs.retain(|input| !shared.contains(input));
        }
        shared
    }
}

/// What comes of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveOutcome {
    /// It is good enough: the node is done.
    Cutoff,
    /// It is not, and was searched in vain.
    InVain,
    /// It was broken off: it takes more than its cost.
    Unknown,
}

impl InputMap {
    /// The inputs that a move sets, straight from their definition.
    pub(in crate::solver) fn inputs<L: Layout>(
        &self,
        board: &BoardMasks<L>,
        parent_ply: i32,
        mv: L::W,
        reached: &ReachedPosition<L::W>,
        plies: i32,
        lines: bool,
    ) -> Vec<u16> {
        let (own, opponent) = reached.discs;
        let discs = PlayerDiscs::new(board, own, opponent, reached.ply);
        let empty = !(own | opponent);
        let mut inputs = Vec::new();
        let mut cells = |first: usize, set: u64| {
            let bits = (0..64).filter(|bit| set >> bit & 1 == 1);
            inputs.extend(bits.filter_map(|bit| self.cell(bit)).map(|cell| (first + cell) as u16));
        };
        let [white, black] = [discs.white, discs.black];
        cells(self.discs(0), white);
        cells(self.discs(1), black);
        for (player, set) in [white, black].into_iter().enumerate() {
            let threats = board.completing(L::W::truncate(set.into())) & empty;
            cells(self.threats(player), threats.widen() as u64);
        }
        cells(self.playable(), board.playable(own | opponent).widen() as u64);
        cells(self.mv(), mv.widen() as u64);
        let choices = (reached.safe.count_ones() as usize).min(7);
        let forced = ((reached.ply - parent_ply - 1) as usize).min(5);
        inputs.push((self.choices() + 8 * usize::from(reached.mover_again) + choices) as u16);
        inputs.push((self.forced() + forced) as u16);
        inputs.push((self.horizon() + horizon_class(plies)) as u16);
        if lines {
            let open = (0..self.line_count).map(|line| self.open_line(&discs, line));
            let open = open.filter(|&input| input > 0);
            inputs.extend(open.map(|input| (self.open_lines() + input - 1) as u16));
        }
        inputs
    }

    /// Which weights of the neighbours apply to a move on a row, by the patterns in each direction.
    pub(in crate::solver) fn neighbour_weights(row: u32, patterns: [usize; 4]) -> [u16; 4] {
        std::array::from_fn(|direction| {
            let at = neighbour_at(row as usize % 2, direction, patterns[direction]);
            symmetric_neighbour(at) as u16
        })
    }
}

/// The form of networks: of those of one board, or of universal ones, which are for every board.
#[derive(Debug, Clone)]
pub struct OrderForm {
    /// The board, or those that universal networks are trained on.
    boards: Vec<(Rules, InputMap)>,
    universal: bool,
}

/// How the networks of a board are made from those that are trained: from its own, or from
/// universal ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardForm {
    /// By input of the board: the inputs of the trained network whose rows add up to its row.
    pub rows: Vec<Vec<usize>>,
    /// The inputs of the trained network that every position of the board sets.
    pub bias: Vec<usize>,
    /// For every input of the board, the one that is its mirror image.
    pub mirrored: Vec<usize>,
}

fn input_map(rules: &Rules) -> Result<InputMap, WeightsError> {
    InputMap::new(rules).ok_or_else(|| WeightsError::Game { game: rules.to_string() })
}

/// The weights of one network in floating point. The rank of a move is the logarithm of the odds
/// that it comes before one of rank 0.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkWeights {
    /// By input, then by pair of hidden units.
    pub rows: Vec<f32>,
    /// By pair.
    pub bias: Vec<f32>,
    /// By pair: the weight of both its units in the rank. The last pair is linear, the others have
    /// a ReLU.
    pub output: Vec<f32>,
    /// The weights of the neighbours; see [`MoveSample::neighbours`].
    pub neighbours: Vec<f32>,
}

/// The fixed-point scale of the rows: this much is 1.
const ROW_SCALE: f32 = 64.0;

/// The fixed-point scale of the output weights.
const OUTPUT_SCALE: f32 = ((RANK_SCALE << OUTPUT_SHIFT) / 64) as f32;

impl OrderForm {
    /// The form of the networks of a game.
    ///
    /// # Errors
    /// If it can have none.
    pub fn new(rules: &Rules) -> Result<Self, WeightsError> {
        Ok(Self { boards: vec![(*rules, input_map(rules)?)], universal: false })
    }

    /// The form of universal networks that are trained on these games.
    ///
    /// # Errors
    /// If one of them can have no networks.
    pub fn universal(games: &[Rules]) -> Result<Self, WeightsError> {
        let board = |rules: &Rules| Ok((*rules, input_map(rules)?));
        let boards = games.iter().map(board).collect::<Result<_, WeightsError>>()?;
        Ok(Self { boards, universal: true })
    }

    /// A sample of a search on one of the boards, with the player and the rows that universal
    /// networks take them for. The inputs stay those of the board.
    #[must_use]
    pub fn seen(&self, board: usize, mut sample: NodeSample) -> NodeSample {
        let Some((_, map)) = self.boards.get(board).filter(|_| self.universal) else {
            return sample;
        };
        if universal::swaps_players(map) {
            sample.role ^= 1;
        }
        if universal::swaps_rows(map) {
            for mv in &mut sample.moves {
                mv.neighbours =
                    mv.neighbours.map(|at| neighbour_parity_swapped(usize::from(at)) as u16);
            }
        }
        sample
    }

    /// What the networks are on each of the boards.
    #[must_use]
    pub fn boards(&self, large: bool) -> Vec<BoardForm> {
        let form = |(_, map): &(Rules, InputMap)| {
            let inputs = map.count(large);
            let rows = |input: usize| {
                let mut rows = Vec::new();
                if self.universal {
                    universal::for_each(map, input, |known| rows.push(known));
                } else {
                    rows.push(input);
                }
                rows
            };
            BoardForm {
                rows: (0..inputs).map(rows).collect(),
                bias: if self.universal { universal::of_board(map).to_vec() } else { Vec::new() },
                mirrored: map.mirrored()[..inputs].to_vec(),
            }
        };
        self.boards.iter().map(form).collect()
    }

    /// The networks of each size.
    pub const ROLES: usize = ROLES;

    /// The number of inputs of small or of large networks.
    #[must_use]
    pub fn inputs(&self, large: bool) -> usize {
        match self.boards.first() {
            Some((_, map)) if !self.universal => map.count(large),
            _ => universal::count(large),
        }
    }

    /// The pairs of hidden units of small or of large networks.
    #[must_use]
    pub fn pairs(&self, large: bool) -> usize {
        if large { LARGE / 2 } else { SMALL / 2 }
    }

    /// The number of weights of neighbours.
    #[must_use]
    pub fn neighbours(&self) -> usize {
        NEIGHBOUR_WEIGHTS
    }

    /// A network that ranks as the tuned weights do, as far as a linear unit and a table of
    /// neighbours can; a universal one knows nothing of cells.
    #[must_use]
    pub fn tuned(&self, role: usize, large: bool) -> NetworkWeights {
        let pairs = self.pairs(large);
        let mut rows = vec![0.0; self.inputs(large) * pairs];
        let Some((rules, map)) = self.boards.first() else {
            let neighbours = vec![0.0; NEIGHBOUR_WEIGHTS];
            return NetworkWeights {
                rows,
                bias: vec![0.0; pairs],
                output: vec![0.0; pairs],
                neighbours,
            };
        };
        let height = map.height as u32;
        let ranks = if map.stride == ByteColumns.stride() && height <= 7 {
            MoveOrdering::new(&BoardMasks::new(rules, ByteColumns)).tuned_ranks(role)
        } else {
            let layout = PackedColumns::<u64>::new(rules.width(), height);
            MoveOrdering::new(&BoardMasks::new(rules, layout)).tuned_ranks(role)
        };
        let TunedRanks { threats, moves, reply, neighbours } = ranks;
        // Both units of the linear pair see a move, each with half of the weight.
        let mut put = |input: usize, weight: f32| rows[input * pairs + pairs - 1] = weight / 2.0;
        if !self.universal {
            for (bit, cell) in (0..64).filter_map(|bit| Some((bit, map.cell(bit)?))) {
                put(map.threats(role % 2) + cell, threats[bit]);
                put(map.mv() + cell, moves[bit]);
            }
        }
        let choices = if self.universal { universal::choices() } else { map.choices() };
        for number in 0..16 {
            put(choices + number, reply * (number % 8) as f32);
        }
        let mut output = vec![0.0; pairs];
        output[pairs - 1] = 1.0;
        let mut table = vec![0.0; NEIGHBOUR_WEIGHTS];
        for (parity, direction) in [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2)] {
            for (pattern, &weight) in neighbours.iter().enumerate() {
                // No disc lies above a playable cell.
                if direction > 0 || pattern & 0o7070 == 0 {
                    table[neighbour_at(parity, direction, pattern)] = weight;
                }
            }
        }
        NetworkWeights { rows, bias: vec![0.0; pairs], output, neighbours: table }
    }

    /// The networks in whole numbers: small ones by role, then large ones. Weights that are too
    /// large for their bytes are cut off, and ranks are scaled down where they might overflow.
    ///
    /// # Errors
    /// If there are not as many networks and weights as the form has, or weights are so large that
    /// units overflow.
    pub fn quantised(
        &self,
        networks: &[NetworkWeights],
        trained_on: String,
        made_by: String,
    ) -> Result<OrderWeights, WeightsError> {
        let mut scales = vec![1.0; networks.len()];
        loop {
            let parts: Vec<Vec<u8>> = networks
                .iter()
                .zip(&scales)
                .map(|(network, &scale)| network.bytes(scale))
                .collect();
            let weights = parts.concat();
            let overflowing = self.overflowing(&weights, &parts);
            if overflowing.is_empty() || scales.iter().any(|&scale| scale < 1e-3) {
                return match self.boards.first() {
                    Some((rules, _)) if !self.universal => {
                        OrderWeights::new(rules, trained_on, made_by, weights)
                    }
                    _ => OrderWeights::universal(trained_on, made_by, weights),
                };
            }
            overflowing.into_iter().for_each(|network| scales[network] *= 0.8);
        }
    }

    /// The networks whose sums could overflow on a board; none if the lengths are wrong.
    fn overflowing(&self, weights: &[u8], parts: &[Vec<u8>]) -> Vec<usize> {
        let mut found = Vec::new();
        if self.universal && weights.len() != universal::size() {
            return found;
        }
        for (_, map) in &self.boards {
            let of_board = self.universal.then(|| universal::for_board(weights, map));
            let mut rest = of_board.as_deref().unwrap_or(weights);
            for network in 0..parts.len() {
                let large = network >= ROLES;
                let size = if large {
                    PolicyNetwork::<LARGE, true>::bytes(map)
                } else {
                    PolicyNetwork::<SMALL, false>::bytes(map)
                };
                let Some((own, others)) = rest.split_at_checked(size) else { return found };
                let fits = if large {
                    PolicyNetwork::<LARGE, true>::is_in_range(own, map)
                } else {
                    PolicyNetwork::<SMALL, false>::is_in_range(own, map)
                };
                // The board's network of a role may be made from that of the other player.
                let swap = self.universal && universal::swaps_players(map);
                let from = if swap { network ^ 1 } else { network };
                if !fits && !found.contains(&from) {
                    found.push(from);
                }
                rest = others;
            }
        }
        found
    }

    /// The networks in floating point, as [`OrderForm::quantised`] takes them. None if the weights
    /// are of another game, or of one game and these are not.
    #[must_use]
    pub fn networks(&self, weights: &OrderWeights) -> Option<Vec<NetworkWeights>> {
        let game = self.boards.first().map(|board| &board.0).filter(|_| !self.universal);
        if weights.game() != game {
            return None;
        }
        let mut rest = weights.weights();
        let mut networks = Vec::new();
        for index in 0..2 * ROLES {
            let large = index >= ROLES;
            let (inputs, pairs) = (self.inputs(large), self.pairs(large));
            let (own, others) =
                rest.split_at_checked(inputs * pairs + 4 * pairs + NEIGHBOUR_WEIGHTS)?;
            rest = others;
            let byte = |byte: &u8, scale: f32| f32::from(byte.cast_signed()) / scale;
            let words = |first: usize, scale: f32| {
                own[first..first + 2 * pairs]
                    .chunks(2)
                    .map(|two| f32::from(i16::from_le_bytes([two[0], two[1]])) / scale)
                    .collect()
            };
            let bias = inputs * pairs;
            let step = (RANK_SCALE / NEIGHBOUR_STEP) as f32;
            networks.push(NetworkWeights {
                rows: own[..bias].iter().map(|at| byte(at, ROW_SCALE)).collect(),
                bias: words(bias, ROW_SCALE),
                output: words(bias + 2 * pairs, OUTPUT_SCALE),
                neighbours: own[bias + 4 * pairs..].iter().map(|at| byte(at, step)).collect(),
            });
        }
        Some(networks)
    }
}

impl NetworkWeights {
    /// The weights as a file has them, with the output weights scaled.
    fn bytes(&self, scale: f32) -> Vec<u8> {
        let byte = |weight: f32, one: f32| (weight * one).round().clamp(-127.0, 127.0) as i8 as u8;
        let word = |weight: f32, one: f32| {
            ((weight * one).round().clamp(-32767.0, 32767.0) as i16).to_le_bytes()
        };
        let step = (RANK_SCALE / NEIGHBOUR_STEP) as f32;
        let mut bytes: Vec<u8> = self.rows.iter().map(|&weight| byte(weight, ROW_SCALE)).collect();
        bytes.extend(self.bias.iter().flat_map(|&weight| word(weight, ROW_SCALE)));
        bytes.extend(self.output.iter().flat_map(|&weight| word(weight, scale * OUTPUT_SCALE)));
        bytes.extend(
            (0..self.neighbours.len())
                .map(|at| byte(scale * self.neighbours[symmetric_neighbour(at)], step)),
        );
        bytes
    }
}

//! The one source of randomness: a small seeded generator (SplitMix64).
//!
//! Everything random in Fourfold takes a seed and names it in its result, so the generator must
//! give the same numbers on every machine and in every version: it is part of the file format, so
//! to speak. It is not for secrets.

/// A seeded stream of numbers.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A stream of its own for item `index` of a run with `seed`, so that a run gives the same
    /// results in whatever order its items are worked on.
    #[must_use]
    pub fn for_item(seed: u64, index: u64) -> Self {
        let mut outer = Self::new(seed);
        let base = outer.next_u64();
        let mut inner = Self::new(base ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        inner.next_u64();
        inner
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, each equally likely.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "a number below 0 does not exist");
        // Multiply-shift with rejection: unbiased.
        let bound = bound as u64;
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            if wide as u64 >= threshold {
                return (wide >> 64) as usize;
            }
        }
    }

    /// True with the given probability (0 never, 1 always).
    pub fn chance(&mut self, probability: f64) -> bool {
        // 53 bits are what a double holds exactly.
        ((self.next_u64() >> 11) as f64) < probability * (1u64 << 53) as f64
    }

    /// One of `items`, each equally likely; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn gives_the_published_stream_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn below_is_fair_and_in_range() {
        let mut random = Random::new(7);
        let mut seen = [0u32; 7];
        for _ in 0..70_000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&n| (9_500..10_500).contains(&n)), "{seen:?}");
    }

    #[test]
    fn chance_keeps_its_ends() {
        let mut random = Random::new(7);
        assert!((0..1000).all(|_| !random.chance(0.0)));
        assert!((0..1000).all(|_| random.chance(1.0)));
    }
}

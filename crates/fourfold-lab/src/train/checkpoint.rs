//! A training under way as bytes: epochs, the curve, the weights and Adam's moments.

use super::model::Adam;
use super::{Check, Training};

/// Why bytes are not a checkpoint of this training.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// They are damaged, or something else.
    #[error("this is not a training under way, or it is damaged")]
    Damaged,
    /// They are of another training.
    #[error("this is another training: {found}")]
    Other {
        /// What it is of.
        found: String,
    },
}

impl Training {
    /// What a checkpoint belongs to.
    fn head(&self) -> String {
        let super::TrainOptions { rules, units, epochs, batch, rate, seed } = &self.options;
        let (fitted, held_out) = (self.fitted.len(), self.held_out.len());
        let begun_with = self.begun_with.as_ref();
        let begun_with = begun_with.map_or_else(String::new, |text| format!(", begun with {text}"));
        format!(
            "fourfold training 2: {rules}, {units} units, {epochs} epochs, batch {batch}, rate {rate}, \
             seed {seed}, {fitted} and {held_out} labels{begun_with}\n"
        )
    }

    /// The state after the last epoch.
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut bytes = self.head().into_bytes();
        bytes.extend((self.epoch as u64).to_le_bytes());
        bytes.extend(self.adam.steps.to_le_bytes());
        for check in &self.curve {
            bytes.extend(check.labels.to_le_bytes());
            bytes.extend(check.wrong.to_le_bytes());
            bytes.extend(check.loss.to_le_bytes());
        }
        for numbers in [&self.model.numbers, &self.adam.first, &self.adam.second, &self.adam.mean] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Goes back to a checkpoint.
    ///
    /// # Errors
    /// If it is damaged, or of another training; the state is as before.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let head = self.head();
        let Some(body) = bytes.strip_prefix(head.as_bytes()) else {
            let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
            return Err(match std::str::from_utf8(&bytes[..end]) {
                Ok(found) if found.starts_with("fourfold training") => {
                    CheckpointError::Other { found: found.to_owned() }
                }
                _ => CheckpointError::Damaged,
            });
        };
        let count = self.model.numbers.len();
        let mut words = body
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let (Some(epoch), Some(steps)) = (words.next(), words.next()) else {
            return Err(CheckpointError::Damaged);
        };
        let numbers_at = (16 + 24 * u128::from(epoch)).min(u128::from(u32::MAX)) as usize;
        if body.len() != numbers_at + 16 * count {
            return Err(CheckpointError::Damaged);
        }
        let mut curve = Vec::new();
        for _ in 0..epoch {
            let (Some(labels), Some(wrong), Some(loss)) =
                (words.next(), words.next(), words.next())
            else {
                return Err(CheckpointError::Damaged);
            };
            curve.push(Check { labels, wrong, loss: f64::from_bits(loss) });
        }
        let mut numbers = body[numbers_at..]
            .chunks_exact(4)
            .map(|number| f32::from_le_bytes(number.try_into().unwrap_or_default()));
        let Adam { first, second, mean, .. } = &mut self.adam;
        for target in [&mut self.model.numbers, first, second, mean] {
            for (target, number) in target.iter_mut().zip(&mut numbers) {
                *target = number;
            }
        }
        (self.epoch, self.adam.steps, self.curve) = (epoch as usize, steps, curve);
        Ok(())
    }
}

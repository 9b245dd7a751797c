//! Any evaluator behind a pointer, so that work is compiled once for all of them: half the code, for a
//! call at each leaf. For the engine in the browser; elsewhere each evaluator is compiled in.

use super::{Evaluate, EvaluatorTask};
use crate::game::{Geometry, Word};
use std::rc::Rc;

/// An evaluator whose kind is known at run time only.
#[derive(Clone)]
pub(super) struct SharedEvaluator<W>(Rc<dyn AnyEvaluator<W>>);

/// What a search asks of an evaluator.
trait AnyEvaluator<W> {
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32;
    fn is_symmetric(&self) -> bool;
}

impl<W: Word, E: Evaluate<W>> AnyEvaluator<W> for E {
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32 {
        Evaluate::evaluate(self, geometry, max, min)
    }

    fn is_symmetric(&self) -> bool {
        Evaluate::is_symmetric(self)
    }
}

impl<W: Word> Evaluate<W> for SharedEvaluator<W> {
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32 {
        AnyEvaluator::evaluate(&*self.0, geometry, max, min)
    }

    fn is_symmetric(&self) -> bool {
        AnyEvaluator::is_symmetric(&*self.0)
    }
}

/// The same work, for whichever evaluator it gets.
pub(super) struct WithShared<T>(pub(super) T);

impl<W: Word, T: EvaluatorTask<W>> EvaluatorTask<W> for WithShared<T> {
    type Output = T::Output;

    fn run<E: Evaluate<W> + 'static>(self, evaluator: E) -> T::Output {
        self.0.run(SharedEvaluator(Rc::new(evaluator)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Evaluator, Once, discs_of};
    use super::WithShared;
    use crate::game::{Geometry, Position, Side};

    #[test]
    fn values_are_those_of_the_evaluator_itself() {
        let position: Position = "4453321".parse().unwrap();
        let geometry = Geometry::<u128>::new(position.rules());
        for name in ["terminal", "windows", "windows-literal", "open-lines", "threats", "net"] {
            let evaluator: Evaluator = name.parse().unwrap();
            let (max, min) = discs_of(&position, Side::First);
            let once = || Once { geometry: &geometry, max, min };
            assert_eq!(
                evaluator.give_to(position.rules(), Side::First, WithShared(once())),
                evaluator.give_to(position.rules(), Side::First, once()),
                "{name}"
            );
        }
    }
}

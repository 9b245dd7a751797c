//! The large tables that come with the library, where a build leaves them out and has them brought
//! later: by a page, which shows its first move before it fetches them.
//!
//! A build with the features `book`, `weights` and `net` has all of them inside and asks nobody. Results must not
//! depend on when a table came, so there is one supplier for the whole program, named before the
//! first search, and it gives the bytes that the library would have had inside.

use std::borrow::Cow;
use std::sync::OnceLock;

/// A table that a build can leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The opening book of Connect Four.
    Book,
    /// The weights of the policy networks, which order the solver's moves on 7x6.
    Policy,
    /// The same for other boards: of networks of their own, and of universal ones.
    Boards,
    /// The network that evaluates positions of Connect Four.
    Net,
}

/// Gives the bytes of a part, or nothing if the program has to do without it.
pub type Supplier = fn(Part) -> Option<Vec<u8>>;

static SUPPLIER: OnceLock<Supplier> = OnceLock::new();

impl Part {
    /// Every part.
    pub const ALL: [Self; 4] = [Self::Book, Self::Policy, Self::Boards, Self::Net];

    /// The name of the part, which is also that of its file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Book => "7x6c4.book",
            Self::Policy => "policy.weights",
            Self::Boards => "boards.weights",
            Self::Net => "7x6c4.net",
        }
    }

    /// Its bytes, if this build has them inside.
    #[must_use]
    pub const fn inside(self) -> Option<&'static [u8]> {
        match self {
            #[cfg(feature = "book")]
            Self::Book => Some(include_bytes!("book/7x6c4.book")),
            #[cfg(feature = "weights")]
            Self::Policy => Some(include_bytes!("solver/policy/policy.weights")),
            #[cfg(feature = "weights")]
            Self::Boards => Some(include_bytes!("solver/policy/boards.weights")),
            #[cfg(feature = "net")]
            Self::Net => Some(include_bytes!("eval/net/7x6c4.net")),
            #[cfg(not(all(feature = "book", feature = "weights", feature = "net")))]
            _ => None,
        }
    }

    /// Its bytes, from inside or from the supplier.
    pub(crate) fn bytes(self) -> Option<Cow<'static, [u8]>> {
        match self.inside() {
            Some(bytes) => Some(Cow::Borrowed(bytes)),
            None => SUPPLIER.get().and_then(|supply| supply(self)).map(Cow::Owned),
        }
    }
}

/// Names who brings the parts that this build leaves out. Each is asked for when it is first needed,
/// and once; without it, its work is done without it. False if a supplier was named before.
pub fn supply_with(supplier: Supplier) -> bool {
    SUPPLIER.set(supplier).is_ok()
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn what_is_inside_is_what_the_features_say() {
        assert_eq!(Part::Book.inside().is_some(), cfg!(feature = "book"));
        for part in [Part::Policy, Part::Boards] {
            assert_eq!(part.inside().is_some(), cfg!(feature = "weights"));
        }
        assert_eq!(Part::Net.inside().is_some(), cfg!(feature = "net"));
        for part in Part::ALL {
            assert_eq!(part.bytes().as_deref(), part.inside());
        }
    }
}

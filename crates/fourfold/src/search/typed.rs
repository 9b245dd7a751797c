//! Trees typed by hand: `((9 8 7)(6 5 4)(3 2 1))`.
//!
//! A tree is a whole number (a leaf) or its children in parentheses, separated by spaces or commas.
//! Read without recursion, so that no input can exhaust the stack.

use super::ExplicitTree;
use super::explicit::{Content, DEEPEST, Item};
use crate::game::excerpt;
use std::str::FromStr;

/// Larger leaves would be taken for decided games ([`crate::score::DECIDED`]).
const LARGEST: i32 = 10_000_000;

/// Why a text is not a tree. Columns count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypedTreeError {
    /// There is nothing but space.
    #[error("there is no tree: write a number, or trees in parentheses, as in ((3 5)(2 9))")]
    Empty,
    /// A character that belongs to no tree.
    #[error(
        "column {column}: {found:?} does not belong here: a tree has numbers, parentheses, spaces and commas"
    )]
    Character {
        /// Which character.
        column: usize,
        /// What it is.
        found: char,
    },
    /// A number that is none or too large.
    #[error("column {column}: {text:?} is not a whole number from -{LARGEST} to {LARGEST}")]
    Number {
        /// Where it starts.
        column: usize,
        /// The beginning of what was found.
        text: String,
    },
    /// `()`.
    #[error(
        "column {column}: these parentheses hold nothing: a node without children must be a number"
    )]
    NoChildren {
        /// Where they close.
        column: usize,
    },
    /// A `)` with no `(` before it.
    #[error("column {column}: this parenthesis closes nothing")]
    Unopened {
        /// Where it is.
        column: usize,
    },
    /// A `(` with no `)` after it.
    #[error("the parenthesis opened at column {column} is never closed")]
    Unclosed {
        /// Where it is.
        column: usize,
    },
    /// Something after the end of the tree.
    #[error("column {column}: the tree has ended before this: put parentheses around the whole")]
    Trailing {
        /// Where it starts.
        column: usize,
    },
    /// Too many levels.
    #[error("column {column}: the tree is more than {DEEPEST} levels deep")]
    TooDeep {
        /// Where it becomes so.
        column: usize,
    },
    /// Too many children or nodes.
    #[error("column {column}: the tree is too large here: at most 65535 children a node")]
    TooLarge {
        /// Where it becomes so.
        column: usize,
    },
}

impl TypedTreeError {
    /// The character at which the text went wrong, counted from 1; none if there was no text.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        match *self {
            Self::Empty => None,
            Self::Character { column, .. }
            | Self::Number { column, .. }
            | Self::NoChildren { column }
            | Self::Unopened { column }
            | Self::Unclosed { column }
            | Self::Trailing { column }
            | Self::TooDeep { column }
            | Self::TooLarge { column } => Some(column),
        }
    }
}

/// A node while reading, depth first.
struct Draft {
    children: Vec<usize>,
    value: Option<i32>,
}

impl FromStr for ExplicitTree {
    type Err = TypedTreeError;

    fn from_str(text: &str) -> Result<Self, TypedTreeError> {
        Ok(lay_out(&read(text)?))
    }
}

fn read(text: &str) -> Result<Vec<Draft>, TypedTreeError> {
    let mut drafts: Vec<Draft> = Vec::new();
    // The nodes whose parentheses are open, with the column where they opened.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut characters = text.chars().enumerate().map(|(index, c)| (index + 1, c)).peekable();
    while let Some((column, found)) = characters.next() {
        if found.is_whitespace() || found == ',' {
            continue;
        }
        if found == ')' {
            let (node, _) = open.pop().ok_or(TypedTreeError::Unopened { column })?;
            if drafts[node].children.is_empty() {
                return Err(TypedTreeError::NoChildren { column });
            }
            continue;
        }
        // A new node begins: hang it below the innermost open one.
        let node = drafts.len();
        match open.last() {
            Some(&(parent, _)) if drafts[parent].children.len() >= usize::from(u16::MAX) => {
                return Err(TypedTreeError::TooLarge { column });
            }
            Some(&(parent, _)) => drafts[parent].children.push(node),
            None if node > 0 => return Err(TypedTreeError::Trailing { column }),
            None => {}
        }
        let value = match found {
            '(' => {
                if open.len() >= DEEPEST as usize {
                    return Err(TypedTreeError::TooDeep { column });
                }
                open.push((node, column));
                None
            }
            '-' | '+' | '0'..='9' => {
                let mut number = String::from(found);
                while let Some((_, digit)) = characters.next_if(|(_, c)| c.is_ascii_digit()) {
                    number.push(digit);
                }
                let value =
                    number.parse::<i32>().ok().filter(|value| (-LARGEST..=LARGEST).contains(value));
                Some(value.ok_or(TypedTreeError::Number { column, text: excerpt(&number) })?)
            }
            _ => return Err(TypedTreeError::Character { column, found }),
        };
        drafts.push(Draft { children: Vec::new(), value });
    }
    if let Some((_, column)) = open.pop() {
        return Err(TypedTreeError::Unclosed { column });
    }
    if drafts.is_empty() { Err(TypedTreeError::Empty) } else { Ok(drafts) }
}

/// Numbers the nodes breadth first.
fn lay_out(drafts: &[Draft]) -> ExplicitTree {
    let mut items: Vec<Item> = Vec::with_capacity(drafts.len());
    let mut level = vec![(0usize, 0u32)];
    let mut depth = 0;
    loop {
        let mut next = Vec::new();
        let mut first_child = (items.len() + level.len()) as u32;
        for &(draft, parent) in &level {
            let index = items.len() as u32;
            let Draft { children, value } = &drafts[draft];
            let content = if value.is_some() { Content::Ended } else { Content::Inner };
            items.push(Item {
                first_child,
                value: value.unwrap_or(0),
                children: children.len() as u16,
                content,
                ..Item::new(parent, depth, 0)
            });
            first_child += children.len() as u32;
            next.extend(children.iter().map(|&child| (child, index)));
        }
        if next.is_empty() {
            return ExplicitTree::from_items(items, depth);
        }
        depth += 1;
        level = next;
    }
}

//! Trees typed by hand: what is written comes back, and no text does harm.

use fourfold::search::{ExplicitTree, Limits, NodeId, SearchOptions, TypedTreeError, search_tree};
use proptest::prelude::*;

/// A tree as text, by the test's own hand.
fn print(tree: &ExplicitTree, node: NodeId) -> String {
    match tree.leaf_value(node) {
        Some(value) => value.to_string(),
        None => {
            let children: Vec<String> =
                tree.children(node).map(|child| print(tree, child)).collect();
            format!("({})", children.join(" "))
        }
    }
}

/// Any tree, written plainly.
fn plain_tree() -> impl Strategy<Value = String> {
    (-10_000_000..=10_000_000i32).prop_map(|leaf| leaf.to_string()).prop_recursive(
        6,
        120,
        6,
        |below| {
            prop::collection::vec(below, 1..6)
                .prop_map(|children| format!("({})", children.join(" ")))
        },
    )
}

/// The column (from 1) that an error names.
fn column(error: &TypedTreeError) -> Option<usize> {
    match *error {
        TypedTreeError::Empty => None,
        TypedTreeError::Character { column, .. }
        | TypedTreeError::Number { column, .. }
        | TypedTreeError::NoChildren { column }
        | TypedTreeError::Unopened { column }
        | TypedTreeError::Unclosed { column }
        | TypedTreeError::Trailing { column }
        | TypedTreeError::TooDeep { column }
        | TypedTreeError::TooLarge { column } => Some(column),
        ref new => panic!("where is {new}?"),
    }
}

/// Reads a text; an error must point at a character that can be to blame.
fn read(text: &str) -> Result<ExplicitTree, TypedTreeError> {
    let outcome = text.parse::<ExplicitTree>();
    if let Err(error) = &outcome {
        let at =
            column(error).map(|column| text.chars().nth(column - 1).expect("a column of the text"));
        let blamed = match (error, at) {
            (TypedTreeError::Empty, None) => {
                text.chars().all(|c| c.is_whitespace() || ",".contains(c))
            }
            (TypedTreeError::Character { found, .. }, Some(at)) => {
                at == *found && !"()0123456789+-,".contains(at)
            }
            (TypedTreeError::Number { text: number, .. }, Some(at)) => number.starts_with(at),
            (TypedTreeError::NoChildren { .. } | TypedTreeError::Unopened { .. }, Some(at)) => {
                at == ')'
            }
            (TypedTreeError::Unclosed { .. } | TypedTreeError::TooDeep { .. }, Some(at)) => {
                at == '('
            }
            (_, Some(at)) => !at.is_whitespace() && at != ')',
            (_, None) => false,
        };
        assert!(blamed, "{error:?} for {text:?}");
        let words = error.to_string();
        assert!(
            column(error).is_none_or(|column| words.contains(&format!("column {column}"))),
            "{words}"
        );
    }
    outcome
}

proptest! {
    #[test]
    fn no_text_does_harm(text in any::<String>()) {
        let _ = read(&text);
    }

    #[test]
    fn no_text_like_a_tree_does_harm(text in "[()0-9 ,+\\-x\u{2212}]{0,40}") {
        if let Ok(tree) = read(&text) {
            let limits = Limits::depth(tree.depth());
            let report = search_tree(&tree, &SearchOptions::default(), &limits, 0, &mut ()).unwrap();
            prop_assert_eq!(report.value, tree.weigh()[0]);
        }
    }

    #[test]
    fn what_is_written_comes_back(text in plain_tree()) {
        let tree = read(&text).unwrap();
        prop_assert_eq!(print(&tree, NodeId::ROOT), text.clone());
        // However it is spaced.
        let commas = text.replace(' ', " ,\t").replace('(', " ( ");
        prop_assert_eq!(print(&read(&commas).unwrap(), NodeId::ROOT), text);
    }

    #[test]
    fn a_character_put_in_is_found(text in plain_tree(), at in any::<prop::sample::Index>()) {
        let at = at.index(text.len() + 1);
        let wrong = format!("{}?{}", &text[..at], &text[at..]);
        // A minus sign that lost its number comes before it.
        let lone_sign = text[..at].ends_with('-');
        let expected = if lone_sign { at } else { at + 1 };
        let error = read(&wrong).err();
        // After the end of the tree it is one thing too many.
        prop_assert_eq!(error.as_ref().and_then(column), Some(expected), "{:?} in {}", error, wrong);
    }
}

#[test]
fn errors_say_where_and_what() {
    let cases: &[(&str, &str)] = &[
        ("", "there is no tree: write a number, or trees in parentheses, as in ((3 5)(2 9))"),
        (" , ", "there is no tree: write a number, or trees in parentheses, as in ((3 5)(2 9))"),
        (
            "((1 2)(3 x))",
            "column 10: 'x' does not belong here: a tree has numbers, parentheses, spaces and commas",
        ),
        ("(1 -)", "column 4: \"-\" is not a whole number from -10000000 to 10000000"),
        ("(1 10000001)", "column 4: \"10000001\" is not a whole number from -10000000 to 10000000"),
        (
            "-2147483648",
            "column 1: \"-2147483648\" is not a whole number from -10000000 to 10000000",
        ),
        (
            "(1 ())",
            "column 5: these parentheses hold nothing: a node without children must be a number",
        ),
        ("(1 2))", "column 6: this parenthesis closes nothing"),
        ("(1 (2 3)", "the parenthesis opened at column 1 is never closed"),
        ("(1 (2 3", "the parenthesis opened at column 4 is never closed"),
        ("(1 2) 3", "column 7: the tree has ended before this: put parentheses around the whole"),
        ("1 2", "column 3: the tree has ended before this: put parentheses around the whole"),
    ];
    for (text, words) in cases {
        assert_eq!(read(text).unwrap_err().to_string(), *words, "{text:?}");
    }
}

#[test]
fn depth_and_width_have_limits() {
    let nested = |levels: usize| format!("{}7{}", "(".repeat(levels), ")".repeat(levels));
    let deepest = read(&nested(256)).unwrap();
    assert_eq!((deepest.depth(), deepest.weigh()[0]), (256, 7));
    let limits = Limits::depth(256);
    assert_eq!(
        search_tree(&deepest, &SearchOptions::minimax(), &limits, 0, &mut ()).unwrap().value,
        7
    );
    assert_eq!(
        read(&nested(257)).unwrap_err().to_string(),
        "column 257: the tree is more than 256 levels deep"
    );
    assert!(read(&"(".repeat(1_000_000)).is_err());
    let wide = |children: usize| format!("({})", "1 ".repeat(children));
    assert_eq!(read(&wide(65_535)).unwrap().len(), 65_536);
    assert_eq!(
        read(&wide(65_536)).unwrap_err().to_string(),
        "column 131072: the tree is too large here: at most 65535 children a node"
    );
}

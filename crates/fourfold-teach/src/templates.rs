//! Programs that speak the contract and are right, to start from, and the shim that speaks it for
//! a Python module of functions.

/// A template: its language, the name of its file, its text.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// As it is typed.
    pub language: &'static str,
    /// The name of the file.
    pub file: &'static str,
    /// The program.
    pub text: &'static str,
    /// Whether it is a whole player.
    pub is_player: bool,
}

/// All of them.
pub const TEMPLATES: [Template; 6] = [
    Template {
        language: "python",
        file: "search.py",
        text: include_str!("../templates/search.py"),
        is_player: false,
    },
    Template {
        language: "functions",
        file: "functions.py",
        text: include_str!("../templates/functions.py"),
        is_player: false,
    },
    Template {
        language: "java",
        file: "Search.java",
        text: include_str!("../templates/Search.java"),
        is_player: false,
    },
    Template {
        language: "cpp",
        file: "search.cpp",
        text: include_str!("../templates/search.cpp"),
        is_player: false,
    },
    Template {
        language: "javascript",
        file: "search.mjs",
        text: include_str!("../templates/search.mjs"),
        is_player: false,
    },
    Template {
        language: "engine",
        file: "player.py",
        text: include_str!("../templates/player.py"),
        is_player: true,
    },
];

/// Runs a Python module that has `minimax`, `alphabeta` or `best_move`: its path is the argument.
pub const SHIM: &str = include_str!("../templates/shim.py");

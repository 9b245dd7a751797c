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
}

/// All of them.
pub const TEMPLATES: [Template; 6] = [
    Template {
        language: "python",
        file: "search.py",
        text: include_str!("../templates/search.py"),
    },
    Template {
        language: "functions",
        file: "functions.py",
        text: include_str!("../templates/functions.py"),
    },
    Template {
        language: "java",
        file: "Search.java",
        text: include_str!("../templates/Search.java"),
    },
    Template { language: "cpp", file: "search.cpp", text: include_str!("../templates/search.cpp") },
    Template {
        language: "javascript",
        file: "search.mjs",
        text: include_str!("../templates/search.mjs"),
    },
    Template {
        language: "engine",
        file: "player.py",
        text: include_str!("../templates/player.py"),
    },
];

/// Runs a Python module that has `minimax`, `alphabeta` or `best_move`: its path is the argument.
pub const SHIM: &str = include_str!("../templates/shim.py");

//! Experiment files: the built-in ones are sound, and errors in others name file, line and key.

use fourfold_lab::{Experiment, FileError, TEMPLATE, Task, builtin};

fn read(text: &str) -> Result<Experiment, FileError> {
    Experiment::read("my.toml", text, false, &|file| match file {
        "two.txt" => Ok("44 # a comment\n\nempty\n".to_owned()),
        "none.txt" => Ok("# nothing\n".to_owned()),
        "bad.txt" => Ok("\u{feff}44\n\n48\n".to_owned()),
        _ => Err(format!("cannot read {file}: no such file")),
    })
}

#[test]
fn every_builtin_experiment_is_sound() {
    assert_eq!(builtin::names().count(), 10);
    for name in builtin::names() {
        for quick in [false, true] {
            let experiment = builtin::read(name, quick).unwrap().unwrap();
            assert_eq!(experiment.name, name);
            assert!(experiment.question.ends_with('?'), "{name} asks nothing");
            let mut keys: Vec<&str> = experiment
                .parts
                .iter()
                .flat_map(|part| &part.cells)
                .map(|cell| cell.key.as_str())
                .collect();
            let cells = keys.len();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), cells, "{name}: cells share a key");
        }
        let (full, quick) = (builtin::read(name, false), builtin::read(name, true));
        let items =
            |experiment: Option<Result<Experiment, _>>| experiment.unwrap().unwrap().items();
        assert!(items(quick) <= items(full), "{name}: the quick version is larger");
    }
    assert!(builtin::read("nothing", false).is_none());
}

#[test]
fn every_published_figure_has_its_cells() {
    for name in builtin::names() {
        let experiment = builtin::read(name, false).unwrap().unwrap();
        for part in &experiment.parts {
            for published in &part.published {
                let fits = |cell: &&fourfold_lab::ExperimentCell| {
                    published.at.iter().all(|&(axis, value)| cell.values[axis] == value)
                };
                assert!(
                    part.cells.iter().any(|cell| fits(&cell)),
                    "{name}, {}: {published:?}",
                    part.name
                );
            }
        }
    }
}

#[test]
fn the_template_is_an_experiment() {
    let experiment = read(TEMPLATE).unwrap();
    assert_eq!(experiment.parts.iter().map(|part| part.cells.len()).sum::<usize>(), 12);
}

const HEAD: &str = "title = \"t\"\nquestion = \"q?\"\n";

#[test]
fn errors_name_file_line_and_key() {
    let part = "[[match]]\nname = \"a\"\nplayer = \"naive\"\nopponent = \"random\"\ngames = 5\n";
    let search = "[[search]]\nname = \"a\"\ndepth = 3\n";
    // As many combinations as a word has values: their number must not wrap around.
    let many: Vec<String> = (0..64).map(|axis| format!("a{axis} = [1, 2]")).collect();
    let many = many.join(", ");
    let long = "{b}".repeat(10_000);
    let mut faults = Vec::new();
    for (text, message) in [
        ("title = \"t\"\n[[match]]\n", "my.toml:2: match: name is missing"),
        (
            HEAD,
            "my.toml:1: an experiment needs at least one of [[match]], [[search]], [[count]], \
             [[replica]]",
        ),
        (part, "my.toml:1: title is missing"),
        (
            &format!("{HEAD}{part}gmaes = 5\n"),
            "my.toml:8: match, gmaes: there is no such key; did you mean games?",
        ),
        (
            &format!("qestion = 1\n{HEAD}{part}"),
            "my.toml:1: qestion: there is no such key; did you mean question?",
        ),
        (
            &format!("{HEAD}{part}").replace("games = 5", "games = 0"),
            "my.toml:7: match, games: \"0\" is not a whole number from 1 to 10000000",
        ),
        (
            &format!("{HEAD}{part}").replace("naive", "nave"),
            "my.toml:5: match, player: there is no player \"nave\"; did you mean naive?",
        ),
        (
            &format!("{HEAD}{part}begins = \"nobody\"\n"),
            "my.toml:8: match, begins: \"nobody\" is not player, opponent or turns",
        ),
        (
            &format!("{HEAD}{part}show = [\"wins\", \"winz\"]\n"),
            "my.toml:8: match, show: there is no metric \"winz\"; did you mean wins?",
        ),
        (
            &format!("{HEAD}{part}vary = {{ depth = [] }}\n"),
            "my.toml:8: match, vary, depth: the list is empty",
        ),
        (
            &format!("{HEAD}{part}opening = \"{{colum}}\"\n"),
            "my.toml:8: match, opening: {colum} is neither varied nor a field of what is varied",
        ),
        (
            &format!("{HEAD}{part}opening = \"{{column}}\"\nvary = {{ column = [7, 8] }}\n"),
            "my.toml:8: match, opening: move 1: there is no column 8: the board has columns 1 to 7 \
             (with column = 8)",
        ),
        (
            &format!(
                "{HEAD}{part}vary = {{ a = [1] }}\npublished = [{{ at = {{ a = 2 }}, wins = 1 }}]\n"
            ),
            "my.toml:9: match, published, at, a: \"2\" is not among the values that are varied",
        ),
        (
            &format!("{HEAD}{part}published = [{{ wins = \"many\" }}]\n"),
            "my.toml:8: match, published, wins: a published figure is a number or a range such as \
             \"55..58\"",
        ),
        (
            &format!("{HEAD}{part}[[match.plot]]\ntitle = \"p\"\nx = \"depth\"\ny = \"wins\"\n"),
            "my.toml:10: match, plot, x: \"depth\" is not varied here; nothing is varied",
        ),
        (&format!("{HEAD}{part}{part}"), "my.toml:8: match 2: there are two parts named a"),
        (
            &format!("{HEAD}{part}quick = {{ opening = \"4\" }}\n"),
            "my.toml:8: match, quick: opening is not set for the full run",
        ),
        (
            &format!("{HEAD}{search}"),
            "my.toml:3: search: positions or file is missing; positions = \"\" is the empty board",
        ),
        (
            &format!("{HEAD}{search}file = \"x.txt\"\n"),
            "my.toml:6: search, file: cannot read x.txt: no such file",
        ),
        (
            &format!("{HEAD}{search}file = \"none.txt\"\n"),
            "none.txt: there is no position in this file",
        ),
        (
            &format!("{HEAD}{search}file = \"bad.txt\"\n"),
            "bad.txt:3: move 2: there is no column 8: the board has columns 1 to 7",
        ),
        (
            &format!("{HEAD}{search}positions = \"1212121\"\n"),
            "my.toml:6: search, positions: the game is over in \"1212121\"",
        ),
        (
            &format!("{HEAD}{search}positions = \"\"\nswitches = \"mid_row\"\n"),
            "my.toml:7: search, switches: there is no switch \"mid_row\"; did you mean mid_col?",
        ),
        (
            &format!("{HEAD}{search}positions = \"\"\neval = \"square\"\n"),
            "my.toml:7: search, eval: the evaluator square cannot judge 7x6c4: it is for squares \
             of side 2 where discs fall",
        ),
        (
            &format!("{HEAD}[[count]]\nname = \"c\"\nply = 21\n"),
            "my.toml:5: count, ply: \"21\" is not a whole number from 0 to 20",
        ),
        (
            &format!("seed = -1\n{HEAD}{part}"),
            "my.toml:1: seed: \"-1\" is not a whole number from 0 to 9007199254740991",
        ),
        (
            &format!(
                "{HEAD}{part}opening = \"{{a}}\"\nvary = {{ a = [\"{{b}}\"], b = [\"{{a}}\"] }}\n"
            ),
            "my.toml:8: match, opening: the values in braces refer to each other without end",
        ),
        (
            &format!("{HEAD}{part}vary = {{ {many} }}\n"),
            "my.toml:3: match: vary makes more than 5000 combinations",
        ),
        (
            &format!(
                "{HEAD}{part}opening = \"{{a}}\"\nvary = {{ a = [\"{long}\"], b = [\"{long}\"] }}\n"
            ),
            "my.toml:8: match, opening: filled in, this is longer than 65536 bytes",
        ),
    ] {
        let told = read(text).map_or_else(|error| error.to_string(), |_| "no error".to_owned());
        if told != message {
            faults.push(format!("told:   {told}\nwanted: {message}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    // A byte-order mark is no part of the text. Syntax errors are in the words of the parser.
    assert!(read(&format!("\u{feff}{HEAD}{part}")).is_ok());
    assert!(
        read("title = \"t\"\nquestion = \n").unwrap_err().to_string().starts_with("my.toml:2: ")
    );
}

#[test]
fn errors_in_figures_and_plots_name_line_and_key() {
    let part = "[[search]]\nname = \"s\"\npositions = \"\"\ndepth = \"{depth}\"\n\
                vary = { depth = [1, 2, 3, 4, 5, 6, 7, 8, 9] }\n\
                published = [{ at = { depth = 2 }, nodes = 57 }]\n";
    let figure = "[[figure]]\nname = \"f\"\npart = \"s\"\nmetric = \"nodes\"\n";
    let whole = |text: &str, figure: &str| format!("finding = \"{text}\"\n{HEAD}{part}{figure}");
    let at = format!("{figure}at = {{ depth = 2 }}\n");
    assert!(read(&whole("It took {f}.", &at)).is_ok());
    let mut faults = Vec::new();
    for (text, message) in [
        (
            whole("{g} nodes", &at),
            "my.toml:1: finding: there is no figure \"g\"; there are f (a brace by itself is \
             written twice: {{)",
        ),
        (whole("{f nodes", &at), "my.toml:1: finding: a { has no matching }"),
        (
            whole("", figure),
            "my.toml:10: figure: 9 cells have these values, such as \"s: depth=1\" and \"s: \
             depth=2\"; name one with at, or say over = \"least\", \"most\" or \"mean\"",
        ),
        (
            whole("", &at.replace("\"s\"", "\"t\"")),
            "my.toml:12: figure, part: there is no part \"t\"; there are s",
        ),
        (
            whole("", &at.replace("\"nodes\"", "\"node\"")),
            "my.toml:13: figure, metric: there is no metric \"node\"; did you mean nodes?",
        ),
        (
            whole("", &at.replace("= 2 }", "= [2, 12] }")),
            "my.toml:14: figure, at, depth: \"12\" is not among the values that are varied",
        ),
        (
            whole("", &format!("{at}show = \"sum\"\n")),
            "my.toml:15: figure, show: \"sum\" is not one of value, interval, published, ratio, \
             exact, rounded, cells, growth",
        ),
        (
            whole("", &format!("{at}show = \"ratio\"\n").replace("= 2 }", "= 3 }")),
            "my.toml:10: figure: nothing is published for it",
        ),
        (
            whole("", &format!("{at}{at}")),
            "my.toml:16: figure 2, name: there are two figures named f",
        ),
        (
            whole("", &format!("{at}with = 3\n")),
            "my.toml:15: figure, with: there is no such key; there are at, metric, name, over, \
             part, show",
        ),
        (
            whole("", &at).replace("published", "pool = \"width\"\npublished"),
            "my.toml:9: search, pool: \"width\" is not varied here; vary has depth",
        ),
    ] {
        let told = read(&text).map_or_else(|error| error.to_string(), |_| "no error".to_owned());
        if told != message {
            faults.push(format!("told:   {told}\nwanted: {message}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn a_plot_has_no_more_lines_than_colours() {
    let text = |metrics: &str| {
        format!(
            "{HEAD}[[search]]\nname = \"s\"\npositions = \"\"\ndepth = \"{{depth}}\"\n\
             switches = \"mid_col={{mid_col}}\"\n\
             vary = {{ mid_col = [\"off\", \"on\"], depth = [1, 2, 3, 4, 5, 6, 7, 8, 9] }}\n\
             [[search.plot]]\ntitle = \"t\"\nx = \"mid_col\"\ny = {metrics}\nlines = \"depth\"\n"
        )
    };
    let plots = |metrics: &str| read(&text(metrics)).unwrap().parts.remove(0).plots;
    let split = plots("\"nodes\"");
    let told: Vec<_> =
        split.iter().map(|plot| (plot.title.as_str(), plot.groups.clone())).collect();
    assert_eq!(told, [("t (1 of 2)", 0..4), ("t (2 of 2)", 4..9)]);
    assert_eq!(plots("[\"nodes\", \"leaves\"]").len(), 3);
    let many = "[\"nodes\", \"leaves\", \"calls\", \"evaluations\", \"score\", \"positions\", \
                \"first_cuts\", \"time\"]";
    assert_eq!(
        read(&text(many)).unwrap_err().to_string(),
        "my.toml:9: search, plot: y has 8 metrics, and there are 7 colours: make several plots"
    );
}

#[test]
fn values_are_filled_in_and_multiplied_out() {
    let text = format!(
        "{HEAD}[[search]]\nname = \"s\"\nfile = \"{{file}}\"\ndepth = \"{{how.depth}}\"\n\
         switches = \"{{how.switches}}\"\n\
         vary = {{ file = [\"two.txt\"], how = [\
         {{ name = \"plain\", depth = 2, switches = \"alpha_beta=off\" }}, \
         {{ name = \"more\", depth = 4, switches = \"mid_col,table=2\" }}] }}\n"
    );
    let experiment = read(&text).unwrap();
    let cells = &experiment.parts[0].cells;
    assert_eq!(cells[1].key, "s: file=two.txt, how=more");
    let Task::Search(task) = &cells[1].task else { panic!("a search") };
    assert_eq!(
        (task.positions.len(), task.depth, task.options.table, task.options.mid_col),
        (2, 4, 2, true)
    );
    // The work counts, not what is said about it.
    let other = read(&text.replace("depth = 4", "depth = 5")).unwrap();
    assert_ne!(other.fingerprint, experiment.fingerprint);
    let same = read(&text.replace("\"q?\"", "\"What?\"")).unwrap();
    assert_eq!(same.fingerprint, experiment.fingerprint);
}

#[test]
fn arbitrary_files_are_refused_without_panic() {
    let mut random = fourfold::random::Random::new(7);
    for _ in 0..3000 {
        let mut bytes = TEMPLATE.as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = b" \"[]{}=#\n09az"[random.below(13)],
                1 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        // Sound or not, nothing panics, and an error names the file.
        if let Err(error) = read(&String::from_utf8_lossy(&bytes)) {
            assert!(error.to_string().starts_with("my.toml:"), "{error}");
        }
    }
}

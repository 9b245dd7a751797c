//! What is computed from a finished run: the figures in its texts, cells put together, tables that
//! fit, plots that say what they leave out, and the games that were kept.

use fourfold::play::{Record, wilson};
use fourfold::workers::Threads;
use fourfold_lab::plot::{Plot, draw};
use fourfold_lab::{
    Experiment, Outcome, Provenance, ResultTable, RunError, RunOptions, csv, report, run, summary,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const TEXT: &str = r#"
title = "t"
question = "q?"
finding = "Depth 2 has {two} nodes ({published} published, {ratio} times ours), {least} to {most}."
text = ["Exact: {exact} of {cells}, rounded {rounded}. Growth 7^({growth} d). Not run: {none}. {{x}}"]

[[search]]
name = "s"
positions = ""
depth = "{depth}"
switches = "alpha_beta=off"
budget = 3000
notes = ["The mean of the first two is {mean}."]
vary = { depth = [1, 2, 3, 4, 5] }
published = [
  { at = { depth = 1 }, nodes = 8 },
  { at = { depth = 2 }, nodes = 114 },
  { at = { depth = 3 }, nodes = "300..500" },
  { at = { depth = 4 }, nodes = 2800 },
]
[[search.plot]]
title = "Nodes"
x = "depth"
y = "nodes"
log = true

[[match]]
name = "m"
game = "4x4c3"
player = "random"
opponent = "naive"
opening = "{column}"
games = "{column.games}"
pool = "column"
show = ["wins", "turns"]
vary = { column = [{ name = "1", games = 30 }, { name = "2", games = 10 }] }
[[match.plot]]
title = "Wins"
x = "all"
y = "wins"
"#;

fn text() -> String {
    let figures = [
        ("two", "metric = \"nodes\"\nat = { depth = 2 }"),
        ("published", "metric = \"nodes\"\nat = { depth = 2 }\nshow = \"published\""),
        ("ratio", "metric = \"nodes\"\nat = { depth = 2 }\nshow = \"ratio\""),
        ("least", "metric = \"nodes\"\nover = \"least\""),
        ("most", "metric = \"nodes\"\nover = \"most\""),
        ("mean", "metric = \"nodes\"\nat = { depth = [1, 2] }\nover = \"mean\""),
        ("exact", "metric = [\"nodes\", \"leaves\"]\nshow = \"exact\""),
        ("rounded", "metric = \"nodes\"\nshow = \"rounded\""),
        ("cells", "metric = \"nodes\"\nshow = \"cells\""),
        ("growth", "metric = \"leaves\"\nshow = \"growth\"\nalong = \"depth\"\nbase = 7"),
        ("none", "metric = \"nodes\"\nat = { depth = 5 }"),
    ];
    let figures = figures
        .map(|(name, rest)| format!("[[figure]]\nname = \"{name}\"\npart = \"s\"\n{rest}\n"));
    // A second axis, so that a plot can average over the first.
    let text = TEXT
        .replace("games = 10 }] }", "games = 10 }], all = [\"both\"] }")
        .replace("pool = \"column\"", "pool = [\"column\"]");
    text + &figures.join("\n")
}

fn experiment() -> Experiment {
    Experiment::read("t.toml", &text(), false, &|file| Err(format!("no {file}"))).unwrap()
}

fn directory(name: &str) -> PathBuf {
    let path =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn go(out: &Path, resume: bool, keep_games: Option<&Path>) -> Result<Outcome, RunError> {
    let options = RunOptions {
        out: out.to_owned(),
        threads: Threads::new(2).unwrap(),
        resume,
        stop: Arc::default(),
        keep_games: keep_games.map(Path::to_owned),
    };
    run(&experiment(), &options, |_| {})
}

#[test]
fn texts_hold_the_figures_of_their_run() {
    let out = directory("figures");
    let outcome = go(&out, false, None).unwrap();
    let filled = experiment().with_figures(&outcome);
    assert_eq!(
        filled.finding.as_deref(),
        Some("Depth 2 has 57 nodes (114 published, 2.0 times ours), 8 to 2\u{202f}801.")
    );
    assert_eq!(
        filled.text,
        ["Exact: 1 of 4, rounded 1. Growth 7^(1.00 d). Not run: –. {x}".to_owned()]
    );
    assert_eq!(filled.parts[0].notes, ["The mean of the first two is 32.5.".to_owned()]);
    // The report and the summary have them, and a second call changes nothing.
    let provenance = Provenance::of_this_process("c".to_owned(), None, 1, outcome.seconds);
    assert!(report(&filled, &outcome, &provenance).contains("Depth 2 has 57 nodes"));
    let told = summary(&filled, &outcome, &provenance);
    assert_eq!(told["finding"].as_str(), filled.finding.as_deref());
    assert_eq!(filled.with_figures(&outcome).text, filled.text);
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn cells_are_pooled_in_tables_and_plots() {
    let out = directory("pooled");
    let (experiment, outcome) = (experiment(), go(&out, false, None).unwrap());
    let (part, found) = (&experiment.parts[1], &outcome.parts[1]);
    let wins = |cell: usize| (found.cells[cell].metrics["wins"].value * [30.0, 10.0][cell]).round();
    let (hits, interval) = (wins(0) + wins(1), wilson((wins(0) + wins(1)) as u64, 40));
    let table = ResultTable::of(part, found);
    let last = table.rows.last().unwrap();
    assert_eq!((table.rows.len(), last[0].as_str()), (3, "all"));
    let share = format!("{} %", (1000.0 * hits / 40.0).round() / 10.0);
    assert!(last[2].starts_with(&share), "{last:?} {share}");
    assert!(last[3].contains(" to "), "{last:?}");
    // The error bar of a plot that averages over the columns is the pooled interval.
    let plot = Plot::of(&part.plots[0], part, found).unwrap();
    let point = plot.series[0].points[0];
    assert!((point.y - hits / 40.0).abs() < 1e-12);
    assert_eq!(point.whisker, Some((interval.low, interval.high)));
    // What is pooled is in the data too.
    let rows = csv(&experiment, &outcome);
    let row = rows.lines().find(|row| row.contains(",all,") && row.contains(",wins,")).unwrap();
    assert!(row.contains(&format!(",wins,{},{},", hits / 40.0, interval.low)), "{row}");
    let provenance = Provenance::of_this_process("c".to_owned(), None, 1, outcome.seconds);
    let told = &summary(&experiment, &outcome, &provenance)["parts"];
    assert_eq!(told[0]["pooled"].as_array().map(Vec::len), Some(0));
    assert_eq!(told[1]["pooled"][0]["metrics"]["wins"]["value"].as_f64(), Some(hits / 40.0));
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn plots_say_what_they_leave_out_and_tables_fit() {
    let out = directory("fits");
    let (experiment, outcome) = (experiment(), go(&out, false, None).unwrap());
    let (part, found) = (&experiment.parts[0], &outcome.parts[0]);
    let plot = Plot::of(&part.plots[0], part, found).unwrap();
    assert_eq!(plot.left_out.as_deref(), Some("Not shown: 5 (not run)."));
    assert!(draw(&plot).contains(">Not shown: 5 (not run).</text>"));
    // A plot that was split has the scale of all its parts.
    assert_eq!(plot.beside, []);
    let ticks = |plot: &Plot| -> Vec<String> {
        let drawn = draw(plot);
        let ticks = drawn.split("class=\"small end\"").skip(1);
        ticks.map(|tick| tick.split("</text>").next().unwrap_or("").to_owned()).collect()
    };
    assert!(ticks(&plot).len() > 2);
    let mut part_of = plot.clone();
    part_of.series[0].points.truncate(1);
    part_of.beside = plot.series.iter().flat_map(|series| series.points.clone()).collect();
    assert_eq!(ticks(&part_of), ticks(&plot));
    let table = ResultTable::of(part, found);
    let wide = table.to_text(None);
    let narrow = table.to_text(Some(40));
    let longest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(longest(&wide) > 40 && longest(&narrow) <= 40, "{narrow}");
    // Every block starts with the axis, and nothing is lost.
    let blocks: Vec<&str> = narrow.split("\n\n").collect();
    assert!(blocks.len() > 1 && blocks.iter().all(|block| block.starts_with("depth")), "{narrow}");
    for field in table.rows.iter().flatten() {
        assert!(narrow.contains(field.as_str()), "{field}");
    }
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn games_are_kept_on_demand_and_after_an_interruption() {
    let (out, file) = (directory("kept"), directory("kept.jsonl"));
    let _ = fs::remove_file(&file);
    go(&out, false, Some(&file)).unwrap();
    let games = |file: &Path| {
        let text = fs::read_to_string(file).unwrap();
        let mut games: Vec<String> = Vec::new();
        for line in text.lines() {
            let record: Record = line.parse().unwrap();
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            games.push(format!("{} {} {:?}", value["cell"], value["number"], record.moves));
        }
        games.sort();
        games
    };
    let all = games(&file);
    assert_eq!(all.len(), 40);
    let mut distinct = all.clone();
    distinct.dedup();
    assert_eq!(distinct, all, "no game is there twice");
    // A file that lost its end gets the missing games back, though the journal is complete; the
    // journal stays as it is.
    let text = fs::read(&file).unwrap();
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    let journal = fs::read(out.join("journal.jsonl")).unwrap();
    go(&out, true, Some(&file)).unwrap();
    assert_eq!(games(&file), all);
    let blocks = |bytes: &[u8]| String::from_utf8_lossy(bytes).matches("\"cell\"").count();
    assert_eq!(blocks(&fs::read(out.join("journal.jsonl")).unwrap()), blocks(&journal));
    // A new run does not write into an old file, and does not begin.
    let other = directory("kept-other");
    let refused = go(&other, false, Some(&file)).unwrap_err();
    assert!(matches!(refused, RunError::Games { .. }) && !other.exists(), "{refused}");
    fs::remove_file(file).unwrap();
    fs::remove_dir_all(out).unwrap();
}

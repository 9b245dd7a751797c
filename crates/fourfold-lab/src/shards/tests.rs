//! Shards done in any order make what one machine makes; what is not whole is refused.

use super::*;
use crate::labels::{LabelFile, LabelOptions};
use fourfold::book::Draft;
use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::solver::{Solver, SolverOptions};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fourfold-shards-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn rules(text: &str) -> Rules {
    text.parse().unwrap()
}

fn run(folder: &Path, manifest: &Manifest, number: u64, threads: usize) {
    let work = Work::of(manifest).unwrap();
    let mut lines = Vec::new();
    work.run(manifest.rows_of(number), threads, &Budget::unlimited(), |row, text| {
        lines.push((row, text));
        ControlFlow::Continue(())
    })
    .unwrap();
    write_shard(folder, manifest, number, lines).unwrap();
}

fn run_all(folder: &Path, manifest: &Manifest) {
    // Last first, on one thread or two.
    for number in (0..manifest.shards).rev() {
        run(folder, manifest, number, 1 + number as usize % 2);
    }
}

fn merged(folder: &Path, manifest: &Manifest) -> Result<Merged, MergeError> {
    merge(folder, manifest, Work::of(manifest).unwrap())
}

#[test]
fn a_book_of_shards_is_the_book() {
    let game = rules("5x4c4");
    let mut draft = Draft::new(&game, 4).unwrap();
    let mut solver = Solver::new(&game, SolverOptions::default()).unwrap();
    for position in draft.needed().to_vec() {
        let solved = solver.solve(&position, &Budget::unlimited()).unwrap();
        draft.set(&position, solved.score).unwrap();
    }
    let whole = draft.finish().unwrap().to_bytes().unwrap();
    let folder = folder("book");
    for shards in [1, 3, 7] {
        let manifest = Manifest::new(Job::Book { game, plies: 4 }, shards).unwrap();
        run_all(&folder, &manifest);
        assert_eq!(merged(&folder, &manifest).unwrap(), Merged::Book { bytes: whole.clone() });
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_board_of_shards_has_its_value_and_a_certificate_of_exact_scores() {
    let folder = folder("solve");
    for game in ["4x4c4", "5x4c4", "4x5c3", "5x4s2"].map(rules) {
        let manifest = Manifest::new(Job::Solve { game, plies: 3 }, 2).unwrap();
        run_all(&folder, &manifest);
        let Merged::Value { verdict, certificate } = merged(&folder, &manifest).unwrap() else {
            panic!("a value")
        };
        let mut solver = Solver::new(&game, SolverOptions::default()).unwrap();
        let mut score = |position: &Position| {
            let solved = solver.solve(position, &Budget::unlimited()).unwrap();
            (solved.verdict, solved.score)
        };
        assert_eq!(verdict, score(&Position::new(game)).0, "{game}");
        assert_eq!(certificate.lines().count() as u64, manifest.rows);
        for line in certificate.lines() {
            let (moves, found) = line.rsplit_once(' ').unwrap();
            let moves = fourfold::game::notation::parse_moves(&game, moves).unwrap();
            let position = Position::from_moves(game, &moves).unwrap();
            assert_eq!(score(&position).1.to_string(), found, "{game} {line}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn labels_of_shards_are_those_of_one_run() {
    let folder = folder("labels");
    let mut options = LabelOptions::new(rules("5x4c4"));
    (options.plies, options.seed, options.weak) = (2..=8, 7, true);
    let path = folder.join("labels.txt");
    let mut file = LabelFile::open(&path, options.clone()).unwrap();
    file.extend(150, 1, &Budget::unlimited(), |_| ()).unwrap();
    let job = |blocks| Job::Labels {
        game: options.rules,
        seed: 7,
        plies: [2, 8],
        weak: true,
        nodes: options.nodes,
        remaining: None,
        count: 150,
        blocks,
    };
    let manifest = Manifest::new(job(24), 5).unwrap();
    run_all(&folder, &manifest);
    let bytes = fs::read(&path).unwrap();
    let merged_labels = merged(&folder, &manifest).unwrap();
    assert_eq!(merged_labels, Merged::Labels { bytes, count: 150, wanted: 150 });
    // Too few games: what there is, and how much is missing.
    let short = Manifest::new(job(2), 2).unwrap();
    run_all(&folder, &short);
    match merged(&folder, &short).unwrap() {
        Merged::Labels { count, wanted: 150, .. } => assert!((10..150).contains(&count)),
        other => panic!("{other:?}"),
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn games_of_shards_are_those_of_the_tournament() {
    use crate::tournament;
    let folder = folder("games");
    let job = Job::Tournament {
        game: rules("5x4c4"),
        format: tournament::Format::RoundRobin,
        players: ["level:2", "naive", "random"].map(str::to_owned).to_vec(),
        openings: vec![String::new(), "3".to_owned()],
        games: 10,
        seed: 3,
    };
    let manifest = Manifest::new(job.clone(), 4).unwrap();
    assert_eq!(manifest.rows, 30);
    run_all(&folder, &manifest);
    let Merged::Games { text } = merged(&folder, &manifest).unwrap() else { panic!("games") };
    let saved = folder.join("games.jsonl");
    fs::write(&saved, text).unwrap();
    let tournament = job.tournament().unwrap().unwrap();
    let play = |path| {
        let mut played = 0;
        let outcome = tournament::run(&tournament, 1, &Budget::unlimited(), path, |event| {
            if let tournament::TournamentEvent::Game { is_saved: false, .. } = event {
                played += 1;
            }
        });
        let outcome = outcome.unwrap();
        let wins = outcome.pairings.iter().map(|pairing| pairing.pentanomial().counts).collect();
        (played, wins)
    };
    let (played, wins): (u32, Vec<[u64; 5]>) = play(Some(saved.as_path()));
    assert_eq!(played, 0, "all games are in the file");
    assert_eq!((30, wins), play(None));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_not_a_whole_shard_of_this_manifest_is_named_and_refused() {
    let folder = folder("bad");
    let game = rules("4x4c4");
    let manifest = Manifest::new(Job::Book { game, plies: 3 }, 6).unwrap();
    run_all(&folder, &manifest);
    let other = Manifest::new(Job::Book { game, plies: 3 }, 5).unwrap();
    let path = |number| folder.join(shard_name(number));
    let text = |number| fs::read_to_string(path(number)).unwrap();
    let third = text(2);
    // Missing, cut off, one bit wrong, renamed, a row left out with the right checksum, foreign.
    fs::remove_file(path(0)).unwrap();
    fs::write(path(1), &text(1)[..text(1).len() - 9]).unwrap();
    fs::write(path(2), third.replacen("\t", "\t1", 1)).unwrap();
    fs::copy(path(4), path(3)).unwrap();
    write_shard(&folder, &manifest, 4, Vec::new()).unwrap();
    run(&folder, &other, 5 % other.shards, 1);
    fs::rename(path(0), path(5)).unwrap();
    let told = merged(&folder, &manifest).unwrap_err().to_string();
    for problem in [
        "6 of 6 shards cannot be used",
        "shard 0 is missing",
        "ends before its checksum",
        "its checksum is wrong",
        "another shard, renamed",
        "its rows are not those of the shard",
        "belongs to another manifest",
    ] {
        assert!(told.contains(problem), "{problem}: {told}");
    }
    assert_eq!(state_of(&folder, &manifest, 0), ShardState::Missing);
    assert!(matches!(state_of(&folder, &manifest, 1), ShardState::Bad(_)));
    // What was redone is fine again.
    run_all(&folder, &manifest);
    assert_eq!(state_of(&folder, &manifest, 1), ShardState::Finished);
    assert_eq!(text(2), third, "the same bytes");
    merged(&folder, &manifest).unwrap();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_manifest_of_another_program_or_with_other_rows_is_refused() {
    let folder = folder("manifest");
    let game = rules("4x4c4");
    let manifest = Manifest::new(Job::Solve { game, plies: 3 }, 6).unwrap();
    let read = |text: &str| {
        fs::write(folder.join(MANIFEST), text).unwrap();
        Manifest::read(&folder).map_err(|why| why.to_string())
    };
    let text = manifest.to_text();
    assert_eq!(read(&text).unwrap(), manifest);
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version));
    let told = read(&text.replace(&version, "\"version\": \"0.0.1\"")).unwrap_err();
    assert!(told.starts_with("the shards are for fourfold 0.0.1"), "{told}");
    let told = read(&text.replace("\"plies\": 3", "\"plies\": 4")).unwrap_err();
    assert!(told.ends_with("its rows are not those of its job"), "{told}");
    assert!(read("{}").unwrap_err().contains("this is not a manifest of shards"));
    assert!(read(&text.replace("\"format\": 1", "\"format\": 9")).unwrap_err().contains("form 9"));
    fs::remove_dir_all(folder).unwrap();
}

/// A whole job, done by this process with its rows kept in a file.
fn local(job: &Job, path: &Path) -> LocalRun {
    LocalRun::new(job.clone()).unwrap().kept_in(path).unwrap()
}

#[test]
fn a_job_of_one_process_makes_what_its_shards_make() {
    let folder = folder("local");
    let path = folder.join("part");
    let game = rules("5x4c4");
    let labels = Job::Labels {
        game,
        seed: 2,
        plies: [3, 9],
        weak: true,
        nodes: 100_000,
        remaining: None,
        count: 40,
        blocks: 4,
    };
    for job in [Job::Book { game, plies: 3 }, Job::Solve { game, plies: 3 }, labels] {
        let manifest = Manifest::new(job.clone(), 3).unwrap();
        run_all(&folder, &manifest);
        let mut run = local(&job, &path);
        run.run(2, &Budget::unlimited(), || ()).unwrap();
        assert_eq!(run.done(), run.rows());
        let (made, kept) = run.merge().unwrap();
        assert_eq!(made, merged(&folder, &manifest).unwrap());
        kept.unwrap().remove();
        assert!(!path.exists());
    }
    let mut unkept = LocalRun::new(Job::Book { game, plies: 3 }).unwrap();
    unkept.run(1, &Budget::unlimited(), || ()).unwrap();
    assert!(matches!(unkept.merge(), Ok((Merged::Book { .. }, None))));
    let undone = LocalRun::new(Job::Book { game, plies: 3 }).unwrap();
    assert!(matches!(undone.merge(), Err(MergeError::Missing { row: 0 })));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn rows_that_were_not_kept_whole_are_done_again() {
    let folder = folder("kept");
    let path = folder.join("part");
    let job = Job::Book { game: rules("4x4c4"), plies: 3 };
    let mut run = local(&job, &path);
    let rows = run.rows();
    run.run(1, &Budget::unlimited(), || ()).unwrap();
    let locked = LocalRun::new(job.clone()).unwrap().kept_in(&path);
    assert!(matches!(locked, Err(LocalError::Locked { .. })));
    let whole = run.merge().unwrap().0;
    let bytes = fs::read(&path).unwrap();
    let head = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count() as u64 - 1;
    // Torn anywhere: what was whole before stays, and the rest is done again.
    for length in 0..=bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let run = local(&job, &path);
        let kept = if length < head { 0 } else { lines(&bytes[..length]) };
        let torn = length > head && bytes[length - 1] != b'\n';
        assert_eq!((run.done(), run.damaged()), (kept, usize::from(torn)), "{length} bytes");
    }
    // Changed anywhere: a row is lost, and none is wrong.
    for at in (head..bytes.len()).step_by(11) {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            fs::write(&path, &damaged).unwrap();
            assert!(Unfinished::read(&damaged).unwrap().done < rows, "byte {at}");
            let mut run = local(&job, &path);
            assert!(run.done() < rows && run.done() + 2 >= rows, "byte {at}");
            run.run(1, &Budget::unlimited(), || ()).unwrap();
            assert_eq!(run.merge().unwrap().0, whole, "byte {at}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_rows_of_another_job_or_program_are_refused_and_stay() {
    let folder = folder("foreign");
    let path = folder.join("part");
    let job = |plies| Job::Book { game: rules("4x4c4"), plies };
    drop(local(&job(3), &path));
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(
        Unfinished::read(text.as_bytes()),
        Some(Unfinished { job: job(3), rows: Manifest::new(job(3), 1).unwrap().rows, done: 0 })
    );
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    for (found, told) in [
        (text.clone(), "it is for a book of 4x4c4 to ply 3, not for a book of 4x4c4 to ply 2"),
        (text.replace(&version, "\"version\":\"0.0.1\"").replace(":3}", ":2}"), "begun by"),
        ("FOURPART".to_owned(), "an earlier version of this program began it"),
        ("{}\n".to_owned(), "not the file of an unfinished job"),
    ] {
        fs::write(&path, &found).unwrap();
        let refused = LocalRun::new(job(2)).unwrap().kept_in(&path).unwrap_err();
        assert!(matches!(refused, LocalError::Foreign { .. }));
        assert!(refused.to_string().contains(told), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), found);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_found_before_a_budget_ends_is_kept() {
    let folder = folder("ended");
    let path = folder.join("part");
    let job = Job::Book { game: rules("5x4c4"), plies: 4 };
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let budget = Budget::unlimited().with_stop(stop.clone());
    let mut run = local(&job, &path);
    let mut heard = 0;
    let ended = run.run(1, &budget, || {
        heard += 1;
        stop.store(heard == 5, std::sync::atomic::Ordering::Relaxed);
    });
    assert!(matches!(ended, Err(LocalError::Work(WorkError::Interrupted))));
    assert_eq!((run.done(), heard), (5, 5));
    drop(run);
    assert_eq!(local(&job, &path).done(), 5);
    fs::remove_dir_all(folder).unwrap();
}

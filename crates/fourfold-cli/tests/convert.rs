//! `fourfold convert`, run as people run it.

mod common;

use common::{Output, fourfold, scratch};

/// Runs `fourfold convert` with these arguments and this standard input.
fn convert(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    fourfold(&[&["convert"], args].concat(), input)
}

/// The output of a run that goes well.
fn converted(args: &[&str], input: &str) -> String {
    let output = convert(args, input);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{args:?}");
    output.stdout
}

#[test]
fn converts_arguments() {
    assert_eq!(converted(&["--to", "fen", "4453"], ""), "7/7/7/7/3o3/2oxx2 x\n");
    assert_eq!(converted(&["--to", "columns", "--from", "zero", "3342"], ""), "4453\n");
    assert_eq!(converted(&["--to", "letters", "4453", "", "d1"], ""), "ddec\n\nd\n");
    assert_eq!(converted(&["--to", "cells", "--game", "tictactoe", "51"], ""), "b2 a3\n");
    assert_eq!(converted(&["--to", "numbers", "3x3c3f:3/1x1/3 o"], ""), "5\n");
}

#[test]
fn discs_alone_get_some_order() {
    let order = converted(&["--to", "columns", "7/7/7/7/3o3/2oxx2 x"], "");
    assert_eq!(converted(&["--to", "fen", order.trim()], ""), "7/7/7/7/3o3/2oxx2 x\n");
}

#[test]
fn a_refused_argument_is_exit_3_with_its_reason() {
    let output = convert(&["--to", "fen", "4444444"], "");
    assert_eq!((output.code, output.stdout.as_str()), (Some(3), ""));
    assert_eq!(output.stderr, "fourfold: move 7: column 4 is full\n");
    let output = convert(&["--to", "fen", "3302"], "");
    assert_eq!(output.code, Some(3));
    assert!(output.stderr.contains("--from zero"), "{}", output.stderr);
    for (text, hint) in [
        ("?!", "; name its format with --from ('fourfold convert --list' shows them)"),
        (" 1", "; give --from pons or --from columns"),
        ("7/7/7/7/7 x", "it has 5 rows, but 7x6c4 has 6; --game names another game"),
    ] {
        let output = convert(&["--to", "fen", text], "");
        assert!(output.stderr.contains(hint), "{}", output.stderr);
    }
}

#[test]
fn a_batch_goes_on_past_bad_lines_and_names_them() {
    let output = convert(&["--to", "zero"], b"4453\n448\n\n\xff\n12\r\n");
    assert_eq!((output.code, output.stdout.as_str()), (Some(3), "3342\n\n01\n"));
    let lines: Vec<&str> = output.stderr.lines().collect();
    assert_eq!(
        lines[0],
        "fourfold: line 2: move 3: there is no column 8: the board has columns 1 to 7"
    );
    assert!(lines[1].starts_with("fourfold: line 4: "), "{}", output.stderr);
    assert_eq!(lines[2..], ["fourfold: 2 lines were refused"]);
}

#[test]
fn csv_has_one_header_on_both_sides() {
    let csv = converted(&["--to", "csv"], "4453\n32164625 11\n");
    let expected =
        "game,moves,score,s1,s2,s3,s4,s5,s6,s7\n7x6c4,4453,,,,,,,,\n7x6c4,32164625,11,,,,,,,\n";
    assert_eq!(csv, expected);
    assert_eq!(converted(&["--from", "csv", "--to", "columns"], &csv), "4453\n32164625\n");
    assert_eq!(converted(&["--to", "csv"], &csv), csv);
    let empty = convert(&["--from", "csv", "--to", "csv", "--game", "4x4c4"], "");
    assert_eq!((empty.code, empty.stdout.as_str()), (Some(0), "game,moves,score,s1,s2,s3,s4\n"));
    let wide = converted(&["--to", "csv", "--game", "10x4c4", "10,1"], "");
    assert!(wide.ends_with("10x4c4,\"10,1\",,,,,,,,,,,\n"), "{wide}");
    assert_eq!(converted(&["--to", "columns"], &wide), "10,1\n");
    let mixed = convert(&["--to", "csv", "4453", "3x3c3f:3/1x1/3 o"], "");
    assert_eq!(mixed.code, Some(3));
    assert!(mixed.stderr.contains("argument 2: a row of 3x3c3f has 9 scores"), "{}", mixed.stderr);
}

#[test]
fn the_game_asked_for_and_the_game_named_must_agree() {
    let output = convert(&["--to", "fen", "--game", "7x6s2", "7x6c4:7/7/7/7/7/7 x"], "");
    assert_eq!(output.code, Some(3));
    assert_eq!(output.stderr, "fourfold: this is a position of 7x6c4, not of 7x6s2\n");
}

#[test]
fn unknown_formats_are_usage_errors() {
    let output = convert(&["--to", "colums", "4453"], "");
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("'columns'"), "a correction is offered: {}", output.stderr);
    assert_eq!(convert(&["4453"], "").code, Some(2), "--to is missing");
}

#[test]
fn writes_a_file_and_lists_the_formats() {
    let path = scratch("out.txt");
    let name = path.to_str().expect("UTF-8");
    assert_eq!(converted(&["--to", "zero", "--out", name, "4453"], ""), "");
    assert_eq!(std::fs::read_to_string(&path).expect("written"), "3342\n");
    std::fs::remove_file(&path).expect("removed");
    let output = convert(&["--to", "zero", "--out", "/no/such/folder/x", "4453"], "");
    assert_eq!(output.code, Some(1));

    let list = converted(&["--list"], "");
    for name in ["columns", "zero", "pettingzoo", "parquet", "7/7/7/7/3o3/2oxx2 x"] {
        assert!(list.contains(name), "{list}");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_says_how_to_get_it() {
    let output = convert(&["--to", "parquet", "--out", "/no/such/file", "4453"], "");
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("--features parquet"), "{}", output.stderr);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_keeps_games_moves_and_scores() {
    let lines = "{\"game\":\"7x6c4\",\"moves\":\"444444\",\"score\":3,\"scores\":[1,2,3,null,-3,-2,-1]}\n\
                 {\"game\":\"7x6s2\",\"moves\":\"\"}\n";
    let path = scratch("positions.parquet");
    let name = path.to_str().expect("UTF-8");
    assert_eq!(converted(&["--to", "parquet", "--out", name], lines), "");
    assert_eq!(converted(&["--from", "parquet", "--to", "ndjson", name], ""), lines);
    let output = convert(&["--from", "parquet", "--to", "parquet", "--out", name, name], "");
    assert_eq!(output.code, Some(2), "not over itself");
    std::fs::write(&path, "PAR1 this is no such file PAR1").expect("written");
    assert_eq!(convert(&["--from", "parquet", "--to", "ndjson", name], "").code, Some(1));
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(convert(&["--to", "parquet", "4453"], "").code, Some(2), "--out is missing");
}

#[test]
fn the_documentation_names_every_format_and_its_example() {
    let page = include_str!("../../../docs/formats.md");
    for format in fourfold::game::notation::Format::ALL {
        assert!(page.contains(&format!("`{format}`")), "{format} is missing");
        // The long ones are described, not printed.
        assert!(
            format.example().len() > 60 || page.contains(format.example()),
            "the example of {format}"
        );
    }
}

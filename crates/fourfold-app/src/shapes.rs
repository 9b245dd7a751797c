//! Positions, moves, rules and reviews as JSON.

use crate::explain::story_json;
use fourfold::eval::Evaluator;
use fourfold::game::notation::{self, Entry, Format};
use fourfold::game::{Cell, Move, Outcome, Position, Rules, Shape, Side};
use fourfold::play::{CHARACTERS, Character, LEVELS, MoveReview, PlayerSpec, Review, SideReview};
use fourfold::search::{SWITCHES, Switch, SwitchKind};
use fourfold::solver::MoveScore;
use serde_json::{Value, json};

/// A move: `{"move":"4","cell":"d2"}`. Without gravity both are the cell.
pub fn move_json(rules: &Rules, mv: Move) -> Value {
    json!({ "move": mv.label(rules), "cell": mv.cell(rules).to_string() })
}

/// A move with its exact result.
pub fn move_score_json(rules: &Rules, found: &MoveScore) -> Value {
    let mut json = move_json(rules, found.mv);
    json["verdict"] = json!(found.verdict);
    json["words"] = found.verdict.to_string().into();
    json["score"] = found.score.into();
    json
}

/// The labels of moves.
pub fn labels(rules: &Rules, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| mv.label(rules)).collect()
}

/// The fields that identify a position, with which every answer about one begins.
pub fn heading(entry: &Entry) -> Value {
    let rules = entry.position.rules();
    json!({
        "game": rules,
        "moves": entry.moves.as_ref().map(|moves| notation::moves_text(rules, moves)),
        "position": notation::write(&Entry::of(entry.position), Format::Fen).ok(),
    })
}

/// A game by its rules.
pub fn rules_json(rules: &Rules) -> Value {
    let (shape, size) = match rules.shape() {
        Shape::Line(size) => ("line", size),
        Shape::Square(size) => ("square", size),
    };
    json!({
        "game": rules,
        "name": rules.name(),
        "title": rules.title(),
        "width": rules.width(),
        "height": rules.height(),
        "shape": shape,
        "size": size,
        "gravity": rules.gravity(),
    })
}

/// Everything that requests can name: games, formats, players allowed over the network, evaluators
/// and switches.
pub fn catalogue() -> Value {
    let games: Vec<Value> = Rules::names().iter().map(|(_, rules)| rules_json(rules)).collect();
    let format = |format: &Format| {
        let (name, about, example) = (format.name(), format.doc(), format.example());
        json!({ "name": name, "about": about, "example": example })
    };
    let formats: Vec<Value> = Format::ALL.iter().map(format).collect();
    let named = |(name, about): &(&str, &str)| json!({ "name": name, "about": about });
    let players: Vec<Value> = PlayerSpec::all()
        .iter()
        .filter(|(name, _)| !["human", "external"].contains(name))
        .map(named)
        .collect();
    let character = |character: &Character| {
        let Character { id, name, level, about, .. } = character;
        json!({ "player": format!("character:{id}"), "name": name, "level": level, "about": about })
    };
    let characters: Vec<Value> = CHARACTERS.iter().map(character).collect();
    let evaluators: Vec<Value> = Evaluator::ALL.iter().map(named).collect();
    let switches: Vec<Value> = SWITCHES.iter().map(switch_json).collect();
    json!({
        "games": games,
        "formats": formats,
        "players": players,
        "characters": characters,
        "levels": LEVELS.len(),
        "evaluators": evaluators,
        "switches": switches,
    })
}

/// A switch of the textbook search, described.
fn switch_json(switch: &Switch) -> Value {
    let mut json = json!({
        "name": switch.name,
        "about": switch.doc,
        "effect": switch.effect.to_string(),
        "default": switch.default_value(),
    });
    match switch.kind {
        SwitchKind::Flag => json["kind"] = "flag".into(),
        SwitchKind::Number { min, max, unit } => {
            json["kind"] = "number".into();
            (json["min"], json["max"], json["unit"]) = (min.into(), max.into(), unit.into());
        }
        SwitchKind::Choice(words) => {
            json["kind"] = "choice".into();
            json["words"] = json!(words);
        }
    }
    json
}

/// A position: its rules, discs, moves so far, legal moves and outcome.
pub fn position_json(entry: &Entry) -> Value {
    let position = &entry.position;
    let rules = position.rules();
    let mut json = heading(entry);
    json["rules"] = rules_json(rules);
    let played = entry.moves.as_ref().map(|moves| {
        let played = moves.iter().enumerate().map(|(ply, &mv)| {
            let mut json = move_json(rules, mv);
            json["side"] = if ply % 2 == 0 { Side::First } else { Side::Second }.to_string().into();
            json
        });
        played.collect::<Vec<Value>>()
    });
    json["played"] = json!(played);
    json["rows"] = json!(rows(position));
    json["ply"] = position.ply().into();
    json["to_move"] = position.to_move().to_string().into();
    json["outcome"] = match position.outcome() {
        Outcome::Ongoing => json!({ "state": "ongoing" }),
        Outcome::Drawn => json!({ "state": "drawn" }),
        Outcome::Won { by, cells } => {
            let cells: Vec<String> = cells.iter().map(|cell| cell.to_string()).collect();
            json!({ "state": "won", "by": by.to_string(), "cells": cells })
        }
    };
    let legal: Vec<Value> = position.legal_moves().iter().map(|&mv| move_json(rules, mv)).collect();
    json["legal"] = legal.into();
    json
}

/// The discs, rows from the top: `x` for the first player, `o` for the second.
fn rows(position: &Position) -> Vec<String> {
    let rules = position.rules();
    let letter = |column, row| {
        position.at(Cell { column: column as u8, row: row as u8 }).map_or('.', Side::letter)
    };
    (0..rules.height())
        .rev()
        .map(|row| (0..rules.width()).map(|column| letter(column, row)).collect())
        .collect()
}

/// A reviewed game.
pub fn review_json(entry: &Entry, review: &Review) -> Value {
    let mut json = heading(entry);
    json["complete"] = review.stopped.is_none().into();
    if let Some(stopped) = review.stopped {
        json["stopped"] = stopped.to_string().into();
    }
    json["first"] = side_json(&review.first);
    json["second"] = side_json(&review.second);
    let moves: Vec<Value> =
        review.moves.iter().map(|mv| reviewed_json(&review.rules, mv)).collect();
    json["judged"] = moves.into();
    (json["headline"], json["moments"]) = story_json(review);
    json["nodes"] = review.nodes.into();
    json
}

fn side_json(side: &SideReview) -> Value {
    let mut json = json!(side);
    json["accuracy"] = json!(side.accuracy());
    json
}

/// One move of it.
pub fn reviewed_json(rules: &Rules, reviewed: &MoveReview) -> Value {
    let mut json = move_json(rules, reviewed.mv);
    json["ply"] = reviewed.ply.into();
    json["side"] = reviewed.side.to_string().into();
    let Some(found) = &reviewed.found else {
        json["judgement"] = Value::Null;
        return json;
    };
    json["judgement"] = json!(found.judgement);
    json["only_move"] = found.only_move.into();
    json["played"] = json!({
        "verdict": found.played,
        "words": found.played.to_string(),
        "score": found.played_score,
    });
    json["best"] = json!({
        "verdict": found.best,
        "words": found.best.to_string(),
        "score": found.best_score,
        "moves": labels(rules, &found.best_moves),
    });
    json["refutation"] = json!(labels(rules, &found.refutation));
    json["better"] = json!(labels(rules, &found.better));
    json
}

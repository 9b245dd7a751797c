//! The description of the lessons, read.
//!
//! A line `# Title` begins a lesson, `key: value` lines follow, then sections that begin with `##`.
//! In a section a line is a paragraph, `- ` begins an item of a list, four spaces a line of code,
//! and `@` something drawn.

use super::CourseError;
use super::figures::Figures;
use crate::part::Part;
use fourfold::play::Theme;
use fourfold_app::worksheet::{Kind, Sheet};

/// Something on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    Paragraph(String),
    List(Vec<String>),
    Code(Vec<String>),
    /// A tree that is searched: whether by alpha-beta, and the tree as it is typed.
    Tree {
        pruning: bool,
        text: String,
    },
    /// A position by its game and moves.
    Board {
        game: String,
        moves: String,
    },
    /// Rows of cards with random numbers.
    Cards {
        rows: usize,
        columns: usize,
    },
}

/// A slide or an activity.
#[derive(Debug, Clone, Default)]
pub(super) struct Section {
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
}

/// A lesson.
#[derive(Debug, Clone)]
pub(super) struct Lesson {
    pub(super) title: String,
    pub(super) goal: String,
    pub(super) minutes: u32,
    pub(super) sheet: Sheet,
    pub(super) part: Option<Part>,
    pub(super) notebook: Option<String>,
    /// Whether a whole player can be written as well.
    pub(super) player: bool,
    /// The chapter of the app's Learn that goes with it.
    pub(super) chapter: String,
    /// Puzzles in the app that go with it.
    pub(super) puzzles: Option<Theme>,
    pub(super) notes: Vec<Block>,
    pub(super) slides: Vec<Section>,
    pub(super) activity: Option<Section>,
}

fn wrong(line: usize, what: &str) -> CourseError {
    CourseError::Description(format!("line {line}: {what}"))
}

impl Lesson {
    /// All lessons of a description, their figures filled in.
    pub(super) fn read_all(text: &str, figures: &Figures) -> Result<Vec<Self>, CourseError> {
        let mut lessons: Vec<Self> = Vec::new();
        let mut section = None;
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            if let Some(title) = line.strip_prefix("# ") {
                lessons.push(Self {
                    title: title.to_owned(),
                    goal: String::new(),
                    minutes: 0,
                    sheet: Sheet { kinds: vec![], count: 0, branches: 3, levels: 2, seed: 1 },
                    part: None,
                    notebook: None,
                    player: false,
                    chapter: String::new(),
                    puzzles: None,
                    notes: Vec::new(),
                    slides: Vec::new(),
                    activity: None,
                });
                section = None;
                continue;
            }
            let lesson = lessons.last_mut().ok_or_else(|| wrong(number, "no lesson yet"))?;
            if let Some(head) = line.strip_prefix("## ") {
                let (kind, title) = head.split_once(' ').unwrap_or((head, ""));
                let begun = Section { title: title.to_owned(), blocks: Vec::new() };
                match kind {
                    "notes" => {}
                    "slide" => lesson.slides.push(begun),
                    "activity" => lesson.activity = Some(begun),
                    _ => return Err(wrong(number, "no such section")),
                }
                section = Some(kind.to_owned());
                continue;
            }
            let blocks = match section.as_deref() {
                None => {
                    lesson.set(line).map_err(|what| wrong(number, what))?;
                    continue;
                }
                Some("notes") => Some(&mut lesson.notes),
                Some("slide") => lesson.slides.last_mut().map(|slide| &mut slide.blocks),
                Some(_) => lesson.activity.as_mut().map(|activity| &mut activity.blocks),
            };
            let blocks = blocks.ok_or_else(|| wrong(number, "no section"))?;
            add(blocks, &figures.fill(line)?).map_err(|what| wrong(number, what))?;
        }
        Ok(lessons)
    }

    fn set(&mut self, line: &str) -> Result<(), &'static str> {
        let (key, value) = line.split_once(": ").ok_or("not a key and a value")?;
        match key {
            "goal" => value.clone_into(&mut self.goal),
            "minutes" => self.minutes = value.parse().map_err(|_| "not a number")?,
            "exercise" => self.part = Some(Part::named(value).ok_or("no such part")?),
            "player" => self.player = value == "yes",
            "chapter" => value.clone_into(&mut self.chapter),
            "puzzles" => {
                let theme = Theme::ALL.into_iter().find(|theme| theme.name() == value);
                self.puzzles = Some(theme.ok_or("no such theme")?);
            }
            "notebook" => self.notebook = Some(value.to_owned()),
            "worksheet" => {
                let words: Vec<&str> = value.split(' ').collect();
                let [kinds, numbers @ ..] = &words[..] else { return Err("no kinds") };
                let kinds: Option<Vec<Kind>> = kinds.split(',').map(Kind::named).collect();
                let numbers: Vec<u64> = numbers.iter().filter_map(|n| n.parse().ok()).collect();
                let [count, branches, levels] = numbers[..] else { return Err("three numbers") };
                let kinds = kinds.ok_or("no such kind of exercise")?;
                self.sheet = Sheet { kinds, count, branches, levels, seed: 1 };
            }
            _ => return Err("no such key"),
        }
        Ok(())
    }
}

/// Adds a line to the blocks of a section.
fn add(blocks: &mut Vec<Block>, line: &str) -> Result<(), &'static str> {
    if let Some(item) = line.strip_prefix("- ") {
        match blocks.last_mut() {
            Some(Block::List(items)) => items.push(item.to_owned()),
            _ => blocks.push(Block::List(vec![item.to_owned()])),
        }
    } else if let Some(code) = line.strip_prefix("    ") {
        match blocks.last_mut() {
            Some(Block::Code(lines)) => lines.push(code.to_owned()),
            _ => blocks.push(Block::Code(vec![code.to_owned()])),
        }
    } else if let Some(drawn) = line.strip_prefix('@') {
        let (kind, rest) = drawn.split_once(' ').ok_or("what is drawn?")?;
        blocks.push(match (kind, rest.split_once(' ')) {
            ("tree", Some((algorithm, text))) => {
                Block::Tree { pruning: algorithm == "alphabeta", text: text.to_owned() }
            }
            ("board", Some((game, moves))) => {
                let moves = if moves == "-" { "" } else { moves };
                Block::Board { game: game.to_owned(), moves: moves.to_owned() }
            }
            ("cards", Some((rows, columns))) => Block::Cards {
                rows: rows.parse().map_err(|_| "not a number")?,
                columns: columns.parse().map_err(|_| "not a number")?,
            },
            _ => return Err("nothing that can be drawn"),
        });
    } else {
        blocks.push(Block::Paragraph(line.to_owned()));
    }
    Ok(())
}

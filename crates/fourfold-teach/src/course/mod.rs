//! The course: six lessons from paper to perfect play, made from one description
//! (`course/lessons.txt`), whose figures the library computes.
//!
//! [`Course::files`] gives every file with its path; whoever calls it decides where they go. The
//! same seed and students give the same bytes.

mod figures;
mod lesson;
mod notebook;
mod pages;
mod web;

use figures::Figures;
use fourfold::book::Books;
use fourfold::budget::Budget;
use fourfold::solver::{SolverOptions, SolverPool};
use fourfold_app::worksheet::paper::{self, Face, Heading};
use fourfold_app::worksheet::{Sheet, SheetError, seed_of};
use lesson::Lesson;

/// The description of the lessons.
const DESCRIPTION: &str = include_str!("../../course/lessons.txt");

/// The file that tells a folder of a course from others.
pub const MARKER: &str = "course.json";

/// Why there is no course.
#[derive(Debug, thiserror::Error)]
pub enum CourseError {
    /// The description is wrong: a bug.
    #[error("the description of the course: {0}")]
    Description(String),
    /// A worksheet could not be made.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// Too little memory, most likely.
    #[error("{0}")]
    Internal(String),
}

impl CourseError {
    fn internal(why: impl std::fmt::Display) -> Self {
        Self::Internal(why.to_string())
    }
}

/// What a course is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// What everything random comes from.
    pub seed: u64,
    /// The students, each of whom gets worksheets of their own.
    pub students: Vec<String>,
}

/// A file of the course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseFile {
    /// Its path, with slashes.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl Course {
    /// Every file, told `progress` how many lessons are done. `budget` can stop the work.
    ///
    /// # Errors
    /// If it was stopped, or memory is lacking.
    pub fn files(
        &self,
        budget: &Budget,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Vec<CourseFile>, CourseError> {
        let figures = Figures::compute()?;
        let lessons = Lesson::read_all(DESCRIPTION, &figures)?;
        let pool = SolverPool::new(SolverOptions::default(), Books::None);
        let mut files = Vec::new();
        let mut add = |path: String, text: String| files.push(CourseFile { path, text });
        for (index, lesson) in lessons.iter().enumerate() {
            let number = index + 1;
            let folder = format!("lesson-{number}");
            add(format!("{folder}/notes.html"), pages::notes(lesson, number));
            add(format!("{folder}/slides.html"), pages::slides(lesson, number)?);
            if let Some(activity) = &lesson.activity {
                let page = pages::activity(activity, lesson, number, self.seed);
                add(format!("{folder}/activity.html"), page);
            }
            let title = format!("Lesson {number}: {}", lesson.title);
            let sheet = Sheet { seed: seed_of(self.seed, &folder), ..lesson.sheet.clone() };
            let made = |sheet: &Sheet, student: Option<&str>| -> Result<_, CourseError> {
                let exercises = sheet.exercises(&pool, budget)?;
                let heading = Heading { title: &title, student };
                let page = |face| paper::html(sheet, &exercises, heading, &[face]);
                Ok((page(Face::Questions), page(Face::Answers)))
            };
            let (page, key) = made(&sheet, None)?;
            add(format!("{folder}/worksheet.html"), page);
            add(format!("{folder}/key.html"), key);
            for student in &self.students {
                let (page, key) = made(&sheet.for_name(student), Some(student))?;
                let name = file_name(student);
                add(format!("{folder}/worksheets/{name}.html"), page);
                add(format!("{folder}/keys/{name}.html"), key);
            }
            for (path, text) in pages::exercise(lesson, number, self.seed) {
                add(format!("{folder}/exercise/{path}"), text);
            }
            if let Some(name) = &lesson.notebook {
                for (path, text) in notebook::files(name, lesson, number, self.seed)? {
                    add(format!("{folder}/notebook/{path}"), text);
                }
            }
            progress(number, lessons.len());
        }
        add("index.html".to_owned(), pages::index(&lessons, self));
        add("style.css".to_owned(), pages::STYLE.to_owned());
        let marker = serde_json::json!({
            "made_by": "fourfold course",
            "version": env!("CARGO_PKG_VERSION"),
            "seed": self.seed,
            "students": self.students,
        });
        add(MARKER.to_owned(), format!("{marker:#}\n"));
        Ok(files)
    }
}

/// The lessons as a text of the app's Learn: `course.html` of the web app, made by
/// `cargo run -p fourfold-teach --example lessons > crates/fourfold-web/assets/course.html`.
///
/// # Errors
/// If memory is lacking.
pub fn web_page() -> Result<String, CourseError> {
    web::page(&Lesson::read_all(DESCRIPTION, &Figures::compute()?)?)
}

/// A name as the name of a file, on any system. Two names never share one.
#[must_use]
pub fn file_name(name: &str) -> String {
    let mut out = String::new();
    for sign in name.chars() {
        match sign {
            ' ' => out.push('_'),
            sign if sign.is_ascii_alphanumeric() || sign == '-' => out.push(sign),
            sign => out += &format!("~{:x}~", sign as u32),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn course(seed: u64) -> Vec<CourseFile> {
        let course = Course { seed, students: vec!["Ada Lovelace".into(), "Bob Ö".into()] };
        course.files(&Budget::unlimited(), |_, _| {}).unwrap()
    }

    #[test]
    fn one_seed_gives_the_same_bytes_and_another_does_not() {
        let (one, again, other) = (course(7), course(7), course(8));
        assert_eq!(one, again);
        let differ = |path: &str| {
            let text = |files: &[CourseFile]| {
                files.iter().find(|file| file.path == path).map(|file| file.text.clone()).unwrap()
            };
            assert_ne!(text(&one), text(&other), "{path}");
        };
        differ("lesson-1/worksheet.html");
        differ("lesson-3/keys/Ada_Lovelace.html");
        differ("lesson-2/notebook/nbgrader/source/minimax/minimax.ipynb");
        let paths: HashSet<&str> = one.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths.len(), one.len());
        assert!(paths.contains("lesson-1/worksheets/Bob_~d6~.html"));
    }

    #[test]
    fn links_lead_somewhere_and_nothing_comes_from_elsewhere() {
        let files = course(1);
        let paths: HashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let mut links = 0;
        for file in files.iter().filter(|file| file.path.ends_with(".html")) {
            assert!(!file.text.contains("https://"), "{}", file.path);
            assert!(!file.text.contains('{') || file.text.contains("<style"), "{}", file.path);
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            for link in file.text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next())
            {
                let mut parts: Vec<&str> =
                    folder.split('/').filter(|part| !part.is_empty()).collect();
                for part in link.split('/') {
                    if part == ".." {
                        parts.pop();
                    } else {
                        parts.push(part);
                    }
                }
                let whole = parts.join("/");
                let whole = whole.trim_end_matches('/');
                let found = paths
                    .iter()
                    .any(|path| *path == whole || path.starts_with(&format!("{whole}/")));
                assert!(found, "{}: {link}", file.path);
                links += 1;
            }
        }
        assert!(links > 30, "{links}");
    }

    #[test]
    fn there_are_six_lessons_with_all_that_belongs_to_them() {
        let figures = Figures::compute().unwrap();
        let lessons = Lesson::read_all(DESCRIPTION, &figures).unwrap();
        assert_eq!(lessons.len(), 6);
        assert!(lessons.iter().all(|lesson| lesson.slides.len() >= 4 && !lesson.notes.is_empty()));
        assert_eq!(lessons.iter().filter(|lesson| lesson.part.is_some()).count(), 5);
        assert!(lessons[0].activity.is_some());
        assert!(figures.fill("{no.such}").is_err());
        // Known results, so that a mistake in the figures shows.
        let told = figures.fill("{ttt.games} {ttt.symmetric} {ttt.verdict} {c4.best}").unwrap();
        assert_eq!(told, "255\u{202f}168 765 draw 4");
        assert_eq!(figures.fill("{visits:((3 12 8)(2 4 6)(14 5 2))}").unwrap(), "7");
    }
}

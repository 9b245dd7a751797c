//! Prints the lessons of the course as `crates/fourfold-web/assets/course.html`.
#![allow(clippy::print_stdout, reason = "that is what it is for")]

fn main() -> Result<(), fourfold_teach::course::CourseError> {
    print!("{}", fourfold_teach::course::web_page()?);
    Ok(())
}

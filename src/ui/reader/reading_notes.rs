//! What reading the file of a version could not read, beside its text.

use maud::{Markup, html};

use domain::ReadingCheck;
use store::DocumentRow;

/// The findings of the second look, the worst first, and the other warnings of the reader.
pub(super) fn render_reading(row: &DocumentRow, reading: Option<&[ReadingCheck]>) -> Markup {
    let checks = reading.unwrap_or_default();
    let mut found: Vec<&ReadingCheck> =
        checks.iter().filter(|check| check.is_worth_warning()).collect();
    found.sort_by(|a, b| a.compare_severity(b));
    let sentences: Vec<String> = found.iter().map(|check| check.describe()).collect();
    let others: Vec<&String> =
        row.warnings.iter().filter(|warning| !sentences.contains(warning)).collect();
    let has_loss = found.iter().any(|check| check.is_loss());
    let count = sentences.len() + others.len();
    html! {
        @if has_loss {
            p.notice role="status" { "This text lacks something of its file." }
        }
        @if !ReadingCheck::compare_file(checks) {
            p.note { "This text was not compared with its file." }
        }
        @if count > 0 {
            details.warnings open[has_loss] {
                summary { (count) @if count == 1 { " note" } @else { " notes" } " from reading the file" }
                ul {
                    @for sentence in &sentences { li { (sentence) } }
                    @for warning in others { li { (warning) } }
                }
            }
        }
    }
}

//! Versions of notes, parsed from their file names.

use std::sync::LazyLock;

use regex::Regex;

use domain::NotesKind;

/// Rank of versions of the end of a meeting (`eom`): after those of its days, which stay below it.
const END_OF_MEETING_RANK: u32 = 10_000_000;
/// Rank of a report that the secretary signs: twice [`END_OF_MEETING_RANK`], which no version of an unsigned report
/// reaches, not even one of the end of the meeting; below final reports.
pub(super) const SIGNED_RANK: u32 = 20_000_000;
/// Rank of a final report: above the sum of all other ranks.
pub(super) const FINAL_REPORT_RANK: u32 = 100_000_000;

static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:^|[ _-])(?P<word>eom|v|rev|r)[ _]?(?P<number>\d{0,3}(?:\.\d{1,2}){0,2})(?:[ _.]|-\D|$)",
    )
    .expect("a constant pattern; a test uses it")
});

/// The order of a version: `0.2.0` comes after `0.1.0`; `020` is `0.2.0`, as meeting reports write it.
fn version_rank(version: &str) -> u32 {
    let parts: Vec<u32> = if version.contains('.') {
        version.split('.').map(|part| part.parse().unwrap_or(0)).collect()
    } else if version.len() == 3 {
        version.chars().filter_map(|c| c.to_digit(10)).collect()
    } else {
        return version.parse().unwrap_or(0);
    };
    let order: u32 =
        (0..3).fold(0, |order, part| order * 1000 + parts.get(part).copied().unwrap_or(0).min(999));
    order.min(END_OF_MEETING_RANK - 2)
}

/// The version in a file name, and its order: `v07` before `v12` before `eom` before `eom2`.
pub(super) fn parse_file_version(stem: &str) -> (Option<String>, u32) {
    let Some(captures) = VERSION.captures_iter(stem).last() else { return (None, 0) };
    let number = version_rank(&captures["number"]);
    let is_end = captures["word"].eq_ignore_ascii_case("eom");
    if !is_end && captures["number"].is_empty() {
        return (None, 0);
    }
    let version = format!("{}{}", captures["word"].to_lowercase(), &captures["number"]);
    (Some(version), if is_end { END_OF_MEETING_RANK + number } else { number + 1 })
}

/// The key of a file among the sources of its meeting, the same for all its versions. A meeting has one report, whose
/// draft and final version have different names.
pub(super) fn source_key(kind: NotesKind, stem: &str) -> String {
    match kind {
        NotesKind::MeetingReport => kind.as_str().to_owned(),
        _ => format!("{} {}", kind.as_str(), unversioned_name(stem)),
    }
}

/// A file name without its version.
fn unversioned_name(stem: &str) -> String {
    let plain = VERSION.replace_all(stem, " ");
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.map(str::to_lowercase);
    let words: Vec<String> =
        words.filter(|w| !matches!(w.as_str(), "draft" | "final" | "clean")).collect();
    words.join(" ")
}

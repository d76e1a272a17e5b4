//! Whether the first page of a document names another one. A file has the name that somebody gave it; what it is, and
//! whose, is on its page.

use std::sync::LazyLock;

use extract::Contribution;
use regex::Regex;

use crate::first_page::{FIRST_PAGE_BLOCKS, source_lines};
use domain::TdocId;

/// First lines with text that are the headline of a document: meeting, number, place and date. Farther down, other
/// documents are named.
const HEADLINE_LINES: usize = 5;
/// Characters of a source that a warning quotes.
const MAX_SOURCE_CHARS: usize = 80;

/// Words before the number of an earlier or a related document.
static OF_ANOTHER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:revis\w*|was|updat\w*|resubmi\w*|repl\w*|ref\w*|see|related|merg\w*|from|of|to|in|on)\W*$")
        .expect("a constant pattern; a test uses it")
});

/// A warning that the headline of a document has the number of another one and not its own, with the source that its
/// first page names; `None` if it has its own number, or none.
pub fn warn_of_other_number(id: &TdocId, read: &Contribution) -> Option<String> {
    let first = read.blocks.iter().take(FIRST_PAGE_BLOCKS);
    let lines = first.flat_map(|block| block.unstruck.as_ref().unwrap_or(&block.text).split('\n'));
    let headline = lines.filter(|line| !line.trim().is_empty()).take(HEADLINE_LINES);
    let mut other = None;
    for line in headline {
        for found in find_numbers(line) {
            if found == *id {
                return None;
            }
            // Documents of other groups are named beside the own one in joint meetings.
            if found.group() == id.group() {
                other.get_or_insert(found);
            }
        }
    }
    let other = other?;
    let sources = source_lines(read, FIRST_PAGE_BLOCKS).join("; ");
    let by: String = sources.chars().take(MAX_SOURCE_CHARS).collect();
    let of = if by.is_empty() { String::new() } else { format!(" of {by}") };
    Some(format!(
        "its first page names {other}{of}, not {id}: it may be another document, and its text may be attributed to the wrong \
         company"
    ))
}

/// The document numbers in a line that do not belong to an earlier document.
fn find_numbers(line: &str) -> Vec<TdocId> {
    let words = line
        .split(|c: char| c.is_whitespace() || matches!(c, '|' | ',' | ';' | '(' | ')' | '[' | ']'));
    let mut numbers = Vec::new();
    for word in words {
        let Some((id, _)) = TdocId::split_revision(word.trim_matches(':')) else { continue };
        // Every word is a part of the line.
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        // In a headline nothing follows the number; in a list of documents their titles do.
        let is_last = line[start + word.len()..].chars().all(|c| !c.is_alphanumeric());
        if is_last && !OF_ANOTHER.is_match(&line[..start]) {
            numbers.push(id);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use extract::TextBlock;

    fn warning(lines: &[&str]) -> Option<String> {
        let block = |text: &&str| TextBlock { text: (*text).to_owned(), ..TextBlock::default() };
        let read =
            Contribution { blocks: lines.iter().map(block).collect(), ..Contribution::default() };
        warn_of_other_number(&"R1-9900001".parse().expect("a number"), &read)
    }

    #[test]
    fn the_number_of_another_document_is_told_with_its_company() {
        for headline in [
            &["3GPP TSG RAN WG1 #99 R1-9900002", "Source: Sample Inc."][..],
            &["3GPP TSG RAN WG1 #99\tR1-9900002r1", "Source: Sample Inc."],
            &["R1-9900002", "Source: Sample Inc."],
            &["| 3GPP TSG RAN WG1 #99 | R1-9900002 |", "| Source: | Sample Inc. |"],
            &["3GPP TSG RAN WG1 #99", "", "Tdoc: R1-9900002", "Source: Sample Inc."],
        ] {
            let told = warning(headline).expect("another number");
            assert!(told.contains("R1-9900002 of Sample Inc."), "{told}");
        }
        assert!(warning(&["R1-9900002"]).is_some_and(|told| told.contains("R1-9900002, not")));
    }

    #[test]
    fn its_own_number_and_those_of_earlier_documents_are_no_contradiction() {
        for headline in [
            &["3GPP TSG RAN WG1 #99 R1-9900001"][..],
            &["3GPP TSG RAN WG1 #99 R1-9900001 (revision of R1-9900002)"],
            &["3GPP TSG RAN WG1 #99 (was R1-9900002)"],
            &["3GPP TSG RAN WG1 #99", "R1-9900002", "R1-9900001r2"],
            &["3GPP TSG RAN WG1 #99 R1-99xxxxx"],
            &["Reply to R2-9900002"],
            &[
                "3GPP TSG RAN WG1 #99",
                "Place",
                "Source: A",
                "Title: B",
                "Agenda Item: 1",
                "R1-9900002",
            ],
        ] {
            assert_eq!(warning(headline), None, "{headline:?}");
        }
    }
}

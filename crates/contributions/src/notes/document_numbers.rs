//! The numbers of documents that notes list.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

use domain::TdocId;
use extract::Contribution;

/// The number at the beginning of a document's line: `R1-2405780  Title`, `TD S2-1902937 (AGENDA)`, a row of a table.
static DOCUMENT_LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\W*(?:TD\s+)?([A-Z][A-Z0-9]{1,3}[-\u{2010}\u{2011}\u{2013}]\d{5,8})\b")
        .expect("a constant pattern; a test uses it")
});

/// The numbers at the beginning of lines; notes also cite documents of other groups and meetings within sentences.
pub(super) fn document_numbers(read: &Contribution) -> BTreeSet<TdocId> {
    let lines = read.blocks.iter().flat_map(|block| block.text.lines());
    lines.filter_map(|line| DOCUMENT_LINE.captures(line)?[1].parse().ok()).collect()
}

//! What the remarks of a register say of other documents: `Revised in parallel session to S2-9900012`, `Revision of
//! S2-9900001`, `Merged into S2-9900012`.
//!
//! Pages of SA2 have no columns for revisions: these remarks are all that links their documents. A remark about what
//! may happen ("Merge into S2-9900012?", "to be revised") links nothing.

use std::{ops::Range, sync::LazyLock};

use domain::{RegisterStatus, TdocId};
use regex::{Captures, Regex};

use crate::parse_status;

/// The documents that the row of a document links, each list without repetitions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegisterLinks {
    /// The documents that it revises.
    pub revision_of: Vec<TdocId>,
    /// The documents that revise it.
    pub revised_to: Vec<TdocId>,
    /// The documents into which it was merged.
    pub merged_into: Vec<TdocId>,
    /// Other documents that were merged: each with the document into which it was.
    pub merged: Vec<MergedTdoc>,
    /// What the row says of the outcome of the document that revises it.
    pub revision_outcome: Option<RevisionOutcome>,
}

/// A document that was merged into another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedTdoc {
    /// The document that was merged.
    pub tdoc: TdocId,
    /// The document into which it was merged; `None` for that of the row.
    pub into: Option<TdocId>,
}

/// The outcome of a revision in the row of the document that it revises: `Revised to S2-9900012. Agreed.`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionOutcome {
    /// The revision.
    pub tdoc: TdocId,
    /// Its outcome.
    pub status: RegisterStatus,
    /// The word for it.
    pub word: String,
}

/// Documents of a list that are read, at most: a revision rarely merges more than ten.
const MAX_LISTED: usize = 40;
/// Bytes before a verb that may deny it or make it a plan.
const GUARD_BYTES: usize = 24;

/// The number of a document, also `TD S2-9900012`. The end of a word follows it.
const NUMBER: &str = r"(?:\bTD\s*)?\b[A-Za-z][A-Za-z0-9]-\d{5,7}(?:r(?:ev)?\d{1,2})?\b";

fn compile_pattern(text: &str) -> Regex {
    let list = r"{number}(?:(?:\s*,\s*|\s+)(?:and\s+|&\s*)?(?:(?:parts?|some)\s+of\s+)?{number})*";
    let text = text.replace("{list}", list).replace("{number}", NUMBER);
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Between verb and number: where it happened, what was merged, and how the revision is numbered.
static REVISED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(concat!(
        r"\brevised(?P<merging>(?:\s*,?\s*(?:and\s+)?(?:(?:in|at|during|by|via|on|after)\s+(?:the\s+)?[\w#/ -]{1,40}?",
        r"|off-?line|\([^)]{0,80}\)|(?:merging|including|incorporating)\s+[^.;?]{1,400}?|as\s+[^;?]{1,60}?))*?)",
        r"\s*,?\s*(?:\bto\s+remove\s+\W?draft\W?\s+in|\bto|\bin|\bas)\s+(?P<to>{list})",
    ))
});
static REVISION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(concat!(
        r"\b(?:revision|rev)\s*(?:\d+\s+)?(?:\([^)]{0,40}\)\s*)?of\s+",
        r"(?:\([^)]{0,60}\)\s*|(?:the|an?|postponed|unhandled|agreed|approved|endorsed|noted|withdrawn|revised|draft|sid|wid|p?-?cr|ls)\s+){0,4}",
        r"(?P<of>{list})",
    ))
});
/// A statement of another group that comes back under a new number.
static POSTPONED: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^\W*postponed\s+(?P<of>{number})\s+from\b"));
static MERGED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(?P<part>\bpart(?:ial)?ly\s+)?\bmerged\s+(?:into(?:\s+to)?|in|to)\s+(?P<into>{list})",
    )
});
static MERGING: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"\b(?:merging|merges)\s+(?P<list>(?:parts?\s+of\s+)?{list})")
});
static NUMBERS: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"(?P<part>\b(?:parts?|some)\s+of\s+)?(?P<number>{number})"));
/// The word before a verb that denies it, or makes it a condition or a plan.
static GUARD: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:be|not|never|if|unless|until|when|or)\s+(?:further\s+|also\s+|then\s+)?$",
    )
});
/// The outcome directly after the number of a revision, and nothing else in its sentence.
static OUTCOME: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(concat!(
        r"^\s*[.;,]?\s*(?:(?:this|it|which)\s+(?:\w+\s+)?was\s+(?:then\s+)?)?",
        r"(?P<word>conditionally agreed|conditionally approved|technically endorsed|agreed|approved|endorsed|noted|",
        r"postponed|withdrawn|rejected|not pursued)\s*(?:[.;]|$)",
    ))
});

/// The status of a result that names another document: `Revised to S2-9900012`, `Merged into S2-9900012`.
pub(crate) fn parse_linking_status(text: &str) -> Option<RegisterStatus> {
    let mut links = RegisterLinks::default();
    add_links(text, &mut links);
    if !links.revised_to.is_empty() {
        Some(RegisterStatus::Revised)
    } else if !links.merged_into.is_empty() {
        Some(RegisterStatus::Merged)
    } else {
        None
    }
}

/// Adds what a remark says.
pub(crate) fn add_links(text: &str, links: &mut RegisterLinks) {
    // Most rows have only a status; the patterns would be tried on each when the catalog is built.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return;
    }
    let text = text.replace(['\u{2010}', '\u{2011}', '\u{2013}'], "-").replace('\u{a0}', " ");
    for found in REVISED.captures_iter(&text) {
        let Some(listed) = asserted_list(&text, &found, "to") else { continue };
        let revisions = read_numbers(&text[listed.clone()]);
        if let [revision] = &revisions[..] {
            let before = found.name("merging").map_or("", |merging| merging.as_str());
            // What follows the number also belongs to the revision: "Revised to S2-9900012, merging S2-9900007".
            let after = text[listed.end..].split(['.', ';']).next().unwrap_or_default();
            for merging in [before, after] {
                add_merged(merging, Some(revision), links);
            }
            links.revision_outcome =
                read_outcome(revision, &text[listed.end..]).or(links.revision_outcome.take());
        }
        extend_unique(&mut links.revised_to, revisions);
    }
    for found in REVISION.captures_iter(&text) {
        let Some(listed) = asserted_list(&text, &found, "of") else { continue };
        // "Revision of S2-9900005 (revision of S2-9900001)": the bracket is about the earlier document.
        if found.get(0).is_some_and(|found| text[..found.start()].ends_with('(')) {
            continue;
        }
        extend_unique(&mut links.revision_of, read_numbers(&text[listed.clone()]));
        let after = text[listed.end..].split(['.', ';']).next().unwrap_or_default();
        if !REVISED.is_match(after) {
            add_merged(after, None, links);
        }
    }
    if let Some(found) = POSTPONED.captures(&text)
        && let Some(listed) = asserted_list(&text, &found, "of")
    {
        extend_unique(&mut links.revision_of, read_numbers(&text[listed]));
    }
    for found in MERGED.captures_iter(&text) {
        if found.name("part").is_none()
            && let Some(listed) = asserted_list(&text, &found, "into")
        {
            extend_unique(&mut links.merged_into, read_numbers(&text[listed]));
        }
    }
}

/// Where the list of a statement is; `None` if the statement is denied, a plan or a question.
fn asserted_list(text: &str, found: &Captures<'_>, name: &str) -> Option<Range<usize>> {
    let whole = found.get(0)?;
    let start = text.floor_char_boundary(whole.start().saturating_sub(GUARD_BYTES));
    let is_question = text[whole.end()..].trim_start().starts_with('?');
    let is_guarded = GUARD.is_match(&text[start..whole.start()]);
    if is_question || is_guarded { None } else { Some(found.name(name)?.range()) }
}

/// Adds the documents of `merging S2-9900007 and S2-9900008`; those of which only a part was merged stay.
fn add_merged(text: &str, into: Option<&TdocId>, links: &mut RegisterLinks) {
    for found in MERGING.captures_iter(text) {
        for tdoc in found.name("list").map_or(Vec::new(), |list| read_numbers(list.as_str())) {
            let merged = MergedTdoc { tdoc, into: into.cloned() };
            if Some(&merged.tdoc) != into && !links.merged.contains(&merged) {
                links.merged.push(merged);
            }
        }
    }
}

fn read_outcome(revision: &TdocId, after: &str) -> Option<RevisionOutcome> {
    let word = OUTCOME.captures(after)?.name("word")?.as_str();
    let status = parse_status(word)?;
    Some(RevisionOutcome { tdoc: revision.clone(), status, word: word.to_owned() })
}

/// The numbers of a list, without those of documents of which it takes a part.
fn read_numbers(list: &str) -> Vec<TdocId> {
    let found = NUMBERS.captures_iter(list).filter(|found| found.name("part").is_none());
    let numbers = found.filter_map(|found| {
        let text = found.name("number")?.as_str();
        let number = match text.split_at_checked(2) {
            Some((td, number)) if td.eq_ignore_ascii_case("TD") && !number.starts_with('-') => {
                number
            }
            _ => text,
        };
        let number = number.trim();
        Some(TdocId::split_revision(number)?.0)
    });
    let mut unique = Vec::new();
    extend_unique(&mut unique, numbers.take(MAX_LISTED).collect());
    unique
}

fn extend_unique(list: &mut Vec<TdocId>, more: Vec<TdocId>) {
    for id in more {
        if !list.contains(&id) {
            list.push(id);
        }
    }
}

#[cfg(test)]
mod tests;

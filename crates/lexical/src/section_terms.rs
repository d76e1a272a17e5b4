//! The section of a passage, and every section above it, as index terms.
//!
//! `38.331/=5.3.5` and `=5.3.5` mark the section itself, `38.331/5.3.5` marks it and its subsections.

use std::collections::BTreeSet;

use crate::analyzer::{fold_text, is_joiner, split_runs};
use domain::{DocNumber, SectionNumber};

/// Words that announce a section number.
const SECTION_ANNOUNCEMENTS: [&str; 9] = [
    "clause",
    "clauses",
    "subclause",
    "subclauses",
    "section",
    "sections",
    "annex",
    "chapter",
    "paragraph",
];
/// Prefixes of document numbers.
const DOCUMENT_PREFIXES: [&str; 2] = ["TS", "TR"];
/// Sections and documents of a query that are looked up, at most. Every section is looked up in every document: 16
/// pairs.
const MAX_NAMED: usize = 4;

/// The terms of a passage of a section of a document.
pub(super) fn build_section_terms(number: &str, section: &str) -> Vec<String> {
    let mut terms = vec![format!("={section}"), format!("{number}/={section}")];
    if SectionNumber::is_numbered(section) {
        let ends = section.match_indices('.').map(|(offset, _)| offset).chain([section.len()]);
        terms.extend(ends.map(|end| format!("{number}/{}", &section[..end])));
    }
    terms
}

/// A section that a query names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NamedSection {
    /// Term of the section itself.
    pub(super) own: String,
    /// Term of everything in it; known if the document is named too.
    pub(super) inside: Option<String>,
    /// Whether a section is certainly meant: announced as one, of a named document, or the whole
    /// query.
    pub(super) sure: bool,
}

/// The sections a query names: "5.3.5 of 38.331", "TS 38.331 clause 5.3.5", "Annex B", "5.3.5".
pub(super) fn find_named_sections(query: &str) -> Vec<NamedSection> {
    let query = fold_text(query).replace('\u{a7}', " section ");
    let mut documents = BTreeSet::new();
    let mut sections = BTreeSet::new();
    let mut previous = "";
    let alone = split_runs(&query).count() == 1;
    for run in split_runs(&query) {
        let announced = is_one_of(previous, &SECTION_ANNOUNCEMENTS);
        if let Some(number) = parse_document_number(previous, run)
            && !announced
        {
            documents.insert(number);
        } else if let Some((section, whole)) = parse_section_number(run, announced) {
            sections.insert((section, whole && (announced || alone)));
        }
        previous = run;
    }
    let documents: Vec<DocNumber> = documents.into_iter().take(MAX_NAMED).collect();
    sections
        .into_iter()
        .take(MAX_NAMED)
        .flat_map(|section| in_documents(section, &documents))
        .collect()
}

/// A section of each of the documents, or of any document if none is named.
fn in_documents((section, sure): (&str, bool), documents: &[DocNumber]) -> Vec<NamedSection> {
    if documents.is_empty() {
        // `16.2` may be a release, a version or a quantity.
        let likely = sure || section.matches('.').count() >= 2;
        let own = format!("={section}");
        return likely.then_some(NamedSection { own, inside: None, sure }).into_iter().collect();
    }
    let named = |number: &DocNumber| NamedSection {
        own: format!("{number}/={section}"),
        inside: Some(format!("{number}/{section}")),
        sure: true,
    };
    documents.iter().map(named).collect()
}

/// `38.331`, `TS38.331`, `38.101-1`; of the short `dd.dd` numbers only those after TS or TR, because others are
/// quantities.
fn parse_document_number(previous: &str, run: &str) -> Option<DocNumber> {
    let bare = run.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let prefixed = is_one_of(previous, &DOCUMENT_PREFIXES)
        || is_one_of(&run[..run.len() - bare.len()], &DOCUMENT_PREFIXES);
    let (series, rest) = bare.split_once('.')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let plain = bare.len() == run.len() || prefixed;
    let long = series.len() == 2 && (digits == 3 || digits == 2 && prefixed);
    (plain && long).then(|| bare.parse().ok()).flatten()
}

/// A section number, and whether it is the whole run: tables and figures (`5.3.5-1`) start
/// with the number of their section.
fn parse_section_number(run: &str, announced: bool) -> Option<(&str, bool)> {
    let (number, rest) = run.split_once('-').unwrap_or((run, ""));
    let number = number.trim_end_matches(is_joiner);
    let starts = number.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase());
    let dotted = starts && number.contains('.');
    let valid = SectionNumber::is_numbered(number) && (announced || dotted);
    valid.then_some((number, rest.is_empty()))
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|listed| word.eq_ignore_ascii_case(listed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_marked_with_all_above_it() {
        assert_eq!(
            build_section_terms("38.331", "5.3.5"),
            ["=5.3.5", "38.331/=5.3.5", "38.331/5", "38.331/5.3", "38.331/5.3.5"]
        );
        assert_eq!(build_section_terms("38.331", "Foreword"), ["=Foreword", "38.331/=Foreword"]);
    }

    #[test]
    fn a_section_of_a_document_is_recognized_in_any_wording() {
        for query in [
            "5.3.5 of 38.331",
            "38.331 5.3.5",
            "TS 38.331 clause 5.3.5",
            "what does TS38.331 \u{a7}5.3.5 say about T310",
            "38.331, section 5.3.5.",
        ] {
            let section = NamedSection {
                own: "38.331/=5.3.5".into(),
                inside: Some("38.331/5.3.5".into()),
                sure: true,
            };
            assert_eq!(find_named_sections(query), [section], "{query}");
        }
        assert_eq!(find_named_sections("Annex B of TS 38.101-1")[0].own, "38.101-1/=B");
    }

    #[test]
    fn a_section_without_a_document_matches_any_document() {
        let own = |query| {
            find_named_sections(query).first().map(|section| (section.own.clone(), section.sure))
        };
        assert_eq!(own("clause 5"), Some(("=5".into(), true)));
        assert_eq!(own("5.3.5"), Some(("=5.3.5".into(), true)));
        assert_eq!(own("Table 5.3.5-1"), Some(("=5.3.5".into(), false)));
        for query in ["3.5 GHz", "release 16.2", "38.331", "T310", "annex", "A UE", "TS 24.08"] {
            assert_eq!(own(query), None, "{query}");
        }
    }
}

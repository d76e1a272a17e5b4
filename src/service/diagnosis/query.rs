//! What a query lacks, or what of it nothing that is indexed has: words, a known script, documents and releases that it
//! names.

use std::ops::ControlFlow;

use super::{
    documents::{DocumentFilters, FilterValue, diagnose_documents},
    notes::{count_of, echo, list_some},
    numbers::{count_citing_sections, explain_number},
    reasons::Reasons,
};
use crate::service::{internal_failure, names::looks_like_name};
use domain::{DocNumber, Release};
use store::Snapshot;
use suggestion::{TypedDocument, print_version};
use wire::{Failure, records::DiagnosisReason, values::DiagnosisCode};

/// Documents that a query names, of which more are not looked up.
const MAX_DOCUMENTS: usize = 5;
/// Words of another script that are looked up.
const MAX_WORDS: usize = 16;

/// Letters of the words of a query that a search looks up.
const MIN_WORD_CHARS: usize = 4;

/// Scripts that specifications are not written in, each by a range of its letters. Greek letters are symbols there.
const OTHER_SCRIPTS: [(&str, char, char); 9] = [
    ("Cyrillic", '\u{400}', '\u{52f}'),
    ("Hebrew", '\u{590}', '\u{5ff}'),
    ("Arabic", '\u{600}', '\u{6ff}'),
    ("Devanagari", '\u{900}', '\u{97f}'),
    ("Thai", '\u{e00}', '\u{e7f}'),
    ("Japanese", '\u{3040}', '\u{30ff}'),
    ("Chinese", '\u{3400}', '\u{4dbf}'),
    ("Chinese", '\u{4e00}', '\u{9fff}'),
    ("Korean", '\u{ac00}', '\u{d7a3}'),
];

/// Adds that a query has no words, or only words in a script that no indexed text has. Returns whether it is so.
pub(in crate::service) fn diagnose_query(
    snapshot: &Snapshot,
    parameter: &'static str,
    query: &str,
    reasons: &mut Reasons,
) -> Result<bool, Failure> {
    if !query.chars().any(char::is_alphanumeric) {
        let message = "The query has no letters or digits.";
        let reason = DiagnosisReason::new(DiagnosisCode::QueryWithoutWords, message);
        reasons.add(reason.of_parameter(parameter));
        return Ok(true);
    }
    let Some(script) = main_script(query) else { return Ok(false) };
    let is_of_script = |c: char| script_of(c).is_some();
    let words = query.split(|c: char| !is_of_script(c)).filter(|word| !word.is_empty());
    for word in words.take(MAX_WORDS) {
        if snapshot.contents().count_occurrences(word, 1).map_err(internal_failure)? > 0 {
            return Ok(false);
        }
    }
    let message = format!(
        "The query is written in {script} letters, and no indexed text has these words; ask in the language of the \
         documents."
    );
    let reason = DiagnosisReason::new(DiagnosisCode::QueryInOtherScript, message);
    reasons.add(reason.of_parameter(parameter));
    Ok(true)
}

/// The script of a character, if it is one of the others.
fn script_of(c: char) -> Option<&'static str> {
    let is_in = |(_, first, last): &&(&str, char, char)| (*first..=*last).contains(&c);
    OTHER_SCRIPTS.iter().find(is_in).map(|(name, _, _)| *name)
}

/// The script of most letters of a query, if it is one of the others.
fn main_script(query: &str) -> Option<&'static str> {
    let letters = query.chars().filter(|c| c.is_alphabetic());
    let scripts: Vec<_> = letters.map(script_of).collect();
    let others: Vec<&str> = scripts.iter().flatten().copied().collect();
    // Kana are a sign of Japanese, which is mostly written with Chinese characters.
    let is_most = others.len() * 2 > scripts.len();
    let kana = others.iter().find(|script| **script == "Japanese");
    if is_most { kana.or(others.first()).copied() } else { None }
}

/// Adds the words of a query that occur nowhere. In an answer that is not thin for another reason, a plain word among many
/// others is none: it may be an inflected form. A name is one, and so are most words.
pub(in crate::service) fn diagnose_unknown_words(
    parameter: &'static str,
    query: &str,
    unknown: &[String],
    is_thin: bool,
    reasons: &mut Reasons,
) {
    let is_name = |term: &&String| looks_like_name(term) || term.contains(char::is_whitespace);
    let unknown: Vec<&String> = if is_thin || are_most_words(query, unknown) {
        unknown.iter().collect()
    } else {
        unknown.iter().filter(is_name).collect()
    };
    if unknown.is_empty() {
        return;
    }
    let words: Vec<String> = unknown.iter().map(|word| echo(word)).collect();
    let message = format!("In no indexed text: {}.", list_some(&words));
    let reason = DiagnosisReason::new(DiagnosisCode::WordsNotFound, message);
    reasons.add(reason.of_parameter(parameter).with_suggestions(words));
}

/// Whether at least half of the words of a query are unknown. Short words are not looked up.
fn are_most_words(query: &str, unknown: &[String]) -> bool {
    let words = query.split(|c: char| !c.is_alphanumeric());
    let looked_up = words.filter(|word| word.chars().count() >= MIN_WORD_CHARS).count();
    unknown.len() * 2 >= looked_up
}

/// Adds that the results probably contain no answer.
pub(in crate::service) fn diagnose_unlikely_answer(reasons: &mut Reasons) {
    let message =
        "The results probably do not contain the answer; try the terms that the documents use.";
    reasons.add(DiagnosisReason::new(DiagnosisCode::AnswerUnlikely, message));
}

/// Adds the documents, versions and releases that a query names and that are not indexed.
pub(in crate::service) fn diagnose_named_documents(
    snapshot: &Snapshot,
    parameter: &'static str,
    query: &str,
    missing: &[String],
    reasons: &mut Reasons,
) -> Result<(), Failure> {
    for number in missing.iter().filter_map(|number| number.parse::<DocNumber>().ok()) {
        let reason = explain_number(snapshot, &number).map_err(internal_failure)?;
        reasons.add(reason.of_parameter(parameter));
    }
    for document in foreign_documents(query).into_iter().take(MAX_DOCUMENTS) {
        let citing = count_citing_sections(snapshot, &document).map_err(internal_failure)?;
        let named = echo(&document);
        reasons.add(match citing {
            0 => DiagnosisReason::new(
                DiagnosisCode::DocumentNotIndexed,
                format!("{named} is not indexed."),
            )
            .of_parameter(parameter),
            1.. => {
                let verb = if citing == 1 { "cites" } else { "cite" };
                let sections = count_of(citing, "indexed section");
                let message = format!("{named} is not indexed; {sections} {verb} it.");
                DiagnosisReason::new(DiagnosisCode::DocumentOnlyCited, message)
                    .of_parameter(parameter)
                    .with_count(citing)
            }
        });
    }
    for TypedDocument { number, version } in named_versions(query) {
        let (number, version) = (number.to_string(), print_version(version));
        let filters = DocumentFilters {
            document: Some(FilterValue { parameter, value: &number }),
            version: Some(FilterValue { parameter, value: &version }),
            ..DocumentFilters::default()
        };
        diagnose_documents(snapshot, &filters, reasons)?;
    }
    for release in named_releases(query) {
        let text = release.to_string();
        let release = Some(FilterValue { parameter, value: &text });
        diagnose_documents(
            snapshot,
            &DocumentFilters { release, ..DocumentFilters::default() },
            reasons,
        )?;
    }
    Ok(())
}

/// The documents of other bodies that a text names, as citations print them: `RFC 3261`, `ITU-T X.680`.
fn foreign_documents(text: &str) -> Vec<String> {
    let is_sign = |c: char| matches!(c, ',' | ';' | '?' | '!' | '(' | ')' | ':' | '"' | '[' | ']');
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(is_sign).trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    let mut documents: Vec<String> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let next = words.get(index + 1).copied().unwrap_or_default();
        let upper = word.to_ascii_uppercase();
        let document = match upper.as_str() {
            "RFC" => rfc_number(next).map(|number| format!("RFC {number}")),
            "ITU-T" | "ITU-R" if is_recommendation(next) => {
                Some(format!("{upper} {}", next.to_ascii_uppercase()))
            }
            joined => joined
                .strip_prefix("RFC")
                .and_then(|rest| rfc_number(rest.trim_start_matches('-')))
                .map(|number| format!("RFC {number}")),
        };
        documents.extend(document.filter(|document| !documents.contains(document)));
    }
    documents
}

fn rfc_number(text: &str) -> Option<&str> {
    let is_number = (3..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(text)
}

/// `E.212`, `X.680`: a letter, a point and digits.
fn is_recommendation(text: &str) -> bool {
    let Some((series, number)) = text.split_once('.') else { return false };
    series.len() == 1
        && series.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The documents that a text names with a version: `38.331 v19.2.0`, `38.331-j20`. A number after a document without a
/// word is a clause.
fn named_versions(text: &str) -> Vec<TypedDocument> {
    let is_sign = |c: char| matches!(c, ',' | ';' | '?' | '!' | '(' | ')' | ':' | '"');
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(is_sign).trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    let mut found: Vec<TypedDocument> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let is_version = |word: &&&str| {
            word.strip_prefix(['v', 'V'])
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let written = match (words.get(index + 1).filter(is_version), &words[index + 1..]) {
            (Some(version), _) => format!("{word} {version}"),
            (None, [label, version, ..]) if label.eq_ignore_ascii_case("version") => {
                format!("{word} {version}")
            }
            _ => (*word).to_owned(),
        };
        if let Some(document) = TypedDocument::parse_text(&written)
            && !found.contains(&document)
        {
            found.push(document);
        }
    }
    found.truncate(MAX_DOCUMENTS);
    found
}

/// The releases that a text names with the word: `Rel-21`, `Release 21`.
fn named_releases(text: &str) -> Vec<Release> {
    let mut releases = Vec::new();
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '?' | '(' | ')'))
        .collect();
    let _ = words.iter().enumerate().try_for_each(|(index, word)| {
        let word = word.trim_end_matches(['.', ':']);
        let lower = word.to_ascii_lowercase();
        let written = match lower.as_str() {
            "release" | "rel" => words
                .get(index + 1)
                .map(|next| format!("Rel-{}", next.trim_end_matches(['.', ':']))),
            _ if lower.starts_with("rel-") || lower.starts_with("release-") => {
                Some(word.to_owned())
            }
            _ => None,
        };
        if let Some(release) = written.and_then(|written| written.parse().ok())
            && !releases.contains(&release)
        {
            releases.push(release);
        }
        if releases.len() < MAX_DOCUMENTS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    releases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_of_another_script_if_most_of_its_letters_are() {
        for (query, script) in [
            ("timer T310", None),
            ("\u{3b1} and \u{3bc} fairness", None),
            ("d\u{e9}lai d'attente", None),
            ("\u{6ce2}\u{675f}\u{5931}\u{8d25}\u{6062}\u{590d}", Some("Chinese")),
            ("T310 \u{5b9a}\u{65f6}\u{5668}\u{542f}\u{52a8}", Some("Chinese")),
            ("\u{30bf}\u{30a4}\u{30de}\u{958b}\u{59cb}", Some("Japanese")),
            ("\u{442}\u{430}\u{439}\u{43c}\u{435}\u{440}", Some("Cyrillic")),
            ("What does \u{7ec8}\u{7aef} mean in 38.331", None),
            ("", None),
        ] {
            assert_eq!(main_script(query), script, "{query}");
        }
    }

    #[test]
    fn a_plain_unknown_word_among_known_ones_is_no_reason() {
        let unknown = |query: &str, words: &[&str], is_thin: bool| {
            let mut reasons = Reasons::default();
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            diagnose_unknown_words("query", query, &words, is_thin, &mut reasons);
            reasons
                .into_list()
                .into_iter()
                .flat_map(|reason| reason.suggestions)
                .collect::<Vec<_>>()
        };
        let question = "How long does a terminal wait when it was turned away";
        assert_eq!(unknown(question, &["turned"], false), [""; 0]);
        assert_eq!(unknown(question, &["turned"], true), ["turned"]);
        assert_eq!(unknown("start of timer T399x", &["T399x"], false), ["T399x"]);
        assert_eq!(
            unknown("Wie lange wartet das", &["lange", "wartet"], false),
            ["lange", "wartet"]
        );
        assert_eq!(unknown("", &[], true), [""; 0]);
    }

    #[test]
    fn a_query_names_documents_of_other_bodies_and_releases() {
        assert_eq!(
            foreign_documents("How do RFC 3261 and rfc3264 define it?"),
            ["RFC 3261", "RFC 3264"]
        );
        assert_eq!(foreign_documents("Encoding (ITU-T X.691) in TS 38.331"), ["ITU-T X.691"]);
        assert_eq!(foreign_documents("the RFC editors, RFC 3261 and RFC 3261"), ["RFC 3261"]);
        assert!(foreign_documents("timer T310 in clause 5.3.5 of ITU-T").is_empty());
        let versions = |text: &str| -> Vec<String> {
            let named = named_versions(text).into_iter();
            named
                .map(|found| format!("{} {}", found.number, print_version(found.version)))
                .collect()
        };
        assert_eq!(versions("What is new in TS 38.331 v19.2.0?"), ["38.331 19.2.0"]);
        assert_eq!(
            versions("38.331-j20 or 38.213 version 17.1.0"),
            ["38.331 19.2.0", "38.213 17.1.0"]
        );
        assert_eq!(versions("38.331 5.3.5 and TS 38.213, clause 9.1.2"), [""; 0]);
        let names = |text: &str| -> Vec<String> {
            named_releases(text).iter().map(ToString::to_string).collect()
        };
        assert_eq!(names("Is it in Rel-21, or Release 22?"), ["Rel-21", "Rel-22"]);
        assert_eq!(names("the release of a connection, R15 and Rel-"), [""; 0]);
    }
}

//! Real specifications through the real program: four with vectors, all others without.
//!
//! `SPECBOX_REAL` names the folder with the files (default `../shared/real`).

#[path = "support/installed_models.rs"]
mod installed_models;
#[expect(dead_code, reason = "this test does not read the sample corpus")]
#[path = "support/program.rs"]
mod program;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{
    collections::{HashMap, HashSet},
    path::Path,
    process::ExitCode,
};

use domain::TermKind;
use installed_models::models_installed;
use program::{json, specbox};
use real_files::real_files;
use retrieval::SynonymVocabulary;
use serde_json::Value;
use store::{DataFolder, DocumentFilter, SectionKey, Store};
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![real_specifications_are_taken_in_and_answer,]])
}

/// Small ones: embedding is the slow part.
const WITH_VECTORS: [&str; 4] =
    ["22011-i50.docx", "38201-i00.docx", "38304-i00.docx", "38410-i00.docx"];

/// Questions an engineer would ask, and the clause (or one below it) that answers.
const QUESTIONS: [(&str, &str, &str); 6] = [
    ("cell reselection criteria for inter-frequency and inter-RAT", "38.304", "5.2.4"),
    ("how is the paging frame determined in idle mode", "38.304", "7"),
    ("barred and reserved cells", "38.304", "5.3"),
    ("which physical layer documents are there", "38.201", "5"),
    ("functions of the NG interface", "38.410", "5"),
    ("automatic and manual network selection after switch-on", "22.011", "3.2"),
];

fn contents(data: &Path, number: &str) -> Vec<String> {
    let listed = json(specbox(data).args(["call", "list_sections", "--doc_number", number]));
    let number = |section: &Value| section["section_number"].as_str().expect("text").to_owned();
    listed.as_array().expect("a list").iter().map(number).collect()
}

fn real_specifications_are_taken_in_and_answer() -> TestResult {
    let real = real_files("")?;
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let paths = WITH_VECTORS.map(|name| real.join("specs/docx").join(name));
    let report = json(specbox(data.path()).arg("ingest").args(&paths));
    assert_eq!(report["taken"].as_array().map(Vec::len), Some(4), "{report:#}");
    answers_are_found(data.path());
    let all = json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(real.join("specs")));
    assert_eq!(all["refused"], serde_json::json!([]), "{all:#}");
    let taken = all["taken"].as_array().expect("a list");
    assert!(taken.len() >= 50, "{} taken", taken.len());
    parts_are_joined(data.path());
    oddities_are_reported(&all);
    terms_are_collected(data.path());
    words_of_the_vocabulary_are_used(data.path());
    let verified = json(specbox(data.path()).arg("verify"));
    assert_eq!(verified["faults"], serde_json::json!([]));
    Ok(())
}

fn answers_are_found(data: &Path) {
    let mut missed = Vec::new();
    for (query, document, clause) in QUESTIONS {
        let answer = json(specbox(data).args([
            "call",
            "search_text",
            "--query",
            query,
            "--rerank",
            "false",
            "--match_count",
            "10",
            "--include_section_text",
            "false",
        ]));
        let within = |number: &str| number == clause || number.starts_with(&format!("{clause}."));
        let hit = answer["results"].as_array().expect("results").iter().any(|result| {
            result["doc_number"] == document
                && result["section_number"].as_str().is_some_and(within)
        });
        if !hit {
            missed.push(query);
        }
    }
    assert!(missed.len() <= 1, "missed: {missed:#?}");
}

/// Files of one version, several documents in one archive, and code beside a document.
fn parts_are_joined(data: &Path) {
    let joined = contents(data, "38.101-1");
    for number in ["5.2", "6.2.1", "7.3.2", "A", "F"] {
        assert!(joined.iter().any(|listed| listed == number), "38.101-1 lacks {number}");
    }
    let annexes = contents(data, "38.859");
    assert!(annexes.iter().any(|listed| listed.starts_with("B.4")), "38.859 lacks annex B.4");
    let beside = contents(data, "29.503");
    assert!(
        beside.iter().any(|listed| listed.ends_with(".yaml")),
        "29.503 lacks its OpenAPI files"
    );
}

fn oddities_are_reported(report: &Value) {
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("tracked changes") && skipped.contains("draft"), "{skipped}");
    let taken = report["taken"].to_string();
    assert!(taken.contains("says version"), "a cover that disagrees with the name is reported");
    let legacy = taken.contains("office_text") || taken.contains("converted");
    assert!(legacy, "legacy files are read, by LibreOffice where it is installed");
}

/// Counted by hand in the files: lines with a tab in clauses on abbreviations, and bold starts of
/// paragraphs in those on terms.
const DEFINED: [(&str, &str, TermKind, usize); 6] = [
    ("21.905", "19.2.0", TermKind::Abbreviation, 1424),
    ("21.905", "19.2.0", TermKind::Term, 579),
    ("38.331", "18.0.0", TermKind::Abbreviation, 180),
    ("36.304", "18.0.0", TermKind::Term, 50),
    ("33.117", "20.1.0", TermKind::Abbreviation, 52),
    ("24.301", "19.1.0", TermKind::Term, 93),
];

fn terms_are_collected(data: &Path) {
    let store = Store::open(DataFolder::new(data)).expect("opened");
    let snapshot = store.snapshot();
    let mut counts: HashMap<(String, String, TermKind), usize> = HashMap::new();
    let count = |term: store::DefinedTerm| {
        let row = &snapshot.catalog().get(term.document).expect("its document").row;
        let key = (row.number.to_string(), row.version.to_string(), term.row.kind);
        *counts.entry(key).or_default() += 1;
    };
    snapshot.terms().for_each_term(count).expect("readable");
    for (number, version, kind, expected) in DEFINED {
        let found = counts.get(&(number.to_owned(), version.to_owned(), kind)).copied();
        let found = found.unwrap_or_default();
        // A few lines are laid out like no other.
        assert!(found.abs_diff(expected) * 100 <= expected, "{number} {kind}: {found}");
    }
    let documents: HashSet<&String> = counts.keys().map(|(number, _, _)| number).collect();
    assert!(documents.len() >= 35, "{} documents define terms", documents.len());
}

/// Terms of the vocabulary are those of the specifications; a few belong to ones that are not
/// among these files.
fn words_of_the_vocabulary_are_used(data: &Path) {
    let vocabulary = SynonymVocabulary::load_shipped().expect("valid");
    let terms_of_vocabulary: HashSet<Vec<String>> = vocabulary.field_terms().map(folded).collect();
    let mut by_first: HashMap<&str, Vec<&Vec<String>>> = HashMap::new();
    terms_of_vocabulary.iter().for_each(|words| by_first.entry(&words[0]).or_default().push(words));
    let mut used: HashSet<&Vec<String>> = HashSet::new();
    let store = Store::open(DataFolder::new(data)).expect("opened");
    let snapshot = store.snapshot();
    for entry in snapshot.catalog().matching_documents(&DocumentFilter::default()) {
        for (ordinal, head) in
            (0u32..).zip(snapshot.documents().section_heads(entry.id).expect("readable"))
        {
            let key = SectionKey { document: entry.id, ordinal };
            let text = snapshot.documents().section_text(key).expect("readable");
            let words = folded(&format!("{} {text}", head.title));
            for start in 0..words.len() {
                let terms = by_first.get(words[start].as_str()).into_iter().flatten();
                used.extend(terms.filter(|term| words[start..].starts_with(term)));
            }
        }
    }
    let unused: Vec<String> = terms_of_vocabulary
        .iter()
        .filter(|term| !used.contains(term))
        .map(|term| term.join(" "))
        .collect();
    assert!(
        unused.len() * 40 <= terms_of_vocabulary.len(),
        "{} of {}: {unused:#?}",
        unused.len(),
        terms_of_vocabulary.len()
    );
}

/// Words in small letters and in the singular, as far as a last letter tells.
fn folded(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word.to_lowercase().trim_end_matches('s').to_owned()).collect()
}

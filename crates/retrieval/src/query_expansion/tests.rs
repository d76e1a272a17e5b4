//! Tests of query expansion: of the vocabulary files, and of abbreviations over a small store.

use std::{fs, path::Path};

use tempfile::TempDir;

use super::{QueryExpander, SynonymVocabulary};
use definitions::DocumentDefinitions;
use domain::{DocType, Release, Version};
use lexical::QueryExpansion;
use store::{
    DataFolder, DocumentFilter, DocumentRow, ModelRow, NewDocument, NewSection, SectionHead, Store,
};

/// A document whose clause 3 has two sections: abbreviations and definitions.
fn document(number: &str, abbreviations: &str, definitions: &str) -> NewDocument {
    let version: Version = "18.0.0".parse().expect("valid");
    let section = |number: &str, title: &str, text: &str| {
        NewSection::from_text(
            SectionHead {
                number: number.into(),
                title: title.into(),
                level: 1,
                parent: None,
                token_count: 0,
                fragment_count: 0,
            },
            text,
        )
    };
    let mut document = NewDocument {
        row: DocumentRow {
            number: number.parse().expect("valid"),
            doc_type: DocType::Specification,
            version,
            release: Release(18),
            title: None,
            filename: "file.zip".into(),
            created_at: "2026-01-01T00:00:00Z".into(),
            published: None,
            source_hash: *blake3::hash(number.as_bytes()).as_bytes(),
            first_passage: 0,
            passage_count: 0,
            section_count: 0,
            batch: 0,
            embedded: false,
            warnings: Vec::new(),
        },
        sections: vec![
            section("3.1", "Abbreviations", abbreviations),
            section("3.2", "Definitions", definitions),
        ],
        passages: Vec::new(),
        figures: Vec::new(),
        vectors: Vec::new(),
        definitions: DocumentDefinitions::default(),
        reading: None,
    };
    document.definitions = DocumentDefinitions::read(number, &document.defining_sections());
    document
}

/// A folder with a vocabulary of TR 21.905 and two specifications that differ from it.
fn store() -> (TempDir, Store) {
    let dir = tempfile::tempdir().expect("temporary folder");
    let store = Store::open(DataFolder::new(dir.path())).expect("opened");
    let model = ModelRow { name: "tiny".into(), identity: [7; 32], dimension: 4 };
    let documents = [
        document(
            "21.905",
            "AS\tAccess Stratum\n\nLRC\tLink Resource Control\n\nIT\tInformation Technology",
            "Link: what joins a lamp to a unit. It can be cut, as can a map of lamps.",
        ),
        document("23.990", "AS\tApplication Server\n\nMAP\tMobile Application Part", ""),
        document("38.990", "LRC\tLink Resource Control", "Lantern area (LA): a set of lamps."),
    ];
    for document in &documents {
        store.lock_writer().commit_document(document, None, &model).expect("committed");
    }
    (dir, store)
}

fn expansions(
    store: &Store,
    expander: &QueryExpander,
    query: &str,
    number: Option<&str>,
) -> Vec<QueryExpansion> {
    let number = number.map(|number| number.parse().expect("valid"));
    let filter = DocumentFilter { number, ..DocumentFilter::default() };
    expander.expand_query(&store.snapshot(), &filter, query).expect("readable")
}

/// Texts with a `*` after those that hold in some documents only.
fn texts(expansions: &[QueryExpansion]) -> Vec<String> {
    let show =
        |e: &QueryExpansion| format!("{}{}", e.text, if e.documents.is_some() { "*" } else { "" });
    expansions.iter().map(show).collect()
}

#[test]
fn abbreviations_are_expanded_in_both_directions_within_their_documents() {
    let (_dir, store) = store();
    let expander = QueryExpander::new(SynonymVocabulary::default());
    let cases: &[(&str, Option<&str>, &[&str])] = &[
        ("What does LRC do?", None, &["Link Resource Control"]),
        ("what does lrc do", None, &["Link Resource Control"]),
        ("link-resource controls", None, &["LRC"]),
        ("What does LRC (link resource control) do?", None, &[]),
        ("the AS of the UE", None, &["Access Stratum", "Application Server*"]),
        ("the AS of the UE", Some("23.990"), &["Application Server"]),
        ("the AS of the UE", Some("38.990"), &["Access Stratum"]),
        ("access stratum and application server", None, &["AS", "AS*"]),
        ("is it as long as it can be", None, &[]),
        ("WHAT IS IT AS SUCH", None, &[]),
        ("draw a map", None, &[]),
        ("the MAP protocol", None, &["Mobile Application Part"]),
        ("IT systems", None, &["Information Technology"]),
        ("a lantern area", None, &["LA"]),
        ("", None, &[]),
    ];
    for (query, number, expected) in cases {
        let found = expansions(&store, &expander, query, *number);
        assert_eq!(texts(&found), *expected, "{query} in {number:?}");
        assert!(found.iter().all(|e| e.weight > 0.0 && e.weight < 1.0), "{query}");
    }
    let within = expansions(&store, &expander, "the AS of it", None);
    let server = store
        .snapshot()
        .catalog()
        .matching_documents(&DocumentFilter::default())
        .nth(1)
        .map(|e| e.id);
    assert_eq!(within[1].documents.as_deref(), server.as_ref().map(std::slice::from_ref));
    assert_eq!(within[1].source, "AS");
}

#[test]
fn abbreviations_follow_the_documents() {
    let (_dir, store) = store();
    let expander = QueryExpander::new(SynonymVocabulary::default());
    assert_eq!(texts(&expansions(&store, &expander, "LA", None)), ["Lantern area"]);
    let number = "38.990".parse().expect("valid");
    let version = "18.0.0".parse().expect("valid");
    assert!(store.lock_writer().remove_document(&number, version).expect("removed"));
    assert!(expansions(&store, &expander, "LA", None).is_empty());
}

#[test]
fn expansions_are_bounded_and_every_phrase_has_its_share() {
    let (_dir, store) = store();
    let expander = QueryExpander::new(SynonymVocabulary::load_shipped().expect("valid"));
    let everything =
        "tower, phone, encrypt battery roam bill satellite drone car key hand over LRC ";
    let found = expansions(&store, &expander, &everything.repeat(40), None);
    assert_eq!(found.len(), super::MAX_EXPANSIONS);
    for source in ["phone", "tower", "hand over", "LRC", "drone"] {
        assert!(found.iter().any(|e| e.source == source), "{source}: {found:?}");
    }
    let hostile = ["\u{0}\u{301}\u{1f4f1} ' \u{2019}s", &"a ".repeat(2000), &"phone".repeat(800)];
    for query in hostile {
        assert!(expansions(&store, &expander, query, None).len() <= super::MAX_EXPANSIONS);
    }
}

fn own(text: &str) -> Result<SynonymVocabulary, String> {
    let dir = tempfile::tempdir().expect("temporary folder");
    let path = dir.path().join("vocabulary.toml");
    fs::write(&path, text).expect("written");
    let named = path.display().to_string();
    SynonymVocabulary::open(&path).map_err(|error| error.to_string().replace(&named, "FILE"))
}

fn with_field_terms(vocabulary: SynonymVocabulary, query: &str) -> Option<String> {
    QueryExpander::new(vocabulary).append_field_terms(query)
}

#[test]
fn the_vocabulary_of_the_program_is_valid_and_large() {
    let vocabulary =
        SynonymVocabulary::open(Path::new("/nonexistent/vocabulary.toml")).expect("valid");
    assert!(vocabulary.len() > 1500, "{} wordings", vocabulary.len());
}

#[test]
fn everyday_words_are_followed_by_field_terms() {
    for (query, expected) in [
        ("How does a phone switch towers?", "How does a phone (UE) switch towers (handover)?"),
        ("it loses the connection", "it loses the connection (radio link failure)"),
        ("an emergency call", "an emergency call (emergency services)"),
        ("the phone and the UE", "the phone (user equipment) and the UE"),
        ("two phones, three phones", "two phones (UE), three phones"),
    ] {
        let vocabulary = SynonymVocabulary::load_shipped().expect("valid");
        assert_eq!(with_field_terms(vocabulary, query).as_deref(), Some(expected));
    }
    assert_eq!(
        with_field_terms(SynonymVocabulary::load_shipped().expect("valid"), "T310 in 38.331"),
        None
    );
}

#[test]
fn the_operator_s_vocabulary_overrides_the_program_s() {
    let text = "[[entry]]\neveryday = [\"phones\", \"lamp\"]\nfield = { \"beacon unit\" = 1.0 }\n\
                [[entry]]\neveryday = [\"tower\"]\nfield = {}\n";
    let vocabulary = own(text).expect("valid");
    let query = "my phone, a lamp and a tower";
    let expected = "my phone (beacon unit), a lamp and a tower";
    assert_eq!(with_field_terms(vocabulary, query).as_deref(), Some(expected));
}

#[test]
fn a_wrong_line_of_a_vocabulary_is_named() {
    let entry = |everyday: &str, field: &str| {
        format!("# mine\nentry = [\n  {{ everyday = [{everyday}], field = {{ {field} }} }},\n]\n")
    };
    for (text, expected) in [
        (
            entry("\"lamp\"", "\"BU\" = 1.5"),
            "FILE, line 3: the weight of 'BU' is 1.5; it must be above 0 and at most 1",
        ),
        (
            entry("\"lamp\"", "\"BU\" = 0.0"),
            "FILE, line 3: the weight of 'BU' is 0; it must be above 0 and at most 1",
        ),
        (
            entry("\"lamp\", \"Lamps\"", "\"BU\" = 0.5"),
            "FILE, line 3: 'Lamps' occurs twice in the file",
        ),
        (entry("\"lamp\"", "\"lamps\" = 0.5"), "FILE, line 3: 'lamp' is only a synonym of itself"),
        (entry("\"the\"", "\"BU\" = 0.5"), "FILE, line 3: 'the' has 0 words; 1 to 6 are allowed"),
        (entry("\"lamp\"", "\"-\" = 0.5"), "FILE, line 3: '-' has no letters or digits"),
    ] {
        assert_eq!(own(&text).expect_err("wrong"), expected);
    }
    let broken = own("\n\nentry = [\n").expect_err("not TOML");
    assert!(broken.starts_with("FILE, line "), "{broken}");
    let unknown = own("[[entry]]\nevryday = []\n").expect_err("misspelt");
    assert!(unknown.starts_with("FILE, line ") && unknown.contains("evryday"), "{unknown}");
}

//! Tests over a small store: three versions of one document, in which clauses were changed, renumbered, moved and removed.

use document_model::TextRange;
use tempfile::TempDir;

use super::{
    CurrentPassages, TextAges,
    clause_matcher::{ClauseMatcher, Counterpart, HeadingMatches},
};
use crate::{Arm, PassageQuery, Reading, pool::CandidatePool};
use definitions::DocumentDefinitions;
use domain::{DocType, PassageContentType, Release, Version};
use store::{
    ContentVectors, DataFolder, DocumentEntry, DocumentFilter, DocumentRow, ModelRow, NewDocument,
    NewPassage, NewSection, PassageRow, SectionHead, Snapshot, Store, hash_heading_path,
};

const FIRST: &str =
    "The beacon starts timer T1 when it wakes, and stops it when it answers a call.";
const CHANGED: &str =
    "The beacon starts timer T2 when it wakes, and stops it when it answers any call.";
const STAYS: &str = "A lamp shows the colour that the last order named, until another order comes.";
const MOVED: &str = "A unit that hears no beacon for an hour turns its receiver off, and saves the power for later use.";
const REMOVED: &str =
    "The ferry carries a mirror, which throws the light of the harbour back to every single ship.";

const REBUILT: &str =
    "Each harbour keeps a list of the ships that called, and shows it to whoever asks.";
const DIVIDED: &str =
    "Piers are numbered from the north. A keeper reports the ships of every pier daily.";

/// Number, title and text of each section of a version.
type Outline = &'static [(&'static str, &'static str, &'static str)];

const OLDEST: Outline = &[
    ("1", "General", STAYS),
    ("2", "Waking of beacons", FIRST),
    ("3", "Saving power", MOVED),
    ("4", "Mirrors", REMOVED),
    ("6", "Harbours", REBUILT),
];
const MIDDLE: Outline =
    &[("1", "General", STAYS), ("2", "Waking of beacons", CHANGED), ("4", "Mirrors", REMOVED)];
const NEWEST: Outline = &[
    ("1", "General", STAYS),
    ("3", "Waking of beacons", CHANGED),
    ("4", "Void", ""),
    ("5", "Idle receivers", MOVED),
    ("6", "Harbours", ""),
    ("6.1", "Piers", DIVIDED),
];

fn vector_of(text: &str) -> Vec<f32> {
    let hash = blake3::hash(text.as_bytes());
    hash.as_bytes()[..4].iter().map(|byte| f32::from(*byte) - 127.5).collect()
}

fn hash_of(number: &str, title: &str, text: &str) -> [u8; 32] {
    *blake3::hash(format!("{number} {title}\n{text}").as_bytes()).as_bytes()
}

fn document(version: &str, outline: Outline) -> NewDocument {
    let version: Version = version.parse().expect("valid");
    let section = |(number, title, text): &(&str, &str, &str)| {
        let head = SectionHead {
            number: (*number).into(),
            title: (*title).into(),
            level: number.split('.').count() as u8,
            parent: None,
            token_count: 1,
            fragment_count: u32::from(!text.is_empty()),
        };
        let heading = (!text.is_empty()).then(|| hash_heading_path(title));
        NewSection { heading, ..NewSection::from_text(head, text) }
    };
    let with_text = || (0..).zip(outline).filter(|(_, (_, _, text))| !text.is_empty());
    let passage = |(index, (number, title, text)): (u32, &(&str, &str, &str))| NewPassage {
        section: index,
        head: TextRange::default(),
        body: TextRange { start: 0, end: text.len() as u32 },
        content_type: PassageContentType::Text,
        hash: hash_of(number, title, text),
    };
    let vector = |(_, (number, title, text)): (u32, &(&str, &str, &str))| ContentVectors {
        hash: hash_of(number, title, text),
        windows: vec![vector_of(text)],
    };
    NewDocument {
        row: DocumentRow {
            number: "38.990".parse().expect("valid"),
            doc_type: DocType::Specification,
            version,
            release: Release::from_version(version).expect("published"),
            title: None,
            filename: "file.zip".into(),
            created_at: "2026-01-01T00:00:00Z".into(),
            published: None,
            source_hash: *blake3::hash(version.to_string().as_bytes()).as_bytes(),
            first_passage: 0,
            passage_count: 0,
            section_count: 0,
            batch: 0,
            embedded: true,
            warnings: Vec::new(),
        },
        sections: outline.iter().map(section).collect(),
        passages: with_text().map(passage).collect(),
        figures: Vec::new(),
        vectors: with_text().map(vector).collect(),
        definitions: DocumentDefinitions::default(),
        reading: None,
    }
}

fn store() -> (TempDir, Store) {
    let dir = tempfile::tempdir().expect("temporary folder");
    let store = Store::open(DataFolder::new(dir.path())).expect("opened");
    let model = ModelRow { name: "tiny".into(), identity: [7; 32], dimension: 4 };
    for (version, outline) in [("16.1.0", OLDEST), ("17.0.0", MIDDLE), ("18.2.0", NEWEST)] {
        let document = document(version, outline);
        store.lock_writer().commit_document(&document, None, &model).expect("committed");
    }
    (dir, store)
}

fn version<'a>(snapshot: &'a Snapshot, version: &str) -> &'a DocumentEntry {
    let number = "38.990".parse().expect("valid");
    let version = version.parse().expect("valid");
    snapshot.catalog().find_version(&number, version).expect("a version")
}

fn content(snapshot: &Snapshot, of: &str, ordinal: u32) -> u64 {
    version(snapshot, of).section_passages(ordinal).next().expect("a passage")
}

/// The first passage of a section of a version.
fn row(snapshot: &Snapshot, of: &str, ordinal: u32) -> PassageRow {
    let rows = snapshot.contents().content_occurrences(content(snapshot, of, ordinal));
    let mut rows = rows.expect("readable").into_iter().map(|(_, row)| row);
    rows.find(|row| row.document == version(snapshot, of).id).expect("a row")
}

#[test]
fn a_clause_is_found_in_another_version_by_title_number_or_text() {
    let (_dir, store) = store();
    let snapshot = store.snapshot();
    let matches = HeadingMatches::default();
    let mut matcher = ClauseMatcher::new(&snapshot, &matches);
    for (from, ordinal, to, expected) in [
        ("16.1.0", 0, "18.2.0", Counterpart::Section(0)),
        // Renumbered, with another text; another clause has its number.
        ("16.1.0", 1, "18.2.0", Counterpart::Section(1)),
        // Moved, with another title and number.
        ("16.1.0", 2, "18.2.0", Counterpart::Section(3)),
        // Only the number is left.
        ("16.1.0", 3, "18.2.0", Counterpart::Missing),
        ("16.1.0", 3, "17.0.0", Counterpart::Section(2)),
        // Divided, with other words.
        ("16.1.0", 4, "18.2.0", Counterpart::Section(5)),
        ("16.1.0", 2, "17.0.0", Counterpart::Missing),
        ("18.2.0", 3, "16.1.0", Counterpart::Section(2)),
    ] {
        let row = row(&snapshot, from, ordinal);
        let found = matcher.find_counterpart(&row, version(&snapshot, to)).expect("readable");
        assert_eq!(found, expected, "section {ordinal} of {from} in {to}");
    }
}

#[test]
fn a_passage_differs_since_the_first_release_with_its_text() {
    let (_dir, store) = store();
    let snapshot = store.snapshot();
    let of_release = DocumentFilter { release: Some(Release(18)), ..DocumentFilter::default() };
    for (filter, ordinal, since) in [
        (DocumentFilter::default(), 0, None),
        (DocumentFilter::default(), 1, Some(Release(17))),
        // Older versions that the filter excludes are not compared.
        (of_release, 1, None),
    ] {
        let row = row(&snapshot, "18.2.0", ordinal);
        let found = TextAges::new(&snapshot, &filter, &HeadingMatches::default())
            .differs_since(&row)
            .expect("readable");
        assert_eq!(found, since, "section {ordinal}");
    }
}

#[test]
fn candidates_of_older_versions_are_replaced_by_the_newest_that_filters_allow() {
    let (_dir, store) = store();
    let snapshot = store.snapshot();
    let of_release =
        |release| DocumentFilter { release: Some(Release(release)), ..DocumentFilter::default() };
    for (filter, (from, ordinal), (to, expected), missing_in) in [
        (DocumentFilter::default(), ("16.1.0", 0), ("18.2.0", 0), None),
        (DocumentFilter::default(), ("16.1.0", 1), ("18.2.0", 1), None),
        (DocumentFilter::default(), ("17.0.0", 1), ("18.2.0", 1), None),
        (DocumentFilter::default(), ("16.1.0", 2), ("18.2.0", 3), None),
        // What was removed is found in its last version.
        (DocumentFilter::default(), ("16.1.0", 3), ("17.0.0", 2), Some("18.2.0")),
        (of_release(16), ("16.1.0", 1), ("16.1.0", 1), None),
        (of_release(17), ("17.0.0", 2), ("17.0.0", 2), None),
    ] {
        let question = PassageQuery {
            text: "beacon",
            filter,
            section: None,
            threshold: 0.0,
            limit: 10,
            arm: Arm::Words,
            reading: Reading::Completely,
            expand_versions: false,
            collapse_versions: true,
            newest_only: true,
        };
        let mut pool = CandidatePool::<()>::default();
        pool.add_contents([content(&snapshot, from, ordinal)]);
        let current = CurrentPassages::replace_outdated(
            &mut pool,
            &snapshot,
            &question,
            None,
            &HeadingMatches::default(),
        );
        let current = current.expect("readable");
        let name = format!("section {ordinal} of {from}");
        let [only] = pool.content_ids()[..] else { panic!("{name}: not one candidate") };
        let found = current.to_candidate(&snapshot, only).expect("a candidate");
        let place = (found.row.document, found.row.section);
        assert_eq!(place, (version(&snapshot, to).id, expected), "{name}");
        assert_eq!(found.missing_in, missing_in.map(|of| version(&snapshot, of).id), "{name}");
        let is_other = version(&snapshot, from).id != found.row.document;
        let lists_origin =
            found.also_in.iter().any(|row| row.document == version(&snapshot, from).id);
        assert_eq!(lists_origin, is_other, "{name}");
    }
}

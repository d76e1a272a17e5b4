//! An updated catalog gives the same answers as one that is built from everything.

use std::path::Path;

use register::Column;

use super::*;
use crate::{TdocCatalogCache, TdocFilter, import::tests::entry};
use store::{DataFolder, NewRegister, RegisterNote, Store};

const COMPANIES: [&str; 4] = ["Nokia", "Ericsson, Nokia", "Example Radio", "Moderator (Nokia)"];
const WORDS: [&str; 6] = ["beam", "timer", "energy", "sidelink", "positioning", "handover"];

pub(super) fn open_store(folder: &Path) -> Store {
    Store::open(DataFolder::new(folder)).expect("opened")
}

/// A number that looks random, for a step and a row.
fn drawn(step: u32, row: u32, below: usize) -> usize {
    (step.wrapping_mul(2_654_435_761) ^ row.wrapping_mul(40_503)) as usize / 7 % below
}

pub(super) fn import(store: &Store, step: u32, meeting: &str, rows: std::ops::Range<u32>) {
    let prefix = &meeting[..2];
    let entries = rows.map(|row| {
        let id = format!("{prefix}-24{row:05}");
        let title =
            format!("On {} and {}", WORDS[drawn(step, row, 6)], WORDS[drawn(step, row + 1, 6)]);
        let revised = format!("{prefix}-24{:05}", row + 7);
        let mut texts = vec![
            (Column::Title, title.as_str()),
            (Column::Source, COMPANIES[drawn(step, row, 4)]),
            (Column::Type, "CR"),
            (Column::Spec, "38.214"),
            (Column::Status, if step.is_multiple_of(2) { "agreed" } else { "noted" }),
        ];
        if row.is_multiple_of(5) {
            texts.push((Column::RevisedTo, &revised));
        }
        let mut entry = entry(&id, &texts);
        // Most links of a register lead into one folder; which one, a later register corrects.
        let folder = if row.is_multiple_of(3) { 0 } else { step };
        entry.url = Some(format!("https://www.3gpp.org/ftp/{meeting}_{folder}/Docs/{id}.zip"));
        (id.parse().expect("a number"), entry)
    });
    let entries: Vec<(TdocId, register::RegisterEntry)> = entries.collect();
    let note = RegisterNote {
        file: "list.htm".to_owned(),
        imported_at: "2026-01-01T00:00:00Z".to_owned(),
        rows: u32::try_from(entries.len()).expect("few"),
        range: None,
        is_full: true,
        estimated_start: None,
        folder: None,
        agenda: Vec::new(),
    };
    let meeting = meeting.parse().expect("a meeting");
    let new = NewRegister { meeting, note, sheet: String::new(), entries, packs: Vec::new() };
    store.lock_writer().import_register(&new).expect("stored");
}

/// The answers of a catalog, in a form that can be compared.
pub(super) fn answers(catalog: &TdocCatalog) -> Vec<String> {
    let company = |name: &str| catalog.directory.index_of_name(name);
    let mut said: Vec<String> = catalog
        .entries()
        .map(|entry| {
            let companies = entry.parties.iter().map(|party| {
                let organization = catalog.directory.get(party.organization).expect("known");
                (organization.id.clone(), party.role)
            });
            let companies: Vec<_> = companies.collect();
            let meeting = &catalog.meeting_of(entry).id;
            format!("{} {meeting} {:?} {companies:?} {:?}", entry.id, entry.status, entry.spec)
        })
        .collect();
    for word in WORDS {
        let filter = TdocFilter { words: Some(format!("{word} on")), ..TdocFilter::default() };
        let found = catalog.matching_entries(&filter).map(|entry| entry.id.to_string());
        said.push(format!("{word}: {:?}", found.collect::<Vec<_>>()));
    }
    for name in ["Nokia", "Ericsson", "Example Radio"] {
        let index = company(name).unwrap_or(u32::MAX);
        let own = catalog.organization_entries(index).map(|entry| entry.id.to_string());
        let count = catalog.organization_entry_count(index);
        said.push(format!("{name}: {count} {:?}", own.collect::<Vec<_>>()));
    }
    for number in [0, 5, 130, 300] {
        let id = format!("R1-24{number:05}").parse().expect("a number");
        said.push(format!(
            "{:?} {:?}",
            catalog.earlier_revisions(&id),
            catalog.later_revisions(&id)
        ));
    }
    for (index, meeting) in (0..).zip(&catalog.meetings) {
        let own = catalog.meeting_entries(index).count();
        said.push(format!("{meeting:?} {own}"));
    }
    said
}

#[test]
fn a_catalog_that_follows_changes_says_what_one_made_of_everything_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_store(folder.path());
    let cache = TdocCatalogCache::default();
    let steps: [(&str, std::ops::Range<u32>); 9] = [
        ("R1-116", 1000..1700),
        ("R1-116", 1300..1301),
        // Meetings before and after those that are known.
        ("R1-100", 1..2),
        ("S2-161", 5000..5400),
        ("R1-116", 900..1000),
        ("R1-116", 1700..2100),
        ("R1-116", 1650..1750),
        ("C1-90", 1..3),
        ("S2-161", 5100..5101),
    ];
    for (step, (meeting, rows)) in (0..).zip(steps) {
        import(&store, step, meeting, rows);
        let snapshot = store.snapshot();
        let followed = cache.catalog_of(&snapshot).expect("made");
        let anew = TdocCatalog::from_snapshot(&snapshot).expect("made");
        assert_eq!(answers(&followed), answers(&anew), "after step {step}");
        let largest = followed.chunks.iter().map(|chunk| chunk.entries().len()).max();
        assert!(largest <= Some(chunk_rows::MAX_CHUNK_ROWS), "{largest:?}");
    }
}

#[test]
fn corrected_links_and_meetings_without_documents_leave_no_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_store(folder.path());
    let cache = TdocCatalogCache::default();
    let check = |what: &str| {
        let snapshot = store.snapshot();
        let followed = cache.catalog_of(&snapshot).expect("made");
        assert_eq!(
            answers(&followed),
            answers(&TdocCatalog::from_snapshot(&snapshot).expect("made")),
            "{what}"
        );
        followed
    };
    import(&store, 1, "R1-116", 0..300);
    let folder_of =
        |catalog: &TdocCatalog| catalog.meetings.first().expect("one").document_folder_url.clone();
    assert!(folder_of(&check("the register")).is_some_and(|url| url.contains("R1-116_1/")));
    import(&store, 2, "R1-116", 0..300);
    assert!(folder_of(&check("corrected links")).is_some_and(|url| url.contains("R1-116_2/")));
    let id: TdocId = "R1-2499999".parse().expect("a number");
    let unlisted = entry("R1-2499999", &[(Column::Title, "A late paper")]);
    for meeting in ["R1-117", "R1-118"] {
        let meeting = meeting.parse().expect("a meeting");
        store.lock_writer().record_unlisted_tdoc(&id, &meeting, &unlisted).expect("stored");
        check("an unlisted document");
    }
    let last = check("it moved");
    assert!(last.meeting_index(&"R1-117".parse().expect("a meeting")).is_none());
}

#[test]
fn a_change_leaves_the_other_chunks_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_store(folder.path());
    import(&store, 0, "R1-116", 0..2000);
    let before = TdocCatalog::from_snapshot(&store.snapshot()).expect("made");
    import(&store, 1, "R1-116", 700..701);
    let after = before.updated(&store.snapshot()).expect("read").expect("the journal tells all");
    let shared =
        after.chunks.iter().filter(|chunk| before.chunks.iter().any(|old| Arc::ptr_eq(old, chunk)));
    assert_eq!(shared.count(), before.chunks.len() - 1);
    // Another journal, such as after a restored backup, says nothing about this one.
    let mut elsewhere = before.clone();
    elsewhere.journal.id ^= 1;
    assert!(elsewhere.updated(&store.snapshot()).expect("read").is_none());
}

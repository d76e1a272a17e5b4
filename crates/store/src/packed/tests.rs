//! Documents that leave one store as packs and come into another.

use std::collections::HashMap;

use document_model::{Block, Paragraph, RichText, SectionBody, Span, SpanKind};
use domain::{ReadingCheck, ReadingCheckKind};

use super::*;
use crate::{
    DocumentCommit, DocumentFilter, NewDocument, NewSection, SourceReading, Store,
    figures::tests::with_figures,
    tests::{commit, document, folder, model, nearest, open, words},
};

/// Packs the document with an id, and imports the pack.
fn carry(from: &Store, id: u32, to: &Store) -> PackedDocument {
    let snapshot = from.snapshot();
    let entry = snapshot.catalog().get(id).expect("stored");
    let packed = snapshot.pack_document(entry).expect("packed");
    let pictures = from.read_packed_pictures(&packed).expect("read").sound;
    let read = PackedDocument::decode(&packed.encode()).expect("own bytes");
    assert_eq!(read, packed);
    let mut new = read.to_new_document(entry.row.created_at.clone(), &pictures).expect("whole");
    new.vectors = snapshot.pack_text_vectors(entry, &packed).expect("read");
    to.lock_writer().commit_document(&new, None, &model()).expect("committed");
    packed
}

#[test]
fn a_document_from_a_pack_is_the_same_pack_again() {
    let (one, other) = (folder(), folder());
    let (from, to) = (open(&one), open(&other));
    let id = commit(&from, &with_figures("18.0.0", &[("Figure 1", "A box"), ("Figure 2", "Two")]));
    let packed = carry(&from, id, &to);
    let snapshot = to.snapshot();
    let entry = snapshot.catalog().document_entries().next().expect("stored");
    let again = snapshot.pack_document(entry).expect("packed");
    // The source is not recorded, because it was not given.
    assert_eq!(again.origin.extractor_revision, None);
    assert_eq!(PackedDocument { origin: packed.origin.clone(), ..again }, packed);
    let hashes = packed.picture_hashes();
    assert_eq!(hashes.len(), 2);
    for hash in hashes {
        assert_eq!(to.read_picture(&hash).expect("read"), from.read_picture(&hash).expect("read"));
    }
}

#[test]
fn what_is_carried_is_found_by_words_and_vectors() {
    let (one, other) = (folder(), folder());
    let (from, to) = (open(&one), open(&other));
    let id = commit(&from, &document("38.331", "18.0.0", &["The timer.", "The counter."]));
    // The helper's contents are hashes of bare texts; those of a carried document have their header, so the vectors of
    // the first store do not fit. What its own pack gives fits.
    let once = carry(&from, id, &to);
    assert_eq!(words(&to.snapshot(), "counter"), 1);
    let third = folder();
    let last = open(&third);
    let id = to.snapshot().catalog().document_entries().next().expect("stored").id;
    assert_eq!(carry(&to, id, &last).encode(), once_without_source(once).encode());
    let filter = DocumentFilter::default();
    assert_eq!(
        nearest(&last.snapshot(), "The timer.", &filter),
        nearest(&to.snapshot(), "The timer.", &filter)
    );
}

#[test]
fn checks_of_the_reading_are_stored_carried_and_removed_with_their_document() {
    let mut check = ReadingCheck::new(ReadingCheckKind::Headings);
    check.count_one(false, || "5.1_1 Variant".to_owned());
    let checks = Some(vec![check]);
    let (one, other) = (folder(), folder());
    let (from, to) = (open(&one), open(&other));
    let new = NewDocument { reading: checks.clone(), ..document("38.331", "18.0.0", &["Text."]) };
    let id = commit(&from, &new);
    let packed = carry(&from, id, &to);
    let read_again = |store: &Store| {
        let snapshot = store.snapshot();
        let entry = snapshot.catalog().document_entries().next().expect("stored");
        entry.reading.clone()
    };
    assert_eq!([read_again(&from), read_again(&to)], [checks.clone(), checks.clone()]);
    drop(from);
    let from = open(&one);
    assert_eq!(read_again(&from), checks);

    // A pack of the form before has none.
    let unchecked = PackedDocument { reading: None, ..packed };
    let mut bytes = unchecked.encode();
    bytes[0] = 2;
    bytes.pop();
    assert_eq!(PackedDocument::decode(&bytes).expect("the second form"), unchecked);

    commit(&from, &document("38.331", "18.0.0", &["Text."]));
    assert_eq!(read_again(&from), None);
}

fn once_without_source(mut packed: PackedDocument) -> PackedDocument {
    packed.origin = PackedOrigin {
        source_hash: packed.origin.source_hash,
        extractor_revision: None,
        read: SourceReading {
            pipeline: String::new(),
            documents: Vec::new(),
            drafts_left: false,
            converter_tried: false,
        },
    };
    packed
}

#[test]
fn ranges_and_pictures_of_a_pack_are_checked() {
    let dir = folder();
    let store = open(&dir);
    let id = commit(&store, &with_figures("18.0.0", &[("Figure 1", "A box")]));
    let snapshot = store.snapshot();
    let packed = snapshot.pack_document(snapshot.catalog().get(id).expect("stored"));
    let packed = packed.expect("packed");
    let pictures = store.read_packed_pictures(&packed).expect("read").sound;
    let check = |change: &dyn Fn(&mut PackedDocument)| {
        let mut damaged = packed.clone();
        change(&mut damaged);
        damaged.to_new_document(String::new(), &pictures).is_ok()
    };
    assert!(check(&|_| {}));
    assert!(!check(&|packed| packed.passages[0].body.end = u32::MAX));
    assert!(!check(&|packed| packed.passages[0].section = 9));
    assert!(!check(&|packed| packed.figures[0].section = 9));
    assert!(packed.to_new_document(String::new(), &HashMap::new()).is_err(), "no picture");
    let bytes = packed.encode();
    for length in 0..bytes.len() {
        assert!(PackedDocument::decode(&bytes[..length]).is_err(), "cut at {length}");
    }
    assert!(PackedDocument::decode(&[&bytes[..], b"x"].concat()).is_err(), "trailing");
}

#[test]
fn damaged_drawings_and_pictures_are_left_out_of_a_pack_and_counted() {
    let dir = folder();
    let store = open(&dir);
    let figures = [("Figure 1", "drawn"), ("Figure 2", "A box")];
    let id = commit(&store, &with_figures("18.0.0", &figures));
    let snapshot = store.snapshot();
    let entry = snapshot.catalog().get(id).expect("stored");
    let packed = snapshot.pack_document(entry).expect("packed");
    let drawn = *blake3::hash(b"drawn").as_bytes();
    // The pictures that are copied, whether one of them is a drawing, and how many drawings are lost.
    let read = || {
        let pictures = store.read_packed_pictures(&packed).expect("read");
        let has_drawing = pictures.sound.get(&drawn).is_some_and(|of| of.drawing.is_some());
        (pictures.sound.len(), has_drawing, pictures.lost_drawings)
    };
    assert_eq!(read(), (2, true, 0));
    let path = |ending: &str| {
        let name = blake3::hash(b"drawn").to_hex().to_string();
        dir.path().join("figures").join(&name[..2]).join(format!("{name}.{ending}"))
    };
    let mut bytes = std::fs::read(path("svg.gz")).expect("there");
    bytes[5] ^= 1;
    std::fs::write(path("svg.gz"), bytes).expect("written");
    assert_eq!(read(), (2, false, 1), "its picture is copied alone");
    std::fs::remove_file(path("svg.gz")).expect("removed");
    assert_eq!(read(), (2, false, 1));
    std::fs::write(path("png"), b"other").expect("written");
    assert_eq!(read(), (1, false, 0));
}

#[test]
fn several_documents_are_one_commit_unless_one_replaces_another() {
    let dir = folder();
    let store = open(&dir);
    let all = [
        document("38.331", "18.0.0", &["The timer."]),
        document("38.331", "18.1.0", &["The counter."]),
        document("38.331", "18.0.0", &["The bearer."]),
        document("38.300", "18.0.0", &["The cell."]),
    ];
    let commits: Vec<DocumentCommit<'_>> =
        all.iter().map(|new| DocumentCommit { new, source: None, first_passage: 0 }).collect();
    let ids = store.lock_writer().commit_documents(&commits, &model()).expect("committed");
    assert_eq!(ids, [1, 2, 1, 3]);
    let snapshot = store.snapshot();
    assert_eq!(
        ["timer", "counter", "bearer", "cell"].map(|word| words(&snapshot, word)),
        [0, 1, 1, 1]
    );
    assert_eq!(snapshot.batch_number(), 4);
    drop((snapshot, store));
    let snapshot = open(&dir).snapshot();
    assert_eq!(
        ["timer", "counter", "bearer", "cell"].map(|word| words(&snapshot, word)),
        [0, 1, 1, 1]
    );
    assert!(words(&snapshot, "cell") == 1);
}

#[test]
fn a_clause_without_text_stays_without_and_spans_of_a_pack_are_checked() {
    let dir = folder();
    let store = open(&dir);
    let mut new = document("38.331", "18.0.0", &["The timer."]);
    let bare = NewSection { body: SectionBody::default(), ..new.sections[0].clone() };
    new.sections.push(NewSection { text: String::new(), ..bare });
    let id = commit(&store, &new);
    let snapshot = store.snapshot();
    let entry = snapshot.catalog().get(id).expect("stored");
    let packed = snapshot.pack_document(entry).expect("packed");
    let taken = packed.to_new_document(String::new(), &HashMap::new()).expect("whole");
    assert_eq!(taken.sections[1].body, SectionBody::default());
    let mut damaged = packed;
    let span = Span { start: 3, end: 99, kind: SpanKind::Figure };
    let text = postcard::to_stdvec(&("The timer.", [span].as_slice())).expect("encoded");
    let text: RichText = postcard::from_bytes(&text).expect("the same form");
    damaged.sections[0].body.blocks[0] =
        Block::Paragraph(Paragraph { text, ..Paragraph::default() });
    assert!(damaged.to_new_document(String::new(), &HashMap::new()).is_err());
}

#[test]
fn what_is_said_of_a_meeting_document_is_not_lost_to_a_pack_that_says_less() {
    let (one, other) = (folder(), folder());
    let (from, to) = (open(&one), open(&other));
    let id: domain::TdocId = "R1-2400001".parse().expect("valid");
    let meeting: domain::MeetingId = "R1-118".parse().expect("valid");
    let entry = |title: &str| register::RegisterEntry {
        line: 1,
        tdoc: id.to_string(),
        url: None,
        reserved: None,
        uploaded: None,
        texts: [(register::Column::Title, title.to_owned())].into(),
    };
    from.lock_writer()
        .record_unlisted_tdoc(&id, &meeting, &entry("From the file"))
        .expect("stored");
    let register = |title: &str| crate::NewRegister {
        meeting: meeting.clone(),
        note: crate::RegisterNote {
            file: "list.xlsx".to_owned(),
            imported_at: "2026-01-01T00:00:00Z".to_owned(),
            rows: 1,
            range: None,
            is_full: true,
            estimated_start: None,
            folder: None,
            agenda: Vec::new(),
        },
        sheet: "list".to_owned(),
        entries: vec![(id.clone(), entry(title))],
        packs: Vec::new(),
    };
    to.lock_writer().import_register(&register("From the register")).expect("stored");
    for listed in from.snapshot().meetings_to_pack().expect("listed") {
        let packed = from.snapshot().pack_meeting(&listed).expect("packed");
        to.lock_writer().store_packed_meeting(&packed, String::new()).expect("stored");
    }
    let row = to.snapshot().tdocs().tdoc_row(&id).expect("read").expect("there");
    assert_eq!(row.entry.column_text(register::Column::Title), Some("From the register"));
    let stored = to.snapshot().meetings().meeting_row(&meeting).expect("read").expect("there");
    assert!(stored.register.is_some(), "a pack without a register takes none away");
}

#[test]
fn the_state_of_an_index_follows_what_was_packed() {
    let dir = folder();
    let store = open(&dir);
    for version in ["18.0.0", "18.1.0"] {
        commit(&store, &document("38.331", version, &["The timer."]));
    }
    let mut state = store.snapshot().pack_state().expect("packed");
    let titles = |state: &IndexState| -> Vec<String> {
        state.documents().iter().map(DocumentState::title).collect()
    };
    assert_eq!(titles(&state), ["38.331 18.0.0", "38.331 18.1.0"]);
    // The first one was committed again while it was packed, and has later passages now.
    let moved = DocumentState { first_passage: 9, batch: 3, ..state.documents()[0].clone() };
    state.replace_document(moved);
    assert_eq!(titles(&state), ["38.331 18.1.0", "38.331 18.0.0"]);
    state.keep_documents(&["38.331 18.0.0"].into());
    assert_eq!(titles(&state), ["38.331 18.0.0"]);
    assert_eq!(IndexState::decode(&state.encode()).expect("own bytes"), state);
}

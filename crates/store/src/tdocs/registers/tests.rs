//! Registers in the store: rows joined field by field, and the row that each status comes from.

use std::collections::BTreeMap;

use register::{Column, RegisterEntry};

use crate::{
    NewRegister, RegisterNote, RegisterPosition, Store,
    tables::definitions::TDOC_POSITIONS,
    tests::{folder, open},
};
use domain::TdocId;

fn tdoc() -> TdocId {
    "S2-9900001".parse().expect("a number")
}

fn texts(columns: &[(Column, &str)]) -> BTreeMap<Column, String> {
    columns.iter().map(|(column, text)| (*column, (*text).to_owned())).collect()
}

/// A register of one document.
fn register(meeting: &str, file: &str, row: u32, columns: &[(Column, &str)]) -> NewRegister {
    let entry = RegisterEntry {
        line: row,
        tdoc: tdoc().to_string(),
        url: None,
        reserved: None,
        uploaded: None,
        texts: texts(columns),
    };
    NewRegister {
        meeting: meeting.parse().expect("a meeting"),
        note: RegisterNote {
            file: file.to_owned(),
            imported_at: String::new(),
            rows: 1,
            range: None,
            is_full: true,
            estimated_start: None,
            folder: None,
            agenda: Vec::new(),
        },
        sheet: "table2".to_owned(),
        entries: vec![(tdoc(), entry)],
        packs: Vec::new(),
    }
}

fn import(store: &Store, register: &NewRegister) {
    store.lock_writer().import_register(register).expect("stored");
}

fn position(store: &Store) -> Option<(String, u32)> {
    let position = store.snapshot().tdocs().register_position(&tdoc()).expect("read");
    position.map(|RegisterPosition { file, row, .. }| (file, row))
}

#[test]
fn the_position_is_that_of_the_row_that_says_the_status() {
    let dir = folder();
    let store = open(&dir);
    assert_eq!(position(&store), None);
    let agreed = [(Column::Status, "agreed")];
    import(&store, &register("S2-99", "first.htm", 7, &[]));
    assert_eq!(position(&store), Some(("first.htm".to_owned(), 7)));
    import(&store, &register("S2-99", "second.htm", 8, &agreed));
    assert_eq!(position(&store), Some(("second.htm".to_owned(), 8)));
    // The same row in another place, a row without a status, and one of a meeting where it is a guest.
    import(&store, &register("S2-99", "second.htm", 9, &agreed));
    import(&store, &register("S2-99", "third.htm", 10, &[(Column::Title, "Beams")]));
    import(&store, &register("R1-99", "guests.htm", 11, &[(Column::Status, "noted")]));
    assert_eq!(position(&store), Some(("second.htm".to_owned(), 9)));
}

#[test]
fn a_folder_without_positions_opens_and_has_none() {
    let dir = folder();
    let store = open(&dir);
    import(&store, &register("S2-99", "first.htm", 7, &[(Column::Status, "agreed")]));
    let txn = store.index().metadata.begin_write().expect("begun");
    txn.delete_table(TDOC_POSITIONS).expect("deleted");
    txn.commit().expect("committed");
    drop(store);
    let store = open(&dir);
    assert_eq!(position(&store), None);
    assert!(store.snapshot().tdocs().tdoc_row(&tdoc()).expect("read").is_some());
    // The next import of the same register has them.
    import(&store, &register("S2-99", "first.htm", 7, &[(Column::Status, "agreed")]));
    assert_eq!(position(&store), Some(("first.htm".to_owned(), 7)));
}

#[test]
fn columns_that_a_row_leaves_out_are_filled_and_outlive_the_next_import() {
    let dir = folder();
    let store = open(&dir);
    let page = register("S2-99", "page.htm", 7, &[(Column::Title, "Beams")]);
    import(&store, &page);
    let cover = texts(&[(Column::Title, "Rays"), (Column::Spec, "23.901"), (Column::Cr, "0007")]);
    let complete =
        |id: TdocId| store.lock_writer().complete_tdocs(&[(id, cover.clone())]).expect("completed");
    let generation = || store.snapshot().tdocs().tdocs_generation().expect("read");
    let before = generation();
    assert_eq!(complete("S2-9900002".parse().expect("a number")), 0, "not listed");
    assert_eq!(generation(), before);
    assert_eq!(complete(tdoc()), 1);
    assert!(generation() > before);
    assert_eq!(complete(tdoc()), 0, "nothing is left to fill");
    import(&store, &page);
    let row = store.snapshot().tdocs().tdoc_row(&tdoc()).expect("read").expect("listed");
    let expected =
        texts(&[(Column::Title, "Beams"), (Column::Spec, "23.901"), (Column::Cr, "0007")]);
    assert_eq!(row.entry.texts, expected);
}

//! What a data folder holds, as one hash for each thing that a person could miss.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    path::Path,
};

use accounts::{Access, AccessSettings, AccountsLocation};
use lexical::LexicalQuery;
use store::{DataFolder, DocumentFilter, Store};

/// A hash for each document, TDoc, meeting, minutes, job, account and key.
pub(crate) type HeldState = BTreeMap<String, [u8; 32]>;

/// Opens a data folder as the program does, checks everything that is stored, and returns what it holds.
pub(crate) fn read_state(data: &Path) -> Result<HeldState, String> {
    read_folder(data, false)
}

/// The same, with what searches of some words find.
pub(crate) fn read_searchable_state(data: &Path) -> Result<HeldState, String> {
    read_folder(data, true)
}

fn read_folder(data: &Path, searches: bool) -> Result<HeldState, String> {
    let mut held = HeldState::new();
    let folder = DataFolder::new(data.to_owned());
    let store = Store::open(folder.clone()).map_err(|error| describe("the index", &error))?;
    add_index(&store, &mut held).map_err(|error| describe("reading the index", &error))?;
    if searches {
        add_searches(&store, &mut held).map_err(|error| describe("searching", &error))?;
    }
    let report = store.verify_store(|_, _| ()).map_err(|error| describe("verify", &error))?;
    if !report.faults.is_empty() {
        return Err(format!("verify finds faults: {:?}", report.faults));
    }
    let location = AccountsLocation::File(folder.accounts_path());
    let access = Access::open(&location, AccessSettings::default())
        .map_err(|error| describe("the accounts", &error))?;
    add_accounts(&access, &mut held).map_err(|error| describe("reading accounts", &error))?;
    Ok(held)
}

fn describe(what: &str, error: &dyn std::error::Error) -> String {
    let mut text = format!("{what}: {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

fn add_index(store: &Store, held: &mut HeldState) -> Result<(), store::StoreError> {
    let snapshot = store.snapshot();
    let mut add = |name: String, bytes: &[u8]| {
        held.insert(name, *blake3::hash(bytes).as_bytes());
    };
    for entry in snapshot.catalog().document_entries() {
        let packed = snapshot.pack_document(entry)?;
        for hash in packed.picture_hashes() {
            let picture = store.read_picture(&hash)?;
            add(format!("picture of {} {hash:?}", packed.title()), &picture.unwrap_or_default());
            if let Some(drawing) = store.read_drawing(&hash)? {
                add(format!("drawing of {} {hash:?}", packed.title()), &drawing);
            }
        }
        add(format!("document {}", packed.title()), format!("{packed:?}").as_bytes());
    }
    for entry in snapshot.catalog().tdoc_entries() {
        let packed = snapshot.pack_tdoc(entry)?;
        add(format!("text of {}", packed.id()), &packed.encode());
    }
    snapshot.tdocs().for_each_tdoc(|id, row| {
        add(format!("row of {id}"), format!("{row:?}").as_bytes());
    })?;
    for mut row in snapshot.meetings().meeting_rows()? {
        if let Some(register) = &mut row.register {
            register.imported_at.clear();
        }
        add(format!("meeting {:?}", row.id), format!("{row:?}").as_bytes());
    }
    for notes in snapshot.meetings().all_notes()? {
        let packed = snapshot.pack_notes(&notes)?;
        add(format!("minutes {}", packed.title()), &packed.encode());
    }
    for job in snapshot.tdocs().tdoc_jobs()? {
        add(format!("job {:?}", job.id), b"waits");
    }
    Ok(())
}

/// What is found by words, and how often phrases stand in the texts.
fn add_searches(store: &Store, held: &mut HeldState) -> Result<(), store::StoreError> {
    let snapshot = store.snapshot();
    for text in ["beacon", "overloaded beacon", "shall start the timer", "T390"] {
        let count = snapshot.contents().count_occurrences(text, usize::MAX)?;
        let query = LexicalQuery { text: text.to_owned(), ..LexicalQuery::default() };
        let every = DocumentFilter::default();
        let (figures, _) = snapshot.figures().search_figures_lexical(&query, &every, 100)?;
        let found: BTreeSet<u64> = figures.iter().map(|hit| hit.content).collect();
        let found = format!("{count} {found:?}");
        held.insert(format!("search for {text}"), *blake3::hash(found.as_bytes()).as_bytes());
    }
    Ok(())
}

fn add_accounts(access: &Access, held: &mut HeldState) -> Result<(), accounts::AccessError> {
    let mut add = |name: String, value: &dyn Debug| {
        held.insert(name, *blake3::hash(format!("{value:?}").as_bytes()).as_bytes());
    };
    for account in access.accounts().list_accounts()? {
        // The first account is made when a folder is opened, and tells no one anything.
        if account.id > 1 {
            add(format!("account {}", account.name), &(account.role, account.plan, account.active));
        }
    }
    for key in access.keys().list_keys(None)? {
        add(format!("key {}", key.stored.name), &(key.stored.account, key.stored.active));
    }
    Ok(())
}

/// What differs from both the state before a step and the state after it: nothing may.
pub(crate) fn find_losses(found: &HeldState, before: &HeldState, after: &HeldState) -> Vec<String> {
    let names: BTreeSet<&String> = found.keys().chain(before.keys()).chain(after.keys()).collect();
    let is_lost = |name: &&&String| {
        let value = found.get(**name);
        value != before.get(**name) && value != after.get(**name)
    };
    let tell = |name: &String| match (found.get(name), before.get(name)) {
        (None, _) => format!("{name} is missing"),
        (Some(_), None) => format!("{name} came from nowhere"),
        _ => format!("{name} is another one"),
    };
    names.iter().filter(is_lost).map(|name| tell(name)).collect()
}

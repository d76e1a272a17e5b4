//! Names drawn from real specifications are found by the lexical search.
//!
//! `SPECBOX_REAL` names the folder with the files (default `../shared/real`).

#[expect(dead_code, reason = "this test does not read the sample corpus")]
#[path = "support/program.rs"]
mod program;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use lexical::LexicalQuery;
use memchr::memmem;
use program::{json, specbox};
use real_files::real_files;
use store::{DataFolder, DocumentFilter, Snapshot, Store};
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![names_that_occur_in_few_sections_are_found_in_the_first_ten,]])
}

/// Of many kinds: ASN.1, MAC, physical layer, NAS, policy, OpenAPI, S1AP, tests of security.
const FILES: [&str; 8] = [
    "docx/38331-i00.docx",
    "docx/38321-i00.docx",
    "docx/38213-i10.docx",
    "docx/24301-i90.docx",
    "docx/23503-i40.docx",
    "zip/29503-g10.zip",
    "zip/36413-f71.zip",
    "docx/33512-i10.docx",
];
/// Names are drawn that occur in this many sections at most: all of these must be among the first.
const MAX_SECTIONS: usize = 3;
const NAME_COUNT: usize = 400;
const TOP_SECTIONS: usize = 10;

/// Number of the document and of the section.
type SectionId = (String, String);

fn names_that_occur_in_few_sections_are_found_in_the_first_ten() -> TestResult {
    let real = real_files("")?;
    let data = tempfile::tempdir().expect("temporary folder");
    let files = FILES.map(|file| real.join("specs").join(file));
    json(specbox(data.path()).args(["ingest", "--no-vectors"]).args(&files));
    let store = Store::open(DataFolder::new(data.path())).expect("opened");
    let snapshot = store.snapshot();
    let sections = sections(&snapshot);
    let names = draw_names(&sections);
    assert!(names.len() >= NAME_COUNT / 2, "{} names", names.len());
    let mut lost = Vec::new();
    for (name, expected) in &names {
        let joined: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
        let all = |asked: &str| expected.is_subset(&top_sections(&snapshot, asked));
        let any = |asked: &str| !expected.is_disjoint(&top_sections(&snapshot, asked));
        // Without its joiners a name cannot be distinguished from a part of a longer one.
        if !(all(name) && all(&name.to_lowercase()) && any(&joined)) {
            lost.push(name);
        }
        assert!(
            snapshot.contents().count_occurrences(name, 1).expect("counted") > 0,
            "{name} occurs"
        );
        let invented = format!("{name}Qx");
        assert_eq!(
            snapshot.contents().count_occurrences(&invented, 1).expect("counted"),
            0,
            "{invented}"
        );
    }
    println!("{} of {} names are not among the first: {lost:?}", lost.len(), names.len());
    // Which names are drawn changes with every change of the texts; a few have parts that others share.
    assert!(lost.len() * 100 <= names.len(), "{} of {}: {lost:?}", lost.len(), names.len());
    Ok(())
}

/// The text of every section, in small letters beside it.
fn sections(snapshot: &Snapshot) -> BTreeMap<SectionId, (String, String)> {
    let mut sections = BTreeMap::new();
    for entry in snapshot.catalog().matching_documents(&DocumentFilter::default()) {
        for (ordinal, head) in
            (0..).zip(snapshot.documents().section_heads(entry.id).expect("readable"))
        {
            let key = store::SectionKey { document: entry.id, ordinal };
            let text = format!(
                "{} {}",
                head.title,
                snapshot.documents().section_text(key).expect("readable")
            );
            let (both, lower) = sections
                .entry((entry.row.number.to_string(), head.number))
                .or_insert_with(|| (String::new(), String::new()));
            lower.push_str(&text.to_lowercase());
            both.push_str(&text);
        }
    }
    sections
}

/// Names in camel case, evenly drawn from all that are in few sections, with these sections.
fn draw_names(
    sections: &BTreeMap<SectionId, (String, String)>,
) -> Vec<(String, BTreeSet<SectionId>)> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for (text, _) in sections.values() {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
        let here: BTreeSet<&str> = words.filter(|word| is_name(word)).collect();
        here.into_iter().for_each(|name| *names.entry(name).or_default() += 1);
    }
    let few: Vec<&str> =
        names.into_iter().filter(|(_, count)| *count <= MAX_SECTIONS).map(|(n, _)| n).collect();
    let step = (few.len() / NAME_COUNT).max(1);
    let with_sections = |name: &&str| {
        let lower = name.to_lowercase();
        let holding = sections.iter().filter(|(_, (_, text))| contains_name(text, &lower));
        (name.to_string(), holding.map(|(section, _)| section.clone()).collect::<BTreeSet<_>>())
    };
    let all = few.iter().step_by(step).map(with_sections);
    // A name that begins or ends a longer one is in more sections than were counted.
    all.filter(|(_, sections)| sections.len() <= MAX_SECTIONS).collect()
}

/// Whether a text contains a name that is not a part of a longer word.
fn contains_name(text: &str, name: &str) -> bool {
    let edge = |c: Option<&u8>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
    let text = text.as_bytes();
    memmem::find_iter(text, name)
        .any(|at| edge(text[..at].last()) && edge(text[at + name.len()..].first()))
}

fn is_name(word: &str) -> bool {
    let humps = word.as_bytes().windows(2);
    let humps = humps.filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    (6..60).contains(&word.len())
        && humps.count() > 0
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.ends_with(|c: char| c.is_ascii_alphanumeric())
        && !word.contains("--")
}

/// The sections of the best passages, each once.
fn top_sections(snapshot: &Snapshot, asked: &str) -> BTreeSet<SectionId> {
    let query = LexicalQuery { text: asked.to_owned(), ..LexicalQuery::default() };
    let filter = DocumentFilter::default();
    let mut sections = BTreeSet::new();
    for hit in snapshot
        .contents()
        .search_lexical(&query, &filter, None, TOP_SECTIONS * 10)
        .expect("searched")
    {
        let row = snapshot.documents().passage_row(hit.passage).expect("readable").expect("there");
        let head =
            snapshot.documents().section_head(row.section_key()).expect("readable").expect("there");
        let entry = snapshot.catalog().get(row.document).expect("there");
        sections.insert((entry.row.number.to_string(), head.number));
        if sections.len() == TOP_SECTIONS {
            break;
        }
    }
    sections
}

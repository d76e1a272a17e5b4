//! Any text as a clause, before it a list of references: citations are parts of the text, and none is empty.

#![no_main]

use citation::{CitationFinder, ReferenceList};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|texts: &str| {
    let (entries, text) = texts.split_once('\0').unwrap_or(("[5] 3GPP TS 38.213", texts));
    let mut references = ReferenceList::default();
    entries.lines().for_each(|line| references.add_entry(line));
    let finder = CitationFinder::new(&references, &|_, number| number.starts_with("5."));
    for citation in finder.find_citations(&text.into(), false) {
        let range = citation.start as usize..citation.end as usize;
        assert!(text.get(range).is_some_and(|written| !written.is_empty()), "{citation:?}");
    }
});

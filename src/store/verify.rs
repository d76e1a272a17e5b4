//! Checking everything that is stored against itself.

use super::{
    DocumentEntry, DocumentFilter, PassageRow, SectionKey, Snapshot, Store, StoreError, codec,
    tables::{CONTENT_PASSAGES, PASSAGES},
};

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct VerifyReport {
    /// Documents looked at.
    pub documents: usize,
    /// Passages looked at.
    pub passages: usize,
    /// Vector rows looked at.
    pub vector_rows: u64,
    /// What is wrong, one sentence each; empty when all is well.
    pub faults: Vec<String>,
}

impl Store {
    /// Reads everything once: every text, every passage, every checksum.
    pub fn verify(
        &self,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<VerifyReport, StoreError> {
        let snapshot = self.snapshot();
        let mut report = VerifyReport::default();
        let total = snapshot.catalog().len();
        for entry in snapshot.catalog().matching(&DocumentFilter::default()) {
            if let Err(error) = check_document(&snapshot, entry, &mut report) {
                report
                    .faults
                    .push(format!("document {} {}: {error}", entry.row.number, entry.row.version));
            }
            report.documents += 1;
            progress(report.documents, total);
        }
        for segment in snapshot.segments.iter() {
            report.vector_rows += u64::from(segment.rows());
            if let Err(error) = segment.verify() {
                report.faults.push(error.to_string());
            }
        }
        let damaged = self.lexical.damaged_files()?;
        if damaged > 0 {
            report.faults.push(format!("the word index has {damaged} damaged files"));
        }
        let words = snapshot.searcher.num_docs();
        if words != report.passages as u64 {
            let passages = report.passages;
            report.faults.push(format!("the word index holds {words} passages, not {passages}"));
        }
        Ok(report)
    }
}

/// Reads a document's sections and passages and their vectors' places.
fn check_document(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    report: &mut VerifyReport,
) -> Result<(), StoreError> {
    let passages = snapshot.metadata.open_table(PASSAGES)?;
    let carriers = snapshot.metadata.open_multimap_table(CONTENT_PASSAGES)?;
    let mut section: Option<(u32, String)> = None;
    let first = entry.row.first_passage;
    for id in first..first + u64::from(entry.row.passage_count) {
        let value = passages.get(id)?.ok_or(StoreError::Decode { what: "passage" })?;
        let row: PassageRow = codec::decode(value.value(), "passage")?;
        if section.as_ref().is_none_or(|(place, _)| *place != row.section) {
            let key = SectionKey { document: entry.id, ordinal: row.section };
            section = Some((row.section, snapshot.section_text(key)?));
        }
        let (_, text) = section.as_ref().expect("set just above");
        row.text(text)?;
        let mut carried = false;
        for carrier in carriers.get(row.content)? {
            carried |= carrier?.value() == id;
        }
        if !carried || (entry.row.embedded && !snapshot.segments.contains(row.content)) {
            report.faults.push(format!("passage {id} of {} has lost its vector", entry.row.number));
        }
        report.passages += 1;
    }
    if !snapshot.terms_are_sound(entry.id)? {
        let (number, version) = (&entry.row.number, entry.row.version);
        report.faults.push(format!("the terms of {number} {version} are not those of its text"));
    }
    Ok(())
}

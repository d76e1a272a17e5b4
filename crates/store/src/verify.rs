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
    /// Figures looked at, with their pictures.
    pub figures: usize,
    /// Documents of meetings looked at.
    pub tdocs: u64,
    /// Texts of such documents looked at.
    pub tdoc_texts: u64,
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
            let checked = check_document(&snapshot, entry, &mut report)
                .and_then(|()| self.check_figures(&snapshot, entry, &mut report));
            if let Err(error) = checked {
                report
                    .faults
                    .push(format!("document {} {}: {error}", entry.row.number, entry.row.version));
            }
            report.documents += 1;
            progress(report.documents, total);
        }
        match snapshot.each_tdoc(|_, _| report.tdocs += 1).and_then(|()| snapshot.meetings()) {
            Ok(_) => {}
            Err(error) => report.faults.push(format!("documents of meetings: {error}")),
        }
        for segment in snapshot.segments.iter().chain(snapshot.pictures.iter()) {
            report.vector_rows += u64::from(segment.rows());
            if let Err(error) = segment.verify() {
                report.faults.push(error.to_string());
            }
        }
        let damaged = self.words.damaged_files()?;
        if damaged > 0 {
            report.faults.push(format!("the word index has {damaged} damaged files"));
        }
        check_tdoc_texts(&snapshot, &mut report);
        let [passages, figures, tdocs] = snapshot.words_held();
        let stored = snapshot.catalog().tdocs().map(|entry| entry.row.passages.len()).sum();
        let held = [
            (passages, report.passages, "passages"),
            (figures, report.figures, "figures"),
            (tdocs, stored, "passages of TDocs"),
        ];
        for (held, stored, what) in held {
            if held != stored as u64 {
                report.faults.push(format!("the word index holds {held} {what}, not {stored}"));
            }
        }
        Ok(report)
    }

    /// Reads the figures of a document and the files of their pictures.
    fn check_figures(
        &self,
        snapshot: &Snapshot,
        entry: &DocumentEntry,
        report: &mut VerifyReport,
    ) -> Result<(), StoreError> {
        let (number, version) = (&entry.row.number, entry.row.version);
        snapshot.for_each_figure(entry, |place, row, _, _| {
            let index = place.index;
            let mut fault = |what| {
                report.faults.push(format!("figure {index} of {number} {version} {what}"));
            };
            if !snapshot.figures_of(row.content)?.contains(&place)
                || (entry.row.embedded && !snapshot.segments.contains(row.content))
            {
                fault("has lost its vector");
            }
            if let Some(picture) = &row.picture {
                match self.picture(picture)? {
                    None => fault("has lost its picture; ingest its archive again with --force"),
                    Some(bytes) if *blake3::hash(&bytes).as_bytes() != picture.hash => {
                        fault("has a damaged picture; ingest its archive again with --force");
                    }
                    Some(_) => {}
                }
            }
            report.figures += 1;
            Ok(())
        })
    }
}

/// Reads the texts of documents of meetings and their vectors' places.
fn check_tdoc_texts(snapshot: &Snapshot, report: &mut VerifyReport) {
    for entry in snapshot.catalog().tdocs() {
        let (id, row) = (&entry.row.id, &entry.row);
        match snapshot.tdoc_text(entry.key) {
            Err(error) => report.faults.push(format!("the text of {id}: {error}")),
            Ok(text) if text.passages.len() != row.passages.len() => {
                report.faults.push(format!("the text of {id} is not that of its passages"));
            }
            Ok(_) => report.tdoc_texts += 1,
        }
        let lost = |(content, _): &(u64, _)| !snapshot.segments.contains(*content);
        if row.embedded && row.passages.iter().any(lost) {
            report.faults.push(format!("a passage of {id} has lost its vector"));
        }
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

//! Verifies the whole store: checksums, and that all its parts agree.

use redb::ReadOnlyTable;

use super::listed_contents::ListedContents;
use crate::{
    DocumentEntry, DocumentFilter, PassageRow, PictureHash, SectionKey, Snapshot, Store,
    StoreError,
    drawing_file::{DrawingFault, check_drawing},
    tables::{
        definitions::{DRAWINGS, FIGURES, HEADINGS, PASSAGES},
        figures::read_figure_contents,
        headings::read_headings,
    },
    words::LexicalSearchers,
};

/// The result of a verification.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct VerifyReport {
    /// Documents checked.
    pub documents: usize,
    /// Passages checked.
    pub passages: usize,
    /// Figures checked, with their pictures.
    pub figures: usize,
    /// TDocs checked.
    pub tdocs: u64,
    /// Texts of TDocs checked.
    pub tdoc_texts: u64,
    /// Vector rows checked.
    pub vector_rows: u64,
    /// What is wrong, one sentence each; empty if there are no faults.
    pub faults: Vec<String>,
    /// Archives to ingest again with --force, because something of their documents is lost.
    #[serde(default)]
    pub archives: Vec<String>,
}

impl Store {
    /// Reads everything once: every text, every passage, every checksum.
    pub fn verify_store(
        &self,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<VerifyReport, StoreError> {
        let snapshot = self.snapshot();
        let mut report = VerifyReport::default();
        report.faults.extend(snapshot.catalog().damage().iter().cloned());
        // Nothing may write while the file is read: the lock is held.
        let writer = self.lock_writer();
        if let Err(fault) = writer.index.metadata.check_integrity()? {
            report.faults.push(format!("the database meta.redb: {fault}"));
        }
        drop(writer);
        self.add_lost_vectors(&snapshot, &mut report);
        let listed = ListedContents::count(&snapshot);
        if let Err(error) = &listed {
            report.faults.push(format!("the text-to-document lists: {error}"));
        }
        let total = snapshot.catalog().len();
        for entry in snapshot.catalog().matching_documents(&DocumentFilter::default()) {
            let before = report.faults.len();
            let checked = check_document(&snapshot, entry, &mut report)
                .and_then(|()| self.check_figures(&snapshot, entry, &mut report));
            if let Err(error) = checked {
                report
                    .faults
                    .push(format!("document {} {}: {error}", entry.row.number, entry.row.version));
            }
            for what in listed.iter().flat_map(|listed| listed.find_unlisted(entry)) {
                let (number, version) = (&entry.row.number, entry.row.version);
                report.faults.push(format!(
                    "{what} of {number} {version} are missing from the text-to-document lists"
                ));
            }
            if report.faults.len() > before {
                report.archives.push(entry.row.filename.clone());
            }
            report.documents += 1;
            progress(report.documents, total);
        }
        match snapshot
            .tdocs()
            .for_each_tdoc(|_, _| report.tdocs += 1)
            .and_then(|()| snapshot.meetings().meeting_rows())
        {
            Ok(_) => {}
            Err(error) => report.faults.push(format!("meeting documents: {error}")),
        }
        for segment in snapshot.segments.iter().chain(snapshot.pictures.iter()) {
            report.vector_rows += u64::from(segment.row_count());
            if let Err(error) = segment.verify() {
                report.faults.push(error.to_string());
            }
        }
        for file in self.index().words.damaged_files()? {
            let (file, folder) = (file.display(), file.parent().unwrap_or(&file).display());
            report.faults.push(format!(
                "the word index: {file} is damaged or has the content of another file; stop the server and remove the folder {folder}: the next start \
                 rebuilds it"
            ));
        }
        check_tdoc_texts(&snapshot, &mut report);
        let [passages, figures, tdocs] = count_indexed(&snapshot.searcher);
        let stored = snapshot.catalog().tdoc_entries().map(|entry| entry.row.passages.len()).sum();
        let held = [
            (passages, report.passages, "passages"),
            (figures, report.figures, "figures"),
            (tdocs, stored, "passages of TDocs"),
        ];
        for (held, stored, what) in held {
            if held != stored as u64 {
                report.faults.push(format!("the word index has {held} {what}, expected {stored}"));
            }
        }
        Ok(report)
    }

    /// Adds the vector files that were lost, with the archives of the documents without vectors.
    fn add_lost_vectors(&self, snapshot: &Snapshot, report: &mut VerifyReport) {
        if let Some(lost) = self.describe_lost_vectors() {
            report.faults.push(lost);
            let without =
                snapshot.unembedded_documents().filter_map(|id| snapshot.catalog().get(id));
            report.archives.extend(without.map(|entry| entry.row.filename.clone()));
        }
    }

    /// Checks the figures of a document and the files of their pictures.
    fn check_figures(
        &self,
        snapshot: &Snapshot,
        entry: &DocumentEntry,
        report: &mut VerifyReport,
    ) -> Result<(), StoreError> {
        let (number, version) = (&entry.row.number, entry.row.version);
        let drawings = snapshot.metadata.open_table(DRAWINGS)?;
        snapshot.figures().for_each_figure(entry, |key, row, _, _| {
            let index = key.index;
            let mut fault = |what| {
                report.faults.push(format!("figure {index} of {number} {version} {what}"));
            };
            if entry.row.embedded && !snapshot.segments.contains(row.content) {
                fault("has no vector");
            }
            if let Some(picture) = &row.picture
                && let Some(loss) = self.find_picture_loss(&drawings, &picture.hash)?
            {
                fault(loss);
            }
            report.figures += 1;
            Ok(())
        })?;
        for ordinal in 0..entry.row.section_count {
            let key = SectionKey { document: entry.id, ordinal };
            for row in snapshot.documents().inline_pictures(key)? {
                if let Some(loss) = self.find_picture_loss(&drawings, &row.picture.hash)? {
                    let what =
                        format!("a picture in section {ordinal} of {number} {version} {loss}");
                    report.faults.push(what);
                }
            }
        }
        Ok(())
    }

    /// What is wrong with the file of a picture, if anything.
    fn find_picture_loss(
        &self,
        drawings: &ReadOnlyTable<&'static PictureHash, &'static [u8; 32]>,
        hash: &PictureHash,
    ) -> Result<Option<&'static str>, StoreError> {
        let drawing = drawings.get(hash)?;
        let drawing = drawing.as_ref().map(|drawing| drawing.value());
        Ok(match self.read_picture(hash)? {
            None => Some("has no picture file; ingest its archive again with --force"),
            Some(bytes) if blake3::hash(&bytes).as_bytes() != hash => {
                Some("has a damaged picture; ingest its archive again with --force")
            }
            Some(_) => match check_drawing(self.read_drawing(hash)?, drawing) {
                Ok(_) => None,
                Err(DrawingFault::Damaged) => {
                    Some("has a damaged drawing; ingest its archive again with --force")
                }
                Err(DrawingFault::Missing) => {
                    Some("has no drawing file; ingest its archive again with --force")
                }
            },
        })
    }
}

/// Checks the texts of TDocs and that their vectors are stored.
fn check_tdoc_texts(snapshot: &Snapshot, report: &mut VerifyReport) {
    for entry in snapshot.catalog().tdoc_entries() {
        let (id, row) = (&entry.row.id, &entry.row);
        match snapshot.tdocs().tdoc_text(entry.key) {
            Err(error) => report.faults.push(format!("the text of {id}: {error}")),
            Ok(text) if text.passages.len() != row.passages.len() => {
                report.faults.push(format!("the text of {id} does not match its passages"));
            }
            Ok(_) => report.tdoc_texts += 1,
        }
        let lost = |(content, _): &(u64, _)| !snapshot.segments.contains(*content);
        if row.embedded && row.passages.iter().any(lost) {
            report.faults.push(format!("a passage of {id} has no vector"));
        }
    }
}

/// Checks a document's sections and passages and that their vectors are stored.
fn check_document(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    report: &mut VerifyReport,
) -> Result<(), StoreError> {
    let passages = snapshot.metadata.open_table(PASSAGES)?;
    let mut listed_passages = entry.contents.passages.iter().peekable();
    let mut section: Option<(u32, String)> = None;
    let first = entry.row.first_passage;
    for id in first..first + u64::from(entry.row.passage_count) {
        let value = passages.get(id)?.ok_or(StoreError::Decode { what: "passage" })?;
        let row: PassageRow = value.value().decode("passage")?;
        if section.as_ref().is_none_or(|(known, _)| *known != row.section) {
            let key = SectionKey { document: entry.id, ordinal: row.section };
            section = Some((row.section, snapshot.documents().section_text(key)?));
        }
        let (_, text) = section.as_ref().expect("set just above");
        row.extract_text(text)?;
        if entry.row.embedded && !snapshot.segments.contains(row.content) {
            report.faults.push(format!("passage {id} of {} has no vector", entry.row.number));
        }
        report.passages += 1;
        listed_passages.next_if_eq(&&(row.content, row.section));
    }
    let figures = read_figure_contents(&snapshot.metadata.open_table(FIGURES)?, entry.id)?;
    let headings = read_headings(&snapshot.metadata.open_table(HEADINGS)?, entry.id)?;
    let is_listed = listed_passages.next().is_none()
        && figures == entry.contents.figures
        && headings == entry.contents.headings;
    if !is_listed {
        let (number, version) = (&entry.row.number, entry.row.version);
        report.faults.push(format!(
            "the list of content IDs of {number} {version} does not match its passages, figures \
             and headings"
        ));
    }
    for (ordinal, content) in (0u32..).zip(&entry.contents.headings) {
        let Some(content) = *content else { continue };
        if entry.row.embedded && !snapshot.segments.contains(content) {
            let number = &entry.row.number;
            report.faults.push(format!("heading {ordinal} of {number} has no vector"));
        }
    }
    if !snapshot.terms().has_consistent_terms(entry.id)? {
        let (number, version) = (&entry.row.number, entry.row.version);
        report.faults.push(format!("the terms of {number} {version} do not match their keys"));
    }
    Ok(())
}

/// How many passages, figures, and passages of TDocs the word indexes contain.
fn count_indexed(searchers: &LexicalSearchers) -> [u64; 3] {
    let LexicalSearchers { passages, figures, tdocs } = searchers;
    [passages, figures, tdocs].map(lexical::Searcher::num_docs)
}

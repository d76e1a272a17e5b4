//! One document version of a run: cut and committed.

use std::time::Instant;

use super::{CurrentSource, IngestError, IngestRun, SeenText, copies::TextQuality};
use crate::{
    IngestEvent, IngestedDocument, PreparedDocument, prepare::prepare_while, reading::pipeline_name,
};
use domain::{DocNumber, DocType, ReadingCheck, Release, Version};
use extract::ExtractedDocument;
use store::{DocumentFilter, DocumentRow, NewDocument, SourceRow};

impl IngestRun<'_> {
    /// Ingests one document version; returns its id if it was stored.
    pub(super) fn ingest_document(
        &mut self,
        source: &CurrentSource<'_>,
        mut extracted: ExtractedDocument,
        release: Release,
        finished: Option<&SourceRow>,
    ) -> Result<Option<u32>, IngestError> {
        let started = Instant::now();
        let key = (extracted.identity.number.clone(), extracted.identity.version);
        if let Some(reason) = self.describe_better_copy(source, &extracted) {
            self.skip_file(source.name.to_owned(), reason);
            return self.note_copy(source, &key, finished);
        }
        if let Some(reason) = self.unproven_replacement(source, &extracted) {
            self.refuse_files(&source.files, &reason);
            return Ok(None);
        }
        let quality = TextQuality::of_extracted(&extracted);
        let seen = SeenText { file: source.name.to_owned(), quality };
        if let Some(earlier) = self.seen.insert(key.clone(), seen) {
            let (number, version) = (key.0.to_string(), key.1.to_string());
            self.report
                .taken
                .retain(|taken| (&taken.doc_number, &taken.version) != (&number, &version));
            let reason =
                format!("{} has more of {number} {version} and is used instead", source.name);
            self.skip_file(earlier.file, reason);
        }
        let doc_type = extracted.doc_type();
        let mut go_on = |share| {
            self.report_storing(source, share);
            !self.is_cancelled()
        };
        let Some(prepared) = prepare_while(&mut extracted, &mut go_on) else {
            return Ok(None);
        };
        let mut ingested = IngestedDocument {
            files: source.files.clone(),
            doc_number: extracted.identity.number.to_string(),
            version: extracted.identity.version.to_string(),
            release: release.to_string(),
            pipeline: pipeline_name(extracted.pipeline).to_owned(),
            sections: prepared.sections.len(),
            passages: prepared.passages.len(),
            figures: prepared.figures.len(),
            seconds: 0.0,
            warnings: extracted.document.warnings.clone(),
            reading: checks_worth_warning(prepared.reading.as_ref()),
            checked_against_file: prepared
                .reading
                .as_deref()
                .is_some_and(ReadingCheck::compare_file),
        };
        let row = self.build_row(source, &extracted, doc_type, release);
        let id = self.commit_document(row, prepared, finished)?;
        ingested.seconds = source.read_seconds + started.elapsed().as_secs_f64();
        (self.sink)(IngestEvent::Taken(ingested.clone()));
        self.report.taken.push(ingested);
        Ok(id)
    }

    /// Why a text is not used, if another file of this run, or the indexed one, has at least as much of its version.
    fn describe_better_copy(
        &self,
        source: &CurrentSource<'_>,
        extracted: &ExtractedDocument,
    ) -> Option<String> {
        let (number, version) = (&extracted.identity.number, extracted.identity.version);
        let quality = TextQuality::of_extracted(extracted);
        if let Some(earlier) = self.seen.get(&(number.clone(), version)) {
            let read = || format!("{number} {version} was already read from {}", earlier.file);
            return (!earlier.quality.yields_to(quality)).then(read);
        }
        let snapshot = self.ingester.store.snapshot();
        let filter = exact_filter(number, version);
        let stored = snapshot.catalog().matching_documents(&filter).next()?;
        let is_same = stored.row.source_hash == source.hash || self.options.rules.replace;
        // The stored text would be taken instead of this one, if they came in the other order.
        let is_better = quality.yields_to(TextQuality::of_stored(&snapshot, stored));
        (is_better && !is_same).then(|| {
            let file = &stored.row.filename;
            format!("{number} {version} is indexed from {file}, of which more is read; --replace replaces it all the same")
        })
    }

    /// Why a text does not replace the version that is indexed; `None` if nothing is indexed, or the two are proven
    /// to be the same document: the same file, or the same title and at least half of the sections.
    fn unproven_replacement(
        &self,
        source: &CurrentSource<'_>,
        extracted: &ExtractedDocument,
    ) -> Option<String> {
        let filter = exact_filter(&extracted.identity.number, extracted.identity.version);
        let snapshot = self.ingester.store.snapshot();
        let stored = snapshot.catalog().matching_documents(&filter).next()?;
        if self.options.rules.replace || stored.row.source_hash == source.hash {
            return None;
        }
        let (title, sections) =
            (extracted.document.cover.title.as_deref(), extracted.document.sections.len());
        let stored_sections = stored.row.section_count as usize;
        let mut differences = Vec::new();
        if fold_title(title) != fold_title(stored.row.title.as_deref()) {
            let [old, new] = [stored.row.title.as_deref(), title].map(|title| {
                title.map_or_else(|| "no title".to_owned(), |title| format!("'{title}'"))
            });
            differences.push(format!("the title is {new}, that of the indexed version {old}"));
        }
        // A file that was cut, or one part of several, has the right title too.
        if sections * 2 < stored_sections {
            differences
                .push(format!("it has {sections} sections, the indexed version {stored_sections}"));
        }
        (!differences.is_empty()).then(|| {
            format!(
                "{} {} is indexed from {} and was not replaced: {}; --replace replaces it all the same",
                extracted.identity.number,
                extracted.identity.version,
                stored.row.filename,
                differences.join("; ")
            )
        })
    }

    /// The release of a document, or why it is skipped.
    pub(super) fn release_of(&self, extracted: &ExtractedDocument) -> Result<Release, String> {
        let version = extracted.identity.version;
        match Release::from_version(version) {
            Some(release) => Ok(release),
            None if !self.options.rules.drafts => Err(format!(
                "{} {version} is a draft; --drafts includes it",
                extracted.identity.number
            )),
            None => extracted.document.cover.release.ok_or_else(|| {
                format!(
                    "{} {version} is a draft, and its cover does not name a release",
                    extracted.identity.number
                )
            }),
        }
    }

    /// Records that a second source contains a document that is already in the index, so that the two do not replace
    /// each other in turns.
    fn note_copy(
        &mut self,
        source: &CurrentSource<'_>,
        key: &(DocNumber, Version),
        finished: Option<&SourceRow>,
    ) -> Result<Option<u32>, IngestError> {
        let store = self.ingester.store;
        let filter = exact_filter(&key.0, key.1);
        let id =
            store.snapshot().catalog().matching_documents(&filter).next().map(|entry| entry.id);
        if let (Some(id), Some(row), false) = (id, finished, self.options.dry_run) {
            let mut row = row.clone();
            row.read.documents.push(id);
            store.lock_writer().record_source(&source.hash, &row)?;
        }
        Ok(id)
    }

    fn build_row(
        &self,
        source: &CurrentSource<'_>,
        extracted: &ExtractedDocument,
        doc_type: DocType,
        release: Release,
    ) -> DocumentRow {
        let filter = exact_filter(&extracted.identity.number, extracted.identity.version);
        let snapshot = self.ingester.store.snapshot();
        let earlier = snapshot.catalog().matching_documents(&filter).next();
        let now = || jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        DocumentRow {
            number: extracted.identity.number.clone(),
            doc_type,
            version: extracted.identity.version,
            release,
            title: extracted.document.cover.title.clone(),
            filename: source.name.to_owned(),
            created_at: earlier.map_or_else(now, |entry| entry.row.created_at.clone()),
            published: extracted.document.cover.date.clone(),
            source_hash: source.hash,
            first_passage: 0,
            passage_count: 0,
            section_count: 0,
            batch: 0,
            embedded: false,
            warnings: extracted.document.warnings.clone(),
        }
    }

    fn commit_document(
        &self,
        row: DocumentRow,
        prepared: PreparedDocument,
        finished: Option<&SourceRow>,
    ) -> Result<Option<u32>, IngestError> {
        if self.options.dry_run {
            return Ok(None);
        }
        let PreparedDocument { sections, passages, figures, definitions, reading } = prepared;
        let vectors = Vec::new();
        let new = NewDocument { row, sections, passages, figures, vectors, definitions, reading };
        let mut writer = self.ingester.store.lock_writer();
        Ok(Some(writer.commit_document(&new, finished, &self.ingester.model)?))
    }
}

/// The checks that found enough missing for a warning.
fn checks_worth_warning(checks: Option<&Vec<ReadingCheck>>) -> Vec<ReadingCheck> {
    checks.into_iter().flatten().filter(|check| check.is_worth_warning()).cloned().collect()
}

/// The letters and digits of a title: what readers of different formats agree on.
fn fold_title(title: Option<&str>) -> String {
    let letters = title.unwrap_or_default().chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The filter that names one document version.
fn exact_filter(number: &DocNumber, version: Version) -> DocumentFilter {
    DocumentFilter {
        number: Some(number.clone()),
        version: Some(version),
        ..DocumentFilter::default()
    }
}

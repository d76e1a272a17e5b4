//! `search_images`: figures by their captions, their labels and the text around them.

use std::time::Instant;

use super::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, DocumentFilters, FilterValue, Reasons, diagnose_documents,
        diagnose_figures, diagnose_query, diagnose_threshold,
    },
    get_image::to_image_path,
    internal_failure,
    list_documents::parse_filter_value,
    refusals::retrieval_failure,
    search_text::{release_of, round_score},
};
use accounts::Caller;
use retrieval::{FigureHit, FigureQuery};
use store::{DocumentFilter, FigureKey, SectionKey, Snapshot, StoreError};
use wire::{
    Failure,
    params::SearchImages,
    records::{ImageOccurrence, ImageResult, ImageSearchReply},
    values::VersionScope,
};

/// Maximum number of labels in a result.
const MAX_LABELS: usize = 100;

impl Operation for SearchImages {
    fn run(self, service: &Service, _caller: &Caller) -> Result<ImageSearchReply, Failure> {
        let started = Instant::now();
        let snapshot = service.store.snapshot();
        let found =
            match figure_filter(&self.filter_doc_number, &self.filter_release, &self.filter_series)
            {
                Some(filter) if !self.query.trim().is_empty() => {
                    let question = FigureQuery {
                        text: &self.query,
                        filter,
                        threshold: self.match_threshold,
                        limit: self.match_count as usize,
                        newest_only: self.versions == VersionScope::Newest,
                    };
                    let found = service.retriever.retrieve_figures(&snapshot, &question);
                    found.map_err(retrieval_failure)?
                }
                _ => Vec::new(),
            };
        let results = to_image_results(&snapshot, found).map_err(internal_failure)?;
        Ok(ImageSearchReply {
            total: results.len(),
            elapsed_ms: started.elapsed().as_secs_f64() * 1000.0,
            query: self.query,
            results,
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &ImageSearchReply,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if !reply.results.is_empty() {
            return Ok(());
        }
        let filters = DocumentFilters {
            document: FilterValue::of("filter_doc_number", &self.filter_doc_number),
            release: FilterValue::of("filter_release", &self.filter_release),
            series: FilterValue::of("filter_series", &self.filter_series),
            ..DocumentFilters::default()
        };
        let snapshot = &context.snapshot;
        if diagnose_documents(snapshot, &filters, reasons)?.is_none()
            || !diagnose_figures(snapshot, &filters, reasons)
            || diagnose_query(snapshot, "query", &self.query, reasons)?
        {
            return Ok(());
        }
        let any = Self { match_threshold: 0.0, match_count: 1, ..self.clone() };
        let best = any.run(context.service, context.caller)?;
        let best = best.results.first().map(|best| best.similarity);
        diagnose_threshold("match_threshold", self.match_threshold, "figure", best, reasons);
        Ok(())
    }
}

/// The filter of a search for figures; `None` if a value cannot belong to any document.
pub(super) fn figure_filter(
    number: &Option<String>,
    release: &Option<String>,
    series: &Option<String>,
) -> Option<DocumentFilter> {
    Some(DocumentFilter {
        number: parse_filter_value(number.clone()).ok()?,
        release: parse_filter_value(release.clone()).ok()?,
        series: series.as_ref().map(|series| series.trim().to_owned()),
        ..DocumentFilter::default()
    })
}

/// The records of the figures that were found.
pub(super) fn to_image_results(
    snapshot: &Snapshot,
    found: Vec<FigureHit>,
) -> Result<Vec<ImageResult>, StoreError> {
    found.into_iter().filter_map(|found| to_image_result(snapshot, found).transpose()).collect()
}

fn to_image_result(
    snapshot: &Snapshot,
    found: FigureHit,
) -> Result<Option<ImageResult>, StoreError> {
    let FigureHit { figure_key, row, similarity, also_in, missing_in } = found;
    let Some(entry) = snapshot.catalog().get(figure_key.document) else { return Ok(None) };
    let key = SectionKey { document: figure_key.document, ordinal: row.section };
    let section = snapshot.documents().section_head(key)?;
    let mut words = snapshot.figures().figure_words(figure_key)?;
    words.labels.truncate(MAX_LABELS);
    let others = also_in.iter().map(|figure_key| to_image_occurrence(snapshot, *figure_key));
    let also_in = others.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let (number, version) = (&entry.row.number, entry.row.version);
    Ok(Some(ImageResult {
        id: u64::from(figure_key.index),
        doc_number: number.to_string(),
        doc_type: entry.row.doc_type.into(),
        version: version.to_string(),
        release: entry.row.release.to_string(),
        section_number: section.map(|section| section.number),
        caption: row.caption,
        context_before: words.before,
        context_after: words.after,
        image_path: row.picture.map(|_| to_image_path(number, version, figure_key)),
        similarity: round_score(similarity),
        labels: words.labels,
        also_in,
        removed_since: release_of(snapshot, missing_in),
    }))
}

fn to_image_occurrence(
    snapshot: &Snapshot,
    figure_key: FigureKey,
) -> Result<Option<ImageOccurrence>, StoreError> {
    let (entry, row) =
        (snapshot.catalog().get(figure_key.document), snapshot.figures().figure_row(figure_key)?);
    let (Some(entry), Some(row)) = (entry, row) else { return Ok(None) };
    let (number, version) = (&entry.row.number, entry.row.version);
    Ok(Some(ImageOccurrence {
        doc_number: number.to_string(),
        version: version.to_string(),
        release: entry.row.release.to_string(),
        id: u64::from(figure_key.index),
        image_path: row.picture.map(|_| to_image_path(number, version, figure_key)),
    }))
}

//! `similar_images`: figures that look like a given one.

use std::time::Instant;

use super::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, DocumentFilters, FilterValue, Reasons, diagnose_documents,
        diagnose_figures, diagnose_threshold,
    },
    get_image::parse_figure_reference,
    internal_failure,
    search_images::{figure_filter, to_image_results},
};
use accounts::Caller;
use retrieval::FigureQuery;
use wire::{
    Failure,
    params::{GetImage, SimilarImages},
    records::SimilarImagesReply,
};

impl Operation for SimilarImages {
    fn is_available(service: &Service) -> bool {
        let (models, snapshot) = (&service.retriever.models, service.store.snapshot());
        models.image_embedding_in_use(&snapshot).is_ok_and(|model| model.is_some())
    }

    fn check_parameters(&self, _service: &Service) -> Result<(), Failure> {
        parse_figure_reference(&compared_figure(self)).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<SimilarImagesReply, Failure> {
        let started = Instant::now();
        let figure = compared_figure(&self);
        let (snapshot, image) = crate::service::find_image_with_snapshot(service, &figure)?;
        let filter =
            figure_filter(&self.filter_doc_number, &self.filter_release, &self.filter_series);
        let found = match filter {
            Some(filter) => {
                let question = FigureQuery {
                    text: "",
                    filter,
                    threshold: self.match_threshold,
                    limit: self.match_count as usize,
                    newest_only: false,
                };
                let found = service.retriever.retrieve_similar_figures(
                    &snapshot,
                    image.figure_key,
                    &image.row,
                    &question,
                );
                found.map_err(internal_failure)?.ok_or_else(no_vector)?
            }
            None => Vec::new(),
        };
        let results = to_image_results(&snapshot, found).map_err(internal_failure)?;
        Ok(SimilarImagesReply {
            doc_number: self.doc_number,
            version: self.version,
            image_index: self.image_index,
            total: results.len(),
            elapsed_ms: started.elapsed().as_secs_f64() * 1000.0,
            results,
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &SimilarImagesReply,
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
        if diagnose_documents(snapshot, &filters, reasons)?.is_some()
            && diagnose_figures(snapshot, &filters, reasons)
        {
            let any = Self { match_threshold: 0.0, match_count: 1, ..self.clone() };
            let best = any.run(context.service, context.caller)?;
            let best = best.results.first().map(|best| best.similarity);
            diagnose_threshold("match_threshold", self.match_threshold, "figure", best, reasons);
        }
        Ok(())
    }
}

/// The figure that others are compared with.
fn compared_figure(parameters: &SimilarImages) -> GetImage {
    GetImage {
        doc_number: parameters.doc_number.clone(),
        version: parameters.version.clone(),
        image_index: parameters.image_index,
    }
}

fn no_vector() -> Failure {
    Failure::ImageNotCompared
}

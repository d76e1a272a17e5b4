//! `search_combined`: passages and figures in one request.

use std::time::Instant;

use super::{
    Operation, Service,
    diagnosis::{DiagnosisContext, Reasons, diagnose_threshold},
    search_text::diagnose_text_search,
};
use accounts::Caller;
use wire::{
    Failure,
    params::{SearchCombined, SearchImages, SearchText},
    records::{CombinedSearchReply, TextSearchReply},
};

impl Operation for SearchCombined {
    fn run(self, service: &Service, caller: &Caller) -> Result<CombinedSearchReply, Failure> {
        let started = Instant::now();
        let (images, text) = (image_search(&self), text_search(&self));
        let images = images.run(service, caller)?;
        let text = text.run(service, caller)?;
        Ok(CombinedSearchReply {
            query: text.query,
            text_total: text.total,
            text_results: text.results,
            image_total: images.total,
            image_results: images.results,
            reranked: text.reranked,
            elapsed_ms: started.elapsed().as_secs_f64() * 1000.0,
            rerank_scored: text.rerank_scored,
            unknown_terms: text.unknown_terms,
            confidence: text.confidence,
            answer_unlikely: text.answer_unlikely,
            missing_documents: text.missing_documents,
            degraded: text.degraded,
            coverage: text.coverage,
            defined_name: text.defined_name,
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &CombinedSearchReply,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        // The figures have the same filters, and a threshold of their own.
        let found = TextSearchReply {
            query: String::new(),
            results: reply.text_results.clone(),
            total: reply.text_total,
            reranked: reply.reranked,
            elapsed_ms: reply.elapsed_ms,
            rerank_scored: reply.rerank_scored,
            unknown_terms: reply.unknown_terms.clone(),
            confidence: reply.confidence,
            answer_unlikely: reply.answer_unlikely,
            missing_documents: reply.missing_documents.clone(),
            degraded: Vec::new(),
            coverage: None,
            explain: None,
            defined_name: None,
        };
        diagnose_text_search(&text_search(self), context, &found, reasons)?;
        if reply.image_results.is_empty() && self.image_match_threshold > 0.0 && reasons.is_empty()
        {
            let images = image_search(self);
            let any = SearchImages { match_threshold: 0.0, match_count: 1, ..images };
            let best = any.run(context.service, context.caller)?;
            let (parameter, best) =
                ("image_match_threshold", best.results.first().map(|best| best.similarity));
            let threshold = self.image_match_threshold;
            diagnose_threshold(parameter, threshold, "figure", best, reasons);
        }
        Ok(())
    }
}

/// The search of passages.
fn text_search(parameters: &SearchCombined) -> SearchText {
    let parameters = parameters.clone();
    SearchText {
        query: parameters.query,
        match_count: parameters.text_match_count,
        match_threshold: parameters.text_match_threshold,
        rerank: parameters.rerank,
        rerank_top_k: parameters.rerank_top_k,
        include_section_text: parameters.include_section_text,
        filter_release: parameters.filter_release,
        filter_doc_type: parameters.filter_doc_type,
        filter_doc_number: parameters.filter_doc_number,
        filter_series: parameters.filter_series,
        filter_section_number: parameters.filter_section_number,
        expand_versions: false,
        collapse_versions: false,
        versions: parameters.versions,
        group_by: parameters.group_by,
        explain: false,
    }
}

/// The search of figures.
fn image_search(parameters: &SearchCombined) -> SearchImages {
    SearchImages {
        query: parameters.query.clone(),
        match_count: parameters.image_match_count,
        match_threshold: parameters.image_match_threshold,
        filter_release: parameters.filter_release.clone(),
        filter_doc_number: parameters.filter_doc_number.clone(),
        filter_series: parameters.filter_series.clone(),
        versions: parameters.versions,
    }
}

//! `search_combined`: passages and figures in one request.

use std::time::Instant;

use super::{Operation, Service};
use accounts::Caller;
use wire::{
    Failure,
    params::{SearchCombined, SearchImages, SearchText},
    records::CombinedSearchReply,
};

impl Operation for SearchCombined {
    fn run(self, service: &Service, caller: &Caller) -> Result<CombinedSearchReply, Failure> {
        let started = Instant::now();
        let images = SearchImages {
            query: self.query.clone(),
            match_count: self.image_match_count,
            match_threshold: self.image_match_threshold,
            filter_release: self.filter_release.clone(),
            filter_doc_number: self.filter_doc_number.clone(),
            filter_series: self.filter_series.clone(),
        };
        let text = SearchText {
            query: self.query,
            match_count: self.text_match_count,
            match_threshold: self.text_match_threshold,
            rerank: self.rerank,
            rerank_top_k: self.rerank_top_k,
            include_section_text: self.include_section_text,
            filter_release: self.filter_release,
            filter_doc_type: self.filter_doc_type,
            filter_doc_number: self.filter_doc_number,
            filter_series: self.filter_series,
            filter_section_number: self.filter_section_number,
            expand_versions: false,
            collapse_versions: false,
            group_by: self.group_by,
            explain: false,
        };
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
}

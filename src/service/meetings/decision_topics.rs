//! What a question on decisions is about: its words, and the abbreviations in it with their long forms.

use std::collections::HashMap;

use crate::service::{Service, internal_failure};
use contributions::{Abbreviations, TopicQuery};
use store::Snapshot;
use wire::Failure;

/// The concepts of a question. Abbreviations are those of the program, of the specifications, and of `tables`.
pub(super) fn topic_query(
    service: &Service,
    snapshot: &Snapshot,
    question: &str,
    tables: &[&Abbreviations],
) -> Result<TopicQuery, Failure> {
    let expansions =
        service.retriever.general_expansions(snapshot, question).map_err(internal_failure)?;
    let mut of_specifications: HashMap<String, Vec<String>> = HashMap::new();
    for expansion in expansions {
        let source = contributions::topic_phrase(&expansion.source);
        of_specifications.entry(source).or_default().push(expansion.text);
    }
    let equivalents = |phrase: &str| -> Vec<String> {
        let tables = tables.iter().copied().chain([Abbreviations::shipped()]);
        let learned = tables.flat_map(|table| table.equivalents(phrase)).map(str::to_owned);
        learned.chain(of_specifications.get(phrase).into_iter().flatten().cloned()).collect()
    };
    Ok(TopicQuery::new(question, &equivalents))
}

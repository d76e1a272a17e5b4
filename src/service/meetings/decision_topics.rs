//! What a question on decisions is about: its words, the abbreviations in it with their long forms, and its meaning.

use std::collections::HashMap;

use crate::service::{Service, internal_failure};
use contributions::{Abbreviations, Equivalent, QuestionVector, TopicQuery, merged_equivalents};
use store::Snapshot;
use wire::Failure;

/// The concepts of a question, and its vector if a model is installed. Abbreviations are those of the program, of the
/// specifications, and of `tables`, whose definitions are counted together.
pub(super) fn topic_query(
    service: &Service,
    snapshot: &Snapshot,
    question: &str,
    tables: &[&Abbreviations],
) -> Result<TopicQuery, Failure> {
    let expansions =
        service.retriever.general_expansions(snapshot, question).map_err(internal_failure)?;
    let mut of_specifications: HashMap<String, Vec<Equivalent>> = HashMap::new();
    for expansion in expansions {
        let source = contributions::topic_phrase(&expansion.source);
        let weight = f64::from(expansion.weight).clamp(0.0, 1.0);
        let equivalent = Equivalent { text: expansion.text, weight };
        of_specifications.entry(source).or_default().push(equivalent);
    }
    let equivalents = |phrase: &str| -> Vec<Equivalent> {
        let learned = merged_equivalents(tables, phrase);
        let shipped = merged_equivalents(&[Abbreviations::shipped()], phrase);
        let same = learned.into_iter().chain(shipped).map(Equivalent::same);
        same.chain(of_specifications.get(phrase).into_iter().flatten().cloned()).collect()
    };
    let mut query = TopicQuery::new(question, &equivalents);
    query.meaning = question_vector(service, snapshot, question);
    Ok(query)
}

/// `None` if no model can be used: then words alone count, and `coverage` says so.
fn question_vector(
    service: &Service,
    snapshot: &Snapshot,
    question: &str,
) -> Option<QuestionVector> {
    match service.retriever.question_vector(snapshot, question) {
        Ok((model, vector)) => Some(QuestionVector { model: model.identity, vector }),
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::debug!(error, "decisions can be searched by words only");
            None
        }
    }
}

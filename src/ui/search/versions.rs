//! One result for a clause, whichever of its versions match.

use std::{
    collections::{HashMap, hash_map::Entry},
    mem,
};

use domain::Version;
use wire::records::{Occurrence, TextResult};

/// Keeps the newest of the results of a clause, at the rank of the best of them; the others become versions that have
/// it, too.
pub(super) fn merge_versions(results: Vec<TextResult>) -> Vec<TextResult> {
    let mut merged: Vec<TextResult> = Vec::with_capacity(results.len());
    let mut clauses: HashMap<(String, String), usize> = HashMap::new();
    for mut result in results {
        let Some(number) = result.section_number.clone().filter(|number| !number.is_empty()) else {
            merged.push(result);
            continue;
        };
        match clauses.entry((result.doc_number.clone(), number)) {
            Entry::Vacant(new) => {
                new.insert(merged.len());
                merged.push(result);
            }
            Entry::Occupied(known) => {
                let shown = &mut merged[*known.get()];
                if version_of(&result) > version_of(shown) {
                    mem::swap(shown, &mut result);
                }
                let own = (&shown.version, &shown.release);
                let others = [to_occurrence(&result)].into_iter().chain(result.also_in);
                let known: Vec<String> =
                    shown.also_in.iter().map(|other| other.version.clone()).collect();
                let is_new = |other: &Occurrence| {
                    (&other.version, &other.release) != own && !known.contains(&other.version)
                };
                let new: Vec<Occurrence> = others.filter(is_new).collect();
                shown.also_in.extend(new);
            }
        }
    }
    merged
}

fn version_of(result: &TextResult) -> Option<Version> {
    result.version.parse().ok()
}

fn to_occurrence(result: &TextResult) -> Occurrence {
    Occurrence {
        doc_number: result.doc_number.clone(),
        version: result.version.clone(),
        release: result.release.clone(),
        section_number: result.section_number.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::values::DocumentType;

    fn result(version: &str, number: Option<&str>, content: &str) -> TextResult {
        TextResult {
            id: 1,
            doc_number: "38.990".to_owned(),
            doc_type: DocumentType::Specification,
            version: version.to_owned(),
            release: "Rel-18".to_owned(),
            section_number: number.map(str::to_owned),
            section_title: None,
            clause: None,
            content: content.to_owned(),
            content_type: None,
            similarity: 0.5,
            relevance_score: None,
            reranked: None,
            section_text: None,
            section_token_count: None,
            also_in: Vec::new(),
            more_passages: None,
        }
    }

    #[test]
    fn a_clause_is_shown_once_in_its_newest_version_at_the_place_of_the_best() {
        let merged = merge_versions(vec![
            result("16.6.0", Some("7.1"), "old"),
            result("18.0.0", Some("5.3"), "other"),
            result("18.0.0", Some("7.1"), "new"),
            result("9.0.0", Some("7.1"), "oldest"),
            result("18.0.0", None, "cover"),
            result("18.0.0", None, "cover"),
        ]);
        let shown: Vec<&str> = merged.iter().map(|result| result.content.as_str()).collect();
        assert_eq!(shown, ["new", "other", "cover", "cover"]);
        let others: Vec<&str> = merged[0].also_in.iter().map(|o| o.version.as_str()).collect();
        assert_eq!(others, ["16.6.0", "9.0.0"]);
    }
}

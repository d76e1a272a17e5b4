//! Names and terms that nothing defines, and those that are spelt like them.

use std::ops::ControlFlow;

use cost_meter::spend;

use super::{
    documents::{DocumentFilters, FilterValue, diagnose_documents},
    notes::{count_of, echo, list_some},
    reasons::{DiagnosisContext, Reasons},
};
use crate::service::{Operation, internal_failure};
use domain::term_key;
use suggestion::find_nearest;
use wire::{
    Failure,
    params::{LookupName, ResolveTerm},
    records::{DiagnosisReason, NameLookup},
    values::DiagnosisCode,
};

/// Adds why a name has no definition: a filter, or its spelling.
pub(in crate::service) fn diagnose_name(
    asked: &LookupName,
    found: &NameLookup,
    reasons: &mut Reasons,
) {
    if found.total > 0 {
        return;
    }
    let name = echo(&asked.name);
    if !found.defined_elsewhere.is_empty() {
        let filters = [
            ("doc_number", asked.doc_number.as_deref()),
            ("version", asked.version.as_deref()),
            ("within", asked.within.as_deref()),
        ];
        let mut set: Vec<String> = filters
            .iter()
            .filter_map(|(filter, value)| Some(format!("{filter}={}", echo((*value)?))))
            .collect();
        set.extend(asked.kind.map(|kind| format!("kind={kind}")));
        let count = found.defined_elsewhere.len() as u64;
        let message = format!(
            "'{name}' is defined, but not with {}; defined_elsewhere has {}.",
            set.join(", "),
            count_of(count, "definition")
        );
        reasons
            .add(DiagnosisReason::new(DiagnosisCode::FilterExcludesAll, message).with_count(count));
        return;
    }
    let message = match found.did_you_mean.as_slice() {
        [] => format!("No indexed document defines '{name}'."),
        near => {
            format!("No indexed document defines '{name}'; similar names are {}.", list_some(near))
        }
    };
    let reason = DiagnosisReason::new(DiagnosisCode::NameNotFound, message).of_parameter("name");
    reasons.add(reason.with_suggestions(found.did_you_mean.clone()));
}

/// Adds why a term has no definition: the release, or its spelling.
pub(in crate::service) fn diagnose_term(
    asked: &ResolveTerm,
    context: &DiagnosisContext<'_>,
    reasons: &mut Reasons,
) -> Result<(), Failure> {
    let filters = DocumentFilters {
        release: FilterValue::of("release", &asked.release),
        ..DocumentFilters::default()
    };
    if diagnose_documents(&context.snapshot, &filters, reasons)?.is_none() {
        return Ok(());
    }
    if asked.release.is_some() {
        let unfiltered = ResolveTerm { release: None, ..asked.clone() };
        let found = unfiltered.run(context.service, context.caller)?.len() as u64;
        if found > 0 {
            let release = echo(asked.release.as_deref().unwrap_or_default());
            let message = format!(
                "Without release={release}, {} would match.",
                count_of(found, "definition")
            );
            let reason = DiagnosisReason::new(DiagnosisCode::FilterExcludesAll, message);
            reasons.add(reason.of_parameter("release").with_count(found));
            return Ok(());
        }
    }
    let term = echo(&asked.term);
    let near = near_terms(context, &asked.term)?;
    let message = match near.as_slice() {
        [] => format!("No indexed document defines '{term}'."),
        near => {
            format!("No indexed document defines '{term}'; similar terms are {}.", list_some(near))
        }
    };
    let reason = DiagnosisReason::new(DiagnosisCode::NameNotFound, message).of_parameter("term");
    reasons.add(reason.with_suggestions(near));
    Ok(())
}

/// Letters at the beginning that must be right, and keys that are compared: so the time does not grow with the index.
const FIXED_LETTERS: usize = 1;
const MAX_COMPARED: usize = 50_000;

/// The defined terms that are spelt most like one, as some document prints them.
fn near_terms(context: &DiagnosisContext<'_>, term: &str) -> Result<Vec<String>, Failure> {
    let key = term_key(term);
    let prefix: String = key.chars().take(FIXED_LETTERS).collect();
    let length = key.chars().count();
    let (mut known, mut compared) = (Vec::new(), 0);
    let terms = context.snapshot.terms();
    let take = |other: &str| {
        spend(1);
        compared += 1;
        if other.chars().count().abs_diff(length) <= length / LETTERS_PER_TYPO + 1 {
            known.push(other.to_owned());
        }
        if compared < MAX_COMPARED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    terms.for_each_key(&prefix, take).map_err(internal_failure)?;
    let mut near = Vec::new();
    for key in find_nearest(&key, known.iter().map(String::as_str)) {
        let defined = terms.find_terms(key).map_err(internal_failure)?;
        // A long form has the key of its abbreviation too.
        let printed = defined.into_iter().map(|defined| defined.row.term);
        near.extend(printed.min_by_key(String::len));
    }
    near.dedup();
    Ok(near)
}

/// A term is similar if at most one in this many letters is wrong; one may be wrong in shorter terms, too.
const LETTERS_PER_TYPO: usize = 3;

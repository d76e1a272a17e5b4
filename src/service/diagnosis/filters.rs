//! Which filter leaves nothing: the request is counted again without each of them.

use serde_json::Value;

use super::{
    notes::{count_of, echo},
    reasons::Reasons,
};
use crate::service::Operation;
use wire::{Failure, records::DiagnosisReason, values::DiagnosisCode};

/// Adds which of the filters of a request leaves nothing. `filters` are names of parameters, with a point before one in a
/// record (`filters.source`); `count` is the number of results of a request.
pub(in crate::service) fn diagnose_filters<O: Operation>(
    asked: &O,
    filters: &[&'static str],
    noun: &str,
    reasons: &mut Reasons,
    count: impl Fn(&O) -> Result<u64, Failure>,
) -> Result<(), Failure> {
    let Ok(parameters) = serde_json::to_value(asked) else { return Ok(()) };
    let set: Vec<&'static str> =
        filters.iter().copied().filter(|filter| value_of(&parameters, filter).is_some()).collect();
    let mut excluding = 0;
    for filter in &set {
        let Some(without) = without_filters(&parameters, &[filter]) else { continue };
        let results = count(&without)?;
        if results == 0 {
            continue;
        }
        excluding += 1;
        let given = value_of(&parameters, filter).unwrap_or_default();
        let message = format!("Without {filter}={given}, {} would match.", count_of(results, noun));
        let reason = DiagnosisReason::new(DiagnosisCode::FilterExcludesAll, message);
        reasons.add(reason.of_parameter(*filter).with_count(results));
    }
    if excluding > 0 || set.len() < 2 {
        return Ok(());
    }
    explain_together(&parameters, &set, noun, reasons, count)
}

/// No filter can be left out alone: each is counted by itself.
fn explain_together<O: Operation>(
    parameters: &Value,
    set: &[&'static str],
    noun: &str,
    reasons: &mut Reasons,
    count: impl Fn(&O) -> Result<u64, Failure>,
) -> Result<(), Failure> {
    let mut matching = Vec::new();
    let mut is_one_empty = false;
    for filter in set {
        let others: Vec<&str> = set.iter().copied().filter(|other| other != filter).collect();
        let Some(alone) = without_filters(parameters, &others) else { continue };
        let results = count(&alone)?;
        let given = value_of(parameters, filter).unwrap_or_default();
        matching.push(format!("{filter}={given}: {results}"));
        if results == 0 {
            is_one_empty = true;
            let message = format!("No {noun} matches {filter}={given}.");
            let reason = DiagnosisReason::new(DiagnosisCode::FilterExcludesAll, message);
            reasons.add(reason.of_parameter(*filter).with_count(0));
        }
    }
    if !is_one_empty {
        let each = matching.join(", ");
        let message = format!("No {noun} matches all of these filters; each alone: {each}.");
        reasons.add(DiagnosisReason::new(DiagnosisCode::FiltersExcludeAll, message));
    }
    Ok(())
}

/// Adds that a page begins after the last result. Returns whether it does.
pub(in crate::service) fn diagnose_page(
    parameter: &'static str,
    offset: u64,
    total: u64,
    reasons: &mut Reasons,
) -> bool {
    let is_after = total > 0 && offset >= total;
    if is_after {
        let results = count_of(total, "result");
        let message = format!("There are {results}; {parameter}={offset} is after the last one.");
        let reason = DiagnosisReason::new(DiagnosisCode::PageAfterEnd, message);
        reasons.add(reason.of_parameter(parameter).with_count(total));
    }
    is_after
}

/// Adds that a page begins after the last result, if there are any.
pub(in crate::service) fn diagnose_cursor(
    parameter: &'static str,
    cursor: &str,
    total: u64,
    reasons: &mut Reasons,
) {
    if total > 0 {
        let results = count_of(total, "result");
        let message =
            format!("There are {results}; {parameter}={} is after the last one.", echo(cursor));
        let reason = DiagnosisReason::new(DiagnosisCode::PageAfterEnd, message);
        reasons.add(reason.of_parameter(parameter).with_count(total));
    }
}

/// Adds that results exist but none reaches a threshold.
pub(in crate::service) fn diagnose_threshold(
    parameter: &'static str,
    threshold: f64,
    noun: &str,
    best: Option<f64>,
    reasons: &mut Reasons,
) {
    let Some(best) = best.filter(|best| *best < threshold) else { return };
    let message = format!("No {noun} reaches {parameter}={threshold}; the best has {best:.2}.");
    let reason =
        DiagnosisReason::new(DiagnosisCode::BelowThreshold, message).of_parameter(parameter);
    reasons.add(DiagnosisReason { best_score: Some(best), ..reason });
}

/// The value of a filter as a sentence repeats it; `None` if it is not set.
fn value_of(parameters: &Value, filter: &str) -> Option<String> {
    let mut value = parameters;
    for name in filter.split('.') {
        value = value.get(name)?;
    }
    match value {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) => Some(echo(text)),
        Value::Array(items) => {
            let texts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            (!texts.is_empty()).then(|| echo(&texts.join(",")))
        }
        other => Some(echo(&other.to_string())),
    }
}

/// The request without some filters.
fn without_filters<O: Operation>(parameters: &Value, filters: &[&str]) -> Option<O> {
    let mut rest = parameters.clone();
    for filter in filters {
        let (parents, name) = match filter.rsplit_once('.') {
            Some((parents, name)) => (parents.split('.').collect(), name),
            None => (Vec::new(), *filter),
        };
        let mut fields = &mut rest;
        for parent in parents {
            fields = fields.get_mut(parent)?;
        }
        // An absent parameter has its default.
        fields.as_object_mut()?.shift_remove(name);
    }
    serde_json::from_value(rest).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::params::{ListMeetings, SearchTdocs, TdocFilters};

    fn messages(reasons: Reasons) -> Vec<String> {
        let all = reasons.into_list().into_iter();
        all.map(|reason| reason.message).collect()
    }

    /// The reasons for meetings, of which each filter that is set leaves out some of 100.
    fn reasons_of(meetings: &ListMeetings, left_out: [u64; 2]) -> Vec<String> {
        let mut reasons = Reasons::default();
        let count = |asked: &ListMeetings| {
            let group = if asked.group.is_some() { left_out[0] } else { 0 };
            let state = if asked.state.is_some() { left_out[1] } else { 0 };
            Ok(100_u64.saturating_sub(group + state))
        };
        diagnose_filters(meetings, &["group", "since", "state"], "meeting", &mut reasons, count)
            .expect("counted");
        messages(reasons)
    }

    #[test]
    fn a_filter_that_leaves_nothing_is_named_with_what_there_would_be_without_it() {
        let asked = |group: Option<&str>, state: Option<&str>| ListMeetings {
            group: group.map(str::to_owned),
            state: state.map(str::to_owned),
            ..ListMeetings::default()
        };
        assert!(reasons_of(&asked(None, None), [100, 100]).is_empty());
        assert_eq!(
            reasons_of(&asked(Some("R1"), Some("ended")), [100, 1]),
            ["Without group=R1, 99 meetings would match."]
        );
        assert_eq!(
            reasons_of(&asked(Some("R1"), Some("ended")), [60, 60]),
            [
                "Without group=R1, 40 meetings would match.",
                "Without state=ended, 40 meetings would match."
            ]
        );
        assert_eq!(
            reasons_of(&asked(Some("R1"), Some("ended")), [100, 100]),
            ["No meeting matches group=R1.", "No meeting matches state=ended."]
        );
    }

    #[test]
    fn a_filter_in_a_record_is_left_out_alone() {
        let filters = TdocFilters {
            source: Some("Nobody".to_owned()),
            group: Some("R1".to_owned()),
            ..TdocFilters::default()
        };
        let asked = SearchTdocs { filters: Some(filters), ..SearchTdocs::default() };
        let mut reasons = Reasons::default();
        let count = |asked: &SearchTdocs| {
            let filters = asked.filters.as_ref().expect("kept");
            assert!(filters.source.is_none() || filters.group.is_none());
            Ok(u64::from(filters.source.is_none()))
        };
        let names = ["filters.source", "filters.group", "filters.status", "unit_types"];
        diagnose_filters(&asked, &names, "document", &mut reasons, count).expect("counted");
        assert_eq!(messages(reasons), ["Without filters.source=Nobody, 1 document would match."]);
    }

    #[test]
    fn only_a_page_after_the_last_result_is_a_reason() {
        for (offset, total, is_after) in [(0, 0, false), (5, 0, false), (2, 3, false), (3, 3, true)]
        {
            let mut reasons = Reasons::default();
            assert_eq!(diagnose_page("offset", offset, total, &mut reasons), is_after);
            assert_eq!(reasons.is_empty(), !is_after);
        }
    }
}

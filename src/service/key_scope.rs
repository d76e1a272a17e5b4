//! What a key may ask for, applied where operations run: for requests, tools and pages alike.
//!
//! A key that is restricted to series of specifications may call the operations of [`SERIES_RULES`] and no others:
//! each of them reads the document that its caller names, or is filtered by series. What reads across documents in
//! another way, such as the definitions of a name, is closed to it, because it would show the text of other series.
//! Contributions and meetings belong to no series, so they are closed to it too.

use serde_json::Value;

use super::{Service, internal_failure};
use accounts::{Caller, KeyScope};
use domain::DocNumber;
use wire::{Failure, OperationDeclaration};

/// Characters of a parameter that a refusal repeats.
const MAX_ECHOED_CHARS: usize = 60;

/// How an operation is kept to series.
struct SeriesRule {
    operation: &'static str,
    /// The parameters that name a document. Without a filter, the first one is required.
    documents: &'static [&'static str],
    /// The parameter that filters by series.
    filter: Option<&'static str>,
}

impl SeriesRule {
    /// An operation that reads the document that a parameter names, and nothing else.
    const fn of_document(operation: &'static str) -> Self {
        Self { operation, documents: &["doc_number"], filter: None }
    }

    /// A search with a filter of series.
    const fn of_search(operation: &'static str, documents: &'static [&'static str]) -> Self {
        Self { operation, documents, filter: Some("filter_series") }
    }
}

const SERIES_RULES: [SeriesRule; 15] = [
    SeriesRule::of_search("search_text", &["filter_doc_number"]),
    SeriesRule::of_search("search_images", &["filter_doc_number"]),
    SeriesRule::of_search("search_combined", &["filter_doc_number"]),
    SeriesRule::of_search("similar_images", &["doc_number", "filter_doc_number"]),
    SeriesRule { operation: "list_documents", documents: &["doc_number"], filter: Some("series") },
    SeriesRule { operation: "get_document", documents: &["document_id"], filter: None },
    SeriesRule::of_document("get_sections"),
    SeriesRule::of_document("list_sections"),
    SeriesRule::of_document("compare_documents"),
    SeriesRule::of_document("compare_sections"),
    SeriesRule::of_document("list_changes"),
    SeriesRule::of_document("section_history"),
    SeriesRule::of_document("list_names"),
    SeriesRule::of_document("list_name_findings"),
    SeriesRule::of_document("get_module"),
];

/// Whether a caller may call an operation at all.
pub(crate) fn may_call(caller: &Caller, operation: &str) -> bool {
    caller.key_scope().is_none_or(|scope| {
        scope.covers_operation(operation)
            && (scope.series.is_empty() || find_rule(operation).is_some())
    })
}

fn find_rule(operation: &str) -> Option<&'static SeriesRule> {
    SERIES_RULES.iter().find(|rule| rule.operation == operation)
}

/// The parameters of a request within the scope of its key: a search finds only what the key covers, and a request for
/// anything else is refused. Operations that are open to everyone are open to each key.
pub(super) fn keep_to_scope<O: OperationDeclaration>(
    service: &Service,
    caller: &Caller,
    parameters: O,
) -> Result<O, Failure> {
    let Some(scope) = caller.key_scope() else { return Ok(parameters) };
    if O::OPEN {
        return Ok(parameters);
    }
    if !scope.covers_operation(O::NAME) {
        let allowed = scope.operations.join(", ");
        let message = format!("This key may not call {}; it may call {allowed}.", O::NAME);
        return Err(Failure::OutOfScope { message });
    }
    if scope.series.is_empty() {
        return Ok(parameters);
    }
    let Some(rule) = find_rule(O::NAME) else {
        return Err(refuse_beyond(scope, &format!("{} reads more than these", O::NAME)));
    };
    let mut arguments = serde_json::to_value(parameters).map_err(internal_failure)?;
    rule.check_documents(service, scope, &arguments)?;
    rule.filter_series(scope, &mut arguments)?;
    serde_json::from_value(arguments).map_err(internal_failure)
}

fn refuse_beyond(scope: &KeyScope, reason: &str) -> Failure {
    let series = scope.series.join(", ");
    Failure::OutOfScope {
        message: format!("This key may read only specifications of series {series}: {reason}."),
    }
}

impl SeriesRule {
    /// Refuses a request that names a document of another series, or none where one must be named.
    fn check_documents(
        &self,
        service: &Service,
        scope: &KeyScope,
        arguments: &Value,
    ) -> Result<(), Failure> {
        for (index, parameter) in self.documents.iter().enumerate() {
            match arguments.get(parameter) {
                None | Some(Value::Null) if index == 0 && self.filter.is_none() => {
                    let reason = format!("the request must name one in {parameter}");
                    return Err(refuse_beyond(scope, &reason));
                }
                None | Some(Value::Null) => {}
                Some(named) => {
                    if !self.is_covered(service, scope, named) {
                        let named = match named {
                            Value::String(text) => text.chars().take(MAX_ECHOED_CHARS).collect(),
                            named => named.to_string(),
                        };
                        let reason = format!("'{named}' in {parameter} is none");
                        return Err(refuse_beyond(scope, &reason));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a document may be read. An ID that no document has is left to the operation, which says so.
    fn is_covered(&self, service: &Service, scope: &KeyScope, named: &Value) -> bool {
        match named {
            Value::String(text) => {
                let number = text.parse::<DocNumber>();
                number.is_ok_and(|number| scope.covers_series(number.series()))
            }
            named => {
                let id = named.as_u64().and_then(|id| id.try_into().ok());
                let snapshot = service.store.snapshot();
                let entry = id.and_then(|id| snapshot.catalog().get(id));
                entry.is_none_or(|entry| scope.covers_series(entry.row.number.series()))
            }
        }
    }

    /// Filters a search by the series of the key, or refuses a filter that names another one.
    fn filter_series(&self, scope: &KeyScope, arguments: &mut Value) -> Result<(), Failure> {
        let Some(parameter) = self.filter else { return Ok(()) };
        let Some(filter) = arguments.get_mut(parameter) else {
            return Err(internal_failure(format!("{} has no {parameter}", self.operation)));
        };
        match filter.as_str() {
            None => *filter = Value::String(scope.series.join(",")),
            Some(series) => {
                let beyond = series.split(',').find(|series| !scope.covers_series(series.trim()));
                if let Some(beyond) = beyond {
                    let beyond: String = beyond.trim().chars().take(MAX_ECHOED_CHARS).collect();
                    return Err(refuse_beyond(scope, &format!("'{beyond}' is another series")));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wire::{OperationDescriptor, params};

    use super::*;

    fn descriptors() -> Vec<OperationDescriptor> {
        macro_rules! describe {
            ($($operation:ident,)*) => {
                vec![$(OperationDescriptor::of::<params::$operation>(),)*]
            };
        }
        wire::for_each_operation!(describe)
    }

    #[test]
    fn each_rule_is_for_an_operation_that_has_its_parameters() {
        let descriptors = descriptors();
        for rule in &SERIES_RULES {
            let descriptor = descriptors.iter().find(|of| of.name == rule.operation);
            let descriptor = descriptor.unwrap_or_else(|| panic!("{}", rule.operation));
            let has = |name: &str| descriptor.parameters().any(|parameter| parameter.name == name);
            for parameter in rule.documents.iter().chain(&rule.filter) {
                assert!(has(parameter), "{} {parameter}", rule.operation);
            }
        }
    }

    /// A rule that forgets a parameter would leave a way around it.
    #[test]
    fn each_parameter_of_these_operations_that_names_documents_or_series_is_in_its_rule() {
        for descriptor in descriptors() {
            let Some(rule) = find_rule(descriptor.name) else { continue };
            for parameter in descriptor.parameters() {
                let name = parameter.name;
                let names_documents = name.contains("doc_number") || name == "document_id";
                let names_series = name.contains("series");
                assert_eq!(rule.documents.contains(&name), names_documents, "{}", rule.operation);
                assert_eq!(rule.filter == Some(name), names_series, "{}", rule.operation);
            }
        }
    }
}

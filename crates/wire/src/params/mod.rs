//! The parameters of every operation: names, types, bounds and defaults, in the order in which
//! faults are listed.
//!
//! The doc comment of a struct is the description of its operation, that of a field the help of
//! its parameter. Bounds are declared here and nowhere else.
//!
//! `Default` equals a request without any parameters, with empty texts for required ones: code that calls
//! an operation names only what it sets.

mod change_request;
mod comparison;
mod decisions;
mod defaults;
mod documents;
mod health;
mod images;
mod meetings;
mod names;
mod organizations;
mod quotes;
mod references;
mod search_tdocs;
mod search_text;
mod sections;
mod suggest;
mod tdocs;
mod terms;
mod trace;

pub use change_request::GetChangeRequest;
pub use comparison::{CompareDocuments, CompareSections, ListChanges, SectionHistory};
pub use decisions::SearchDecisions;
pub use documents::{GetDocument, ListDocuments};
pub use health::Health;
pub use images::{GetImage, SearchCombined, SearchImages, SimilarImages};
pub use meetings::{GetMeeting, ListMeetingDecisions, ListMeetings};
pub use names::{GetModule, ListNameFindings, ListNames, LookupName};
pub use organizations::{GetOrganization, ResolveOrganization};
pub use quotes::VerifyQuote;
pub use references::ListReferences;
pub use search_tdocs::{SearchTdocs, TdocFilters};
pub use search_text::SearchText;
pub use sections::{GetSections, ListSections};
pub use suggest::Suggest;
pub use tdocs::{FetchTdoc, GetTdoc, ListTdocs};
pub use terms::ResolveTerm;
pub use trace::TraceClause;

/// Calls a macro with the parameters structs of all operations, in the order of the documentation: the one list of operations.
#[macro_export]
macro_rules! for_each_operation {
    ($call:ident) => {
        $call! {
            Health,
            SearchText,
            SearchImages,
            SearchCombined,
            SimilarImages,
            ListDocuments,
            GetDocument,
            CompareDocuments,
            ListChanges,
            GetSections,
            ListSections,
            CompareSections,
            SectionHistory,
            ListReferences,
            GetImage,
            ResolveTerm,
            LookupName,
            ListNames,
            ListNameFindings,
            GetModule,
            Suggest,
            ListTdocs,
            GetTdoc,
            GetChangeRequest,
            FetchTdoc,
            SearchTdocs,
            ListMeetings,
            GetMeeting,
            ListMeetingDecisions,
            SearchDecisions,
            TraceClause,
            VerifyQuote,
            ResolveOrganization,
            GetOrganization,
        }
    };
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Serialize;
    use serde_json::{Value, to_value};

    use super::*;
    use crate::schema::parameters_schema;

    fn assert_defaults<T: Default + JsonSchema + Serialize>() {
        let schema = parameters_schema::<T>().to_value();
        let default = to_value(T::default()).expect("parameters are JSON");
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            if !required.contains(&Value::from(name.as_str())) {
                let absent = field.get("default").cloned().unwrap_or_default();
                assert_eq!(default[name], absent, "{} {name}", schema["title"]);
            }
        }
    }

    #[test]
    fn default_parameters_are_those_of_a_request_without_any() {
        macro_rules! check {
            ($($operation:ident,)*) => { $(assert_defaults::<$operation>();)* };
        }
        for_each_operation!(check);
    }
}

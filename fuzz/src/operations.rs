//! The parameters of every operation with their validator, as the contract declares them.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wire::{
    ParameterCarrier, RawRequest, Route, Validator,
    params::{
        CompareDocuments, CompareSections, FetchTdoc, GetChangeRequest, GetDocument, GetImage,
        GetMeeting, GetModule, GetOrganization, GetSections, GetTdoc, Health, ListChanges,
        ListDocuments, ListMeetingDecisions, ListMeetings, ListNameFindings, ListNames,
        ListReferences, ListSections, ListTdocs, LookupName, ResolveOrganization, ResolveTerm,
        SearchCombined, SearchDecisions, SearchImages, SearchTdocs, SearchText, SectionHistory,
        SimilarImages, Suggest, TraceClause, VerifyQuote,
    },
};

/// The parameters of one operation.
pub struct OperationParameters {
    route: Route,
    validator: Validator,
    /// Whether the operation's own type can be read from clean parameters.
    is_readable: fn(Value) -> bool,
}

/// The parameters of all operations.
pub static OPERATIONS: LazyLock<Vec<OperationParameters>> = LazyLock::new(|| {
    vec![
        parameters::<Health>(Route::get("/health")),
        parameters::<ListDocuments>(Route::get("/documents")),
        parameters::<GetDocument>(Route::get("/documents/{document_id}")),
        parameters::<CompareDocuments>(Route::get("/documents/compare")),
        parameters::<ListChanges>(Route::get("/documents/changes")),
        parameters::<CompareSections>(Route::get("/sections/compare")),
        parameters::<SectionHistory>(Route::get("/sections/history")),
        parameters::<ListSections>(Route::get("/sections/toc")),
        parameters::<GetSections>(Route::get("/sections")),
        parameters::<Suggest>(Route::get("/suggest")),
        parameters::<ListReferences>(Route::get("/sections/references")),
        parameters::<TraceClause>(Route::get("/sections/trace")),
        parameters::<SearchText>(Route::post("/search/text")),
        parameters::<SearchImages>(Route::post("/search/images")),
        parameters::<VerifyQuote>(Route::post("/quotes/verify")),
        parameters::<SearchCombined>(Route::post("/search/combined")),
        parameters::<SimilarImages>(Route::post("/search/images/similar")),
        parameters::<GetImage>(Route::get("/images/{doc_number}/{version}/{image_index}")),
        parameters::<SearchTdocs>(Route::post("/tdocs/search")),
        parameters::<ListTdocs>(Route::get("/tdocs")),
        parameters::<GetTdoc>(Route::get("/tdocs/{tdoc_id}")),
        parameters::<GetChangeRequest>(Route::get("/tdocs/{tdoc_id}/changes")),
        parameters::<FetchTdoc>(Route::post_query("/tdocs/{tdoc_id}/fetch")),
        parameters::<ResolveTerm>(Route::get("/terms/resolve")),
        parameters::<LookupName>(Route::get("/names")),
        parameters::<GetModule>(Route::get("/names/module")),
        parameters::<ListNames>(Route::get("/names/list")),
        parameters::<ListNameFindings>(Route::get("/names/findings")),
        parameters::<ResolveOrganization>(Route::get("/organizations")),
        parameters::<GetOrganization>(Route::get("/organizations/{org_id}")),
        parameters::<ListMeetings>(Route::get("/meetings")),
        parameters::<GetMeeting>(Route::get("/meetings/{meeting_id}")),
        parameters::<ListMeetingDecisions>(Route::get("/meetings/{meeting_id}/decisions")),
        parameters::<SearchDecisions>(Route::get("/decisions")),
    ]
});

fn parameters<T: JsonSchema + DeserializeOwned>(route: Route) -> OperationParameters {
    let validator = Validator::from_route::<T>(&route).expect("a schema that is supported");
    OperationParameters {
        route,
        validator,
        is_readable: |clean| serde_json::from_value::<T>(clean).is_ok(),
    }
}

impl OperationParameters {
    /// Whether the parameters come as a JSON body.
    pub fn has_body(&self) -> bool {
        self.route.carrier == ParameterCarrier::Body
    }

    /// Validates a request: clean parameters are readable and validate again; faults can be serialized.
    pub fn validate_request(&self, request: &RawRequest<'_>) {
        match self.validator.validate_request(request) {
            Ok(clean) => {
                assert!((self.is_readable)(clean.clone()), "{} {clean}", self.route.path);
                let again = self.validator.validate_value(&clean);
                assert!(again.as_ref() == Ok(&clean), "{} {clean} {again:?}", self.route.path);
            }
            Err(faults) => {
                assert!(!faults.is_empty());
                let _serialized = json!(faults);
            }
        }
    }
}

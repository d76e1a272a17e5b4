//! Any text as the query string of every operation that takes one, and as what its path holds.

#![no_main]

use axum::{extract::Query, http::Uri};
use fuzz_support::operations::OPERATIONS;
use libfuzzer_sys::fuzz_target;
use wire::RawRequest;

fuzz_target!(|text: &str| {
    let Ok(uri) = format!("/tdocs?{text}").parse::<Uri>() else { return };
    let query = Query::<Vec<(String, String)>>::try_from_uri(&uri).map(|query| query.0);
    let query = query.unwrap_or_default();
    let request = RawRequest { path: &query, query: &query, ..RawRequest::default() };
    for operation in OPERATIONS.iter().filter(|operation| !operation.has_body()) {
        operation.validate_request(&request);
    }
});

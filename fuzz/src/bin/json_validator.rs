//! Any bytes as the JSON body of every operation that takes one.

#![no_main]

use fuzz_support::operations::OPERATIONS;
use libfuzzer_sys::fuzz_target;
use wire::RawRequest;

fuzz_target!(|body: &[u8]| {
    let content_type = Some("application/json");
    let request = RawRequest { content_type, body, ..RawRequest::default() };
    for operation in OPERATIONS.iter().filter(|operation| operation.has_body()) {
        operation.validate_request(&request);
    }
});

//! Any bytes as a line of the control socket: a request, or an event of the response.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::{Serialize, de::DeserializeOwned};
use specbox::control::{ControlEvent, ControlRequest};

fuzz_target!(|line: &[u8]| {
    check_message::<ControlRequest>(line);
    check_message::<ControlEvent>(line);
});

/// A message that was read is written, and reads back as the same.
fn check_message<T: Serialize + DeserializeOwned>(line: &[u8]) {
    let Ok(message) = serde_json::from_slice::<T>(line) else { return };
    let written =
        serde_json::to_string(&message).expect("a message without a file name that is no text");
    assert!(!written.contains('\n'));
    let again: T = serde_json::from_str(&written).expect("what was written");
    assert_eq!(serde_json::to_string(&again).expect("the same"), written);
}

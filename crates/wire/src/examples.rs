//! One request to each operation and its reply, on the sample corpus. `scripts/make-operations` writes
//! the file, and a test compares it with the replies of a server.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;
use serde_json::{Map, Value};

/// A request and its reply.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Example {
    /// The parameters, in any part of a request.
    pub parameters: Map<String, Value>,
    /// The reply; `None` if the sample corpus has none.
    pub reply: Option<Value>,
}

/// The example of an operation.
pub fn find_example(operation: &str) -> Option<&'static Example> {
    static EXAMPLES: LazyLock<HashMap<String, Example>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("examples.json")).expect("a test reads the file")
    });
    EXAMPLES.get(operation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_examples_is_readable() {
        assert!(find_example("search_text").is_some_and(|example| example.reply.is_some()));
    }
}

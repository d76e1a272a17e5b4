//! The commands in the documents are commands of the program. The tests of `specbox-eval` try its own.

use std::path::Path;

use crate::documented_commands::try_documented_commands;

#[test]
fn commands_in_the_documents_are_understood() {
    let tried = try_documented_commands(Path::new(env!("CARGO_BIN_EXE_specbox")));
    assert!(tried > 20, "only {tried} commands were found");
}

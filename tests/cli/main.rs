//! The command line as people and scripts meet it: the real program over the sample corpus.

mod answers;
mod data_folders;
mod errors;
mod fixture;
mod hand_over;
#[path = "../support/installed_models.rs"]
mod installed_models;
mod output;
#[path = "../support/program.rs"]
mod program;
#[expect(dead_code, reason = "other test programs use the rest")]
#[path = "../support/server.rs"]
mod server;
mod stopping;
#[expect(dead_code, reason = "other test programs use the rest")]
#[path = "../../crates/word/tests/support/test_docx.rs"]
mod test_docx;
#[path = "../support/trials.rs"]
mod trials;

use std::process::ExitCode;

fn main() -> ExitCode {
    trials::run_trials([
        answers::trials(),
        data_folders::trials(),
        errors::trials(),
        hand_over::trials(),
        output::trials(),
        stopping::trials(),
    ])
}

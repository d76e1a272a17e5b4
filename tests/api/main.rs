//! The service over HTTP, as its clients meet it: real servers over the sample corpus.

mod accounts;
mod certificates;
mod change_requests;
#[path = "../support/client.rs"]
mod client;
mod client_documents;
mod comparison;
#[path = "../support/configuration.rs"]
mod configuration;
mod cost;
mod cost_requests;
mod cost_shapes;
mod credentials;
mod diagnosis;
mod documents;
mod evidence;
mod examples;
mod facts;
mod fetch;
mod fetch_queue;
#[path = "../support/file_server.rs"]
mod file_server;
mod fixture;
#[path = "../support/golden.rs"]
mod golden;
mod headers;
mod images;
#[path = "../support/installed_models.rs"]
mod installed_models;
mod key_scope;
mod logs;
mod mcp;
mod mcp_arguments;
mod mcp_pages;
mod mcp_profiles;
mod mcp_prompts;
mod mcp_stdio;
mod meetings;
mod name_pages;
mod names;
mod newest;
mod oauth;
mod oauth_registration;
mod on_demand;
mod order;
mod own;
mod pages;
mod parity;
mod person;
#[path = "../support/program.rs"]
mod program;
mod program_client;
mod quota;
mod quotes;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/real_files.rs"]
mod real_files;
mod recorded;
mod references;
mod registers;
mod search;
mod sections;
#[path = "../support/server.rs"]
mod server;
mod spec_sync;
mod stalled;
mod stopping;
mod suggest;
mod tdocs;
mod terms;
#[expect(dead_code, reason = "other test programs use the rest")]
#[path = "../../crates/word/tests/support/test_docx.rs"]
mod test_docx;
mod transport;
#[path = "../support/trials.rs"]
mod trials;
mod uploads;
#[path = "../support/wait.rs"]
mod wait;
mod watches;
mod while_serving;
mod words_first;

use std::process::ExitCode;

fn main() -> ExitCode {
    trials::run_trials([
        accounts::trials(),
        certificates::trials(),
        change_requests::trials(),
        client_documents::trials(),
        cost::trials(),
        credentials::trials(),
        diagnosis::trials(),
        documents::trials(),
        evidence::trials(),
        examples::trials(),
        facts::trials(),
        fetch::trials(),
        fetch_queue::trials(),
        headers::trials(),
        images::trials(),
        key_scope::trials(),
        logs::trials(),
        mcp::trials(),
        mcp_arguments::trials(),
        mcp_pages::trials(),
        mcp_profiles::trials(),
        mcp_prompts::trials(),
        mcp_stdio::trials(),
        meetings::trials(),
        oauth::trials(),
        oauth_registration::trials(),
        order::trials(),
        pages::trials(),
        parity::trials(),
        quota::trials(),
        references::trials(),
        quotes::trials(),
        recorded::trials(),
        registers::trials(),
        search::trials(),
        sections::trials(),
        spec_sync::trials(),
        on_demand::trials(),
        stalled::trials(),
        stopping::trials(),
        comparison::trials(),
        suggest::trials(),
        tdocs::trials(),
        names::trials(),
        newest::trials(),
        name_pages::trials(),
        terms::trials(),
        transport::trials(),
        uploads::trials(),
        watches::trials(),
        while_serving::trials(),
        words_first::trials(),
    ])
}

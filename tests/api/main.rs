//! The service over HTTP, as its clients meet it: real servers over the sample corpus.

mod accounts;
#[path = "../support/client.rs"]
mod client;
mod client_documents;
mod credentials;
mod documents;
mod examples;
mod facts;
mod fetch;
#[path = "../support/file_server.rs"]
mod file_server;
mod fixture;
#[path = "../support/golden.rs"]
mod golden;
mod headers;
mod images;
mod logs;
mod mcp;
mod meetings;
mod oauth;
mod order;
mod own;
mod pages;
mod parity;
mod person;
#[path = "../support/program.rs"]
mod program;
mod program_client;
mod quota;
#[expect(dead_code, reason = "other test programs use the rest")]
#[path = "../support/random.rs"]
mod random;
mod recorded;
mod search;
mod sections;
#[path = "../support/server.rs"]
mod server;
mod stopping;
mod tdocs;
mod terms;
mod transport;
mod while_serving;

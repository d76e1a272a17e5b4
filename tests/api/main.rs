//! The service over HTTP, as its clients meet it: one real server over the sample corpus.

#[path = "../support/client.rs"]
mod client;
mod credentials;
mod documents;
mod facts;
mod fixture;
#[path = "../support/golden.rs"]
mod golden;
mod images;
#[path = "../support/program.rs"]
mod program;
mod recorded;
mod search;
mod sections;
#[path = "../support/server.rs"]
mod server;
mod terms;
mod transport;
mod while_serving;

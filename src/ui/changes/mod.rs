//! What changed: versions compared from the table of contents down to the words, the history of a section, and what a
//! change request changes.

mod compare_page;
mod differences;
mod handlers;
mod history_page;
mod request_page;

pub(super) use handlers::routes;

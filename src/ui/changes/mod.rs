//! What changed: versions compared from the contents down to the words, and the history of a section.

mod compare_page;
mod differences;
mod handlers;
mod history_page;

pub(super) use handlers::routes;

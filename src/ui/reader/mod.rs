//! The document reader: contents, sections with tables and figures where they belong, cited clauses
//! as links, and the other versions.

mod document_page;
mod figures;
mod handlers;

pub(super) use handlers::routes;

//! The document reader: contents, sections with tables and figures where they belong, citations as links,
//! references in both directions, and the other versions.

mod abbreviations;
mod contents;
mod document_page;
mod figures;
mod find_page;
mod handlers;
mod inline;
mod links;
mod listing;
mod listing_words;
mod margin;
mod missing_page;
mod name_links;
mod previews;
mod range_set;
mod reading_notes;
mod references_page;
mod section_text;
mod table;

pub(super) use handlers::routes;

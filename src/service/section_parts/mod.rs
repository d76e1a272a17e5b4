//! Parts of a section: the row, list item, note, cause or definition that a request names, instead of the whole text.
//!
//! Works on the blocks of one section and knows neither documents nor storage. A part is printed with what it needs to
//! be understood: a row below the head of its table, an item below the conditions that it is in.

mod anchor;
mod candidates;
mod find_parts;
mod listing_parts;
mod part_keys;
mod part_limit;
mod part_rank;
mod table_parts;
mod text_parts;
mod wanted;
mod word_match;

#[cfg(test)]
mod tests;

pub(super) use find_parts::{FoundParts, find_parts};
pub(super) use part_keys::list_part_keys;
pub(super) use wanted::WantedPart;

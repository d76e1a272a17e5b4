//! Texts that are cited: contributions, notes and reports, with what is quoted of them marked.

mod anchor_position;
mod back_link;
mod quote_link;
mod text_block;
mod text_page;
mod text_parts;

pub(super) use quote_link::QuoteLink;
pub(super) use text_page::{CitedText, TextOrigin, TextPageQuery, render_missing_anchor};

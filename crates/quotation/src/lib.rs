//! Quotations compared with texts, token by token.
//!
//! A text and a quotation become tokens: words, numbers and signs. White space, line breaks, the marks of lists,
//! tables and equations, and the form of dashes and quotation marks may differ. Everything else must be equal: a
//! quotation with another number, name, sign or negation is never exact. Knows nothing of documents or storage.

#![forbid(unsafe_code)]

mod align;
mod bounds;
mod equations;
mod exact;
mod near;
mod pairs;
mod quotation;
mod token;
mod tokenized_text;
mod tokenizer;
mod wildcards;

pub use exact::find_exact_matches;
pub use near::{Difference, NearMatch, find_near_match};
pub use pairs::WordPairFilter;
pub use quotation::Quotation;
pub use tokenized_text::TokenizedText;
pub use wildcards::{Wildcard, WildcardMatch, find_wildcard_match};

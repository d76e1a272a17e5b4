//! ASN.1 (ITU-T X.680 to X.683) as 3GPP specifications print it.
//!
//! Owns the notation: modules, types with their fields, values, information objects, and the comments that carry Need
//! codes and conditions. Reads parts of modules too, because RRC prints a module in a hundred listings. It skips what
//! it cannot read up to the next definition, and reports it. Knows nothing of documents.

#![forbid(unsafe_code)]

mod notation;
mod parser;
#[cfg(test)]
mod tests;
mod token;

pub use notation::{
    Import, Item, ItemBody, Member, MemberForm, NamedValue, Notation, Presence, SetEntry, Setting,
    Type,
};
pub use parser::read_notation;

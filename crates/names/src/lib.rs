//! The names that a protocol specification defines, each with its definition as printed.
//!
//! Owns what counts as a definition: ASN.1 (types, fields, values, constants, messages, procedures), OpenAPI
//! (services, operations, parameters, schemas, attributes) and the tables that describe its types, rows of timers,
//! counters, constants, causes and capabilities, rows of the information elements of a message, numbers of
//! messages, elements and causes, attribute-value pairs, commands and result codes
//! of Diameter, layouts of elements in octets, tables that name things and describe them, timers, constants and
//! variables in running text, test cases, and parameters of RRC in specifications of the physical layer. Each kind of
//! table has a reader in a separate file. Works on the blocks of one section, and knows neither documents nor
//! storage.

#![forbid(unsafe_code)]

mod asn1_names;
mod attribute_rows;
mod avp_rows;
mod capability_rows;
mod coded_fields;
mod coded_values;
mod codes;
mod described_rows;
mod diameter;
mod field_descriptions;
mod findings;
mod grid;
mod key;
mod listed_parameters;
mod listing;
mod message_rows;
mod modules;
mod name;
mod named_paragraphs;
mod numbered_rows;
mod octet_layouts;
mod openapi;
mod physical_parameters;
mod quantities;
mod read_section;
mod route;
mod table_notes;
mod test_cases;
#[cfg(test)]
mod tests;
mod timer_rules;
mod version_names;
mod yaml_bounds;

pub use findings::{Finding, FindingPlace};
pub use key::{base_name, name_key};
pub use listing::ListingRule;
use listing::find_listing;
pub use modules::Module;
pub use name::{Condition, DefinedName, NamePresence, SectionNames};
pub use physical_parameters::read_physical_parameters;
pub use read_section::SectionBlocks;
pub use route::{RouteCandidate, RouteQuery, route_key};
pub use version_names::{VersionNames, find_disagreements, read_version};

use asn1_names::Asn1Listing;
use document_model::Block;

/// The OpenAPI file in a section, as printed; `None` if there is none.
pub(crate) fn find_openapi(blocks: &[Block]) -> Option<&str> {
    blocks.iter().find_map(openapi::openapi_text)
}

/// Reads the names that a section with this number and title defines. Parameters of the physical layer are read
/// separately.
pub fn read_names(number: &str, title: &str, blocks: &[Block], rule: ListingRule) -> SectionNames {
    let listing = find_listing(blocks).filter(|listing| rule.admits(number, listing));
    let listing = listing.map(|listing| Asn1Listing::read(listing, blocks));
    let mut found = read_formal_names(title, blocks, listing.as_ref());
    read_other_names(title, blocks, &mut found);
    found
}

/// Reads the definitions of listings and of tables of a known form, which can be compared with each other.
pub(crate) fn read_formal_names(
    title: &str,
    blocks: &[Block],
    listing: Option<&Asn1Listing>,
) -> SectionNames {
    let mut found = SectionNames::default();
    if let Some(listing) = listing {
        asn1_names::read_asn1(title, blocks, listing, &mut found);
    }
    openapi::read_openapi(blocks, &mut found);
    quantities::read_quantities(blocks, &mut found);
    message_rows::read_elements(title, blocks, &mut found);
    numbered_rows::read_numbers(title, blocks, &mut found);
    avp_rows::read_avps(blocks, &mut found);
    diameter::read_diameter(title, blocks, &mut found);
    attribute_rows::read_attributes(title, blocks, &mut found);
    capability_rows::read_capabilities(blocks, &mut found);
    octet_layouts::read_layouts(title, blocks, &mut found);
    coded_values::read_causes(title, blocks, &mut found);
    found
}

/// Adds the definitions of other tables, paragraphs and lists. `read_described_rows` comes last, because it skips
/// tables that another reader has read.
pub(crate) fn read_other_names(title: &str, blocks: &[Block], into: &mut SectionNames) {
    coded_values::read_values(title, blocks, into);
    coded_values::read_coded_fields(title, blocks, into);
    named_paragraphs::read_named_paragraphs(title, blocks, into);
    listed_parameters::read_listed_parameters(blocks, into);
    timer_rules::read_timer_rules(blocks, into);
    test_cases::read_test_cases(blocks, into);
    described_rows::read_described_rows(title, blocks, into);
}

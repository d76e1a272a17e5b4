//! All definitions of a version: the names of each section, its modules, and its contradictions.

use serde::{Deserialize, Serialize};

use crate::{
    asn1_names::Asn1Listing,
    findings::{Finding, compare_sections},
    listing::{Listing, ListingRule, find_listing},
    modules::{Module, ModuleReader},
    name::SectionNames,
    physical_parameters::describes_physical_layer,
    read_section::{ReadSection, SectionBlocks},
};

/// Maximum size of all definitions of a version, in bytes. Each part of a type is a definition of its own, so a
/// hostile listing has as many copies of its text as levels; 38.331 18.0.0 has 3.1 MB.
const MAX_DEFINITION_BYTES: usize = 64 << 20;

/// The definitions of a version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionNames {
    /// The names of each section, in the order of the sections.
    pub sections: Vec<SectionNames>,
    /// Modules of ASN.1 in order, then OpenAPI files.
    pub modules: Vec<Module>,
    /// Its contradictions.
    pub findings: Vec<Finding>,
}

/// Reads the definitions of a version, from the number of its document and its sections in order.
pub fn read_version(document: &str, sections: &[SectionBlocks<'_>]) -> VersionNames {
    let listings: Vec<Option<Listing>> =
        sections.iter().map(|section| find_listing(section.blocks)).collect();
    let rule = ListingRule::of_listings(listings.iter().flatten());
    let is_physical = describes_physical_layer(document);
    let mut modules = ModuleReader::default();
    let mut room = MAX_DEFINITION_BYTES;
    let mut read = Vec::with_capacity(sections.len());
    for (section, listing) in sections.iter().zip(listings) {
        let listing = listing.filter(|listing| rule.admits(section.number, listing));
        let listing = listing.map(|listing| Asn1Listing::read(listing, section.blocks));
        modules.read_section(section, listing.as_ref());
        let mut section = ReadSection::read(section, listing, is_physical);
        section.keep_within(&mut room);
        read.push(section);
    }
    let findings = compare_sections(&read);
    let sections = read.into_iter().map(|section| section.into_names()).collect();
    VersionNames { sections, modules: modules.finish(), findings }
}

/// Finds contradictions between the sections of a version, in the order of their first locations.
pub fn find_disagreements(sections: &[SectionBlocks<'_>]) -> Vec<Finding> {
    read_version("", sections).findings
}

#[cfg(test)]
mod tests;

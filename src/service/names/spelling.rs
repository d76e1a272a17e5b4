//! Names that are spelled like one that does not exist.

use std::ops::ControlFlow;

use names::{DefinedName, name_key};
use strsim::damerau_levenshtein;

use crate::service::{Service, internal_failure};
use store::Snapshot;
use wire::Failure;

/// Names that are offered.
const MAX_OFFERED: usize = 5;
/// Keys that are compared, so that the time does not grow with the index: a name that is not defined takes 12 ms with
/// 8,700 versions (docs/benchmarks.md).
const MAX_COMPARED: usize = 50_000;
/// Letters at the beginning that must be right: only keys that begin with them are read.
const FIXED_LETTERS: usize = 2;
/// A name is similar if at most one in this many letters is wrong; one may be wrong in shorter names, too.
const LETTERS_PER_TYPO: usize = 5;

/// The names most like a key, as printed: those that differ in a few letters, and those that it begins.
pub(super) fn similar_names(
    service: &Service,
    snapshot: &Snapshot,
    key: &str,
) -> Result<Vec<String>, Failure> {
    let prefix: String = key.chars().take(FIXED_LETTERS).collect();
    let length = key.chars().count();
    let max_typos = (length / LETTERS_PER_TYPO).max(1);
    let mut similar: Vec<(usize, usize, String)> = Vec::new();
    let mut compared = 0;
    let compare = |known: &str| {
        compared += 1;
        let known_length = known.chars().count();
        let typos = match known_length.abs_diff(length) {
            difference if difference <= max_typos => damerau_levenshtein(key, known),
            _ => usize::MAX,
        };
        if typos <= max_typos {
            similar.push((typos, known_length, known.to_owned()));
        } else if known.starts_with(key) {
            similar.push((max_typos, known_length, known.to_owned()));
        }
        if compared < MAX_COMPARED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    snapshot.names().for_each_key(&prefix, compare).map_err(internal_failure)?;
    similar.sort();
    let mut offered = Vec::new();
    for (_, _, key) in similar.into_iter().take(MAX_OFFERED) {
        offered.extend(printed_name(service, snapshot, &key)?);
    }
    offered.dedup();
    Ok(offered)
}

/// A name with a key as some document prints it.
fn printed_name(
    service: &Service,
    snapshot: &Snapshot,
    key: &str,
) -> Result<Option<String>, Failure> {
    let sections = snapshot.names().defining_sections(key).map_err(internal_failure)?;
    let Some(section) = sections.last().copied() else { return Ok(None) };
    let Some(entry) = snapshot.catalog().get(section.document) else { return Ok(None) };
    let names = crate::service::names::names_of_sections(service, snapshot, entry, [section])?;
    let has_key = |name: &&DefinedName| name_key(&name.name) == key;
    let mut all = names.iter().flat_map(|(_, names)| &names.names);
    Ok(all.find(has_key).map(|name| name.name.clone()))
}

/// Whether a word is a name and not a plain word: `T310`, `sps-Config`, `RRCSetup`.
pub(in crate::service) fn looks_like_name(text: &str) -> bool {
    let is_name_sign =
        |(index, c): (usize, char)| !c.is_lowercase() && (index > 0 || !c.is_uppercase());
    text.char_indices().any(is_name_sign)
}

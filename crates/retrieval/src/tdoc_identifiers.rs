//! Identifiers in a query of meeting documents: numbers of documents and specifications, names, quoted phrases.
//! They are matched literally.

use crate::exact_phrases::find_exact_phrases;
use domain::{DocNumber, TdocId};
use store::{Snapshot, StoreError};

/// An identifier in more contents than this does not distinguish passages, unless it is quoted or the number of a
/// document or specification.
const MAX_RARE_OCCURRENCES: usize = 200;

/// An identifier of the query.
pub(crate) struct Identifier {
    /// As written there.
    pub(crate) text: String,
    /// In lower case, with runs of whitespace as one space.
    pub(crate) normalised: String,
    /// Whether passages that contain it come first.
    pub(crate) leads: bool,
}

/// The identifiers of a question, and which of them lead.
pub(crate) fn find_identifiers(
    snapshot: &Snapshot,
    text: &str,
) -> Result<Vec<Identifier>, StoreError> {
    let mut found = Vec::new();
    for phrase in find_exact_phrases(text) {
        let is_number = phrase.parse::<TdocId>().is_ok() || phrase.parse::<DocNumber>().is_ok();
        let is_quoted = phrase.contains(' ');
        // A bare abbreviation occurs in too many passages to be required.
        if !(is_number || is_quoted || is_name(&phrase)) {
            continue;
        }
        let leads = is_number
            || is_quoted
            || snapshot.tdocs().count_tdoc_occurrences(&phrase, MAX_RARE_OCCURRENCES + 1)?
                <= MAX_RARE_OCCURRENCES;
        found.push(Identifier { normalised: normalise_text(&phrase), text: phrase, leads });
    }
    Ok(found)
}

/// Whether an identifier is more than an abbreviation: a name of several parts, a number, a clause.
fn is_name(phrase: &str) -> bool {
    let inner =
        phrase.chars().skip(1).any(char::is_uppercase) && phrase.chars().any(char::is_lowercase);
    let digits = phrase.chars().any(|c| c.is_ascii_digit());
    inner || digits || phrase.contains(['-', '_', '.', '/'])
}

pub(crate) fn normalise_text(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a text contains an identifier as a whole word.
pub(crate) fn contains_identifier(text: &str, identifier: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric();
    text.match_indices(identifier).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_whole_words() {
        for (text, identifier, expected) in [
            ("the ssb-positionsinburst field", "ssb-positionsinburst", true),
            ("as in 38.331, clause", "38.331", true),
            ("as in 38.3315", "38.331", false),
            ("see r1-2405790.", "r1-2405790", true),
            ("see r1-24057901", "r1-2405790", false),
        ] {
            assert_eq!(contains_identifier(text, identifier), expected, "{text}");
        }
        assert!(is_name("RRCReconfiguration") && is_name("T310") && !is_name("PDCCH"));
    }
}

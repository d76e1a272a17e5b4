//! The words of a query: their byte offsets, keys and stems.

use domain::{term_key, to_singular};

/// Maximum number of words of a query that are expanded. A query gets at most 24 expansions anyway.
const MAX_QUERY_WORDS: usize = 200;
/// Words that may occur between those of a phrase: `lost the connection` is `lost connection`.
const FILLERS: [&str; 12] =
    ["a", "an", "the", "my", "your", "his", "her", "its", "their", "our", "this", "that"];

/// The words of a query.
#[derive(Debug)]
pub(crate) struct QueryWords<'a> {
    pub(crate) query: &'a str,
    pub(crate) words: Vec<QueryWord>,
    /// Whether it is written in capitals throughout, which then say nothing.
    pub(crate) is_all_capitals: bool,
}

/// A run of letters and digits.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QueryWord {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) key: String,
    pub(crate) stem: String,
    /// Whether it is a piece of an identifier, `5G` of `5G-GUTI`, and so not an everyday word.
    pub(crate) is_inside_identifier: bool,
}

impl<'a> QueryWords<'a> {
    pub(crate) fn from_query(query: &'a str) -> Self {
        let parts = split_words(query).take(MAX_QUERY_WORDS).map(|(start, word)| QueryWord {
            start,
            end: start + word.len(),
            key: term_key(word),
            stem: stem_word(word),
            is_inside_identifier: is_inside_identifier(query, start, start + word.len()),
        });
        let is_all_capitals = !query.contains(char::is_lowercase) && query.contains(' ');
        Self { query, words: parts.collect(), is_all_capitals }
    }

    /// The words that are neither fillers nor pieces of identifiers.
    pub(crate) fn meaningful_words(&self) -> Vec<&QueryWord> {
        let filler = |part: &&QueryWord| FILLERS.contains(&part.stem.as_str());
        self.words.iter().filter(|part| !filler(part) && !part.is_inside_identifier).collect()
    }

    /// Whether the query has these words, in any inflection.
    pub(crate) fn contains_text(&self, text: &str) -> bool {
        let stems: Vec<String> = split_words(text).map(|(_, word)| stem_word(word)).collect();
        let same = |window: &[QueryWord]| window.iter().map(|part| &part.stem).eq(&stems);
        stems.is_empty() || self.words.windows(stems.len()).any(same)
    }
}

/// Runs of letters and digits and where they start; `phone's` is `phone`.
pub(crate) fn split_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(|run| (run.as_ptr() as usize - text.as_ptr() as usize, run))
        .filter(move |(start, run)| {
            let possessive = *run == "s" && text[..*start].ends_with(['\'', '\u{2019}']);
            !run.is_empty() && !possessive
        })
}

/// Whether the word around a piece is joined and has digits or capitals beside each other:
/// `5G-GUTI` and `38.331` do, `hand-over` and `Wi-Fi` do not.
fn is_inside_identifier(query: &str, start: usize, end: usize) -> bool {
    let before = query[..start].split(char::is_whitespace).next_back().map_or(0, str::len);
    let after = query[end..].split(char::is_whitespace).next().map_or(0, str::len);
    let word = query[start - before..end + after].trim_matches(|c: char| !c.is_alphanumeric());
    let capitals = word.as_bytes().windows(2).any(|two| two.iter().all(u8::is_ascii_uppercase));
    let odd = capitals || word.contains(|c: char| c.is_ascii_digit());
    odd && word.contains(['-', '_', '.'])
}

/// A word without the endings that inflection gives it, in lower case. It is applied to both sides of a comparison,
/// so the result need not be a word: `hands over`, `handing over` and `handed over` match, and so do `dropping`,
/// `dropped` and `drops`.
pub(crate) fn stem_word(word: &str) -> String {
    let word = to_singular(&word.to_lowercase());
    let cut = ["ing", "ed"].iter().find_map(|ending| word.strip_suffix(ending));
    let root = cut.filter(|root| root.len() >= 3 && root.contains(['a', 'e', 'i', 'o', 'u', 'y']));
    let root = root.map_or(word.as_str(), undouble_ending);
    match root.strip_suffix('e') {
        Some(bare) if bare.len() >= 3 => bare.to_owned(),
        _ => root.to_owned(),
    }
}

/// `dropp` as `drop`; `call`, `pass` and `buzz` double their last letter by themselves.
fn undouble_ending(root: &str) -> &str {
    let bytes = root.as_bytes();
    let doubled = bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2];
    let last = bytes.last().copied().unwrap_or_default();
    if doubled && last.is_ascii_lowercase() && !matches!(last, b'l' | b's' | b'z') {
        &root[..root.len() - 1]
    } else {
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_forms_share_a_stem() {
        for forms in [
            &["drop", "drops", "dropped", "dropping"][..],
            &["move", "moves", "moved", "moving"],
            &["call", "calls", "called", "calling"],
            &["battery", "batteries", "Battery"],
            &["switch", "switches", "switched", "switching"],
            &["charge", "charging", "charged"],
            &["pass", "passes", "passed"],
            &["try", "tries", "trying"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem_word(form)).collect();
            assert!(stems.iter().all(|other| *other == stems[0]), "{forms:?}: {stems:?}");
        }
        assert_eq!((stem_word("red").as_str(), stem_word("ring").as_str()), ("red", "ring"));
    }

    #[test]
    fn a_query_holds_what_it_says_in_any_form() {
        let parts = QueryWords::from_query("How do the phone's hand-overs fail?");
        let words: Vec<&str> = parts.words.iter().map(|p| &parts.query[p.start..p.end]).collect();
        assert_eq!(words, ["How", "do", "the", "phone", "hand", "overs", "fail"]);
        assert!(
            parts.contains_text("hand over")
                && parts.contains_text("Failing")
                && !parts.contains_text("phone hand up")
        );
        assert_eq!(parts.meaningful_words().len(), 6);
        let pieces = QueryWords::from_query("5G-GUTI in 38.331, Wi-Fi. 5G hand-over");
        assert_eq!(pieces.meaningful_words().len(), 6, "{pieces:?}");
        assert!(
            QueryWords::from_query("WHAT IS IT").is_all_capitals
                && !QueryWords::from_query("RRC").is_all_capitals
        );
    }
}

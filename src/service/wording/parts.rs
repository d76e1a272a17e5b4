//! A query as words: where they stand, and what is left of them without their endings.

use domain::{singular, term_key};

/// Words of a query that are looked at.
const MAX_PARTS: usize = 200;
/// Words that may stand between those of a phrase: `lost the connection` is `lost connection`.
const FILLERS: [&str; 12] =
    ["a", "an", "the", "my", "your", "his", "her", "its", "their", "our", "this", "that"];

/// The words of a query.
#[derive(Debug)]
pub(super) struct QueryParts<'a> {
    pub(super) query: &'a str,
    pub(super) parts: Vec<Part>,
    /// Whether it is written in capitals throughout, which then say nothing.
    pub(super) shouted: bool,
}

/// A run of letters and digits.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) key: String,
    pub(super) stem: String,
    /// Whether it is a piece of an identifier, `5G` of `5G-GUTI`, and so no everyday word.
    pub(super) inside: bool,
}

impl<'a> QueryParts<'a> {
    pub(super) fn of(query: &'a str) -> Self {
        let parts = runs(query).take(MAX_PARTS).map(|(start, word)| Part {
            start,
            end: start + word.len(),
            key: term_key(word),
            stem: stem(word),
            inside: inside_identifier(query, start, start + word.len()),
        });
        let shouted = !query.contains(char::is_lowercase) && query.contains(' ');
        Self { query, parts: parts.collect(), shouted }
    }

    /// The words that are neither fillers nor pieces of identifiers.
    pub(super) fn meaningful(&self) -> Vec<&Part> {
        let filler = |part: &&Part| FILLERS.contains(&part.stem.as_str());
        self.parts.iter().filter(|part| !filler(part) && !part.inside).collect()
    }

    /// Whether the query has these words, in any inflection.
    pub(super) fn hold(&self, text: &str) -> bool {
        let wanted: Vec<String> = runs(text).map(|(_, word)| stem(word)).collect();
        let same = |window: &[Part]| window.iter().map(|part| &part.stem).eq(&wanted);
        wanted.is_empty() || self.parts.windows(wanted.len()).any(same)
    }
}

/// Runs of letters and digits and where they start; `phone's` is `phone`.
pub(super) fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(|run| (run.as_ptr() as usize - text.as_ptr() as usize, run))
        .filter(move |(start, run)| {
            let possessive = *run == "s" && text[..*start].ends_with(['\'', '\u{2019}']);
            !run.is_empty() && !possessive
        })
}

/// Whether the word around a piece is joined and has digits or capitals beside each other:
/// `5G-GUTI` and `38.331` do, `hand-over` and `Wi-Fi` do not.
fn inside_identifier(query: &str, start: usize, end: usize) -> bool {
    let before = query[..start].split(char::is_whitespace).next_back().map_or(0, str::len);
    let after = query[end..].split(char::is_whitespace).next().map_or(0, str::len);
    let word = query[start - before..end + after].trim_matches(|c: char| !c.is_alphanumeric());
    let capitals = word.as_bytes().windows(2).any(|two| two.iter().all(u8::is_ascii_uppercase));
    let odd = capitals || word.contains(|c: char| c.is_ascii_digit());
    odd && word.contains(['-', '_', '.'])
}

/// A word without the endings that inflection gives it, in lower case. Both sides of a comparison
/// go through it, so that it need not be a word: `hands over`, `handing over` and `handed over`
/// meet, and so do `dropping`, `dropped` and `drops`.
pub(super) fn stem(word: &str) -> String {
    let word = singular(&word.to_lowercase());
    let cut = ["ing", "ed"].iter().find_map(|ending| word.strip_suffix(ending));
    let root = cut.filter(|root| root.len() >= 3 && root.contains(['a', 'e', 'i', 'o', 'u', 'y']));
    let root = root.map_or(word.as_str(), undoubled);
    match root.strip_suffix('e') {
        Some(bare) if bare.len() >= 3 => bare.to_owned(),
        _ => root.to_owned(),
    }
}

/// `dropp` as `drop`; `call`, `pass` and `buzz` double their last letter by themselves.
fn undoubled(root: &str) -> &str {
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
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|other| *other == stems[0]), "{forms:?}: {stems:?}");
        }
        assert_eq!((stem("red").as_str(), stem("ring").as_str()), ("red", "ring"));
    }

    #[test]
    fn a_query_holds_what_it_says_in_any_form() {
        let parts = QueryParts::of("How do the phone's hand-overs fail?");
        let words: Vec<&str> = parts.parts.iter().map(|p| &parts.query[p.start..p.end]).collect();
        assert_eq!(words, ["How", "do", "the", "phone", "hand", "overs", "fail"]);
        assert!(parts.hold("hand over") && parts.hold("Failing") && !parts.hold("phone hand up"));
        assert_eq!(parts.meaningful().len(), 6);
        let pieces = QueryParts::of("5G-GUTI in 38.331, Wi-Fi. 5G hand-over");
        assert_eq!(pieces.meaningful().len(), 6, "{pieces:?}");
        assert!(QueryParts::of("WHAT IS IT").shouted && !QueryParts::of("RRC").shouted);
    }
}

//! Exact identifiers in a query: `5.3.5`, `T310`, `RRCReconfiguration`, `"quoted phrases"`.
//!
//! Promises that prose is left alone: an identifier that no document contains is reported as a thing that may not
//! exist, so a plain word mistaken for an identifier would mislead the user.

use lexical::analyzer::is_ideograph;

/// Maximum number of phrases that are looked up: each is a search of its own, beside the search of the whole query.
const MAX_PHRASES: usize = 8;
/// Pairs of opening and closing quotation marks.
const QUOTES: [(char, char); 5] = [
    ('"', '"'),
    ('\u{201c}', '\u{201d}'),
    ('\u{201e}', '\u{201c}'),
    ('\u{ab}', '\u{bb}'),
    ('\u{300c}', '\u{300d}'),
];
/// Units written right behind a number: `10ms` is a quantity.
const UNITS: [&str; 23] = [
    "s", "ms", "us", "ns", "min", "h", "hz", "khz", "mhz", "ghz", "db", "dbm", "dbi", "m", "km",
    "kbps", "mbps", "gbps", "bit", "bits", "byte", "bytes", "x",
];
const ORDINALS: [&str; 4] = ["st", "nd", "rd", "th"];
/// Minimum length of a lower-case part that is prose; a shorter one may belong to a name: `p-Max`.
const MIN_PROSE: usize = 3;
/// A query with this many words in capitals and none in lower case is a sentence, not abbreviations.
const MIN_CAPITAL_WORDS: usize = 4;
/// Types that precede nearly every document number, and so identify nothing.
pub(crate) const DOCUMENT_TYPES: [&str; 2] = ["TS", "TR"];

/// The quoted phrases and identifiers of a query, in order, each once.
pub(crate) fn find_exact_phrases(query: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut push = |phrase: &str| {
        let phrase = phrase.trim();
        if !phrase.is_empty() && found.len() < MAX_PHRASES && !found.iter().any(|f| f == phrase) {
            found.push(phrase.to_owned());
        }
    };
    let capitals =
        query.split_whitespace().filter(|word| is_capitals(strip_punctuation(word))).count();
    let is_all_capitals = capitals >= MIN_CAPITAL_WORDS && !query.chars().any(char::is_lowercase);
    let mut rest = query;
    while let Some((before, quoted, after)) = split_first_quotation(rest) {
        push_identifiers(before, is_all_capitals, &mut push);
        push(quoted);
        rest = after;
    }
    push_identifiers(rest, is_all_capitals, &mut push);
    found
}

/// The text before the first closed quotation, the quotation, and the text after it.
fn split_first_quotation(text: &str) -> Option<(&str, &str, &str)> {
    for (start, opening) in text.char_indices() {
        let Some((_, closing)) = QUOTES.into_iter().find(|(open, _)| *open == opening) else {
            continue;
        };
        let inside = &text[start + opening.len_utf8()..];
        if let Some((quoted, after)) = inside.split_once(closing) {
            return Some((&text[..start], quoted, after));
        }
    }
    None
}

/// Pushes the identifiers of a text. If the whole query is in capitals, capitals identify nothing.
fn push_identifiers(text: &str, is_all_capitals: bool, push: &mut impl FnMut(&str)) {
    let ends_word = |c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')') || is_ideograph(c) || is_wide(c)
    };
    for word in text.split(ends_word) {
        let word = strip_punctuation(word);
        for name in split_compound(word) {
            if is_identifier(name)
                && !DOCUMENT_TYPES.contains(&name)
                && !(is_all_capitals && is_capitals(name))
            {
                push(name);
            }
        }
    }
}

/// Punctuation of scripts that are written without spaces.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}')
}

/// A word without the punctuation around it and the `'s` of a genitive.
fn strip_punctuation(word: &str) -> &str {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    ["'s", "\u{2019}s"].into_iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word)
}

/// A compound of prose and names is not a name itself: `UE-initiated` contains `UE`, but `PDCCH/PUCCH` and
/// `ssb-PositionsInBurst` are whole.
fn split_compound(word: &str) -> Vec<&str> {
    let parts: Vec<&str> = word.split(['-', '/', '\u{2010}', '\u{2011}', '\u{2013}']).collect();
    let prose = |part: &&str| part.len() >= MIN_PROSE && part.chars().all(char::is_lowercase);
    let name = |part: &&str| !part.chars().any(char::is_lowercase);
    let mixed = parts.iter().all(|part| prose(part) || name(part)) && parts.iter().any(prose);
    if parts.len() > 1 && mixed { parts.into_iter().filter(name).collect() } else { vec![word] }
}

fn is_capitals(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_uppercase() || matches!(c, '-' | '/'))
}

/// Whether a word is one that does not occur in ordinary prose.
fn is_identifier(word: &str) -> bool {
    if is_quantity(word) {
        return false;
    }
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let upper = word.chars().filter(|c| c.is_uppercase()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let joined = word.contains(['.', '_', '-', '/']);
    let inner_upper = word.chars().skip(1).any(char::is_uppercase);
    let abbreviation = letters >= 2 && upper == letters;
    let dotted_number = digits > 0 && word.contains('.');
    let with_digit = digits > 0 && letters > 0;
    let joined_name = joined && (word.contains('_') || inner_upper);
    dotted_number || with_digit || abbreviation || joined_name || (inner_upper && letters > 2)
}

/// `10ms`, `3.5GHz`, `2nd`, `0.5`: one point at most, a unit or an ordinal's ending or nothing.
fn is_quantity(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &word[..word.len() - unit.len()];
    let known = |list: &[&str]| list.iter().any(|listed| unit.eq_ignore_ascii_case(listed));
    match number.split_once('.') {
        _ if number.is_empty() => false,
        Some((_, fraction)) if fraction.contains('.') => false,
        // `38.331` and `5.3` may be a document or a clause; `0.5` and `3.1416` are not.
        Some((whole, fraction)) if unit.is_empty() => whole == "0" || fraction.len() > 3,
        Some(_) => known(&UNITS),
        None => known(&UNITS) || known(&ORDINALS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_told_from_prose() {
        for word in [
            "5.3.5",
            "38.331",
            "T310",
            "RRCReconfiguration",
            "QoS",
            "ssb-PositionsInBurst",
            "PDCCH",
            "N1/N2",
            "nrofSymbols",
            "B.2.1",
            "Nudm_SDM",
            "5G-GUTI",
            "MsgA",
            "R1-2505202",
            "TS38.331",
            "nrofHARQ-Processes",
            "p-Max",
            "38.101-1",
            "5G",
            "n77",
            "gNBs",
            "Rel-18",
        ] {
            assert_eq!(find_exact_phrases(&format!("what is {word}?")), [word], "{word}");
        }
        for word in [
            "timer",
            "What",
            "re-establishment",
            "the",
            "I",
            "5",
            "and/or",
            "10ms",
            "3.5GHz",
            "2nd",
            "0.5",
            "100MHz",
            "e.g.",
            "i.e.",
            "hand-over",
            "don't",
            "9:30",
            "-",
            "\"",
            "",
        ] {
            assert_eq!(find_exact_phrases(&format!("what is {word} ?")), [""; 0], "{word}");
        }
    }

    #[test]
    fn identifiers_are_found_in_the_spellings_people_use() {
        for (query, expected) in [
            ("TS 38.331 clause 5.3.5", &["38.331", "5.3.5"][..]),
            ("when is timer T310 started (UE-initiated)?", &["T310", "UE"]),
            ("the UE's PDCCH-based, non-3GPP access", &["UE", "PDCCH", "3GPP"]),
            ("WHAT IS THE TIMER T310", &["T310"]),
            ("PDCCH DCI", &["PDCCH", "DCI"]),
            ("5.3.5.13.2 and 5.3.5.13a", &["5.3.5.13.2", "5.3.5.13a"]),
            ("T310, T310; (T311)", &["T310", "T311"]),
            ("QoS/QCI mapping", &["QoS/QCI"]),
            ("\u{5728}PDSCH\u{4e2d}\u{ff0c}T310\u{ff1a}\u{548c}UE", &["PDSCH", "T310", "UE"]),
        ] {
            assert_eq!(find_exact_phrases(query), expected, "{query}");
        }
    }

    #[test]
    fn quoted_phrases_are_taken_whole_and_open_quotes_are_not() {
        for (query, expected) in [
            ("what does \"radio link failure\" do to T310?", &["radio link failure", "T310"][..]),
            ("\u{201c}radio link failure\u{201d} and T310", &["radio link failure", "T310"]),
            ("\u{ab}radio link\u{bb} \u{201e}failure of\u{201c}", &["radio link", "failure of"]),
            ("5\" disk T310", &["T310"]),
            ("\"\" \"  \" T310", &["T310"]),
            ("how long does it wait", &[]),
        ] {
            assert_eq!(find_exact_phrases(query), expected, "{query}");
        }
    }

    #[test]
    fn hostile_queries_stay_small() {
        let many: String = (0..900).map(|n| format!("T{n} ")).collect();
        assert_eq!(find_exact_phrases(&many).len(), MAX_PHRASES);
        assert!(find_exact_phrases(&"\"".repeat(4000)).is_empty());
        assert!(find_exact_phrases(&"\u{201c}".repeat(4000)).is_empty());
    }
}

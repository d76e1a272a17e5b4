//! The name that a search asks for.

use std::borrow::Cow;

use names::name_key;

/// Protocols whose causes have names such as `EMM cause #22` (TS 24.008, 24.301, 24.501).
const CAUSE_PROTOCOLS: [&str; 7] = ["5GMM", "5GSM", "EMM", "ESM", "GMM", "MM", "SM"];
/// Words that may be between `cause` and its number.
const NUMBER_WORDS: [&str; 4] = ["value", "code", "number", "no"];

/// The name that a text is, or the cause that it mentions; `None` if it asks for anything else.
pub(super) fn asked_name(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        asked_cause(text).map(Cow::Owned)
    } else {
        (!name_key(text).is_empty()).then_some(Cow::Borrowed(text))
    }
}

/// Words that say what a name is of, before it or after it; those of two words first.
const KIND_WORDS: [&str; 20] = [
    "information element",
    "ASN.1 type",
    "IE",
    "IEs",
    "element",
    "message",
    "field",
    "parameter",
    "timer",
    "counter",
    "constant",
    "type",
    "cause",
    "capability",
    "schema",
    "attribute",
    "operation",
    "procedure",
    "the",
    "name",
];

/// The name in a text with a word for its kind: `IE PDCCH-Config`, `RRCSetup message`, `the timer T310`. `None` if there is
/// no such word.
pub(super) fn without_kind_word(text: &str) -> Option<&str> {
    let mut bare = text.trim();
    while let Some(rest) = KIND_WORDS.iter().find_map(|word| strip_word(bare, word)) {
        bare = rest;
    }
    let is_kind = KIND_WORDS.iter().any(|word| bare.eq_ignore_ascii_case(word));
    (bare.len() < text.trim().len() && !is_kind && !name_key(bare).is_empty()).then_some(bare)
}

/// A text without a word at its beginning or end.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let is_word = |part: &str| part.eq_ignore_ascii_case(word);
    let is_gap = |c: char| c.is_whitespace() || c == ':';
    if let Some((first, rest)) = text.split_at_checked(word.len())
        && is_word(first)
        && rest.starts_with(is_gap)
    {
        return Some(rest.trim_start_matches(is_gap));
    }
    let (rest, last) = text.split_at_checked(text.len().checked_sub(word.len())?)?;
    (is_word(last) && rest.ends_with(is_gap)).then(|| rest.trim_end_matches(is_gap))
}

/// `what does EMM cause 22 mean`: `EMM cause #22`. `None` if several causes are mentioned.
fn asked_cause(text: &str) -> Option<String> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(is_mark)).collect();
    let mut causes = words.windows(2).enumerate().filter_map(|(index, pair)| {
        let is_of_protocol = pair[1].eq_ignore_ascii_case("cause");
        let known = |known: &&&str| pair[0].eq_ignore_ascii_case(known);
        let protocol = CAUSE_PROTOCOLS.iter().find(known)?;
        if !is_of_protocol {
            return None;
        }
        let mut after = words[index + 2..].iter().filter(|word| !word.is_empty()).peekable();
        after.next_if(|word| NUMBER_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)));
        let number = after.next()?.parse::<u8>().ok()?;
        Some(format!("{protocol} cause #{number}"))
    });
    let first = causes.next();
    if causes.next().is_none() { first } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_for_the_kind_of_a_name_is_left_out() {
        for (text, name) in [
            ("IE PDCCH-Config", Some("PDCCH-Config")),
            ("ie: PDCCH-Config", Some("PDCCH-Config")),
            ("RRCSetup message", Some("RRCSetup")),
            ("the timer T310", Some("T310")),
            ("Information Element AMF UE NGAP ID", Some("AMF UE NGAP ID")),
            ("PDCCH-Config", None),
            ("IE", None),
            ("message type", None),
            ("Cause", None),
            ("ieee-Address", None),
        ] {
            assert_eq!(without_kind_word(text), name, "{text}");
        }
    }

    #[test]
    fn a_search_for_a_name_or_a_cause_asks_for_a_definition() {
        for (text, name) in [
            (" T310 ", Some("T310")),
            ("RRCSetup", Some("RRCSetup")),
            ("what does EMM cause #22 mean", Some("EMM cause #22")),
            ("5gmm cause value 111?", Some("5GMM cause #111")),
            ("when is the ESM cause (#27) sent", Some("ESM cause #27")),
            ("EMM cause #22 or EMM cause #42", None),
            ("EMM cause", None),
            ("EMM cause values", None),
            ("EMM cause 300", None),
            ("the RRC cause 22", None),
            ("timer T310", None),
            ("?", None),
            ("", None),
        ] {
            assert_eq!(asked_name(text).as_deref(), name, "{text}");
        }
    }
}

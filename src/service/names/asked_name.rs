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

//! Any text as a quotation of itself and of a text around it: it is exact, and no match cuts a character.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quotation::{Quotation, TokenizedText, find_exact_matches, find_near_match};

/// Matches of one quotation.
const MAX_MATCHES: usize = 9;

fuzz_target!(|texts: &str| {
    let (quote, around) = texts.split_once('\0').unwrap_or((texts, ""));
    let Some(quotation) = Quotation::parse(quote) else { return };
    let own = TokenizedText::new(quote.to_owned());
    assert!(!find_exact_matches(&quotation, &own, 1).is_empty(), "{quote:?} is not in itself");
    let text = TokenizedText::new(format!("{around}\n\n{quote}\n\n{around}"));
    for range in find_exact_matches(&quotation, &text, MAX_MATCHES) {
        assert!(text.text().get(range).is_some());
    }
    if let Some(near) = find_near_match(&quotation, &TokenizedText::new(around.to_owned())) {
        assert!(around.get(near.range).is_some());
        assert!((0.0..=1.0).contains(&near.similarity));
    }
});

//! Word boundaries: runs of letters and digits, and the parts of a run.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Longer runs (base64 and the like) are not words that anybody searches for.
const MAX_RUN_BYTES: usize = 200;
/// A field of a dotted number is not longer than this (`38.331`, `5.3.5.13a`).
const MAX_FIELD_BYTES: usize = 6;

/// Normalizes a text: one character for all hyphens, no invisible characters, NFKC (ligatures and wide
/// letters become plain ones).
pub(crate) fn fold_text(text: &str) -> Cow<'_, str> {
    let text = match unwrap_indices(text) {
        Some(unwrapped) => Cow::Owned(unwrapped),
        None => Cow::Borrowed(text),
    };
    if text.is_ascii() {
        return text;
    }
    let plain = text.chars().filter_map(|c| match c {
        // Hyphen, non-breaking hyphen, minus.
        '\u{2010}' | '\u{2011}' | '\u{2212}' => Some('-'),
        // Soft hyphen, zero-width characters.
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => None,
        c => Some(c),
    });
    Cow::Owned(plain.nfkc().collect())
}

/// A text with the indices of its formulas as in words: `$I_{\mathrm{MCS}}$` is `$I_MCS}}$`. `None` if there is none.
fn unwrap_indices(text: &str) -> Option<String> {
    const WRAPPERS: [&str; 3] = ["{\\mathrm{", "{\\mathit{", "{\\mathbf{"];
    if !text.contains("_{") && !text.contains("\\mathrm{") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['_', '\\']) {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let is_index = tail.starts_with("_{");
        // The braces of a base are between it and its index.
        if is_index {
            out.truncate(out.trim_end_matches('}').len());
            out.push('_');
            let wrapper = WRAPPERS.iter().find(|wrapper| tail[1..].starts_with(**wrapper));
            rest = &tail[1 + wrapper.map_or(1, |wrapper| wrapper.len())..];
        } else {
            let wrapper = WRAPPERS.iter().find(|wrapper| tail.starts_with(&wrapper[1..]));
            let length = wrapper.map_or(1, |wrapper| wrapper.len() - 1);
            out.push_str(if wrapper.is_some() { " " } else { &tail[..1] });
            rest = &tail[length..];
        }
    }
    out.push_str(rest);
    Some(out)
}

/// Whether a character holds the parts of one word together.
pub(crate) fn is_joiner(c: char) -> bool {
    matches!(c, '.' | '-' | '_' | '/')
}

/// Whether a character is of a script that is written without spaces (Chinese, Japanese): it is a
/// word of its own, apart from a name in Latin letters next to it.
pub fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Runs of letters and digits with inner joiners.
pub(crate) fn split_runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && !is_joiner(c))
        .flat_map(split_ideographs)
        .map(|piece| piece.trim_matches(is_joiner))
        .filter(|piece| !piece.is_empty() && piece.len() <= MAX_RUN_BYTES)
}

/// Each ideograph, and the text between them.
fn split_ideographs(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let first = text.chars().next()?;
        let end = if is_ideograph(first) {
            first.len_utf8()
        } else {
            text.find(is_ideograph).unwrap_or(text.len())
        };
        let (piece, rest) = text.split_at(end);
        text = rest;
        Some(piece)
    })
}

/// The parts of a run: a dotted number stays whole, everything else is cut at its joiners, and a
/// word before a dotted number is cut off: `TS38.331` is `TS` and `38.331`.
pub(crate) fn split_parts(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for piece in run.split(['-', '_', '/']) {
        let (word, rest) = piece.split_at(leading_word_length(piece));
        let pieces = [word, rest].into_iter().filter(|piece| !piece.is_empty());
        for piece in pieces {
            if is_numbered(piece) {
                parts.push(piece);
            } else {
                parts.extend(piece.split('.').filter(|field| !field.is_empty()));
            }
        }
    }
    parts
}

/// Whether a piece is a dotted number: `5.3.5`, `38.331`, `B.2.1`, `v18.2.0`.
pub(crate) fn is_numbered(piece: &str) -> bool {
    let mut fields = piece.split('.');
    let numeral = |field: &str| field.starts_with(|c: char| c.is_ascii_digit());
    piece.contains('.')
        && fields.clone().all(|field| matches!(field.len(), 1..=MAX_FIELD_BYTES))
        && fields.clone().all(|field| field.bytes().all(|b| b.is_ascii_alphanumeric()))
        && fields.next_back().is_some_and(|last| numeral(last) || last.len() == 1)
        && piece.split('.').any(numeral)
}

/// Length of the two or more letters directly before a dotted number, else 0.
fn leading_word_length(piece: &str) -> usize {
    let letters = piece.bytes().take_while(u8::is_ascii_alphabetic).count();
    if letters >= 2 && piece[letters..].contains('.') && is_numbered(&piece[letters..]) {
        letters
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_parts(text: &str) -> Vec<String> {
        let text = fold_text(text);
        split_runs(&text).flat_map(split_parts).map(str::to_owned).collect()
    }

    #[test]
    fn numbers_stay_whole_and_compounds_are_cut() {
        for (text, expected) in [
            ("See clause 5.3.5, B.2.1.", "See clause 5.3.5 B.2.1"),
            ("TS38.331 and 38.101-1", "TS 38.331 and 38.101 1"),
            ("ssb-PositionsInBurst", "ssb PositionsInBurst"),
            ("Nudm_SDM_Get N1/N2 R1-2505202", "Nudm SDM Get N1 N2 R1 2505202"),
            ("www.example.com e.g. v18.2.0", "www example com e g v18.2.0"),
            ("5.3.5.13a 5..3 3.5MHz", "5.3.5.13a 5 3 3.5MHz"),
            (" -- ... / ", ""),
        ] {
            assert_eq!(all_parts(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn indices_of_formulas_are_parts_of_a_name() {
        for (text, expected) in [
            ("$I_{\\mathrm{MCS}}$ of", "I_MCS of"),
            ("${\\mathrm{RB}}_{\\mathrm{start}}$", "RB_start"),
            ("$N_{\\mathrm{symb},i}^{\\mathrm{slot}}$", "N_symb i slot"),
            ("$n_{s,f}\\mathrm{mod} 2$", "n_s f mod 2"),
            ("a_{", "a"),
            ("\\mathrm{", ""),
            ("snake_case \\n", "snake_case n"),
        ] {
            let text = fold_text(text);
            assert_eq!(split_runs(&text).collect::<Vec<_>>().join(" "), expected, "{text}");
        }
    }

    #[test]
    fn names_are_found_between_ideographs() {
        let parts = all_parts("\u{5728}5G\u{7cfb}\u{7edf}\u{4e2d}\u{ff0c}UE\u{548c}AMF-1");
        assert_eq!(parts.join(" "), "\u{5728} 5G \u{7cfb} \u{7edf} \u{4e2d} UE \u{548c} AMF 1");
    }

    #[test]
    fn all_hyphen_characters_are_folded_to_one() {
        let text = "re\u{2011}establishment of\u{fb01}ce so\u{ad}ft";
        assert_eq!(fold_text(text), "re-establishment offi\u{63}e soft");
    }

    #[test]
    fn overlong_runs_are_dropped() {
        assert!(all_parts(&"a".repeat(MAX_RUN_BYTES + 1)).is_empty());
    }
}

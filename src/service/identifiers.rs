//! Exact identifiers in a query: `5.3.5`, `T310`, `RRCReconfiguration`, `"quoted phrases"`.

/// More than these are not looked up.
const MAX_PHRASES: usize = 8;

/// The quoted phrases and identifiers of a query, in order, each once.
pub(super) fn exact_phrases(query: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut push = |phrase: &str| {
        let phrase = phrase.trim();
        if !phrase.is_empty() && found.len() < MAX_PHRASES && !found.iter().any(|f| f == phrase) {
            found.push(phrase.to_owned());
        }
    };
    for (index, piece) in query.split('"').enumerate() {
        // Pieces at odd places stand between two quotation marks, if the last one is closed.
        let quoted = index % 2 == 1 && query.matches('"').count() > index;
        if quoted {
            push(piece);
        } else {
            piece
                .split_whitespace()
                .map(bare)
                .filter(|word| is_identifier(word))
                .for_each(&mut push);
        }
    }
    found
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether a word is one that ordinary prose would not hold.
fn is_identifier(word: &str) -> bool {
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
        ] {
            assert!(is_identifier(word), "{word}");
        }
        for word in ["timer", "What", "re-establishment", "the", "I", "5", "and/or"] {
            assert!(!is_identifier(word), "{word}");
        }
    }

    #[test]
    fn quoted_phrases_are_taken_whole_and_open_quotes_are_not() {
        assert_eq!(
            exact_phrases("what does \"radio link failure\" do to T310?"),
            ["radio link failure", "T310"]
        );
        assert_eq!(exact_phrases("5\" disk T310"), ["T310"]);
        assert!(exact_phrases("how long does it wait").is_empty());
    }
}

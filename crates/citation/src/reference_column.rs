//! Table columns whose heading announces clauses, so that the cells name them without a keyword.

use std::sync::LazyLock;

use regex::Regex;

/// Maximum length of such a heading. A longer one is a sentence of the table that mentions clauses.
const MAX_HEAD_BYTES: usize = 80;

/// `Type/Reference`, `Reference clause`, `Defined in`. "Reference channel" and "Reference value" do not match: the
/// numbers below them are values, and many are clause numbers of the document too.
static REFERENCE_HEAD: LazyLock<Regex> = LazyLock::new(|| {
    let references =
        r"\breferences?\s*(?:$|[/,(:]|(?:to|in|of|notes?|standards?|(?:sub)?clauses?|sections?)\b)";
    let clauses = r"\b(?:sub)?clauses?\b|\bsections?\b\s*(?:$|[/,(:]|(?:defined|numbers?)\b)";
    let verbs = r"\b(?:defined|specified|described)\s+in\b";
    Regex::new(&format!("(?i){references}|{clauses}|{verbs}")).expect("the pattern is a constant")
});

/// Whether the heading of a column announces clauses.
pub fn is_reference_head(head: &str) -> bool {
    // A heading with a digit names one clause, or is a sentence.
    head.len() <= MAX_HEAD_BYTES
        && !head.bytes().any(|byte| byte.is_ascii_digit())
        && REFERENCE_HEAD.is_match(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_above_clauses_are_told_from_those_above_values() {
        for head in [
            "Type/Reference",
            "Reference",
            "Reference subclause in the present document",
            "Clause",
            "Clause defined",
            "Defined in",
            "References (NOTE)",
        ] {
            assert!(is_reference_head(head), "{head}");
        }
        for head in
            ["Reference value", "Reference Channel", "UE specific reference signal", "Value"]
        {
            assert!(!is_reference_head(head), "{head}");
        }
    }
}

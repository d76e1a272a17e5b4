//! Columns of tables below whose head stand clauses, without a word that says so.

use std::sync::LazyLock;

use regex::Regex;

/// Longest head of such a column.
const MAX_HEAD_BYTES: usize = 80;

/// `Type/Reference`, `Reference clause`, `Defined in`. A reference channel or a reference value is none.
static REFERENCE_HEAD: LazyLock<Regex> = LazyLock::new(|| {
    let references =
        r"\breferences?\s*(?:$|[/,(:]|(?:to|in|of|notes?|standards?|(?:sub)?clauses?|sections?)\b)";
    let clauses = r"\b(?:sub)?clauses?\b|\bsections?\b\s*(?:$|[/,(:]|(?:defined|numbers?)\b)";
    let verbs = r"\b(?:defined|specified|described)\s+in\b";
    Regex::new(&format!("(?i){references}|{clauses}|{verbs}")).expect("the pattern is a constant")
});

/// Whether the head of a column says that clauses stand below it.
pub fn is_reference_head(head: &str) -> bool {
    // Not a sentence of the table, and no clause that it names.
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

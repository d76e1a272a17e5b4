//! The names that a misspelt one may mean, at the end of an error message.

use domain::join_alternatives;

/// `; did you mean A, B or C?`, or nothing.
pub(super) fn did_you_mean(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        names => format!("; did you mean {}?", join_alternatives(names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        assert_eq!(did_you_mean(&["a", "b", "c"]), "; did you mean a, b or c?");
        assert_eq!(did_you_mean(&["a"]), "; did you mean a?");
        assert_eq!(did_you_mean(&[]), "");
    }
}

//! The right names for a misspelt one, at the end of an error message.

/// `; did you mean A, B or C?`, or nothing.
pub(super) fn did_you_mean(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [others @ .., last] => format!("; did you mean {} or {last}?", others.join(", ")),
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

//! The right name for a misspelt one.

/// Maximum number of names that are suggested.
const MAX_NAMES: usize = 3;
/// In how many digits the number of a misspelt specification differs: two make another specification.
pub const SPEC_TYPO: usize = 1;

/// The known names nearest to what was typed, best first; none that differ in more than a third of their letters.
pub fn find_nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    find_within((typed.trim().chars().count() / 3).max(1), typed, known)
}

/// The same with names that differ in so many letters at most.
pub fn find_within<'a>(
    allowed: usize,
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let typed = typed.trim().to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&typed, &name.to_lowercase());
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    near.sort();
    near.dedup();
    let best = near.first().map_or(0, |(distance, _)| *distance);
    // Names that are a little worse than the best help nobody.
    let best_ones = near.into_iter().take_while(|(distance, _)| *distance == best);
    best_ones.take(MAX_NAMES).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_leads_to_the_right_name() {
        let known = ["38.331", "38.300", "36.331", "33.501"];
        assert_eq!(find_nearest("38.313", known), ["38.331"]);
        assert_eq!(find_nearest("38.33", known), ["38.331"]);
        assert_eq!(find_nearest("99.999", known), Vec::<&str>::new());
        assert_eq!(find_within(1, "38.332", known), ["38.331"]);
        assert!(find_within(1, "38.342", known).is_empty());
    }
}

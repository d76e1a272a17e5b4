//! The right name for a misspelt one.

/// Maximum number of suggested names: an error message lists them in one sentence.
const MAX_NAMES: usize = 3;

/// The known names nearest to the typed one, best first; none that differ in more than a third of its letters, because
/// those share little with it but their length.
pub fn find_nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    find_within((typed.trim().chars().count() / 3).max(1), typed, known)
}

/// The documents that an unknown number may mean: its parts, as 38.101-1 for 38.101, or else those whose numbers differ
/// in one character: with two, most numbers of a series would be near. `known` has each number once.
pub fn find_documents<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let is_part = |name: &&&str| name.strip_prefix(typed).is_some_and(|rest| rest.starts_with('-'));
    let parts: Vec<&str> = known.iter().filter(is_part).take(MAX_NAMES).copied().collect();
    if parts.is_empty() { find_within(1, typed, known) } else { parts }
}

/// The known names that differ in at most `allowed` letters.
fn find_within<'a>(
    allowed: usize,
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let typed = typed.trim().to_lowercase();
    let length = typed.chars().count();
    // The distance is never less than the difference of the lengths; a typed text may have a megabyte.
    let may_be_near = |name: &&str| name.chars().count().abs_diff(length) <= allowed;
    let distance = |name: &str| strsim::damerau_levenshtein(&typed, &name.to_lowercase());
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter(may_be_near)
        .map(|name| (distance(name), name))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    near.sort();
    near.dedup();
    let best = near.first().map_or(0, |(distance, _)| *distance);
    // Names that are slightly worse than the best are not helpful.
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
        assert_eq!(find_nearest("38.331x", known), ["38.331"]);
    }

    #[test]
    fn a_number_leads_to_its_parts_or_to_one_that_differs_in_a_digit() {
        let known = ["38.101-1", "38.101-2", "38.104", "38.331"];
        assert_eq!(find_documents("38.101", known), ["38.101-1", "38.101-2"]);
        assert_eq!(find_documents("38.332", known), ["38.331"]);
        assert!(find_documents("38.342", known).is_empty());
        assert!(find_documents(&"38.101-".repeat(100_000), known).is_empty());
    }
}

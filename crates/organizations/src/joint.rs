//! Several names in one cell without a comma between them.
//!
//! Their separator may be a part of one name too, so these functions only propose; the directory knows the names.

use crate::key::is_legal_form;

/// Separators between two names ("Huawei/HiSilicon"), or within one ("Rohde & Schwarz").
const WEAK_SEPARATORS: [&str; 12] = [
    "/",
    "+",
    ":",
    " - ",
    " \u{2013} ",
    ".and ",
    " and ",
    " And ",
    " AND ",
    " & ",
    ". ",
    ".\u{a0}",
];
/// Maximum number of words that are read as several names. Each start and length is looked up, with typos, so a cell
/// with a whole sentence must not be tried; longer lists have commas.
const MAX_WORDS: usize = 12;
/// Maximum number of words of one of the names: with [`MAX_WORDS`], at most 57 look-ups.
const MAX_NAME_WORDS: usize = 6;

/// Whether a name contains something that may separate two names.
pub(crate) fn has_weak_separator(name: &str) -> bool {
    split_at_weak_separators(name).len() > 1
}

/// The parts of a name between weak separators; legal forms stay with the name before them.
pub(crate) fn split_at_weak_separators(name: &str) -> Vec<String> {
    let mut marked = name.to_owned();
    for separator in WEAK_SEPARATORS {
        marked = marked.replace(separator, "\n");
    }
    join_legal_forms(marked.split('\n'))
}

/// The parts of a list in parentheses.
pub(crate) fn split_list(list: &str) -> Vec<String> {
    join_legal_forms(list.split([',', ';']))
}

fn join_legal_forms<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        match names.last_mut() {
            Some(name) if is_legal_form(part) => {
                name.push(' ');
                name.push_str(part);
            }
            _ => names.push(part.to_owned()),
        }
    }
    names
}

/// Divides words into names, one after the other and none left over: into those of the fewest organizations, then the
/// fewest names, so that "Nokia Shanghai Bell" stays one. `find` returns the organization of a name.
pub(crate) fn cover_with_names(
    name: &str,
    mut find: impl FnMut(&str) -> Option<u32>,
) -> Option<Vec<u32>> {
    let words: Vec<&str> = name.split_whitespace().collect();
    if !(2..=MAX_WORDS).contains(&words.len()) {
        return None;
    }
    // covers[end]: the best cover of the words before `end`.
    let mut covers: Vec<Option<Vec<u32>>> = vec![None; words.len() + 1];
    covers[0] = Some(Vec::new());
    for end in 1..=words.len() {
        for start in end.saturating_sub(MAX_NAME_WORDS)..end {
            let Some(before) = &covers[start] else { continue };
            let Some(organization) = find(&words[start..end].join(" ")) else { continue };
            let cover: Vec<u32> = before.iter().copied().chain([organization]).collect();
            let is_better =
                covers[end].as_ref().is_none_or(|best| count_names(&cover) < count_names(best));
            if is_better {
                covers[end] = Some(cover);
            }
        }
    }
    covers.pop().flatten().filter(|cover| cover.len() > 1)
}

/// The number of organizations and of names.
fn count_names(cover: &[u32]) -> (usize, usize) {
    (keep_first(cover).len(), cover.len())
}

/// Each organization once, at its first position.
pub(crate) fn keep_first(organizations: &[u32]) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::new();
    for organization in organizations {
        if !kept.contains(organization) {
            kept.push(*organization);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_where_a_separator_may_be() {
        for (name, parts) in [
            ("Example/Sample Radio", &["Example", "Sample Radio"][..]),
            ("Example Lab - Sample Lab", &["Example Lab", "Sample Lab"]),
            ("Example. Sample", &["Example", "Sample"]),
            ("Example. Inc.and Sample Labs", &["Example Inc", "Sample Labs"]),
            ("Example. S.A.", &["Example S.A."]),
            ("Example & Sample", &["Example", "Sample"]),
            ("Example-Sample", &["Example-Sample"]),
            ("/", &[]),
        ] {
            assert_eq!(split_at_weak_separators(name), parts, "{name}");
        }
        assert_eq!(split_list("Example, Inc., Sample"), ["Example Inc.", "Sample"]);
    }

    #[test]
    fn words_are_covered_by_the_fewest_organizations() {
        let find = |name: &str| match name {
            "Alpha" | "Alpha Beta" | "Beta" => Some(1),
            "Gamma" => Some(2),
            _ => None,
        };
        for (name, cover) in [
            ("Alpha Gamma", Some(vec![1, 2])),
            ("Alpha Beta Gamma", Some(vec![1, 2])),
            ("Alpha Delta", None),
            ("Alpha Beta", None),
            ("Alpha", None),
            ("", None),
        ] {
            let found = cover_with_names(name, find);
            assert_eq!(found.as_deref().map(keep_first), cover, "{name}");
        }
    }
}

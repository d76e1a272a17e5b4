//! Equivalent spellings of a name.

/// Letters and digits of a name in lower case: `Cell Group-Config` and `cellGroupConfig` have one key.
pub fn name_key(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A name without the suffix of the release that introduced it: `cellGroup-r16`, `Cell-v1610`, `t310-v15g0-IEs`.
pub fn base_name(name: &str) -> &str {
    let bare = name.strip_suffix("-IEs").unwrap_or(name);
    let Some((base, suffix)) = bare.rsplit_once('-') else { return bare };
    let is_release = suffix.strip_prefix('r').is_some_and(is_number);
    let is_version = suffix.strip_prefix('v').is_some_and(|version| {
        version.len() >= 3
            && version.starts_with(|c: char| c.is_ascii_digit())
            && version.chars().all(|c| c.is_ascii_alphanumeric())
    });
    if (is_release || is_version) && !base.is_empty() { base } else { bare }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_name_have_one_key() {
        for name in ["phys-CellId", "PhysCellId", "phys cell id", "phys\u{2011}CellId"] {
            assert_eq!(name_key(name), "physcellid", "{name}");
        }
    }

    #[test]
    fn releases_are_no_part_of_the_base() {
        for (name, base) in [
            ("cellGroup-r16", "cellGroup"),
            ("Cell-v1610", "Cell"),
            ("Cell-v15g0-IEs", "Cell"),
            ("Cell-IEs", "Cell"),
            ("rrc-TransactionIdentifier", "rrc-TransactionIdentifier"),
            ("sub-v", "sub-v"),
            ("r16", "r16"),
        ] {
            assert_eq!(base_name(name), base, "{name}");
        }
    }
}

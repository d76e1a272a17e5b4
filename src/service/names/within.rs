//! Which type or message a name is in, as people say it.

use std::collections::BTreeSet;

use names::{DefinedName, name_key};

/// Words that say nothing: `the BWP-Downlink IE` means `BWP-Downlink`.
const FILLERS: [&str; 12] =
    ["the", "a", "an", "of", "in", "to", "from", "for", "and", "ie", "element", "type"];

/// Whether a definition is in a type or message, or in a field of it: `BWP`, `BWP.Config`.
pub(super) fn is_within(name: &DefinedName, wanted: &str) -> bool {
    let path = name.within.as_deref().unwrap_or_default();
    let parts: Vec<String> = path.split(['.', '>']).map(name_key).collect();
    let wanted = name_key(wanted);
    !wanted.is_empty() && (name_key(path) == wanted || parts.contains(&wanted))
}

/// Whether the surroundings of a definition have all the requested words: its type or message, the titles of its
/// section and of those that contain it, or the subject of its table.
pub(super) fn has_words_of(name: &DefinedName, titles: &str, wanted: &str) -> bool {
    let wanted = words(wanted);
    let subject = name.definition.lines().next().unwrap_or_default();
    let within = name.within.as_deref().unwrap_or_default();
    let known = words(&format!("{within} {titles} {subject}"));
    !wanted.is_empty() && wanted.is_subset(&known)
}

/// The words of a text that say something, in lower case and without the ending of a plural.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let words = words.filter(|word| !word.is_empty() && !FILLERS.contains(&word.as_str()));
    words.map(|word| word.strip_suffix('s').map_or(word.clone(), str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{DefinedNameKind, PrintedForm};

    #[test]
    fn what_a_name_is_in_may_be_said_in_other_words() {
        let mut name = DefinedName {
            kind: DefinedNameKind::Element,
            name: "Group ID".to_owned(),
            within: Some("Lamp message request from Lamp Server".to_owned()),
            definition: "Group ID: M".to_owned(),
            form: PrintedForm::Row,
            presence: None,
            need: None,
            condition: None,
            description: None,
            types: Vec::new(),
        };
        assert!(!is_within(&name, "lamp message request from the lamp server"));
        assert!(has_words_of(&name, "", "lamp message request from the lamp server"));
        assert!(has_words_of(&name, "Group modify notification", "group modify notifications"));
        assert!(!has_words_of(&name, "Group modify notification", "group delete notification"));
        assert!(!has_words_of(&name, "Lamps", "the"));
        name.definition = "Values of LCID for SL-SCH\nCode | Use".to_owned();
        assert!(has_words_of(&name, "", "SL-SCH"));
    }
}

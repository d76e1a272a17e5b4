//! The titles of agenda items: the topics of the decisions under them.

use std::collections::BTreeMap;

/// A longer heading is not an agenda title but a numbered paragraph, whose words would count as the topic of all
/// decisions under that number.
const MAX_TITLE_BYTES: usize = 300;

/// The titles of agenda items, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgendaTitles(BTreeMap<String, String>);

impl AgendaTitles {
    /// Adds the title of an item. The first one stays: the register's are added before the headings of notes.
    pub fn add_title(&mut self, item: &str, title: &str) {
        if !title.trim().is_empty() {
            self.0.entry(item.to_owned()).or_insert_with(|| title.trim().to_owned());
        }
    }

    /// Adds a heading of notes if it begins with the number of an item: `9.6 Low-power wake-up signal`. A part of four
    /// digits is a year.
    pub fn add_heading(&mut self, heading: &str) {
        let Some((number, title)) = heading.split_once(char::is_whitespace) else { return };
        let number = number.trim_end_matches('.');
        let is_number = number.split('.').all(|part| {
            !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit())
        });
        if is_number && title.len() <= MAX_TITLE_BYTES {
            self.add_title(number, title);
        }
    }

    /// All titles.
    pub(super) fn titles(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(String::as_str)
    }

    /// The title of an item.
    pub(super) fn title(&self, item: &str) -> Option<&str> {
        self.0.get(item).map(String::as_str)
    }

    /// The titles of the items above an item.
    pub(super) fn ancestor_titles<'a>(&'a self, item: &'a str) -> impl Iterator<Item = &'a str> {
        item.match_indices('.').filter_map(|(end, _)| self.title(&item[..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_headings_are_titles_of_the_agenda() {
        let mut titles = AgendaTitles::default();
        for heading in ["9.6 Beams", "9.6.1. Wide beams", "Annex F: Actions", "2024 in review", "9"]
        {
            titles.add_heading(heading);
        }
        let known: Vec<_> =
            titles.0.iter().map(|(item, title)| (item.as_str(), title.as_str())).collect();
        assert_eq!(known, [("9.6", "Beams"), ("9.6.1", "Wide beams")]);
        assert_eq!(titles.ancestor_titles("9.6.1.2").collect::<Vec<_>>(), ["Beams", "Wide beams"]);
    }
}

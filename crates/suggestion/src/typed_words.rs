//! Compares typed words with a title.

use lexical::{name_words, typed_words};

/// Typed words, the last of them perhaps unfinished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedWords(Vec<String>);

impl TypedWords {
    /// The words of a text.
    pub fn from_text(text: &str) -> Self {
        Self(typed_words(text))
    }

    /// The rank of a title in which each typed word begins a word, the lowest first: titles that begin with the typed
    /// words before others, and shorter ones before longer ones. `None` for other titles.
    pub fn rank_title(&self, title: &str) -> Option<(bool, usize)> {
        let words = name_words(title);
        let has = |typed: &String| words.iter().any(|word| word.starts_with(typed.as_str()));
        let is_match = !self.0.is_empty() && self.0.iter().all(has);
        let begins = || typed_words(title).join(" ").starts_with(&self.0.join(" "));
        is_match.then(|| (!begins(), title.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_begin_with_the_words_come_first() {
        let typed = TypedWords::from_text("beacon re");
        let titles = ["Reports of the beacon", "Beacon re-establishment", "Beacon reset", "Lamps"];
        let mut ranked: Vec<_> =
            titles.iter().filter_map(|title| Some((typed.rank_title(title)?, *title))).collect();
        ranked.sort();
        let order: Vec<&str> = ranked.into_iter().map(|(_, title)| title).collect();
        assert_eq!(order, ["Beacon reset", "Beacon re-establishment", "Reports of the beacon"]);
        assert_eq!(TypedWords::from_text(" .. ").rank_title("Lamps"), None);
    }
}

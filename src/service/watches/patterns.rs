//! Names and words, and the texts that are searched for them.

/// A text in the form that is searched for names and words: letters and digits in lower case, separated by one blank.
pub(super) struct FoldedText(String);

impl FoldedText {
    pub(super) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut folded = " ".to_owned();
        for text in texts {
            push_folded(text, &mut folded);
        }
        Self(folded)
    }
}

/// Adds the words of a text, each with a blank after it.
fn push_folded(text: &str, folded: &mut String) {
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        folded.extend(word.chars().flat_map(char::to_lowercase));
        folded.push(' ');
    }
}

/// A name that occurs as a whole, or words that all occur.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TextPattern {
    /// As it was entered.
    pub(super) entered: String,
    /// What must occur, folded.
    parts: Vec<String>,
}

impl TextPattern {
    /// A name, which occurs as a whole; `None` if it has no letters or digits.
    pub(super) fn name(entered: &str) -> Option<Self> {
        Self::new(entered, vec![FoldedText::new([entered]).0])
    }

    /// Words that must all occur, or others that begin with them; `None` if there are none.
    pub(super) fn words(entered: &str) -> Option<Self> {
        let fold = |word| FoldedText::new([word]).0.trim_end().to_owned();
        Self::new(entered, entered.split(' ').map(fold).collect())
    }

    fn new(entered: &str, mut parts: Vec<String>) -> Option<Self> {
        parts.retain(|part| !part.trim().is_empty());
        (!parts.is_empty()).then(|| Self { entered: entered.to_owned(), parts })
    }

    /// Whether a text has it.
    pub(super) fn is_in(&self, text: &FoldedText) -> bool {
        self.parts.iter().all(|part| text.0.contains(part.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_occur_as_wholes_and_words_as_beginnings() {
        let text = FoldedText::new(["Start timer T310, or (phys-CellId)", "beams failing"]);
        for (name, found) in [("t310", true), ("T31", false), ("Phys CellID", true), ("310", false)]
        {
            assert_eq!(TextPattern::name(name).expect(name).is_in(&text), found, "{name}");
        }
        for (words, found) in
            [("beam fail", true), ("fail timer", true), ("beam recovery", false), ("- beam", true)]
        {
            assert_eq!(TextPattern::words(words).expect(words).is_in(&text), found, "{words}");
        }
        assert_eq!((TextPattern::name("-/-"), TextPattern::words("- .")), (None, None));
    }
}

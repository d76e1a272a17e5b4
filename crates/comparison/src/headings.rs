//! Headings of a document version, and what is derived from them.

/// A heading of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutlineHeading {
    /// Its number, or the substitute for one.
    pub number: String,
    /// Its title.
    pub title: String,
    /// Its level, from 1.
    pub level: u8,
}

/// Whether a title marks a clause that is no longer used.
fn is_void_title(title: &str) -> bool {
    let word = title.trim().trim_matches(['(', ')', '.', '-', ' ']).to_lowercase();
    matches!(word.as_str(), "void" | "reserved" | "not used" | "unused" | "deleted" | "")
}

/// The headings of one version, and what is derived from them.
pub(crate) struct Outline<'a> {
    pub(crate) headings: &'a [OutlineHeading],
    pub(crate) parents: Vec<Option<usize>>,
    /// The titles from the top down to each.
    pub(crate) paths: Vec<String>,
}

impl<'a> Outline<'a> {
    pub(crate) fn new(headings: &'a [OutlineHeading]) -> Self {
        let mut open: Vec<usize> = Vec::new();
        let mut parents = Vec::with_capacity(headings.len());
        let mut paths: Vec<String> = Vec::with_capacity(headings.len());
        for (index, heading) in headings.iter().enumerate() {
            while open.last().is_some_and(|top| headings[*top].level >= heading.level) {
                open.pop();
            }
            let parent = open.last().copied();
            let title = plain_title(&heading.title);
            let above = parent.map(|parent| paths[parent].as_str()).unwrap_or_default();
            paths.push(format!("{above}\n{title}"));
            parents.push(parent);
            open.push(index);
        }
        Self { headings, parents, paths }
    }

    pub(crate) fn is_void(&self, index: usize) -> bool {
        is_void_title(&self.headings[index].title)
    }
}

/// A title without insignificant differences: blanks, case, dashes.
pub fn plain_title(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

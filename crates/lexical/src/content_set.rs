//! Sets of contents: what a search may find.

/// A set of content ids, one bit each; ids are given out in sequence, so the set stays dense.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ContentSet {
    words: Vec<u64>,
}

impl ContentSet {
    /// Adds a content.
    pub fn insert(&mut self, content: u64) {
        let word = usize::try_from(content / 64).expect("ids in memory fit the address space");
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (content % 64);
    }

    /// Whether a content is a member.
    pub fn contains(&self, content: u64) -> bool {
        let word = usize::try_from(content / 64).ok().and_then(|word| self.words.get(word));
        word.is_some_and(|word| word & (1 << (content % 64)) != 0)
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let members = |(index, word): (u64, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| index * 64 + bit)
        };
        (0u64..).zip(&self.words).flat_map(members)
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_set_contains_what_was_inserted() {
        let mut set = ContentSet::default();
        for id in [0, 63, 64, 1000] {
            set.insert(id);
        }
        assert_eq!(set.len(), 4);
        assert!(set.contains(63) && set.contains(1000));
        assert!(!set.contains(62) && !set.contains(5000));
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 1000]);
    }
}

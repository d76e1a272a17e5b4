//! Sets of contents: what a search may find.

use std::sync::Arc;

/// Words of 64 ids in a part: 4 KiB for 32,768 ids. A copy of a set of three million ids is a list of a hundred parts, and a
/// change copies one of them.
const PART_WORDS: usize = 512;
const PART_IDS: u64 = PART_WORDS as u64 * 64;

/// A set of content ids, one bit each; ids are given out in sequence, so the set stays dense. Copies share their parts until one
/// is changed.
#[derive(Debug, Default, Clone)]
pub struct ContentSet {
    parts: Vec<Arc<[u64; PART_WORDS]>>,
    /// Number of members.
    count: usize,
}

/// The part, the word in it and the bit of an id.
fn locate(content: u64) -> (usize, usize, u64) {
    let part = usize::try_from(content / PART_IDS).expect("ids in memory fit the address space");
    (part, (content % PART_IDS / 64) as usize, 1 << (content % 64))
}

impl ContentSet {
    /// Adds a content.
    pub fn insert(&mut self, content: u64) {
        let (part, word, bit) = locate(content);
        if part >= self.parts.len() {
            let empty = Arc::new([0; PART_WORDS]);
            self.parts.resize_with(part + 1, || empty.clone());
        }
        if self.parts[part][word] & bit == 0 {
            Arc::make_mut(&mut self.parts[part])[word] |= bit;
            self.count += 1;
        }
    }

    /// Takes a content out.
    pub fn remove(&mut self, content: u64) {
        if self.contains(content) {
            let (part, word, bit) = locate(content);
            Arc::make_mut(&mut self.parts[part])[word] &= !bit;
            self.count -= 1;
        }
    }

    /// Whether a content is a member.
    pub fn contains(&self, content: u64) -> bool {
        let (part, word, bit) = locate(content);
        self.parts.get(part).is_some_and(|part| part[word] & bit != 0)
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let members = |(index, word): (u64, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| index * 64 + bit)
        };
        (0u64..).zip(self.parts.iter().flat_map(|part| part.iter())).flat_map(members)
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.count
    }
}

impl PartialEq for ContentSet {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().eq(other.iter())
    }
}

impl Eq for ContentSet {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_set_contains_what_was_inserted() {
        let mut set = ContentSet::default();
        for id in [0, 63, 64, 1000, 64] {
            set.insert(id);
        }
        assert_eq!(set.len(), 4);
        assert!(set.contains(63) && set.contains(1000));
        assert!(!set.contains(62) && !set.contains(50_000));
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 1000]);
    }

    #[test]
    fn a_change_of_a_copy_leaves_the_set_as_it_is() {
        let mut set = ContentSet::default();
        [7, PART_IDS - 1, PART_IDS, 5 * PART_IDS + 3].iter().for_each(|id| set.insert(*id));
        let mut copy = set.clone();
        copy.insert(8);
        [PART_IDS, 2 * PART_IDS, 99 * PART_IDS].iter().for_each(|id| copy.remove(*id));
        assert_eq!(copy.iter().collect::<Vec<_>>(), [7, 8, PART_IDS - 1, 5 * PART_IDS + 3]);
        assert_eq!((copy.len(), set.len()), (4, 4));
        assert_eq!(set.iter().collect::<Vec<_>>(), [7, PART_IDS - 1, PART_IDS, 5 * PART_IDS + 3]);
        assert_ne!(copy, set);
        copy.insert(PART_IDS);
        copy.remove(8);
        assert_eq!(copy, set);
    }
}

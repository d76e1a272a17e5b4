//! Edits that turn one list into another.

/// One step from the old list to the new one. The steps follow the order of both lists: items are taken from the old
/// list in its order, and appended to the new list in its order.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit<T, C> {
    /// Items that stay as they are.
    Kept {
        /// How many.
        count: usize,
    },
    /// An item of the old list that is not in the new one.
    Deleted {
        /// It.
        item: T,
    },
    /// An item of the new list that was not in the old one.
    Inserted {
        /// It.
        item: T,
    },
    /// An item that keeps its position with another content.
    Changed {
        /// What changed.
        change: C,
    },
    /// An item that has another position in the new list.
    MovedAway {
        /// Its index in the new list.
        to: usize,
    },
    /// An item that had another position in the old list.
    MovedHere {
        /// Its index in the old list.
        from: usize,
        /// What changed besides its position.
        change: Option<C>,
    },
}

impl<T, C> Edit<T, C> {
    /// What changed in an item that stays or moved.
    pub fn change(&self) -> Option<&C> {
        match self {
            Self::Changed { change } | Self::MovedHere { change: Some(change), .. } => Some(change),
            _ => None,
        }
    }
}

/// The position of an edit in both lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EditPlace {
    /// The index in the old list; `None` for an insertion.
    pub old: Option<usize>,
    /// The index in the new list; `None` for a deletion.
    pub new: Option<usize>,
}

/// The edits that change something, with their positions.
pub fn place_edits<T, C>(edits: &[Edit<T, C>]) -> impl Iterator<Item = (&Edit<T, C>, EditPlace)> {
    let (mut old, mut new) = (0, 0);
    edits.iter().filter_map(move |edit| {
        let (at_old, at_new) = (old, new);
        let (from, to) = match edit {
            Edit::Kept { count } => {
                (old, new) = (old + count, new + count);
                return None;
            }
            Edit::Deleted { .. } => (Some(at_old), None),
            Edit::Inserted { .. } => (None, Some(at_new)),
            Edit::Changed { .. } => (Some(at_old), Some(at_new)),
            Edit::MovedAway { to } => (Some(at_old), Some(*to)),
            Edit::MovedHere { from, .. } => (Some(*from), Some(at_new)),
        };
        old += usize::from(!matches!(edit, Edit::Inserted { .. } | Edit::MovedHere { .. }));
        new += usize::from(!matches!(edit, Edit::Deleted { .. } | Edit::MovedAway { .. }));
        Some((edit, EditPlace { old: from, new: to }))
    })
}

/// The new list, from the old one and the edits; `None` if the edits are not of this list.
pub(crate) fn apply_edits<T: Clone + PartialEq, C>(
    old: &[T],
    edits: &[Edit<T, C>],
    apply_change: impl Fn(&T, &C) -> Option<T>,
) -> Option<Vec<T>> {
    let mut new = Vec::with_capacity(old.len());
    let mut at: usize = 0;
    for edit in edits {
        match edit {
            Edit::Kept { count } => {
                new.extend_from_slice(old.get(at..at.checked_add(*count)?)?);
                at += count;
            }
            Edit::Deleted { item } => {
                if old.get(at)? != item {
                    return None;
                }
                at += 1;
            }
            Edit::Inserted { item } => new.push(item.clone()),
            Edit::Changed { change } => {
                new.push(apply_change(old.get(at)?, change)?);
                at += 1;
            }
            Edit::MovedAway { .. } => {
                old.get(at)?;
                at += 1;
            }
            Edit::MovedHere { from, change: None } => new.push(old.get(*from)?.clone()),
            Edit::MovedHere { from, change: Some(change) } => {
                new.push(apply_change(old.get(*from)?, change)?);
            }
        }
    }
    (at == old.len()).then_some(new)
}

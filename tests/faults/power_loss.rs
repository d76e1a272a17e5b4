//! What a disk may hold after the power went: everything that was synchronized, and any part of the rest.
//!
//! The rules are those of POSIX: `fsync` of a file keeps its contents, `fsync` of a folder its names; the changes of the
//! names of one folder reach the disk in their order. Journaling file systems promise more: each `fsync` keeps all
//! names changed before it. What was not synchronized is there, or missing, or torn at the sectors of 512 bytes, in any
//! combination; where a write that made a file longer is missing, its length may be there, with zeros.

use std::collections::HashMap;

use crate::{
    disk::{Change, Disk, Inode},
    random::Random,
};

/// Bytes that a disk writes at once or not at all.
const SECTOR: usize = 512;

/// What a file system keeps of names that were changed before an `fsync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamePromise {
    /// All of them (ext4, XFS and Btrfs with their defaults).
    Journaled,
    /// Those of the folder that was synchronized (POSIX).
    FolderOnly,
}

/// What became of the writes that were not synchronized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LateWrites {
    /// All reached the disk: the process was killed, and the system went on.
    AllThere,
    /// None did.
    AllMissing,
    /// Each is there, missing, torn or zeros.
    Any,
}

/// The disk after the power went when so many changes had been made.
pub(crate) fn disk_after_loss(
    changes: &[Change],
    moment: usize,
    writes: LateWrites,
    names: NamePromise,
    random: &mut Random,
) -> Disk {
    let made = &changes[..moment];
    let mut disk = Disk::new();
    if writes == LateWrites::AllThere {
        made.iter().for_each(|change| disk.apply(change));
        return disk;
    }
    let kept_names = KeptNames::new(made, names, writes, random);
    let mut last_sync: HashMap<Inode, usize> = HashMap::new();
    for (at, change) in made.iter().enumerate() {
        if let Change::Sync { inode } = change {
            last_sync.insert(*inode, at);
        }
    }
    for (at, change) in made.iter().enumerate() {
        if let Some(file) = change.changed_file() {
            let is_kept = last_sync.get(&file).is_some_and(|sync| *sync > at);
            match (is_kept, writes) {
                (true, _) => disk.apply(change),
                (false, LateWrites::Any) => apply_in_part(&mut disk, change, random),
                (false, _) => {}
            }
        } else if kept_names.contains(at, change) {
            disk.apply(change);
        }
    }
    disk
}

/// Up to which change the names of folders are on the disk.
struct KeptNames {
    /// By folder; for all folders alike where names are journaled.
    ends: HashMap<Inode, usize>,
    journaled: Option<usize>,
}

impl KeptNames {
    fn new(made: &[Change], names: NamePromise, writes: LateWrites, random: &mut Random) -> Self {
        let mut end_after = |sync: usize| match writes {
            LateWrites::AllMissing => sync,
            _ => sync + random.below((made.len() - sync) as u64 + 1) as usize,
        };
        if names == NamePromise::Journaled {
            let sync = made.iter().rposition(|change| matches!(change, Change::Sync { .. }));
            return Self { ends: HashMap::new(), journaled: Some(end_after(sync.unwrap_or(0))) };
        }
        let mut synced: HashMap<Inode, usize> = HashMap::new();
        for (at, change) in made.iter().enumerate() {
            match change {
                Change::Sync { inode } => {
                    synced.insert(*inode, at);
                }
                Change::Create { folder, .. } | Change::Remove { folder, .. } => {
                    synced.entry(*folder).or_insert(0);
                }
                Change::Rename { from, to } => {
                    synced.entry(from.0).or_insert(0);
                    synced.entry(to.0).or_insert(0);
                }
                _ => {}
            }
        }
        let mut synced: Vec<(Inode, usize)> = synced.into_iter().collect();
        synced.sort_unstable();
        let ends = synced.into_iter().map(|(folder, sync)| (folder, end_after(sync))).collect();
        Self { ends, journaled: None }
    }

    /// Whether a change of names is on the disk.
    fn contains(&self, at: usize, change: &Change) -> bool {
        if !change.is_of_names() {
            return false;
        }
        let is_kept = |folder: &Inode| at < self.ends.get(folder).copied().unwrap_or(0);
        match (self.journaled, change) {
            (Some(end), _) => at < end,
            (None, Change::Create { folder, .. } | Change::Remove { folder, .. }) => {
                is_kept(folder)
            }
            (None, Change::Rename { from, to }) => is_kept(&from.0) && is_kept(&to.0),
            (None, _) => false,
        }
    }
}

/// Makes a change that was not synchronized, or a part of it.
fn apply_in_part(disk: &mut Disk, change: &Change, random: &mut Random) {
    let Change::Write { file, offset, bytes } = change else {
        if random.below(2) == 0 {
            disk.apply(change);
        }
        return;
    };
    match random.below(4) {
        0 => {}
        1 => disk.apply(change),
        2 => write_some_sectors(disk, *file, *offset, bytes, random),
        _ => {
            // Only the length, with zeros.
            let length = offset + bytes.len() as u64;
            if disk.file_length(*file) < length {
                disk.apply(&Change::SetLength { file: *file, length });
            }
        }
    }
}

fn write_some_sectors(
    disk: &mut Disk,
    file: Inode,
    offset: u64,
    bytes: &[u8],
    random: &mut Random,
) {
    let mut at = 0;
    while at < bytes.len() {
        // Sectors begin at multiples of their size in the file.
        let to_next = SECTOR - (offset as usize + at) % SECTOR;
        let end = (at + to_next).min(bytes.len());
        if random.below(2) == 0 {
            disk.write(file, offset + at as u64, &bytes[at..end]);
        }
        at = end;
    }
}

//! A disk in memory that records every change, so that any moment of it can be looked at again.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs, io,
    path::Path,
    sync::Arc,
};

/// Number of an inode; it is never used twice.
pub(crate) type Inode = u64;

/// The folder that is mounted.
pub(crate) const ROOT: Inode = 1;

/// One change of the disk, in the order in which they came.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Bytes of a file from an offset on.
    Write { file: Inode, offset: u64, bytes: Arc<[u8]> },
    /// A file got another length.
    SetLength { file: Inode, length: u64 },
    /// A name for a new file, folder or socket.
    Create { folder: Inode, name: OsString, inode: Inode, kind: NodeKind },
    /// A name went.
    Remove { folder: Inode, name: OsString },
    /// A name moved, over another one where there was one.
    Rename { from: (Inode, OsString), to: (Inode, OsString) },
    /// `fsync` of a file or folder returned.
    Sync { inode: Inode },
    /// The program reported the step of this number as done.
    Acknowledged { step: usize },
}

impl Change {
    /// The file whose contents change.
    pub(crate) fn changed_file(&self) -> Option<Inode> {
        match self {
            Self::Write { file, .. } | Self::SetLength { file, .. } => Some(*file),
            _ => None,
        }
    }

    /// Whether names of folders change.
    pub(crate) fn is_of_names(&self) -> bool {
        matches!(self, Self::Create { .. } | Self::Remove { .. } | Self::Rename { .. })
    }
}

/// What an inode is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    File,
    Folder,
    Socket,
}

/// An inode.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    File(Vec<u8>),
    Folder(BTreeMap<OsString, Inode>),
    Socket,
}

impl Node {
    pub(crate) fn new(kind: NodeKind) -> Self {
        match kind {
            NodeKind::File => Self::File(Vec::new()),
            NodeKind::Folder => Self::Folder(BTreeMap::new()),
            NodeKind::Socket => Self::Socket,
        }
    }

    pub(crate) fn kind(&self) -> NodeKind {
        match self {
            Self::File(_) => NodeKind::File,
            Self::Folder(_) => NodeKind::Folder,
            Self::Socket => NodeKind::Socket,
        }
    }
}

/// The inodes of a disk at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    nodes: BTreeMap<Inode, Node>,
}

impl Disk {
    /// A disk with an empty folder.
    pub(crate) fn new() -> Self {
        Self { nodes: BTreeMap::from([(ROOT, Node::new(NodeKind::Folder))]) }
    }

    /// An inode, also one without a name.
    pub(crate) fn node(&self, inode: Inode) -> Option<&Node> {
        self.nodes.get(&inode)
    }

    /// The names of a folder; none where it is no folder.
    pub(crate) fn entries(&self, folder: Inode) -> Option<&BTreeMap<OsString, Inode>> {
        match self.nodes.get(&folder) {
            Some(Node::Folder(entries)) => Some(entries),
            _ => None,
        }
    }

    /// What a name of a folder leads to.
    pub(crate) fn find(&self, folder: Inode, name: &OsStr) -> Option<Inode> {
        self.entries(folder)?.get(name).copied()
    }

    /// Length of a file; 0 where there is none.
    pub(crate) fn file_length(&self, file: Inode) -> u64 {
        match self.nodes.get(&file) {
            Some(Node::File(bytes)) => bytes.len() as u64,
            _ => 0,
        }
    }

    /// The highest number of an inode.
    pub(crate) fn last_inode(&self) -> Inode {
        self.nodes.keys().next_back().copied().unwrap_or(ROOT)
    }

    /// Makes a change. One that finds nothing to act on changes nothing: after a loss of power, what it would have acted
    /// on may be gone.
    pub(crate) fn apply(&mut self, change: &Change) {
        match change {
            Change::Write { file, offset, bytes } => self.write(*file, *offset, bytes),
            Change::SetLength { file, length } => {
                if let Some(Node::File(data)) = self.nodes.get_mut(file) {
                    data.resize(*length as usize, 0);
                }
            }
            Change::Create { folder, name, inode, kind } => {
                // The contents of a file may be there before its name.
                self.nodes.entry(*inode).or_insert_with(|| Node::new(*kind));
                self.insert(*folder, name, *inode);
            }
            Change::Remove { folder, name } => {
                if let Some(Node::Folder(entries)) = self.nodes.get_mut(folder) {
                    entries.remove(name);
                }
            }
            Change::Rename { from, to } => {
                let moved = match self.nodes.get_mut(&from.0) {
                    Some(Node::Folder(entries)) => entries.remove(&from.1),
                    _ => None,
                };
                if let Some(inode) = moved {
                    self.insert(to.0, &to.1, inode);
                }
            }
            Change::Sync { .. } | Change::Acknowledged { .. } => {}
        }
    }

    /// Writes bytes of a file; the file may have no name yet.
    pub(crate) fn write(&mut self, file: Inode, offset: u64, bytes: &[u8]) {
        let node = self.nodes.entry(file).or_insert_with(|| Node::new(NodeKind::File));
        if let Node::File(data) = node {
            let (start, end) = (offset as usize, offset as usize + bytes.len());
            data.resize(data.len().max(end), 0);
            data[start..end].copy_from_slice(bytes);
        }
    }

    fn insert(&mut self, folder: Inode, name: &OsStr, inode: Inode) {
        if let Some(Node::Folder(entries)) = self.nodes.get_mut(&folder) {
            entries.insert(name.to_owned(), inode);
        }
    }

    /// Copies a folder of the disk to a real one, without its sockets.
    pub(crate) fn write_to(&self, folder: Inode, to: &Path) -> io::Result<()> {
        fs::create_dir_all(to)?;
        for (name, inode) in self.entries(folder).into_iter().flatten() {
            match self.nodes.get(inode) {
                Some(Node::File(bytes)) => fs::write(to.join(name), bytes)?,
                Some(Node::Folder(_)) => self.write_to(*inode, &to.join(name))?,
                _ => {}
            }
        }
        Ok(())
    }
}

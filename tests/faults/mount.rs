//! The disk as the kernel sees it (FUSE): every path to it is covered, memory maps and all libraries too.

use std::{
    ffi::OsStr,
    io,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use fuser::{
    BackgroundSession, BsdFileFlags, Config, Errno, FileAttr, FileHandle, FileType, Filesystem,
    FopenFlags, Generation, INodeNo, LockOwner, MountOption, OpenFlags, RenameFlags, ReplyAttr,
    ReplyCreate, ReplyData, ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyStatfs, ReplyWrite,
    Request, TimeOrNow, WriteFlags,
};

use crate::{
    disk::{Inode, Node, NodeKind},
    recorder::{Recorder, SharedRecorder},
};

/// Nobody but the kernel changes the disk, so that what it knows stays true.
const TTL: Duration = Duration::from_secs(3600);

const BLOCK: u32 = 4096;

/// Blocks that the disk says it has; no test uses so many.
const BLOCKS: u64 = 1 << 22;

/// Mounts a disk at an empty folder, until the session is dropped.
pub(crate) fn mount(recorder: SharedRecorder, at: &Path) -> io::Result<BackgroundSession> {
    let mut config = Config::default();
    config.mount_options = vec![MountOption::FSName("faults".into())];
    fuser::spawn_mount(MountedDisk(recorder), at, &config)
}

struct MountedDisk(SharedRecorder);

fn attributes(recorder: &Recorder, inode: Inode) -> Option<FileAttr> {
    let node = recorder.disk.node(inode)?;
    let size = match node {
        Node::File(bytes) => bytes.len() as u64,
        _ => 0,
    };
    Some(FileAttr {
        ino: INodeNo(inode),
        size,
        blocks: size.div_ceil(512),
        atime: UNIX_EPOCH,
        mtime: UNIX_EPOCH,
        ctime: UNIX_EPOCH,
        crtime: UNIX_EPOCH,
        kind: file_type(node.kind()),
        perm: recorder.mode(inode),
        nlink: if node.kind() == NodeKind::Folder { 2 } else { 1 },
        uid: rustix::process::getuid().as_raw(),
        gid: rustix::process::getgid().as_raw(),
        rdev: 0,
        blksize: BLOCK,
        flags: 0,
    })
}

fn file_type(kind: NodeKind) -> FileType {
    match kind {
        NodeKind::File => FileType::RegularFile,
        NodeKind::Folder => FileType::Directory,
        NodeKind::Socket => FileType::Socket,
    }
}

fn reply_done(reply: ReplyEmpty, done: io::Result<()>) {
    match done {
        Ok(()) => reply.ok(),
        Err(error) => reply.error(error.into()),
    }
}

fn reply_entry(reply: ReplyEntry, recorder: &Recorder, inode: Option<Inode>) {
    match inode.and_then(|inode| attributes(recorder, inode)) {
        Some(attributes) => reply.entry(&TTL, &attributes, Generation(0)),
        None => reply.error(Errno::ENOENT),
    }
}

impl Filesystem for MountedDisk {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let recorder = self.0.lock();
        reply_entry(reply, &recorder, recorder.disk.find(parent.0, name));
    }

    fn getattr(&self, _: &Request, inode: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match attributes(&self.0.lock(), inode.0) {
            Some(attributes) => reply.attr(&TTL, &attributes),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn setattr(
        &self,
        _: &Request,
        inode: INodeNo,
        mode: Option<u32>,
        _uid: Option<u32>,
        _gid: Option<u32>,
        size: Option<u64>,
        _atime: Option<TimeOrNow>,
        _mtime: Option<TimeOrNow>,
        _ctime: Option<SystemTime>,
        _: Option<FileHandle>,
        _crtime: Option<SystemTime>,
        _chgtime: Option<SystemTime>,
        _bkuptime: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let mut recorder = self.0.lock();
        if let Some(mode) = mode {
            recorder.set_mode(inode.0, mode);
        }
        if let Some(Err(error)) = size.map(|size| recorder.set_length(inode.0, size)) {
            reply.error(error.into());
            return;
        }
        match attributes(&recorder, inode.0) {
            Some(attributes) => reply.attr(&TTL, &attributes),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn mknod(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _umask: u32,
        _device: u32,
        reply: ReplyEntry,
    ) {
        let is_socket = rustix::fs::FileType::from_raw_mode(mode) == rustix::fs::FileType::Socket;
        let kind = if is_socket { NodeKind::Socket } else { NodeKind::File };
        let mut recorder = self.0.lock();
        match recorder.create(parent.0, name, kind, mode) {
            Ok(inode) => reply_entry(reply, &recorder, Some(inode)),
            Err(error) => reply.error(error.into()),
        }
    }

    fn mkdir(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _umask: u32,
        reply: ReplyEntry,
    ) {
        let mut recorder = self.0.lock();
        match recorder.create(parent.0, name, NodeKind::Folder, mode) {
            Ok(inode) => reply_entry(reply, &recorder, Some(inode)),
            Err(error) => reply.error(error.into()),
        }
    }

    fn create(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _umask: u32,
        _flags: i32,
        reply: ReplyCreate,
    ) {
        let mut recorder = self.0.lock();
        let created = recorder.create(parent.0, name, NodeKind::File, mode);
        match created.map(|inode| attributes(&recorder, inode)) {
            Ok(Some(made)) => {
                reply.created(&TTL, &made, Generation(0), FileHandle(0), FopenFlags::empty());
            }
            Ok(None) => reply.error(Errno::ENOENT),
            Err(error) => reply.error(error.into()),
        }
    }

    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        reply_done(reply, self.0.lock().remove(parent.0, name));
    }

    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        reply_done(reply, self.0.lock().remove(parent.0, name));
    }

    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        new_parent: INodeNo,
        new_name: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        if flags.contains(RenameFlags::RENAME_EXCHANGE) {
            reply.error(Errno::EINVAL);
            return;
        }
        let may_replace = !flags.contains(RenameFlags::RENAME_NOREPLACE);
        let (from, to) = ((parent.0, name), (new_parent.0, new_name));
        reply_done(reply, self.0.lock().rename(from, to, may_replace));
    }

    fn read(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        match self.0.lock().disk.node(inode.0) {
            Some(Node::File(bytes)) => {
                let start = bytes.len().min(offset as usize);
                let end = bytes.len().min(start + size as usize);
                reply.data(&bytes[start..end]);
            }
            _ => reply.error(Errno::ENOENT),
        }
    }

    fn write(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        match self.0.lock().write(inode.0, offset, data) {
            Ok(written) => reply.written(written as u32),
            Err(error) => reply.error(error.into()),
        }
    }

    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        reply.ok();
    }

    fn fsync(&self, _: &Request, inode: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        reply_done(reply, self.0.lock().sync(inode.0));
    }

    fn fsyncdir(&self, _: &Request, inode: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        reply_done(reply, self.0.lock().sync(inode.0));
    }

    fn readdir(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        let recorder = self.0.lock();
        let Some(entries) = recorder.disk.entries(inode.0) else {
            reply.error(Errno::ENOENT);
            return;
        };
        // Names that come and go while a folder is read must not move the others: their inodes are where they stand.
        let mut listed: Vec<_> = entries.iter().map(|(name, inode)| (*inode, name)).collect();
        listed.sort_unstable();
        for (entry, name) in listed.into_iter().filter(|(entry, _)| *entry > offset) {
            let kind = recorder
                .disk
                .node(entry)
                .map_or(FileType::RegularFile, |node| file_type(node.kind()));
            if reply.add(INodeNo(entry), entry, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    fn statfs(&self, _: &Request, _: INodeNo, reply: ReplyStatfs) {
        reply.statfs(BLOCKS, BLOCKS, BLOCKS, BLOCKS, BLOCKS, BLOCK, 255, BLOCK);
    }
}

//! What happens on the disk under test: changes are recorded, and some of them fail on purpose.

use std::{
    collections::HashMap,
    ffi::OsStr,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rustix::{
    io::Errno,
    process::{Pid, Signal, kill_process},
};

use crate::disk::{Change, Disk, Inode, Node, NodeKind, ROOT};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Writes and changes of names fail with `EIO`.
    InputOutput,
    /// Whatever makes a file longer fails with `ENOSPC`; a write may have been made in part.
    NoSpace,
    /// A write writes fewer bytes than it was asked to, and says so.
    ShortWrite,
    /// `fsync` fails with `EIO`, and what it should have kept is not kept.
    Sync,
    /// The process is killed before the change.
    Kill,
    /// The process is killed when a part of a write has been made.
    KillInWrite,
}

/// When a fault comes, counted in changes, and for how many of those it could hit it stays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaultPlan {
    pub(crate) fault: Fault,
    pub(crate) after: usize,
    pub(crate) times: usize,
}

/// The disk, all changes of it and the fault to come.
pub(crate) struct Recorder {
    pub(crate) disk: Disk,
    pub(crate) changes: Vec<Change>,
    modes: HashMap<Inode, u16>,
    next_inode: Inode,
    plan: Option<FaultPlan>,
    process: Option<u32>,
    /// How many changes the last fault hit.
    hit: usize,
}

/// A recorder that the mounted disk and the test share.
#[derive(Clone)]
pub(crate) struct SharedRecorder(Arc<Mutex<Recorder>>);

impl SharedRecorder {
    pub(crate) fn new(disk: Disk) -> Self {
        let next_inode = disk.last_inode() + 1;
        Self(Arc::new(Mutex::new(Recorder {
            disk,
            changes: Vec::new(),
            modes: HashMap::new(),
            next_inode,
            plan: None,
            process: None,
            hit: 0,
        })))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Recorder> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the program reported a step as done.
    pub(crate) fn acknowledge(&self, step: usize) {
        self.lock().changes.push(Change::Acknowledged { step });
    }

    /// Makes a fault come.
    pub(crate) fn plan_fault(&self, plan: FaultPlan) {
        self.lock().plan = Some(plan);
    }

    /// The process that a fault kills.
    pub(crate) fn watch_process(&self, process: u32) {
        self.lock().process = Some(process);
    }

    /// From now on nothing fails.
    pub(crate) fn end_faults(&self) {
        let mut recorder = self.lock();
        (recorder.plan, recorder.process) = (None, None);
    }

    /// How many changes the fault has hit.
    pub(crate) fn hits(&self) -> usize {
        self.lock().hit
    }
}

impl Recorder {
    fn make(&mut self, change: Change) {
        self.disk.apply(&change);
        self.changes.push(change);
    }

    /// The fault that hits a change for which it is meant, if it is its turn.
    fn fault_of(&mut self, hits: impl Fn(Fault) -> bool) -> Option<Fault> {
        let plan = self.plan.as_mut()?;
        if plan.after > 0 {
            plan.after -= 1;
            return None;
        }
        if plan.times == 0 || !hits(plan.fault) {
            return None;
        }
        plan.times -= 1;
        self.hit += 1;
        Some(plan.fault)
    }

    fn kill(&self) -> io::Error {
        if let Some(pid) = self.process.and_then(|pid| Pid::from_raw(pid.cast_signed())) {
            // It may have ended by itself.
            let _ = kill_process(pid, Signal::KILL);
        }
        Errno::IO.into()
    }

    /// Writes, and returns how many bytes.
    pub(crate) fn write(&mut self, file: Inode, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        if !matches!(self.disk.node(file), Some(Node::File(_))) {
            return Err(Errno::NOENT.into());
        }
        let grows = offset + bytes.len() as u64 > self.disk.file_length(file);
        let fault = self.fault_of(|fault| match fault {
            Fault::NoSpace => grows,
            Fault::Sync => false,
            _ => true,
        });
        let part = &bytes[..bytes.len() / 2];
        let mut write = |bytes: &[u8]| {
            self.make(Change::Write { file, offset, bytes: bytes.into() });
            bytes.len()
        };
        match fault {
            None => Ok(write(bytes)),
            Some(Fault::ShortWrite) if !part.is_empty() => Ok(write(part)),
            Some(Fault::ShortWrite) => Ok(write(bytes)),
            Some(Fault::NoSpace) => Err(Errno::NOSPC.into()),
            Some(Fault::KillInWrite) => {
                write(part);
                Err(self.kill())
            }
            Some(Fault::Kill) => Err(self.kill()),
            Some(Fault::InputOutput | Fault::Sync) => Err(Errno::IO.into()),
        }
    }

    pub(crate) fn set_length(&mut self, file: Inode, length: u64) -> io::Result<()> {
        let grows = length > self.disk.file_length(file);
        let fault = self.fault_of(|fault| match fault {
            Fault::NoSpace => grows,
            Fault::InputOutput | Fault::Kill => true,
            _ => false,
        });
        self.refuse(fault)?;
        self.make(Change::SetLength { file, length });
        Ok(())
    }

    /// Makes a file, folder or socket.
    pub(crate) fn create(
        &mut self,
        folder: Inode,
        name: &OsStr,
        kind: NodeKind,
        mode: u32,
    ) -> io::Result<Inode> {
        if self.disk.find(folder, name).is_some() {
            return Err(Errno::EXIST.into());
        }
        self.change_names(true)?;
        let inode = self.next_inode;
        self.next_inode += 1;
        self.set_mode(inode, mode);
        self.make(Change::Create { folder, name: name.to_owned(), inode, kind });
        Ok(inode)
    }

    pub(crate) fn remove(&mut self, folder: Inode, name: &OsStr) -> io::Result<()> {
        let inode = self.disk.find(folder, name).ok_or(Errno::NOENT)?;
        if self.disk.entries(inode).is_some_and(|entries| !entries.is_empty()) {
            return Err(Errno::NOTEMPTY.into());
        }
        self.change_names(false)?;
        self.make(Change::Remove { folder, name: name.to_owned() });
        Ok(())
    }

    pub(crate) fn rename(
        &mut self,
        from: (Inode, &OsStr),
        to: (Inode, &OsStr),
        may_replace: bool,
    ) -> io::Result<()> {
        self.disk.find(from.0, from.1).ok_or(Errno::NOENT)?;
        if let Some(there) = self.disk.find(to.0, to.1) {
            if !may_replace {
                return Err(Errno::EXIST.into());
            }
            if self.disk.entries(there).is_some_and(|entries| !entries.is_empty()) {
                return Err(Errno::NOTEMPTY.into());
            }
        }
        self.change_names(false)?;
        let (from, to) = ((from.0, from.1.to_owned()), (to.0, to.1.to_owned()));
        self.make(Change::Rename { from, to });
        Ok(())
    }

    pub(crate) fn sync(&mut self, inode: Inode) -> io::Result<()> {
        let fault =
            self.fault_of(|fault| matches!(fault, Fault::Sync | Fault::InputOutput | Fault::Kill));
        self.refuse(fault)?;
        self.make(Change::Sync { inode });
        Ok(())
    }

    fn change_names(&mut self, takes_room: bool) -> io::Result<()> {
        let fault = self.fault_of(|fault| match fault {
            Fault::NoSpace => takes_room,
            Fault::InputOutput | Fault::Kill => true,
            _ => false,
        });
        self.refuse(fault)
    }

    fn refuse(&self, fault: Option<Fault>) -> io::Result<()> {
        match fault {
            None => Ok(()),
            Some(Fault::NoSpace) => Err(Errno::NOSPC.into()),
            Some(Fault::Kill | Fault::KillInWrite) => Err(self.kill()),
            Some(_) => Err(Errno::IO.into()),
        }
    }

    pub(crate) fn set_mode(&mut self, inode: Inode, mode: u32) {
        self.modes.insert(inode, (mode & 0o7777) as u16);
    }

    pub(crate) fn mode(&self, inode: Inode) -> u16 {
        let default = if inode == ROOT { 0o755 } else { 0o700 };
        self.modes.get(&inode).copied().unwrap_or(default)
    }
}

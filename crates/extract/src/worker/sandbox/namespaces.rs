//! The namespaces that a child enters, and the capabilities that it drops.

use std::{fs, io, path::Path};

use nix::{
    mount::{MsFlags, mount},
    sched::CloneFlags,
};
use rustix::{
    process::{getegid, geteuid},
    thread::{CapabilitySet, CapabilitySets, set_capabilities},
};

/// A network without interfaces, and no shared memory or queues of other processes.
const APART: CloneFlags = CloneFlags::CLONE_NEWNET.union(CloneFlags::CLONE_NEWIPC);

/// Moves a reader out of the namespaces that it shares with other processes.
pub(super) fn enter_reader_namespaces() {
    log_failure(enter_namespaces(APART));
}

/// The folder in which LibreOffice creates a socket, regardless of the folder for its other temporary files.
pub(super) const SHARED_TEMPORARY: &str = "/tmp";

/// Puts the children of this process into a namespace of process ids too, so that they all end with the first of them,
/// and mounts `folder` as `/tmp`. Returns that path if this worked, otherwise `folder`.
pub(crate) fn enter_converter_namespaces(folder: &Path) -> io::Result<&Path> {
    enter_namespaces(APART | CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWNS)?;
    let shared = Path::new(SHARED_TEMPORARY);
    let none = None::<&str>;
    // Mounts here must not be visible outside.
    let mounted = mount(none, "/", none, MsFlags::MS_SLAVE | MsFlags::MS_REC, none)
        .and_then(|()| mount(Some(folder), shared, none, MsFlags::MS_BIND, none));
    Ok(mounted.map_or(folder, |()| shared))
}

fn enter_namespaces(flags: CloneFlags) -> io::Result<()> {
    // Root needs no user namespace. In one, it could not read the files of other users, which may be why it runs as
    // root.
    if geteuid().is_root() {
        return unshare(flags);
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(flags | CloneFlags::CLONE_NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))
}

fn unshare(flags: CloneFlags) -> io::Result<()> {
    nix::sched::unshare(flags).map_err(io::Error::from)
}

/// Drops all capabilities except, as root, the one to read files of other users: an archive may belong to another
/// user.
pub(super) fn drop_capabilities() {
    let kept =
        if geteuid().is_root() { CapabilitySet::DAC_READ_SEARCH } else { CapabilitySet::empty() };
    let sets =
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    // If the program was started without this capability, it cannot be kept.
    let dropped = set_capabilities(None, sets).or_else(|_| {
        let none = CapabilitySet::empty();
        set_capabilities(
            None,
            CapabilitySets { effective: none, permitted: none, inheritable: none },
        )
    });
    log_failure(dropped.map_err(io::Error::from));
}

fn log_failure(outcome: io::Result<()>) {
    if let Err(error) = outcome {
        tracing::debug!(%error, "cannot drop namespaces or capabilities");
    }
}

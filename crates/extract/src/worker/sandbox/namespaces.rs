//! Namespaces of a child's own, and the capabilities it drops.

use std::{fs, io, path::Path};

use nix::{
    mount::{MsFlags, mount},
    sched::CloneFlags,
};
use rustix::{
    process::{getegid, geteuid},
    thread::{CapabilitySet, CapabilitySets, set_capabilities},
};

/// A network without interfaces, and no shared memory or queues of others.
const APART: CloneFlags = CloneFlags::CLONE_NEWNET.union(CloneFlags::CLONE_NEWIPC);

/// Takes a reader out of the namespaces that reach others.
pub(super) fn enter_reader_namespaces() {
    log_failure(enter_namespaces(APART));
}

/// The folder in which LibreOffice makes a socket, wherever its other temporary files go.
pub(super) const SHARED_TEMPORARY: &str = "/tmp";

/// Gives the children of this process a namespace of process ids too, so that they all end with the first of
/// them, and `folder` as `/tmp`. Returns that path where it could be had, else `folder`.
pub(crate) fn enter_converter_namespaces(folder: &Path) -> io::Result<&Path> {
    enter_namespaces(APART | CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWNS)?;
    let shared = Path::new(SHARED_TEMPORARY);
    let none = None::<&str>;
    // What is mounted here is not to be seen outside.
    let mounted = mount(none, "/", none, MsFlags::MS_SLAVE | MsFlags::MS_REC, none)
        .and_then(|()| mount(Some(folder), shared, none, MsFlags::MS_BIND, none));
    Ok(mounted.map_or(folder, |()| shared))
}

fn enter_namespaces(flags: CloneFlags) -> io::Result<()> {
    // Root needs no namespace of users. In one it could not read the files of others, which it is run for.
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

/// Drops all capabilities but that to read files of other users, which root has.
pub(super) fn drop_capabilities() {
    let kept =
        if geteuid().is_root() { CapabilitySet::DAC_READ_SEARCH } else { CapabilitySet::empty() };
    let sets =
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    // Fewer than these are left where the program was started without them.
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

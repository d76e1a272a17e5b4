//! The privileges that a child drops before it reads anything, so that a file that takes it over gains nothing.
//!
//! There are two sandboxes: one for a reader, which may read the files it was started for and answer on its pipe, and
//! one for a reader that runs a converter. Each layer is a separate best effort, because kernels differ: resource
//! limits, namespaces, capabilities, files (Landlock), system calls (seccomp).

mod files;
mod namespaces;
mod resources;
mod system_calls;

use std::{
    io,
    path::{Path, PathBuf},
};

use rustix::process::{Signal, getppid, set_parent_process_death_signal};

use document::Limits;

pub(super) use namespaces::enter_converter_namespaces;
pub(crate) use resources::run_with_limits_lifted;
pub(super) use resources::{mapped_bytes, renew_cpu_time, used_cpu_s, whole_cpu_s};

/// The permissions of a child.
#[derive(Debug, Clone, Copy)]
pub enum Sandbox<'a> {
    /// Read only these files and folders (everything if there are none).
    Reader(&'a [PathBuf]),
    /// Run this converter, and read and write within the folder for temporary files.
    Converter(&'a Path),
}

impl Sandbox<'_> {
    /// Puts the calling process, which must have one thread only, into the sandbox for the rest of its life.
    ///
    /// A layer that this kernel does not have is skipped. An error means that the parent has ended.
    pub fn enter(self, limits: &Limits) -> io::Result<()> {
        match self {
            Sandbox::Reader(readable) => {
                resources::limit_reader(limits);
                namespaces::enter_reader_namespaces();
                namespaces::drop_capabilities();
                end_with_parent()?;
                files::restrict_reader(readable);
                system_calls::restrict_reader();
            }
            Sandbox::Converter(program) => {
                resources::limit_converter(limits);
                namespaces::drop_capabilities();
                end_with_parent()?;
                files::restrict_converter(program, &std::env::temp_dir());
                system_calls::restrict_converter();
            }
        }
        Ok(())
    }
}

/// Has the kernel end this process together with the thread that started it.
///
/// A change of credentials clears the setting, so it comes after those.
pub(super) fn end_with_parent() -> io::Result<()> {
    let parent = getppid();
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        tracing::debug!(%error, "the end of the parent process cannot be detected");
    }
    // A parent that ended before that has been replaced.
    if getppid() == parent { Ok(()) } else { Err(io::Error::other("the parent has ended")) }
}

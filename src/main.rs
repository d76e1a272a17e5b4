//! The program: everything is in the library.

use std::process::ExitCode;

/// Keeps freed pages for reuse: the models allocate and free many megabytes for every batch, and
/// with the system's allocator half of their time went into page faults.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    specbox::cli::main()
}

//! The allocator of this program and of the programs beside it, whose times would otherwise say nothing about this one.

/// Keeps freed pages for reuse: the models allocate and free many megabytes for every batch, and
/// with the system's allocator half of their time went into page faults.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Settings of the allocator, which reads them from this symbol before `main`.
///
/// By default allocations over 8 MiB go back to the system when freed; one attention table of a
/// long passage is larger. Without this, embedding took half as long again.
// SAFETY: the name is the one jemalloc looks for and no other symbol has it; the bytes end in NUL
// and live forever, and the first word of the reference is the pointer jemalloc reads.
#[expect(non_upper_case_globals, reason = "the name is jemalloc's")]
#[unsafe(export_name = "_rjem_malloc_conf")]
static malloc_conf: &[u8] = b"oversize_threshold:0,dirty_decay_ms:30000,muzzy_decay_ms:30000\0";

//! Restricts the system calls of a child (seccomp).

use std::{collections::BTreeMap, env::consts::ARCH};

use libc::{AF_UNIX, CLONE_NEWUSER, CLONE_THREAD, ENOSYS, EPERM, SOCK_DGRAM, SOCK_STREAM};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

/// The bits of a socket's type without its flags (socket(2)).
const SOCKET_TYPE_MASK: u64 = 0xf;

/// Calls that a reader needs: to read files and a pipe, write to one, manage its memory and threads, and exit. No
/// sockets, no other programs, no other processes.
const READER_CALLS: &[i64] = &[
    libc::SYS_brk,
    // Forbidden by a separate filter, which answers ENOSYS instead of EPERM.
    libc::SYS_clone3,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_dup,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fadvise64,
    libc::SYS_fcntl,
    libc::SYS_fstat,
    libc::SYS_futex,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_getuid,
    libc::SYS_lseek,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_newfstatat,
    libc::SYS_openat,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_read,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_sigaltstack,
    libc::SYS_statx,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_write,
    libc::SYS_writev,
    // Calls that only the interfaces of older processors have.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_time,
];

/// Set in the numbers of the x32 ABI (`__X32_SYSCALL_BIT` of Linux).
const X32_BIT: i64 = 0x4000_0000;

/// The last number of a call that only the x32 ABI has (`pwritev2`).
const LAST_X32_CALL: i64 = 547;

/// Calls that no converter needs, with which a program that was taken over could reach other processes or rarely
/// tested parts of the kernel. A list of allowed calls would break with the next version of LibreOffice.
const CONVERTER_FORBIDDEN: &[i64] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_settime,
    libc::SYS_connect,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_pivot_root,
    libc::SYS_process_madvise,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
];

/// Forbids all system calls except those of a reader.
pub(super) fn restrict_reader() {
    log_failure(reader_filter());
}

/// Forbids the system calls by which a converter could reach other processes.
pub(super) fn restrict_converter() {
    log_failure(converter_filters());
}

fn reader_filter() -> Result<(), seccompiler::Error> {
    // First, because the other filter forbids adding filters.
    hide_clone3()?;
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        READER_CALLS.iter().map(|call| (*call, Vec::new())).collect();
    // Its own limits within the hard ones, threads, and a signal to itself, which `abort` sends.
    rules.insert(libc::SYS_prlimit64, vec![argument_rule(0, SeccompCmpOp::Eq, 0)?]);
    let thread = SeccompCmpOp::MaskedEq(CLONE_THREAD as u64);
    rules.insert(libc::SYS_clone, vec![argument_rule(0, thread, CLONE_THREAD as u64)?]);
    let own_id = u64::from(std::process::id());
    rules.insert(libc::SYS_tgkill, vec![argument_rule(0, SeccompCmpOp::Eq, own_id)?]);
    apply(rules, SeccompAction::Errno(EPERM as u32), SeccompAction::Allow)
}

/// Hides a call whose flags are in memory, which a filter cannot read; without it, libraries use the older call.
fn hide_clone3() -> Result<(), seccompiler::Error> {
    let rules = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    apply(rules, SeccompAction::Allow, SeccompAction::Errno(ENOSYS as u32))
}

fn converter_filters() -> Result<(), seccompiler::Error> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        CONVERTER_FORBIDDEN.iter().map(|call| (*call, Vec::new())).collect();
    // LibreOffice listens on a local socket; nobody connects to it.
    let of_type = SeccompCmpOp::MaskedEq(SOCKET_TYPE_MASK);
    let socket = vec![argument_rule(0, SeccompCmpOp::Ne, AF_UNIX as u64)?];
    rules.insert(libc::SYS_socket, socket);
    let new_user = SeccompCmpOp::MaskedEq(CLONE_NEWUSER as u64);
    rules.insert(libc::SYS_clone, vec![argument_rule(0, new_user, CLONE_NEWUSER as u64)?]);
    apply(rules, SeccompAction::Allow, SeccompAction::Errno(EPERM as u32))?;
    // Sockets of other types than streams can send to an address without a connection.
    let other_types = (1..=SOCKET_TYPE_MASK).filter(|kind| *kind != SOCK_STREAM as u64);
    let other_types: Result<Vec<SeccompRule>, seccompiler::Error> =
        other_types.map(|kind| argument_rule(1, of_type.clone(), kind)).collect();
    let datagrams = argument_rule(1, of_type, SOCK_DGRAM as u64)?;
    let rules =
        BTreeMap::from([(libc::SYS_socket, other_types?), (libc::SYS_socketpair, vec![datagrams])]);
    apply(rules, SeccompAction::Allow, SeccompAction::Errno(EPERM as u32))?;
    forbid_x32()?;
    hide_clone3()
}

/// Forbids all calls of the x32 ABI, if a kernel has them: the same calls under other numbers, which the filters above
/// would let pass.
fn forbid_x32() -> Result<(), seccompiler::Error> {
    if !cfg!(target_arch = "x86_64") {
        return Ok(());
    }
    let rules = (X32_BIT..=X32_BIT + LAST_X32_CALL).map(|call| (call, Vec::new())).collect();
    apply(rules, SeccompAction::Allow, SeccompAction::Errno(ENOSYS as u32))
}

fn argument_rule(
    index: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::Error> {
    let condition = SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value)?;
    Ok(SeccompRule::new(vec![condition])?)
}

fn apply(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> Result<(), seccompiler::Error> {
    let processor = TargetArch::try_from(ARCH)?;
    let program: BpfProgram =
        SeccompFilter::new(rules, otherwise, matched, processor)?.try_into()?;
    apply_filter(&program)
}

fn log_failure(outcome: Result<(), seccompiler::Error>) {
    if let Err(error) = outcome {
        tracing::debug!(%error, "system calls cannot be restricted");
    }
}

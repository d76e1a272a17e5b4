//! Restricts the files that a child may read and write (Landlock), and the processes that it may signal.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};

use super::namespaces::SHARED_TEMPORARY;

/// The newest interface whose rights the rules below know. Older kernels apply the part that they have.
const KNOWN: ABI = ABI::V6;

/// Files of the system that programs need: their code, libraries, fonts and the like, but nothing that contains
/// secrets.
const PROGRAM_FILES: [&str; 17] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/libreoffice",
    "/etc/localtime",
    "/sys/devices/system/cpu",
    "/var/cache/fontconfig",
    "/var/lib/libreoffice",
    "/var/spool/libreoffice",
    "/proc",
];
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];
/// The program that every installation of LibreOffice has in its program folder: it recognises an installation.
const OFFICE_PROGRAM: &str = "soffice.bin";
const PROGRAM_FOLDER: &str = "program";

/// Restricts the process to reading `readable` (everything if that is empty).
pub(super) fn restrict_reader(readable: &[PathBuf]) {
    let all = [PathBuf::from("/")];
    let readable = if readable.is_empty() { &all[..] } else { readable };
    let read = AccessFs::from_read(KNOWN) & !AccessFs::Execute;
    log_failure(new_rules().and_then(|rules| {
        rules
            .add_rules(path_beneath_rules(readable, read))?
            .add_rules(path_beneath_rules(["/proc/self"], read))?
            .add_rules(path_beneath_rules(["/dev/null"], AccessFs::from_file(KNOWN)))?
            .restrict_self()
    }));
}

/// Restricts the process to the program, the files that programs need, and one folder.
pub(super) fn restrict_converter(program: &Path, writable: &Path) {
    let read = AccessFs::from_read(KNOWN);
    let programs = PROGRAM_FILES.map(PathBuf::from).into_iter().chain(installation_of(program));
    // The socket by which a second instance would find it; LibreOffice does not run without it.
    let socket = AccessFs::MakeSock | AccessFs::RemoveFile;
    let device = AccessFs::ReadFile | AccessFs::WriteFile;
    log_failure(new_rules().and_then(|rules| {
        rules
            .add_rules(path_beneath_rules(programs, read))?
            .add_rules(path_beneath_rules(DEVICES, device))?
            .add_rules(path_beneath_rules([SHARED_TEMPORARY], socket))?
            .add_rules(path_beneath_rules([writable], AccessFs::from_all(KNOWN)))?
            .restrict_self()
    }));
}

/// The files of a converter: its program, and the installation that contains it. Other folders, such as a home folder
/// that happens to contain a program, stay closed.
fn installation_of(program: &Path) -> Vec<PathBuf> {
    let target = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let mut paths = vec![program.to_owned(), target.clone()];
    for folder in [program.parent(), target.parent()].into_iter().flatten() {
        if !folder.join(OFFICE_PROGRAM).is_file() {
            continue;
        }
        let outer = if folder.ends_with(PROGRAM_FOLDER) { folder.parent() } else { None };
        paths.push(outer.unwrap_or(folder).to_owned());
    }
    paths
}

/// Rules that forbid all files, all of the network, and signals and abstract sockets of other processes.
fn new_rules() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()
}

/// Kernels without the feature run the child without it.
fn log_failure<T>(outcome: Result<T, RulesetError>) {
    if let Err(error) = outcome {
        tracing::debug!(%error, "files cannot be restricted");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_is_open_and_the_folder_of_a_lone_program_is_not() {
        let home = tempfile::tempdir().expect("a folder");
        let programs = home.path().join("office/program");
        std::fs::create_dir_all(&programs).expect("writable");
        for path in
            [programs.join("soffice"), programs.join(OFFICE_PROGRAM), home.path().join("soffice")]
        {
            std::fs::write(path, "").expect("writable");
        }
        let office = installation_of(&programs.join("soffice"));
        assert!(office.contains(&home.path().join("office")), "{office:?}");
        let lone = home.path().join("soffice");
        assert_eq!(installation_of(&lone), [lone.clone(), lone]);
    }
}

//! Certificates: a lab's own authority by default, files, or none behind a proxy.

use std::{
    fs, io,
    net::IpAddr,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, SanType,
};
use time::{Duration, OffsetDateTime, macros::datetime};

/// Validity of the lab's certificate authority: ten years, because every client imports it by hand.
const AUTHORITY_DAYS: i64 = 3650;
/// Validity of the server's certificate; browsers refuse more than 398 days.
const LEAF_DAYS: i64 = 397;
/// A certificate is valid from this long before it was made, as clocks differ.
const MARGIN_DAYS: i64 = 1;
/// Age at which the server's certificate is replaced: 132 days remain for a replacement that fails.
const RENEW_AFTER_DAYS: i64 = LEAF_DAYS * 2 / 3;

/// Where the certificate comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TlsMode {
    /// An authority and a certificate of its own are made in the data folder.
    Auto {
        /// Folder for them.
        folder: PathBuf,
        /// Names and addresses the certificate is for, besides those of this machine.
        names: Vec<String>,
    },
    /// PEM files.
    Files {
        /// Certificate chain.
        certificate: PathBuf,
        /// Private key.
        key: PathBuf,
    },
    /// Plain HTTP on loopback, for a proxy in front.
    OffBehindProxy,
}

impl TlsMode {
    /// The file that clients import to trust the certificate, if it is the lab's own.
    pub(super) fn authority_file(&self) -> Option<PathBuf> {
        match self {
            Self::Auto { folder, .. } => Some(authority_file(folder)),
            Self::Files { .. } | Self::OffBehindProxy => None,
        }
    }
}

/// A certificate could not be made or read.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file could not be read or written.
    #[error("cannot {action} {}", .path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        #[source]
        source: io::Error,
    },
    /// The certificate could not be made.
    #[error("cannot create a certificate")]
    Make(#[from] rcgen::Error),
}

/// A certificate chain and its key as PEM.
#[derive(PartialEq, Eq)]
pub(super) struct CertificatePem {
    pub(super) chain: Vec<u8>,
    pub(super) key: Vec<u8>,
}

/// The certificate of the lab's authority, which clients import once.
fn authority_file(folder: &Path) -> PathBuf {
    folder.join("ca.pem")
}

/// The certificate to serve now: read from its files, or created again if it is old. `None` without TLS.
pub(super) fn load_certificate(mode: &TlsMode) -> Result<Option<CertificatePem>, TlsError> {
    match mode {
        TlsMode::OffBehindProxy => Ok(None),
        TlsMode::Auto { folder, names } => lab_certificate(folder, names).map(Some),
        TlsMode::Files { certificate, key } => read_files(certificate, key).map(Some),
    }
}

/// Reads certificate files.
fn read_files(certificate: &Path, key: &Path) -> Result<CertificatePem, TlsError> {
    Ok(CertificatePem { chain: read_pem_file(certificate)?, key: read_pem_file(key)? })
}

/// The lab's certificate, made when there is none, it is old, or it is for other names.
fn lab_certificate(folder: &Path, names: &[String]) -> Result<CertificatePem, TlsError> {
    fs::create_dir_all(folder).map_err(io_error("create", folder))?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
        .map_err(io_error("set permissions of", folder))?;
    let names = subject_names(names);
    let (leaf, key, names_file) =
        (folder.join("server.pem"), folder.join("server.key"), folder.join("server.names"));
    let authority = authority_file(folder);
    let note = format!("{}\n{}\n", now_utc().unix_timestamp(), names.join("\n"));
    let current = fs::read_to_string(&names_file).ok().filter(|old| is_current(old, &names));
    if current.is_none() || !leaf.exists() || !key.exists() || !authority.exists() {
        let issuer = authority_issuer(folder)?;
        // The note is removed first and written last: a pair that a killed process left incomplete is
        // made again.
        match fs::remove_file(&names_file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(io_error("remove", &names_file)(error));
            }
            _ => {}
        }
        let leaf_key = KeyPair::generate()?;
        let certificate = leaf_parameters(&names)?.signed_by(&leaf_key, &issuer)?;
        write_private(&key, leaf_key.serialize_pem().as_bytes())?;
        write_private(&leaf, certificate.pem().as_bytes())?;
        write_private(&names_file, note.as_bytes())?;
    }
    let mut chain = read_pem_file(&leaf)?;
    chain.extend(read_pem_file(&authority)?);
    Ok(CertificatePem { chain, key: read_pem_file(&key)? })
}

fn now_utc() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}

/// Names given, and those by which this machine is reached from itself.
fn subject_names(names: &[String]) -> Vec<String> {
    let mut subjects = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    subjects.push(host.trim().to_owned());
    subjects.extend(names.iter().cloned());
    subjects.retain(|name| !name.is_empty());
    subjects.sort();
    subjects.dedup();
    subjects
}

/// Whether the note next to a certificate says that it is recent and for the same names.
fn is_current(note: &str, names: &[String]) -> bool {
    let mut lines = note.lines();
    let made = lines.next().and_then(|line| line.parse::<i64>().ok());
    let made = made.and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    // One made by a clock that ran ahead is not valid yet.
    let usable = -Duration::days(MARGIN_DAYS)..Duration::days(RENEW_AFTER_DAYS);
    let young = made.is_some_and(|made| usable.contains(&(now_utc() - made)));
    young && lines.eq(names.iter().map(String::as_str))
}

/// The lab's authority; made once, so that clients import it once.
fn authority_issuer(folder: &Path) -> Result<Issuer<'static, KeyPair>, TlsError> {
    let (certificate, key) = (authority_file(folder), folder.join("ca.key"));
    if !certificate.exists() || !key.exists() {
        let key_pair = KeyPair::generate()?;
        let made = authority_parameters()?.self_signed(&key_pair)?;
        write_private(&key, key_pair.serialize_pem().as_bytes())?;
        write_private(&certificate, made.pem().as_bytes())?;
    }
    let key_text = String::from_utf8_lossy(&read_pem_file(&key)?).into_owned();
    // The parameters are constant, so the issuer's name equals that of the stored certificate.
    Ok(Issuer::new(authority_parameters()?, KeyPair::from_pem(&key_text)?))
}

fn authority_parameters() -> Result<CertificateParams, TlsError> {
    let mut parameters = CertificateParams::new(Vec::new())?;
    parameters.distinguished_name = distinguished_name("specbox lab CA");
    parameters.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    // Whatever the clock said when it was made: clients import it once.
    parameters.not_before = datetime!(2020-01-01 0:00 UTC);
    parameters.not_after =
        now_utc().max(datetime!(2026-01-01 0:00 UTC)) + Duration::days(AUTHORITY_DAYS);
    Ok(parameters)
}

fn leaf_parameters(names: &[String]) -> Result<CertificateParams, TlsError> {
    let mut parameters = CertificateParams::new(Vec::new())?;
    parameters.distinguished_name = distinguished_name("specbox");
    for name in names {
        parameters.subject_alt_names.push(match name.parse::<IpAddr>() {
            Ok(address) => SanType::IpAddress(address),
            Err(_) => SanType::DnsName(name.as_str().try_into()?),
        });
    }
    parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    parameters.use_authority_key_identifier_extension = true;
    parameters.not_before = now_utc() - Duration::days(MARGIN_DAYS);
    parameters.not_after = now_utc() + Duration::days(LEAF_DAYS - MARGIN_DAYS);
    Ok(parameters)
}

fn distinguished_name(common: &str) -> DistinguishedName {
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, common);
    name
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TlsError {
    let path = path.to_owned();
    move |source| TlsError::Io { action, path, source }
}

fn read_pem_file(path: &Path) -> Result<Vec<u8>, TlsError> {
    fs::read(path).map_err(io_error("read", path))
}

/// Writes a file that its owner alone can read, whole or not at all.
fn write_private(path: &Path, bytes: &[u8]) -> Result<(), TlsError> {
    durable_file::write_private_file(path, bytes).map_err(io_error("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_certificate_stays_until_its_names_change_and_the_authority_stays_for_good() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let names = ["lab.example".to_owned()];
        let first = lab_certificate(dir.path(), &names).expect("made");
        let again = lab_certificate(dir.path(), &names).expect("kept");
        assert!(first.chain == again.chain && first.key == again.key);
        let authority = read_pem_file(&authority_file(dir.path())).expect("there");
        let other = lab_certificate(dir.path(), &["other.example".to_owned()]).expect("made anew");
        assert_ne!(first.key, other.key);
        assert_eq!(authority, read_pem_file(&authority_file(dir.path())).expect("there"));
    }

    #[test]
    fn an_old_note_asks_for_a_new_certificate() {
        let names = vec!["localhost".to_owned()];
        let old = (now_utc() - Duration::days(RENEW_AFTER_DAYS + 1)).unix_timestamp();
        assert!(!is_current(&format!("{old}\nlocalhost\n"), &names));
        assert!(is_current(&format!("{}\nlocalhost\n", now_utc().unix_timestamp()), &names));
        assert!(!is_current("", &names));
        let ahead = (now_utc() + Duration::days(MARGIN_DAYS + 1)).unix_timestamp();
        assert!(!is_current(&format!("{ahead}\nlocalhost\n"), &names), "it is not valid yet");
    }

    #[test]
    fn keys_are_readable_by_their_owner_alone() {
        let dir = tempfile::tempdir().expect("temporary folder");
        lab_certificate(dir.path(), &[]).expect("made");
        for name in ["ca.key", "server.key"] {
            let mode = fs::metadata(dir.path().join(name)).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }
}

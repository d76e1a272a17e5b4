//! The certificate of the lab's authority in the forms that clients import, and its fingerprint.

use std::{io, path::Path};

use rustls::pki_types::{CertificateDer, pem::PemObject};
use sha2::{Digest, Sha256};

use super::tls::TlsError;

/// The certificate of the lab's authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabCertificate {
    /// The file as it is.
    pub pem: Vec<u8>,
    /// The certificate in it, as Windows and phones import it.
    pub der: Vec<u8>,
    /// SHA-256 of the certificate, as systems print it: `AB:CD:...`.
    pub fingerprint: String,
}

impl LabCertificate {
    pub(super) fn read_file(path: &Path) -> Result<Self, TlsError> {
        let failed = |source| TlsError::Io { action: "read", path: path.to_owned(), source };
        let pem = std::fs::read(path).map_err(failed)?;
        let der = CertificateDer::from_pem_slice(&pem);
        let der = der.map_err(|error| failed(io::Error::other(error.to_string())))?.to_vec();
        let digits = Sha256::digest(&der);
        let digits: Vec<String> = digits.iter().map(|byte| format!("{byte:02X}")).collect();
        Ok(Self { pem, der, fingerprint: digits.join(":") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A certificate that openssl made, and the fingerprint that it printed for it.
    const PEM: &str = "\
-----BEGIN CERTIFICATE-----
MIIBOjCB7aADAgECAhQ1LmPUuVpo+cwWcm5YbFm7JJxgMTAFBgMrZXAwEjEQMA4G
A1UEAwwHdGVzdCBDQTAgFw0yNjExMzAwOTAyMTZaGA8yMTI2MTEwNjA5MDIxNlow
EjEQMA4GA1UEAwwHdGVzdCBDQTAqMAUGAytlcAMhAHUQEMhg6UzmEAvdmRgF6lc2
RuiX6gXGQt+OslHZ3lO+o1MwUTAdBgNVHQ4EFgQUnlleX0eKmZkgGJUhB6XcXnjc
CI4wHwYDVR0jBBgwFoAUnlleX0eKmZkgGJUhB6XcXnjcCI4wDwYDVR0TAQH/BAUw
AwEB/zAFBgMrZXADQQC6toQGSj7G5tkrake+0sw92bjlee5tB+1v26pdp8gIrx33
3f9Mf22WkxlAwNp5sCYlVmg6u3g0u7scS/UyeoAG
-----END CERTIFICATE-----
";
    const FINGERPRINT: &str = "6D:92:69:0E:3E:DD:53:5F:2D:CD:CA:5B:31:39:8C:EC:7F:2C:88:CC:DE:3F:2D:2E:66:1E:BC:C3:30:4E:F0:3B";

    #[test]
    fn the_fingerprint_is_the_one_that_openssl_prints() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("ca.pem");
        std::fs::write(&path, PEM).expect("written");
        let read = LabCertificate::read_file(&path).expect("readable");
        assert_eq!(read.fingerprint, FINGERPRINT);
        assert_eq!((read.pem.as_slice(), read.der[0]), (PEM.as_bytes(), 0x30));
        std::fs::write(&path, "no certificate").expect("written");
        assert!(LabCertificate::read_file(&path).is_err());
    }
}

//! The page from which people fetch the certificate of the lab's authority.

use std::fs;

use libtest_mimic::Trial;

use crate::{
    client::Client,
    fixture::fixture,
    own::data,
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        anyone_fetches_the_certificate_of_a_lab_and_its_fingerprint,
        a_server_without_a_certificate_of_its_own_offers_none,
    ]
}

fn anyone_fetches_the_certificate_of_a_lab_and_its_fingerprint() -> TestResult {
    let fixture = fixture()?;
    let stranger = fixture.client().with_authorization(None);
    let file = fs::read(fixture.data.join("tls/ca.pem")).expect("there");
    let pem = stranger.get("/certificate/ca.pem");
    assert_eq!((pem.status, &pem.bytes), (200, &file));
    assert_eq!(pem.header("content-disposition"), Some("attachment; filename=\"ca.pem\""));
    let der = stranger.get("/certificate/specbox-ca.crt");
    assert_eq!((der.status, der.header("content-type")), (200, Some("application/x-x509-ca-cert")));
    // A certificate is a SEQUENCE, whose length fills the file.
    let length = usize::from(der.bytes[2]) << 8 | usize::from(der.bytes[3]);
    assert_eq!((&der.bytes[..2], length), (&[0x30, 0x82][..], der.bytes.len() - 4));
    let page = stranger.get("/certificate");
    let page = String::from_utf8(page.bytes).expect("text");
    let (_, rest) = page.split_once("id=\"fingerprint\">").expect("a fingerprint");
    let fingerprint = &rest[..95];
    let printed = fixture.server.stderr_text.lock().expect("not poisoned").clone();
    assert!(printed.contains(&format!("SHA-256: {fingerprint}")), "{fingerprint} {printed}");
    assert!(page.contains("update-ca-certificates") && page.contains("/certificate/ca.pem"));
    Ok(())
}

fn a_server_without_a_certificate_of_its_own_offers_none() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let stranger = Client::new(&server.base_url, None, None);
    for path in ["/certificate/ca.pem", "/certificate/specbox-ca.crt"] {
        assert_eq!(stranger.get(path).status, 404, "{path}");
    }
    let page = String::from_utf8(stranger.get("/certificate").bytes).expect("text");
    assert!(page.contains("does not use a certificate of its own"), "{page}");
    Ok(())
}

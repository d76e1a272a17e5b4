//! The page from which people fetch the certificate of the lab's authority. It is open: nobody can sign in on a page
//! that their browser does not trust.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    response::{IntoResponse, Response},
    routing::get,
};
use maud::{Markup, html};

use super::{
    page::{PageFrame, refusal_page, render_content_page},
    visitor::Visitor,
};
use crate::http::{Edge, LabCertificate};
use wire::Failure;

const PEM_PATH: &str = "/certificate/ca.pem";
const DER_PATH: &str = "/certificate/specbox-ca.crt";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/certificate", get(show_certificate))
        .route(PEM_PATH, get(download_pem))
        .route(DER_PATH, get(download_der))
}

async fn show_certificate(State(edge): State<Arc<Edge>>, Visitor(visitor): Visitor) -> Response {
    let body = match edge.lab_certificate() {
        Some(certificate) => render_certificate(certificate, edge.service().address.base_url()),
        None => html! {
            h1 { "Certificate" }
            p {
                "This server does not use a certificate of its own: it comes from another authority, or a proxy "
                "provides it. If your system does not trust it, ask your operator who issued it."
            }
        },
    };
    let frame = PageFrame { title: "Certificate", person: visitor.as_ref(), part: "/docs" };
    render_content_page(&frame, body)
}

/// What a system needs: its name and the commands.
const SYSTEMS: [(&str, &str); 8] = [
    (
        "Debian, Ubuntu",
        "sudo cp ca.pem /usr/local/share/ca-certificates/specbox.crt\nsudo update-ca-certificates",
    ),
    (
        "Fedora, RHEL",
        "sudo cp ca.pem /etc/pki/ca-trust/source/anchors/specbox.pem\nsudo update-ca-trust",
    ),
    ("Windows", "certutil -user -addstore Root specbox-ca.crt"),
    (
        "macOS",
        "security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ca.pem",
    ),
    ("curl", "export CURL_CA_BUNDLE=/path/to/ca.pem"),
    ("Python", "export SSL_CERT_FILE=/path/to/ca.pem\nexport REQUESTS_CA_BUNDLE=/path/to/ca.pem"),
    ("Node.js, Claude Code", "export NODE_EXTRA_CA_CERTS=/path/to/ca.pem"),
    ("Java", "keytool -importcert -cacerts -alias specbox -file ca.pem"),
];

fn render_certificate(certificate: &LabCertificate, base_url: &str) -> Markup {
    html! {
        h1 { "Certificate" }
        p {
            "This server has a certificate from its own authority. Once your system trusts that authority, warnings "
            "end, and they stay away when the server renews its certificate."
        }
        h2 #download { "1. Download" }
        p {
            a.button href=(PEM_PATH) download="ca.pem" { "ca.pem" } " "
            a.button.second href=(DER_PATH) download="specbox-ca.crt" { "specbox-ca.crt (Windows, phones)" }
        }
        h2 #compare { "2. Compare" }
        p {
            "Whoever can change this page on its way to you can change the file, too. Ask your operator for the "
            "SHA-256 fingerprint, which " code { "specbox serve" } " prints when it starts, and compare it with that of "
            "your file:"
        }
        p.copy { code #fingerprint { (certificate.fingerprint) }
            button type="button" data-copy="fingerprint" hidden { "Copy" } }
        pre tabindex="0" { code {
            "openssl x509 -in ca.pem -noout -fingerprint -sha256      # Linux, macOS\n"
            "(Get-FileHash specbox-ca.crt -Algorithm SHA256).Hash     # Windows PowerShell"
        } }
        h2 #import { "3. Import" }
        @for (system, commands) in SYSTEMS {
            h3 { (system) }
            pre tabindex="0" { code { (commands) } }
        }
        h3 { "Firefox" }
        p { "Settings, Privacy & Security, View Certificates, Authorities, Import: choose " code { "ca.pem" }
            " and tick \"Trust this CA to identify websites\". Chrome and Edge use the certificates of the system." }
        h3 { "iPhone, iPad, Android" }
        p { "Open " code { "specbox-ca.crt" } " on the device and install it as a CA certificate. On iPhone and iPad, "
            "also enable it under Settings, General, About, Certificate Trust Settings." }
        h2 #try { "4. Try" }
        pre tabindex="0" { code { "curl --cacert ca.pem '" (base_url) "/health'" } }
        p.quiet {
            "Import it only if you trust your operator: the authority can issue certificates for any name. Do not "
            "disable certificate verification instead."
        }
    }
}

async fn download_pem(State(edge): State<Arc<Edge>>) -> Response {
    download(&edge, "application/x-pem-file", "ca.pem", |certificate| &certificate.pem)
}

async fn download_der(State(edge): State<Arc<Edge>>) -> Response {
    download(&edge, "application/x-x509-ca-cert", "specbox-ca.crt", |certificate| &certificate.der)
}

fn download(
    edge: &Edge,
    media_type: &'static str,
    name: &str,
    bytes: impl Fn(&LabCertificate) -> &Vec<u8>,
) -> Response {
    let Some(certificate) = edge.lab_certificate() else {
        return refusal_page(None, &Failure::NotFound);
    };
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [(CONTENT_TYPE, media_type.to_owned()), (CONTENT_DISPOSITION, disposition)];
    (headers, bytes(certificate).clone()).into_response()
}

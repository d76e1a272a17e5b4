//! Clients known by a document of theirs, fetched from a real HTTPS server on loopback.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use libtest_mimic::Trial;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use serde_json::{Value, json};

use crate::{
    client::Client,
    own::{data, set},
    person::Person,
    program_client::{CALLBACK, Program, page},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_client_document_is_fetched_once_and_no_redirect_is_followed,
        private_addresses_are_refused_unless_the_operator_allows_them,
    ]
}

/// A site with client documents, and the number of connections to it.
struct Site {
    port: u16,
    connections: Arc<AtomicUsize>,
}

impl Site {
    /// Serves documents by path; its authority goes to a file.
    fn start(authority: &Path) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key"))
            .expect("an authority");
        std::fs::write(authority, issuer.pem()).expect("written");
        let own_key = KeyPair::generate().expect("a key");
        let leaf = CertificateParams::new(vec!["localhost".to_owned()])
            .and_then(|params| params.signed_by(&own_key, &issuer))
            .expect("a certificate");
        let _ = rustls::crypto::ring::default_provider().install_default();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own_key.serialize_der()));
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![leaf.der().clone()], key)
            .expect("usable");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let (config, connections) = (Arc::new(config), Arc::new(AtomicUsize::new(0)));
        let count = connections.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                count.fetch_add(1, Ordering::SeqCst);
                let config = config.clone();
                thread::spawn(move || serve(stream, config, port));
            }
        });
        Self { port, connections }
    }

    /// The same, on a host from which a server over this data folder may fetch.
    fn known_to(data: &Path) -> Self {
        let authority = data.join("site.pem");
        let site = Self::start(&authority);
        set(data, "oauth", &format!("metadata_hosts = [\"localhost:{}\"]", site.port));
        set(data, "oauth", &format!("metadata_authorities = \"{}\"", authority.display()));
        site
    }

    fn id(&self, path: &str) -> String {
        format!("https://localhost:{}/{path}", self.port)
    }
}

/// Answers one request, in one of many ways.
fn serve(stream: TcpStream, config: Arc<ServerConfig>, port: u16) {
    let Ok(connection) = ServerConnection::new(config) else { return };
    let mut stream = StreamOwned::new(connection, stream);
    let mut head = [0; 4096];
    let Ok(read) = stream.read(&mut head) else { return };
    let request = String::from_utf8_lossy(&head[..read]).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
    let own = format!("https://localhost:{port}/{path}");
    let document = |id: &str| {
        json!({"client_id": id, "client_name": "An agent", "redirect_uris": [CALLBACK]}).to_string()
    };
    let (status, body) = match path.as_str() {
        "agent.json" => ("200 OK", document(&own)),
        "another.json" => ("200 OK", document("https://localhost/agent.json")),
        "moved.json" => ("302 Found", String::new()),
        "gone.json" => ("404 Not Found", document(&own)),
        "large.json" => ("200 OK", format!("{}{}", document(&own), " ".repeat(100_000))),
        "secret.json" => (
            "200 OK",
            document(&own).replacen('{', r#"{"token_endpoint_auth_method": "private_key_jwt","#, 1),
        ),
        "odd.json" => ("200 OK", "[]".to_owned()),
        _ => {
            // Never answers: it is the client that gives up.
            let _ = stream.read(&mut head);
            return;
        }
    };
    let location = format!("https://localhost:{port}/agent.json");
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nLocation: {location}\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.flush();
}

fn program(server: &RunningServer, id: &str) -> Program {
    Program { http: Client::without_redirects(&server.base_url), id: id.to_owned() }
}

fn a_client_document_is_fetched_once_and_no_redirect_is_followed() -> TestResult {
    let data = data()?;
    let data = data.path();
    let site = Site::known_to(data);
    set(data, "oauth", "metadata_networks = [\"127.0.0.0/8\", \"::1/128\"]");
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::new(&server, data, "ann");
    let metadata = person.client.get("/.well-known/oauth-authorization-server").body;
    assert_eq!(metadata["client_id_metadata_document_supported"], true);

    let agent = program(&server, &site.id("agent.json"));
    let stranger = agent.http.get(&format!("/oauth/authorize?{}", agent.authorize_query(&[])));
    assert_eq!(stranger.status, 303, "who is not signed in makes the server ask nobody");
    assert_eq!(site.connections.load(Ordering::SeqCst), 0);
    let granted: Value = agent.authorize(&person);
    assert!(granted["access_token"].is_string());
    assert_eq!(site.connections.load(Ordering::SeqCst), 1, "the document is kept for a while");

    for (path, message) in [
        ("another.json", "describes another client"),
        ("moved.json", "could not be fetched"),
        ("gone.json", "could not be fetched"),
        ("large.json", "too large"),
        ("secret.json", "requires a secret"),
        ("odd.json", "does not describe a client"),
        ("slow.json", "could not be fetched"),
    ] {
        let client = program(&server, &site.id(path));
        let refused = person.get(&format!("/oauth/authorize?{}", client.authorize_query(&[])));
        assert_eq!(refused.status, 400, "{path}");
        assert!(page(&refused).contains(message), "{path}: {}", page(&refused));
    }
    let connections = site.connections.load(Ordering::SeqCst);
    assert_eq!(connections, 8, "no redirect is followed");
    for id in
        ["https://127.0.0.1/agent.json", "http://localhost/agent.json", "https://other.example/a"]
    {
        let client = program(&server, id);
        assert_eq!(
            person.get(&format!("/oauth/authorize?{}", client.authorize_query(&[]))).status,
            400
        );
    }
    assert_eq!(site.connections.load(Ordering::SeqCst), connections);
    Ok(())
}

fn private_addresses_are_refused_unless_the_operator_allows_them() -> TestResult {
    let data = data()?;
    let data = data.path();
    let site = Site::known_to(data);
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::new(&server, data, "ann");
    let agent = program(&server, &site.id("agent.json"));
    let refused = person.get(&format!("/oauth/authorize?{}", agent.authorize_query(&[])));
    assert_eq!(refused.status, 400);
    assert!(page(&refused).contains("could not be fetched"));
    assert_eq!(site.connections.load(Ordering::SeqCst), 0);
    Ok(())
}

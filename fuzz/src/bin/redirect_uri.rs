//! Any text as redirect URIs, one per line: the first is registered, the others come in requests.

#![no_main]

use accounts::{MAX_REDIRECT_URIS, RedirectUri, parse_redirect_uris};
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|text: &str| {
    let lines: Vec<&str> = text.split('\n').collect();
    let uris = parse_redirect_uris(&lines);
    assert!(uris.len() <= MAX_REDIRECT_URIS);
    let Some(registered) = uris.first() else { return };
    for requested in &uris {
        check_uri(requested);
        // Only the port may differ.
        if registered.matches_request(requested) {
            let [registered, requested] = [registered, requested].map(parse_url);
            assert_eq!(without_port(registered), without_port(requested));
        }
    }
});

fn check_uri(uri: &RedirectUri) {
    assert!(uri.matches_request(uri));
    // What is stored is read back as the same.
    assert_eq!(RedirectUri::parse(uri.as_str()).as_ref(), Some(uri));
    let _ = uri.destination();
    let response = [("code", "a b&c=d#e"), ("state", "\r\n\"<>")];
    let original = parse_url(uri);
    let redirected = Url::parse(&uri.with_query(&response)).expect("a URL with a query");
    assert_eq!(
        (redirected.scheme(), redirected.host_str()),
        (original.scheme(), original.host_str())
    );
    assert_eq!((redirected.port(), redirected.path()), (original.port(), original.path()));
    assert_eq!(redirected.fragment(), None);
    let pairs: Vec<_> = redirected.query_pairs().collect();
    let added = pairs.iter().skip(original.query_pairs().count());
    assert!(added.map(|(name, value)| (&**name, &**value)).eq(response), "{redirected}");
}

fn parse_url(uri: &RedirectUri) -> Url {
    Url::parse(uri.as_str()).expect("a URL")
}

fn without_port(mut url: Url) -> Url {
    let _ = url.set_port(None);
    url
}

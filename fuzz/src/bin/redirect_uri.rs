//! Any text as redirect URIs, one a line: the first is registered, the others ask for an answer.

#![no_main]

use accounts::{MAX_REDIRECT_URIS, RedirectUri, parse_redirect_uris};
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|text: &str| {
    let lines: Vec<&str> = text.split('\n').collect();
    let uris = parse_redirect_uris(&lines);
    assert!(uris.len() <= MAX_REDIRECT_URIS);
    let Some(registered) = uris.first() else { return };
    for asked in &uris {
        check_uri(asked);
        // Only the port may differ.
        if registered.matches_request(asked) {
            let [registered, asked] = [registered, asked].map(parse_url);
            assert_eq!(without_port(registered), without_port(asked));
        }
    }
});

fn check_uri(uri: &RedirectUri) {
    assert!(uri.matches_request(uri));
    // What is stored is read back as the same.
    assert_eq!(RedirectUri::parse(uri.as_str()).as_ref(), Some(uri));
    let _ = uri.destination();
    let answer = [("code", "a b&c=d#e"), ("state", "\r\n\"<>")];
    let own = parse_url(uri);
    let answered = Url::parse(&uri.with_query(&answer)).expect("a URL with a query");
    assert_eq!((answered.scheme(), answered.host_str()), (own.scheme(), own.host_str()));
    assert_eq!((answered.port(), answered.path()), (own.port(), own.path()));
    assert_eq!(answered.fragment(), None);
    let pairs: Vec<_> = answered.query_pairs().collect();
    let added = pairs.iter().skip(own.query_pairs().count());
    assert!(added.map(|(name, value)| (&**name, &**value)).eq(answer), "{answered}");
}

fn parse_url(uri: &RedirectUri) -> Url {
    Url::parse(uri.as_str()).expect("a URL")
}

fn without_port(mut url: Url) -> Url {
    let _ = url.set_port(None);
    url
}

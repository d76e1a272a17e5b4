//! What a client has already: `If-None-Match`.

use axum::http::{HeaderMap, header::IF_NONE_MATCH};

/// Whether a client has what an entity tag identifies. Tags are compared as weak ones (RFC 9110, 13.1.2).
pub fn client_has_tag(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let values = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = values.flat_map(|value| value.split(',')).map(str::trim);
    known.any(|known| known == "*" || opaque(known) == opaque(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_weak_or_strong_and_in_a_list() {
        for (sent, has) in [
            ("\"a\"", true),
            ("W/\"a\"", true),
            ("\"b\", W/\"a\"", true),
            ("*", true),
            ("\"b\"", false),
            ("a", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, sent.parse().expect("a value"));
            assert_eq!(client_has_tag(&headers, "\"a\""), has, "{sent}");
            assert_eq!(client_has_tag(&headers, "W/\"a\""), has, "{sent}");
        }
        assert!(!client_has_tag(&HeaderMap::new(), "\"a\""));
    }
}

//! Checks of hosts and origins in settings.

use anyhow::{Result, bail};
use url::{Host, Url};

/// The system's certificate authorities, at the path that Debian and its derivatives use.
pub(super) const SYSTEM_AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

pub(super) fn check_origins(setting: &str, origins: &[String]) -> Result<()> {
    match origins.iter().find(|origin| !is_origin(origin)) {
        Some(odd) => bail!("'{odd}' in {setting} is not an origin such as https://tools.example"),
        None => Ok(()),
    }
}

/// Whether a text is a scheme and a host, as browsers send an origin.
fn is_origin(text: &str) -> bool {
    let is_bare = |url: &Url| {
        url.path() == "/"
            && !text.ends_with('/')
            && url.query().is_none()
            && url.fragment().is_none()
    };
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
    Url::parse(text).is_ok_and(|url| is_web(&url) && is_bare(&url)) && !text.contains('*')
}

/// Whether a text is a host as in a normalized HTTPS URL: without a scheme, and without the port 443.
pub(super) fn is_host(text: &str) -> bool {
    let url = Url::parse(&format!("https://{text}/")).ok();
    let same = |url: &Url| url.as_str() == format!("https://{}/", text.to_ascii_lowercase());
    url.is_some_and(|url| url.path() == "/" && same(&url))
}

/// The host name in a URL.
pub(super) fn host_of(url: Option<&str>) -> Option<String> {
    match Url::parse(url?).ok()?.host()? {
        Host::Domain(name) => Some(name.to_owned()),
        Host::Ipv4(address) => Some(address.to_string()),
        Host::Ipv6(address) => Some(address.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_address_with_a_port_unless_it_is_the_default() {
        for (text, valid) in [
            ("clients.example", true),
            ("Lab.example:8443", true),
            ("[2001:db8::1]:8443", true),
            ("https://clients.example", false),
            ("clients.example:443", false),
            ("clients.example/path", false),
            ("", false),
        ] {
            assert_eq!(is_host(text), valid, "{text}");
        }
    }

    #[test]
    fn the_certificate_is_for_the_host_of_the_base_url() {
        for (url, host) in [
            ("https://lab.example:8443/x", Some("lab.example")),
            ("https://[::2]:1", Some("::2")),
            ("lab.example", None),
        ] {
            assert_eq!(host_of(Some(url)).as_deref(), host);
        }
    }
}

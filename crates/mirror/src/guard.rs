//! The addresses that this program may connect to when it fetches a URL.

use std::{
    fmt, io,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    path::Path,
    sync::{Arc, LazyLock},
};

use ipnet::IpNet;
use ureq::{
    config::Config,
    http::Uri,
    tls::{PemItem, RootCerts, parse_pem},
    unversioned::{
        resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver},
        transport::NextTimeout,
    },
};

/// Resolves names and drops the addresses that are not allowed: the connection goes to a checked address,
/// whatever the name resolves to a moment later.
pub struct GuardedResolver {
    networks: Vec<IpNet>,
    /// A host that the operator named by its address, or this machine.
    trusted: Option<String>,
    resolver: DefaultResolver,
}

impl GuardedResolver {
    /// Allows public addresses and those of `networks`; the addresses of the host `trusted` are not checked.
    pub fn new(networks: Vec<IpNet>, trusted: Option<String>) -> Self {
        Self { networks, trusted, resolver: DefaultResolver::default() }
    }

    fn allows_address(&self, address: &SocketAddr) -> bool {
        let address = address.ip().to_canonical();
        self.networks.iter().any(|net| net.contains(&address)) || is_public(address)
    }
}

/// Loads the root certificates in a PEM file.
pub fn load_root_certificates(file: &Path) -> io::Result<RootCerts> {
    let pem = std::fs::read(file)?;
    let roots = parse_pem(&pem).filter_map(|item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        Ok(_) | Err(_) => None,
    });
    let roots: Vec<_> = roots.collect();
    if roots.is_empty() {
        return Err(io::Error::other("it contains no certificate"));
    }
    Ok(RootCerts::Specific(Arc::new(roots)))
}

impl fmt::Debug for GuardedResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guarded").field("networks", &self.networks).finish_non_exhaustive()
    }
}

impl Resolver for GuardedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let resolved = self.resolver.resolve(uri, config, timeout)?;
        if self.trusted.as_deref().is_some_and(|host| uri.host() == Some(host)) {
            return Ok(resolved);
        }
        let mut allowed = self.empty();
        for address in resolved.iter().filter(|address| self.allows_address(address)) {
            allowed.push(*address);
        }
        if allowed.is_empty() { Err(ureq::Error::HostNotFound) } else { Ok(allowed) }
    }
}

/// Networks that are not globally reachable (IANA's special-purpose address registries), and those whose addresses
/// embed an IPv4 address: a host that resolves to one could make this program read a server of the local network.
static SPECIAL_PURPOSE_NETWORKS: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    let networks = [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    ];
    networks.iter().map(|net| net.parse().expect("a network")).collect()
});

fn is_public(address: IpAddr) -> bool {
    let is_allocated = match address {
        IpAddr::V4(_) => true,
        // Only this part of IPv6 is allocated.
        IpAddr::V6(address) => is_unicast(address),
    };
    is_allocated && !SPECIAL_PURPOSE_NETWORKS.iter().any(|net| net.contains(&address))
}

/// Whether an address is global unicast: 2000::/3.
fn is_unicast(address: Ipv6Addr) -> bool {
    address.segments()[0] >> 13 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_purpose_addresses_are_not_public() {
        for (address, public) in [
            ("93.184.215.14", true),
            ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", true),
            ("127.0.0.1", false),
            ("127.8.9.1", false),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("172.31.255.255", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::1", false),
            ("::", false),
            ("fe80::1", false),
            ("fc00::1", false),
            ("ff02::1", false),
            ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false),
            ("2001:db8::1", false),
        ] {
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(is_public(address.to_canonical()), public, "{address}");
        }
        let mapped: IpAddr = "::ffff:127.0.0.1".parse().expect("an address");
        assert!(!is_public(mapped.to_canonical()));
    }
}

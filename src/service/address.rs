//! The base URL of this service.

use std::sync::OnceLock;

use accounts::SetupLink;

/// The base URL of a server that has none configured.
pub const DEFAULT_BASE_URL: &str = "https://localhost:8443";

/// The URL by which clients reach this service.
#[derive(Default)]
pub struct ServiceAddress(OnceLock<String>);

impl ServiceAddress {
    /// Sets the URL by which clients reach this service; only the first call has an effect.
    pub fn set_base_url(&self, url: &str) {
        let _ = self.0.set(url.trim_end_matches('/').to_owned());
    }

    /// The URL by which clients reach this service, without a slash at its end.
    pub fn base_url(&self) -> &str {
        self.0.get().map_or(DEFAULT_BASE_URL, String::as_str)
    }

    /// The URL of the page on which the owner of a link sets their password.
    pub fn setup_url(&self, link: &SetupLink) -> String {
        format!("{}/setup?token={}", self.base_url(), link.token)
    }
}

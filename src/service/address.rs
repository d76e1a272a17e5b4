//! Where clients reach this service.

use std::sync::OnceLock;

use accounts::SetupLink;

/// Where a server answers without a setting.
pub const DEFAULT_BASE_URL: &str = "https://localhost:8443";

/// The URL by which clients reach this service.
#[derive(Default)]
pub struct ServiceAddress(OnceLock<String>);

impl ServiceAddress {
    /// Says by which URL clients reach this service; the first word counts.
    pub fn set_base_url(&self, url: &str) {
        let _ = self.0.set(url.trim_end_matches('/').to_owned());
    }

    /// The URL by which clients reach this service, without a slash at its end.
    pub fn base_url(&self) -> &str {
        self.0.get().map_or(DEFAULT_BASE_URL, String::as_str)
    }

    /// The page on which the owner of a link sets their password.
    pub fn setup_url(&self, link: &SetupLink) -> String {
        format!("{}/setup?token={}", self.base_url(), link.token)
    }
}

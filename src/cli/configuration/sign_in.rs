//! The section `[sign_in.oidc]`: sign-in at the company's server.

use std::{fs, path::PathBuf, sync::Arc};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::hosts::SYSTEM_AUTHORITIES;
use crate::company_sign_in::{CompanySignIn, CompanySignInSettings};
use accounts::UNLIMITED;

/// What the button calls the server if nothing is configured.
const DEFAULT_NAME: &str = "your company account";
/// The scopes that most servers need for an address, and the usual claim of groups.
const DEFAULT_SCOPES: [&str; 2] = ["email", "profile"];
const DEFAULT_GROUPS_CLAIM: &str = "groups";

/// The section `[sign_in]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SignInSection {
    oidc: Option<OidcSection>,
}

/// The section `[sign_in.oidc]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OidcSection {
    issuer: String,
    client_id: String,
    client_secret_file: Option<PathBuf>,
    name: Option<String>,
    #[serde(default)]
    allowed_domains: Vec<String>,
    #[serde(default)]
    allowed_groups: Vec<String>,
    groups_claim: Option<String>,
    scopes: Option<Vec<String>>,
    #[serde(default)]
    create_accounts: bool,
    plan: Option<String>,
    authorities: Option<PathBuf>,
}

impl SignInSection {
    /// Sign-in at the company's server, if it is configured.
    pub(super) fn open(&self) -> Result<Option<Arc<CompanySignIn>>> {
        self.oidc.as_ref().map(OidcSection::open).transpose()
    }

    /// The name of the plan that it names, for a check.
    pub(super) fn plan(&self) -> Option<&str> {
        self.oidc.as_ref()?.plan.as_deref()
    }
}

impl OidcSection {
    fn open(&self) -> Result<Arc<CompanySignIn>> {
        let settings = self.to_settings()?;
        let authorities = self.authorities.clone().unwrap_or_else(|| SYSTEM_AUTHORITIES.into());
        let opened = CompanySignIn::open(settings, &authorities).with_context(|| {
            let path = authorities.display();
            format!("cannot read the authorities in {path}; set sign_in.oidc.authorities")
        })?;
        Ok(Arc::new(opened))
    }

    fn to_settings(&self) -> Result<CompanySignInSettings> {
        if !CompanySignIn::is_usable_issuer(&self.issuer) {
            bail!("sign_in.oidc.issuer '{}' is not an https URL", self.issuer);
        }
        let is_open = self.allowed_domains.is_empty() && self.allowed_groups.is_empty();
        if self.create_accounts && is_open {
            bail!(
                "with sign_in.oidc.create_accounts, name the allowed_domains or allowed_groups: everyone who has an \
                 account at the company's server would get one here"
            );
        }
        if let Some(odd) = self.allowed_domains.iter().find(|domain| domain.contains('@')) {
            bail!("'{odd}' in sign_in.oidc.allowed_domains is not a domain such as lab.example");
        }
        let secret = self.client_secret_file.as_ref().map(|path| {
            let text = fs::read_to_string(path);
            text.with_context(|| format!("cannot read the secret in {}", path.display()))
        });
        let secret = secret.transpose()?.map(|text| text.trim().to_owned());
        if secret.as_deref().is_some_and(str::is_empty) {
            bail!("the file sign_in.oidc.client_secret_file is empty");
        }
        let default_scopes = || DEFAULT_SCOPES.map(str::to_owned).to_vec();
        let plan = self.plan.clone().unwrap_or_else(|| UNLIMITED.to_owned());
        Ok(CompanySignInSettings {
            name: self.name.clone().unwrap_or_else(|| DEFAULT_NAME.to_owned()),
            issuer: self.issuer.clone(),
            client_id: self.client_id.clone(),
            client_secret: secret,
            allowed_domains: self.allowed_domains.clone(),
            allowed_groups: self.allowed_groups.clone(),
            groups_claim: self
                .groups_claim
                .clone()
                .unwrap_or_else(|| DEFAULT_GROUPS_CLAIM.to_owned()),
            scopes: self.scopes.clone().unwrap_or_else(default_scopes),
            new_account_plan: self.create_accounts.then_some(plan),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<CompanySignInSettings> {
        let section: OidcSection = toml::from_str(text)?;
        section.to_settings()
    }

    #[test]
    fn settings_that_would_admit_everyone_or_send_secrets_in_clear_are_refused() {
        let base = "client_id = \"specbox\"\n";
        let https = "issuer = \"https://login.lab.example\"\n";
        for (text, words) in [
            (format!("{base}issuer = \"http://login.lab.example\""), "not an https URL"),
            (format!("{base}{https}create_accounts = true"), "allowed_domains"),
            (format!("{base}{https}allowed_domains = [\"@lab.example\"]"), "not a domain"),
            (
                format!("{base}{https}client_secret_file = \"/no/such/file\""),
                "cannot read the secret",
            ),
            (format!("{base}{https}client_secret = \"x\""), "unknown field"),
        ] {
            let error = settings(&text).expect_err("refused");
            assert!(format!("{error:#}").contains(words), "{text}: {error:#}");
        }
        let open = settings(&format!("{base}{https}")).expect("valid");
        assert_eq!((open.groups_claim.as_str(), open.new_account_plan), ("groups", None));
        let text = format!("{base}{https}create_accounts = true\nallowed_groups = [\"ran\"]");
        let creating = settings(&text).expect("valid");
        assert_eq!(creating.new_account_plan.as_deref(), Some(UNLIMITED));
    }
}

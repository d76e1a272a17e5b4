//! The section on accounts.

use std::fmt;

use anyhow::{Result, bail};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

use accounts::AccountsLocation;
use store::DataFolder;

/// The URL of a PostgreSQL server. It may contain a password, so it is never shown.
#[derive(Default, Deserialize)]
#[serde(transparent)]
struct ServerUrl(Option<String>);

impl fmt::Debug for ServerUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "ServerUrl(..)" } else { "None" })
    }
}

/// What the file says about accounts.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct AccountsSection {
    pub(super) self_registration: bool,
    pub(super) upgrade_url: Option<String>,
    database: ServerUrl,
}

impl AccountsSection {
    /// Where the accounts are; `chosen` takes precedence over the file.
    pub(super) fn location(
        &self,
        chosen: Option<&str>,
        folder: &DataFolder,
    ) -> Result<AccountsLocation> {
        let Some(url) = chosen.filter(|url| !url.is_empty()).or(self.database.0.as_deref()) else {
            return Ok(AccountsLocation::File(folder.accounts_path()));
        };
        match AccountsLocation::parse(url) {
            AccountsLocation::File(_) => bail!(
                "the accounts server must have the form postgres://USER:PASSWORD@HOST/DATABASE; without a server, \
                 accounts are stored in the data folder"
            ),
            server => Ok(server),
        }
    }
}

/// A section, or instead of it only the URL of a server: `accounts = "postgres://..."`.
pub(super) fn section_or_url<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<AccountsSection, D::Error> {
    struct SectionOrUrl;

    impl<'de> Visitor<'de> for SectionOrUrl {
        type Value = AccountsSection;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a section, or the URL of a PostgreSQL server")
        }

        fn visit_str<E>(self, url: &str) -> Result<AccountsSection, E> {
            Ok(AccountsSection {
                database: ServerUrl(Some(url.to_owned())),
                ..AccountsSection::default()
            })
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AccountsSection, A::Error> {
            AccountsSection::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_any(SectionOrUrl)
}

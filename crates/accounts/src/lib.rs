//! Who may use the program, and how much: accounts, keys, sign-ins, plans and charges; and what they watch.
//!
//! Owns `accounts.redb`. Secrets (keys, cookies, links) are shown once and kept as hashes; nothing
//! here ever prints one. A change is on the disk before the call returns. Knows nothing of HTTP and
//! of what operations do. [`Access`] is the whole; what a caller needs of it is borrowed as one of its
//! parts: `access.keys().create_key(..)`.

#![forbid(unsafe_code)]

mod account;
mod account_passwords;
mod accounts;
mod calendar;
mod caller;
mod charges;
mod clock;
mod database;
mod error;
mod identities;
mod key_limits;
mod key_row;
mod keys;
mod ledger;
mod oauth;
mod passwords;
mod plans;
mod secret;
mod sessions;
mod throttle;
mod watches;

use std::path::PathBuf;

use database::AccountsDatabase;
use ledger::Ledger;
use passwords::Passwords;
use throttle::Throttle;

pub use account::{Account, AccountRole};
pub use account_passwords::{AccountPasswords, SetupLink};
pub use accounts::AccountDirectory;
pub use caller::{Caller, Via};
pub use charges::{AccountCharges, ReservationOutcome, Usage};
pub use clock::{Clock, format_timestamp};
pub use error::AccessError;
pub use identities::{IdentityOutcome, ProvedIdentity};
pub use key_limits::{KeyLimits, KeyScope};
pub use key_row::StoredKey;
pub use keys::{ApiKeys, KeyOutcome, KeyRecord, NewKey};
pub use ledger::{Allowance, AllowanceReservation};
pub use oauth::{
    ACCESS_TOKEN_S, AuthorizationCodes, ClientAuthorization, CodeExchange, Destination,
    GrantRecord, IssuedTokens, MAX_ACCESS_TOKEN_S, MAX_REDIRECT_URIS, OAuthClient, OAuthGrants,
    OAuthScope, OAuthSettings, OFFLINE, READ, RedirectUri, RegisteredClients, RegistrationOutcome,
    TokenRefusal, parse_redirect_uris,
};
pub use plans::{AccountPlan, AccountPlans, FREE, OPERATOR, UNLIMITED};
pub use secret::new_secret;
pub use sessions::{AccountSessions, Session, SignInOutcome};
pub use throttle::client_network;
pub use watches::{
    AccountWatches, EventTarget, JournalPlace, KnownEvents, NewWatchEvent, StoredEvent, Watch,
    WatchEvent, WatchEventKind, WatchKind,
};

/// How this installation authenticates people and programs.
#[derive(Clone, Default)]
pub struct AccessSettings {
    /// The plans.
    pub plans: AccountPlans,
    /// Whether people may create accounts themselves, on the free plan.
    pub self_registration: bool,
    /// Where an account changes its plan; the dashboard's own page when absent.
    pub upgrade_url: Option<String>,
    /// How OAuth clients are authorized.
    pub oauth: OAuthSettings,
    /// The time.
    pub clock: Clock,
}

/// Where the accounts are.
#[derive(Clone)]
pub enum AccountsLocation {
    /// A file that no other program has open.
    File(PathBuf),
    /// A PostgreSQL server that several programs share, by its URL, which may contain a password.
    Server(String),
}

impl AccountsLocation {
    /// The URL of a server, otherwise the path of a file.
    pub fn parse(text: &str) -> Self {
        let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        if is_url { Self::Server(text.to_owned()) } else { Self::File(text.into()) }
    }
}

/// The accounts of a data folder, or of several.
pub struct Access {
    database: AccountsDatabase,
    plans: AccountPlans,
    self_registration: bool,
    upgrade_url: Option<String>,
    oauth: OAuthSettings,
    clock: Clock,
    ledger: Ledger,
    passwords: Passwords,
    throttle: Throttle,
}

impl Access {
    /// Opens the accounts, with a first operator if there are none.
    pub fn open(
        location: &AccountsLocation,
        settings: AccessSettings,
    ) -> Result<Self, AccessError> {
        let AccessSettings { plans, self_registration, upgrade_url, oauth, clock } = settings;
        let access = Self {
            database: AccountsDatabase::open(location)?,
            plans,
            self_registration,
            upgrade_url,
            oauth,
            clock,
            ledger: Ledger::default(),
            passwords: Passwords::default(),
            throttle: Throttle::default(),
        };
        access.accounts().make_first_account()?;
        Ok(access)
    }

    /// Copies everything as it was last committed to a place that has no accounts yet, while these are used.
    pub fn copy_to(&self, location: &AccountsLocation) -> Result<(), AccessError> {
        if let AccountsLocation::File(path) = location
            && path.exists()
        {
            // Another program may have it open.
            return Err(AccessError::NotEmpty);
        }
        self.database.copy_to(&AccountsDatabase::open(location)?)
    }

    /// Whether several programs share these accounts.
    pub fn is_shared(&self) -> bool {
        self.database.is_shared()
    }

    /// The plans of this installation.
    pub fn plans(&self) -> &AccountPlans {
        &self.plans
    }

    /// Where an account changes its plan, if the operator configured a URL.
    pub fn upgrade_url(&self) -> Option<&str> {
        self.upgrade_url.as_deref()
    }

    /// Whether people may create accounts themselves.
    pub fn allows_self_registration(&self) -> bool {
        self.self_registration
    }

    /// An account as a caller; `None` if it is disabled.
    pub fn caller_of(&self, account: &Account, via: Via) -> Option<Caller> {
        Caller::from_account(&self.plans, account, via)
    }

    /// The accounts: which exist, in which role, on which plan.
    pub fn accounts(&self) -> AccountDirectory<'_> {
        let Self { database, plans, passwords, clock, .. } = self;
        AccountDirectory { database, plans, passwords, clock }
    }

    /// The API keys.
    pub fn keys(&self) -> ApiKeys<'_> {
        let Self { database, plans, clock, .. } = self;
        ApiKeys { database, plans, clock }
    }

    /// Sign-ins and sessions.
    pub fn sessions(&self) -> AccountSessions<'_> {
        let Self { database, passwords, throttle, clock, .. } = self;
        AccountSessions { database, passwords, throttle, clock }
    }

    /// Passwords, and the links by which they are set.
    pub fn passwords(&self) -> AccountPasswords<'_> {
        let Self { database, passwords, clock, .. } = self;
        AccountPasswords { database, passwords, clock }
    }

    /// What accounts watch, and the resulting events.
    pub fn watches(&self) -> AccountWatches<'_> {
        let Self { database, clock, .. } = self;
        AccountWatches { database, clock }
    }

    /// What accounts may still use and what they used.
    pub fn charges(&self) -> AccountCharges<'_> {
        let Self { database, plans, ledger, clock, .. } = self;
        AccountCharges { database, plans, ledger, clock }
    }

    /// The OAuth clients.
    pub fn clients(&self) -> RegisteredClients<'_> {
        let Self { database, oauth, clock, .. } = self;
        RegisteredClients { database, settings: oauth, clock }
    }

    /// Authorization codes of OAuth clients.
    pub fn codes(&self) -> AuthorizationCodes<'_> {
        let Self { database, oauth, clock, .. } = self;
        AuthorizationCodes { database, settings: oauth, clock }
    }

    /// What OAuth clients were granted, and the tokens of the grants.
    pub fn grants(&self) -> OAuthGrants<'_> {
        let Self { database, plans, oauth, clock, .. } = self;
        OAuthGrants { database, plans, settings: oauth, clock }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        path::Path,
        sync::{Arc, Mutex},
    };

    use jiff::Timestamp;
    use tempfile::TempDir;

    use super::*;

    /// Names the PostgreSQL server on which these tests store their accounts; if it is not set, they use files.
    const SERVER: &str = "SPECBOX_TEST_POSTGRES";

    /// The server of the tests, up to the name of the database.
    pub(crate) fn server_url() -> Option<String> {
        if cfg!(feature = "postgres") { std::env::var(SERVER).ok() } else { None }
    }

    /// Accounts of their own for a folder: the same ones whenever they are asked for.
    pub(crate) fn location_in(dir: &Path) -> AccountsLocation {
        #[cfg(feature = "postgres")]
        if let Some(url) = server_url() {
            let hash = secret::encode_hex(&secret::hash_secret(&dir.to_string_lossy()));
            let name = format!("t{}", &hash[..16]);
            let mut client = postgres::Client::connect(&format!("{url}/postgres"), postgres::NoTls)
                .expect("the server of the tests answers");
            match client.batch_execute(&format!("CREATE DATABASE {name}")) {
                Err(error)
                    if error.code() != Some(&postgres::error::SqlState::DUPLICATE_DATABASE) =>
                {
                    panic!("{error:?}")
                }
                _ => return AccountsLocation::Server(format!("{url}/{name}?sslmode=disable")),
            }
        }
        AccountsLocation::File(dir.join("accounts.redb"))
    }

    /// A clock whose time changes only when it is set.
    pub(crate) struct SetClock(Arc<Mutex<Timestamp>>);

    impl SetClock {
        pub(crate) fn set(&self, time: &str) {
            *self.0.lock().expect("not poisoned") = time.parse().expect("a time");
        }
    }

    /// Accounts in a folder of their own, at a time.
    pub(crate) fn access_at(time: &str) -> (TempDir, Access, SetClock) {
        let dir = tempfile::tempdir().expect("temporary folder");
        let now = Arc::new(Mutex::new(time.parse().expect("a time")));
        let shared = now.clone();
        let clock = Clock::new(move || *shared.lock().expect("not poisoned"));
        let settings = AccessSettings { clock, ..AccessSettings::default() };
        let access = Access::open(&location_in(dir.path()), settings).expect("opened");
        (dir, access, SetClock(now))
    }

    /// Accounts in a folder of their own.
    pub(crate) fn access() -> (TempDir, Access) {
        let (dir, access, _) = access_at("2026-05-01T12:00:00Z");
        (dir, access)
    }
}

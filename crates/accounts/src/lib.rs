//! Who may ask, and how much: accounts, keys, sign-ins, plans and charges.
//!
//! Owns `accounts.redb`. Secrets (keys, cookies, links) are shown once and kept as hashes; nothing
//! here ever prints one. A change is on the disk before the call returns. Knows nothing of HTTP and
//! of what operations do.

mod accounts;
mod calendar;
mod clock;
mod database;
mod error;
mod keys;
mod ledger;
mod links;
mod oauth;
mod passwords;
mod plans;
mod secret;
mod sessions;
mod throttle;
mod usage;

use std::{path::Path, sync::Arc};

use database::AccountsFile;
use ledger::{Ledger, Payer};
use passwords::Passwords;
use throttle::Throttle;

pub use accounts::{Account, Role};
pub use clock::{Clock, printed};
pub use error::AccessError;
pub use keys::{KeyRecord, NewKey};
pub use ledger::{Allowance, Held};
pub use links::SetupLink;
pub use oauth::{
    ACCESS_TOKEN_S, Asked, Client, CodeUse, Destination, GrantRecord, MOST_URIS, OAuthSettings,
    OFFLINE, READ, RedirectUri, Registration, Scope, TokenRefusal, Tokens, registrable,
};
pub use plans::{FREE, OPERATOR, Plan, Plans};
pub use sessions::{Session, SignIn};
pub use throttle::network_of;
pub use usage::Usage;

/// How this installation lets people in.
#[derive(Clone, Default)]
pub struct AccessSettings {
    /// The plans.
    pub plans: Plans,
    /// Whether people may make accounts themselves, on the free plan.
    pub self_registration: bool,
    /// Where an account changes its plan; the dashboard's own page when absent.
    pub upgrade_url: Option<String>,
    /// How programs are let in.
    pub oauth: OAuthSettings,
    /// The time.
    pub clock: Clock,
}

/// The accounts of a data folder.
pub struct Access {
    file: AccountsFile,
    plans: Plans,
    self_registration: bool,
    upgrade_url: Option<String>,
    oauth: OAuthSettings,
    clock: Clock,
    ledger: Ledger,
    passwords: Passwords,
    throttle: Throttle,
}

/// Who is asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// The person at the machine itself, who needs no key and is not charged.
    Machine,
    /// Anyone: the operation is open.
    Anyone,
    /// An account.
    Account {
        /// Its id.
        account: u32,
        /// How it came in.
        via: Via,
        /// Its plan.
        plan: Arc<Plan>,
    },
}

/// How an account came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// Its owner signed in with a browser.
    Browser,
    /// By the key of this id.
    Key(u64),
    /// By a client that its owner let in, under the grant of this id.
    Client(u64),
}

impl Access {
    /// Opens the accounts, with a first operator where there are none.
    pub fn open(path: &Path, settings: AccessSettings) -> Result<Self, AccessError> {
        let AccessSettings { plans, self_registration, upgrade_url, oauth, clock } = settings;
        let access = Self {
            file: AccountsFile::open(path)?,
            plans,
            self_registration,
            upgrade_url,
            oauth,
            clock,
            ledger: Ledger::default(),
            passwords: Passwords::default(),
            throttle: Throttle::default(),
        };
        access.make_first_account()?;
        Ok(access)
    }

    /// The plans of this installation.
    pub fn plans(&self) -> &Plans {
        &self.plans
    }

    /// Where an account changes its plan, if the operator says so.
    pub fn upgrade_url(&self) -> Option<&str> {
        self.upgrade_url.as_deref()
    }

    /// Whether people may make accounts themselves.
    pub fn self_registration(&self) -> bool {
        self.self_registration
    }

    /// An account as a caller; none where it is disabled.
    pub fn caller_of(&self, account: &Account, via: Via) -> Option<Caller> {
        account.active.then(|| Caller::Account {
            account: account.id,
            via,
            plan: self.plans.of_account(&account.plan).clone(),
        })
    }

    /// Takes a place in the allowance of a caller.
    pub fn hold(&self, caller: &Caller) -> Result<Hold<'_>, AccessError> {
        let Caller::Account { account, via, plan } = caller else { return Ok(Hold::Free) };
        let payer = Payer { account: *account, via: *via, limit: plan.requests_per_month };
        let held = self.ledger.hold(&self.file, payer, self.clock.now())?;
        Ok(held.map_or_else(Hold::UsedUp, Hold::Held))
    }
}

/// What a caller gets who asks for one more request.
pub enum Hold<'a> {
    /// The caller is not charged.
    Free,
    /// A place in the allowance.
    Held(Held<'a>),
    /// Nothing: the allowance is used up.
    UsedUp(Allowance),
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use jiff::Timestamp;
    use tempfile::TempDir;

    use super::*;

    /// A clock that stands until it is set.
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
        let access = Access::open(&dir.path().join("accounts.redb"), settings).expect("opened");
        (dir, access, SetClock(now))
    }

    /// Accounts in a folder of their own.
    pub(crate) fn access() -> (TempDir, Access) {
        let (dir, access, _) = access_at("2026-05-01T12:00:00Z");
        (dir, access)
    }
}

//! Accounts as commands print them.

use serde::{Deserialize, Serialize};

use crate::service::Service;
use accounts::{AccessError, Account, AccountRole};

/// An account without its password's hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountSummary {
    /// Its id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: AccountRole,
    /// The name of its plan.
    pub plan: String,
    /// Whether its keys and sign-ins are accepted.
    pub active: bool,
    /// Whether its owner has set a password.
    pub password_set: bool,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
}

/// An account with its usage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountUsage {
    /// The account.
    #[serde(flatten)]
    pub account: AccountSummary,
    /// Requests of this month.
    pub used_this_month: u64,
    /// Requests it may make in a month; none is no limit.
    pub requests_per_month: Option<u64>,
}

/// An account with the link by which its password is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountLink {
    /// The account.
    #[serde(flatten)]
    pub account: AccountSummary,
    /// The link.
    pub setup_url: String,
    /// When it expires, RFC 3339 in UTC.
    pub expires_at: String,
}

impl AccountSummary {
    pub(super) fn from_account(account: &Account) -> Self {
        Self {
            id: account.id,
            name: account.name.clone(),
            role: account.role,
            plan: account.plan.clone(),
            active: account.active,
            password_set: account.password.is_some(),
            created_at: account.created_at.clone(),
        }
    }
}

impl AccountUsage {
    /// Every account with its usage.
    pub fn of_all_accounts(service: &Service) -> Result<Vec<Self>, AccessError> {
        let accounts = service.access.accounts().list_accounts()?;
        accounts.iter().map(|account| Self::of_account(service, account)).collect()
    }

    fn of_account(service: &Service, account: &Account) -> Result<Self, AccessError> {
        let allowance = service.access.charges().monthly_usage(account)?.allowance;
        Ok(Self {
            account: AccountSummary::from_account(account),
            used_this_month: allowance.used,
            requests_per_month: allowance.limit,
        })
    }
}

impl AccountLink {
    /// A new link of an account.
    pub(super) fn of_account(service: &Service, account: &Account) -> Result<Self, AccessError> {
        let link = service.access.passwords().create_setup_link(account.id)?;
        Ok(Self {
            account: AccountSummary::from_account(account),
            setup_url: service.address.setup_url(&link),
            expires_at: link.expires_at,
        })
    }
}

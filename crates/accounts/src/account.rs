//! One account: what is stored of it, and how it is looked up.

use redb::{ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{
    AccessError,
    database::{ACCOUNT_NAMES, ACCOUNTS, AccountsFile, decode_record},
};

/// What an account may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccountRole {
    /// Runs the installation: sees users, jobs and health.
    Operator,
    /// Uses it.
    Member,
}

impl AccountRole {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Member => "member",
        }
    }
}

/// What is stored of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Its id, for ever.
    pub id: u32,
    /// Its name, lower-case.
    pub name: String,
    /// Its role.
    pub role: AccountRole,
    /// The name of its plan.
    pub plan: String,
    /// Hash of its password; none until it is set by the link.
    pub password: Option<String>,
    /// Whether its keys and sign-ins are accepted.
    pub active: bool,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
}

/// The account with this id.
pub(super) fn load_account(file: &AccountsFile, id: u32) -> Result<Option<Account>, AccessError> {
    let table = file.begin_read()?.open_table(ACCOUNTS)?;
    table.get(id)?.map(|value| decode_record("account", value.value())).transpose()
}

/// The account of this name.
pub(super) fn load_account_by_name(
    file: &AccountsFile,
    name: &str,
) -> Result<Account, AccessError> {
    let name = name.trim().to_lowercase();
    let id = file.begin_read()?.open_table(ACCOUNT_NAMES)?.get(name.as_str())?;
    let account = match id {
        Some(id) => load_account(file, id.value())?,
        None => None,
    };
    account.ok_or(AccessError::UnknownAccount { name })
}

/// The account with this id, as a part of a change.
pub(super) fn load_account_in(
    txn: &WriteTransaction,
    id: u32,
) -> Result<Option<Account>, AccessError> {
    let accounts = txn.open_table(ACCOUNTS)?;
    let stored = accounts.get(id)?.map(|value| decode_record("account", value.value()));
    stored.transpose()
}

/// The name as it is stored.
pub(super) fn parse_account_name(name: &str) -> Result<String, AccessError> {
    let name = name.trim().to_lowercase();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let begins = name.starts_with(plain);
    if begins && name.len() <= 64 && name.chars().all(|c| plain(c) || ".-_@+".contains(c)) {
        return Ok(name);
    }
    Err(AccessError::InvalidName)
}

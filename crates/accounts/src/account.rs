//! One account: its stored record, and how it is looked up.

use serde::{Deserialize, Serialize};

use super::{
    AccessError,
    database::{
        ACCOUNT_NAMES, ACCOUNTS, AccountsChange, AccountsDatabase, RowTable, decode_record,
    },
    error::MAX_ACCOUNT_NAME_CHARS,
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
    /// The role as it is stored and printed.
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
    /// Its id; never given to another account.
    pub id: u32,
    /// Its name, lower-case.
    pub name: String,
    /// Its role.
    pub role: AccountRole,
    /// The name of its plan.
    pub plan: String,
    /// Hash of its password; `None` until it is set by a set-up link.
    pub password: Option<String>,
    /// Whether its keys and sign-ins are accepted.
    pub active: bool,
    /// When it was created, RFC 3339 in UTC.
    pub created_at: String,
}

/// The account with this id.
pub(super) fn load_account(
    database: &AccountsDatabase,
    id: u32,
) -> Result<Option<Account>, AccessError> {
    read_account(&database.begin_read()?.open_table(ACCOUNTS)?, id)
}

/// The account of this name.
pub(super) fn load_account_by_name(
    database: &AccountsDatabase,
    name: &str,
) -> Result<Account, AccessError> {
    let name = name.trim().to_lowercase();
    let id = database.begin_read()?.open_table(ACCOUNT_NAMES)?.get(name.as_str())?;
    let account = match id {
        Some(id) => load_account(database, id.value())?,
        None => None,
    };
    account.ok_or(AccessError::UnknownAccount { name })
}

/// The account with this id, read within a write transaction.
pub(super) fn load_account_in_transaction(
    txn: &AccountsChange<'_>,
    id: u32,
) -> Result<Option<Account>, AccessError> {
    read_account(&txn.open_table(ACCOUNTS)?, id)
}

fn read_account(
    accounts: &RowTable<'_, u32, &'static [u8]>,
    id: u32,
) -> Result<Option<Account>, AccessError> {
    accounts.get(id)?.map(|value| decode_record("account", value.value())).transpose()
}

/// An account's name as it is stored: trimmed, lower-case, and valid.
pub(super) fn parse_account_name(name: &str) -> Result<String, AccessError> {
    let name = name.trim().to_lowercase();
    let is_alphanumeric = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_allowed = |c: char| is_alphanumeric(c) || ".-_@+".contains(c);
    if name.starts_with(is_alphanumeric)
        && name.len() <= MAX_ACCOUNT_NAME_CHARS
        && name.chars().all(is_allowed)
    {
        return Ok(name);
    }
    Err(AccessError::InvalidAccountName)
}

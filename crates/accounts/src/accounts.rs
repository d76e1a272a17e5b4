//! Accounts: who there is, in which role, on which plan.

use redb::{ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{
    Access, AccessError,
    clock::printed,
    database::{ACCOUNT_NAMES, ACCOUNTS, LINKS, decode, encode},
    plans::{FREE, OPERATOR},
    sessions::end_sessions,
};

/// The account that the first run makes.
pub(super) const FIRST: u32 = 1;
/// Its name.
const FIRST_NAME: &str = "operator";

/// What an account may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Runs the installation: sees users, jobs and health.
    Operator,
    /// Uses it.
    Member,
}

impl Role {
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
    pub role: Role,
    /// The name of its plan.
    pub plan: String,
    /// Hash of its password; none until it is set by the link.
    pub password: Option<String>,
    /// Whether its keys and sign-ins are accepted.
    pub active: bool,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
}

impl Access {
    /// Makes an account; its password is set by a link (`make_link`).
    pub fn add_account(
        &self,
        name: &str,
        role: Role,
        plan: Option<&str>,
    ) -> Result<Account, AccessError> {
        self.insert_account(name, role, plan, None)
    }

    /// Makes an account for someone who registers themselves.
    pub fn register(&self, name: &str, password: &str) -> Result<Account, AccessError> {
        checked_name(name)?;
        let hash = self.passwords.hash(password)?;
        self.insert_account(name, Role::Member, None, Some(hash))
    }

    fn insert_account(
        &self,
        name: &str,
        role: Role,
        plan: Option<&str>,
        password: Option<String>,
    ) -> Result<Account, AccessError> {
        let name = checked_name(name)?;
        let usual = match role {
            Role::Operator => OPERATOR,
            Role::Member => FREE,
        };
        let plan = self.plans.named(plan.unwrap_or(usual))?.name.clone();
        let created_at = printed(self.clock.now());
        self.file.change(|txn| {
            let mut names = txn.open_table(ACCOUNT_NAMES)?;
            if names.get(name.as_str())?.is_some() {
                return Err(AccessError::NameTaken { name });
            }
            let mut accounts = txn.open_table(ACCOUNTS)?;
            let id = accounts.last()?.map_or(FIRST, |(id, _)| id.value() + 1);
            let account = Account { id, name, role, plan, password, active: true, created_at };
            names.insert(account.name.as_str(), id)?;
            accounts.insert(id, encode(&account).as_slice())?;
            Ok(account)
        })
    }

    /// Makes the first operator where there is no account at all.
    pub(super) fn make_first_account(&self) -> Result<(), AccessError> {
        if self.file.read()?.open_table(ACCOUNTS)?.first()?.is_none() {
            self.insert_account(FIRST_NAME, Role::Operator, None, None)?;
        }
        Ok(())
    }

    /// All accounts, oldest first.
    pub fn accounts(&self) -> Result<Vec<Account>, AccessError> {
        let table = self.file.read()?.open_table(ACCOUNTS)?;
        table.iter()?.map(|entry| decode("account", entry?.1.value())).collect()
    }

    /// The account with this id.
    pub fn account(&self, id: u32) -> Result<Option<Account>, AccessError> {
        let table = self.file.read()?.open_table(ACCOUNTS)?;
        table.get(id)?.map(|value| decode("account", value.value())).transpose()
    }

    /// The account of this name.
    pub fn account_named(&self, name: &str) -> Result<Account, AccessError> {
        let name = name.trim().to_lowercase();
        let id = self.file.read()?.open_table(ACCOUNT_NAMES)?.get(name.as_str())?;
        let account = match id {
            Some(id) => self.account(id.value())?,
            None => None,
        };
        account.ok_or(AccessError::UnknownAccount { name })
    }

    /// The oldest operator that is active: the owner of keys made at the machine itself.
    pub fn first_operator(&self) -> Result<Account, AccessError> {
        let first = self.accounts()?.into_iter().find(is_governing);
        first.ok_or_else(|| AccessError::UnknownAccount { name: FIRST_NAME.to_owned() })
    }

    /// Lets an account in, or refuses its keys and ends its sessions.
    pub fn set_active(&self, id: u32, active: bool) -> Result<Account, AccessError> {
        self.change_account(id, |account| account.active = active)
    }

    /// Puts an account on another plan.
    pub fn set_plan(&self, id: u32, plan: &str) -> Result<Account, AccessError> {
        let plan = self.plans.named(plan)?.name.clone();
        self.change_account(id, |account| account.plan = plan)
    }

    /// Gives an account another role.
    pub fn set_role(&self, id: u32, role: Role) -> Result<Account, AccessError> {
        self.change_account(id, |account| account.role = role)
    }

    /// Changes a stored account; sessions and links end where it is refused from now on, or where its password
    /// is another.
    pub(super) fn change_account(
        &self,
        id: u32,
        change: impl FnOnce(&mut Account),
    ) -> Result<Account, AccessError> {
        self.file.change(|txn| change_in(txn, id, change))
    }
}

/// Changes a stored account as a part of a larger change.
pub(super) fn change_in(
    txn: &WriteTransaction,
    id: u32,
    change: impl FnOnce(&mut Account),
) -> Result<Account, AccessError> {
    let mut table = txn.open_table(ACCOUNTS)?;
    let stored = table.get(id)?.map(|value| decode("account", value.value()));
    let unknown = || AccessError::UnknownAccount { name: id.to_string() };
    let before: Account = stored.ok_or_else(unknown)??;
    let mut account = before.clone();
    change(&mut account);
    table.insert(id, encode(&account).as_slice())?;
    if is_governing(&before) && !is_governing(&account) {
        let mut left = false;
        for entry in table.iter()? {
            left |= is_governing(&decode("account", entry?.1.value())?);
        }
        if !left {
            return Err(AccessError::LastOperator { name: before.name });
        }
    }
    if !account.active || account.password != before.password {
        end_sessions(txn, id, None)?;
        txn.open_table(LINKS)?.remove(id)?;
    }
    Ok(account)
}

/// Whether an account can run the installation.
fn is_governing(account: &Account) -> bool {
    account.active && account.role == Role::Operator
}

/// The name as it is stored.
pub(super) fn checked_name(name: &str) -> Result<String, AccessError> {
    let name = name.trim().to_lowercase();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let begins = name.starts_with(plain);
    if begins && name.len() <= 64 && name.chars().all(|c| plain(c) || ".-_@+".contains(c)) {
        return Ok(name);
    }
    Err(AccessError::InvalidName)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::access;

    #[test]
    fn the_first_account_is_an_operator_without_a_password() {
        let (_dir, access) = access();
        let accounts = access.accounts().expect("readable");
        assert_eq!(accounts.len(), 1);
        let first = &accounts[0];
        assert_eq!(
            (first.id, first.name.as_str(), first.role),
            (FIRST, "operator", Role::Operator)
        );
        assert_eq!((first.plan.as_str(), &first.password), (OPERATOR, &None));
    }

    #[test]
    fn names_are_checked_and_taken_once_in_any_case() {
        let (_dir, access) = access();
        let ann = access.add_account("Ann@Example.com", Role::Member, None).expect("made");
        assert_eq!((ann.name.as_str(), ann.plan.as_str()), ("ann@example.com", FREE));
        let again = access.add_account("ann@example.com", Role::Member, None);
        assert!(matches!(again, Err(AccessError::NameTaken { .. })));
        for name in ["", " ", "-ann", "an n", "ann/../x", "\u{e4}nn", &"a".repeat(65)] {
            let refused = access.add_account(name, Role::Member, None);
            assert!(matches!(refused, Err(AccessError::InvalidName)), "{name:?}");
        }
        let refused = access.add_account("bob", Role::Member, Some("gold"));
        assert!(matches!(refused, Err(AccessError::UnknownPlan { .. })));
        assert_eq!(access.account_named("ANN@example.com").expect("known"), ann);
    }

    #[test]
    fn one_operator_is_always_left() {
        let (_dir, access) = access();
        let refused = access.set_active(FIRST, false);
        assert!(matches!(refused, Err(AccessError::LastOperator { .. })));
        let refused = access.set_role(FIRST, Role::Member);
        assert!(matches!(refused, Err(AccessError::LastOperator { .. })));
        assert!(access.account(FIRST).expect("readable").expect("there").active);
        access.add_account("second", Role::Operator, None).expect("made");
        assert!(!access.set_active(FIRST, false).expect("another is left").active);
    }
}

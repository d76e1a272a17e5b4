//! Accounts: which exist, in which role, on which plan.

use super::{
    AccessError, Clock,
    account::{
        Account, AccountRole, load_account, load_account_by_name, load_account_in_transaction,
        parse_account_name,
    },
    clock::format_timestamp,
    database::{
        ACCOUNT_NAMES, ACCOUNTS, AccountsChange, AccountsDatabase, SETUP_LINKS, decode_record,
        encode_record,
    },
    passwords::Passwords,
    plans::{AccountPlans, FREE, OPERATOR, UNLIMITED},
    sessions::end_sessions,
};

/// Id of the account that the first run creates.
pub(super) const FIRST_ACCOUNT: u32 = 1;
/// Its name.
const FIRST_NAME: &str = "operator";

/// The accounts of a data folder.
#[derive(Clone, Copy)]
pub struct AccountDirectory<'a> {
    pub(super) database: &'a AccountsDatabase,
    pub(super) plans: &'a AccountPlans,
    pub(super) passwords: &'a Passwords,
    pub(super) clock: &'a Clock,
}

impl AccountDirectory<'_> {
    /// Creates an account; its password is set by a link (`AccountPasswords::create_setup_link`).
    pub fn add_account(
        &self,
        name: &str,
        role: AccountRole,
        plan: Option<&str>,
    ) -> Result<Account, AccessError> {
        self.insert_account(name, role, plan, None)
    }

    /// Creates an account for someone who registers themselves.
    pub fn register_account(&self, name: &str, password: &str) -> Result<Account, AccessError> {
        parse_account_name(name)?;
        let hash = self.passwords.hash_password(password)?;
        self.insert_account(name, AccountRole::Member, Some(FREE), Some(hash))
    }

    fn insert_account(
        &self,
        name: &str,
        role: AccountRole,
        plan: Option<&str>,
        password: Option<String>,
    ) -> Result<Account, AccessError> {
        let name = parse_account_name(name)?;
        let default_plan = match role {
            AccountRole::Operator => OPERATOR,
            AccountRole::Member => UNLIMITED,
        };
        let plan = self.plans.find_plan(plan.unwrap_or(default_plan))?.name.clone();
        let created_at = format_timestamp(self.clock.now());
        let account = Account { password, ..new_account(&name, role, &plan, &created_at) };
        self.database.write_transaction(|txn| insert_account_in_transaction(txn, account.clone()))
    }

    /// Creates the first operator if there is no account at all.
    pub(super) fn make_first_account(&self) -> Result<(), AccessError> {
        if self.database.begin_read()?.open_table(ACCOUNTS)?.first()?.is_none() {
            return match self.insert_account(FIRST_NAME, AccountRole::Operator, None, None) {
                // Another program that shares the accounts was faster.
                Ok(_) | Err(AccessError::NameTaken { .. }) => Ok(()),
                Err(error) => Err(error),
            };
        }
        Ok(())
    }

    /// All accounts, oldest first.
    pub fn list_accounts(&self) -> Result<Vec<Account>, AccessError> {
        let rows = self.database.begin_read()?.open_table(ACCOUNTS)?.iter()?;
        rows.iter().map(|(_, value)| decode_record("account", value.value())).collect()
    }

    /// The account with this id.
    pub fn account_by_id(&self, id: u32) -> Result<Option<Account>, AccessError> {
        load_account(self.database, id)
    }

    /// The account of this name.
    pub fn account_by_name(&self, name: &str) -> Result<Account, AccessError> {
        load_account_by_name(self.database, name)
    }

    /// The oldest operator that is active: the owner of keys made at the machine itself.
    pub fn first_operator(&self) -> Result<Account, AccessError> {
        let first = self.list_accounts()?.into_iter().find(is_active_operator);
        first.ok_or_else(|| AccessError::UnknownAccount { name: FIRST_NAME.to_owned() })
    }

    /// Enables an account, or disables it: its keys are rejected and its sessions end.
    pub fn set_active(&self, id: u32, active: bool) -> Result<Account, AccessError> {
        self.change_account(id, |account| account.active = active)
    }

    /// Puts an account on another plan.
    pub fn set_plan(&self, id: u32, plan: &str) -> Result<Account, AccessError> {
        let plan = self.plans.find_plan(plan)?.name.clone();
        self.change_account(id, |account| account.plan.clone_from(&plan))
    }

    /// Gives an account another role.
    pub fn set_role(&self, id: u32, role: AccountRole) -> Result<Account, AccessError> {
        self.change_account(id, |account| account.role = role)
    }

    /// Changes a stored account. Its sessions and its set-up link end if it is disabled or its password changes.
    pub(super) fn change_account(
        &self,
        id: u32,
        change: impl Fn(&mut Account),
    ) -> Result<Account, AccessError> {
        self.database.write_transaction(|txn| change_account_in_transaction(txn, id, &change))
    }
}

/// An account that is not stored yet, without a password.
pub(super) fn new_account(name: &str, role: AccountRole, plan: &str, created_at: &str) -> Account {
    Account {
        id: 0,
        name: name.to_owned(),
        role,
        plan: plan.to_owned(),
        password: None,
        active: true,
        created_at: created_at.to_owned(),
    }
}

/// Stores a new account, which gets its id, as a part of a larger change.
pub(super) fn insert_account_in_transaction(
    txn: &AccountsChange<'_>,
    mut account: Account,
) -> Result<Account, AccessError> {
    let mut names = txn.open_table(ACCOUNT_NAMES)?;
    if names.get(account.name.as_str())?.is_some() {
        return Err(AccessError::NameTaken { name: account.name });
    }
    let mut accounts = txn.open_table(ACCOUNTS)?;
    account.id = accounts.last()?.map_or(FIRST_ACCOUNT, |(id, _)| id.value() + 1);
    names.insert(account.name.as_str(), account.id)?;
    accounts.insert(account.id, encode_record(&account).as_slice())?;
    Ok(account)
}

/// Changes a stored account as a part of a larger change.
pub(super) fn change_account_in_transaction(
    txn: &AccountsChange<'_>,
    id: u32,
    change: impl FnOnce(&mut Account),
) -> Result<Account, AccessError> {
    let unknown = || AccessError::UnknownAccount { name: id.to_string() };
    let before = load_account_in_transaction(txn, id)?.ok_or_else(unknown)?;
    let mut table = txn.open_table(ACCOUNTS)?;
    let mut account = before.clone();
    change(&mut account);
    table.insert(id, encode_record(&account).as_slice())?;
    if is_active_operator(&before) && !is_active_operator(&account) {
        let mut operator_left = false;
        for (_, value) in table.iter()? {
            operator_left |= is_active_operator(&decode_record("account", value.value())?);
        }
        // Nobody could manage the accounts any more.
        if !operator_left {
            return Err(AccessError::LastOperator { name: before.name });
        }
    }
    if !account.active || account.password != before.password {
        end_sessions(txn, id, None)?;
        txn.open_table(SETUP_LINKS)?.remove(id)?;
    }
    Ok(account)
}

/// Whether an account can run the installation.
fn is_active_operator(account: &Account) -> bool {
    account.active && account.role == AccountRole::Operator
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::access;

    #[test]
    fn the_first_account_is_an_operator_without_a_password() {
        let (_dir, access) = access();
        let accounts = access.accounts().list_accounts().expect("readable");
        assert_eq!(accounts.len(), 1);
        let first = &accounts[0];
        assert_eq!(
            (first.id, first.name.as_str(), first.role),
            (FIRST_ACCOUNT, "operator", AccountRole::Operator)
        );
        assert_eq!((first.plan.as_str(), &first.password), (OPERATOR, &None));
    }

    #[test]
    fn names_are_validated_and_unique_regardless_of_case() {
        let (_dir, access) = access();
        let ann = access
            .accounts()
            .add_account("Ann@Example.com", AccountRole::Member, None)
            .expect("made");
        assert_eq!((ann.name.as_str(), ann.plan.as_str()), ("ann@example.com", UNLIMITED));
        let eve = access.accounts().register_account("eve", "a long password").expect("made");
        assert_eq!(eve.plan, FREE);
        let again = access.accounts().add_account("ann@example.com", AccountRole::Member, None);
        assert!(matches!(again, Err(AccessError::NameTaken { .. })));
        for name in ["", " ", "-ann", "an n", "ann/../x", "\u{e4}nn", &"a".repeat(65)] {
            let refused = access.accounts().add_account(name, AccountRole::Member, None);
            assert!(matches!(refused, Err(AccessError::InvalidAccountName)), "{name:?}");
        }
        let refused = access.accounts().add_account("bob", AccountRole::Member, Some("gold"));
        assert!(matches!(refused, Err(AccessError::UnknownPlan { .. })));
        assert_eq!(access.accounts().account_by_name("ANN@example.com").expect("known"), ann);
    }

    #[test]
    fn one_operator_is_always_left() {
        let (_dir, access) = access();
        let refused = access.accounts().set_active(FIRST_ACCOUNT, false);
        assert!(matches!(refused, Err(AccessError::LastOperator { .. })));
        let refused = access.accounts().set_role(FIRST_ACCOUNT, AccountRole::Member);
        assert!(matches!(refused, Err(AccessError::LastOperator { .. })));
        assert!(
            access
                .accounts()
                .account_by_id(FIRST_ACCOUNT)
                .expect("readable")
                .expect("there")
                .active
        );
        access.accounts().add_account("second", AccountRole::Operator, None).expect("made");
        assert!(
            !access.accounts().set_active(FIRST_ACCOUNT, false).expect("another is left").active
        );
    }
}

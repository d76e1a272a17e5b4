//! Identities at the company's server, and the accounts that they are linked to.
//!
//! An account is linked by a verified address once, and from then on by the subject alone: whoever gets the address of
//! someone who left does not get their account.

use super::{
    AccessError, Account, AccountDirectory, AccountRole,
    account::{load_account_in_transaction, parse_account_name},
    accounts::{insert_account_in_transaction, new_account},
    clock::format_timestamp,
    database::{ACCOUNT_NAMES, AccountsChange, IDENTITIES},
};

/// A person whose identity another server has proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvedIdentity<'a> {
    /// The server.
    pub issuer: &'a str,
    /// Who it is there, for ever.
    pub subject: &'a str,
    /// Their address, which that server has verified.
    pub email: &'a str,
}

/// The account of an identity, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdentityOutcome {
    /// Their account.
    Linked(Account),
    /// No account has the address, and none is made.
    Unknown,
    /// Their account is disabled.
    Disabled,
    /// The account with the address belongs to another identity.
    LinkedToAnother,
}

impl AccountDirectory<'_> {
    /// The account of an identity; links the account whose name is its address, or makes one on this plan.
    pub fn account_of_identity(
        &self,
        identity: &ProvedIdentity<'_>,
        new_account_plan: Option<&str>,
    ) -> Result<IdentityOutcome, AccessError> {
        let plan = new_account_plan.map(|name| self.plans.find_plan(name)).transpose()?;
        let plan = plan.map(|plan| plan.name.clone());
        let name = parse_account_name(identity.email)?;
        let created_at = format_timestamp(self.clock.now());
        // An issuer is a URL, so it has no line break.
        let linked = format!("{}\n{}", identity.issuer, identity.subject);
        self.database.write_transaction(|txn| {
            if let Some(id) = find_linked_account(txn, &linked)? {
                return Ok(outcome_of(load_account_in_transaction(txn, id)?));
            }
            let named = txn.open_table(ACCOUNT_NAMES)?.get(name.as_str())?.map(|id| id.value());
            let account = match (named, &plan) {
                (Some(id), _) => load_account_in_transaction(txn, id)?,
                (None, Some(plan)) => {
                    let account = new_account(&name, AccountRole::Member, plan, &created_at);
                    Some(insert_account_in_transaction(txn, account)?)
                }
                (None, None) => None,
            };
            let outcome = outcome_of(account);
            if let IdentityOutcome::Linked(account) = &outcome {
                let mut identities = txn.open_table(IDENTITIES)?;
                if identities.get(account.id)?.is_some() {
                    return Ok(IdentityOutcome::LinkedToAnother);
                }
                identities.insert(account.id, linked.as_str())?;
            }
            Ok(outcome)
        })
    }

    /// Unlinks an account from its identity; false if it has none.
    pub fn unlink_identity(&self, id: u32) -> Result<bool, AccessError> {
        self.database.write_transaction(|txn| Ok(txn.open_table(IDENTITIES)?.remove(id)?.is_some()))
    }
}

fn find_linked_account(txn: &AccountsChange<'_>, linked: &str) -> Result<Option<u32>, AccessError> {
    for (account, identity) in txn.open_table(IDENTITIES)?.iter()? {
        if identity.value() == linked {
            return Ok(Some(account.value()));
        }
    }
    Ok(None)
}

fn outcome_of(account: Option<Account>) -> IdentityOutcome {
    match account {
        None => IdentityOutcome::Unknown,
        Some(account) if account.active => IdentityOutcome::Linked(account),
        Some(_) => IdentityOutcome::Disabled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, FREE, UNLIMITED, tests::access};

    fn find(access: &Access, subject: &str, email: &str, plan: Option<&str>) -> IdentityOutcome {
        let identity = ProvedIdentity { issuer: "https://login.lab.example", subject, email };
        access.accounts().account_of_identity(&identity, plan).expect("stored")
    }

    #[test]
    fn an_account_is_linked_by_its_address_once_and_then_by_the_subject_alone() {
        let (_dir, access) = access();
        let ann = access.accounts().add_account("ann@lab.example", AccountRole::Member, None);
        let ann = ann.expect("made");
        assert_eq!(find(&access, "1", "bob@lab.example", None), IdentityOutcome::Unknown);
        assert_eq!(
            find(&access, "1", "Ann@Lab.example", None),
            IdentityOutcome::Linked(ann.clone())
        );
        let renamed = find(&access, "1", "ann.smith@lab.example", None);
        assert_eq!(renamed, IdentityOutcome::Linked(ann.clone()));
        let successor = find(&access, "2", "ann@lab.example", Some(FREE));
        assert_eq!(successor, IdentityOutcome::LinkedToAnother);
        let issuer = "https://other.example";
        let other = ProvedIdentity { issuer, subject: "1", email: "ann@lab.example" };
        let other = access.accounts().account_of_identity(&other, None).expect("read");
        assert_eq!(other, IdentityOutcome::LinkedToAnother);
        access.accounts().set_active(ann.id, false).expect("disabled");
        assert_eq!(find(&access, "1", "ann@lab.example", None), IdentityOutcome::Disabled);
        let ann = access.accounts().set_active(ann.id, true).expect("enabled");
        assert!(access.accounts().unlink_identity(ann.id).expect("stored"));
        assert!(!access.accounts().unlink_identity(ann.id).expect("read"));
        assert_eq!(find(&access, "2", "ann@lab.example", None), IdentityOutcome::Linked(ann));
    }

    #[test]
    fn a_first_sign_in_makes_an_account_only_if_that_is_configured() {
        let (_dir, access) = access();
        assert_eq!(find(&access, "1", "eve@lab.example", None), IdentityOutcome::Unknown);
        let IdentityOutcome::Linked(eve) = find(&access, "1", "eve@lab.example", Some(UNLIMITED))
        else {
            panic!("she has an account now");
        };
        assert_eq!((eve.name.as_str(), eve.role), ("eve@lab.example", AccountRole::Member));
        assert_eq!((eve.plan.as_str(), &eve.password), (UNLIMITED, &None));
        assert_eq!(find(&access, "1", "eve@lab.example", None), IdentityOutcome::Linked(eve));
        let identity = ProvedIdentity { issuer: "i", subject: "2", email: "o'neil@lab.example" };
        let refused = access.accounts().account_of_identity(&identity, Some(FREE));
        assert!(matches!(refused, Err(AccessError::InvalidAccountName)), "{refused:?}");
    }
}

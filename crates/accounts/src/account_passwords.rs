//! Passwords of accounts: changed by someone who knows the current one, or set by a link that works once.

use super::{
    AccessError, Account, Clock,
    account::load_account,
    accounts::change_account_in_transaction,
    clock::{add_seconds, format_timestamp, has_ended},
    database::{AccountsDatabase, SETUP_LINKS},
    oauth::end_grants,
    passwords::Passwords,
    secret::{hash_secret, new_secret},
};

/// A set-up link expires after a day: it is sent by mail or chat, where others may find it later.
const LINK_LIFETIME_S: i64 = 24 * 3600;

/// A link that was just created.
#[derive(Debug, Clone)]
pub struct SetupLink {
    /// The secret in the link; shown now and never again.
    pub token: String,
    /// When it expires, RFC 3339 in UTC.
    pub expires_at: String,
}

/// Passwords of accounts, and the links by which they are set.
#[derive(Clone, Copy)]
pub struct AccountPasswords<'a> {
    pub(super) database: &'a AccountsDatabase,
    pub(super) passwords: &'a Passwords,
    pub(super) clock: &'a Clock,
}

impl AccountPasswords<'_> {
    /// Creates a link for an account; an earlier one becomes invalid.
    pub fn create_setup_link(&self, account: u32) -> Result<SetupLink, AccessError> {
        let token = new_secret()?;
        let expires = add_seconds(self.clock.now(), LINK_LIFETIME_S);
        self.database.write_transaction(|txn| {
            txn.open_table(SETUP_LINKS)?
                .insert(account, (&hash_secret(&token), expires.as_second()))?;
            Ok(())
        })?;
        Ok(SetupLink { token, expires_at: format_timestamp(expires) })
    }

    /// The account of a link; `None` if it was used, has expired, or never existed.
    pub fn link_owner(&self, token: &str) -> Result<Option<Account>, AccessError> {
        let token_hash = hash_secret(token);
        let links = self.database.begin_read()?.open_table(SETUP_LINKS)?.iter()?;
        for (account, link) in links {
            let (hash, expires) = link.value();
            let made = expires.saturating_sub(LINK_LIFETIME_S);
            if *hash == token_hash && !has_ended(made, LINK_LIFETIME_S, self.clock.unix_seconds()) {
                let owner = load_account(self.database, account.value())?;
                return Ok(owner.filter(|account| account.active));
            }
        }
        Ok(None)
    }

    /// Sets a password by a link, which then no longer works. Sessions and OAuth grants of the account end: a link is
    /// needed if a password was lost, perhaps to an attacker.
    pub fn set_password_by_link(
        &self,
        token: &str,
        password: &str,
    ) -> Result<Account, AccessError> {
        let owner = self.link_owner(token)?.ok_or(AccessError::InvalidLink)?;
        let hash = self.passwords.hash_password(password)?;
        let token_hash = hash_secret(token);
        // Hashing takes a while: the link is checked again in the transaction that removes it.
        self.database.write_transaction(|txn| {
            let links = txn.open_table(SETUP_LINKS)?;
            let is_current = links.get(owner.id)?.is_some_and(|link| *link.value().0 == token_hash);
            drop(links);
            if !is_current {
                return Err(AccessError::InvalidLink);
            }
            end_grants(txn, owner.id)?;
            // A new password removes the link.
            change_account_in_transaction(txn, owner.id, |account| {
                account.password = Some(hash.clone());
            })
        })
    }

    /// Changes the password of an account; `None` if `current` is not its password.
    pub fn change_password(
        &self,
        account: &Account,
        current: &str,
        new: &str,
    ) -> Result<Option<Account>, AccessError> {
        if !self.passwords.is_correct_password(current, account.password.as_deref())? {
            return Ok(None);
        }
        let hash = self.passwords.hash_password(new)?;
        self.database.write_transaction(|txn| {
            // Of two concurrent changes the first one counts: the current password of the second one is then out of
            // date.
            let mut is_unchanged = false;
            let changed = change_account_in_transaction(txn, account.id, |stored| {
                is_unchanged = stored.password == account.password;
                if is_unchanged {
                    stored.password = Some(hash.clone());
                }
            })?;
            Ok(is_unchanged.then_some(changed))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{accounts::FIRST_ACCOUNT, tests::access_at};

    #[test]
    fn a_link_works_once_and_for_a_day() {
        let (_dir, access, clock) = access_at("2026-05-01T12:00:00Z");
        let link = access.passwords().create_setup_link(FIRST_ACCOUNT).expect("made");
        assert_eq!(link.expires_at, "2026-05-02T12:00:00Z");
        let owner = access.passwords().link_owner(&link.token).expect("readable").expect("valid");
        assert_eq!(owner.id, FIRST_ACCOUNT);
        let set =
            access.passwords().set_password_by_link(&link.token, "a long password").expect("set");
        assert!(set.password.is_some());
        let again = access.passwords().set_password_by_link(&link.token, "another password");
        assert!(matches!(again, Err(AccessError::InvalidLink)));
        let late = access.passwords().create_setup_link(FIRST_ACCOUNT).expect("made");
        clock.set("2026-05-02T12:00:00Z");
        assert!(access.passwords().link_owner(&late.token).expect("readable").is_none());
    }

    #[test]
    fn a_link_is_void_when_its_account_got_another_password_or_is_disabled() {
        let (_dir, access, _) = access_at("2026-05-01T12:00:00Z");
        let link = access.passwords().create_setup_link(FIRST_ACCOUNT).expect("made");
        let account =
            access.passwords().set_password_by_link(&link.token, "a long password").expect("set");
        let old = access.passwords().create_setup_link(FIRST_ACCOUNT).expect("made");
        let change = |new| {
            access.passwords().change_password(&account, "a long password", new).expect("compared")
        };
        assert!(change("another password").is_some());
        assert!(access.passwords().link_owner(&old.token).expect("readable").is_none());
        assert!(change("a third password").is_none(), "the second of two changes");
        access.accounts().add_account("second", crate::AccountRole::Operator, None).expect("made");
        let disabled = access.passwords().create_setup_link(FIRST_ACCOUNT).expect("made");
        access.accounts().set_active(FIRST_ACCOUNT, false).expect("disabled");
        access.accounts().set_active(FIRST_ACCOUNT, true).expect("enabled");
        assert!(access.passwords().link_owner(&disabled.token).expect("readable").is_none());
    }

    #[test]
    fn a_newer_link_makes_the_older_one_void_and_a_bad_password_uses_none_up() {
        let (_dir, access, _) = access_at("2026-05-01T12:00:00Z");
        let first = access.passwords().create_setup_link(FIRST_ACCOUNT).expect("made");
        let second = access.passwords().create_setup_link(FIRST_ACCOUNT).expect("made");
        assert!(access.passwords().link_owner(&first.token).expect("readable").is_none());
        let short = access.passwords().set_password_by_link(&second.token, "short");
        assert!(matches!(short, Err(AccessError::InvalidPassword { .. })));
        assert!(access.passwords().set_password_by_link(&second.token, "a long password").is_ok());
    }
}

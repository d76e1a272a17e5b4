//! Sign-ins and the sessions that follow.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::{
    AccessError, Account, Clock,
    account::{
        load_account, load_account_by_name, load_account_in_transaction, parse_account_name,
    },
    clock::has_ended,
    database::{AccountsChange, AccountsDatabase, SESSIONS, decode_record, encode_record},
    passwords::Passwords,
    secret::{SecretHash, encode_hex, hash_secret, new_secret},
    throttle::Throttle,
};

/// A session that is unused for this long ends.
const SESSION_IDLE_LIMIT_S: i64 = 7 * 24 * 3600;
/// A session ends after this long, used or not: a cookie that was copied from a browser does not work forever.
const SESSION_LIFETIME_S: i64 = 30 * 24 * 3600;
/// The last use of a session is stored at most this often: otherwise each page would wait for a write. The idle limit
/// is a week, so an hour does not matter.
const LAST_SEEN_INTERVAL_S: i64 = 3600;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct SessionRow {
    account: u32,
    created: i64,
    seen: i64,
}

impl SessionRow {
    fn is_expired(&self, now: i64) -> bool {
        has_ended(self.seen, SESSION_IDLE_LIMIT_S, now)
            || has_ended(self.created, SESSION_LIFETIME_S, now)
    }
}

/// A person who is signed in.
#[derive(Debug, Clone)]
pub struct Session {
    /// Their account.
    pub account: Account,
    /// What their forms must contain, so that no other site's form is accepted as theirs.
    pub form_token: String,
}

/// The outcome of an attempt to sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInOutcome {
    /// The person is signed in.
    SignedIn {
        /// The value of the session cookie, for this browser alone.
        cookie: String,
    },
    /// Name or password is wrong, or the account is disabled; a stranger does not learn which.
    Refused,
    /// There were too many attempts.
    TooMany {
        /// Seconds after which the client may try again.
        retry_after_s: u64,
    },
}

/// Sign-ins and sessions of all accounts.
#[derive(Clone, Copy)]
pub struct AccountSessions<'a> {
    pub(super) database: &'a AccountsDatabase,
    pub(super) passwords: &'a Passwords,
    pub(super) throttle: &'a Throttle,
    pub(super) clock: &'a Clock,
}

impl AccountSessions<'_> {
    /// Signs someone in.
    pub fn sign_in(
        &self,
        name: &str,
        password: &str,
        address: IpAddr,
    ) -> Result<SignInOutcome, AccessError> {
        // One spelling for the throttle and for the look-up; attempts with an invalid name count for
        // the address alone.
        let name = parse_account_name(name).unwrap_or_default();
        if let Err(retry_after_s) = self.throttle.admit_attempt(address, &name) {
            return Ok(SignInOutcome::TooMany { retry_after_s });
        }
        let account = match load_account_by_name(self.database, &name) {
            Ok(account) => Some(account).filter(|account| account.active),
            Err(AccessError::UnknownAccount { .. }) => None,
            Err(error) => return Err(error),
        };
        let stored = account.as_ref().and_then(|account| account.password.as_deref());
        if !self.passwords.is_correct_password(password, stored)? {
            return Ok(SignInOutcome::Refused);
        }
        let cookie = match account {
            Some(account) => self.begin_session(&account)?,
            None => None,
        };
        if cookie.is_some() {
            self.throttle.remember_network(address, &name);
        }
        Ok(cookie.map_or(SignInOutcome::Refused, |cookie| SignInOutcome::SignedIn { cookie }))
    }

    /// Counts an attempt of a signed-in person to enter their current password; if there were too many, returns the
    /// seconds until the next one is allowed.
    pub fn admit_password(&self, account: &Account, address: IpAddr) -> Result<(), u64> {
        self.throttle.admit_attempt(address, &account.name)
    }

    /// Counts an attempt to register an account; if there were too many, returns the seconds until the next one is
    /// allowed.
    pub fn admit_registration(&self, address: IpAddr) -> Result<(), u64> {
        self.throttle.admit_registration(address)
    }

    /// Begins a session and returns the value of its cookie; `None` if the account was disabled or got another
    /// password since it was read: a password must not outlive its change.
    pub fn begin_session(&self, account: &Account) -> Result<Option<String>, AccessError> {
        let cookie = new_secret()?;
        let now = self.clock.unix_seconds();
        let row = SessionRow { account: account.id, created: now, seen: now };
        self.database.write_transaction(|txn| {
            let is_unchanged =
                |stored: &Account| stored.active && stored.password == account.password;
            if !load_account_in_transaction(txn, account.id)?.as_ref().is_some_and(is_unchanged) {
                return Ok(None);
            }
            let mut table = txn.open_table(SESSIONS)?;
            table.retain(|_, value| {
                decode_record::<SessionRow>("session", value).is_ok_and(|row| !row.is_expired(now))
            })?;
            table.insert(&hash_secret(&cookie), encode_record(&row).as_slice())?;
            Ok(Some(cookie.clone()))
        })
    }

    /// The session of a cookie; `None` if there is none, or it has expired.
    pub fn find_session(&self, cookie: &str) -> Result<Option<Session>, AccessError> {
        let hash = hash_secret(cookie);
        let stored = match self.database.begin_read()?.open_table(SESSIONS)?.get(&hash)? {
            Some(value) => decode_record::<SessionRow>("session", value.value())?,
            None => return Ok(None),
        };
        let now = self.clock.unix_seconds();
        if stored.is_expired(now) {
            return Ok(None);
        }
        let account = load_account(self.database, stored.account)?.filter(|account| account.active);
        let Some(account) = account else { return Ok(None) };
        if now - stored.seen >= LAST_SEEN_INTERVAL_S
            && let Err(error) = self.store_last_seen(&hash, now)
        {
            // A failure to store it must not lock people out.
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "the use of a session could not be stored");
        }
        Ok(Some(Session { account, form_token: derive_form_token(cookie) }))
    }

    fn store_last_seen(&self, hash: &SecretHash, now: i64) -> Result<(), AccessError> {
        self.database.write_transaction(|txn| {
            let mut table = txn.open_table(SESSIONS)?;
            // The session may have ended meanwhile.
            let stored = table.get(hash)?.map(|value| decode_record("session", value.value()));
            if let Some(row) = stored.transpose()? {
                let row = SessionRow { seen: now, ..row };
                table.insert(hash, encode_record(&row).as_slice())?;
            }
            Ok(())
        })
    }

    /// Ends the session of a cookie.
    pub fn end_session(&self, cookie: &str) -> Result<(), AccessError> {
        self.database.write_transaction(|txn| {
            txn.open_table(SESSIONS)?.remove(&hash_secret(cookie))?;
            Ok(())
        })
    }

    /// Ends all sessions of an account except that of one cookie; returns how many ended.
    pub fn end_other_sessions(&self, account: u32, cookie: &str) -> Result<usize, AccessError> {
        self.database
            .write_transaction(|txn| end_sessions(txn, account, Some(&hash_secret(cookie))))
    }

    /// How many sessions of an account there are.
    pub fn session_count(&self, account: u32) -> Result<usize, AccessError> {
        let now = self.clock.unix_seconds();
        let mut count = 0;
        for (_, value) in self.database.begin_read()?.open_table(SESSIONS)?.iter()? {
            let row: SessionRow = decode_record("session", value.value())?;
            count += usize::from(row.account == account && !row.is_expired(now));
        }
        Ok(count)
    }
}

/// The token of a session's forms, derived from the cookie; the cookie cannot be derived from it.
fn derive_form_token(cookie: &str) -> String {
    encode_hex(&hash_secret(&format!("form {cookie}")))
}

/// Ends the sessions of an account except one; returns how many ended.
pub(super) fn end_sessions(
    txn: &AccountsChange<'_>,
    account: u32,
    except: Option<&SecretHash>,
) -> Result<usize, AccessError> {
    let mut ended = 0;
    txn.open_table(SESSIONS)?.retain(|hash, value| {
        let row = decode_record::<SessionRow>("session", value);
        let ends = row.is_ok_and(|row| row.account == account) && except != Some(hash);
        ended += usize::from(ends);
        !ends
    })?;
    Ok(ended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Access,
        accounts::FIRST_ACCOUNT,
        tests::{access, access_at},
    };

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn with_password(access: &Access) {
        let link = access.passwords().create_setup_link(FIRST_ACCOUNT).expect("made");
        access.passwords().set_password_by_link(&link.token, "a long password").expect("set");
    }

    fn sign_in(access: &Access) -> String {
        match access.sessions().sign_in("Operator", "a long password", HERE).expect("readable") {
            SignInOutcome::SignedIn { cookie } => cookie,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_session_lasts_while_it_is_used_and_no_longer_than_a_month() {
        let (_dir, access, clock) = access_at("2026-05-01T12:00:00Z");
        with_password(&access);
        let cookie = sign_in(&access);
        for day in [6, 12, 18, 24, 30] {
            clock.set(&format!("2026-05-{day:02}T12:00:00Z"));
            assert!(access.sessions().find_session(&cookie).expect("readable").is_some(), "{day}");
        }
        clock.set("2026-05-31T12:00:00Z");
        assert!(access.sessions().find_session(&cookie).expect("readable").is_none());
        let idle = sign_in(&access);
        clock.set("2026-06-07T12:00:00Z");
        assert!(access.sessions().find_session(&idle).expect("readable").is_none());
    }

    #[test]
    fn sessions_end_at_sign_out_when_disabled_and_when_the_password_changes() {
        let (_dir, access) = access();
        with_password(&access);
        let is_on =
            |cookie: &str| access.sessions().find_session(cookie).expect("readable").is_some();
        let (one, two) = (sign_in(&access), sign_in(&access));
        access.sessions().end_session(&one).expect("ended");
        assert!(!is_on(&one) && is_on(&two));
        let three = sign_in(&access);
        assert_eq!(access.sessions().end_other_sessions(FIRST_ACCOUNT, &three).expect("ended"), 1);
        assert!(!is_on(&two) && is_on(&three));
        with_password(&access);
        assert!(!is_on(&three));
        let four = sign_in(&access);
        access.accounts().add_account("second", crate::AccountRole::Operator, None).expect("made");
        access.accounts().set_active(FIRST_ACCOUNT, false).expect("disabled");
        assert!(!is_on(&four));
        let refused =
            access.sessions().sign_in("operator", "a long password", HERE).expect("readable");
        assert_eq!(refused, SignInOutcome::Refused);
    }

    #[test]
    fn unknown_cookies_have_no_session_and_form_tokens_differ_from_cookies() {
        let (_dir, access) = access();
        with_password(&access);
        let cookie = sign_in(&access);
        for foreign in ["", "x", &cookie[..63], &cookie.to_uppercase()] {
            assert!(
                access.sessions().find_session(foreign).expect("readable").is_none(),
                "{foreign:?}"
            );
        }
        let session = access.sessions().find_session(&cookie).expect("readable").expect("on");
        assert_ne!(session.form_token, cookie);
        let again = access.sessions().find_session(&cookie).expect("readable").expect("on");
        assert_eq!(session.form_token, again.form_token);
    }

    #[test]
    fn guessing_is_slowed_down() {
        let (_dir, access) = access();
        with_password(&access);
        let wrong =
            || access.sessions().sign_in("operator", "not the password", HERE).expect("readable");
        let outcomes: Vec<SignInOutcome> = (0..11).map(|_| wrong()).collect();
        let last = outcomes.last();
        assert!(matches!(last, Some(SignInOutcome::TooMany { retry_after_s: 1.. })), "{last:?}");
    }
}

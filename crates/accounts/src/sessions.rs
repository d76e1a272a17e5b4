//! Sign-ins and the sessions that follow.

use std::net::IpAddr;

use redb::{ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{
    Access, AccessError, Account,
    accounts::checked_name,
    database::{ACCOUNTS, SESSIONS, decode, encode},
    secret::{SecretHash, hash_of, hex, new_secret},
};

/// A session that is not used for so long ends.
const IDLE_S: i64 = 7 * 24 * 3600;
/// A session ends after so long, used or not.
const LIFE_S: i64 = 30 * 24 * 3600;
/// How often its use is written down.
const SEEN_EVERY_S: i64 = 3600;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct SessionRow {
    account: u32,
    created: i64,
    seen: i64,
}

impl SessionRow {
    fn is_over(&self, now: i64) -> bool {
        now - self.seen >= IDLE_S || now - self.created >= LIFE_S
    }
}

/// A person who is signed in.
#[derive(Debug, Clone)]
pub struct Session {
    /// Their account.
    pub account: Account,
    /// What their forms must carry, so that no other site's form is taken for theirs.
    pub form_token: String,
}

/// How a try to sign in ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    /// Well: the value of the cookie.
    Done {
        /// Shown to this browser alone.
        cookie: String,
    },
    /// Name or password is wrong, or the account is disabled; a stranger is not told which.
    Refused,
    /// There were too many tries.
    TooMany {
        /// Seconds until the next is let in.
        retry_after_s: u64,
    },
}

impl Access {
    /// Signs someone in.
    pub fn sign_in(
        &self,
        name: &str,
        password: &str,
        address: IpAddr,
    ) -> Result<SignIn, AccessError> {
        // One spelling for the throttle and for the look-up; what no account can be called counts
        // as tries of the address alone.
        let name = checked_name(name).unwrap_or_default();
        if let Err(retry_after_s) = self.throttle.admit(address, &name) {
            return Ok(SignIn::TooMany { retry_after_s });
        }
        let account = match self.account_named(&name) {
            Ok(account) => Some(account).filter(|account| account.active),
            Err(AccessError::UnknownAccount { .. }) => None,
            Err(error) => return Err(error),
        };
        let stored = account.as_ref().and_then(|account| account.password.as_deref());
        if !self.passwords.is_right(password, stored)? {
            return Ok(SignIn::Refused);
        }
        let cookie = match account {
            Some(account) => self.begin_session(&account)?,
            None => None,
        };
        if cookie.is_some() {
            self.throttle.know(address, &name);
        }
        Ok(cookie.map_or(SignIn::Refused, |cookie| SignIn::Done { cookie }))
    }

    /// Counts a try of someone who is signed in to give their present password; where there were too
    /// many, the seconds until the next.
    pub fn admit_password(&self, account: &Account, address: IpAddr) -> Result<(), u64> {
        self.throttle.admit(address, &account.name)
    }

    /// Counts a try to make an account; where there were too many, the seconds until the next.
    pub fn admit_registration(&self, address: IpAddr) -> Result<(), u64> {
        self.throttle.admit(address, "")
    }

    /// Begins a session; the value of its cookie. None where the account was disabled or got another
    /// password since it was read: a password must not outlive its change.
    pub fn begin_session(&self, account: &Account) -> Result<Option<String>, AccessError> {
        let cookie = new_secret()?;
        let now = self.clock.seconds();
        let row = SessionRow { account: account.id, created: now, seen: now };
        self.file.change(|txn| {
            let accounts = txn.open_table(ACCOUNTS)?;
            let stored =
                accounts.get(account.id)?.map(|value| decode::<Account>("account", value.value()));
            let same = |stored: &Account| stored.active && stored.password == account.password;
            if !stored.transpose()?.as_ref().is_some_and(same) {
                return Ok(None);
            }
            let mut table = txn.open_table(SESSIONS)?;
            table.retain(|_, value| {
                decode::<SessionRow>("session", value).is_ok_and(|row| !row.is_over(now))
            })?;
            table.insert(&hash_of(&cookie), encode(&row).as_slice())?;
            Ok(Some(cookie))
        })
    }

    /// Whose session a cookie is; none where there is none, or it is over.
    pub fn session(&self, cookie: &str) -> Result<Option<Session>, AccessError> {
        let hash = hash_of(cookie);
        let stored = match self.file.read()?.open_table(SESSIONS)?.get(&hash)? {
            Some(value) => decode::<SessionRow>("session", value.value())?,
            None => return Ok(None),
        };
        let now = self.clock.seconds();
        if stored.is_over(now) {
            return Ok(None);
        }
        let account = self.account(stored.account)?.filter(|account| account.active);
        let Some(account) = account else { return Ok(None) };
        if now - stored.seen >= SEEN_EVERY_S
            && let Err(error) = self.note_seen(&hash, now)
        {
            // People are not locked out for that.
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "the use of a session was not noted");
        }
        Ok(Some(Session { account, form_token: form_token(cookie) }))
    }

    fn note_seen(&self, hash: &SecretHash, now: i64) -> Result<(), AccessError> {
        self.file.change(|txn| {
            let mut table = txn.open_table(SESSIONS)?;
            // It may have been ended meanwhile.
            let stored = table.get(hash)?.map(|value| decode("session", value.value()));
            if let Some(row) = stored.transpose()? {
                let row = SessionRow { seen: now, ..row };
                table.insert(hash, encode(&row).as_slice())?;
            }
            Ok(())
        })
    }

    /// Ends the session of a cookie.
    pub fn end_session(&self, cookie: &str) -> Result<(), AccessError> {
        self.file.change(|txn| {
            txn.open_table(SESSIONS)?.remove(&hash_of(cookie))?;
            Ok(())
        })
    }

    /// Ends all sessions of an account but that of one cookie; how many there were.
    pub fn end_other_sessions(&self, account: u32, cookie: &str) -> Result<usize, AccessError> {
        self.file.change(|txn| end_sessions(txn, account, Some(&hash_of(cookie))))
    }

    /// How many sessions of an account there are.
    pub fn session_count(&self, account: u32) -> Result<usize, AccessError> {
        let now = self.clock.seconds();
        let mut count = 0;
        for entry in self.file.read()?.open_table(SESSIONS)?.iter()? {
            let row: SessionRow = decode("session", entry?.1.value())?;
            count += usize::from(row.account == account && !row.is_over(now));
        }
        Ok(count)
    }
}

/// The token of a session's forms: it follows from the cookie, and the cookie not from it.
fn form_token(cookie: &str) -> String {
    hex(&hash_of(&format!("form {cookie}")))
}

/// Ends the sessions of an account, but for one; how many there were.
pub(super) fn end_sessions(
    txn: &WriteTransaction,
    account: u32,
    but: Option<&SecretHash>,
) -> Result<usize, AccessError> {
    let mut ended = 0;
    txn.open_table(SESSIONS)?.retain(|hash, value| {
        let row = decode::<SessionRow>("session", value);
        let ends = row.is_ok_and(|row| row.account == account) && but != Some(hash);
        ended += usize::from(ends);
        !ends
    })?;
    Ok(ended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        accounts::FIRST,
        tests::{access, access_at},
    };

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn with_password(access: &Access) {
        let link = access.make_link(FIRST).expect("made");
        access.set_password_by_link(&link.token, "a long password").expect("set");
    }

    fn sign_in(access: &Access) -> String {
        match access.sign_in("Operator", "a long password", HERE).expect("readable") {
            SignIn::Done { cookie } => cookie,
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
            assert!(access.session(&cookie).expect("readable").is_some(), "{day}");
        }
        clock.set("2026-05-31T12:00:00Z");
        assert!(access.session(&cookie).expect("readable").is_none());
        let idle = sign_in(&access);
        clock.set("2026-06-07T12:00:00Z");
        assert!(access.session(&idle).expect("readable").is_none());
    }

    #[test]
    fn sessions_end_when_asked_when_disabled_and_when_the_password_changes() {
        let (_dir, access) = access();
        with_password(&access);
        let is_on = |cookie: &str| access.session(cookie).expect("readable").is_some();
        let (one, two) = (sign_in(&access), sign_in(&access));
        access.end_session(&one).expect("ended");
        assert!(!is_on(&one) && is_on(&two));
        let three = sign_in(&access);
        assert_eq!(access.end_other_sessions(FIRST, &three).expect("ended"), 1);
        assert!(!is_on(&two) && is_on(&three));
        with_password(&access);
        assert!(!is_on(&three));
        let four = sign_in(&access);
        access.add_account("second", crate::Role::Operator, None).expect("made");
        access.set_active(FIRST, false).expect("disabled");
        assert!(!is_on(&four));
        let refused = access.sign_in("operator", "a long password", HERE).expect("readable");
        assert_eq!(refused, SignIn::Refused);
    }

    #[test]
    fn foreign_cookies_are_nobodys_and_forms_have_another_token() {
        let (_dir, access) = access();
        with_password(&access);
        let cookie = sign_in(&access);
        for foreign in ["", "x", &cookie[..63], &cookie.to_uppercase()] {
            assert!(access.session(foreign).expect("readable").is_none(), "{foreign:?}");
        }
        let session = access.session(&cookie).expect("readable").expect("on");
        assert_ne!(session.form_token, cookie);
        let again = access.session(&cookie).expect("readable").expect("on");
        assert_eq!(session.form_token, again.form_token);
    }

    #[test]
    fn guessing_is_slowed_down() {
        let (_dir, access) = access();
        with_password(&access);
        let wrong = || access.sign_in("operator", "not the password", HERE).expect("readable");
        let tries: Vec<SignIn> = (0..11).map(|_| wrong()).collect();
        let last = tries.last();
        assert!(matches!(last, Some(SignIn::TooMany { retry_after_s: 1.. })), "{last:?}");
    }
}

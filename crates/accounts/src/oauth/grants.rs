//! Grants and their tokens: issued, refreshed, looked up, revoked.

use std::collections::{HashMap, HashSet};

use redb::{ReadableTable, Table, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{
    Asked, Destination, RedirectUri, Scope,
    token::{access_token, following, new_handle, refresh_token, sent},
};
use crate::{
    Access, AccessError, Account, Caller, Via,
    clock::{printed, time_of},
    database::{ACCOUNTS, COUNTERS, GRANT_USES, GRANTS, decode, encode},
    secret::{SecretHash, hash_of, new_secret},
};

/// A refresh token that is not used for so long ends its grant.
const IDLE_S: i64 = 30 * 24 * 3600;
/// A grant ends after so long, used or not.
const LIFE_S: i64 = 180 * 24 * 3600;
/// A refresh token that was just spent is answered once more as before: the first answer may have been
/// lost on the way.
const GRACE_S: i64 = 10;
/// Access tokens of a grant that are good at the same time; a client that refreshes early has several.
const MOST_ACCESS_TOKENS: usize = 4;
/// Grants of an account; the one refreshed least lately gives way to a new one.
const MOST_GRANTS: usize = 200;
/// Name of the counter of ids.
const NEXT_GRANT: &str = "next_grant";

type Grants<'txn> = Table<'txn, &'static str, &'static [u8]>;

/// What is stored of a grant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Grant {
    id: u64,
    account: u32,
    client: String,
    client_name: String,
    redirect_uri: String,
    scope: Scope,
    resource: String,
    created: i64,
    refreshed: i64,
    access: Vec<AccessRow>,
    refresh: SecretHash,
    spent: Option<Spent>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct AccessRow {
    hash: SecretHash,
    expires: i64,
}

/// The refresh token before the present one.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Spent {
    hash: SecretHash,
    at: i64,
    salt: String,
    /// What was asked for with it.
    scope: Scope,
}

/// What a client gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    /// The access token.
    pub access_token: String,
    /// Seconds that it lives.
    pub expires_in: u64,
    /// What gets the next one; good once.
    pub refresh_token: String,
    /// What the access token covers.
    pub scope: Scope,
}

/// Why a client gets no tokens (RFC 6749, section 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenRefusal {
    /// The code or refresh token is not good; says why.
    InvalidGrant(&'static str),
    /// More is asked for than was granted.
    InvalidScope,
}

/// A client that a person let in.
#[derive(Debug, Clone)]
pub struct GrantRecord {
    /// Its number, to revoke it.
    pub id: u64,
    /// What the client calls itself.
    pub client_name: String,
    /// Where it was answered.
    pub destination: Option<Destination>,
    /// When it was let in, RFC 3339 in UTC.
    pub created_at: String,
    /// When it last asked for something, RFC 3339 in UTC.
    pub last_used_at: String,
    /// When it must ask again if it is not used, RFC 3339 in UTC.
    pub expires_at: String,
}

/// What is made before the database is asked, for making it can fail.
pub(super) struct FreshTokens {
    pub(super) handle: String,
    access: String,
    refresh: String,
    lives_s: u32,
}

impl AccessRow {
    /// Times are whole seconds, cut off: a token lives a part of a second longer than was promised, and
    /// never less, so that clients refresh before it ends.
    fn is_good(&self, now: i64) -> bool {
        now <= self.expires
    }
}

impl Grant {
    pub(super) fn new(account: u32, asked: &Asked, now: i64) -> Self {
        Self {
            id: 0,
            account,
            client: asked.client.clone(),
            client_name: asked.client_name.clone(),
            redirect_uri: asked.redirect_uri.clone(),
            scope: asked.scope,
            resource: asked.resource.clone(),
            created: now,
            refreshed: now,
            access: Vec::new(),
            refresh: SecretHash::default(),
            spent: None,
        }
    }

    fn expires(&self) -> i64 {
        (self.refreshed + IDLE_S).min(self.created + LIFE_S)
    }

    /// Adds an access token; those that are over, or too many, go.
    fn add_access(&mut self, token: &str, now: i64, lives_s: u32) {
        self.access.retain(|row| row.is_good(now));
        let over = (self.access.len() + 1).saturating_sub(MOST_ACCESS_TOKENS);
        self.access.drain(..over);
        let expires = now + i64::from(lives_s);
        self.access.push(AccessRow { hash: hash_of(token), expires });
    }

    fn access_row(&self, hash: &SecretHash, now: i64) -> Option<&AccessRow> {
        self.access.iter().find(|row| row.hash == *hash && row.is_good(now))
    }
}

/// Stores a new grant with its first tokens, unless its account may no longer come in.
pub(super) fn insert_grant(
    txn: &WriteTransaction,
    grants: &mut Grants<'_>,
    mut grant: Grant,
    fresh: &FreshTokens,
    now: i64,
) -> Result<Result<Tokens, TokenRefusal>, AccessError> {
    if !is_active(txn, grant.account)? {
        return Ok(Err(TokenRefusal::InvalidGrant("The account is disabled.")));
    }
    make_room(txn, grants, grant.account, now)?;
    let mut counters = txn.open_table(COUNTERS)?;
    grant.id = counters.get(NEXT_GRANT)?.map_or(1, |next| next.value());
    counters.insert(NEXT_GRANT, grant.id + 1)?;
    let tokens = Tokens {
        access_token: access_token(&fresh.handle, &fresh.access),
        expires_in: fresh.lives_s.into(),
        refresh_token: refresh_token(&fresh.handle, &fresh.refresh),
        scope: grant.scope,
    };
    grant.add_access(&tokens.access_token, now, fresh.lives_s);
    grant.refresh = hash_of(&tokens.refresh_token);
    grants.insert(fresh.handle.as_str(), encode(&grant).as_slice())?;
    Ok(Ok(tokens))
}

/// Forgets grants that are over, and of an account that has too many those refreshed least lately; with
/// them, the uses of all that are no more.
fn make_room(
    txn: &WriteTransaction,
    grants: &mut Grants<'_>,
    account: u32,
    now: i64,
) -> Result<(), AccessError> {
    let mut going = Vec::new();
    let mut own = Vec::new();
    let mut staying = HashSet::new();
    for entry in grants.iter()? {
        let (handle, value) = entry?;
        let grant: Grant = decode("grant", value.value())?;
        if now >= grant.expires() {
            going.push(handle.value().to_owned());
            continue;
        }
        staying.insert(grant.id);
        if grant.account == account {
            own.push((grant.refreshed, grant.id, handle.value().to_owned()));
        }
    }
    own.sort_unstable();
    let over = (own.len() + 1).saturating_sub(MOST_GRANTS);
    for (_, id, handle) in own.into_iter().take(over) {
        staying.remove(&id);
        going.push(handle);
    }
    for handle in going {
        grants.remove(handle.as_str())?;
    }
    txn.open_table(GRANT_USES)?.retain(|id, _| staying.contains(&id))?;
    Ok(())
}

/// Ends all grants of an account.
pub(crate) fn end_grants(txn: &WriteTransaction, account: u32) -> Result<(), AccessError> {
    txn.open_table(GRANTS)?.retain(|_, value| {
        decode::<Grant>("grant", value).is_ok_and(|grant| grant.account != account)
    })?;
    Ok(())
}

fn is_active(txn: &WriteTransaction, account: u32) -> Result<bool, AccessError> {
    let accounts = txn.open_table(ACCOUNTS)?;
    let stored = accounts.get(account)?.map(|value| decode::<Account>("account", value.value()));
    Ok(stored.transpose()?.is_some_and(|account| account.active))
}

fn stored(grants: &Grants<'_>, handle: &str) -> Result<Option<Grant>, AccessError> {
    grants.get(handle)?.map(|value| decode("grant", value.value())).transpose()
}

impl Access {
    pub(super) fn fresh_tokens(&self) -> Result<FreshTokens, AccessError> {
        Ok(FreshTokens {
            handle: new_handle()?,
            access: new_secret()?,
            refresh: new_secret()?,
            lives_s: self.oauth.access_token_s,
        })
    }

    /// Gives a client its next tokens; the refresh token it sends is spent. One that was spent before
    /// ends the grant, for two have it: but for a moment it is answered as before. `resource` is that of
    /// this server: a grant for another address of it is good no more.
    pub fn refresh(
        &self,
        token: &str,
        client: &str,
        scope: Option<Scope>,
        resource: &str,
    ) -> Result<Result<Tokens, TokenRefusal>, AccessError> {
        let unknown = Ok(Err(TokenRefusal::InvalidGrant("The refresh token is not good.")));
        let Some(sent) = sent(token).filter(|sent| !sent.is_access) else { return unknown };
        // A guess must not cost a write, for which those who are charged wait.
        if !self.has_grant(sent.handle)? {
            return unknown;
        }
        let now = self.clock.seconds();
        let salt = new_secret()?;
        let next = |salt: &str| Next::of(token, sent.handle, salt);
        self.file.change(|txn| {
            let mut grants = txn.open_table(GRANTS)?;
            let Some(mut grant) = stored(&grants, sent.handle)? else { return unknown };
            let own = grant.client == client && grant.resource == resource;
            if !own || now >= grant.expires() || !is_active(txn, grant.account)? {
                return unknown;
            }
            let wanted = scope.unwrap_or(grant.scope);
            if !grant.scope.covers(wanted) {
                return Ok(Err(TokenRefusal::InvalidScope));
            }
            if sent.hash == grant.refresh {
                let next = next(&salt);
                grant.add_access(&next.access, now, self.oauth.access_token_s);
                grant.refresh = hash_of(&next.refresh);
                grant.refreshed = now;
                grant.spent = Some(Spent { hash: sent.hash, at: now, salt, scope: wanted });
                grants.insert(sent.handle, encode(&grant).as_slice())?;
                return Ok(Ok(next.tokens(wanted, self.oauth.access_token_s.into())));
            }
            if let Some(again) = grant.answered_before(sent.hash, now, next) {
                return Ok(Ok(again));
            }
            grants.remove(sent.handle)?;
            tracing::warn!(
                account = grant.account,
                grant = grant.id,
                "a spent refresh token was sent again: the grant is ended"
            );
            let reused = "The refresh token was used before; the client must be let in again.";
            Ok(Err(TokenRefusal::InvalidGrant(reused)))
        })
    }

    fn has_grant(&self, handle: &str) -> Result<bool, AccessError> {
        Ok(self.file.read()?.open_table(GRANTS)?.get(handle)?.is_some())
    }

    /// Whose access token this is, for a resource; none where it is unknown, too old, revoked, for another
    /// resource, or of a disabled account.
    pub fn authenticate_token(
        &self,
        token: &str,
        resource: &str,
    ) -> Result<Option<Caller>, AccessError> {
        let Some(sent) = sent(token).filter(|sent| sent.is_access) else { return Ok(None) };
        let txn = self.file.read()?;
        let Some(value) = txn.open_table(GRANTS)?.get(sent.handle)? else { return Ok(None) };
        let grant: Grant = decode("grant", value.value())?;
        let is_good = grant.access_row(&sent.hash, self.clock.seconds()).is_some();
        if !is_good || grant.resource != resource {
            return Ok(None);
        }
        let Some(value) = txn.open_table(ACCOUNTS)?.get(grant.account)? else { return Ok(None) };
        let account: Account = decode("account", value.value())?;
        Ok(self.caller_of(&account, Via::Client(grant.id)))
    }

    /// Ends the grant that a token belongs to, whichever it is (RFC 7009). A token that is not good, or
    /// of another client, ends nothing.
    pub fn revoke_token(&self, token: &str, client: Option<&str>) -> Result<(), AccessError> {
        let Some(sent) = sent(token) else { return Ok(()) };
        if !self.has_grant(sent.handle)? {
            return Ok(());
        }
        self.file.change(|txn| {
            let mut grants = txn.open_table(GRANTS)?;
            let Some(grant) = stored(&grants, sent.handle)? else { return Ok(()) };
            let spent = grant.spent.as_ref().is_some_and(|spent| spent.hash == sent.hash);
            let known = spent
                || grant.refresh == sent.hash
                || grant.access.iter().any(|row| row.hash == sent.hash);
            if known && client.is_none_or(|client| client == grant.client) {
                grants.remove(sent.handle)?;
            }
            Ok(())
        })
    }

    /// The clients that an account let in, newest first.
    pub fn grants(&self, account: u32) -> Result<Vec<GrantRecord>, AccessError> {
        let txn = self.file.read()?;
        let mut uses = HashMap::new();
        for entry in txn.open_table(GRANT_USES)?.iter()? {
            let (id, seconds) = entry?;
            uses.insert(id.value(), seconds.value());
        }
        let now = self.clock.seconds();
        let mut records = Vec::new();
        for entry in txn.open_table(GRANTS)?.iter()? {
            let grant: Grant = decode("grant", entry?.1.value())?;
            if grant.account == account && now < grant.expires() {
                let used = uses.get(&grant.id).copied().unwrap_or_default();
                records.push(grant.into_record(used));
            }
        }
        records.sort_by_key(|record| std::cmp::Reverse(record.id));
        Ok(records)
    }

    /// Ends a grant of an account; its tokens are refused from now on.
    pub fn revoke_grant(&self, account: u32, id: u64) -> Result<(), AccessError> {
        self.file.change(|txn| {
            let mut found = false;
            txn.open_table(GRANTS)?.retain(|_, value| {
                let grant = decode::<Grant>("grant", value);
                let ends = grant.is_ok_and(|grant| grant.id == id && grant.account == account);
                found |= ends;
                !ends
            })?;
            if found { Ok(()) } else { Err(AccessError::UnknownGrant { id }) }
        })
    }
}

/// The tokens that follow from a refresh token.
struct Next {
    access: String,
    refresh: String,
}

impl Next {
    fn of(spent: &str, handle: &str, salt: &str) -> Self {
        Self {
            access: access_token(handle, &following("access", spent, salt)),
            refresh: refresh_token(handle, &following("refresh", spent, salt)),
        }
    }

    fn tokens(self, scope: Scope, expires_in: u64) -> Tokens {
        Tokens { access_token: self.access, expires_in, refresh_token: self.refresh, scope }
    }
}

impl Grant {
    /// What a refresh token was answered with that was spent a moment ago, while its successor is still
    /// unspent.
    fn answered_before(
        &self,
        hash: SecretHash,
        now: i64,
        next: impl Fn(&str) -> Next,
    ) -> Option<Tokens> {
        let spent = self.spent.as_ref()?;
        if spent.hash != hash || now - spent.at > GRACE_S {
            return None;
        }
        let next = next(&spent.salt);
        let row = self.access_row(&hash_of(&next.access), now);
        let left = row.map_or(0, |row| (row.expires - now).unsigned_abs());
        (self.refresh == hash_of(&next.refresh)).then(|| next.tokens(spent.scope, left))
    }

    fn into_record(self, used: i64) -> GrantRecord {
        let time = |seconds| printed(time_of(seconds));
        GrantRecord {
            id: self.id,
            destination: RedirectUri::parse(&self.redirect_uri).map(|uri| uri.destination()),
            created_at: time(self.created),
            last_used_at: time(used.max(self.refreshed)),
            expires_at: time(self.expires()),
            client_name: self.client_name,
        }
    }
}

//! A grant as it is stored, and the tokens that belong to it.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{
    MAX_ACCESS_TOKEN_S, OAuthScope,
    token::{derive_secret, format_access_token, format_refresh_token, new_handle},
};
use crate::{
    AccessError,
    account::load_account_in_transaction,
    clock::has_ended,
    database::{
        AccountsChange, COUNTERS, GRANT_USES, GRANTS, RowTable, SPENT_TOKENS, decode_record,
        encode_record,
    },
    secret::{SecretHash, hash_secret, new_secret},
};

/// A grant ends when its refresh token is unused for this long.
const GRANT_IDLE_LIMIT_S: i64 = 30 * 24 * 3600;
/// A grant ends after this long, used or not: then its owner must approve the client again, and forgotten ones lose
/// access.
const GRANT_LIFETIME_S: i64 = 180 * 24 * 3600;
/// For this long after a refresh token was used, its answer is repeated, because the first one may have been lost in
/// transit. Longer would let a thief use a stolen token unnoticed.
const REUSE_GRACE_S: i64 = 10;
/// Access tokens of a grant that are valid at the same time; a client that refreshes early has several.
const MAX_ACCESS_TOKENS: usize = 4;
/// Grants of an account; a new one evicts the least recently refreshed. A client that asks for a grant at every start
/// must not fill the table.
const MAX_GRANTS: usize = 200;
/// Name of the counter of ids.
const NEXT_GRANT: &str = "next_grant";

pub(super) type GrantTable<'txn> = RowTable<'txn, &'static str, &'static [u8]>;

/// What a person allowed a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientAuthorization {
    /// Id of the client.
    pub client: String,
    /// What it calls itself.
    pub client_name: String,
    /// The redirect URI, exactly as it was requested.
    pub redirect_uri: String,
    /// Its PKCE challenge, S256.
    pub challenge: String,
    /// What it may do.
    pub scope: OAuthScope,
    /// The resource that its tokens are for.
    pub resource: String,
}

/// What is stored of a grant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StoredGrant {
    pub(super) id: u64,
    pub(super) account: u32,
    pub(super) client: String,
    pub(super) client_name: String,
    pub(super) redirect_uri: String,
    pub(super) scope: OAuthScope,
    pub(super) resource: String,
    pub(super) created: i64,
    pub(super) refreshed: i64,
    pub(super) access: Vec<AccessTokenRow>,
    pub(super) refresh: SecretHash,
    pub(super) spent: Option<SpentRefreshToken>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct AccessTokenRow {
    pub(super) hash: SecretHash,
    expires: i64,
}

/// The refresh token before the current one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SpentRefreshToken {
    pub(super) hash: SecretHash,
    pub(super) at: i64,
    pub(super) salt: String,
    /// The scope that was requested with it.
    pub(super) scope: OAuthScope,
}

/// The tokens that a client gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedTokens {
    /// The access token.
    pub access_token: String,
    /// Seconds until the access token expires.
    pub expires_in: u64,
    /// The token that gets the next access token; valid once.
    pub refresh_token: String,
    /// What the access token covers.
    pub scope: OAuthScope,
}

/// Why a client gets no tokens (RFC 6749, section 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenRefusal {
    /// The code or refresh token is invalid; the reason.
    InvalidGrant(&'static str),
    /// The request exceeds the granted scope.
    InvalidScope,
}

/// The secrets of a new grant, generated before the transaction because that can fail.
pub(super) struct FreshTokens {
    pub(super) handle: String,
    access: String,
    refresh: String,
    lifetime_s: u32,
}

impl FreshTokens {
    pub(super) fn generate(lifetime_s: u32) -> Result<Self, AccessError> {
        let (access, refresh) = (new_secret()?, new_secret()?);
        Ok(Self { handle: new_handle()?, access, refresh, lifetime_s })
    }
}

impl AccessTokenRow {
    /// Times are truncated to whole seconds: a token lives a fraction of a second longer than promised,
    /// never less, so that clients refresh before it expires.
    fn is_valid(&self, now: i64) -> bool {
        now <= self.expires && self.expires - now <= MAX_ACCESS_TOKEN_S.into()
    }
}

impl StoredGrant {
    pub(super) fn new(account: u32, authorization: &ClientAuthorization, now: i64) -> Self {
        Self {
            id: 0,
            account,
            client: authorization.client.clone(),
            client_name: authorization.client_name.clone(),
            redirect_uri: authorization.redirect_uri.clone(),
            scope: authorization.scope,
            resource: authorization.resource.clone(),
            created: now,
            refreshed: now,
            access: Vec::new(),
            refresh: SecretHash::default(),
            spent: None,
        }
    }

    pub(super) fn expiry_seconds(&self) -> i64 {
        (self.refreshed + GRANT_IDLE_LIMIT_S).min(self.end_seconds())
    }

    /// Whether it has ended, unless an account or a person ends it before.
    pub(super) fn has_ended(&self, now: i64) -> bool {
        has_ended(self.refreshed, GRANT_IDLE_LIMIT_S, now)
            || has_ended(self.created, GRANT_LIFETIME_S, now)
    }

    /// When it ends at the latest.
    pub(super) fn end_seconds(&self) -> i64 {
        self.created + GRANT_LIFETIME_S
    }

    /// Adds an access token; removes those that have expired, and the oldest beyond the limit.
    pub(super) fn add_access_token(&mut self, token: &str, now: i64, lifetime_s: u32) {
        self.access.retain(|row| row.is_valid(now));
        let excess = (self.access.len() + 1).saturating_sub(MAX_ACCESS_TOKENS);
        self.access.drain(..excess);
        let expires = now + i64::from(lifetime_s);
        self.access.push(AccessTokenRow { hash: hash_secret(token), expires });
    }

    pub(super) fn find_access_token(&self, hash: &SecretHash, now: i64) -> Option<&AccessTokenRow> {
        self.access.iter().find(|row| row.hash == *hash && row.is_valid(now))
    }
}

/// Stores a new grant with its first tokens, unless its account is disabled.
pub(super) fn insert_grant(
    txn: &AccountsChange<'_>,
    grants: &mut GrantTable<'_>,
    mut grant: StoredGrant,
    fresh: &FreshTokens,
    now: i64,
) -> Result<Result<IssuedTokens, TokenRefusal>, AccessError> {
    if !is_account_active(txn, grant.account)? {
        return Ok(Err(TokenRefusal::InvalidGrant("The account is disabled.")));
    }
    evict_grants(txn, grants, grant.account, now)?;
    let mut counters = txn.open_table(COUNTERS)?;
    grant.id = counters.get(NEXT_GRANT)?.map_or(1, |next| next.value());
    counters.insert(NEXT_GRANT, grant.id + 1)?;
    let tokens = IssuedTokens {
        access_token: format_access_token(&fresh.handle, &fresh.access),
        expires_in: fresh.lifetime_s.into(),
        refresh_token: format_refresh_token(&fresh.handle, &fresh.refresh),
        scope: grant.scope,
    };
    grant.add_access_token(&tokens.access_token, now, fresh.lifetime_s);
    grant.refresh = hash_secret(&tokens.refresh_token);
    grants.insert(fresh.handle.as_str(), encode_record(&grant).as_slice())?;
    Ok(Ok(tokens))
}

/// Removes expired grants, the least recently refreshed ones of an account that has too many, and the last
/// uses of all grants that no longer exist.
fn evict_grants(
    txn: &AccountsChange<'_>,
    grants: &mut GrantTable<'_>,
    account: u32,
    now: i64,
) -> Result<(), AccessError> {
    let mut evicted = Vec::new();
    let mut own = Vec::new();
    let mut remaining = HashSet::new();
    for (handle, value) in grants.iter()? {
        let grant: StoredGrant = decode_record("grant", value.value())?;
        if grant.has_ended(now) {
            evicted.push(handle.value().to_owned());
            continue;
        }
        remaining.insert(grant.id);
        if grant.account == account {
            own.push((grant.refreshed, grant.id, handle.value().to_owned()));
        }
    }
    own.sort_unstable();
    let excess = (own.len() + 1).saturating_sub(MAX_GRANTS);
    for (_, id, handle) in own.into_iter().take(excess) {
        remaining.remove(&id);
        evicted.push(handle);
    }
    for handle in evicted {
        grants.remove(handle.as_str())?;
    }
    txn.open_table(GRANT_USES)?.retain(|id, _| remaining.contains(id))?;
    txn.open_table(SPENT_TOKENS)?.retain(|_, end| now < *end)
}

/// Ends all grants of an account.
pub(crate) fn end_grants(txn: &AccountsChange<'_>, account: u32) -> Result<(), AccessError> {
    txn.open_table(GRANTS)?.retain(|_, value| {
        decode_record::<StoredGrant>("grant", value).is_ok_and(|grant| grant.account != account)
    })?;
    Ok(())
}

pub(super) fn is_account_active(
    txn: &AccountsChange<'_>,
    account: u32,
) -> Result<bool, AccessError> {
    Ok(load_account_in_transaction(txn, account)?.is_some_and(|account| account.active))
}

pub(super) fn load_grant(
    grants: &GrantTable<'_>,
    handle: &str,
) -> Result<Option<StoredGrant>, AccessError> {
    grants.get(handle)?.map(|value| decode_record("grant", value.value())).transpose()
}

/// The tokens derived from a refresh token.
pub(super) struct RotatedTokens {
    pub(super) access: String,
    pub(super) refresh: String,
}

impl RotatedTokens {
    pub(super) fn derive_tokens(spent: &str, handle: &str, salt: &str) -> Self {
        Self {
            access: format_access_token(handle, &derive_secret("access", spent, salt)),
            refresh: format_refresh_token(handle, &derive_secret("refresh", spent, salt)),
        }
    }

    pub(super) fn into_issued(self, scope: OAuthScope, expires_in: u64) -> IssuedTokens {
        IssuedTokens { access_token: self.access, expires_in, refresh_token: self.refresh, scope }
    }
}

impl StoredGrant {
    /// The answer to a refresh token that was used within the grace period, while its successor is still unused.
    pub(super) fn repeat_answer(
        &self,
        hash: SecretHash,
        now: i64,
        next: impl Fn(&str) -> RotatedTokens,
    ) -> Option<IssuedTokens> {
        let spent = self.spent.as_ref()?;
        if spent.hash != hash || has_ended(spent.at, REUSE_GRACE_S + 1, now) {
            return None;
        }
        let next = next(&spent.salt);
        let row = self.find_access_token(&hash_secret(&next.access), now);
        let remaining_s = row.map_or(0, |row| (row.expires - now).unsigned_abs());
        (self.refresh == hash_secret(&next.refresh))
            .then(|| next.into_issued(spent.scope, remaining_s))
    }
}

//! Grants: refreshing and looking up their tokens, listing and revoking them.

use std::collections::HashMap;

use super::{
    Destination, OAuthScope, OAuthSettings, RedirectUri,
    stored_grant::{
        IssuedTokens, RotatedTokens, SpentRefreshToken, StoredGrant, TokenRefusal,
        is_account_active, load_grant,
    },
    token::parse_token,
};
use crate::{
    AccessError, Account, Caller, Clock, Via,
    clock::{format_timestamp, timestamp_from_seconds},
    database::{
        ACCOUNTS, AccountsDatabase, GRANT_USES, GRANTS, SPENT_TOKENS, decode_record, encode_record,
    },
    plans::AccountPlans,
    secret::{hash_secret, new_secret},
};

/// A client that a person authorized.
#[derive(Debug, Clone)]
pub struct GrantRecord {
    /// Its number, to revoke it.
    pub id: u64,
    /// What the client calls itself.
    pub client_name: String,
    /// Where its authorization response was sent.
    pub destination: Option<Destination>,
    /// When it was authorized, RFC 3339 in UTC.
    pub created_at: String,
    /// When it last made a request or refreshed its tokens, RFC 3339 in UTC.
    pub last_used_at: String,
    /// When the grant expires unless its tokens are refreshed, RFC 3339 in UTC.
    pub expires_at: String,
}

/// The clients that people authorized, and their tokens.
#[derive(Clone, Copy)]
pub struct OAuthGrants<'a> {
    pub(crate) database: &'a AccountsDatabase,
    pub(crate) plans: &'a AccountPlans,
    pub(crate) settings: &'a OAuthSettings,
    pub(crate) clock: &'a Clock,
}

impl OAuthGrants<'_> {
    /// Returns a client's next tokens; the refresh token it sends cannot be used again. A token that was used before
    /// revokes the grant, because two parties have it; only within a short grace period is the first answer repeated.
    /// `resource` is that of this server: a grant for another address of it is invalid.
    pub fn refresh_tokens(
        &self,
        token: &str,
        client: &str,
        scope: Option<OAuthScope>,
        resource: &str,
    ) -> Result<Result<IssuedTokens, TokenRefusal>, AccessError> {
        let unknown = || Ok(Err(TokenRefusal::InvalidGrant("The refresh token is invalid.")));
        let Some(sent) = parse_token(token).filter(|sent| !sent.is_access) else {
            return unknown();
        };
        // A guess must not cost a write: charges of other requests would wait for it.
        if !self.has_grant(sent.handle)? {
            return unknown();
        }
        let now = self.clock.unix_seconds();
        let salt = new_secret()?;
        let next = |salt: &str| RotatedTokens::derive_tokens(token, sent.handle, salt);
        self.database.write_transaction(|txn| {
            let mut grants = txn.open_table(GRANTS)?;
            let Some(mut grant) = load_grant(&grants, sent.handle)? else { return unknown() };
            let own = grant.client == client && grant.resource == resource;
            // One answer for all of them, so that a stranger learns nothing about the grant.
            if !own || grant.has_ended(now) || !is_account_active(txn, grant.account)? {
                return unknown();
            }
            let scope = scope.unwrap_or(grant.scope);
            if !grant.scope.covers_scope(scope) {
                return Ok(Err(TokenRefusal::InvalidScope));
            }
            if sent.hash == grant.refresh {
                let next = next(&salt);
                grant.add_access_token(&next.access, now, self.settings.access_token_s);
                grant.refresh = hash_secret(&next.refresh);
                grant.refreshed = now;
                let salt = salt.clone();
                grant.spent = Some(SpentRefreshToken { hash: sent.hash, at: now, salt, scope });
                grants.insert(sent.handle, encode_record(&grant).as_slice())?;
                txn.open_table(SPENT_TOKENS)?.insert(&sent.hash, grant.end_seconds())?;
                return Ok(Ok(next.into_issued(scope, self.settings.access_token_s.into())));
            }
            if let Some(again) = grant.repeat_answer(sent.hash, now, next) {
                return Ok(Ok(again));
            }
            let is_spent = grant.spent.as_ref().is_some_and(|spent| spent.hash == sent.hash)
                || txn.open_table(SPENT_TOKENS)?.get(&sent.hash)?.is_some();
            if !is_spent {
                // The handle is not a secret, so knowing it must not be enough to end the grant.
                return unknown();
            }
            grants.remove(sent.handle)?;
            tracing::warn!(
                account = grant.account,
                grant = grant.id,
                "a refresh token was reused; the grant was revoked"
            );
            let reused = "The refresh token was already used; the client must be authorized again.";
            Ok(Err(TokenRefusal::InvalidGrant(reused)))
        })
    }

    fn has_grant(&self, handle: &str) -> Result<bool, AccessError> {
        Ok(self.database.begin_read()?.open_table(GRANTS)?.get(handle)?.is_some())
    }

    /// The caller with an access token, for a resource; `None` if it is unknown, expired, revoked, for another
    /// resource, or of a disabled account.
    pub fn authenticate_token(
        &self,
        token: &str,
        resource: &str,
    ) -> Result<Option<Caller>, AccessError> {
        let Some(sent) = parse_token(token).filter(|sent| sent.is_access) else { return Ok(None) };
        let txn = self.database.begin_read()?;
        let Some(value) = txn.open_table(GRANTS)?.get(sent.handle)? else { return Ok(None) };
        let grant: StoredGrant = decode_record("grant", value.value())?;
        let is_good = grant.find_access_token(&sent.hash, self.clock.unix_seconds()).is_some();
        if !is_good || grant.resource != resource {
            return Ok(None);
        }
        let Some(value) = txn.open_table(ACCOUNTS)?.get(grant.account)? else { return Ok(None) };
        let account: Account = decode_record("account", value.value())?;
        Ok(Caller::from_account(self.plans, &account, Via::Client(grant.id)))
    }

    /// Revokes the grant of an access or refresh token (RFC 7009). A token that is invalid or of another
    /// client revokes nothing.
    pub fn revoke_token(&self, token: &str, client: Option<&str>) -> Result<(), AccessError> {
        let Some(sent) = parse_token(token) else { return Ok(()) };
        if !self.has_grant(sent.handle)? {
            return Ok(());
        }
        self.database.write_transaction(|txn| {
            let mut grants = txn.open_table(GRANTS)?;
            let Some(grant) = load_grant(&grants, sent.handle)? else { return Ok(()) };
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

    /// The clients that an account authorized, newest first.
    pub fn list_grants(&self, account: u32) -> Result<Vec<GrantRecord>, AccessError> {
        let txn = self.database.begin_read()?;
        let mut uses = HashMap::new();
        for (id, seconds) in txn.open_table(GRANT_USES)?.iter()? {
            uses.insert(id.value(), seconds.value());
        }
        let now = self.clock.unix_seconds();
        let mut records = Vec::new();
        for (_, value) in txn.open_table(GRANTS)?.iter()? {
            let grant: StoredGrant = decode_record("grant", value.value())?;
            if grant.account == account && !grant.has_ended(now) {
                let used = uses.get(&grant.id).copied().unwrap_or_default();
                records.push(grant.into_record(used));
            }
        }
        records.sort_by_key(|record| std::cmp::Reverse(record.id));
        Ok(records)
    }

    /// Ends a grant of an account; its tokens are rejected from now on.
    pub fn revoke_grant(&self, account: u32, id: u64) -> Result<(), AccessError> {
        self.database.write_transaction(|txn| {
            let mut is_known = false;
            txn.open_table(GRANTS)?.retain(|_, value| {
                let grant = decode_record::<StoredGrant>("grant", value);
                let ends = grant.is_ok_and(|grant| grant.id == id && grant.account == account);
                is_known |= ends;
                !ends
            })?;
            if is_known { Ok(()) } else { Err(AccessError::UnknownGrant { id }) }
        })
    }
}

impl StoredGrant {
    fn into_record(self, used: i64) -> GrantRecord {
        let time = |seconds| format_timestamp(timestamp_from_seconds(seconds));
        GrantRecord {
            id: self.id,
            destination: RedirectUri::parse(&self.redirect_uri).map(|uri| uri.destination()),
            created_at: time(self.created),
            last_used_at: time(used.max(self.refreshed)),
            expires_at: time(self.expiry_seconds()),
            client_name: self.client_name,
        }
    }
}

//! The secret addresses of feeds: one for each account, shown once, renewed at will.

use super::AccountWatches;
use crate::{
    AccessError,
    database::{FEED_ACCOUNTS, FEEDS},
    secret::{hash_secret, new_secret},
};

/// Prefix of every secret of a feed.
const PREFIX: &str = "feed-";

impl AccountWatches<'_> {
    /// Creates a new secret for the feed of an account; the previous one stops working.
    pub fn renew_feed(&self, account: u32) -> Result<String, AccessError> {
        let secret = format!("{PREFIX}{}", new_secret()?);
        let hash = hash_secret(&secret);
        self.database.write_transaction(|txn| {
            let mut feeds = txn.open_table(FEEDS)?;
            let mut accounts = txn.open_table(FEED_ACCOUNTS)?;
            if let Some(before) = feeds.get(account)? {
                accounts.remove(before.value())?;
            }
            feeds.insert(account, &hash)?;
            accounts.insert(&hash, account)?;
            Ok(())
        })?;
        Ok(secret)
    }

    /// Removes the feed of an account.
    pub fn remove_feed(&self, account: u32) -> Result<(), AccessError> {
        self.database.write_transaction(|txn| {
            let removed = txn.open_table(FEEDS)?.remove(account)?.map(|hash| *hash.value());
            if let Some(hash) = removed {
                txn.open_table(FEED_ACCOUNTS)?.remove(&hash)?;
            }
            Ok(())
        })
    }

    /// Whether an account has a feed.
    pub fn has_feed(&self, account: u32) -> Result<bool, AccessError> {
        Ok(self.database.begin_read()?.open_table(FEEDS)?.get(account)?.is_some())
    }

    /// The account of a feed's secret; `None` if it is unknown, or its account is disabled.
    pub fn account_of_feed(&self, secret: &str) -> Result<Option<u32>, AccessError> {
        if !secret.starts_with(PREFIX) {
            return Ok(None);
        }
        let txn = self.database.begin_read()?;
        let account = txn.open_table(FEED_ACCOUNTS)?.get(&hash_secret(secret))?;
        match account.map(|account| account.value()) {
            Some(account) if self.is_active(account)? => Ok(Some(account)),
            _ => Ok(None),
        }
    }
}

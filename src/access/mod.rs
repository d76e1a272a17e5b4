//! Who may ask: API keys, and the place where accounts, plans and quotas will stand.
//!
//! Owns `accounts.redb`. A key is shown once and kept as a hash; nothing here ever prints one.

mod keys;

pub use keys::{Access, AccessError, Caller, KeyRecord, NewKey};

//! Sign-in at the company's server: OpenID Connect, authorization code flow with PKCE.
//!
//! Owns the protocol up to a person whose identity the server has proved, and whom the operator's rules admit. Which
//! account they get is decided by `crates/accounts`; the pages are in `src/ui`. What a browser must keep between the
//! two steps is an [`Attempt`], so that any of several servers can complete a sign-in.

mod attempt;
mod claims;
mod id_token;
mod protocol;
mod provider;
mod rules;
mod signatures;

pub use attempt::Attempt;
pub use protocol::{CompanySignIn, CompanySignInError};
pub use rules::{CompanyPerson, CompanySignInSettings};

//! Programs that act for a person by OAuth 2.1: clients, what people grant them, and their tokens.
//!
//! Owns the rules of the authorization server that need no HTTP: which redirect URIs are accepted
//! (RFC 8252), codes with PKCE (RFC 7636), refresh tokens that rotate, and what ends a grant. A grant
//! is what one person allowed one client; all tokens that follow from it are one family and end with
//! it. Codes and tokens are random, shown once and kept as hashes.

mod clients;
mod codes;
mod grants;
mod redirect;
mod scope;
mod stored_grant;
#[cfg(test)]
mod tests;
mod token;

pub use clients::{
    MAX_REDIRECT_URIS, OAuthClient, RegisteredClients, RegistrationOutcome, parse_redirect_uris,
};
pub use codes::{AuthorizationCodes, CodeExchange};
pub use grants::{GrantRecord, OAuthGrants};
pub use redirect::{Destination, RedirectUri};
pub use scope::{OAuthScope, OFFLINE, READ};
pub(super) use stored_grant::end_grants;
pub use stored_grant::{ClientAuthorization, IssuedTokens, TokenRefusal};

/// Lifetime of an access token in seconds, unless the operator configures another.
pub const ACCESS_TOKEN_S: u32 = 3600;

/// The longest lifetime of an access token that may be configured, in seconds. A token that is valid for longer was
/// made before the clock was set back, and is rejected.
pub const MAX_ACCESS_TOKEN_S: u32 = 24 * 3600;

/// How this installation authorizes OAuth clients.
#[derive(Debug, Clone)]
pub struct OAuthSettings {
    /// Lifetime of an access token in seconds.
    pub access_token_s: u32,
    /// Clients that need no registration. Their ids may be URLs of client-id metadata documents, which
    /// are then not fetched.
    pub clients: Vec<OAuthClient>,
}

impl Default for OAuthSettings {
    fn default() -> Self {
        Self { access_token_s: ACCESS_TOKEN_S, clients: Vec::new() }
    }
}

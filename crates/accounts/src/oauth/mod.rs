//! Programs that act for a person by OAuth 2.1: clients, what people grant them, and their tokens.
//!
//! Owns the rules of the authorization server that need no HTTP: which redirect URIs are taken
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
    MAX_REDIRECT_URIS, OAuthClient, RegisteredClients, Registration, parse_redirect_uris,
};
pub use codes::{AuthorizationCodes, CodeExchange};
pub use grants::{GrantRecord, OAuthGrants};
pub use redirect::{Destination, RedirectUri};
pub use scope::{OAuthScope, OFFLINE, READ};
pub(super) use stored_grant::end_grants;
pub use stored_grant::{ClientAuthorization, IssuedTokens, TokenRefusal};

/// Seconds that an access token lives where the operator says nothing else.
pub const ACCESS_TOKEN_S: u32 = 3600;

/// How this installation lets programs in.
#[derive(Debug, Clone)]
pub struct OAuthSettings {
    /// Seconds that an access token lives.
    pub access_token_s: u32,
    /// Clients that need no registration: their ids may be URLs of client-id metadata documents, which
    /// are not fetched then.
    pub clients: Vec<OAuthClient>,
}

impl Default for OAuthSettings {
    fn default() -> Self {
        Self { access_token_s: ACCESS_TOKEN_S, clients: Vec::new() }
    }
}

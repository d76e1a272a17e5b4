//! The two steps of a sign-in: to the company's server, and back with its answer.

use std::{io, path::Path};

use jsonwebtoken::jwk::Jwk;
use url::Url;

use super::{
    attempt::Attempt,
    claims::Claims,
    id_token::{Expectation, IdTokenFault, verify_id_token},
    provider::{ClientIdentity, Provider, ProviderError, is_protected},
    rules::{AdmissionFault, CompanyPerson, CompanySignInSettings},
};

/// How long a person may take at the company's server, in seconds.
const MAX_ATTEMPT_S: i64 = 3600;

/// Sign-in at the company's server.
#[derive(Debug)]
pub struct CompanySignIn {
    settings: CompanySignInSettings,
    provider: Provider,
}

/// A sign-in failed.
#[derive(Debug, thiserror::Error)]
pub enum CompanySignInError {
    /// The answer belongs to no attempt of this browser, or comes too late.
    #[error("the answer belongs to no current attempt of this browser")]
    NoAttempt,
    /// The company's server cannot be used.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// Its ID token is not accepted.
    #[error("the ID token is not accepted: {0}")]
    IdToken(#[from] IdTokenFault),
    /// The person is not admitted.
    #[error("not admitted: {0}")]
    Admission(#[from] AdmissionFault),
}

impl CompanySignIn {
    /// Sign-in with these settings; an error if the authorities cannot be read. Nothing is fetched yet.
    pub fn open(settings: CompanySignInSettings, authorities: &Path) -> io::Result<Self> {
        let provider = Provider::new(&settings.issuer, authorities)?;
        Ok(Self { settings, provider })
    }

    /// Whether an issuer's address protects what is sent to it.
    pub fn is_usable_issuer(issuer: &str) -> bool {
        is_protected(issuer)
    }

    /// The settings.
    pub fn settings(&self) -> &CompanySignInSettings {
        &self.settings
    }

    /// The address at the company's server to which an attempt leads.
    pub fn authorization_url(
        &self,
        attempt: &Attempt,
        redirect_uri: &str,
    ) -> Result<Url, CompanySignInError> {
        let endpoint = self.provider.metadata()?.authorization_endpoint;
        let refused = || ProviderError::PlainEndpoint { url: endpoint.clone() };
        let mut url = Url::parse(&endpoint).map_err(|_| refused())?;
        let scopes = ["openid"].into_iter().chain(self.settings.scopes.iter().map(String::as_str));
        let scopes = scopes.collect::<Vec<_>>().join(" ");
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("scope", &scopes)
            .append_pair("state", &attempt.state)
            .append_pair("nonce", &attempt.nonce)
            .append_pair("code_challenge", &attempt.challenge())
            .append_pair("code_challenge_method", "S256");
        Ok(url)
    }

    /// The person who comes back with an authorization code. `state` is what came with it, `now` the time in seconds
    /// since 1970. Blocks while the company's server is asked.
    pub fn redeem(
        &self,
        attempt: &Attempt,
        state: &str,
        code: &str,
        redirect_uri: &str,
        now: i64,
    ) -> Result<CompanyPerson, CompanySignInError> {
        let is_current = (0..=MAX_ATTEMPT_S).contains(&now.saturating_sub(attempt.began));
        if !is_current || attempt.state.is_empty() || attempt.state != state {
            return Err(CompanySignInError::NoAttempt);
        }
        let client = ClientIdentity {
            id: &self.settings.client_id,
            secret: self.settings.client_secret.as_deref(),
        };
        let reply = self.provider.redeem_code(&client, code, &attempt.verifier, redirect_uri)?;
        let mut claims = self.verify_with_current_keys(&reply.id_token, &attempt.nonce)?;
        if claims.email.is_none()
            && let Some(token) = &reply.access_token
        {
            self.add_claims(&mut claims, token)?;
        }
        Ok(self.settings.admit(&claims)?)
    }

    /// Verifies a token; with newer keys if none of those at hand is for it, because servers change them.
    fn verify_with_current_keys(
        &self,
        token: &str,
        nonce: &str,
    ) -> Result<Claims, CompanySignInError> {
        let CompanySignInSettings { issuer, client_id, .. } = &self.settings;
        let expected = Expectation { issuer, client_id, nonce };
        let verify = |keys: &[Jwk]| verify_id_token(token, keys, &expected);
        match verify(&self.provider.keys(false)?.keys) {
            Err(IdTokenFault::UnknownKey) => Ok(verify(&self.provider.keys(true)?.keys)?),
            outcome => Ok(outcome?),
        }
    }

    /// Adds what the token leaves to another endpoint, if that speaks of the same person (OpenID Connect Core 1.0, section
    /// 5.3.2).
    fn add_claims(&self, claims: &mut Claims, access_token: &str) -> Result<(), ProviderError> {
        let Some(more) = self.provider.person_of_token::<Claims>(access_token)? else {
            return Ok(());
        };
        if more.sub == claims.sub {
            claims.email = more.email;
            claims.email_verified = more.email_verified;
            for (name, value) in more.others {
                claims.others.entry(name).or_insert(value);
            }
        }
        Ok(())
    }
}

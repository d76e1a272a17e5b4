//! Whom the operator admits.

use std::fmt;

use super::claims::Claims;

/// How people sign in at the company's server.
#[derive(Clone, Default)]
pub struct CompanySignInSettings {
    /// What the button calls it.
    pub name: String,
    /// The issuer, exactly as its tokens name it.
    pub issuer: String,
    /// The id of this server as a client there.
    pub client_id: String,
    /// Its secret; none for a public client.
    pub client_secret: Option<String>,
    /// The domains of addresses that are admitted; all if empty.
    pub allowed_domains: Vec<String>,
    /// The groups of which one is required; none if empty.
    pub allowed_groups: Vec<String>,
    /// The claim that holds the groups.
    pub groups_claim: String,
    /// The scopes to request beside `openid`.
    pub scopes: Vec<String>,
    /// The plan of accounts that are made at the first sign-in; `None` makes none.
    pub new_account_plan: Option<String>,
}

impl fmt::Debug for CompanySignInSettings {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompanySignInSettings")
            .field("issuer", &self.issuer)
            .finish_non_exhaustive()
    }
}

/// A person whose identity the company's server has proved, and who is admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyPerson {
    /// Who proved it.
    pub issuer: String,
    /// Who it is there, for ever.
    pub subject: String,
    /// Their address, which the server has verified; lower-case.
    pub email: String,
}

/// Why a person is not admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionFault {
    /// No verified address.
    #[error("the company's server names no verified e-mail address for you")]
    NoVerifiedEmail,
    /// An address of another domain.
    #[error("your e-mail address belongs to a domain that is not admitted")]
    OtherDomain,
    /// None of the groups.
    #[error("you are in none of the groups that are admitted")]
    OtherGroup,
}

impl CompanySignInSettings {
    /// The person of verified claims, if they are admitted.
    pub(super) fn admit(&self, claims: &Claims) -> Result<CompanyPerson, AdmissionFault> {
        let email = claims.email.as_deref().map(str::trim).unwrap_or_default().to_lowercase();
        let (Some((person, domain)), true) = (email.rsplit_once('@'), claims.email_verified) else {
            return Err(AdmissionFault::NoVerifiedEmail);
        };
        if person.is_empty() {
            return Err(AdmissionFault::NoVerifiedEmail);
        }
        let is_listed = |listed: &String| listed.eq_ignore_ascii_case(domain);
        if !self.allowed_domains.is_empty() && !self.allowed_domains.iter().any(is_listed) {
            return Err(AdmissionFault::OtherDomain);
        }
        let groups = claims.groups(&self.groups_claim);
        if !self.allowed_groups.is_empty()
            && !groups.iter().any(|group| self.allowed_groups.contains(group))
        {
            return Err(AdmissionFault::OtherGroup);
        }
        let (issuer, subject) = (self.issuer.clone(), claims.sub.clone());
        Ok(CompanyPerson { issuer, subject, email })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn only_verified_addresses_of_the_domains_and_members_of_the_groups_are_admitted() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let settings = |domains: &[&str], groups: &[&str]| CompanySignInSettings {
            allowed_domains: words(domains),
            allowed_groups: words(groups),
            groups_claim: "groups".to_owned(),
            ..CompanySignInSettings::default()
        };
        let admit = |settings: &CompanySignInSettings, claims: Value| {
            let claims: Claims = serde_json::from_value(claims).expect("claims");
            settings.admit(&claims).map(|person| person.email)
        };
        let (open, lab) = (settings(&[], &[]), settings(&["lab.example"], &["ran", "core"]));
        let ann = |email: &str, verified: Value, groups: Value| json!({"sub": "1", "email": email, "email_verified": verified, "groups": groups});
        let email = "Ann@Lab.Example";
        for (settings, claims, outcome) in [
            (&open, ann(email, json!(true), json!(null)), Ok("ann@lab.example")),
            (&open, ann(email, json!("true"), json!([])), Ok("ann@lab.example")),
            (&open, ann(email, json!(false), json!([])), Err(AdmissionFault::NoVerifiedEmail)),
            (&open, ann(email, json!("yes"), json!([])), Err(AdmissionFault::NoVerifiedEmail)),
            (&open, json!({"sub": "1", "email": email}), Err(AdmissionFault::NoVerifiedEmail)),
            (
                &open,
                json!({"sub": "1", "email_verified": true}),
                Err(AdmissionFault::NoVerifiedEmail),
            ),
            (
                &open,
                ann("@lab.example", json!(true), json!([])),
                Err(AdmissionFault::NoVerifiedEmail),
            ),
            (&lab, ann(email, json!(true), json!(["core", "x"])), Ok("ann@lab.example")),
            (&lab, ann(email, json!(true), json!("ran")), Ok("ann@lab.example")),
            (&lab, ann(email, json!(true), json!(["Ran"])), Err(AdmissionFault::OtherGroup)),
            (&lab, ann(email, json!(true), json!({"ran": 1})), Err(AdmissionFault::OtherGroup)),
            (
                &lab,
                ann("a@evil.lab.example", json!(true), json!("ran")),
                Err(AdmissionFault::OtherDomain),
            ),
            (
                &lab,
                ann("a@lab.example@evil.example", json!(true), json!("ran")),
                Err(AdmissionFault::OtherDomain),
            ),
        ] {
            let outcome = outcome.map(str::to_owned);
            assert_eq!(admit(settings, claims.clone()), outcome, "{claims}");
        }
    }
}

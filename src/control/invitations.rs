//! Invitations: an account for each address of a list, with a link by which its owner sets a password.
//!
//! Each address is handled by itself and has a result of its own, so that a wrong one does not hold up the others and
//! none gets lost: an account whose link could not be made is said to exist.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::AccountLink;
use crate::service::Service;
use accounts::{AccessError, AccountRole};

/// Addresses of one list. Each is two changes of the accounts, which are on the disk when they return.
const MAX_INVITATIONS: usize = 200;
/// Characters of an entry that a result repeats.
const MAX_ECHOED_CHARS: usize = 100;

/// Whom to invite.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InvitationList {
    /// The addresses: one a line, or separated by commas or semicolons; also `Ann Example <ann@lab.example>`.
    pub addresses: String,
    /// The role of the new accounts.
    pub role: AccountRole,
    /// Their plan; the default of the role when absent.
    pub plan: Option<String>,
}

/// What became of one entry of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// The line of the list, from 1.
    pub line: usize,
    /// The address as it was given.
    pub address: String,
    /// The new account with its link.
    #[serde(flatten)]
    pub invited: Option<AccountLink>,
    /// Why there is no link.
    pub refusal: Option<String>,
}

impl InvitationList {
    /// Creates the accounts. An error means that none was created.
    pub fn invite(&self, service: &Service) -> Result<Vec<Invitation>, AccessError> {
        let entries = split_addresses(&self.addresses);
        if entries.len() > MAX_INVITATIONS {
            return Err(AccessError::TooManyInvitations { max_invitations: MAX_INVITATIONS });
        }
        let mut seen = HashSet::new();
        let mut results = Vec::with_capacity(entries.len());
        for (line, address) in entries {
            let outcome = if seen.insert(address.to_lowercase()) {
                self.invite_address(service, address)?
            } else {
                Err("it is in the list twice".to_owned())
            };
            let address = address.chars().take(MAX_ECHOED_CHARS).collect();
            let (invited, refusal) = match outcome {
                Ok(link) => (Some(link), None),
                Err(reason) => (None, Some(reason)),
            };
            results.push(Invitation { line, address, invited, refusal });
        }
        Ok(results)
    }

    /// Creates one account; the inner error says why not. What is wrong with the whole list fails at its first address.
    fn invite_address(
        &self,
        service: &Service,
        address: &str,
    ) -> Result<Result<AccountLink, String>, AccessError> {
        if !is_address(address) {
            return Ok(Err("it is not an address such as ann@lab.example".to_owned()));
        }
        match service.access.accounts().add_account(address, self.role, self.plan.as_deref()) {
            Ok(account) => Ok(AccountLink::of_account(service, &account).map_err(|error| {
                let name = account.name;
                format!("the account was created without a link ({error}); use `specbox user reset {name}`")
            })),
            Err(error @ AccessError::UnknownPlan { .. }) => Err(error),
            Err(error) => Ok(Err(error.to_string())),
        }
    }
}

/// The entries of a list, with their lines. In a line with angle brackets only what they enclose is an address, because
/// a name may contain commas: `Example, Ann <ann@lab.example>`.
fn split_addresses(list: &str) -> Vec<(usize, &str)> {
    let mut entries = Vec::new();
    for (index, line) in list.lines().enumerate() {
        for part in line.split(';').map(str::trim) {
            let in_brackets = part.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
            let mut addresses: Vec<&str> = in_brackets.map(|(address, _)| address.trim()).collect();
            if addresses.is_empty() {
                let words = part.split([',', ' ', '\t']).map(str::trim);
                addresses = words.filter(|word| !word.is_empty()).collect();
            }
            entries.extend(addresses.into_iter().map(|address| (index + 1, address)));
        }
    }
    entries
}

/// Whether a text has the form of an address; which letters it may have is checked when the account is created.
fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(person, host)| {
        let is_host =
            !host.contains('@') && !host.starts_with(['.', '-']) && !host.ends_with(['.', '-']);
        !person.is_empty() && !host.is_empty() && is_host
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_however_a_list_is_written() {
        for (list, entries) in [
            (
                "ann@lab.example\nbob@lab.example\r\n",
                &[(1, "ann@lab.example"), (2, "bob@lab.example")][..],
            ),
            ("ann@a.b, bob@a.b; eve@a.b", &[(1, "ann@a.b"), (1, "bob@a.b"), (1, "eve@a.b")]),
            ("Example, Ann <ann@a.b>; Bob <bob@a.b>", &[(1, "ann@a.b"), (1, "bob@a.b")]),
            ("Ann <ann@a.b>, Bob < bob@a.b >", &[(1, "ann@a.b"), (1, "bob@a.b")]),
            ("\n \n\tann@a.b ,\n", &[(3, "ann@a.b")]),
            ("Ann Example", &[(1, "Ann"), (1, "Example")]),
            ("<ann@a.b", &[(1, "<ann@a.b")]),
            (";,;", &[]),
        ] {
            assert_eq!(split_addresses(list), entries, "{list:?}");
        }
    }

    #[test]
    fn a_name_is_no_address() {
        for (text, is_one) in [
            ("ann@lab.example", true),
            ("ann+3gpp@lab", true),
            ("ann", false),
            ("@lab.example", false),
            ("ann@", false),
            ("ann@@lab", false),
            ("ann@lab.example.", false),
            ("ann@lab@lab", false),
        ] {
            assert_eq!(is_address(text), is_one, "{text}");
        }
    }
}

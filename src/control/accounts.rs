//! Commands about accounts, keys and plans, and what they answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AccountLink, AccountSummary, AccountUsage, Invitation, InvitationList};
use crate::service::Service;
use accounts::{
    AccessError, Account, AccountPlan, AccountRole, AccountsLocation, KeyLimits, KeyRecord, NewKey,
};

/// A command about accounts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum AccountsCommand {
    /// Create an account, and a link for setting its password.
    AddUser {
        /// Its name.
        name: String,
        /// Its role.
        role: AccountRole,
        /// Its plan; the default of the role when absent.
        plan: Option<String>,
    },
    /// Create an account for each address of a list, with a link for setting its password.
    InviteUsers(InvitationList),
    /// List the accounts.
    ListUsers,
    /// Refuse an account's keys and end its sessions.
    DisableUser {
        /// Its name.
        name: String,
    },
    /// Enable a disabled account.
    EnableUser {
        /// Its name.
        name: String,
    },
    /// Create a link for resetting an account's password.
    ResetUser {
        /// Its name.
        name: String,
    },
    /// Unlink an account from its identity at the company's server.
    UnlinkUser {
        /// Its name.
        name: String,
    },
    /// Give an account another role.
    SetRole {
        /// Its name.
        name: String,
        /// The role.
        role: AccountRole,
    },
    /// Put an account on another plan.
    SetPlan {
        /// Its name.
        name: String,
        /// The plan.
        plan: String,
    },
    /// Copy all accounts to a place that has none.
    CopyUsers {
        /// A file, or the URL of a PostgreSQL server.
        to: String,
    },
    /// Create an API key.
    CreateKey {
        /// The account it is for; the first operator's when absent.
        user: Option<String>,
        /// Name given by its owner.
        name: String,
        /// What restricts it.
        #[serde(default)]
        limits: KeyLimits,
    },
    /// List the API keys.
    ListKeys {
        /// Only those of this account.
        user: Option<String>,
        /// Only those of this project.
        project: Option<String>,
    },
    /// Deactivate an API key.
    DeactivateKey {
        /// Its id.
        id: u64,
    },
    /// Delete an API key.
    DeleteKey {
        /// Its id.
        id: u64,
    },
    /// List the plans.
    ListPlans,
}

impl AccountsCommand {
    /// Whether the command changes nothing.
    pub(super) fn only_asks(&self) -> bool {
        matches!(self, Self::ListUsers | Self::ListKeys { .. } | Self::ListPlans)
    }
}

/// What a command about accounts answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountsReply {
    /// An account as it is now.
    Account(AccountSummary),
    /// An account, and the link by which its password is set.
    AccountLink(AccountLink),
    /// What became of each address of a list.
    Invitations(Vec<Invitation>),
    /// The accounts.
    Accounts(Vec<AccountUsage>),
    /// A key that was just made.
    NewKey(NewKey),
    /// A key as it is now.
    Key(KeyRecord),
    /// The keys.
    Keys(Vec<KeyRecord>),
    /// The plans.
    Plans(Vec<AccountPlan>),
}

impl AccountsReply {
    /// Whether the command did everything it was asked to.
    pub(super) fn is_complete(&self) -> bool {
        match self {
            Self::Invitations(invitations) => invitations.iter().all(|one| one.refusal.is_none()),
            Self::Account(_)
            | Self::AccountLink(_)
            | Self::Accounts(_)
            | Self::NewKey(_)
            | Self::Key(_)
            | Self::Keys(_)
            | Self::Plans(_) => true,
        }
    }

    pub(super) fn to_json(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::Account(account) => serde_json::to_value(account),
            Self::AccountLink(link) => serde_json::to_value(link),
            Self::Invitations(invitations) => serde_json::to_value(invitations),
            Self::Accounts(accounts) => serde_json::to_value(accounts),
            Self::NewKey(key) => serde_json::to_value(key),
            Self::Key(key) => serde_json::to_value(key),
            Self::Keys(keys) => serde_json::to_value(keys),
            Self::Plans(plans) => serde_json::to_value(plans),
        }
    }
}

impl AccountsCommand {
    /// Whether it makes an account or a key, which a new data folder may have before its index.
    pub(super) fn creates_account_or_key(&self) -> bool {
        matches!(self, Self::AddUser { .. } | Self::InviteUsers(_) | Self::CreateKey { .. })
    }

    /// Whether it changes accounts or keys.
    pub(super) fn changes_accounts(&self) -> bool {
        !matches!(
            self,
            Self::ListUsers | Self::ListKeys { .. } | Self::ListPlans | Self::CopyUsers { .. }
        )
    }

    /// Executes the command; its reply contains no secret but the one that the command created.
    pub(super) fn execute(self, service: &Service) -> Result<AccountsReply, AccessError> {
        let (accounts, keys) = (service.access.accounts(), service.access.keys());
        let id_of = |name: &str| accounts.account_by_name(name).map(|account| account.id);
        let summary =
            |account: &Account| AccountsReply::Account(AccountSummary::from_account(account));
        Ok(match self {
            Self::AddUser { name, role, plan } => {
                make_setup_link(service, &accounts.add_account(&name, role, plan.as_deref())?)?
            }
            Self::InviteUsers(list) => AccountsReply::Invitations(list.invite(service)?),
            Self::ListUsers => AccountsReply::Accounts(AccountUsage::of_all_accounts(service)?),
            Self::DisableUser { name } => summary(&accounts.set_active(id_of(&name)?, false)?),
            Self::EnableUser { name } => summary(&accounts.set_active(id_of(&name)?, true)?),
            Self::ResetUser { name } => {
                make_setup_link(service, &accounts.account_by_name(&name)?)?
            }
            Self::UnlinkUser { name } => {
                let account = accounts.account_by_name(&name)?;
                accounts.unlink_identity(account.id)?;
                summary(&account)
            }
            Self::SetRole { name, role } => summary(&accounts.set_role(id_of(&name)?, role)?),
            Self::SetPlan { name, plan } => summary(&accounts.set_plan(id_of(&name)?, &plan)?),
            Self::CopyUsers { to } => {
                service.access.copy_to(&AccountsLocation::parse(&to))?;
                return Self::ListUsers.execute(service);
            }
            Self::CreateKey { user, name, limits } => {
                let owner = match user {
                    Some(user) => id_of(&user)?,
                    None => accounts.first_operator()?.id,
                };
                AccountsReply::NewKey(keys.create_limited_key(owner, &name, &limits)?)
            }
            Self::ListKeys { user, project } => {
                let mut keys = keys.list_keys(user.as_deref().map(id_of).transpose()?)?;
                let is_of_project = |key: &KeyRecord| key.limits.project == project;
                keys.retain(|key| project.is_none() || is_of_project(key));
                AccountsReply::Keys(keys)
            }
            Self::DeactivateKey { id } => AccountsReply::Key(keys.deactivate_key(None, id)?),
            Self::DeleteKey { id } => AccountsReply::Key(keys.delete_key(None, id)?),
            Self::ListPlans => {
                let plans = service.access.plans().all_plans();
                AccountsReply::Plans(plans.iter().map(|plan| AccountPlan::clone(plan)).collect())
            }
        })
    }
}

fn make_setup_link(service: &Service, account: &Account) -> Result<AccountsReply, AccessError> {
    AccountLink::of_account(service, account).map(AccountsReply::AccountLink)
}

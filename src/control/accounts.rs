//! Commands about accounts, keys and plans.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::service::Service;
use accounts::{AccessError, Account, NewKey, Role};

/// A command about accounts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum AccountsCommand {
    /// Make an account and a link by which its password is set.
    AddUser {
        /// Its name.
        name: String,
        /// Its role.
        role: Role,
        /// Its plan; the usual one of the role when absent.
        plan: Option<String>,
    },
    /// List the accounts.
    ListUsers,
    /// Refuse an account's keys and end its sessions.
    DisableUser {
        /// Its name.
        name: String,
    },
    /// Let an account in again.
    EnableUser {
        /// Its name.
        name: String,
    },
    /// Make a link by which an account's password is set anew.
    ResetUser {
        /// Its name.
        name: String,
    },
    /// Give an account another role.
    SetRole {
        /// Its name.
        name: String,
        /// The role.
        role: Role,
    },
    /// Put an account on another plan.
    SetPlan {
        /// Its name.
        name: String,
        /// The plan.
        plan: String,
    },
    /// Make an API key.
    CreateKey {
        /// The account it is for; the first operator's when absent.
        user: Option<String>,
        /// Name given by its owner.
        name: String,
    },
    /// List the API keys.
    ListKeys {
        /// Of one account alone.
        user: Option<String>,
    },
    /// Make an API key be refused.
    DeactivateKey {
        /// Its id.
        id: u64,
    },
    /// Forget an API key.
    DeleteKey {
        /// Its id.
        id: u64,
    },
    /// List the plans.
    ListPlans,
}

impl AccountsCommand {
    /// Carries the command out; what it answers holds no secret but the new one it was asked for.
    pub(super) fn execute(self, service: &Service) -> Result<Value, AccessError> {
        let access = &service.access;
        let id_of = |name: &str| access.account_named(name).map(|account| account.id);
        match self {
            Self::AddUser { name, role, plan } => {
                let account = access.add_account(&name, role, plan.as_deref())?;
                with_link(service, &account)
            }
            Self::ListUsers => {
                let accounts = access.accounts()?;
                accounts.iter().map(|account| with_usage(service, account)).collect()
            }
            Self::DisableUser { name } => Ok(shown(&access.set_active(id_of(&name)?, false)?)),
            Self::EnableUser { name } => Ok(shown(&access.set_active(id_of(&name)?, true)?)),
            Self::ResetUser { name } => with_link(service, &access.account_named(&name)?),
            Self::SetRole { name, role } => Ok(shown(&access.set_role(id_of(&name)?, role)?)),
            Self::SetPlan { name, plan } => Ok(shown(&access.set_plan(id_of(&name)?, &plan)?)),
            Self::CreateKey { user, name } => {
                let owner = match user {
                    Some(user) => id_of(&user)?,
                    None => access.first_operator()?.id,
                };
                let NewKey { key, record } = access.create_key(owner, &name)?;
                Ok(json!({"key": key, "record": record}))
            }
            Self::ListKeys { user } => {
                let owner = user.as_deref().map(id_of).transpose()?;
                Ok(json!(access.keys(owner)?))
            }
            Self::DeactivateKey { id } => Ok(json!(access.deactivate_key(None, id)?)),
            Self::DeleteKey { id } => Ok(json!(access.delete_key(None, id)?)),
            Self::ListPlans => Ok(access.plans().all().iter().map(|plan| json!(**plan)).collect()),
        }
    }
}

/// An account without its password's hash.
fn shown(account: &Account) -> Value {
    json!({
        "id": account.id,
        "name": account.name,
        "role": account.role,
        "plan": account.plan,
        "active": account.active,
        "password_set": account.password.is_some(),
        "created_at": account.created_at,
    })
}

fn with_usage(service: &Service, account: &Account) -> Result<Value, AccessError> {
    let allowance = service.access.usage(account)?.allowance;
    let mut value = shown(account);
    value["used_this_month"] = json!(allowance.used);
    value["requests_per_month"] = json!(allowance.limit);
    Ok(value)
}

fn with_link(service: &Service, account: &Account) -> Result<Value, AccessError> {
    let link = service.access.make_link(account.id)?;
    let mut value = shown(account);
    value["setup_url"] = json!(service.setup_url(&link));
    value["expires_at"] = json!(link.expires_at);
    Ok(value)
}

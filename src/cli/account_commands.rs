//! Translates `specbox user` and `specbox key` to commands about accounts.

use std::{fs, io, path::Path};

use anyhow::{Context, Result};

use super::{
    account_arguments::{KeyCommand, RoleChoice, UserCommand},
    outcome::absolute_path,
};
use crate::control::{AccountsCommand, InvitationList};
use accounts::{AccountRole, AccountsLocation, KeyLimits, KeyScope};

pub(super) fn from_user_command(command: UserCommand) -> Result<AccountsCommand> {
    Ok(match command {
        UserCommand::Add { name, role, plan } => {
            AccountsCommand::AddUser { name, role: to_role(role), plan }
        }
        UserCommand::Invite { addresses, list, role, plan } => {
            let mut addresses = addresses.join("\n");
            if let Some(path) = list {
                addresses.push('\n');
                addresses.push_str(&read_list(&path)?);
            }
            AccountsCommand::InviteUsers(InvitationList { addresses, role: to_role(role), plan })
        }
        UserCommand::Role { name, role } => AccountsCommand::SetRole { name, role: to_role(role) },
        UserCommand::List { .. } => AccountsCommand::ListUsers,
        UserCommand::Copy { to } => AccountsCommand::CopyUsers { to: accounts_location(to)? },
        UserCommand::Disable { name } => AccountsCommand::DisableUser { name },
        UserCommand::Enable { name } => AccountsCommand::EnableUser { name },
        UserCommand::Unlink { name } => AccountsCommand::UnlinkUser { name },
        UserCommand::Reset { name } => AccountsCommand::ResetUser { name },
        UserCommand::Plan { name, plan } => AccountsCommand::SetPlan { name, plan },
    })
}

/// The text of a file, or of standard input.
fn read_list(path: &Path) -> Result<String> {
    if path.as_os_str() == "-" {
        return io::read_to_string(io::stdin()).context("cannot read the addresses");
    }
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The URL of a server unchanged, a file as an absolute path: the process that holds the data folder may have another
/// working directory.
fn accounts_location(given: String) -> Result<String> {
    match AccountsLocation::parse(&given) {
        AccountsLocation::Server(url) => Ok(url),
        AccountsLocation::File(path) => {
            let path = absolute_path(&path)?.into_os_string().into_string();
            path.ok().context("the file name is not valid UTF-8")
        }
    }
}

fn to_role(role: RoleChoice) -> AccountRole {
    match role {
        RoleChoice::Operator => AccountRole::Operator,
        RoleChoice::Member => AccountRole::Member,
    }
}

pub(super) fn from_key_command(command: KeyCommand) -> AccountsCommand {
    match command {
        KeyCommand::Create { name, user, project, expires, operations, series } => {
            let scope = KeyScope { operations, series };
            let limits = KeyLimits { project, expires_at: expires, scope };
            AccountsCommand::CreateKey { user, name, limits }
        }
        KeyCommand::List { user, project, .. } => AccountsCommand::ListKeys { user, project },
        KeyCommand::Deactivate { id } => AccountsCommand::DeactivateKey { id },
        KeyCommand::Delete { id } => AccountsCommand::DeleteKey { id },
    }
}

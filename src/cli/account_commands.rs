//! Translates `specbox user` and `specbox key` to commands about accounts.

use super::account_arguments::{KeyCommand, RoleChoice, UserCommand};
use crate::control::AccountsCommand;
use accounts::AccountRole;

pub(super) fn from_user_command(command: UserCommand) -> AccountsCommand {
    match command {
        UserCommand::Add { name, role, plan } => {
            AccountsCommand::AddUser { name, role: to_role(role), plan }
        }
        UserCommand::Role { name, role } => AccountsCommand::SetRole { name, role: to_role(role) },
        UserCommand::List => AccountsCommand::ListUsers,
        UserCommand::Copy { to } => AccountsCommand::CopyUsers { to },
        UserCommand::Disable { name } => AccountsCommand::DisableUser { name },
        UserCommand::Enable { name } => AccountsCommand::EnableUser { name },
        UserCommand::Reset { name } => AccountsCommand::ResetUser { name },
        UserCommand::Plan { name, plan } => AccountsCommand::SetPlan { name, plan },
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
        KeyCommand::Create { name, user } => AccountsCommand::CreateKey { user, name },
        KeyCommand::List { user } => AccountsCommand::ListKeys { user },
        KeyCommand::Deactivate { id } => AccountsCommand::DeactivateKey { id },
        KeyCommand::Delete { id } => AccountsCommand::DeleteKey { id },
    }
}

//! `specbox user` and `specbox key` as commands about accounts.

use super::arguments::{KeyCommand, RoleChoice, UserCommand};
use crate::control::AccountsCommand;
use accounts::Role;

pub(super) fn of_user(command: UserCommand) -> AccountsCommand {
    match command {
        UserCommand::Add { name, role, plan } => {
            AccountsCommand::AddUser { name, role: of_role(role), plan }
        }
        UserCommand::Role { name, role } => AccountsCommand::SetRole { name, role: of_role(role) },
        UserCommand::List => AccountsCommand::ListUsers,
        UserCommand::Disable { name } => AccountsCommand::DisableUser { name },
        UserCommand::Enable { name } => AccountsCommand::EnableUser { name },
        UserCommand::Reset { name } => AccountsCommand::ResetUser { name },
        UserCommand::Plan { name, plan } => AccountsCommand::SetPlan { name, plan },
    }
}

fn of_role(role: RoleChoice) -> Role {
    match role {
        RoleChoice::Operator => Role::Operator,
        RoleChoice::Member => Role::Member,
    }
}

pub(super) fn of_key(command: KeyCommand) -> AccountsCommand {
    match command {
        KeyCommand::Create { name, user } => AccountsCommand::CreateKey { user, name },
        KeyCommand::List { user } => AccountsCommand::ListKeys { user },
        KeyCommand::Deactivate { id } => AccountsCommand::DeactivateKey { id },
        KeyCommand::Delete { id } => AccountsCommand::DeleteKey { id },
    }
}

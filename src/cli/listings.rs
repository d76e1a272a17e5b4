//! Accounts, keys and plans as tables for people.

use std::process::ExitCode;

use anyhow::{Result, bail};

use super::{
    account_arguments::{KeyCommand, PlanCommand, UserCommand},
    account_commands,
    arguments::GlobalArgs,
    outcome::execute_and_print,
    output::print_text,
    refusals::OperationRefusal,
    session::{self, CommandOutcome},
    terminal::{ColumnList, Screen},
};
use crate::control::{AccountUsage, AccountsCommand, AccountsReply, CommandReply, ControlRequest};
use accounts::{AccountPlan, KeyRecord};

/// Runs a command about accounts.
pub(super) fn run_user_command(global: &GlobalArgs, command: UserCommand) -> Result<ExitCode> {
    let is_listed = matches!(command, UserCommand::List { json: false });
    run_command(global, account_commands::from_user_command(command)?, is_listed)
}

/// Runs a command about keys.
pub(super) fn run_key_command(global: &GlobalArgs, command: KeyCommand) -> Result<ExitCode> {
    let is_listed = matches!(command, KeyCommand::List { json: false, .. });
    run_command(global, account_commands::from_key_command(command), is_listed)
}

/// Runs a command about plans.
pub(super) fn run_plan_command(global: &GlobalArgs, command: &PlanCommand) -> Result<ExitCode> {
    let PlanCommand::List { json } = command;
    run_command(global, AccountsCommand::ListPlans, !json)
}

/// Runs a command and prints its reply: as a table, or as JSON.
fn run_command(global: &GlobalArgs, command: AccountsCommand, is_listed: bool) -> Result<ExitCode> {
    let request = ControlRequest::Accounts(command);
    if !is_listed {
        return execute_and_print(global, request);
    }
    let list = match session::execute_request(global, request)? {
        CommandOutcome::Refused(body) => bail!(OperationRefusal { body }),
        CommandOutcome::Done(CommandReply::Accounts(AccountsReply::Accounts(accounts))) => {
            list_accounts(accounts)
        }
        CommandOutcome::Done(CommandReply::Accounts(AccountsReply::Keys(keys))) => list_keys(keys),
        CommandOutcome::Done(CommandReply::Accounts(AccountsReply::Plans(plans))) => {
            list_plans(plans)
        }
        CommandOutcome::Done(_) => bail!("the command ended without a reply"),
    };
    match list.is_empty() {
        true => print_text("No keys yet. `specbox key create --name NAME` creates one.\n")?,
        false => print_text(&list.render(&Screen::of_output(global.color)))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list_accounts(accounts: Vec<AccountUsage>) -> ColumnList {
    let headings =
        ["Name", "Role", "Plan", "Used this month", "Allowance", "Password", "State", "Created"];
    let mut list = ColumnList::new(&headings, 0);
    for AccountUsage { account, used_this_month, requests_per_month } in accounts {
        list.push([
            account.name,
            account.role.as_str().to_owned(),
            account.plan,
            used_this_month.to_string(),
            print_limit(requests_per_month),
            if account.password_set { "set" } else { "not set" }.to_owned(),
            if account.active { "active" } else { "disabled" }.to_owned(),
            print_time(&account.created_at),
        ]);
    }
    list
}

fn list_keys(keys: Vec<KeyRecord>) -> ColumnList {
    let headings = ["ID", "Name", "Key", "Account", "Created", "Last used", "State"];
    let mut list = ColumnList::new(&headings, 1);
    for key in keys {
        list.push([
            key.id.to_string(),
            key.name,
            format!("{}...", key.prefix),
            key.account.to_string(),
            print_time(&key.created_at),
            key.last_used_at.as_deref().map_or_else(|| "never".to_owned(), print_time),
            if key.active { "active" } else { "deactivated" }.to_owned(),
        ]);
    }
    list
}

fn list_plans(plans: Vec<AccountPlan>) -> ColumnList {
    let mut list = ColumnList::new(&["Name", "Requests per month", "Price per month"], 0);
    for plan in plans {
        let cents = plan.monthly_price_cents;
        let price = match cents {
            0 => "free".to_owned(),
            cents => format!("{}.{:02} {}", cents / 100, cents % 100, plan.currency),
        };
        list.push([plan.name, print_limit(plan.requests_per_month), price]);
    }
    list
}

fn print_limit(limit: Option<u64>) -> String {
    limit.map_or_else(|| "unlimited".to_owned(), |limit| limit.to_string())
}

/// A time to the minute, in UTC: `2026-01-31 12:00`.
fn print_time(timestamp: &str) -> String {
    timestamp.get(..16).unwrap_or(timestamp).replace('T', " ")
}

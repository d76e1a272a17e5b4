//! Accounts, keys and plans for people: lists as tables, what a command changed as sentences.

use std::process::ExitCode;

use anyhow::{Result, bail};

use super::{
    account_arguments::{KeyCommand, PlanCommand, UserCommand},
    account_commands,
    arguments::GlobalArgs,
    outcome::exit_code,
    output::{print_json, print_text},
    refusals::OperationRefusal,
    session::{self, CommandOutcome},
    terminal::{ColumnList, Screen},
};
use crate::control::{
    AccountLink, AccountSummary, AccountUsage, AccountsCommand, AccountsReply, CommandReply,
    ControlRequest, Invitation,
};
use accounts::{AccountPlan, KeyRecord, NewKey};

/// Runs a command about accounts.
pub(super) fn run_user_command(global: &GlobalArgs, command: UserCommand) -> Result<ExitCode> {
    let manner = match command {
        UserCommand::List { json } => OutputManner::of_list(json),
        _ => OutputManner::TextOnTerminal,
    };
    run_command(global, account_commands::from_user_command(command)?, manner)
}

/// Runs a command about keys.
pub(super) fn run_key_command(global: &GlobalArgs, command: KeyCommand) -> Result<ExitCode> {
    let manner = match command {
        KeyCommand::List { json, .. } => OutputManner::of_list(json),
        _ => OutputManner::TextOnTerminal,
    };
    run_command(global, account_commands::from_key_command(command), manner)
}

/// Runs a command about plans.
pub(super) fn run_plan_command(global: &GlobalArgs, command: &PlanCommand) -> Result<ExitCode> {
    let PlanCommand::List { json } = command;
    run_command(global, AccountsCommand::ListPlans, OutputManner::of_list(*json))
}

/// How a reply is printed.
enum OutputManner {
    /// As text.
    Text,
    /// As JSON.
    Json,
    /// As text on a terminal; scripts, which create accounts and keys, get JSON.
    TextOnTerminal,
}

impl OutputManner {
    fn of_list(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

/// Runs a command and prints its reply.
fn run_command(
    global: &GlobalArgs,
    command: AccountsCommand,
    manner: OutputManner,
) -> Result<ExitCode> {
    let deletes = matches!(command, AccountsCommand::DeleteKey { .. });
    let reply = match session::execute_request(global, ControlRequest::Accounts(command))? {
        CommandOutcome::Refused(body) => bail!(OperationRefusal { body }),
        CommandOutcome::Done(reply) => reply,
    };
    let exit_code = exit_code(reply.is_complete());
    let screen = Screen::of_output(global.color);
    let is_text = match manner {
        OutputManner::Text => true,
        OutputManner::Json => false,
        OutputManner::TextOnTerminal => screen.is_terminal,
    };
    match reply {
        CommandReply::Accounts(AccountsReply::Key(key)) if is_text && deletes => {
            print_text(&format!("{} is deleted.\n", name_of(&key)))?;
        }
        CommandReply::Accounts(reply) if is_text => print_text(&describe(reply, &screen))?,
        reply => print_json(&reply.to_json()?)?,
    }
    Ok(exit_code)
}

/// A reply for people.
fn describe(reply: AccountsReply, screen: &Screen) -> String {
    match reply {
        AccountsReply::Account(account) => describe_account(&account),
        AccountsReply::AccountLink(AccountLink { account, setup_url, expires_at }) => format!(
            "{}The owner sets the password with this link, which works once and expires at {} UTC:\n\n  {setup_url}\n",
            describe_account(&account),
            print_time(&expires_at)
        ),
        AccountsReply::Invitations(invitations) => list_invitations(invitations).render(screen),
        AccountsReply::NewKey(NewKey { key, record }) => {
            format!(
                "{}Copy the key now; it will not be shown again:\n\n  {key}\n",
                describe_key(&record)
            )
        }
        AccountsReply::Key(key) => describe_key(&key),
        AccountsReply::Accounts(accounts) => list_accounts(accounts).render(screen),
        AccountsReply::Plans(plans) => list_plans(plans).render(screen),
        AccountsReply::Keys(keys) if keys.is_empty() => {
            "No keys yet. `specbox key create --name NAME` creates one.\n".to_owned()
        }
        AccountsReply::Keys(keys) => list_keys(keys).render(screen),
    }
}

fn describe_account(account: &AccountSummary) -> String {
    format!(
        "Account {}: {}, plan {}, {}.\n",
        account.name,
        account.role.as_str(),
        account.plan,
        if account.active { "active" } else { "disabled" }
    )
}

fn describe_key(key: &KeyRecord) -> String {
    let state = if key.expired { "has expired".to_owned() } else { format!("is {}", key.state()) };
    let project = key.limits.project.as_deref();
    let project = project.map_or_else(String::new, |name| format!(" Project: {name}."));
    let end = key.limits.expires_at.as_deref().map(print_time);
    let end = end.map_or_else(String::new, |end| format!(" Expires: {end} UTC."));
    let scope = &key.limits.scope;
    let scope =
        if scope.is_unrestricted() { String::new() } else { format!(" May read: {scope}.") };
    format!("{} {state}.{project}{end}{scope}\n", name_of(key))
}

fn name_of(key: &KeyRecord) -> String {
    format!("Key {} ({})", key.stored.id, key.stored.name.replace(char::is_control, " "))
}

fn list_invitations(invitations: Vec<Invitation>) -> ColumnList {
    let mut list = ColumnList::new(&["Line", "Address", "Link, or why there is none"], 1);
    for Invitation { line, address, invited, refusal } in invitations {
        let result = match invited {
            Some(link) => {
                format!("{} (until {} UTC)", link.setup_url, print_time(&link.expires_at))
            }
            None => format!("not invited: {}", refusal.unwrap_or_default()),
        };
        list.push([line.to_string(), address, result]);
    }
    list
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
    let headings = [
        "ID",
        "Name",
        "Project",
        "Key",
        "Account",
        "Created",
        "Expires",
        "May read",
        "Last used",
        "State",
    ];
    let mut list = ColumnList::new(&headings, 1);
    for key in keys {
        list.push([
            key.stored.id.to_string(),
            key.stored.name.clone(),
            key.limits.project.clone().unwrap_or_default(),
            format!("{}...", key.stored.prefix),
            key.stored.account.to_string(),
            print_time(&key.stored.created_at),
            key.limits.expires_at.as_deref().map_or_else(|| "never".to_owned(), print_time),
            key.limits.scope.to_string(),
            key.last_used_at.as_deref().map_or_else(|| "never".to_owned(), print_time),
            key.state().to_owned(),
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

//! The help of the program: commands in groups, and the first steps.

use clap::Command;

/// Commands in groups, those for everyday use first. A test compares them with the commands.
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Search and read",
        &[
            "search",
            "read",
            "toc",
            "figures",
            "decisions",
            "tdocs",
            "compare",
            "history",
            "changes",
            "status",
        ],
    ),
    ("Build an index", &["ingest", "sync", "meetings", "models", "remove", "reindex", "optimize"]),
    ("Serve", &["serve", "demo", "user", "key", "plan"]),
    (
        "Back up and move",
        &["backup", "restore", "bundle", "pack", "keys", "verify", "doctor", "upgrade"],
    ),
    ("For programs", &["mcp", "call", "export", "completions", "man", "help"]),
];

/// What `specbox` alone prints.
const FIRST_STEPS: &str = "\
Search and read 3GPP specifications and meeting documents.

First steps
  specbox ingest ~/3gpp/archive/38_series       index archives: files or folders
  specbox search \"conditions for starting T310\"  find the clause
  specbox read 38.331 5.3.5                     read it
  specbox serve                                 start the web pages, the API and the MCP server

`specbox status` shows what is indexed, `specbox --help` lists all commands, and
`specbox COMMAND --help` describes one, with examples.
";

/// What `specbox` alone prints.
pub(super) fn first_steps() -> &'static str {
    FIRST_STEPS
}

/// Adds the list of commands in groups to the help of the program.
pub(super) fn with_grouped_commands(command: Command) -> Command {
    let mut list = String::new();
    for (title, names) in GROUPS {
        list.push_str(&format!("{title}:\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = match (about, *name) {
                (Some(about), _) => about.to_string(),
                (None, _) => "Print help for specbox or for a command".to_owned(),
            };
            list.push_str(&format!("  {name:12} {about}\n"));
        }
        list.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::arguments::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let visible = command.get_subcommands().filter(|one| !one.is_hide_set());
        let mut names: Vec<&str> = visible.map(Command::get_name).chain(["help"]).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        names.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, names);
    }
}

//! What the documents say, held against the program: links, names of files and functions, commands,
//! and every list that follows from a declaration.

mod commands;
#[path = "../support/documented_commands.rs"]
mod documented_commands;
mod links;
mod lists;
mod markdown;
mod names;
mod words;

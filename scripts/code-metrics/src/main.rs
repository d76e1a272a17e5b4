//! `code-metrics [--list] FOLDER...` prints the counts of the library; `--list` what is over the limits too.

use std::{fmt::Display, path::PathBuf};

use code_metrics::{CodeMetrics, MAX_FILE_LINES, MAX_FUNCTION_LINES, measure_folders, percent};

fn main() {
    let (options, folders): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let folders: Vec<PathBuf> = folders.into_iter().map(PathBuf::from).collect();
    print_metrics(&measure_folders(&folders), options.iter().any(|option| option == "--list"));
}

fn print_metrics(metrics: &CodeMetrics, list: bool) {
    let definitions = metrics.repeated_definition_count();
    println!(
        "type names defined more than once: {} of {} ({:.1} %); definitions that share a name: {definitions} of {} ({:.1} %)",
        metrics.repeated_types.len(),
        metrics.type_count,
        metrics.repeated_type_percent(),
        metrics.definition_count,
        percent(definitions, metrics.definition_count),
    );
    let repeated = metrics.repeated_types.iter();
    print_list(
        list,
        repeated.map(|(name, files)| format!("{name} x{}: {}", files.len(), joined(files))),
    );
    println!(
        "one-word function names: {} of {} ({:.1} %)",
        metrics.one_word_functions.len(),
        metrics.function_count,
        metrics.one_word_percent(),
    );
    print_list(list, &metrics.one_word_functions);
    println!("functions over {MAX_FUNCTION_LINES} lines: {}", metrics.long_functions.len());
    print_list(list, &metrics.long_functions);
    println!(
        "files over {MAX_FILE_LINES} lines: {} of {}",
        metrics.long_files.len(),
        metrics.file_count
    );
    print_list(list, &metrics.long_files);
    let longest = metrics.cycles.first().map_or(0, Vec::len);
    println!("import cycles between files: {}, longest {longest} files", metrics.cycles.len());
    print_list(
        list,
        metrics.cycles.iter().map(|files| format!("{}: {}", files.len(), joined(files))),
    );
    println!("pairs of types with the same parts: {}", metrics.twins.len());
    print_list(list, metrics.twins.iter().map(|(first, second)| format!("{first} {second}")));
}

fn print_list(list: bool, lines: impl IntoIterator<Item = impl Display>) {
    if list {
        lines.into_iter().for_each(|line| println!("  {line}"));
    }
}

fn joined(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" ")
}

//! The program: everything is in the library.

mod allocator;

use std::process::ExitCode;

fn main() -> ExitCode {
    specbox::cli::main()
}

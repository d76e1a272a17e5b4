//! Reads registers of meeting documents and lists of specifications from files, within limits.

use std::{fs::File, io::Read, path::Path};

use register::{ListedSpecification, Register, RegisterError};

use document::Limits;
use document::{ExtractError, LimitKind, one_line};

/// Reads a register: a workbook or an HTML page.
pub fn read_register(path: &Path, limits: &Limits) -> Result<Register, ExtractError> {
    read_table_file(path, limits, register::read_register)
}

/// Reads a list of specifications: a workbook.
pub(crate) fn read_specification_list(
    path: &Path,
    limits: &Limits,
) -> Result<Vec<ListedSpecification>, ExtractError> {
    read_table_file(path, limits, register::read_specification_list)
}

fn read_table_file<T>(
    path: &Path,
    limits: &Limits,
    read: impl FnOnce(&[u8]) -> Result<T, RegisterError>,
) -> Result<T, ExtractError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let io = |error: std::io::Error| ExtractError::Io {
        name: name.clone(),
        reason: one_line(&error.to_string()),
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(io)?;
    file.take(limits.part_bytes + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > limits.part_bytes {
        return Err(ExtractError::limit_exceeded(&name, LimitKind::PartBytes, limits.part_bytes));
    }
    if bytes.is_empty() {
        return Err(ExtractError::Empty { name });
    }
    read(&bytes).map_err(|error| {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
        let reason = one_line(&format!("{error}{}", cause.unwrap_or_default()));
        ExtractError::NoRegister { name, reason }
    })
}

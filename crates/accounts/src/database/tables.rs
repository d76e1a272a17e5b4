//! Tables of rows in the order of their keys, in a file or on a server: one interface, so that everything above is
//! implemented once.

use std::ops::{Bound, RangeBounds};

use redb::{ReadOnlyTable, ReadableTable, Table, TableDefinition, TableHandle, Value};

use super::rows::{OrderedKey, Stored, ordered_bytes, value_bytes};
use crate::AccessError;

/// A key and its value.
pub(crate) type Row<K, V> = (Stored<K>, Stored<V>);
/// Ordered bytes of keys between which rows are wanted.
pub(crate) type KeyBounds = (Bound<Vec<u8>>, Bound<Vec<u8>>);
/// Ordered bytes of a key, and bytes of its value.
pub(crate) type ByteRow = (Vec<u8>, Vec<u8>);

/// Which rows of a range, and in which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scan {
    /// From the last key back.
    pub(super) is_backward: bool,
    /// Rows that are left out at the start.
    pub(super) skipped: usize,
    /// The most rows.
    pub(super) limit: usize,
}

impl Scan {
    const ALL: Self = Self { is_backward: false, skipped: 0, limit: usize::MAX };
    const FIRST: Self = Self { limit: 1, ..Self::ALL };
}

/// A transaction of a server that keeps rows as bytes.
pub(crate) trait ServerRows {
    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, AccessError>;
    fn scan(
        &self,
        table: &str,
        bounds: &KeyBounds,
        scan: Scan,
    ) -> Result<Vec<ByteRow>, AccessError>;
    fn put(&self, table: &str, key: &[u8], value: &[u8]) -> Result<(), AccessError>;
    fn remove(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, AccessError>;
    fn remove_range(&self, table: &str, bounds: &KeyBounds) -> Result<(), AccessError>;
}

/// A server that several programs share.
pub(crate) trait AccountsServer: Send + Sync {
    /// A view of the last committed state.
    fn begin_read(&self) -> Result<Box<dyn ServerRows + '_>, AccessError>;

    /// Makes a change, and repeats it if it conflicts with another program's.
    fn write(
        &self,
        change: &mut dyn FnMut(&dyn ServerRows) -> Result<(), AccessError>,
    ) -> Result<(), AccessError>;
}

/// A view of the accounts at one moment.
pub(crate) enum AccountsView<'a> {
    /// Of a file.
    File(redb::ReadTransaction),
    /// Of a server.
    Server(Box<dyn ServerRows + 'a>),
}

impl AccountsView<'_> {
    /// A table to read.
    pub(crate) fn open_table<K: OrderedKey, V: Value + 'static>(
        &self,
        table: TableDefinition<'static, K, V>,
    ) -> Result<RowTable<'_, K, V>, AccessError> {
        Ok(match self {
            Self::File(txn) => RowTable::Reading(txn.open_table(table)?),
            Self::Server(rows) => RowTable::on_server(rows.as_ref(), table),
        })
    }
}

/// A change of the accounts, which is made whole or not at all.
pub(crate) enum AccountsChange<'a> {
    /// Of a file.
    File(Box<redb::WriteTransaction>),
    /// Of a server.
    Server(&'a dyn ServerRows),
}

impl AccountsChange<'_> {
    /// A table to read and change. A table can be open once at a time.
    pub(crate) fn open_table<K: OrderedKey, V: Value + 'static>(
        &self,
        table: TableDefinition<'static, K, V>,
    ) -> Result<RowTable<'_, K, V>, AccessError> {
        Ok(match self {
            Self::File(txn) => RowTable::Changing(txn.open_table(table)?),
            Self::Server(rows) => RowTable::on_server(*rows, table),
        })
    }
}

/// Rows in the order of their keys.
pub(crate) enum RowTable<'txn, K: OrderedKey, V: Value + 'static> {
    /// Of a file, to read.
    Reading(ReadOnlyTable<K, V>),
    /// Of a file, to change.
    Changing(Table<'txn, K, V>),
    /// Of a server.
    Server { rows: &'txn dyn ServerRows, name: String },
}

impl<'txn, K: OrderedKey, V: Value + 'static> RowTable<'txn, K, V> {
    fn on_server(rows: &'txn dyn ServerRows, table: TableDefinition<'static, K, V>) -> Self {
        Self::Server { rows, name: table.name().to_owned() }
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: K::SelfType<'_>) -> Result<Option<Stored<V>>, AccessError> {
        let value = match self {
            Self::Reading(table) => table.get(key)?,
            Self::Changing(table) => table.get(key)?,
            Self::Server { rows, name } => {
                let value = rows.get(name, &ordered_bytes::<K>(&key))?;
                return value.map(Stored::from_foreign).transpose();
            }
        };
        Ok(value.map(|value| Stored::new(&value.value())))
    }

    /// All rows.
    pub(crate) fn iter(&self) -> Result<Vec<Row<K, V>>, AccessError> {
        self.scan(.., Scan::ALL)
    }

    /// The rows of a range of keys.
    pub(crate) fn range<'k>(
        &self,
        range: impl RangeBounds<K::SelfType<'k>> + 'k,
    ) -> Result<Vec<Row<K, V>>, AccessError> {
        self.scan(range, Scan::ALL)
    }

    /// The last rows of a range of keys, from the end: as many as `limit`, after the `skipped` last ones.
    pub(crate) fn last_of<'k>(
        &self,
        range: impl RangeBounds<K::SelfType<'k>> + 'k,
        skipped: usize,
        limit: usize,
    ) -> Result<Vec<Row<K, V>>, AccessError> {
        self.scan(range, Scan { is_backward: true, skipped, limit })
    }

    /// The first row.
    pub(crate) fn first(&self) -> Result<Option<Row<K, V>>, AccessError> {
        Ok(self.scan(.., Scan::FIRST)?.pop())
    }

    /// The last row.
    pub(crate) fn last(&self) -> Result<Option<Row<K, V>>, AccessError> {
        Ok(self.last_of(.., 0, 1)?.pop())
    }

    fn scan<'k>(
        &self,
        range: impl RangeBounds<K::SelfType<'k>> + 'k,
        scan: Scan,
    ) -> Result<Vec<Row<K, V>>, AccessError> {
        let rows = match self {
            Self::Reading(table) => table.range(range)?,
            Self::Changing(table) => table.range(range)?,
            Self::Server { rows, name } => {
                let rows = rows.scan(name, &key_bounds::<K>(&range), scan)?;
                let stored = |(key, value): ByteRow| {
                    Ok((Stored::from_ordered(&key)?, Stored::from_foreign(value)?))
                };
                return rows.into_iter().map(stored).collect();
            }
        };
        let stored = |row: Result<_, redb::StorageError>| {
            let (key, value): (redb::AccessGuard<'_, K>, redb::AccessGuard<'_, V>) = row?;
            Ok((Stored::new(&key.value()), Stored::new(&value.value())))
        };
        let Scan { is_backward, skipped, limit } = scan;
        if is_backward {
            rows.rev().skip(skipped).take(limit).map(stored).collect()
        } else {
            rows.skip(skipped).take(limit).map(stored).collect()
        }
    }

    /// Stores a row, replacing an earlier one with its key.
    pub(crate) fn insert(
        &mut self,
        key: K::SelfType<'_>,
        value: V::SelfType<'_>,
    ) -> Result<(), AccessError> {
        match self {
            Self::Reading(_) => Err(AccessError::OnlyRead),
            Self::Changing(table) => {
                table.insert(key, value)?;
                Ok(())
            }
            Self::Server { rows, name } => {
                rows.put(name, &ordered_bytes::<K>(&key), &value_bytes::<V>(&value))
            }
        }
    }

    /// Removes a row, which is returned.
    pub(crate) fn remove(
        &mut self,
        key: K::SelfType<'_>,
    ) -> Result<Option<Stored<V>>, AccessError> {
        match self {
            Self::Reading(_) => Err(AccessError::OnlyRead),
            Self::Changing(table) => {
                Ok(table.remove(key)?.map(|value| Stored::new(&value.value())))
            }
            Self::Server { rows, name } => {
                let value = rows.remove(name, &ordered_bytes::<K>(&key))?;
                value.map(Stored::from_foreign).transpose()
            }
        }
    }

    /// Removes the rows of a range of keys.
    pub(crate) fn remove_range<'k>(
        &mut self,
        range: impl RangeBounds<K::SelfType<'k>> + 'k,
    ) -> Result<(), AccessError> {
        match self {
            Self::Reading(_) => Err(AccessError::OnlyRead),
            Self::Changing(table) => Ok(table.retain_in(range, |_, _| false)?),
            Self::Server { rows, name } => rows.remove_range(name, &key_bounds::<K>(&range)),
        }
    }

    /// Removes the rows that are not to be kept.
    pub(crate) fn retain(
        &mut self,
        mut keep: impl FnMut(&K::SelfType<'_>, &V::SelfType<'_>) -> bool,
    ) -> Result<(), AccessError> {
        match self {
            Self::Reading(_) => return Err(AccessError::OnlyRead),
            Self::Changing(table) => table.retain(|key, value| keep(&key, &value))?,
            Self::Server { .. } => {
                for (key, value) in self.iter()? {
                    if !keep(&key.value(), &value.value()) {
                        self.remove(key.value())?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn key_bounds<'k, K: OrderedKey>(range: &impl RangeBounds<K::SelfType<'k>>) -> KeyBounds {
    let bytes = |bound: Bound<&K::SelfType<'k>>| bound.map(ordered_bytes::<K>);
    (bytes(range.start_bound()), bytes(range.end_bound()))
}

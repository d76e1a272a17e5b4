//! Columns of a table, by their names.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, ListArray, RecordBatch, StringArray, UInt32Array, UInt64Array,
    builder::{ListBuilder, StringBuilder},
};
use arrow_schema::{DataType, Field, Schema};

use crate::TableError;

/// The columns of a batch, in their order.
#[derive(Default)]
pub(crate) struct Columns {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl Columns {
    /// Text that each row has.
    pub(crate) fn text(self, name: &str, values: Vec<String>) -> Self {
        self.add(name, false, StringArray::from(values))
    }

    /// Text that rows may lack.
    pub(crate) fn optional_text(self, name: &str, values: Vec<Option<String>>) -> Self {
        self.add(name, true, StringArray::from(values))
    }

    /// Several texts in each row.
    pub(crate) fn texts(self, name: &str, values: Vec<Vec<String>>) -> Self {
        let mut builder = ListBuilder::new(StringBuilder::new());
        for texts in values {
            texts.iter().for_each(|text| builder.values().append_value(text));
            builder.append(true);
        }
        let list: ListArray = builder.finish();
        self.add(name, false, list)
    }

    /// Counts and ordinals.
    pub(crate) fn number(self, name: &str, values: Vec<u32>) -> Self {
        self.add(name, false, UInt32Array::from(values))
    }

    /// Numbers that rows may lack.
    pub(crate) fn optional_number(self, name: &str, values: Vec<Option<u32>>) -> Self {
        self.add(name, true, UInt32Array::from(values))
    }

    /// Ids.
    pub(crate) fn id(self, name: &str, values: Vec<u64>) -> Self {
        self.add(name, false, UInt64Array::from(values))
    }

    /// True or false.
    pub(crate) fn flag(self, name: &str, values: Vec<bool>) -> Self {
        self.add(name, false, BooleanArray::from(values))
    }

    /// Any other column.
    pub(crate) fn add(
        mut self,
        name: &str,
        is_optional: bool,
        array: impl Array + 'static,
    ) -> Self {
        let data_type: DataType = array.data_type().clone();
        self.fields.push(Field::new(name, data_type, is_optional));
        self.arrays.push(Arc::new(array));
        self
    }

    /// The batch of them.
    pub(crate) fn finish(self) -> Result<RecordBatch, TableError> {
        Ok(RecordBatch::try_new(Arc::new(Schema::new(self.fields)), self.arrays)?)
    }
}

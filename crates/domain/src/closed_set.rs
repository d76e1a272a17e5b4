//! Closed sets of words: enums that the API, the index and the program share.

use schemars::Schema;
use serde_json::{Value, json};

/// Declares a closed set: an enum whose values are words in JSON, in texts and in schemas, each with its meaning for
/// readers of the API. The index stores values by their position, so a new one must come last.
///
/// Values are sorted and listed as declared; with `listed by word` alphabetically, with `listed as [..]` in that order.
macro_rules! closed_set {
    ($(#[$meta:meta])* pub enum $name:ident { $($values:tt)+ }) => {
        closed_set!(@values [PartialOrd, Ord] $(#[$meta])* $name { $($values)+ });
        impl $name {
            fn listed() -> Vec<Self> {
                Self::ALL.to_vec()
            }
        }
    };
    ($(#[$meta:meta])* pub enum $name:ident { $($values:tt)+ } listed by word) => {
        closed_set!(@values [] $(#[$meta])* $name { $($values)+ });
        closed_set!(@order $name, Self::as_str);
        impl $name {
            fn listed() -> Vec<Self> {
                let mut all = Self::ALL.to_vec();
                all.sort_unstable();
                all
            }
        }
    };
    ($(#[$meta:meta])* pub enum $name:ident { $($values:tt)+ } listed as [$($listed:ident),+ $(,)?]) => {
        closed_set!(@values [] $(#[$meta])* $name { $($values)+ });
        closed_set!(@order $name, Self::rank);
        impl $name {
            const LISTED: [Self; Self::ALL.len()] = [$(Self::$listed),+];

            fn rank(self) -> Option<usize> {
                Self::LISTED.iter().position(|listed| *listed == self)
            }

            fn listed() -> Vec<Self> {
                Self::LISTED.to_vec()
            }
        }
    };
    (@order $name:ident, $key:expr) => {
        impl Ord for $name {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                let key: fn(Self) -> _ = $key;
                key(*self).cmp(&key(*other))
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
    };
    (
        @values [$($derived:ident),*] $(#[$meta:meta])*
        $name:ident { $($(#[$meaning:meta])* $value:ident = $word:literal,)+ }
    ) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
            schemars::JsonSchema, $($derived),*
        )]
        #[schemars(transform = $name::list_words)]
        pub enum $name {
            $($(#[$meaning])* #[serde(rename = $word)] $value,)+
        }

        impl $name {
            /// Every value, in the order in which the index numbers them.
            pub const ALL: [Self; [$(Self::$value,)+].len()] = [$(Self::$value,)+];

            /// Its word in the API.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }

            fn list_words(schema: &mut schemars::Schema) {
                $crate::closed_set::list_words_as(schema, Self::listed().into_iter().map(Self::as_str));
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub(crate) use closed_set;

/// Lists the words of an enum in a given order; see [`list_words`].
pub(crate) fn list_words_as(schema: &mut Schema, order: impl Iterator<Item = &'static str>) {
    let order: Vec<&str> = order.collect();
    if let Some(Value::Array(variants)) = schema.get_mut("oneOf") {
        variants.sort_by_key(|variant| {
            order.iter().position(|word| variant["const"].as_str() == Some(word))
        });
    }
    list_words(schema);
}

/// Lists the words of an enum under `enum`, with their meanings in the description. As derived, they are
/// alternatives with one word each, which fewer programs understand, and from which a map does not learn its keys.
pub fn list_words(schema: &mut Schema) {
    let Some(Value::Array(variants)) = schema.remove("oneOf") else { return };
    let mut description =
        schema.get("description").and_then(Value::as_str).unwrap_or("").to_owned();
    let mut words = Vec::new();
    for variant in &variants {
        let (word, meaning) = (&variant["const"], variant["description"].as_str());
        if let (Some(word), Some(meaning)) = (word.as_str(), meaning) {
            description.push_str(&format!(" `{word}`: {}", meaning.replace('\n', " ")));
        }
        words.push(word.clone());
    }
    schema.insert("type".to_owned(), json!("string"));
    schema.insert("enum".to_owned(), Value::Array(words));
    schema.insert("description".to_owned(), json!(description.trim_start()));
}

//! Tokenization of 3GPP terms: `5.3.5`, `RRCReconfiguration`, `ssb-PositionsInBurst`, `N1/N2`.
//!
//! A text becomes two streams. The **words** are its parts as written, in lower case, one
//! position each: `ssb`, `positionsinburst`. The **forms** are what a query may say instead:
//! stems, the parts of a name in camel case, a compound without its joiners. A word is found
//! through both, so that the written form always counts for more. Knows nothing of the index.

mod forms;
mod runs;
mod token_streams;

pub(crate) use forms::{WordForms, split_camel_case};
pub use runs::is_ideograph;
pub(crate) use runs::{fold_text, is_joiner, split_parts, split_runs};
pub(crate) use token_streams::{FORMS_TOKENIZER, FormsTokenizer, WORDS_TOKENIZER, WordsTokenizer};

/// Changes with every change of the tokens: an index of another revision is built again.
pub(crate) const TOKENS_REVISION: u32 = 5;

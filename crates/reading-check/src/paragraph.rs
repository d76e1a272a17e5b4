//! A paragraph while the walk is in it.

/// Stands where a subscript or superscript begins or ends: what is on both sides is not one word.
pub(crate) const SCRIPT_EDGE: char = '\u{E000}';

/// Stands for something that is not text: a formula, a picture, a symbol. The reader may print it in words.
pub(crate) const OBJECT: char = '\u{E001}';

/// The text of an open paragraph.
#[derive(Debug, Default)]
pub(crate) struct WalkedParagraph {
    pub(crate) text: String,
    pub(crate) style: Option<String>,
    /// Whether it is in a text box, whose words belong to a figure.
    pub(crate) is_in_box: bool,
    /// The kinds of its fields that print something and have no result.
    pub(crate) lost_fields: Vec<String>,
    /// Its symbols (`w:sym`).
    pub(crate) symbols: u32,
    /// Where the open run began.
    run_start: usize,
    /// The symbols before the open run.
    symbols_before: u32,
    is_script: bool,
    is_hidden: bool,
}

impl WalkedParagraph {
    pub(crate) fn open(is_in_box: bool) -> Self {
        Self { is_in_box, ..Self::default() }
    }

    pub(crate) fn begin_run(&mut self) {
        self.run_start = self.text.len();
        self.symbols_before = self.symbols;
        (self.is_script, self.is_hidden) = (false, false);
    }

    pub(crate) fn mark_script(&mut self) {
        self.is_script = true;
    }

    pub(crate) fn hide_run(&mut self) {
        self.is_hidden = true;
    }

    pub(crate) fn add_symbol(&mut self) {
        self.text.push(OBJECT);
        self.symbols += 1;
    }

    pub(crate) fn end_run(&mut self) {
        if self.is_hidden {
            self.text.truncate(self.run_start);
            self.symbols = self.symbols_before;
        } else if self.is_script {
            self.text.insert(self.run_start, SCRIPT_EDGE);
            self.text.push(SCRIPT_EDGE);
        }
        self.begin_run();
    }
}

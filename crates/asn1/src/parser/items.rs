//! Items: headers of modules, imports, and definitions.

use super::{Parser, plain_name};
use crate::{
    notation::{Import, Item, ItemBody},
    token::TokenKind,
};

impl Parser<'_> {
    /// Reads the next item; `None` if there is none, or it cannot be read.
    pub(super) fn read_item(&mut self) -> Option<Item> {
        let start = self.at;
        self.depth = 0;
        match self.word() {
            "END" => {
                self.at += 1;
                return Some(self.item(String::new(), start..self.at, ItemBody::ModuleEnd));
            }
            "IMPORTS" => return self.read_imports(),
            "EXPORTS" => {
                while self.kind().is_some() && !self.take_sign(b';') {
                    self.at += 1;
                }
                return Some(self.item(
                    String::new(),
                    start..self.at,
                    ItemBody::Imports(Vec::new()),
                ));
            }
            _ => {}
        }
        let name = plain_name(self.word());
        let kind = self.kind()?;
        if !matches!(kind, TokenKind::Upper | TokenKind::Lower) {
            return None;
        }
        let assign = self.find_assign(self.at)?;
        let is_header = (self.at..assign).any(|at| self.word_at(at) == "DEFINITIONS");
        let body = match () {
            () if is_header => {
                self.at = assign + 1;
                self.take_word("BEGIN");
                ItemBody::ModuleStart
            }
            () if kind == TokenKind::Upper => self.read_upper_definition(assign)?,
            () => self.read_lower_definition(assign)?,
        };
        Some(self.item(name, start..self.at, body))
    }

    /// A type, a class, or a set of objects.
    fn read_upper_definition(&mut self, assign: usize) -> Option<ItemBody> {
        self.at += 1;
        let parameters = match self.kind()? {
            TokenKind::Sign(b'{') => {
                let start = self.at + 1;
                self.skip_brackets()?;
                self.parameter_names(start, self.at - 1)
            }
            _ => Vec::new(),
        };
        if self.at < assign {
            let class = self.take_name(TokenKind::Upper)?;
            self.at = assign + 1;
            return self.read_object_set(class);
        }
        self.at = assign + 1;
        if self.take_word("CLASS") {
            self.skip_brackets()?;
            if self.take_word("WITH") && self.take_word("SYNTAX") {
                self.skip_brackets()?;
            }
            return Some(ItemBody::Class);
        }
        let definition = self.read_type()?;
        Some(ItemBody::Type { parameters, definition })
    }

    /// The names of parameters: the last word of each, after its governor.
    fn parameter_names(&self, start: usize, end: usize) -> Vec<String> {
        let is_last = |at: &usize| {
            let after = self.kind_at(at + 1);
            *at + 1 == end || matches!(after, Some(TokenKind::Sign(b',')))
        };
        let is_name =
            |at: &usize| matches!(self.kind_at(*at), Some(TokenKind::Upper | TokenKind::Lower));
        (start..end)
            .filter(is_last)
            .filter(is_name)
            .map(|at| plain_name(self.word_at(at)))
            .collect()
    }

    /// A value, or an information object.
    fn read_lower_definition(&mut self, assign: usize) -> Option<ItemBody> {
        self.at += 1;
        let class = plain_name(self.word());
        let has_plain_head = self.at + 1 == assign && self.kind() == Some(TokenKind::Upper);
        let is_object = has_plain_head
            && self.kind_at(assign + 1) == Some(TokenKind::Sign(b'{'))
            && class.chars().all(|c| !c.is_lowercase());
        if is_object {
            self.at = assign + 1;
            let start = self.at;
            self.skip_brackets()?;
            let settings = self.read_settings(start + 1, self.at - 1);
            return Some(ItemBody::Object { class, settings });
        }
        let definition = self.read_type()?;
        if self.at != assign {
            return None;
        }
        self.at = assign + 1;
        let start = self.at;
        self.skip_value(|parser, at| parser.starts_item(at));
        (self.at > start)
            .then(|| ItemBody::Value { definition, value: self.span_of(start..self.at) })
    }

    /// Skips a value, up to the token that ends it.
    pub(super) fn skip_value(&mut self, is_end: impl Fn(&Self, usize) -> bool) {
        while let Some(kind) = self.kind() {
            match kind {
                TokenKind::Sign(b'{' | b'(') => {
                    if self.skip_brackets().is_none() {
                        return;
                    }
                }
                _ if is_end(self, self.at) => return,
                _ => self.at += 1,
            }
        }
    }

    fn read_imports(&mut self) -> Option<Item> {
        let start = self.at;
        self.at += 1;
        let mut imports = Vec::new();
        let mut names = Vec::new();
        loop {
            match self.kind()? {
                TokenKind::Sign(b';') => {
                    self.at += 1;
                    break;
                }
                // The semicolon at the end is missing; without this guard the definitions below would be imports.
                _ if !self.is_import_name(self.at) && self.starts_item(self.at) => break,
                TokenKind::Upper if self.take_word("FROM") => {
                    let module = self.take_name(TokenKind::Upper)?;
                    if self.kind() == Some(TokenKind::Sign(b'{')) {
                        self.skip_brackets()?;
                    }
                    imports.push(Import { module, names: std::mem::take(&mut names) });
                }
                TokenKind::Upper | TokenKind::Lower => {
                    names.push(plain_name(self.word()));
                    self.at += 1;
                    // `ProtocolIE-Container{}` is one with parameters.
                    if self.kind() == Some(TokenKind::Sign(b'{')) {
                        self.skip_brackets()?;
                    }
                }
                _ => self.at += 1,
            }
        }
        Some(self.item(String::new(), start..self.at, ItemBody::Imports(imports)))
    }

    /// Whether a name is followed by a token that follows names in lists of imports.
    fn is_import_name(&self, at: usize) -> bool {
        let next = self.kind_at(at + 1);
        matches!(next, Some(TokenKind::Sign(b',' | b';'))) || self.word_at(at + 1) == "FROM"
    }
}

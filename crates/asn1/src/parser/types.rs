//! Types and their members.

use super::{MAX_DEPTH, Parser, plain_name};
use crate::{
    notation::{Member, MemberForm, NamedValue, Presence, Type},
    token::TokenKind,
};

/// Types of one word that may have named values.
const WORD_TYPES: [&str; 17] = [
    "BOOLEAN",
    "INTEGER",
    "NULL",
    "REAL",
    "UTF8String",
    "PrintableString",
    "VisibleString",
    "IA5String",
    "NumericString",
    "UTCTime",
    "GeneralizedTime",
    "BMPString",
    "TeletexString",
    "GraphicString",
    "GeneralString",
    "UniversalString",
    "RELATIVE-OID",
];

/// Types of two words.
const PAIR_TYPES: [(&str, &str); 5] = [
    ("BIT", "STRING"),
    ("OCTET", "STRING"),
    ("OBJECT", "IDENTIFIER"),
    ("CHARACTER", "STRING"),
    ("EMBEDDED", "PDV"),
];

impl Parser<'_> {
    /// Reads a type, with its constraints.
    pub(super) fn read_type(&mut self) -> Option<Type> {
        self.depth += 1;
        let found = if self.depth > MAX_DEPTH { None } else { self.read_bare_type() };
        self.depth -= 1;
        let mut found = found?;
        while self.kind() == Some(TokenKind::Sign(b'(')) {
            self.read_constraint(&mut found)?;
        }
        Some(found)
    }

    fn read_bare_type(&mut self) -> Option<Type> {
        if self.kind() == Some(TokenKind::Sign(b'[')) {
            self.skip_brackets()?;
            let _ = self.take_word("IMPLICIT") || self.take_word("EXPLICIT");
        }
        if self.kind() != Some(TokenKind::Upper) {
            return None;
        }
        let word = self.word();
        self.at += 1;
        match word {
            "SEQUENCE" => self.read_sequence(MemberForm::Sequence),
            "SET" => self.read_sequence(MemberForm::Set),
            "CHOICE" => self.read_members(MemberForm::Choice),
            "ENUMERATED" => self.read_named_values().map(Type::Enumerated),
            _ if WORD_TYPES.contains(&word) => self.read_builtin(word.to_owned()),
            _ if PAIR_TYPES.contains(&(word, self.word())) => {
                let name = format!("{word} {}", self.word());
                self.at += 1;
                self.read_builtin(name)
            }
            _ => self.read_reference(plain_name(word)),
        }
    }

    /// `SEQUENCE { ... }`, `SEQUENCE OF ...`, `SEQUENCE (SIZE (...)) OF ...`.
    fn read_sequence(&mut self, form: MemberForm) -> Option<Type> {
        if self.kind() == Some(TokenKind::Sign(b'{')) {
            return self.read_members(form);
        }
        self.take_word("SIZE");
        if self.kind() == Some(TokenKind::Sign(b'(')) {
            self.skip_brackets()?;
        }
        if !self.take_word("OF") {
            return None;
        }
        // An element may have a name of its own.
        if self.kind() == Some(TokenKind::Lower) {
            self.at += 1;
        }
        self.read_type().map(|element| Type::List(Box::new(element)))
    }

    fn read_builtin(&mut self, name: String) -> Option<Type> {
        let values = match self.kind() {
            Some(TokenKind::Sign(b'{')) => self.read_named_values()?,
            _ => Vec::new(),
        };
        Some(Type::Builtin { name, values, containing: None })
    }

    /// `Name`, `Name { Argument, {Set} }`, `Module.Name`, `CLASS.&field`.
    fn read_reference(&mut self, mut name: String) -> Option<Type> {
        if self.kind() == Some(TokenKind::Sign(b'.')) && self.word() == "." {
            self.at += 1;
            match self.kind()? {
                TokenKind::ClassField => {
                    let field = plain_name(self.word());
                    self.at += 1;
                    return Some(Type::ClassField { class: name, field });
                }
                TokenKind::Upper => {
                    name = plain_name(self.word());
                    self.at += 1;
                }
                _ => return None,
            }
        }
        let mut arguments = Vec::new();
        if self.take_sign(b'{') {
            while !self.take_sign(b'}') {
                match self.kind()? {
                    TokenKind::Upper => arguments.push(self.read_type()?),
                    TokenKind::Sign(b'{') => {
                        let start = self.at;
                        self.skip_brackets()?;
                        let names = (start..self.at)
                            .filter(|at| self.kind_at(*at) == Some(TokenKind::Upper))
                            .map(|at| plain_name(self.word_at(at)));
                        let sets: Vec<Type> = names
                            .map(|name| Type::Reference { name, arguments: Vec::new() })
                            .collect();
                        arguments.extend(sets);
                    }
                    TokenKind::Assign => return None,
                    _ => self.at += 1,
                }
            }
        }
        Some(Type::Reference { name, arguments })
    }

    /// A constraint; for an octet string, it may state the contained type.
    fn read_constraint(&mut self, constrained: &mut Type) -> Option<()> {
        let start = self.at;
        self.skip_brackets()?;
        let end = self.at;
        if let Type::Builtin { containing, .. } = constrained
            && let Some(word) = (start..end).find(|at| self.word_at(*at) == "CONTAINING")
        {
            self.at = word + 1;
            *containing = self.read_type().map(Box::new);
            self.at = end;
        }
        Some(())
    }

    /// `{ a, b(1), ..., c }`
    fn read_named_values(&mut self) -> Option<Vec<NamedValue>> {
        if !self.take_sign(b'{') {
            return None;
        }
        let mut values = Vec::new();
        let mut is_extension = false;
        while !self.take_sign(b'}') {
            let start = self.at;
            match self.kind()? {
                TokenKind::Ellipsis => {
                    is_extension = true;
                    self.at += 1;
                }
                // Some documents print a value that begins with an upper-case letter or a digit; rejecting it would
                // lose the whole type.
                TokenKind::Lower | TokenKind::Upper | TokenKind::Literal => {
                    let name = plain_name(self.word());
                    self.at += 1;
                    let mut number = None;
                    if self.kind() == Some(TokenKind::Sign(b'(')) {
                        self.skip_brackets()?;
                        let inner = self.span_of(start + 2..self.at - 1);
                        number = Some(self.text[inner].to_owned());
                    }
                    let span = self.span_of(start..self.at);
                    values.push(NamedValue { name, span, number, is_extension });
                }
                TokenKind::Sign(b',' | b'(' | b')') => self.at += 1,
                _ => return None,
            }
        }
        Some(values)
    }

    /// `{ name Type OPTIONAL, ..., [[ name Type ]] }`
    fn read_members(&mut self, form: MemberForm) -> Option<Type> {
        if !self.take_sign(b'{') {
            return None;
        }
        let mut members: Vec<Member> = Vec::new();
        let mut is_extension = false;
        while !self.take_sign(b'}') {
            match self.kind()? {
                TokenKind::Ellipsis => {
                    is_extension = true;
                    self.at += 1;
                    // `... ! exception`
                    if self.take_sign(b'!') {
                        self.at += 1;
                    }
                }
                // `[[ 3:` has the number of the group.
                TokenKind::OpenGroup => {
                    self.at += 1;
                    if self.kind_at(self.at + 1) == Some(TokenKind::Sign(b':')) {
                        self.at += 2;
                    }
                }
                TokenKind::CloseGroup | TokenKind::Sign(b',') => self.at += 1,
                TokenKind::Upper if self.word() == "COMPONENTS" => {
                    self.at += 1;
                    if !self.take_word("OF") {
                        return None;
                    }
                    members.push(self.read_member(String::new(), self.at - 2, is_extension)?);
                }
                TokenKind::Lower => {
                    let name = plain_name(self.word());
                    self.at += 1;
                    members.push(self.read_member(name, self.at - 1, is_extension)?);
                }
                _ => return None,
            }
        }
        Some(Type::Members { form, members })
    }

    fn read_member(&mut self, name: String, start: usize, is_extension: bool) -> Option<Member> {
        let definition = self.read_type()?;
        let mut presence = Presence::Mandatory;
        if self.take_word("OPTIONAL") {
            presence = Presence::Optional;
        } else if self.take_word("DEFAULT") {
            let from = self.at;
            self.skip_value(|parser, at| {
                matches!(
                    parser.kind_at(at),
                    Some(TokenKind::Sign(b',' | b'}') | TokenKind::CloseGroup)
                )
            });
            presence = Presence::Default(self.span_of(from..self.at));
        }
        let span = self.span_of(start..self.at);
        let comment = self.comment_behind(span.end);
        let comment_above = self.comment_above(span.start);
        Some(Member { name, span, comment, comment_above, definition, presence, is_extension })
    }
}

//! The keys of names: equal for all spellings of one organization's name.

use domain::is_legal_form_word;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Words that end the names of parts of an organization: products, countries and cities. Registers name a company by
/// any of its subsidiaries, and a filter for the company must find all of them.
const PART_WORDS: [&str; 73] = [
    "america",
    "americas",
    "asia",
    "australia",
    "austria",
    "automotive",
    "beijing",
    "belgium",
    "canada",
    "chengdu",
    "china",
    "comm",
    "communication",
    "communications",
    "czech",
    "denmark",
    "deutschland",
    "device",
    "devices",
    "electronic",
    "electronics",
    "espana",
    "europe",
    "finland",
    "france",
    "germany",
    "global",
    "greece",
    "group",
    "holding",
    "holdings",
    "hungary",
    "iberia",
    "india",
    "international",
    "ireland",
    "israel",
    "italia",
    "italy",
    "japan",
    "korea",
    "lab",
    "laboratories",
    "labs",
    "mexico",
    "mobile",
    "nanjing",
    "netherlands",
    "network",
    "networks",
    "nordic",
    "norway",
    "poland",
    "polska",
    "research",
    "romania",
    "semiconductor",
    "shanghai",
    "shenzhen",
    "solutions",
    "spain",
    "sweden",
    "switzerland",
    "taiwan",
    "tech",
    "techn",
    "technologies",
    "technology",
    "telecom",
    "telecommunication",
    "telecommunications",
    "uk",
    "usa",
];

/// Maximum length of a name; the rest is ignored. The longest in the membership list has 74; a longer cell is a
/// sentence that somebody wrote there.
const MAX_NAME_CHARS: usize = 150;
/// Maximum number of part words that are removed from the end of a name: it bounds the keys that are looked up.
const MAX_PART_WORDS: usize = 6;

/// The key of a name: names with the same key belong to the same organization.
///
/// Letters without diacritics and in lower case, words separated by single spaces, `&` read as "and", without legal
/// forms at the end. Empty for a name without letters and digits.
pub fn name_key(name: &str) -> String {
    normalize_words(name).join(" ")
}

fn normalize_words(name: &str) -> Vec<String> {
    let mut plain = String::new();
    for c in name
        .chars()
        .take(MAX_NAME_CHARS)
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
    {
        match c {
            '&' => plain.push_str(" and "),
            // Within a word: `Inc.`, `S.A.`, `L'Oreal`.
            '.' | '\'' | '\u{2019}' => {}
            c if c.is_alphanumeric() || c == '+' => plain.push(c),
            _ => plain.push(' '),
        }
    }
    let mut words: Vec<String> = plain.split_whitespace().map(str::to_owned).collect();
    while words.len() > 1 && words.last().is_some_and(|word| is_legal_form_word(word)) {
        words.pop();
    }
    words
}

/// The key of a name, then the keys without text in parentheses and with fewer and fewer part words at the end: the
/// name of a part is a name of the whole, unless another organization has it.
pub(crate) fn parent_keys(name: &str) -> Vec<String> {
    let mut keys = vec![name_key(name)];
    let outside = strip_parentheses(name);
    let mut words = normalize_words(&outside);
    loop {
        let key = words.join(" ");
        if !key.is_empty() && !keys.contains(&key) {
            keys.push(key);
        }
        let shorter = keys.len() <= MAX_PART_WORDS
            && words.len() > 1
            && words.last().is_some_and(|word| is_part_word(word));
        if !shorter {
            return keys;
        }
        words.pop();
    }
}

/// Whether a word ends the names of parts of an organization.
pub(crate) fn is_part_word(word: &str) -> bool {
    PART_WORDS.contains(&word) || is_legal_form_word(word)
}

/// Whether a text consists only of words of legal forms: "Co., Ltd".
pub(crate) fn is_legal_form(text: &str) -> bool {
    let plain = text.replace('.', "").to_lowercase();
    let mut words = plain.split([' ', ',']).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(is_legal_form_word)
}

/// A name without text in parentheses.
pub(crate) fn strip_parentheses(name: &str) -> String {
    let mut depth = 0_u32;
    let mut outside = String::new();
    for c in name.chars().take(MAX_NAME_CHARS) {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_have_one_key() {
        for (name, key) in [
            ("NTT DOCOMO, INC.", "ntt docomo"),
            ("NTT DOCOMO. Inc", "ntt docomo"),
            ("Telef\u{f3}nica S.A.", "telefonica"),
            ("ZTE\u{a0}Corporation", "zte"),
            ("AT&T", "at and t"),
            ("Rohde & Schwarz GmbH & Co. KG", "rohde and schwarz gmbh and"),
            ("Huawei Technologies Co., Ltd.", "huawei technologies"),
            ("Co", "co"),
            ("Example Radio Coporation", "example radio"),
            ("  ", ""),
            ("\u{ff21}\u{ff34}\u{ff34}", "att"),
        ] {
            assert_eq!(name_key(name), key, "{name:?}");
        }
    }

    #[test]
    fn names_of_parts_have_the_keys_of_their_wholes() {
        assert_eq!(parent_keys("Ericsson (China)"), ["ericsson china", "ericsson"]);
        assert_eq!(parent_keys("Apple Switzerland AG"), ["apple switzerland", "apple"]);
        assert_eq!(parent_keys("Mobile"), ["mobile"]);
    }
}

//! Misspelled names of organizations: typed by hand, and generated with typos.

use domain::OrganizationResolutionStatus;
use organizations::OrganizationDirectory;

/// Names typed by hand, each with the ID of the intended organization.
const TYPED: &str = include_str!("misspelled.csv");
/// Number of typos that are generated from names of the list.
const TYPO_COUNT: usize = 300;

/// A xorshift generator: the same numbers in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// A name with one typo: a letter left out, doubled, replaced by its neighbour on the keyboard, or two
/// swapped.
fn with_typo(name: &str, numbers: &mut Numbers) -> String {
    const NEIGHBOURS: &[u8; 26] = b"svxfrgjuokljknipwtdryceztx";
    let mut letters: Vec<char> = name.chars().collect();
    let index = 1 + numbers.below(letters.len() - 2);
    match numbers.below(4) {
        0 => drop(letters.remove(index)),
        1 => letters.insert(index, letters[index]),
        2 => letters.swap(index, index + 1),
        _ => {
            let lower = letters[index].to_ascii_lowercase();
            letters[index] = match lower {
                'a'..='z' => char::from(NEIGHBOURS[(lower as usize) - ('a' as usize)]),
                _ => 'x',
            };
        }
    }
    letters.into_iter().collect()
}

/// How names were resolved.
#[derive(Default)]
struct TypoResults {
    total: usize,
    correct: usize,
    /// A sentence for each name that was resolved neither to its organization nor to several with it.
    wrong: Vec<String>,
}

fn resolve_names<'a>(
    directory: &OrganizationDirectory,
    typed: impl Iterator<Item = (String, &'a str)>,
) -> TypoResults {
    let mut results = TypoResults::default();
    for (typed, expected) in typed {
        results.total += 1;
        let resolution = directory.resolve_name(&typed, |_| 0);
        let id = |index| directory.get(index).map_or("", |organization| organization.id.as_str());
        let candidates: Vec<&str> = resolution.candidates.iter().map(|c| id(c.index)).collect();
        let status = resolution.status;
        let is_correct = resolution.resolved_index().map(id) == Some(expected);
        let is_among =
            status == OrganizationResolutionStatus::Ambiguous && candidates.contains(&expected);
        results.correct += usize::from(is_correct);
        if !(is_correct || is_among) {
            results.wrong.push(format!("{typed}: expected {expected}, {status:?} {candidates:?}"));
        }
    }
    results
}

#[test]
fn typed_names_are_resolved_or_ambiguous() {
    let directory =
        OrganizationDirectory::from_shipped_list(["RAN", "RAN1", "RAN2", "SA", "SA2"].into_iter());
    let mut list = csv::Reader::from_reader(TYPED.as_bytes());
    let records: Vec<(String, String)> =
        list.deserialize().map(|r| r.expect("two columns")).collect();
    let typed = records.iter().map(|(typed, expected)| (typed.clone(), expected.as_str()));
    let TypoResults { total, correct, wrong } = resolve_names(&directory, typed);
    println!("{correct} of {total} correct, {} wrong: {wrong:#?}", wrong.len());
    assert!(total >= 200 && wrong.len() * 100 <= 3 * total, "{wrong:#?}");
    assert!(correct * 100 >= 85 * total, "{correct} of {total}");
}

#[test]
fn names_with_typos_are_resolved_or_ambiguous() {
    let directory =
        OrganizationDirectory::from_shipped_list(["RAN", "RAN1", "RAN2", "SA", "SA2"].into_iter());
    let mut numbers = Numbers(20_261_122);
    let names: Vec<_> = directory
        .organizations()
        .iter()
        .filter(|o| o.name.is_ascii() && o.name.len() >= 4)
        .collect();
    let typed: Vec<(String, &str)> = (0..TYPO_COUNT)
        .map(|_| {
            let organization = names[numbers.below(names.len())];
            (with_typo(&organization.name, &mut numbers), organization.id.as_str())
        })
        .collect();
    let TypoResults { total, correct, wrong } = resolve_names(&directory, typed.into_iter());
    println!("{correct} of {total} correct, {} wrong: {wrong:#?}", wrong.len());
    assert!(wrong.len() * 100 <= 3 * total, "{wrong:#?}");
}

#[test]
fn unknown_names_are_not_resolved() {
    let directory = OrganizationDirectory::from_shipped_list(["RAN1"].into_iter());
    for typed in ["Zyxwvutsrqp", "Acme Rockets Unlimited", "qqq", "???", "", "beam management"] {
        assert_eq!(directory.resolve_name(typed, |_| 0).resolved_index(), None, "{typed}");
    }
    for typed in ["China", "University", "Telecom"] {
        let resolution = directory.resolve_name(typed, |_| 0);
        assert_eq!(resolution.status, OrganizationResolutionStatus::Ambiguous, "{typed}");
        assert!(resolution.candidates.len() > 1, "{typed}");
    }
}

//! What people type when they mean an organization: written by hand, and made by slips of the pen.

use organizations::{OrganizationDirectory, ResolutionStatus};

/// Names typed by hand, with whom they mean.
const TYPED: &str = include_str!("misspelled.csv");
/// Slips that are made of the list's own names.
const SLIPS: usize = 300;

/// A small generator of numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// One slip of the pen: a letter left out, doubled, changed for its neighbour on the keyboard, or two
/// exchanged.
fn slip(name: &str, numbers: &mut Numbers) -> String {
    const NEIGHBOURS: &[u8; 26] = b"svxfrgjuokljknipwtdryceztx";
    let mut letters: Vec<char> = name.chars().collect();
    let at = 1 + numbers.below(letters.len() - 2);
    match numbers.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 => letters.swap(at, at + 1),
        _ => {
            let lower = letters[at].to_ascii_lowercase();
            letters[at] = match lower {
                'a'..='z' => char::from(NEIGHBOURS[(lower as usize) - ('a' as usize)]),
                _ => 'x',
            };
        }
    }
    letters.into_iter().collect()
}

/// Those that are neither right nor honestly ambiguous, and how many are right.
fn judged<'a>(
    directory: &OrganizationDirectory,
    typed: impl Iterator<Item = (String, &'a str)>,
) -> (usize, usize, Vec<String>) {
    let (mut all, mut right, mut wrong) = (0, 0, Vec::new());
    for (typed, wanted) in typed {
        all += 1;
        let resolution = directory.resolve_name(&typed, |_| 0);
        let id = |index| directory.get(index).map_or("", |organization| organization.id.as_str());
        let told: Vec<&str> = resolution.candidates.iter().map(|c| id(c.index)).collect();
        let is_right = resolution.resolved_index().map(id) == Some(wanted);
        let is_honest = resolution.status == ResolutionStatus::Ambiguous && told.contains(&wanted);
        right += usize::from(is_right);
        if !(is_right || is_honest) {
            wrong.push(format!("{typed}: wanted {wanted}, {:?} {told:?}", resolution.status));
        }
    }
    (all, right, wrong)
}

#[test]
fn what_people_type_is_understood_or_asked_about() {
    let directory =
        OrganizationDirectory::from_shipped_list(["RAN", "RAN1", "RAN2", "SA", "SA2"].into_iter());
    let mut list = csv::Reader::from_reader(TYPED.as_bytes());
    let records: Vec<(String, String)> =
        list.deserialize().map(|r| r.expect("two columns")).collect();
    let typed = records.iter().map(|(typed, wanted)| (typed.clone(), wanted.as_str()));
    let (all, right, wrong) = judged(&directory, typed);
    println!("{right} of {all} right, {} wrong: {wrong:#?}", wrong.len());
    assert!(all >= 200 && wrong.len() * 100 <= 3 * all, "{wrong:#?}");
    assert!(right * 100 >= 85 * all, "{right} of {all}");
}

#[test]
fn slips_of_the_pen_are_understood_or_asked_about() {
    let directory =
        OrganizationDirectory::from_shipped_list(["RAN", "RAN1", "RAN2", "SA", "SA2"].into_iter());
    let mut numbers = Numbers(20_261_122);
    let names: Vec<_> = directory
        .organizations()
        .iter()
        .filter(|o| o.name.is_ascii() && o.name.len() >= 4)
        .collect();
    let made: Vec<(String, &str)> = (0..SLIPS)
        .map(|_| {
            let organization = names[numbers.below(names.len())];
            (slip(&organization.name, &mut numbers), organization.id.as_str())
        })
        .collect();
    let (all, right, wrong) = judged(&directory, made.into_iter());
    println!("{right} of {all} right, {} wrong: {wrong:#?}", wrong.len());
    assert!(wrong.len() * 100 <= 3 * all, "{wrong:#?}");
}

#[test]
fn strangers_are_not_taken_for_anybody() {
    let directory = OrganizationDirectory::from_shipped_list(["RAN1"].into_iter());
    for typed in ["Zyxwvutsrqp", "Acme Rockets Unlimited", "qqq", "???", "", "beam management"] {
        assert_eq!(directory.resolve_name(typed, |_| 0).resolved_index(), None, "{typed}");
    }
    for typed in ["China", "University", "Telecom"] {
        let resolution = directory.resolve_name(typed, |_| 0);
        assert_eq!(resolution.status, ResolutionStatus::Ambiguous, "{typed}");
        assert!(resolution.candidates.len() > 1, "{typed}");
    }
}

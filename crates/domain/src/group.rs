//! Groups of 3GPP: the three technical specification groups (TSGs) and their working groups.

use std::{fmt, str::FromStr};

use super::ParseError;

/// A group whose meetings have registers, by its index in `GROUPS`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Group(u8);

/// Code (the prefix of its TDoc numbers), short name, and folder on the 3GPP file server.
const GROUPS: [(&str, &str, &str); 20] = [
    ("RP", "RAN", "tsg_ran/TSG_RAN"),
    ("R1", "RAN1", "tsg_ran/WG1_RL1"),
    ("R2", "RAN2", "tsg_ran/WG2_RL2"),
    ("R3", "RAN3", "tsg_ran/WG3_Iu"),
    ("R4", "RAN4", "tsg_ran/WG4_Radio"),
    ("R5", "RAN5", "tsg_ran/WG5_Test_ex-T1"),
    ("R6", "RAN6", "tsg_ran/WG6_legacyRAN"),
    ("SP", "SA", "tsg_sa/TSG_SA"),
    ("S1", "SA1", "tsg_sa/WG1_Serv"),
    ("S2", "SA2", "tsg_sa/WG2_Arch"),
    ("S3", "SA3", "tsg_sa/WG3_Security"),
    ("S4", "SA4", "tsg_sa/WG4_CODEC"),
    ("S5", "SA5", "tsg_sa/WG5_TM"),
    ("S6", "SA6", "tsg_sa/WG6_MissionCritical"),
    ("CP", "CT", "tsg_ct/TSG_CT"),
    ("C1", "CT1", "tsg_ct/WG1_mm-cc-sm_ex-CN1"),
    ("C3", "CT3", "tsg_ct/WG3_interworking_ex-CN3"),
    ("C4", "CT4", "tsg_ct/WG4_protocollars_ex-CN4"),
    ("C5", "CT5", "tsg_ct/WG5_osa_ex-CN5"),
    ("C6", "CT6", "tsg_ct/WG6_Smartcard_Ex-T3"),
];

impl Group {
    /// Every group.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..20).map(Self)
    }

    /// The code: `R1`, `SP`.
    pub fn code(self) -> &'static str {
        GROUPS[usize::from(self.0)].0
    }

    /// The short name: `RAN1`, `SA`.
    pub fn name(self) -> &'static str {
        GROUPS[usize::from(self.0)].1
    }

    /// The folder of its meetings on the 3GPP file server, relative to the root.
    pub fn folder(self) -> &'static str {
        GROUPS[usize::from(self.0)].2
    }

    /// The group that a text begins with by code or name, with what follows.
    pub(super) fn parse_leading(text: &str) -> Option<(Self, &str)> {
        let strip = |name: &str| {
            let (start, rest) = text.split_at_checked(name.len())?;
            start.eq_ignore_ascii_case(name).then_some(rest)
        };
        let by_name = |group: Self| strip(group.name()).map(|rest| (group, rest));
        let by_code = |group: Self| strip(group.code()).map(|rest| (group, rest));
        // The longest name wins: RAN1 is not RAN.
        let mut named: Vec<(Self, &str)> = Self::all().filter_map(by_name).collect();
        named.sort_by_key(|(_, rest)| rest.len());
        named.into_iter().next().or_else(|| Self::all().find_map(by_code))
    }
}

impl FromStr for Group {
    type Err = ParseError;

    /// Reads `R1`, `RAN1`, `ran 1`, `RAN WG1`, `TSG RAN`, `SA2`, `SP`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let plain: String = text.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
        let plain = plain.to_ascii_uppercase();
        let plain = plain.strip_prefix("3GPP").unwrap_or(&plain);
        let plain = plain.strip_prefix("TSG").unwrap_or(plain).replace("WG", "");
        let is_it = |group: &Self| group.code() == plain || group.name() == plain;
        Self::all().find(is_it).ok_or_else(|| ParseError::new(text, "a group such as R1 or RAN1"))
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_known_by_all_their_names() {
        for (text, code) in [
            ("R1", "R1"),
            ("ran1", "R1"),
            ("RAN WG1", "R1"),
            ("3GPP TSG RAN WG4", "R4"),
            ("TSG-RAN", "RP"),
            ("RAN", "RP"),
            ("SA", "SP"),
            ("SA WG2", "S2"),
            ("CT4", "C4"),
        ] {
            let group = text.parse::<Group>().expect(text);
            assert_eq!(
                (group.code(), format!("{group} {group:?}")),
                (code, format!("{code} {code}"))
            );
        }
        for text in ["", "R7", "RAN12", "X1", "WG1"] {
            assert_eq!(
                text.parse::<Group>(),
                Err(ParseError::new(text, "a group such as R1 or RAN1"))
            );
        }
        assert_eq!(Group::all().count(), GROUPS.len());
    }
}

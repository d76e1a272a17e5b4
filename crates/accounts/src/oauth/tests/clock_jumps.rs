//! Sessions, months and tokens when the clock is set.

use super::*;
use crate::Account;

const HOUR: i64 = 3600;
const YEAR: i64 = 365 * 24 * HOUR;

fn operator(access: &Access) -> Account {
    access.accounts().account_by_id(FIRST_ACCOUNT).expect("readable").expect("there")
}

#[test]
fn what_was_made_while_the_clock_was_a_year_ahead_ends_when_it_is_set_back() {
    let (_dir, access, clock) = access_at(START);
    let operator = operator(&access);
    at(&clock, YEAR);
    let client = registered(&access);
    let granted = tokens(&access, &client);
    let code = code_of(&access, &client);
    let session = access.sessions().begin_session(&operator).expect("stored").expect("begun");
    let link = access.passwords().create_setup_link(operator.id).expect("stored");
    at(&clock, 0);
    assert!(!is_good(&access, &granted), "an access token would last for a year");
    assert_eq!(refreshed(&access, &client, &granted.refresh_token), Err(INVALID));
    assert_eq!(refusal_of_code(&access, &use_of(&code, &client)), "The code has expired.");
    assert!(access.sessions().find_session(&session).expect("readable").is_none());
    assert!(access.passwords().link_owner(&link.token).expect("readable").is_none());
    let again = tokens(&access, &client);
    assert!(is_good(&access, &again), "the program asks once more");
}

#[test]
fn an_hour_to_and_fro_ends_nothing_that_lasts_for_days() {
    let (_dir, access, clock) = access_at(START);
    let operator = operator(&access);
    let client = registered(&access);
    let session = access.sessions().begin_session(&operator).expect("stored").expect("begun");
    let mut granted = tokens(&access, &client);
    for seconds in [HOUR, 0, -HOUR, HOUR] {
        at(&clock, seconds);
        assert!(access.sessions().find_session(&session).expect("readable").is_some());
        granted = refreshed(&access, &client, &granted.refresh_token).expect("refreshed");
        assert!(is_good(&access, &granted), "{seconds}");
    }
}

#[test]
fn requests_count_in_the_month_that_the_clock_said_and_none_is_lost() {
    let (_dir, access, clock) = access_at(START);
    let key = access.keys().create_key(FIRST_ACCOUNT, "a key").expect("stored").key;
    let charge = |seconds| {
        at(&clock, seconds);
        let caller =
            access.keys().authenticate_key(&key).expect("readable").into_caller().expect("good");
        match access.charges().reserve_request(&caller).expect("stored") {
            ReservationOutcome::Reserved(held) => {
                held.charge_request("search_text").expect("stored")
            }
            _ => panic!("an account is charged"),
        }
        access.charges().monthly_usage(&operator(&access)).expect("readable").allowance.used
    };
    assert_eq!([0, 0, YEAR, 0].map(charge), [1, 2, 1, 3]);
}

//! Pages without a browser: authentication, and that nobody can act for another person.

use libtest_mimic::Trial;

use crate::{
    client::{Answer, Client},
    own::{data, set},
    person::{FORM, HERE, Person, link},
    program::{json, specbox},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        nobody_touches_keys_users_or_forms_of_others,
        forged_cookies_and_old_links_open_nothing,
        another_site_uses_up_nobodys_allowance,
        a_page_that_the_browser_has_costs_nothing,
        typing_costs_nothing_and_shows_beginnings,
        a_list_is_a_file_on_request,
        a_figure_that_is_a_drawing_is_shown_as_svg,
        a_clause_that_a_version_lacks_shows_what_holds_it_and_words_are_found,
        guessing_passwords_is_slowed_down,
        making_an_account_oneself_is_off_until_the_operator_says_so,
    ]
}

fn nobody_touches_keys_users_or_forms_of_others() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let (ann, bob) = (link(data, "ann"), link(data, "bob"));
    let (ann, bob) = (Person::of(&server, &ann), Person::of(&server, &bob));
    assert_eq!(ann.post("/dashboard/keys", "name=hers").status, 200);
    let id = json(specbox(data).args(["key", "list", "--json"]))[0]["id"].to_string();
    for verb in ["deactivate", "delete"] {
        let refused = bob.post(&format!("/dashboard/keys/{id}/{verb}"), "");
        assert_eq!(refused.status, 422, "{verb}");
    }
    assert_eq!(json(specbox(data).args(["key", "list", "--json"]))[0]["active"], true);
    // A member is no operator, whatever they send.
    for target in ["/dashboard/users", "/dashboard/jobs", "/dashboard/health"] {
        assert_eq!(bob.get(target).status, 403, "{target}");
    }
    for (target, fields) in [
        ("/dashboard/users", "name=eve&role=operator"),
        ("/dashboard/users/1/disable", ""),
        ("/dashboard/users/1/reset", ""),
        ("/dashboard/users/2/plan", "plan=operator"),
    ] {
        assert_eq!(bob.post(target, fields).status, 403, "{target}");
    }
    // A form with the token of someone else, or with none.
    let headers = [FORM, HERE, ("cookie", bob.cookie.as_str())];
    for body in [format!("form_token={}&name=x", ann.token()), "name=x".to_owned()] {
        let refused = bob.client.send_with("POST", "/dashboard/keys", &headers, body.as_bytes());
        assert_eq!(refused.status, 403);
    }
    assert_eq!(
        json(specbox(data).args(["key", "list", "--json"])).as_array().map(Vec::len),
        Some(1)
    );
    Ok(())
}

fn forged_cookies_and_old_links_open_nothing() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let setup = link(data, "ann");
    let ann = Person::of(&server, &setup);
    assert_eq!(ann.get("/dashboard").status, 200);
    let forged = ["__Host-sid=", "__Host-sid=0", &ann.cookie[..40], "sid=1"];
    for cookie in forged {
        let visitor = Person {
            client: Client::without_redirects(&server.base_url),
            cookie: cookie.to_owned(),
        };
        assert_eq!(visitor.get("/dashboard").status, 303, "{cookie:?}");
    }
    let again = setup.split_once("/setup").expect("a path").1;
    assert_eq!(ann.client.get(&format!("/setup{again}")).status, 404);
    assert_eq!(ann.post("/dashboard/account/sessions", "").status, 303);
    json(specbox(data).args(["user", "disable", "ann"]));
    assert_eq!(ann.get("/dashboard").status, 303);
    let body = "name=ann&password=a+long+password";
    let refused = ann.client.send_with("POST", "/sign-in", &[FORM, HERE], body.as_bytes());
    assert_eq!(refused.status, 401);
    Ok(())
}

fn another_site_uses_up_nobodys_allowance() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let ann = Person::of(&server, &link(data, "ann"));
    let cookie = ("cookie", ann.cookie.as_str());
    for target in ["/search?q=timer", "/library", "/read/38.990/19.0.0"] {
        for foreign in [("sec-fetch-site", "cross-site"), ("sec-purpose", "prefetch")] {
            let asked = ann.client.send_with("GET", target, &[cookie, foreign], b"");
            let page = String::from_utf8(asked.bytes).expect("text");
            assert!(asked.status == 200 && page.contains("Continue?"), "{target}");
        }
    }
    let users = json(specbox(data).args(["user", "list", "--json"]));
    assert!(users.as_array().expect("a list").iter().all(|user| user["used_this_month"] == 0));
    assert_eq!(ann.client.send_with("GET", "/library", &[cookie, HERE], b"").status, 200);
    Ok(())
}

fn a_page_that_the_browser_has_costs_nothing() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let ann = Person::of(&server, &link(data, "ann"));
    let target = "/read/38.990/19.0.0?section=5.3";
    let first = ann.get(target);
    let tag = first.header("etag").expect("a tag").to_owned();
    assert_eq!((first.status, first.header("cache-control")), (200, Some("private, no-cache")));
    let headers = [("cookie", ann.cookie.as_str()), ("if-none-match", tag.as_str())];
    for _ in 0..3 {
        let again = ann.client.send_with("GET", target, &headers, b"");
        assert_eq!((again.status, again.bytes.len()), (304, 0));
    }
    let users = json(specbox(data).args(["user", "list", "--json"]));
    let ann_row = users.as_array().expect("a list").iter().find(|user| user["name"] == "ann");
    assert_eq!(ann_row.expect("ann")["used_this_month"], 1);
    // The tag is that of the session: it opens nothing for another person.
    let bob = Person::of(&server, &link(data, "bob"));
    let headers = [("cookie", bob.cookie.as_str()), ("if-none-match", tag.as_str())];
    assert_eq!(ann.client.send_with("GET", target, &headers, b"").status, 200);
    let stranger = ann.client.send_with("GET", target, &[("if-none-match", &tag)], b"");
    assert_eq!(stranger.status, 303);
    Ok(())
}

fn typing_costs_nothing_and_shows_beginnings() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let ann = Person::of(&server, &link(data, "ann"));
    let page = |target: &str| {
        let answer = ann.get(target);
        assert_eq!(answer.status, 200, "{target}");
        String::from_utf8(answer.bytes).expect("text")
    };
    let live = page("/search/live?q=waiting+timer&release=Rel-19");
    for part in ["data-stage=\"words\"", "<mark>timer</mark>", "Remove filter Rel-19"] {
        assert!(live.contains(part), "{part}: {live}");
    }
    assert!(!live.contains("Show whole passage") && !live.contains("<html"), "{live}");
    assert!(page("/search/live?q=").contains("id=\"results\""));
    assert!(page("/palette?q=RAN1%23190").contains("data-href=\"/search?q="));
    assert!(!page("/palette?q=%3Cscript%3E").contains("<script>"));
    let users = json(specbox(data).args(["user", "list", "--json"]));
    assert!(users.as_array().expect("a list").iter().all(|user| user["used_this_month"] == 0));
    for target in ["/search/live?q=timer", "/palette?q=timer"] {
        assert_eq!(ann.client.get(target).status, 303, "{target}");
    }
    Ok(())
}

fn a_list_is_a_file_on_request() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let ann = Person::of(&server, &link(data, "ann"));
    for (target, media) in [
        ("/library?format=csv", "text/csv; charset=utf-8"),
        ("/library?format=json", "application/json"),
        ("/search?q=timer&format=csv", "text/csv; charset=utf-8"),
    ] {
        let file = ann.get(target);
        assert_eq!((file.status, file.header("content-type")), (200, Some(media)), "{target}");
        let disposition = file.header("content-disposition").expect("a name");
        assert!(disposition.starts_with("attachment; filename=\"specbox-"), "{disposition}");
        let text = String::from_utf8(file.bytes).expect("text");
        assert!(text.contains("doc_number") && text.contains("38.990"), "{text}");
    }
    let operator = Person::operator(&server, data);
    json(specbox(data).args(["key", "create", "--name", "laptop", "--user", "op"]));
    for (target, header, row) in [
        ("/dashboard/users?format=csv", "id,name,role,plan,", ",ann,member,"),
        ("/dashboard/keys?format=csv", "id,name,prefix,", ",laptop,sk-"),
        ("/dashboard/jobs?format=csv", "kind,started_at,", "ingest,2"),
    ] {
        let file = operator.get(target);
        let text = String::from_utf8(file.bytes).expect("text");
        assert_eq!(file.status, 200, "{text}");
        assert!(text.starts_with(header) && text.contains(row), "{target}: {text}");
    }
    Ok(())
}

fn a_figure_that_is_a_drawing_is_shown_as_svg() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let ann = Person::of(&server, &link(data.path(), "ann"));
    let search = ann.get("/search?q=link+states+and+transitions&kind=figures&release=Rel-19");
    let found = String::from_utf8(search.bytes).expect("text");
    let part = |text: &str, before: &str, after: &str| {
        let (_, rest) = text.split_once(before).expect("there");
        rest.split_once(after).expect("there").0.to_owned()
    };
    let section = part(&found, "/read/38.990/19.0.0", "#figure-");
    let page = ann.get(&format!("/read/38.990/19.0.0{section}"));
    let page = String::from_utf8(page.bytes).expect("text");
    let path = part(&page, "a class=\"enlarge\" href=\"", "\"");
    assert!(path.starts_with("/pictures/") && path.ends_with(".svg"), "{path}");
    assert_eq!(part(&page, "data-png=\"", "\""), "/images/38.990/19.0.0/0");
    let plain = ann.client.get(&path);
    assert_eq!(plain.status, 200, "{path}");
    assert_eq!(plain.header("content-type"), Some("image/svg+xml"));
    assert!(plain.header("content-security-policy").expect("a policy").contains("sandbox"));
    assert!(plain.bytes.starts_with(b"<svg ") && plain.bytes.ends_with(b"</svg>"));
    let packed = ann.client.send_with("GET", &path, &[("accept-encoding", "br, gzip")], b"");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.bytes.starts_with(&[0x1f, 0x8b]) && packed.bytes.len() < plain.bytes.len());
    let refused =
        ann.client.send_with("GET", &path, &[("accept-encoding", "gzip;q=0, identity")], b"");
    assert_eq!(refused.header("content-encoding"), None);
    assert_eq!(refused.bytes, plain.bytes);
    let tag = packed.header("etag").expect("a tag").to_owned();
    let headers = [("accept-encoding", "gzip"), ("if-none-match", tag.as_str())];
    let again = ann.client.send_with("GET", &path, &headers, b"");
    assert_eq!((again.status, again.bytes.len()), (304, 0));
    let none = format!("/pictures/{}.svg", "0".repeat(64));
    assert_eq!(ann.client.get(&none).status, 404);
    Ok(())
}

fn a_clause_that_a_version_lacks_shows_what_holds_it_and_words_are_found() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let ann = Person::of(&server, &link(data, "ann"));
    let page = |target: &str| {
        let answer = ann.get(target);
        (answer.status, String::from_utf8(answer.bytes).expect("text"))
    };
    let (status, text) = page("/read/38.990/19.0.0?section=5.3.99.1");
    assert_eq!(status, 200);
    assert!(text.contains("has no section <strong>5.3.99.1</strong>"), "{text}");
    let (_, text) = page("/read/38.990/19.0.0?section=99");
    assert!(text.contains("has no section"), "{text}");
    let (status, text) = page("/read/38.998");
    assert!(status == 404 && text.contains("38.998 is not indexed"), "{text}");
    assert!(text.contains(r#"Did you mean <a href="/read/38.990">"#), "{text}");
    let (status, text) = page("/read/38.990/1.0.0");
    assert!(status == 404 && !text.contains("Did you mean"), "{text}");
    let (status, text) = page("/read/38.990/19.0.0/find?q=%3Cscript%3E");
    assert!(status == 200 && text.contains("No clause contains"), "{text}");
    assert!(!text.contains("<script>"));
    let (status, text) = page("/read/38.990/19.0.0/find?q=TIMER");
    assert!(status == 200 && text.contains("<mark>timer</mark>"), "{text}");
    for target in
        ["/read/38.990/1.0.0/find?q=timer", "/pictures/x.png", "/pictures/..%2F..%2Fx.png"]
    {
        assert_eq!(ann.get(target).status, 404, "{target}");
    }
    let none = format!("/pictures/{}.png", "0".repeat(64));
    assert_eq!(ann.get(&none).status, 404);
    Ok(())
}

fn guessing_passwords_is_slowed_down() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = Client::without_redirects(&server.base_url);
    let body = b"name=operator&password=not+the+password";
    let tries: Vec<Answer> =
        (0..12).map(|_| client.send_with("POST", "/sign-in", &[FORM, HERE], body)).collect();
    assert_eq!(tries[0].status, 401);
    let last = tries.last().expect("tried");
    assert_eq!(last.status, 429);
    assert!(last.header("retry-after").is_some());
    Ok(())
}

fn making_an_account_oneself_is_off_until_the_operator_says_so() -> TestResult {
    let data = data()?;
    let fields = b"name=carol&password=a+long+password&again=a+long+password";
    {
        let server = RunningServer::start(data.path(), "off-behind-proxy");
        let client = Client::without_redirects(&server.base_url);
        assert_eq!(client.get("/register").status, 404);
        assert_eq!(client.send_with("POST", "/register", &[FORM, HERE], fields).status, 404);
    }
    set(data.path(), "accounts", "self_registration = true");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = Client::without_redirects(&server.base_url);
    assert_eq!(client.get("/register").status, 200);
    assert_eq!(client.send_with("POST", "/register", &[FORM, HERE], fields).status, 303);
    let users = json(specbox(data.path()).args(["user", "list", "--json"]));
    let carol = users.as_array().expect("a list").iter().find(|user| user["name"] == "carol");
    assert!(carol.is_some_and(|carol| carol["plan"] == "free" && carol["role"] == "member"));
    assert_eq!(client.send_with("POST", "/register", &[FORM, HERE], fields).status, 422, "taken");
    Ok(())
}

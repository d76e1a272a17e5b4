//! A person with a browser, as far as forms go.

use std::path::Path;

use crate::{
    client::{Answer, Client},
    own::add_user,
    program::{json, specbox},
    server::RunningServer,
};

pub(crate) const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
pub(crate) const HERE: (&str, &str) = ("sec-fetch-site", "same-origin");

/// A person with a browser that follows nothing by itself.
pub(crate) struct Person {
    pub(crate) client: Client,
    pub(crate) cookie: String,
}

impl Person {
    /// A new account, signed in.
    pub(crate) fn new(server: &RunningServer, data: &Path, name: &str) -> Self {
        Self::of(server, &link(data, name))
    }

    /// A new operator, signed in.
    pub(crate) fn operator(server: &RunningServer, data: &Path) -> Self {
        let made = json(specbox(data).args(["user", "add", "op", "--role", "operator"]));
        Self::of(server, made["setup_url"].as_str().expect("a link"))
    }

    /// Sets the password of an account by its link, which signs in.
    pub(crate) fn of(server: &RunningServer, setup_url: &str) -> Self {
        let client = Client::without_redirects(&server.base_url);
        let token = setup_url.split_once("token=").expect("a link").1;
        let body = format!("token={token}&password=a+long+password&again=a+long+password");
        let set = client.send_with("POST", "/setup", &[FORM, HERE], body.as_bytes());
        assert_eq!(set.status, 303);
        let cookie = set.header("set-cookie").expect("a session");
        for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
            assert!(cookie.contains(attribute), "{cookie}");
        }
        let cookie = cookie.split(';').next().expect("a value").to_owned();
        assert!(cookie.starts_with("__Host-sid="));
        Self { client, cookie }
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        self.client.send_with("GET", target, &[("cookie", &self.cookie)], b"")
    }

    pub(crate) fn token(&self) -> String {
        let page = String::from_utf8(self.get("/dashboard/keys").bytes).expect("text");
        let (_, rest) = page.split_once("name=\"form_token\" value=\"").expect("a form");
        rest.split('"').next().expect("a value").to_owned()
    }

    pub(crate) fn post(&self, target: &str, fields: &str) -> Answer {
        let body = format!("form_token={}&{fields}", self.token());
        let headers = [FORM, HERE, ("cookie", self.cookie.as_str())];
        self.client.send_with("POST", target, &headers, body.as_bytes())
    }
}

/// The link by which a new account sets its password.
pub(crate) fn link(data: &Path, name: &str) -> String {
    add_user(data, name)["setup_url"].as_str().expect("a link").to_owned()
}

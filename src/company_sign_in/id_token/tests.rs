//! Tests with tokens that misbehave.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde_json::{Value, json};

use super::*;

const EXPECTED: Expectation<'_> =
    Expectation { issuer: "https://login.lab.example", client_id: "specbox", nonce: "n-1" };

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A key of the company's server.
struct Signer(EcdsaKeyPair);

impl Signer {
    fn new() -> Self {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("random numbers");
        Self(EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).expect("its own key"))
    }

    fn jwk(&self, others: &Value) -> Jwk {
        let point = self.0.public_key().as_ref();
        let mut jwk = json!({"kty": "EC", "crv": "P-256", "x": encode(&point[1..33]), "y": encode(&point[33..])});
        for (name, value) in others.as_object().into_iter().flatten() {
            jwk[name] = value.clone();
        }
        serde_json::from_value(jwk).expect("a key")
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
        let signature = self.0.sign(&SystemRandom::new(), message.as_bytes()).expect("signed");
        format!("{message}.{}", encode(signature))
    }
}

fn seconds_from_now(seconds: i64) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    i64::try_from(now.as_secs()).expect("a time") + seconds
}

/// The claims of a good token, with some replaced; those that are null are left out.
fn claims(others: &Value) -> Value {
    let mut claims = json!({
        "iss": "https://login.lab.example", "aud": "specbox", "sub": "4711", "nonce": "n-1",
        "exp": seconds_from_now(300), "iat": seconds_from_now(-1),
        "email": "ann@lab.example", "email_verified": true,
    });
    for (name, value) in others.as_object().into_iter().flatten() {
        claims[name] = value.clone();
    }
    claims.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    claims
}

fn header() -> Value {
    json!({"alg": "ES256", "kid": "a"})
}

#[test]
fn a_token_is_accepted_only_if_each_of_its_claims_is_right() {
    let signer = Signer::new();
    let keys = [signer.jwk(&json!({"kid": "a"}))];
    let verify = |others: Value| {
        let token = signer.sign(&header(), &claims(&others));
        verify_id_token(&token, &keys, &EXPECTED).map(|claims| claims.sub)
    };
    for others in [
        json!({}),
        json!({"aud": ["specbox"]}),
        json!({"aud": ["specbox", "other"], "azp": "specbox"}),
        json!({"exp": seconds_from_now(-30)}),
    ] {
        assert_eq!(verify(others.clone()), Ok("4711".to_owned()), "{others}");
    }
    for (others, fault) in [
        (json!({"iss": "https://evil.example"}), IdTokenFault::Invalid),
        (json!({"iss": "https://login.lab.example/"}), IdTokenFault::Invalid),
        (json!({"iss": null}), IdTokenFault::Invalid),
        (json!({"aud": "other"}), IdTokenFault::Invalid),
        (json!({"aud": []}), IdTokenFault::Invalid),
        (json!({"aud": null}), IdTokenFault::Invalid),
        (json!({"aud": ["specbox", "other"]}), IdTokenFault::Invalid),
        (json!({"azp": "other"}), IdTokenFault::Invalid),
        (json!({"exp": seconds_from_now(-120)}), IdTokenFault::Invalid),
        (json!({"exp": null}), IdTokenFault::Invalid),
        (json!({"nbf": seconds_from_now(600)}), IdTokenFault::Invalid),
        (json!({"sub": null}), IdTokenFault::Invalid),
        (json!({"sub": ""}), IdTokenFault::Invalid),
        (json!({"sub": "x".repeat(256)}), IdTokenFault::Invalid),
        (json!({"nonce": "n-2"}), IdTokenFault::WrongNonce),
        (json!({"nonce": null}), IdTokenFault::WrongNonce),
    ] {
        assert_eq!(verify(others.clone()), Err(fault), "{others}");
    }
}

#[test]
fn a_token_is_accepted_only_with_a_signature_of_one_of_the_keys() {
    let (signer, other) = (Signer::new(), Signer::new());
    let good = signer.sign(&header(), &claims(&json!({})));
    let key = |others: Value| signer.jwk(&others);
    let foreign = other.jwk(&json!({"kid": "a"}));
    for (keys, fault) in [
        (vec![key(json!({"kid": "a"}))], None),
        (vec![key(json!({"kid": "a", "use": "sig"}))], None),
        (vec![foreign.clone(), key(json!({"kid": "a"}))], None),
        (vec![], Some(IdTokenFault::UnknownKey)),
        (vec![key(json!({"kid": "b"}))], Some(IdTokenFault::UnknownKey)),
        (vec![key(json!({}))], Some(IdTokenFault::UnknownKey)),
        (vec![key(json!({"kid": "a", "use": "enc"}))], Some(IdTokenFault::UnknownKey)),
        (vec![foreign], Some(IdTokenFault::Invalid)),
    ] {
        assert_eq!(verify_id_token(&good, &keys, &EXPECTED).err(), fault, "{keys:?}");
    }
    let unnamed = signer.sign(&json!({"alg": "ES256"}), &claims(&json!({})));
    assert!(verify_id_token(&unnamed, &[key(json!({"kid": "a"}))], &EXPECTED).is_ok());
}

#[test]
fn tokens_without_a_signature_or_with_a_changed_part_are_refused() {
    let signer = Signer::new();
    let keys = [signer.jwk(&json!({"kid": "a"}))];
    let good = signer.sign(&header(), &claims(&json!({})));
    let parts: Vec<&str> = good.split('.').collect();
    let other_claims = encode(claims(&json!({"sub": "1"})).to_string());
    let none = encode(json!({"alg": "none", "kid": "a"}).to_string());
    let hmac = encode(json!({"alg": "HS256", "kid": "a"}).to_string());
    let rsa = encode(json!({"alg": "RS256", "kid": "a"}).to_string());
    for token in [
        String::new(),
        "a.b.c".to_owned(),
        good[..good.len() - 4].to_owned(),
        format!("{}.{other_claims}.{}", parts[0], parts[2]),
        format!("{none}.{}.", parts[1]),
        format!("{none}.{}.{}", parts[1], parts[2]),
        format!("{hmac}.{}.{}", parts[1], parts[2]),
        format!("{rsa}.{}.{}", parts[1], parts[2]),
        format!("{good}.x"),
    ] {
        assert!(verify_id_token(&token, &keys, &EXPECTED).is_err(), "{token}");
    }
}

/// Made by openssl, which shares no code with what verifies it.
#[test]
fn a_token_that_openssl_signed_with_rsa_is_accepted_and_a_changed_one_is_not() {
    let jwk = json!({"kty": "RSA", "kid": "r", "alg": "RS256", "n": RSA_MODULUS, "e": "AQAB"});
    let keys = [serde_json::from_value(jwk).expect("a key")];
    let claims = verify_id_token(RSA_TOKEN, &keys, &EXPECTED).expect("accepted");
    assert_eq!((claims.sub.as_str(), claims.email.as_deref()), ("4711", Some("ann@lab.example")));
    let (message, signature) = RSA_TOKEN.rsplit_once('.').expect("three parts");
    let changed = format!("{message}.{}", signature.chars().rev().collect::<String>());
    assert_eq!(verify_id_token(&changed, &keys, &EXPECTED), Err(IdTokenFault::Invalid));
}

const RSA_MODULUS: &str = "\
    pqZvUO7YwtUq0OkrF-HM02R2PNwT8X7X9ygO5VV0YnULn2qYibc1i8nIcrSVtcOQt40nAb0cgbGTZvT1cEpS4NTUfQ76G-8g5Nfc\
    LQBXuduG8RveSZEJUZrIKLcTBLw8TOsevNXF9MQcnxUD38zt31vxyde8Sw7aBODnIzg0xwoguUWzpkMzsa9yC9QDrC7bFtO23oYZ\
    Vb1B0V-OLT0iEln8aBCF8wcVYaOTer9CNs-0-eMeoRM0Hm2DWA2uvZz8ryABWJk4WN3nx6HCeKiqHaEovPVVOdVLS3-fgimD8NNc\
    uIzNBl8njjnGIbjUgb68o4SVXN21SxFt54As50gU7Q";
const RSA_TOKEN: &str = "\
    eyJhbGciOiJSUzI1NiIsImtpZCI6InIiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmxhYi5leGFtcGxlIiwiY\
    XVkIjoic3BlY2JveCIsInN1YiI6IjQ3MTEiLCJub25jZSI6Im4tMSIsImV4cCI6NDkyNDU0MDgwMCwiaWF0IjoxNzc3NTkzNjAwL\
    CJlbWFpbCI6ImFubkBsYWIuZXhhbXBsZSIsImVtYWlsX3ZlcmlmaWVkIjp0cnVlfQ.FMT-7L1FwwuV9HQOYPIPyRRMAwz-2zR0Ch\
    TawsEe5BW4DCHQrW1CfzH_ami4BxEKYCPt_4kRaCMOypAqdviTPJtzNJuUJsfQCweBxnMqMePQ2wIDYtIjPz7b2lD3V2S_dEgfxE\
    fVQh7qGoB34-rep2Hbn5HY-i199sYS4-A2gKz1UHXPj1IBsCVRDkklzF4VN-Pv7QGavP5TEWPnHgOB8qfF8tVSmfQ4G9urnTJq2a\
    cdgpeJRL0Fhgyx0qIduK2tNXWpOmhG6TBc3IkpNcclmauGk15dnMrZyCywlrV5P3CIjmrJsKLPwsd2X1_nO6UxyE0DnU7sLycHDu\
    I1LiH9Ow";

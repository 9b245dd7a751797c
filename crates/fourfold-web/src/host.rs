//! Which host a request is for.
//!
//! Every request names exactly one: what names none or two may be taken for different things by us
//! and by a proxy in front. On loopback only this machine is answered for: a page elsewhere whose
//! name is made to point here (DNS rebinding) sends its own name.

use super::problem::Problem;
use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Version};
use std::net::IpAddr;

/// Refuses a request that does not say which host it is for or, with `only_this_machine`, that is
/// for another one.
pub(super) fn check(request: &Request, only_this_machine: bool) -> Result<(), Problem> {
    let mut named = request.headers().get_all(HOST).iter();
    let host = match (named.next(), named.next()) {
        (Some(_), Some(_)) => return Err(Problem::malformed("there are two Host headers")),
        (Some(value), None) => Some(authority(value)?),
        (None, _) if request.version() > Version::HTTP_10 => {
            return Err(Problem::malformed("there is no Host header"));
        }
        (None, _) => None,
    };
    // What the request line names counts more.
    let host = request.uri().authority().cloned().or(host);
    match host {
        Some(host) if only_this_machine && !is_this_machine(&host) => {
            Err(Problem::misdirected(host.as_str()))
        }
        _ => Ok(()),
    }
}

fn authority(value: &HeaderValue) -> Result<Authority, Problem> {
    let read = Authority::try_from(value.as_bytes()).ok();
    read.filter(|host| !host.as_str().contains('@')).ok_or_else(|| {
        let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
        Problem::malformed(format!("the Host header names no host: {text:?}"))
    })
}

fn is_this_machine(host: &Authority) -> bool {
    let name = host.host().trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::check;
    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::{StatusCode, Version};
    use axum::response::IntoResponse;

    /// The status of a refusal; 200 if there is none.
    fn status(uri: &str, version: Version, hosts: &[&str], only_this_machine: bool) -> u16 {
        let mut request = Request::builder().uri(uri).version(version);
        for host in hosts {
            request = request.header("host", *host);
        }
        let request = request.body(Body::empty()).expect("a request");
        let refusal = check(&request, only_this_machine).err();
        refusal.map_or(StatusCode::OK, |why| why.into_response().status()).as_u16()
    }

    #[test]
    fn hosts_of_this_machine_are_known() {
        let local = |host: &str| status("/", Version::HTTP_11, &[host], true);
        for own in
            ["localhost", "LOCALHOST:7064", "127.0.0.1", "127.0.0.1:80", "[::1]:7064", "[::1]"]
        {
            assert_eq!(local(own), 200, "{own}");
        }
        for other in
            ["example.org", "localhost.example.org:80", "192.168.1.4", "127.0.0.1.nip.io", "[::2]"]
        {
            assert_eq!(local(other), 421, "{other}");
            assert_eq!(status("/", Version::HTTP_11, &[other], false), 200, "{other}");
        }
        for wrong in ["", ":80", "a b", "a/b", "me@localhost", "[::1", "\u{e9}"] {
            assert_ne!(local(wrong), 200, "{wrong:?}");
        }
    }

    #[test]
    fn every_request_names_one_host() {
        for only_this_machine in [false, true] {
            let of = |version, hosts: &[&str]| status("/", version, hosts, only_this_machine);
            assert_eq!(of(Version::HTTP_11, &[]), 400);
            assert_eq!(of(Version::HTTP_10, &[]), 200);
            assert_eq!(of(Version::HTTP_11, &["localhost", "localhost"]), 400);
            assert_eq!(of(Version::HTTP_10, &["localhost", "example.org"]), 400);
            assert_eq!(of(Version::HTTP_11, &["me@localhost"]), 400);
        }
        let absolute = "http://example.org/healthz";
        assert_eq!(status(absolute, Version::HTTP_11, &["localhost"], true), 421);
        assert_eq!(status("http://localhost/", Version::HTTP_11, &["localhost"], true), 200);
    }
}

//! Which host a request is for, which site it comes from, and where others reach the server.
//!
//! Every request names exactly one host: what names none or two may be taken for different things by
//! us and by a proxy in front. On loopback only this machine is answered for, and the public address
//! if there is one: a page elsewhere whose name is made to point here (DNS rebinding) sends its own
//! name.

use super::problem::Problem;
use axum::extract::Request;
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::uri::{Authority, Uri};
use axum::http::{HeaderMap, HeaderValue, Version};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::str::FromStr;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The address by which others reach a server: `https://games.example.org`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicAddress {
    /// Scheme and host, without a slash at the end, as browsers name an origin.
    pub(super) origin: String,
    authority: Authority,
}

/// Why an address cannot be one that others reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PublicAddressError {
    /// It is not of the web.
    #[error("it begins with neither http:// nor https://")]
    Scheme,
    /// There is no host, or a name or password before it.
    #[error("it names no host")]
    Host,
    /// Something follows the host.
    #[error("nothing may follow the host: the pages are at the top")]
    Path,
}

impl FromStr for PublicAddress {
    type Err = PublicAddressError;

    fn from_str(text: &str) -> Result<Self, PublicAddressError> {
        let text = text.trim().to_ascii_lowercase();
        let (scheme, usual) = if text.starts_with("https://") {
            ("https", ":443")
        } else if text.starts_with("http://") {
            ("http", ":80")
        } else {
            return Err(PublicAddressError::Scheme);
        };
        let uri: Uri = text.parse().map_err(|_| PublicAddressError::Host)?;
        let authority = uri.authority().filter(|host| !host.as_str().contains('@'));
        let authority = authority.ok_or(PublicAddressError::Host)?;
        if uri.path_and_query().is_some_and(|rest| rest != "/") || text.contains('#') {
            return Err(PublicAddressError::Path);
        }
        // Browsers leave out the port that everybody knows.
        let authority = authority.as_str();
        let authority = authority.strip_suffix(usual).unwrap_or(authority);
        let authority: Authority = authority.parse().map_err(|_| PublicAddressError::Host)?;
        Ok(Self { origin: format!("{scheme}://{authority}"), authority })
    }
}

/// Whom the server answers for.
#[derive(Debug, Clone)]
pub(super) struct Hosts {
    pub(super) only_this_machine: bool,
    pub(super) public: Option<PublicAddress>,
}

/// Where others reach the server.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    pub(super) public: Option<PublicAddress>,
    /// Where it listens.
    pub(super) bound: SocketAddr,
}

impl Reach {
    /// Who does: `public`, `network`, or this `machine` alone.
    pub(super) fn scope(&self) -> &'static str {
        match self.public {
            Some(_) => "public",
            None if self.bound.ip().is_loopback() => "machine",
            None => "network",
        }
    }

    /// With what links to it begin. What a browser used that is not on this machine is good for
    /// others, too; none if the page knows better.
    pub(super) fn address(&self, host: Option<&Authority>) -> Option<String> {
        if let Some(public) = &self.public {
            return Some(public.origin.clone());
        }
        let elsewhere = host.filter(|host| !is_this_machine(host));
        let ip = match (elsewhere, self.bound.ip()) {
            (Some(_), _) => return None,
            (None, ip) if ip.is_loopback() => return None,
            (None, ip) if ip.is_unspecified() => outward_address()?,
            (None, ip) => ip,
        };
        Some(format!("http://{}", SocketAddr::new(ip, self.bound.port())))
    }
}

/// The address of this machine in its network. Nothing is sent to find out.
fn outward_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address for documentation: the system only looks up which way it would go.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

/// Refuses a request that does not say which host it is for, or that is for another one.
pub(super) fn check(request: &Request, hosts: &Hosts) -> Result<(), Problem> {
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
        Some(host) if hosts.only_this_machine && !is_this_machine(&host) => {
            let public = hosts.public.as_ref().is_some_and(|public| public.authority == host);
            if public { Ok(()) } else { Err(Problem::misdirected(host.as_str())) }
        }
        _ => Ok(()),
    }
}

/// The host that a request names.
pub(super) fn host_of(headers: &HeaderMap) -> Option<Authority> {
    headers.get(HOST).and_then(|value| authority(value).ok())
}

/// Refuses what a page of another site asks a browser to send. Programs that are no browsers send
/// neither header.
pub(super) fn check_origin(headers: &HeaderMap, reach: &Reach) -> Result<(), Problem> {
    if let Some(site) = headers.get(SEC_FETCH_SITE)
        && site != "same-origin"
        && site != "none"
    {
        return Err(Problem::other_site());
    }
    let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or("");
    let host = host_of(headers);
    let own = host.is_some_and(|host| {
        ["http", "https"].iter().any(|scheme| origin == format!("{scheme}://{host}"))
    });
    let public = reach.public.as_ref().is_some_and(|public| public.origin == origin);
    if own || public { Ok(()) } else { Err(Problem::other_site()) }
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
    use super::{Hosts, PublicAddress, PublicAddressError, Reach, check, check_origin};
    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::{HeaderMap, HeaderValue, StatusCode, Version};
    use axum::response::IntoResponse;

    /// The status of a refusal; 200 if there is none.
    fn status(uri: &str, version: Version, hosts: &[&str], only_this_machine: bool) -> u16 {
        let mut request = Request::builder().uri(uri).version(version);
        for host in hosts {
            request = request.header("host", *host);
        }
        let request = request.body(Body::empty()).expect("a request");
        let public = "https://games.example.net".parse().ok();
        let refusal = check(&request, &Hosts { only_this_machine, public }).err();
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
        assert_eq!(local("games.example.net"), 200);
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

    #[test]
    fn public_addresses_are_origins() {
        let read = |text: &str| text.parse::<PublicAddress>().map(|public| public.origin);
        for (text, origin) in [
            ("https://games.example.org", "https://games.example.org"),
            ("https://Games.Example.org:443/", "https://games.example.org"),
            ("http://192.0.2.7:7064", "http://192.0.2.7:7064"),
            ("http://[2001:db8::1]:80/", "http://[2001:db8::1]"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(origin));
        }
        for (text, why) in [
            ("games.example.org", PublicAddressError::Scheme),
            ("", PublicAddressError::Scheme),
            ("https://", PublicAddressError::Host),
            ("https://me@example.org", PublicAddressError::Host),
            ("https://example.org/games", PublicAddressError::Path),
            ("https://example.org/?a", PublicAddressError::Path),
        ] {
            assert_eq!(read(text), Err(why), "{text}");
        }
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let public = "https://games.example.org".parse().ok();
        let reach = Reach { public, bound: ([127, 0, 0, 1], 7064).into() };
        let allowed = |given: &[(&'static str, &'static str)]| {
            let pairs = given.iter().map(|&(name, value)| {
                (name.parse().expect("a name"), HeaderValue::from_static(value))
            });
            check_origin(&pairs.collect::<HeaderMap>(), &reach).is_ok()
        };
        let host = ("host", "127.0.0.1:7064");
        for fine in [
            &[host][..],
            &[host, ("origin", "http://127.0.0.1:7064"), ("sec-fetch-site", "same-origin")],
            &[host, ("origin", "https://games.example.org")],
            &[("host", "games.example.org"), ("origin", "https://games.example.org")],
            &[host, ("sec-fetch-site", "none")],
        ] {
            assert!(allowed(fine), "{fine:?}");
        }
        for foreign in [
            &[host, ("origin", "https://evil.example")][..],
            &[host, ("origin", "null")],
            &[host, ("origin", "http://127.0.0.1:80")],
            &[host, ("origin", "http://127.0.0.1:7064.evil.example")],
            &[host, ("sec-fetch-site", "cross-site")],
            &[host, ("origin", "http://127.0.0.1:7064"), ("sec-fetch-site", "same-site")],
            &[("origin", "http://127.0.0.1:7064")],
        ] {
            assert!(!allowed(foreign), "{foreign:?}");
        }
    }

    #[test]
    fn links_begin_where_others_can_reach_them() {
        let reach = |ip: [u8; 4], public: &str| Reach {
            public: public.parse().ok(),
            bound: (ip, 7064).into(),
        };
        let host = |text: &str| text.parse().expect("a host");
        let machine = reach([127, 0, 0, 1], "");
        assert_eq!((machine.scope(), machine.address(None)), ("machine", None));
        let public = reach([127, 0, 0, 1], "https://games.example.org");
        let local = host("127.0.0.1:7064");
        assert_eq!(public.scope(), "public");
        assert_eq!(public.address(Some(&local)).as_deref(), Some("https://games.example.org"));
        let network = reach([192, 0, 2, 7], "");
        assert_eq!(network.scope(), "network");
        assert_eq!(network.address(Some(&local)).as_deref(), Some("http://192.0.2.7:7064"));
        assert_eq!(network.address(Some(&host("laptop.local:7064"))), None);
    }
}

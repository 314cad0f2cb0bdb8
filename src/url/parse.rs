//! The grammar of the URLs. An error never repeats a part of the URL in which a password may stand.

use super::options::Options;
use super::{Address, Login, Servers, Session};
use std::str::FromStr;

const SCHEMES: &str = "redis://, rediss://, unix://, redis-cluster://, rediss-cluster://, redis-sentinel:// \
                       or rediss-sentinel://";

type Parsed<T> = Result<T, String>;

pub(super) fn url(url: &str) -> Parsed<(Servers, Session)> {
    let (scheme, rest) = url.split_once("://").ok_or(format!("a Redis URL begins with {SCHEMES}"))?;
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    match scheme {
        "unix" => unix(rest, Options::parse(query, &["db", "user", "pass"])?),
        "redis" | "rediss" => one(scheme, rest, query),
        "redis-cluster" | "rediss-cluster" => cluster(scheme, rest, query),
        "redis-sentinel" | "rediss-sentinel" => sentinel(scheme, rest, query),
        _ if is_word(scheme) => Err(format!("a Redis URL begins with {SCHEMES}, not with '{scheme}'")),
        _ => Err(format!("a Redis URL begins with {SCHEMES}")),
    }
}

fn unix(path: &str, mut options: Options) -> Parsed<(Servers, Session)> {
    if !path.starts_with('/') {
        return Err(
            "the path of a unix:// URL begins with a third slash (unix:///run/redis.sock); user and \
                    password go behind it: ?user=…&pass=…"
                .into(),
        );
    }
    let login = Login { user: options.take("user"), password: options.take("pass") };
    if login.user.is_some() && login.password.is_none() {
        return Err("a unix:// URL that gives user= also gives pass= (empty for a user without one)".into());
    }
    let database = options.take("db").map_or(Ok(0), |number| database(&number))?;
    let address = Address::Unix(decode(path)?.into());
    Ok((Servers::One(address), Session { login, database, tls: None }))
}

fn one(scheme: &str, rest: &str, query: &str) -> Parsed<(Servers, Session)> {
    let Network { login, hosts, path } = network(rest, query)?;
    let mut options = Options::parse(query, tls_options(scheme))?;
    let [host] = hosts.as_slice() else {
        return Err(format!(
            "{scheme}:// names one server; several belong to {scheme}-cluster:// or \
                            {scheme}-sentinel://"
        ));
    };
    let servers = Servers::One(address(host, 6379)?);
    Ok((servers, Session { login, database: database(path)?, tls: options.tls(scheme)? }))
}

fn cluster(scheme: &str, rest: &str, query: &str) -> Parsed<(Servers, Session)> {
    let Network { login, hosts, path } = network(rest, query)?;
    let mut options = Options::parse(query, tls_options(scheme))?;
    if database(path)? != 0 {
        return Err("a Redis Cluster has only the database 0".into());
    }
    let seeds = hosts.iter().map(|host| address(host, 6379)).collect::<Parsed<_>>()?;
    Ok((Servers::Cluster(seeds), Session { login, database: 0, tls: options.tls(scheme)? }))
}

fn sentinel(scheme: &str, rest: &str, query: &str) -> Parsed<(Servers, Session)> {
    let Network { login, hosts, path } = network(rest, query)?;
    let own = ["sentinel_user", "sentinel_pass"];
    let mut options = Options::parse(query, &[&own, tls_options(scheme)].concat())?;
    let (master, number) = path.split_once('/').unwrap_or((path, ""));
    if master.is_empty() {
        return Err(format!("{scheme}:// names the master behind the hosts: {scheme}://host:26379/mymaster"));
    }
    let sentinel = Login { user: options.take("sentinel_user"), password: options.take("sentinel_pass") };
    if sentinel.user.is_some() && sentinel.password.is_none() {
        return Err("sentinel_user= goes with sentinel_pass= (empty for a user without one)".into());
    }
    let sentinels = hosts.iter().map(|host| address(host, 26379)).collect::<Parsed<_>>()?;
    let servers = Servers::Sentinel { sentinels, master: decode(master)?, login: sentinel };
    Ok((servers, Session { login, database: database(number)?, tls: options.tls(scheme)? }))
}

fn tls_options(scheme: &str) -> &'static [&'static str] {
    if scheme.starts_with("rediss") { &["ca", "cert", "key", "server_name"] } else { &[] }
}

/// What stands between `://` and `?`, cut into its parts.
struct Network<'a> {
    login: Login,
    hosts: Vec<&'a str>,
    path: &'a str,
}

fn network<'a>(rest: &'a str, query: &str) -> Parsed<Network<'a>> {
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    if path.contains('@') || query.contains('@') || rest.contains('#') {
        return Err(
            "in the user and password of a Redis URL '/' is written %2F, '?' %3F and '#' %23, and an \
                    '@' behind the host %40"
                .into(),
        );
    }
    let (userinfo, hosts) = match authority.rsplit_once('@') {
        Some((userinfo, hosts)) => (Some(userinfo), hosts),
        None => (None, authority),
    };
    let login = userinfo.map_or(Ok(Login::default()), login)?;
    Ok(Network { login, hosts: hosts.split(',').collect(), path: path.trim_end_matches('/') })
}

fn login(userinfo: &str) -> Parsed<Login> {
    let Some((user, password)) = userinfo.split_once(':') else {
        return Err("what stands before the '@' of this Redis URL is a user name without a password: write \
                    redis://:password@host, or redis://user:password@host"
            .into());
    };
    let (user, password) = (decode(user)?, decode(password)?);
    if user.is_empty() && password.is_empty() {
        return Ok(Login::default());
    }
    Ok(Login { user: Some(user).filter(|user| !user.is_empty()), password: Some(password) })
}

fn address(text: &str, default_port: u16) -> Parsed<Address> {
    let (host, port) = match text.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        Some((host, "")) => (host, None),
        Some((host, rest)) => (host, rest.strip_prefix(':').or(Some("?"))),
        None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
    };
    let bracketed = text.starts_with('[');
    let valid = match bracketed {
        true => host.parse::<std::net::Ipv6Addr>().is_ok(),
        false => !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b)),
    };
    if !valid {
        return Err("a Redis URL names a host, an IPv4 address or an IPv6 address in brackets, such as \
                    redis://[::1]:6379"
            .into());
    }
    let port = port.map_or(Ok(default_port), |port| match number(port) {
        None | Some(0) => Err("the port in a Redis URL is a number from 1 to 65535".to_string()),
        Some(port) => Ok(port),
    })?;
    Ok(Address::Tcp { host: host.to_string(), port })
}

fn database(text: &str) -> Parsed<u32> {
    match text {
        "" => Ok(0),
        digits => number(digits).ok_or_else(|| {
            "the database in a Redis URL is a number, such as 2 in redis://127.0.0.1:6379/2".to_string()
        }),
    }
}

/// Digits and nothing else, though Rust reads a '+' before them.
fn number<N: FromStr>(digits: &str) -> Option<N> {
    digits.parse().ok().filter(|_| !digits.starts_with('+'))
}

/// Percent-decoding, and nothing else: a '+' stays a '+'.
pub(super) fn decode(text: &str) -> Parsed<String> {
    let fault =
        || "a '%' in a Redis URL begins the code of a UTF-8 byte, such as %40; itself it is %25".to_string();
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (code, plain) = part.split_at_checked(2).ok_or_else(fault)?;
        let byte = u8::from_str_radix(code, 16).ok().filter(|_| !code.starts_with('+'));
        bytes.push(byte.ok_or_else(fault)?);
        bytes.extend_from_slice(plain.as_bytes());
    }
    let text = String::from_utf8(bytes).map_err(|_| fault())?;
    if text.contains('\0') { Err("a Redis URL holds no NUL byte".into()) } else { Ok(text) }
}

/// What can be no password that anybody would choose.
fn is_word(scheme: &str) -> bool {
    scheme.len() <= 16 && scheme.bytes().all(|b| b.is_ascii_lowercase() || b"+-".contains(&b))
}

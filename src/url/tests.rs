use super::*;

fn parsed(url: &str) -> Endpoint {
    Endpoint::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"))
}

fn refused(url: &str) -> String {
    match Endpoint::parse(url) {
        Err(Error::InvalidConfiguration(text)) => text,
        other => panic!("{url}: {other:?}"),
    }
}

fn tcp(host: &str, port: u16) -> Address {
    Address::Tcp { host: host.into(), port }
}

fn login(user: Option<&str>, password: &str) -> Login {
    Login { user: user.map(String::from), password: Some(password.into()) }
}

#[test]
fn one_server_over_tcp() {
    for (url, host, port, database) in [
        ("redis://cache", "cache", 6379, 0),
        ("redis://10.0.0.1:7000", "10.0.0.1", 7000, 0),
        ("redis://cache:7000/", "cache", 7000, 0),
        ("redis://cache/3", "cache", 6379, 3),
        ("redis://[::1]", "::1", 6379, 0),
        ("redis://[fe80::1]:7000/2", "fe80::1", 7000, 2),
    ] {
        let endpoint = parsed(url);
        assert_eq!(*endpoint.servers(), Servers::One(tcp(host, port)), "{url}");
        let session = Session { login: Login::default(), database, tls: None };
        assert_eq!(*endpoint.session(), session, "{url}");
    }
}

#[test]
fn logins() {
    let of = |url: &str| parsed(url).session().login.clone();
    assert_eq!(of("redis://:secret@cache"), login(None, "secret"));
    assert_eq!(of("redis://limiter:secret@cache"), login(Some("limiter"), "secret"));
    assert_eq!(of("redis://limiter:@cache"), login(Some("limiter"), ""));
    assert_eq!(of("redis://:@cache"), Login::default());
    assert_eq!(of("redis://u:a%40b%2fc+d%20%C3%A9:e@cache"), login(Some("u"), "a@b/c+d é:e"));
    assert_eq!(of("redis://u:a@b@cache"), login(Some("u"), "a@b"));
    assert_eq!(of("unix:///s?user=limiter&pass=a%26b+c@d"), login(Some("limiter"), "a&b+c@d"));
    assert_eq!(of("unix:///s?pass=secret"), login(None, "secret"));
    assert_eq!(of("redis-sentinel://u:secret@a,b/m"), login(Some("u"), "secret"));
}

#[test]
fn unix_sockets() {
    let endpoint = parsed("unix:///run/redis%20one.sock?db=2");
    assert_eq!(*endpoint.servers(), Servers::One(Address::Unix("/run/redis one.sock".into())));
    assert_eq!(endpoint.session().database, 2);
}

#[test]
fn clusters_and_sentinels() {
    let seeds = vec![tcp("a", 6379), tcp("::1", 7001), tcp("10.0.0.3", 7002)];
    assert_eq!(*parsed("redis-cluster://a,[::1]:7001,10.0.0.3:7002").servers(), Servers::Cluster(seeds));
    assert!(parsed("rediss-cluster://a").session().tls.is_some());
    let endpoint = parsed("redis-sentinel://u:p@a,b:7002/mymaster/3?sentinel_user=s&sentinel_pass=q");
    let sentinels = vec![tcp("a", 26379), tcp("b", 7002)];
    let expected = Servers::Sentinel { sentinels, master: "mymaster".into(), login: login(Some("s"), "q") };
    assert_eq!(*endpoint.servers(), expected);
    assert_eq!(endpoint.session().database, 3);
}

#[test]
fn tls_options() {
    let endpoint = parsed("rediss://cache?ca=/etc/ca.pem&cert=/c.pem&key=/k.pem&server_name=redis.internal");
    let expected = Tls {
        ca: Some("/etc/ca.pem".into()),
        identity: Some(("/c.pem".into(), "/k.pem".into())),
        server_name: Some("redis.internal".into()),
    };
    assert_eq!(endpoint.session().tls, Some(expected));
    assert_eq!(parsed("rediss://cache").session().tls, Some(Tls::default()));
    assert!(refused("rediss://cache?cert=/c.pem").contains("both cert= and key="));
    assert!(refused("redis://cache?ca=/etc/ca.pem").contains("rediss://"));
}

#[test]
fn equal_urls_are_one_endpoint_and_logins_keep_them_apart() {
    assert_eq!(parsed("redis://:a@cache"), parsed("redis://:a@cache:6379/0"));
    assert_ne!(parsed("redis://:a@cache"), parsed("redis://:b@cache"));
}

#[test]
fn a_password_shows_in_no_output() {
    for url in [
        "redis://limiter:secret@cache/2",
        "redis://:secret@cache",
        "unix:///s?db=1&user=limiter&pass=secret",
        "rediss-cluster://limiter:secret@a,b",
        "redis-sentinel://:secret@a/m?sentinel_pass=secret",
    ] {
        let endpoint = parsed(url);
        for text in [endpoint.to_string(), format!("{endpoint:?}"), format!("{:?}", endpoint.session())] {
            assert!(!text.contains("secret"), "{text}");
        }
        assert!(!format!("{:?}", endpoint.servers()).contains("secret"), "{url}");
    }
    assert_eq!(parsed("redis://limiter:secret@cache/2").to_string(), "redis://limiter:***@cache:6379/2");
    assert_eq!(parsed("unix:///s?db=1&pass=secret").to_string(), "unix:///s?db=1&pass=***");
    assert_eq!(parsed("rediss-cluster://a,b").to_string(), "rediss-cluster://a:6379,b:6379");
}

#[test]
fn a_url_that_cannot_be_used_is_told_apart_without_repeating_it() {
    for (url, advice) in [
        ("", "begins with"),
        ("secret", "begins with"),
        ("secret:6379", "begins with"),
        ("http://u:secret@cache", "not with 'http'"),
        ("redis://secret@cache", "user name without a password"),
        ("redis://u:sec/ret@cache", "%2F"),
        ("redis://u:sec?ret@cache", "%3F"),
        ("redis://u:sec#ret@cache", "%23"),
        ("redis://u:12/secret@cache", "%2F"),
        ("redis://u:secret", "port"),
        ("redis://u:secret%@cache", "%25"),
        ("redis://u:secret%zz@cache", "%25"),
        ("redis://u:secret%+4@cache", "%25"),
        ("redis://u:secret%FF@cache", "UTF-8"),
        ("redis://u:secret%00@cache", "NUL"),
        ("redis://u:secret@", "names a host"),
        ("redis://u:secret@ca che", "names a host"),
        ("redis://u:secret@::1", "brackets"),
        ("redis://u:secret@[::1", "brackets"),
        ("redis://u:secret@[::1]x", "port"),
        ("redis://u:secret@cache:", "port"),
        ("redis://u:secret@cache:0", "65535"),
        ("redis://u:secret@cache:65536", "65535"),
        ("redis://u:secret@cache:+6379", "65535"),
        ("redis://u:secret@cache/two", "number"),
        ("redis://u:secret@cache/-1", "number"),
        ("redis://u:secret@cache/+1", "number"),
        ("redis://u:secret@a,b", "redis-cluster://"),
        ("redis://cache?password=secret", "before the host"),
        ("redis://cache?timeout=secret", "no options"),
        ("unix:///run/redis.sock?db", "quotes"),
        ("rediss://u:secret@cache?ca", "quotes"),
        ("rediss://cache?timeout=secret", "ca, cert, key, server_name"),
        ("unix:///s?password=secret", "pass="),
        ("unix:///s?user=u", "pass="),
        ("unix://u:secret@/s", "third slash"),
        ("unix://s?pass=secret", "third slash"),
        ("unix:///s?pass=secret&pass=secret", "twice"),
        ("unix:///s?db=secret", "number"),
        ("redis-cluster://u:secret@a/1", "database 0"),
        ("redis-sentinel://u:secret@a", "mymaster"),
        ("redis-sentinel://a/m?sentinel_user=u", "sentinel_pass="),
    ] {
        let text = refused(url);
        assert!(text.contains(advice), "{url}: {text}");
        for part in ["secret", "ret@", "sec/", "sec?", "sec#"] {
            assert!(!text.contains(part), "{url}: {text}");
        }
    }
}

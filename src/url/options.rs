//! The query of a Redis URL: `?name=value&…`.

use super::Tls;
use super::parse::decode;

pub(super) struct Options(Vec<(String, String)>);

impl Options {
    /// Only `known` names may stand in the query.
    pub fn parse(query: &str, known: &[&str]) -> Result<Self, String> {
        let mut options = Vec::new();
        for option in query.split('&').filter(|option| !option.is_empty()) {
            let (name, value) =
                option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
            let name = known.iter().find(|known| **known == name).ok_or_else(|| unknown(name, known))?;
            let value = value.filter(|value| !value.is_empty()).ok_or_else(|| without_value(name))?;
            if options.iter().any(|(seen, _)| seen == name) {
                return Err(format!("the option {name}= stands twice in the Redis URL"));
            }
            options.push((name.to_string(), decode(value)?));
        }
        Ok(Options(options))
    }

    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(option, _)| option == name)?;
        Some(self.0.swap_remove(at).1)
    }

    /// The TLS options, if `scheme` is one that encrypts.
    pub fn tls(&mut self, scheme: &str) -> Result<Option<Tls>, String> {
        if !scheme.starts_with("rediss") {
            return Ok(None);
        }
        let identity = match (self.take("cert"), self.take("key")) {
            (Some(cert), Some(key)) => Some((cert.into(), key.into())),
            (None, None) => None,
            _ => return Err("a client certificate in a Redis URL takes both cert= and key=".into()),
        };
        let ca = self.take("ca").map(Into::into);
        Ok(Some(Tls { ca, identity, server_name: self.take("server_name") }))
    }
}

/// php.ini ends a bare value at the first '='.
fn without_value(name: &str) -> String {
    format!("the option {name}= has no value in the Redis URL; in php.ini the URL has to stand in quotes")
}

fn unknown(name: &str, known: &[&str]) -> String {
    match name {
        "password" | "pass" | "user" | "username" if known.contains(&"pass") => {
            "the login in a unix:// URL is written ?user=…&pass=…".into()
        }
        "password" | "pass" | "user" | "username" => {
            "the login in a Redis URL stands before the host: redis://user:password@host".into()
        }
        "ca" | "cert" | "key" | "server_name" => {
            format!("the option {name}= goes with a scheme that encrypts, such as rediss://")
        }
        _ if known.is_empty() => "this Redis URL takes no options behind a '?'".into(),
        _ => format!("the options of this Redis URL are {}", known.join(", ")),
    }
}

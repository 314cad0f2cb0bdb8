//! Where Redis is and how to log in there, as read from a URL. No text made here ever holds a password.

mod options;
mod parse;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::error::Error;

/// A parsed URL. Cheap to clone; equal endpoints share a worker's connections.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Endpoint(Arc<Parts>);

#[derive(PartialEq, Eq, Hash)]
struct Parts {
    servers: Servers,
    session: Session,
}

/// Which servers to ask, and how to find the one that decides.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Servers {
    One(Address),
    /// Any of these knows the cluster's other nodes.
    Cluster(Vec<Address>),
    /// Any of these knows where the master is.
    Sentinel {
        sentinels: Vec<Address>,
        master: String,
        login: Login,
    },
}

/// Where one server listens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Address {
    Tcp { host: String, port: u16 },
    Unix(PathBuf),
}

/// What a fresh connection needs before the first call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Session {
    pub login: Login,
    pub database: u32,
    pub tls: Option<Tls>,
}

#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Login {
    pub user: Option<String>,
    pub password: Option<String>,
}

/// Files and the name to trust; without a CA the system's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Tls {
    pub ca: Option<PathBuf>,
    /// The client's certificate and its private key, both PEM.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// The name that the server's certificate must hold, if not the host of the URL.
    pub server_name: Option<String>,
}

impl Endpoint {
    /// Reads `redis://`, `rediss://`, `unix://`, `redis-cluster://`, `rediss-cluster://`,
    /// `redis-sentinel://` and `rediss-sentinel://`.
    ///
    /// # Errors
    /// [`Error::InvalidConfiguration`], which says what would be right.
    pub fn parse(url: &str) -> Result<Self, Error> {
        let (servers, session) = parse::url(url).map_err(Error::InvalidConfiguration)?;
        Ok(Endpoint(Arc::new(Parts { servers, session })))
    }

    pub fn servers(&self) -> &Servers {
        &self.0.servers
    }

    pub fn session(&self) -> &Session {
        &self.0.session
    }
}

/// The URL again, with `***` for the password.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Session { login, database, tls } = self.session();
        let secure = if tls.is_some() { "s" } else { "" };
        let list =
            |addresses: &[Address]| addresses.iter().map(Address::to_string).collect::<Vec<_>>().join(",");
        match self.servers() {
            Servers::One(Address::Unix(path)) => {
                write!(f, "unix://{}", path.display())?;
                let mut separator = '?';
                let mut option = |f: &mut fmt::Formatter<'_>, name: &str, value: &str| {
                    write!(f, "{separator}{name}={value}")?;
                    separator = '&';
                    Ok(())
                };
                if *database != 0 {
                    option(f, "db", &database.to_string())?;
                }
                if let Some(user) = &login.user {
                    option(f, "user", user)?;
                }
                login.password.as_ref().map_or(Ok(()), |_| option(f, "pass", "***"))
            }
            Servers::One(address) => write!(f, "redis{secure}://{login}{address}/{database}"),
            Servers::Cluster(seeds) => write!(f, "redis{secure}-cluster://{login}{}", list(seeds)),
            Servers::Sentinel { sentinels, master, .. } => {
                write!(f, "redis{secure}-sentinel://{login}{}/{master}/{database}", list(sentinels))
            }
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `user:***@`, or nothing where no login is needed.
impl fmt::Display for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Login { password: None, .. } => Ok(()),
            Login { user, .. } => write!(f, "{}:***@", user.as_deref().unwrap_or_default()),
        }
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Address::Tcp { host, port } => write!(f, "{host}:{port}"),
            Address::Unix(path) => write!(f, "{}", path.display()),
        }
    }
}

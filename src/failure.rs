//! Why Redis gave no usable answer, and what that says about whether the script ran.

/// A failed call. Every text names the server (`127.0.0.1:6379: timed out …`) and never a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Nothing ran: the server was never reached, refused to start the script, or cannot have read all of it.
    #[error("{0}")]
    NotRun(String),
    /// The request was sent whole and no whole answer came back: it may have run.
    #[error("{0}")]
    Unknown(String),
    /// The server answered with an error: `code` is its first word, such as `READONLY`.
    #[error("{text}")]
    Server { code: String, text: String },
}

impl Failure {
    /// The first word of the server's error reply, if there was a reply.
    pub fn code(&self) -> Option<&str> {
        match self {
            Failure::Server { code, .. } => Some(code),
            Failure::NotRun(_) | Failure::Unknown(_) => None,
        }
    }

    /// Whether it is certain that nothing ran. An error that a command of the script met came after the script began.
    pub fn ran_nothing(&self) -> bool {
        match self {
            Failure::NotRun(_) => true,
            Failure::Unknown(_) => false,
            Failure::Server { code, .. } => REFUSED_TO_START.contains(&code.as_str()),
        }
    }
}

/// MISCONF, NOREPLICAS, OOM and READONLY among them: a script meets them at its first write, or not at all.
const REFUSED_TO_START: [&str; 15] = [
    "ASK",
    "BUSY",
    "CLUSTERDOWN",
    "LOADING",
    "MASTERDOWN",
    "MISCONF",
    "MOVED",
    "NOAUTH",
    "NOPERM",
    "NOREPLICAS",
    "NOSCRIPT",
    "OOM",
    "READONLY",
    "TRYAGAIN",
    "WRONGPASS",
];

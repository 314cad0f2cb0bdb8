//! One connection: logged in, one request out, its reply in, nothing left over. Whoever gets a failure drops the
//! link, so that a late reply can never be taken for another's.

use std::io;

use redis::Value;

use crate::call::Call;
use crate::connection::deadline::Deadline;
use crate::connection::error_reply;
use crate::connection::resp;
use crate::connection::stream::Stream;
use crate::failure::Failure;
use crate::stats;
use crate::url::{Address, Session};

/// Room for every settled decision; longer replies grow it.
const BUFFER: usize = 4096;

pub struct Link {
    stream: Stream,
    address: Address,
    buffer: Vec<u8>,
    /// How many bytes of the buffer have been received and not yet read as a reply.
    filled: usize,
}

impl Link {
    /// Connects, encrypts if the session wants it, and logs in. Nothing has run if this fails.
    pub fn open(address: &Address, session: &Session, deadline: Deadline) -> Result<Self, Failure> {
        let stream = Stream::connect(address, session.tls.as_ref(), deadline).map_err(|error| {
            Failure::NotRun(format!("{address}: {}", fault("no connection", &error, deadline)))
        })?;
        stats::CONNECTS.add();
        let mut link = Link { stream, address: address.clone(), buffer: vec![0; BUFFER], filled: 0 };
        link.log_in(session, deadline).map_err(|failure| match failure {
            Failure::Unknown(text) => Failure::NotRun(text),
            other => other,
        })?;
        Ok(link)
    }

    /// AUTH and SELECT, in one write.
    fn log_in(&mut self, session: &Session, deadline: Deadline) -> Result<(), Failure> {
        let (mut request, mut steps) = (Vec::new(), Vec::new());
        let (user, password) = (session.login.user.as_deref(), session.login.password.as_deref());
        if let Some(password) = password {
            let parts =
                ["AUTH"].into_iter().chain(user).chain([password]).map(str::as_bytes).collect::<Vec<_>>();
            request.extend_from_slice(Call::command(&parts, None).bytes());
            steps.push(format!("login of user '{}'", user.unwrap_or("default")));
        }
        if session.database != 0 {
            let number = session.database.to_string();
            request.extend_from_slice(Call::command(&[b"SELECT", number.as_bytes()], None).bytes());
            steps.push(format!("SELECT {number}"));
        }
        if steps.is_empty() {
            return Ok(());
        }
        self.send(&request, deadline)?;
        for step in steps {
            if let Value::ServerError(error) = self.receive(deadline)? {
                let (code, words) = error_reply::read(&error);
                // A proxy may answer with the arguments that it was given.
                let leaks = |password: &str| words.contains(password) || error_reply::is_cut(&words);
                let safe = if password.is_some_and(|p| !p.is_empty() && leaks(p)) { code } else { &words };
                let text = format!("{}: {step}: {safe}", self.address);
                return Err(Failure::Server { code: code.to_string(), text });
            }
        }
        self.finish()
    }

    /// Sends `request`, behind `before` in the same write, and returns its reply.
    pub fn call(&mut self, before: &[u8], request: &[u8], deadline: Deadline) -> Result<Value, Failure> {
        let reply = if before.is_empty() {
            self.send(request, deadline)?;
            self.receive(deadline)?
        } else {
            self.send(&[before, request].concat(), deadline)?;
            // Where this one is an error, so is the next.
            self.receive(deadline)?;
            self.receive(deadline)?
        };
        self.finish()?;
        Ok(reply)
    }

    /// False if the server closed the connection, or sent anything, while it was idle.
    pub fn quiet(&mut self) -> bool {
        self.stream.quiet()
    }

    fn send(&mut self, request: &[u8], deadline: Deadline) -> Result<(), Failure> {
        let sent = if deadline.passed() {
            Err(io::ErrorKind::TimedOut.into())
        } else {
            self.stream.send(request, deadline)
        };
        sent.map_err(|error| Failure::NotRun(self.text(&fault("could not be asked", &error, deadline))))
    }

    fn receive(&mut self, deadline: Deadline) -> Result<Value, Failure> {
        loop {
            let received = self.buffer.get(..self.filled).unwrap_or_default();
            let length = resp::length(received).map_err(|_| self.garbage())?;
            if let Some(whole) = length.and_then(|length| received.get(..length)) {
                let value = resp::value(whole).map_err(|_| self.garbage())?;
                let end = whole.len();
                self.buffer.copy_within(end..self.filled, 0);
                self.filled -= end;
                return Ok(value);
            }
            self.more(deadline)?;
        }
    }

    fn more(&mut self, deadline: Deadline) -> Result<(), Failure> {
        if self.filled == self.buffer.len() {
            self.buffer.resize(self.filled * 2, 0);
        }
        let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
        match self.stream.receive(room, deadline) {
            Ok(0) => Err(Failure::Unknown(self.text("closed the connection before it answered"))),
            Ok(received) => {
                self.filled += received;
                Ok(())
            }
            Err(error) => Err(Failure::Unknown(self.text(&fault("no answer", &error, deadline)))),
        }
    }

    /// Every reply has been read: the next call starts clean.
    fn finish(&mut self) -> Result<(), Failure> {
        self.buffer.truncate(BUFFER);
        self.buffer.shrink_to(BUFFER);
        if self.filled == 0 {
            Ok(())
        } else {
            Err(Failure::Unknown(self.text("answered more than it was asked")))
        }
    }

    fn garbage(&self) -> Failure {
        Failure::Unknown(self.text("did not answer like a Redis server (RESP)"))
    }

    fn text(&self, what: &str) -> String {
        format!("{}: {what}", self.address)
    }
}

fn fault(what: &str, error: &io::Error, deadline: Deadline) -> String {
    match error.kind() {
        io::ErrorKind::TimedOut if error.raw_os_error().is_none() => {
            format!("{what} within {} ms", deadline.budget().as_micros() as f64 / 1000.0)
        }
        _ => format!("{what}: {error}"),
    }
}

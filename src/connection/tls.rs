//! Encryption: rustls over a socket that keeps the deadline.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};

use crate::connection::deadline::Deadline;
use crate::connection::socket::Socket;
use crate::url::Tls;

/// Where Debian, Red Hat and Alpine keep the certificates that the system trusts.
const SYSTEM_ROOTS: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

pub struct TlsStream {
    connection: ClientConnection,
    socket: Socket,
}

impl TlsStream {
    /// Shakes hands; `host` is the name that the certificate must hold unless the options give another.
    pub fn open(socket: Socket, host: &str, options: &Tls, deadline: Deadline) -> io::Result<Self> {
        let name = options.server_name.as_deref().unwrap_or(host).to_string();
        let name = ServerName::try_from(name).map_err(io::Error::other)?;
        let mut connection = ClientConnection::new(config(options)?, name).map_err(io::Error::other)?;
        while connection.is_handshaking() {
            connection.complete_io(&mut Timed { socket: &socket, deadline })?;
        }
        Ok(TlsStream { connection, socket })
    }

    /// Sends all of `bytes`; on an error the server lacks at least the last record.
    pub fn send(&mut self, bytes: &[u8], deadline: Deadline) -> io::Result<()> {
        let mut timed = Timed { socket: &self.socket, deadline };
        let mut stream = rustls::Stream::new(&mut self.connection, &mut timed);
        stream.write_all(bytes)?;
        stream.flush()
    }

    /// Receives some bytes; 0 where the peer has closed.
    pub fn receive(&mut self, buffer: &mut [u8], deadline: Deadline) -> io::Result<usize> {
        let mut timed = Timed { socket: &self.socket, deadline };
        match rustls::Stream::new(&mut self.connection, &mut timed).read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
            received => received,
        }
    }

    /// Whether the connection stands and no data waits. What does come to an idle client are session tickets.
    pub fn quiet(&mut self) -> bool {
        while !self.socket.quiet() {
            let expected = self.connection.read_tls(&mut Arrived(&self.socket)).is_ok_and(|read| read > 0)
                && self
                    .connection
                    .process_new_packets()
                    .is_ok_and(|state| state.plaintext_bytes_to_read() == 0 && !state.peer_has_closed());
            if !expected {
                return false;
            }
        }
        true
    }
}

struct Timed<'a> {
    socket: &'a Socket,
    deadline: Deadline,
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.socket.receive(buffer, self.deadline)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.socket.send(bytes, self.deadline)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads what is there already.
struct Arrived<'a>(&'a Socket);

impl Read for Arrived<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.arrived(buffer)
    }
}

thread_local! {
    /// Reading the system's certificates takes milliseconds: done once for each set of options.
    static CONFIGS: RefCell<HashMap<Tls, Arc<ClientConfig>>> = RefCell::default();
}

fn config(options: &Tls) -> io::Result<Arc<ClientConfig>> {
    if let Some(known) = CONFIGS.with_borrow(|configs| configs.get(options).cloned()) {
        return Ok(known);
    }
    let made = Arc::new(make_config(options)?);
    CONFIGS.with_borrow_mut(|configs| configs.insert(options.clone(), made.clone()));
    Ok(made)
}

fn make_config(options: &Tls) -> io::Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots(options.ca.as_deref())?);
    let Some((certificate, key)) = &options.identity else { return Ok(builder.with_no_client_auth()) };
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| unusable(key, error))?;
    builder
        .with_client_auth_cert(certificates(certificate)?, private)
        .map_err(|error| unusable(certificate, error))
}

/// The given authority alone, or those that the system trusts.
fn roots(ca: Option<&Path>) -> io::Result<RootCertStore> {
    let file = match ca {
        Some(file) => file,
        None => SYSTEM_ROOTS.iter().map(Path::new).find(|file| file.exists()).ok_or_else(|| {
            io::Error::other("this system has no bundle of certificates: install ca-certificates or give ca=")
        })?,
    };
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(certificates(file)?);
    if added == 0 { Err(unusable(file, "no certificate of an authority in it")) } else { Ok(roots) }
}

fn certificates(file: &Path) -> io::Result<Vec<CertificateDer<'static>>> {
    CertificateDer::pem_file_iter(file).and_then(Iterator::collect).map_err(|error| unusable(file, error))
}

fn unusable(file: &Path, error: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {error}", file.display()))
}

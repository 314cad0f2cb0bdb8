//! A server that speaks TLS too, by a private authority, and asks clients for a certificate.

use super::{Folder, Server, certificates, free_port};

/// The options of a client that may come in.
pub const TRUST: &str = "ca=@ca.crt&cert=@client.crt&key=@client.key";

pub struct TlsServer {
    pub server: Server,
    port: u16,
}

impl TlsServer {
    pub fn start() -> Self {
        let folder = Folder::new();
        certificates(&folder);
        let port = free_port();
        let (ca, cert, key) = (folder.file("ca.crt"), folder.file("server.crt"), folder.file("server.key"));
        let server = Server::start_in(
            folder,
            &[
                "--tls-port",
                &port.to_string(),
                "--tls-ca-cert-file",
                &ca,
                "--tls-cert-file",
                &cert,
                "--tls-key-file",
                &key,
                "--tls-auth-clients",
                "yes",
            ],
        );
        TlsServer { server, port }
    }

    /// `=@` in the query stands for a file in the server's folder.
    pub fn url(&self, host: &str, query: &str) -> String {
        let folder = self.server.folder.path().display();
        format!("rediss://{host}:{}?{}", self.port, query.replace("=@", &format!("={folder}/")))
    }
}

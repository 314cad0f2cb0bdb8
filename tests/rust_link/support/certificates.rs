//! Certificates of an authority that only a test knows.

use std::process::Command;

use super::Folder;

/// Makes ca.crt, and server and client .crt and .key signed by it.
pub fn certificates(folder: &Folder) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    openssl(folder, &format!("req -x509 {key} -keyout ca.key -out ca.crt -days 2 -subj /CN=authority"));
    std::fs::write(folder.path().join("names"), "subjectAltName=DNS:localhost,DNS:redis.test,IP:127.0.0.1\n")
        .unwrap();
    for name in ["server", "client"] {
        openssl(folder, &format!("req {key} -keyout {name}.key -out {name}.csr -subj /CN={name}"));
        let signed = format!("x509 -req -in {name}.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2");
        openssl(folder, &format!("{signed} -out {name}.crt -extfile names"));
    }
}

fn openssl(folder: &Folder, arguments: &str) {
    let mut command = Command::new("openssl");
    let output = command.current_dir(folder.path()).args(arguments.split(' ')).output().unwrap();
    assert!(output.status.success(), "openssl {arguments}: {}", String::from_utf8_lossy(&output.stderr));
}

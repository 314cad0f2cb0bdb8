//! A redis-server process, or one of RATELIMIT_SERVER, such as valkey-server; gone when its test is over, whether it
//! passed or not.

use super::folder::Folder;
use super::until::until;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{env, fs};

pub struct Process(pub Child);

impl Process {
    /// Runs it in `folder` and waits until it answers at the unix socket `s` there, as its arguments have to tell it.
    pub fn start<'a>(
        folder: &Folder,
        arguments: impl IntoIterator<Item = &'a str>,
        environment: &[(&str, &Path)],
    ) -> Self {
        let program = env::var("RATELIMIT_SERVER").unwrap_or_else(|_| "redis-server".into());
        let log = fs::File::create(folder.file("log")).unwrap();
        let child = Command::new(&program)
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stderr(log.try_clone().unwrap())
            .stdout(log)
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {program}: {error}"));
        let mut process = Process(child);
        until("the server answers", || {
            let log = || fs::read_to_string(folder.file("log")).unwrap_or_default();
            assert!(process.0.try_wait().unwrap().is_none(), "{program} ended: {}", log());
            UnixStream::connect(folder.file("s")).is_ok()
        });
        process
    }

    /// Kills it, as a crash would.
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

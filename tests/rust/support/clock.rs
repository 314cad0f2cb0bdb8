//! The wall clock of a server under test: eight bytes in a file that `tests/support/frozen_clock.c`, preloaded into
//! the server, takes its time from.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Clock {
    file: File,
    path: PathBuf,
    library: PathBuf,
}

impl Clock {
    /// Builds the shim into `folder` and lays the clock's file beside it.
    pub fn new(folder: &Path) -> Self {
        let library = folder.join("frozen_clock.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/frozen_clock.c");
        let built =
            Command::new("cc").args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(source).status();
        assert!(built.expect("cc is needed").success(), "cc could not build {source}");
        let path = folder.join("clock");
        let clock = Clock { file: File::create(&path).expect("clock file"), path, library };
        clock.set(1_760_000_000_000_000);
        clock
    }

    /// The microsecond that the server lives in from now on.
    pub fn set(&self, now: i128) {
        let now = i64::try_from(now).expect("µs since the epoch");
        // One write of eight bytes in place: the server never sees half of it.
        self.file.write_all_at(&now.to_ne_bytes(), 0).expect("clock file");
    }

    /// What a server's environment needs to live by this clock.
    pub fn environment(&self) -> [(&'static str, &Path); 2] {
        [("LD_PRELOAD", &self.library), ("FROZEN_CLOCK", &self.path)]
    }
}

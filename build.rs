//! Assembles the scripts from `lua/` and hashes them, so that the names under which Redis caches them are constants.

use std::{env, fmt::Write, fs, io, path::Path};

/// In the order of their bits: a script for each set of them stands at `SETTLE[bits - 1]`.
const JUDGES: [&str; 5] = ["token_bucket", "sliding_log", "audit_log", "sliding_window", "fixed_window"];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=lua");
    let mut code = String::from("/// Decides, for each non-empty set of judges.\n");
    code += "pub static SETTLE: [Script; 31] = [\n";
    for bits in 1..1usize << JUDGES.len() {
        let _ = writeln!(code, "{},", literal(&settle(bits)?));
    }
    code += "];\n";
    for (name, file) in [("REFUND", "refund"), ("HISTORY", "history")] {
        let script = read(&["ring", "audit_entry", file])?;
        let _ = writeln!(code, "pub static {name}: Script = {};", literal(&script));
    }
    let folder = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&folder).join("scripts.rs"), code)
}

/// The judges whose bits are set, the line that lists them, and the settle step.
fn settle(bits: usize) -> io::Result<String> {
    let chosen = JUDGES.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
    let judges: Vec<&str> = chosen.map(|(_, judge)| *judge).collect();
    let files: Vec<&str> = judges.iter().flat_map(|judge| state(judge).into_iter().chain([*judge])).collect();
    Ok(format!("{}\nlocal judges = {{{}}}\n\n{}", read(&files)?, judges.join(", "), read(&["settle"])?))
}

/// The file that reads a judge's state, where other scripts read it too.
fn state(judge: &str) -> Option<&'static str> {
    match judge {
        "sliding_log" => Some("ring"),
        "audit_log" => Some("audit_entry"),
        _ => None,
    }
}

fn read(files: &[&str]) -> io::Result<String> {
    let texts: io::Result<Vec<String>> =
        files.iter().map(|file| fs::read_to_string(format!("lua/{file}.lua"))).collect();
    Ok(texts?.join("\n"))
}

fn literal(text: &str) -> String {
    let sha = sha1_smol::Sha1::from(text).digest();
    format!("Script {{ sha: \"{sha}\", text: {text:?} }}")
}

//! `nearmiss completions` and `nearmiss man`: made from what may be typed.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::args::{Cli, Shell};
use crate::exit::Exit;
use crate::listener::Listener;

/// Prints the completion script of a shell.
pub fn completions(shell: Shell) -> Result<Exit> {
    let shell = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Elvish => clap_complete::Shell::Elvish,
        Shell::Powershell => clap_complete::Shell::PowerShell,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "nearmiss", &mut script);
    print(&script)
}

/// Prints the manual page of the whole tool.
pub fn page() -> Result<Exit> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    print(&page)
}

/// Writes the manual page of the whole tool and of each command into a folder.
pub fn pages(folder: &str) -> Result<Exit> {
    write_pages(Path::new(folder)).with_context(|| format!("{folder} cannot be written"))?;
    Ok(Exit::Holds)
}

fn write_pages(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(Cli::command(), folder)
}

fn print(text: &[u8]) -> Result<Exit> {
    Listener::Process.print(&String::from_utf8_lossy(text))?;
    Ok(Exit::Holds)
}

//! Files from the disk, for the front end: the one place below the command line that opens files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::c::Loader;

/// No program written by people is larger; what is (a device, say) would only fill the memory.
pub const LARGEST: u64 = 256 << 20;

/// Where headers of the system usually are; those that exist are searched, in this order.
const SYSTEM_INCLUDE: [&str; 6] = [
    "/usr/local/include",
    "/usr/include/x86_64-linux-gnu",
    "/usr/include/aarch64-linux-gnu",
    "/usr/include/riscv64-linux-gnu",
    "/usr/include/i386-linux-gnu",
    "/usr/include",
];

/// The folders of the system's headers that this machine has, in the order in which they are searched.
pub fn system_include() -> Vec<String> {
    SYSTEM_INCLUDE.iter().filter(|folder| Path::new(folder).is_dir()).map(|folder| (*folder).to_owned()).collect()
}

/// A loader that reads the disk.
#[derive(Clone, Copy, Debug)]
pub struct Disk;

impl Loader for Disk {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        at_most(File::open(path)?, LARGEST)
    }

    fn exists(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// The bytes of something that is not larger than that.
///
/// # Errors
///
/// What the system says, or that it is larger.
pub fn at_most(from: impl Read, largest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(largest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest {
        let message = format!("it is larger than {} MB", largest >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

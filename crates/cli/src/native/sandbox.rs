//! What a compiled program may do while it is replayed: compute, print, and use a folder of its own. Nothing else.
//!
//! A file that is checked must not act: its text may hold anything, and a list of names has holes. So the program is started
//! by this tool itself ([`tool_is_at`]), under a word that no user types ([`WORD`]): that process gives up its rights and then becomes the program.
//!
//! | what | by |
//! |---|---|
//! | files: it reads and writes in its own folder; it also reads its libraries and what the system says of it | Landlock |
//! | programs: it starts none but itself, and no process or thread | Landlock, seccomp |
//! | network, other processes, everything that is on no list | seccomp: an unknown system call ends it |
//! | memory, stack, sizes of files, processor time | limits of the system |
//!
//! Filters of system calls know one machine: a program for 32 bits runs without that part. Where the kernel has no Landlock there is
//! no sandbox ([`Sandbox::for_bits`]), and only programs run of which nothing suspicious is known.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::OnceLock;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// The file of this tool, where it is not the running program's.
static TOOL: OnceLock<PathBuf> = OnceLock::new();

/// Says where this tool is: for programs that use it as a library, and are none that could be started in its place. The first word counts.
pub fn tool_is_at(path: PathBuf) {
    let _ = TOOL.set(path);
}

/// The word by which this tool is told to become another program.
const WORD: &str = "__confined";
/// The exit code of a sandbox that could not be set up.
pub const NOT_SET_UP: i32 = 125;
/// The signal that ends a program that makes a forbidden call.
pub const FORBIDDEN: i32 = libc::SIGSYS;

/// A library of ours that a program may have beside it.
pub const HARNESS: &str = "harness.so";

/// Memory of a program. Sanitizers reserve terabytes, hence run without this limit.
const MEMORY: u64 = 4 << 30;
/// Its stack, where the system grants so much: the interpreter's is not small either.
const STACK: u64 = 1 << 30;
/// The size of a file that it writes.
const FILE: u64 = 64 << 20;
/// Files that it may have open.
const OPEN: u64 = 64;
/// Seconds of processor time, should the watch over the clock fail.
const SECONDS: u64 = 60;

/// Where programs find their libraries.
const LIBRARIES: [&str; 9] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/nix/store",
];
/// Loaders of libraries, which start a program.
const LOADERS: [&str; 6] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-linux-riscv64-lp64d.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];
/// What the system says of the process itself, and files that are not really files.
const ITSELF: [&str; 4] = ["/proc/self", "/dev/zero", "/dev/urandom", "/dev/random"];

/// How much of the sandbox there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sandbox {
    /// All of it.
    Whole,
    /// Files and programs are watched, other system calls are not.
    FilesOnly,
    /// The kernel has none.
    Missing,
}

/// How a program is built, which says what it may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// As it is.
    Plain,
    /// With sanitizers.
    Sanitized,
}

impl Sandbox {
    /// What there is on this machine for programs of so many bits.
    pub fn for_bits(bits: u32) -> Sandbox {
        let watched = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let watched = watched.handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create);
        match (watched.is_ok(), bits) {
            (false, _) => Sandbox::Missing,
            (true, 64) if filter().is_ok() => Sandbox::Whole,
            (true, _) => Sandbox::FilesOnly,
        }
    }

    /// The command that runs a program in a folder, the only one that is open to it.
    pub fn command(self, program: &Path, folder: &Path, build: Build) -> io::Result<Command> {
        let mut command = Command::new(TOOL.get().cloned().map_or_else(env::current_exe, Ok)?);
        command.arg(WORD).arg(self.word()).arg(build.word()).arg(folder).arg(program);
        command.current_dir(folder);
        Ok(command)
    }

    fn word(self) -> &'static str {
        match self {
            Sandbox::Whole => "whole",
            Sandbox::FilesOnly => "files",
            Sandbox::Missing => "limits",
        }
    }
}

impl Build {
    fn word(self) -> &'static str {
        match self {
            Build::Plain => "plain",
            Build::Sanitized => "sanitized",
        }
    }
}

/// Becomes another program, if that is what this process was started for. Otherwise nothing happens.
pub fn enter_if_told() {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let [word, sandbox, build, folder, program, arguments @ ..] = words.as_slice() else { return };
    if word != WORD {
        return;
    }
    let error = become_confined(sandbox, build, Path::new(folder), (Path::new(program), arguments)).unwrap_err();
    eprintln!("the sandbox could not be set up: {error}");
    process::exit(NOT_SET_UP);
}

/// Returns only if something fails.
fn become_confined(
    sandbox: &OsStr,
    build: &OsStr,
    folder: &Path,
    (program, arguments): (&Path, &[OsString]),
) -> Result<(), String> {
    close_fds::set_fds_cloexec(3, &[]);
    limit(build == Build::Sanitized.word())?;
    if sandbox != Sandbox::Missing.word() {
        watch_files(folder, program)?;
    }
    if sandbox == Sandbox::Whole.word() {
        seccompiler::apply_filter(&filter()?).map_err(|error| error.to_string())?;
    }
    Err(Command::new(program).arg0("program").args(arguments).exec().to_string())
}

fn limit(is_sanitized: bool) -> Result<(), String> {
    let memory = (!is_sanitized).then_some((Resource::As, MEMORY));
    let others = [(Resource::Core, 0), (Resource::Fsize, FILE), (Resource::Nofile, OPEN), (Resource::Cpu, SECONDS)];
    for (resource, most) in others.into_iter().chain(memory) {
        let most = getrlimit(resource).maximum.map_or(most, |granted| granted.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).map_err(|error| error.to_string())?;
    }
    let granted = getrlimit(Resource::Stack).maximum;
    let stack = granted.map_or(STACK, |granted| granted.min(STACK));
    // A smaller stack is enough for most.
    let _ = setrlimit(Resource::Stack, Rlimit { current: Some(stack), maximum: granted });
    Ok(())
}

fn watch_files(folder: &Path, program: &Path) -> Result<(), String> {
    let reads = AccessFs::ReadFile | AccessFs::ReadDir;
    let writes = AccessFs::WriteFile | AccessFs::Truncate | AccessFs::MakeReg | AccessFs::MakeDir;
    let writes = writes | AccessFs::RemoveFile | AccessFs::RemoveDir;
    let harness = program.with_file_name(HARNESS);
    let rules = |paths: &[&Path], access: BitFlags<AccessFs>| path_beneath_rules(paths, access).collect::<Vec<_>>();
    let paths = |names: &'static [&'static str]| names.iter().map(Path::new).collect::<Vec<&Path>>();
    let confine = || {
        Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V5))?
            .handle_access(AccessNet::from_all(ABI::V5))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?
            .add_rules(rules(&[folder], reads | writes))?
            .add_rules(rules(&[&harness], AccessFs::ReadFile.into()))?
            .add_rules(rules(&paths(&LIBRARIES), reads))?
            .add_rules(rules(&paths(&ITSELF), reads))?
            .add_rules(rules(&[Path::new("/dev/null")], AccessFs::ReadFile | AccessFs::WriteFile))?
            .add_rules(rules(&paths(&LOADERS), AccessFs::Execute | AccessFs::ReadFile))?
            .add_rules(rules(&[program], AccessFs::Execute | AccessFs::ReadFile))?
            .restrict_self()
    };
    let status = confine().map_err(|error: landlock::RulesetError| error.to_string())?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("the kernel does not watch files".to_owned()),
        _ => Ok(()),
    }
}

/// Calls that a program which computes and prints may make, whatever their arguments. What these do to files is watched.
const ALLOWED: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_execve,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fcntl,
    libc::SYS_fdatasync,
    libc::SYS_fstat,
    libc::SYS_fsync,
    libc::SYS_ftruncate,
    libc::SYS_futex,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getitimer,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_getuid,
    libc::SYS_lseek,
    libc::SYS_madvise,
    libc::SYS_mkdirat,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_newfstatat,
    libc::SYS_openat,
    libc::SYS_personality,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_pselect6,
    libc::SYS_pwrite64,
    libc::SYS_read,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_renameat2,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_setitimer,
    libc::SYS_sigaltstack,
    libc::SYS_statx,
    libc::SYS_sysinfo,
    libc::SYS_times,
    libc::SYS_umask,
    libc::SYS_uname,
    libc::SYS_unlinkat,
    libc::SYS_write,
    libc::SYS_writev,
];

/// The same in their older spelling, which newer machines do not have.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[
    libc::SYS_access,
    libc::SYS_alarm,
    libc::SYS_arch_prctl,
    libc::SYS_creat,
    libc::SYS_dup2,
    libc::SYS_getrlimit,
    libc::SYS_lstat,
    libc::SYS_mkdir,
    libc::SYS_open,
    libc::SYS_pause,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_rmdir,
    libc::SYS_select,
    libc::SYS_stat,
    libc::SYS_time,
    libc::SYS_unlink,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[];

/// An argument by its number, and the value that it must have.
type Argument = (u8, u64);

/// Calls that may be made with some arguments only: those of any one list.
fn conditional() -> Vec<(i64, Vec<Vec<Argument>>)> {
    let own = u64::from(process::id());
    // Names of threads, of ranges of memory, and whether memory may be dumped: what libraries set up for themselves.
    let settings =
        [libc::PR_GET_DUMPABLE, libc::PR_SET_DUMPABLE, libc::PR_GET_NAME, libc::PR_SET_NAME, libc::PR_SET_VMA];
    let to_itself = vec![vec![(0, own)]];
    vec![
        // Signals, such as `abort` sends.
        (libc::SYS_kill, to_itself.clone()),
        (libc::SYS_tgkill, to_itself.clone()),
        (libc::SYS_tkill, to_itself),
        (libc::SYS_prctl, settings.map(|setting| vec![(0, u64::from(setting.cast_unsigned()))]).to_vec()),
        // Is this a terminal?
        (libc::SYS_ioctl, [libc::TCGETS, libc::TIOCGWINSZ].map(|what| vec![(1, what)]).to_vec()),
        // Limits are looked at, not set; but sanitizers set that of dumps, which is none already.
        (libc::SYS_prlimit64, vec![vec![(0, 0), (2, 0)], vec![(0, 0), (1, u64::from(libc::RLIMIT_CORE))]]),
    ]
}

/// The filter of system calls, for this process.
fn filter() -> Result<BpfProgram, String> {
    let told = |error: seccompiler::BackendError| error.to_string();
    let condition = |call: i64, (argument, value): Argument| {
        let is_pointer = (call, argument) == (libc::SYS_prlimit64, 2);
        let length = if is_pointer { SeccompCmpArgLen::Qword } else { SeccompCmpArgLen::Dword };
        SeccompCondition::new(argument, length, SeccompCmpOp::Eq, value)
    };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().chain(OLDER).map(|call| (*call, Vec::new())).collect();
    for (call, ways) in conditional() {
        let ways = ways.into_iter().map(|arguments| {
            SeccompRule::new(arguments.into_iter().map(|argument| condition(call, argument)).collect::<Result<_, _>>()?)
        });
        rules.insert(call, ways.collect::<Result<_, _>>().map_err(told)?);
    }
    let machine = env::consts::ARCH.try_into().map_err(told)?;
    SeccompFilter::new(rules, SeccompAction::KillProcess, SeccompAction::Allow, machine)
        .and_then(BpfProgram::try_from)
        .map_err(told)
}

//! C: text in, [`Program`] out.
//!
//! [`front`] is the only room that knows the front-end crates: it makes a [`tree`] of all files. `lower` makes the
//! program of it: order of effects, claims, the library. What the user adds from outside is read in the program's own
//! scopes: [`assume`] for assumptions and what is to be reached, [`predicate`] for conditions to look at, [`formula`] for
//! temporal formulas.

use std::path::Path;
use std::sync::Arc;

use crate::program::{ByteOrder, Program};
use crate::source::{Diagnostic, Sources};

pub mod assume;
pub mod checkers;
pub mod console;
pub mod crash;
pub mod edit;
pub mod formula;
pub mod front;
mod lower;
pub mod predicate;
mod promote;
mod standard;
pub mod tree;
pub mod trial;
pub mod versions;

/// The standard header that declares a function of the C library.
pub fn header_of(function: &str) -> Option<&'static str> {
    standard::header_of(function)
}

/// Reads files for the front end; the command line gives one that reads the disk, tests one that reads a map.
pub trait Loader {
    /// The bytes of a file, or why not.
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>>;
    /// Whether there is such a file.
    fn exists(&self, path: &Path) -> bool;
}

/// How C is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// `-I`.
    pub include: Vec<String>,
    /// `-D`: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// `-U`.
    pub undefine: Vec<String>,
    /// Folders of the system's headers, in order; the front end's own come first.
    pub system_include: Vec<String>,
    /// Data model.
    pub model: DataModel,
    /// Whether `char` has a sign.
    pub characters: Characters,
    /// Which end of a value comes first in memory.
    pub order: ByteOrder,
    /// The function where execution starts.
    pub entry: String,
    /// Which automatic claims are made.
    pub checks: Checks,
    /// Labels that must not be reached (`--error-label`).
    pub error_labels: Vec<String>,
    /// Functions whose calls are to be seen (`--action`), whether they have a body or not.
    pub actions: Vec<String>,
    /// What is at fixed addresses (`--mmio`).
    pub registers: Vec<Registers>,
    /// What reads of `volatile` objects give.
    pub volatile: VolatileReads,
    /// What objects with static storage hold at the start.
    pub statics: Statics,
    /// What functions without a body do to the memory that they get pointers to.
    pub arguments: Arguments,
    /// For how many levels what the entry function gets pointers to is always there (`--min-null-tree-depth`): with 1, its
    /// pointer parameters are never NULL.
    pub never_null: u32,
    /// How floats are rounded at the start.
    pub rounding: Rounding,
    /// What is on standard input, and what must be printed, for some runs; none: what is read is any value, what is printed does
    /// not matter.
    pub trials: Option<Arc<trial::Trials>>,
    /// Another version of the entry function, which it is compared with; its file is the last one.
    pub reference: Option<Arc<versions::Reference>>,
    /// The crash file that the program is fed; then there is one trial, which says nothing of what is printed.
    pub crash: Option<Arc<crash::Crash>>,
    /// What is on standard input of a program that is compared with a reference; then there is one trial, too, which says nothing.
    pub console: Option<Arc<console::Console>>,
}

impl Options {
    /// The tests that the program is to pass, if there are any.
    pub(crate) fn tests(&self) -> Option<&trial::Trials> {
        self.trials.as_deref().filter(|_| self.crash.is_none() && self.console.is_none())
    }

    /// The function that may only be there to test others, and is edited last; none where it is compared with a reference.
    pub(crate) fn harness(&self) -> &str {
        if self.reference.is_some() { "" } else { &self.entry }
    }
}

/// A range of registers at a fixed address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Registers {
    /// The first byte.
    pub address: u64,
    /// How many bytes.
    pub size: u64,
}

/// What reads of `volatile` objects give, registers excepted: those are always free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VolatileReads {
    /// What was written last.
    Memory,
    /// Any value, a new one with every read (`--nondet-volatile`).
    Free,
}

/// What objects of the user with static storage hold at the start, those that are `const` excepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Statics {
    /// Their initialisers, or zero.
    Initialised,
    /// Any value (`--nondet-static`).
    Free,
}

/// How floats are rounded until the program says otherwise, numbered as CBMC does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// To the nearest number, of two to the even one.
    Nearest = 0,
    /// `--round-to-minus-inf`.
    Below = 1,
    /// `--round-to-plus-inf`.
    Above = 2,
    /// `--round-to-zero`.
    Zero = 3,
}

impl Rounding {
    /// The flag that asks for it.
    pub fn flag(self) -> Option<&'static str> {
        match self {
            Rounding::Nearest => None,
            Rounding::Below => Some("--round-to-minus-inf"),
            Rounding::Above => Some("--round-to-plus-inf"),
            Rounding::Zero => Some("--round-to-zero"),
        }
    }
}

/// What a function without a body does to the memory that its arguments point to, unless that is `const`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// It may write anything there.
    Written,
    /// It writes nothing, as CBMC has it (`--no-havoc-arguments`).
    Kept,
}

/// The machine: widths, alignments and signs of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    /// 64-bit `long` and pointers, as on x86-64.
    Lp64,
    /// 32-bit `long` and pointers, as on i386 (`--32`).
    Ilp32,
    /// The same widths as gcc has them for Cortex-M: `char` without a sign, enumerations as small as their values, `long long`
    /// and `double` aligned to 8 bytes.
    CortexM,
    /// The same widths on 32-bit RISC-V: `char` without a sign, `long long` and `double` aligned to 8 bytes.
    Riscv32,
    /// 16-bit `int` and pointers, 32-bit `long` and `double`, and nothing aligned, as avr-gcc has them.
    Avr,
    /// 16-bit `int` and pointers, 32-bit `long`, `char` without a sign, everything aligned to 2 bytes at most, as msp430-gcc has them.
    Msp430,
    /// 16-bit `int`, 32-bit `long` and pointers, as CBMC has them with `--16`.
    Lp32,
}

/// Whether `char` has a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Characters {
    /// As on the machine.
    OfMachine,
    /// It has none (`--unsigned-char`).
    Unsigned,
}

impl DataModel {
    /// Macros that the machine's compiler defines, where the front end does not know them.
    fn macros(self) -> &'static [&'static str] {
        match self {
            DataModel::CortexM => &[
                "__arm__",
                "__arm",
                "__thumb__",
                "__thumb2__",
                "__ARMEL__",
                "__THUMBEL__",
                "__ARM_EABI__",
                "__ARM_ARCH=7",
                "__ARM_ARCH_7M__",
                "__ARM_ARCH_PROFILE=77",
                "__ARM_ARCH_ISA_THUMB=2",
                "__ARM_SIZEOF_MINIMAL_ENUM=1",
                "__ARM_SIZEOF_WCHAR_T=4",
            ],
            DataModel::Avr => &["__AVR__", "__AVR", "AVR"],
            DataModel::Msp430 => &["__MSP430__", "MSP430"],
            DataModel::Lp64 | DataModel::Ilp32 | DataModel::Riscv32 | DataModel::Lp32 => &[],
        }
    }

    /// Whether `int` has 16 bits. The front end knows no such machine: `front/small` and `promote` make one of what it knows.
    pub fn has_small_int(self) -> bool {
        matches!(self, DataModel::Avr | DataModel::Msp430 | DataModel::Lp32)
    }
}

/// Which automatic claims are made; names are those of CBMC's flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checks {
    /// Written assertions (`--no-assertions` switches them off).
    pub assertions: bool,
    /// Written assumptions (`--no-assumptions` switches them off).
    pub assumptions: bool,
    /// Array indices.
    pub bounds: bool,
    /// Dereferences and `free`.
    pub pointer: bool,
    /// Division by zero.
    pub div_by_zero: bool,
    /// Signed overflow.
    pub signed_overflow: bool,
    /// Unsigned overflow (off by default).
    pub unsigned_overflow: bool,
    /// Shift distances.
    pub undefined_shift: bool,
    /// Conversions that change the value (off by default).
    pub conversion: bool,
    /// Addresses of what is read and written through pointers (off by default).
    pub alignment: bool,
    /// Arithmetic on floats that makes an infinity (off by default).
    pub float_overflow: bool,
    /// Division of floats by zero (off by default).
    pub float_div_by_zero: bool,
    /// Arithmetic on floats that makes a NaN (off by default).
    pub nan: bool,
    /// Pointers that leave their object (off by default).
    pub pointer_overflow: bool,
    /// Pointers that the words of checkers are asked about.
    pub pointer_primitive: bool,
    /// Values of enumerations (off by default).
    pub enum_range: bool,
    /// Memory that is not freed in the end (off by default).
    pub memory_leak: bool,
    /// Memory that is not freed where `exit`, `_Exit` or `abort` ends the program (off by default).
    pub memory_cleanup: bool,
    /// `malloc` may return NULL (off by default).
    pub malloc_may_fail: bool,
    /// `malloc` may fail, and that violates a claim (off by default).
    pub malloc_fail_assert: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks {
            assertions: true,
            assumptions: true,
            bounds: true,
            pointer: true,
            div_by_zero: true,
            signed_overflow: true,
            unsigned_overflow: false,
            undefined_shift: true,
            conversion: false,
            alignment: false,
            float_overflow: false,
            float_div_by_zero: false,
            nan: false,
            pointer_overflow: false,
            pointer_primitive: true,
            enum_range: false,
            memory_leak: false,
            memory_cleanup: false,
            malloc_may_fail: false,
            malloc_fail_assert: false,
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            include: Vec::new(),
            define: Vec::new(),
            undefine: Vec::new(),
            system_include: Vec::new(),
            model: DataModel::Lp64,
            characters: Characters::OfMachine,
            order: ByteOrder::Little,
            entry: "main".to_owned(),
            checks: Checks::default(),
            error_labels: Vec::new(),
            actions: Vec::new(),
            registers: Vec::new(),
            volatile: VolatileReads::Memory,
            statics: Statics::Initialised,
            arguments: Arguments::Written,
            never_null: 0,
            rounding: Rounding::Nearest,
            trials: None,
            reference: None,
            crash: None,
            console: None,
        }
    }
}

/// Why a program could not be read: at least one error.
pub type Errors = Vec<Diagnostic>;

/// Reads the files as one program. The sources are filled in any case, so that errors can be shown.
pub fn read(
    files: &[String],
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
) -> Result<Program, Errors> {
    lower::lower(&tree(files, options, loader, sources)?, options, sources)
}

/// The same before it is lowered, with our models of the library.
fn tree(files: &[String], options: &Options, loader: &dyn Loader, sources: &mut Sources) -> Result<tree::Tree, Errors> {
    let text = library(options);
    front::read_with_library(files, options, loader, sources, Some((LIBRARY, text.as_str())))
}

/// What the file of our models is called.
const LIBRARY: &str = "<library>";

/// Our models of the library.
fn library(options: &Options) -> String {
    let words = concat!(include_str!("c/library.c"), include_str!("c/text.c"), include_str!("c/format.c"));
    // Models of these compute with floats and wide characters on an int of 32 bits.
    let numbers = match options.model.has_small_int() {
        true => "",
        false => concat!(include_str!("c/math.c"), include_str!("c/wide.c")),
    };
    let outside = include_str!("c/outside.c");
    match &options.trials {
        None => format!("{words}{numbers}{outside}"),
        Some(trials) => {
            let streams = include_str!("c/streams.c");
            let data = match (&options.crash, &options.console) {
                (Some(crash), _) => crash.data(),
                (None, Some(console)) => console.data(),
                (None, None) => trials.data(),
            };
            let versions = options.console.as_ref().map_or_else(String::new, |console| console.defined());
            format!("{}{versions}{words}{numbers}{outside}{data}{streams}", trial::DEFINED)
        }
    }
}

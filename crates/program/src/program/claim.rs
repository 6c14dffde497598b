//! Kinds of claims, and the words for them in identifiers.

/// What a claim is about. The names in identifiers are CBMC's where it has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ClaimKind {
    /// Written by the user.
    Assertion,
    /// An index into an array of known length.
    ArrayBounds,
    /// A pointer that is read or written through.
    PointerDereference,
    /// An argument of `free` or `realloc`.
    Free,
    /// A divisor.
    DivisionByZero,
    /// Signed arithmetic.
    Overflow,
    /// Unsigned arithmetic (off by default).
    Wraparound,
    /// A shift distance, or the value shifted.
    Shift,
    /// A conversion of a number with a fraction to an integer that it does not fit in (off by default).
    Conversion,
    /// A conversion between integers that changes the value (off by default).
    Narrowing,
    /// The address of what is read or written through a pointer (off by default).
    Alignment,
    /// A divisor that is a float (off by default).
    FloatDivision,
    /// Arithmetic on floats that makes an infinity of finite numbers (off by default).
    FloatOverflow,
    /// Arithmetic on floats that makes a NaN of numbers (off by default).
    Nan,
    /// A pointer that is computed and leaves its object (off by default).
    PointerArithmetic,
    /// A pointer that a word of checkers is asked about (off by default).
    PointerPrimitive,
    /// A value that its enumeration does not name (off by default).
    EnumRange,
    /// Memory that is not freed in the end (off by default).
    MemoryLeak,
    /// A pointer comparison or difference within one object.
    PointerRelation,
    /// What is printed by a run of which that is known (`--tests`).
    Output,
    /// That all of it is printed.
    OutputEnd,
    /// The exit status of such a run.
    ExitStatus,
    /// A precondition of a library function.
    Precondition,
    /// `__builtin_unreachable`, `__builtin_trap`, a call through a bad function pointer.
    Unreachable,
    /// A label that must not be reached (`--error-label`).
    ErrorLabel,
    /// Written by the user, on the way to what is to be reached (`--reach`): a run that violates it stops there.
    Gate,
    /// A formula that runs must satisfy (`--formula`).
    Temporal,
    /// A loop or recursion was not unwound far enough.
    Unwinding,
}

impl ClaimKind {
    /// Does what violates it touch memory, go, or compute where nobody knows what comes of it? A sum that overflows wraps.
    pub fn strays(self) -> bool {
        let access = [Self::ArrayBounds, Self::PointerDereference, Self::Free, Self::Precondition, Self::Unreachable];
        let value = [Self::DivisionByZero, Self::Shift, Self::PointerRelation];
        access.contains(&self) || value.contains(&self)
    }

    /// Is it known what a program does once it is violated? It goes on, and other claims are decided as if it were not made.
    pub fn goes_on(self) -> bool {
        let floats = [Self::FloatDivision, Self::FloatOverflow, Self::Nan];
        let values = [Self::Wraparound, Self::Narrowing, Self::EnumRange, Self::PointerPrimitive];
        self == Self::Assertion || floats.contains(&self) || values.contains(&self)
    }

    /// Do paths go on behind it even where it is violated for sure? Nobody writes `assert(0)` for what comes after.
    pub fn has_path_behind(self) -> bool {
        self.goes_on() && self != Self::Assertion
    }

    /// The word in identifiers, of which some kinds share one.
    pub fn name(self) -> &'static str {
        match self {
            ClaimKind::Assertion => "assertion",
            ClaimKind::ArrayBounds => "array_bounds",
            ClaimKind::PointerDereference => "pointer_dereference",
            ClaimKind::Free => "free",
            ClaimKind::DivisionByZero => "division-by-zero",
            ClaimKind::FloatDivision => "float-division-by-zero",
            ClaimKind::Overflow | ClaimKind::Wraparound | ClaimKind::FloatOverflow => "overflow",
            ClaimKind::Shift => "undefined-shift",
            ClaimKind::Conversion | ClaimKind::Narrowing => "conversion",
            ClaimKind::Alignment => "alignment",
            ClaimKind::Nan => "NaN",
            ClaimKind::PointerArithmetic => "pointer_arithmetic",
            ClaimKind::PointerPrimitive => "pointer_primitives",
            ClaimKind::EnumRange => "enum-range",
            ClaimKind::MemoryLeak => "memory-leak",
            ClaimKind::PointerRelation => "pointer_relation",
            ClaimKind::Output | ClaimKind::OutputEnd | ClaimKind::ExitStatus => "output",
            ClaimKind::Precondition => "precondition",
            ClaimKind::Unreachable => "unreachable",
            ClaimKind::ErrorLabel => "error_label",
            ClaimKind::Gate => "gate",
            ClaimKind::Temporal => "temporal",
            ClaimKind::Unwinding => "unwind",
        }
    }

    /// The word in the text of programs: one of its own for each kind.
    pub fn word(self) -> &'static str {
        match self {
            ClaimKind::Wraparound => "wraparound",
            ClaimKind::FloatOverflow => "float-overflow",
            ClaimKind::Narrowing => "narrowing",
            ClaimKind::OutputEnd => "output-end",
            ClaimKind::ExitStatus => "exit-status",
            kind => kind.name(),
        }
    }
}

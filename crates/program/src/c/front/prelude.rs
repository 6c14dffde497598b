//! What a program may use without declaring it.
//!
//! Verification programs call `nondet_uint()` or `__VERIFIER_assume(c)` and leave it to the verifier to know them; C
//! would make each of them an `int` function. The names tell their types, and the library functions that people forget
//! to include have theirs.

use super::files;
use crate::c::standard;

/// Macros every unit sees.
pub(super) const MACROS: &str = "\
#define __CPROVER_bool _Bool
#define __CPROVER_size_t __SIZE_TYPE__
#define __CPROVER_ssize_t __PTRDIFF_TYPE__
#define __NEARMISS__ 1
";

/// Names with the declaration they get.
const KNOWN: &[(&str, &str)] = &[
    ("__CPROVER_assert", "void __CPROVER_assert(_Bool, const char *);"),
    ("__CPROVER_assume", "void __CPROVER_assume(_Bool);"),
    ("__CPROVER_precondition", "void __CPROVER_precondition(_Bool, const char *);"),
    ("__CPROVER_cover", "void __CPROVER_cover(_Bool);"),
    ("__VERIFIER_assert", "void __VERIFIER_assert(_Bool);"),
    ("__VERIFIER_assume", "void __VERIFIER_assume(_Bool);"),
    ("__VERIFIER_error", "void __VERIFIER_error(void);"),
    ("__ESBMC_assert", "void __ESBMC_assert(_Bool, const char *);"),
    ("__ESBMC_assume", "void __ESBMC_assume(_Bool);"),
    ("reach_error", "void reach_error(void);"),
    ("assume_abort_if_not", "void assume_abort_if_not(_Bool);"),
    ("klee_assume", "void klee_assume(__UINTPTR_TYPE__);"),
    ("assert", "#include <assert.h>"),
    ("assume", "void assume(_Bool);"),
];

/// The text that declares those of the names that we know.
pub(super) fn declarations(names: &[String]) -> String {
    let mut text = String::new();
    for name in names {
        if let Some((_, declaration)) = KNOWN.iter().find(|(known, _)| known == name) {
            text += declaration;
        } else if let Some(header) = standard::header_of(name).filter(|header| files::is_own(header)) {
            text += &format!("#include <{header}>");
        } else if let Some(returns) = nondet_type(name) {
            text += &format!("{returns} {name}(void);");
        } else {
            continue;
        }
        text.push('\n');
    }
    text
}

/// What a function of this name returns if it is one that picks any value.
fn nondet_type(name: &str) -> Option<&'static str> {
    let suffix = name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("nondet_"))?;
    Some(match suffix.trim_end_matches("_t") {
        "int" => "int",
        "uint" | "unsigned" | "unsigned_int" => "unsigned int",
        "char" => "char",
        "schar" | "signed_char" => "signed char",
        "uchar" | "unsigned_char" => "unsigned char",
        "short" => "short",
        "ushort" | "unsigned_short" => "unsigned short",
        "long" => "long",
        "ulong" | "unsigned_long" => "unsigned long",
        "longlong" | "long_long" => "long long",
        "ulonglong" | "unsigned_long_long" => "unsigned long long",
        "bool" | "_Bool" => "_Bool",
        "pointer" | "ptr" | "void_pointer" | "voidp" => "void *",
        "charp" | "pchar" | "string" => "char *",
        "float" => "float",
        "double" => "double",
        "size" => "__SIZE_TYPE__",
        "ssize" | "ptrdiff" | "intptr" => "__PTRDIFF_TYPE__",
        "loff" | "off" => "long long",
        "sector" | "uintptr" => "unsigned long",
        "pthread" => "unsigned long",
        "i8" | "s8" | "int8" => "signed char",
        "u8" | "uint8" => "unsigned char",
        "i16" | "s16" | "int16" => "short",
        "u16" | "uint16" => "unsigned short",
        "i32" | "s32" | "int32" => "int",
        "u32" | "uint32" => "unsigned int",
        "i64" | "s64" | "int64" => "long long",
        "u64" | "uint64" => "unsigned long long",
        "int128" | "i128" => "__int128",
        "uint128" | "u128" => "unsigned __int128",
        _ => return None,
    })
}

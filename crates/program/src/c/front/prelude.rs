//! What a program may use without declaring it.
//!
//! Verification programs call `nondet_uint()` or `__VERIFIER_assume(c)` and leave it to the verifier to know them; C
//! would make each of them an `int` function. The names tell their types, and the library functions that people forget
//! to include have theirs.

use super::files;
use crate::c::{checkers, standard};

/// What every unit sees.
pub(super) fn always() -> String {
    format!(
        "{}{}\n#define __NEARMISS__ 1\n_Bool __nearmiss_forall(_Bool);\n_Bool __nearmiss_exists(_Bool);\n",
        checkers::TYPES,
        checkers::MODE
    )
}

/// The text that declares those of the names that we know.
pub(super) fn declarations(names: &[String]) -> String {
    let mut text = String::new();
    for name in names {
        if let Some(declaration) = checkers::declaration(name) {
            text += declaration;
        } else if let Some(header) = standard::header_of(name).filter(|header| files::is_own(header)) {
            text += &format!("#include <{header}>");
        } else if let Some((_, declaration)) = BUILT_IN.iter().find(|(built_in, _)| built_in == name) {
            text += declaration;
        } else if let Some((plain, header)) = built_in(name) {
            // It has the type of the function that it stands for.
            text += &format!("#include <{header}>\nextern __typeof__({plain}) {name};");
        } else if let Some(returns) = nondet_type(name) {
            text += &format!("{returns} {name}(void);");
        } else {
            continue;
        }
        text.push('\n');
    }
    text
}

/// Built-in functions of compilers that are none of the library; our models have those that are declared.
const BUILT_IN: &[(&str, &str)] = &[
    ("__builtin_LINE", "#define __builtin_LINE() __LINE__"),
    ("__builtin_FILE", "#define __builtin_FILE() __FILE__"),
    ("__builtin_FUNCTION", "#define __builtin_FUNCTION() __func__"),
    ("__builtin_ia32_pause", "#define __builtin_ia32_pause() ((void)0)"),
    ("__builtin_flt_rounds", "int __builtin_flt_rounds(void);"),
    ("__builtin_bswap128", "unsigned __int128 __builtin_bswap128(unsigned __int128);"),
];

/// The function of the library that `__builtin_pow` stands for, and its header.
fn built_in(name: &str) -> Option<(&str, &'static str)> {
    let plain = name.strip_prefix("__builtin_")?;
    let header = standard::header_of(plain).filter(|header| files::is_own(header))?;
    Some((plain, header))
}

/// What a function of this name returns if it is one that picks any value.
fn nondet_type(name: &str) -> Option<&'static str> {
    Some(match checkers::picked(name)?.trim_end_matches("_t") {
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
        "i32" | "s32" | "int32" => "__INT32_TYPE__",
        "u32" | "uint32" => "__UINT32_TYPE__",
        "i64" | "s64" | "int64" => "long long",
        "u64" | "uint64" => "unsigned long long",
        "int128" | "i128" => "__int128",
        "uint128" | "u128" => "unsigned __int128",
        _ => return None,
    })
}

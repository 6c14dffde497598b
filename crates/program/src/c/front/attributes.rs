//! Attributes and pragmas: which change nothing, which are taken, and which change what a program means in a way that we do not model.
//!
//! Every attribute that GCC or Clang knows for C is in one of three lists. Reading past one of the last would make a verdict false, so it is an error
//! where it stands. An attribute that is in none of them is read past, as compilers do, with a note that says so.

use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_lex::{PpToken, PpTokenKind, Punct};

/// Attributes that change nothing that we say of a program, by the reason.
const HARMLESS: &[(&str, &str)] = &[
    (
        "only warnings and analysers read it",
        "access alloc_align alloc_size assume_aligned btf_decl_tag btf_type_tag counted_by deprecated designated_init diagnose_if enable_if error \
         fallthrough fd_arg fd_arg_read fd_arg_write flag_enum format format_arg guarded_by leaf malloc maybe_unused no_builtin no_escape noescape \
         nodiscard nonnull nonnull_if_nonzero nonstring nothrow null_terminated_string_arg objc_nullability objc_root_class \
         ownership_holds ownership_returns ownership_takes pt_guarded_by returns_nonnull sentinel strict_flex_array suppress tainted_args \
         type_tag_for_datatype unavailable unused warn_if_not_aligned warn_unused warn_unused_result warning",
    ),
    (
        "only speed depends on it",
        "always_inline artificial cold expected_throw flatten hot inline minsize musttail noclone noinline noipa no_icf no_reorder not_tail_called \
         optnone disable_tail_calls likely unlikely simd target unsequenced reproducible const pure",
    ),
    (
        "only the object file and its calling conventions depend on it",
        "abi_tag ms_abi sysv_abi cdecl stdcall fastcall thiscall regparm sseregparm vectorcall pcs callee_pop_aggregate_return common nocommon \
         copy dllexport dllimport externally_visible fentry_name fentry_section force_align_arg_pointer function_return hidden indirect_branch \
         indirect_return internal_linkage long_call short_call near far longcall ms_hook_prologue nocf_check cf_check nodirect_extern_access noplt \
         patchable_function_entry preserve_all preserve_most preserve_none no_callee_saved_registers no_caller_saved_registers retain selectany \
         section shared symver tls_model type_visibility used visibility zero_call_used_regs",
    ),
    (
        "only what the compiler adds to the program depends on it",
        "no_address_safety_analysis no_instrument_function no_profile_instrument_function no_sanitize no_sanitize_address \
         no_sanitize_coverage no_sanitize_memory no_sanitize_thread no_sanitize_undefined no_split_stack no_stack_limit no_stack_protector \
         stack_protect uninitialized transaction_callable transaction_may_cancel_outer transaction_pure transaction_safe_dynamic \
         transaction_unsafe transaction_wrap",
    ),
];

/// Attributes with a meaning, all of which are taken.
const TAKEN: &str = "aligned alias assume cleanup constructor destructor gcc_struct gnu_inline may_alias mode naked \
    noreturn _Noreturn optimize packed transparent_union vector_size weak";

/// Attributes of functions that hardware calls.
const INTERRUPTS: &str = "interrupt interrupt_handler interrupt_thread signal isr nmi OS_main OS_task nesting";

/// Attributes that are refused, without underscores around their names, and what they do.
const REFUSED: &[(&str, &str)] = &[
    ("weakref", "makes one name stand for another definition"),
    ("ifunc", "lets a function be chosen when the program starts"),
    ("target_clones", "lets a function be chosen when the program starts"),
    ("target_version", "lets a function be chosen when the program starts"),
    ("overloadable", "lets several functions have one name"),
    ("init_priority", "runs code before main"),
    ("scalar_storage_order", "stores numbers in another byte order"),
    ("ms_struct", "lays out bit-fields in another way"),
    ("hardbool", "stores truth values as other numbers"),
    ("returns_twice", "lets a call return twice"),
    ("noinit", "leaves a variable without its first value"),
    ("persistent", "lets a variable keep its value from one run to the next"),
    ("address", "places a variable at a fixed address"),
    ("at", "places a variable at a fixed address"),
    ("io", "places a variable at a fixed address"),
    ("io_low", "places a variable at a fixed address"),
    ("address_space", "places a variable in another memory"),
    ("progmem", "places a variable in another memory"),
    ("ext_vector_type", "makes a type of vectors with names for their parts"),
    ("neon_vector_type", "makes a type of vectors of one processor"),
    ("vector_mask", "makes a type of vectors of one processor"),
    ("signed_bool_precision", "stores truth values as other numbers"),
    ("matrix_type", "makes a type of matrices"),
    ("blocks", "lets a variable outlive its block"),
    ("import_name", "makes one name stand for another definition"),
    ("import_module", "makes one name stand for another definition"),
];

/// Options of `optimize` that change nothing but speed; those that are missing change what overflow, floats or null pointers mean.
const OPTIMISATIONS: &[&str] = &[
    "inline",
    "unroll-",
    "tree-",
    "omit-frame-pointer",
    "align-",
    "strict-aliasing",
    "stack-protector",
    "lto",
    "ipa-",
    "optimize-sibling-calls",
];

/// The same for pragmas.
const REFUSED_PRAGMAS: &[(&str, &str)] = &[
    ("scalar_storage_order", "stores numbers in another byte order"),
    ("weak", "lets a name be undefined or stand for another definition"),
    ("redefine_extname", "makes one name stand for another definition"),
    ("ms_struct", "lays out bit-fields in another way"),
];

/// What is to be said of the attributes and pragmas of a unit.
#[derive(Default)]
pub(super) struct Remarks {
    /// Those that are refused: where they stand, and why.
    pub refused: Vec<(Span, String)>,
    /// Those that are read past, with what that means.
    pub notes: Vec<(Span, String)>,
}

/// Looks at every attribute and pragma of a unit.
pub(super) fn remarks(tokens: &[PpToken], names: &Interner) -> Remarks {
    let mut found = Remarks::default();
    let is = |at: usize, punct: Punct| tokens.get(at).is_some_and(|token| token.kind == PpTokenKind::Punct(punct));
    for at in 0..tokens.len() {
        let word = name_of(&tokens[at], names);
        if matches!(word, Some("__attribute__" | "__attribute"))
            && is(at + 1, Punct::LParen)
            && is(at + 2, Punct::LParen)
        {
            listed(&tokens[at + 3..], names, &mut found);
        } else if is(at, Punct::LBracket) && is(at + 1, Punct::LBracket) {
            listed(&tokens[at + 2..], names, &mut found);
        } else if word == Some("pragma") && at > 0 && is(at - 1, Punct::Hash) {
            pragma(&tokens[at + 1..], names, &mut found);
        }
    }
    found
}

/// The tokens with another name for `interrupt` in attributes: the front-end crates ask of it what some machine asks.
pub(super) fn without_interrupts(mut tokens: Vec<PpToken>, names: &mut Interner) -> Vec<PpToken> {
    let is = |token: &PpToken, punct: Punct| token.kind == PpTokenKind::Punct(punct);
    let mut at = 0;
    while at + 2 < tokens.len() {
        let word = name_of(&tokens[at], names);
        let begins = matches!(word, Some("__attribute__" | "__attribute"))
            || is(&tokens[at], Punct::LBracket) && is(&tokens[at + 1], Punct::LBracket);
        at += 1;
        if !begins {
            continue;
        }
        let mut depth = 0;
        while at < tokens.len() {
            match tokens[at].kind {
                PpTokenKind::Punct(Punct::LParen | Punct::LBracket) => depth += 1,
                PpTokenKind::Punct(Punct::RParen | Punct::RBracket) => depth -= 1,
                PpTokenKind::Ident if matches!(name_of(&tokens[at], names), Some("interrupt" | "__interrupt__")) => {
                    tokens[at].value = Some(names.intern("isr"));
                }
                _ => {}
            }
            at += 1;
            if depth <= 0 {
                break;
            }
        }
    }
    tokens
}

fn pragma(tokens: &[PpToken], names: &Interner, found: &mut Remarks) {
    let word = |at: usize| tokens.get(at).and_then(|token| name_of(token, names));
    let Some(first) = tokens.first() else { return };
    if let Some((name, does)) = REFUSED_PRAGMAS.iter().find(|(refused, _)| word(0) == Some(refused)) {
        found.refused.push((first.span, format!("not supported: the pragma {name}, which {does}")));
    }
    if word(0) == Some("GCC") && word(1) == Some("optimize") {
        optimise(&tokens[2..], names, found);
    }
}

/// The names in one list of attributes, which starts here: those that no bracket of the list is around, and that no prefix is.
fn listed(tokens: &[PpToken], names: &Interner, found: &mut Remarks) {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            PpTokenKind::Punct(Punct::LParen | Punct::LBracket) => depth += 1,
            PpTokenKind::Punct(Punct::RParen | Punct::RBracket) if depth == 0 => return,
            PpTokenKind::Punct(Punct::RParen | Punct::RBracket) => depth -= 1,
            _ if depth > 0 => {}
            _ => {
                let prefix = tokens.get(at + 1).is_some_and(|next| next.kind == PpTokenKind::Punct(Punct::ColonColon));
                if let Some(name) = name_of(token, names).filter(|_| !prefix) {
                    remark(name, token, &tokens[at + 1..], names, found);
                }
            }
        }
    }
}

/// One attribute, with what stands behind it.
fn remark(written: &str, token: &PpToken, rest: &[PpToken], names: &Interner, found: &mut Remarks) {
    let name = written.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(written);
    let is_in = |list: &str| list.split_whitespace().any(|known| known == name);
    if let Some((name, does)) = REFUSED.iter().find(|(refused, _)| name == *refused) {
        found.refused.push((token.span, format!("not supported: the attribute {name}, which {does}")));
    } else if name == "optimize" {
        optimise(rest, names, found);
    } else if is_in(INTERRUPTS) {
        found.notes.push((
            token.span,
            format!("attribute {name}: no interrupt comes, so nothing calls this function by itself"),
        ));
    } else if !is_in(TAKEN) && !HARMLESS.iter().any(|(_, list)| is_in(list)) {
        found.notes.push((token.span, format!("attribute {name} is not known and is taken to change nothing")));
    }
}

/// The options of `optimize("O2", "no-wrapv")`, up to the bracket or the end of the line that closes them.
fn optimise(tokens: &[PpToken], names: &Interner, found: &mut Remarks) {
    let opens = |token: &&PpToken| token.kind == PpTokenKind::Punct(Punct::LParen);
    for token in tokens.iter().skip_while(opens) {
        match token.kind {
            PpTokenKind::Punct(Punct::Comma) => continue,
            PpTokenKind::StringLit | PpTokenKind::Number => {}
            _ => return,
        }
        let text = token.value.map(|symbol| names.resolve(symbol)).unwrap_or_default().trim_matches('"');
        for option in text.split(',') {
            let plain = option.trim_start_matches('-').trim_start_matches('f').trim_start_matches("no-");
            let level = option.trim_start_matches('-').trim_start_matches('O');
            let harmless = matches!(level, "" | "0" | "1" | "2" | "3" | "s" | "g" | "z")
                || OPTIMISATIONS.iter().any(|known| plain.starts_with(known.trim_start_matches('f')));
            if !harmless {
                let what = format!(
                    "not supported: the option {option} for a part of a program, which may change what it means"
                );
                found.refused.push((token.span, what));
            }
        }
    }
}

fn name_of<'a>(token: &PpToken, names: &'a Interner) -> Option<&'a str> {
    let symbol: Option<Symbol> = token.value.filter(|_| token.kind == PpTokenKind::Ident);
    symbol.map(|symbol| names.resolve(symbol))
}

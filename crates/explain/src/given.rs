//! A run that somebody gives us by names and values becomes the inputs of the program.
//!
//! The program is executed once and asks for each input when it arises. The answer is the first entry of that name that
//! was not used yet and does not say that it belongs elsewhere; what is not listed is 0. So a run may be written by hand,
//! with a few values, and what we print ourselves comes back as it was.
//!
//! What other checkers tell ([`rebuild`]) is more than inputs, and is compared with what the program does then.

mod answers;
mod compare;
pub mod disagreement;
pub mod hardware;
pub mod rebuild;
mod search;

use nearmiss_logic::width::sign_extend;
use nearmiss_program::spelling::is_one_edit;
use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::check::{self, CheckError};
use crate::imported::inputs::Entry;
use nearmiss_program::extended;
use nearmiss_program::interp::{self, Interpreter, Limits, Oracle};
use nearmiss_program::program::{Program, Site, SiteId, SiteKind, Type, TypeId};
use nearmiss_program::run::{Closing, Content, Inputs, Outcome, RunStep, RunStepKind};
use nearmiss_program::show;
use nearmiss_program::source::{Diagnostic, FileId, Sources, Span};

/// So many names are listed in an error.
const MOST_NAMES: usize = 8;
/// So many errors are worth showing.
const MOST_ERRORS: usize = 10;
/// So many times a loop goes round before a given run is seen to repeat itself, at most.
const MOST_ARRIVALS: u32 = 100;
/// A given run of a program with a formula ends within so many steps, or is taken to go on for ever.
const MOST_STEPS: u64 = 1_000_000;

/// A given run: the entries, and the file that they come from.
pub struct Given<'a> {
    /// The entries in order of execution.
    pub entries: &'a [Entry],
    /// The file.
    pub file: FileId,
    /// Claims that count (`--property`).
    pub properties: &'a [String],
}

/// Makes inputs of a given run. It must violate a claim.
pub fn inputs(program: &Program, sources: &Sources, given: &Given) -> Result<Inputs, CheckError> {
    let narrowed = check::narrow(program, given.properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    let parts = resolve(program, given)?;
    let mut walk = Walk::new(program, sources, given, &parts);
    // A run that a formula is about may go on for ever.
    let steps = if program.temporal.is_some() { MOST_STEPS } else { Limits::default().steps };
    let limits = Limits { steps, ..Limits::default() };
    let outcome = Interpreter::new(program).ask(&mut walk, &limits).run.outcome;
    if !walk.errors.is_empty() {
        walk.errors.truncate(MOST_ERRORS);
        return Err(CheckError::Input(walk.errors));
    }
    let how = match outcome {
        Outcome::Violated(_) => return Ok(walk.inputs),
        Outcome::Finished => "the given run passes: no claim is violated".to_owned(),
        Outcome::Excluded => "the given run does not meet an assumption of the program".to_owned(),
        Outcome::Unsupported(what) => format!("the given run reaches {what}, which is not supported"),
        Outcome::Exhausted if program.temporal.is_some() => match closed(program, &walk) {
            Some(inputs) => return Ok(inputs),
            None => format!(
                "the given run neither comes to an end within {MOST_STEPS} steps nor, within {MOST_ARRIVALS} rounds of loops, is \
                 seen to repeat itself for ever and to violate the formula by that"
            ),
        },
        Outcome::Exhausted => "the given run does not come to an end".to_owned(),
    };
    let unused: Vec<String> = walk.unused().map(|entry| format!("`{}`", entry.name)).take(MOST_NAMES).collect();
    let help = match unused.as_slice() {
        [] => "its inputs must make the program fail; inputs that it does not list are 0".to_owned(),
        _ => format!("these entries were not read by the run, the rest were: {}", unused.join(", ")),
    };
    let span = Span::new(given.file, 0, 0);
    Err(CheckError::Input(vec![Diagnostic::error(span, how).with_help(help)]))
}

/// The run of a program that never ends, which has read all that was given and then repeats itself for ever, so that it violates the formula:
/// the one that closes first, and repeats least.
fn closed(program: &Program, walk: &Walk) -> Option<Inputs> {
    let mut inputs = walk.inputs.clone();
    inputs.calls.truncate(walk.taken);
    let is_read = |step: &&RunStep| match step.kind {
        RunStepKind::Input { site, .. } => {
            !matches!(program.sites[site.index()].kind, SiteKind::Uninitialised | SiteKind::Allocation)
        }
        _ => false,
    };
    for at in 1..MOST_ARRIVALS {
        for back in (0..at).rev() {
            inputs.closing = Some(Closing { at, back });
            let run = interp::run(program, &inputs, &Limits::default());
            let violates = matches!(run.outcome, Outcome::Violated(_));
            if violates && run.steps.iter().filter(is_read).count() >= inputs.calls.len() {
                return Some(inputs);
            }
        }
    }
    None
}

/// Which bits of the objects of a site a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    site: SiteId,
    bit_offset: u64,
    bits: u64,
    ty: TypeId,
}

/// What each name of the entries stands for. It is an error if that is nothing, or if a value fits nowhere.
fn resolve<'a>(program: &Program, given: &Given<'a>) -> Result<HashMap<&'a str, Vec<Part>>, CheckError> {
    let mut parts: HashMap<&str, Vec<Part>> = HashMap::new();
    let mut errors = Vec::new();
    for (number, entry) in (1..).zip(given.entries) {
        let span = Span::new(given.file, entry.start, entry.end);
        let known = parts.entry(&entry.name).or_insert_with(|| candidates(program, &entry.name));
        if known.is_empty() {
            let message = format!("entry {number}: the program has no input `{}`", entry.name);
            errors.push(Diagnostic::error(span, message).with_help(known_names(program, &entry.name)));
        } else if known.iter().all(|part| value_of(program, part.site, part.ty, &entry.value).is_none()) {
            let ty = program.type_name(known[0].ty);
            let message = format!("entry {number}: `{}` is no value for `{}`", entry.value, entry.name);
            errors.push(Diagnostic::error(span, message).with_help(format!("it is of type {ty}")));
        }
        if errors.len() >= MOST_ERRORS {
            break;
        }
    }
    if errors.is_empty() { Ok(parts) } else { Err(CheckError::Input(errors)) }
}

/// Every part of an object of a site that has this name.
fn candidates(program: &Program, name: &str) -> Vec<Part> {
    let sites = (0..).map(SiteId).zip(&program.sites);
    // A pointer with an object of its own is an input of its own, and not contents of the object in which it is.
    let is_pointer = has_pointee(program, name);
    sites
        .filter(|(_, site)| !is_pointer || site.kind == SiteKind::Parameter && site.name == name)
        .filter(|(_, site)| name.contains(site.name.trim_start_matches('*')))
        .filter_map(|(id, site)| {
            let found = part(program, &site.name, site.ty, 0, program.size_bits(site.ty), name)
                .or_else(|| row(program, id, name))
                .or_else(|| raw_bits(program, id, name));
            found.map(|(bit_offset, bits, ty)| Part { site: id, bit_offset, bits, ty })
        })
        .collect()
}

/// Where in an object called `name` the part called `wanted` is: offset, width and type. The opposite of
/// [`show::part_name`].
fn part(
    program: &Program,
    name: &str,
    ty: TypeId,
    bit_offset: u64,
    bits: u64,
    wanted: &str,
) -> Option<(u64, u64, TypeId)> {
    match program.ty(ty) {
        Type::Record { fields, .. } => {
            fields.iter().filter(|field| !(field.bit_field && field.name.is_empty())).find_map(|field| {
                let member = show::member_name(name, &field.name);
                part(program, &member, field.ty, bit_offset.checked_add(field.bit_offset)?, field.bits, wanted)
            })
        }
        Type::Array { of, length } => {
            let first = show::element_name(name, 0);
            let rest = wanted.strip_prefix(first.strip_suffix("0]")?)?;
            let index: u64 = rest.split_once(']')?.0.parse().ok()?;
            if *length != 0 && index >= *length {
                return None;
            }
            let size = program.size_bits(*of);
            let at = bit_offset.checked_add(index.checked_mul(size)?)?;
            part(program, &show::element_name(name, index), *of, at, size, wanted)
        }
        Type::Void | Type::Function { .. } => None,
        _ => (name == wanted).then_some((bit_offset, bits, ty)),
    }
}

/// Memory from `malloc` is a row of what its site says that it is.
fn row(program: &Program, id: SiteId, wanted: &str) -> Option<(u64, u64, TypeId)> {
    let site = &program.sites[id.index()];
    let rest = wanted.strip_prefix(site.name.as_str())?.strip_prefix('[')?;
    let index: u64 = rest.split_once(']')?.0.parse().ok()?;
    let size = program.size_bits(site.ty);
    let name = format!("{}[{index}]", site.name);
    (site.kind == SiteKind::Allocation)
        .then(|| part(program, &name, site.ty, index.checked_mul(size)?, size, wanted))
        .flatten()
}

/// `a (bits 8 to 15)`, which is what bits are called that are no part of their own.
fn raw_bits(program: &Program, id: SiteId, wanted: &str) -> Option<(u64, u64, TypeId)> {
    let site = &program.sites[id.index()];
    let range = wanted.strip_prefix(site.name.as_str())?.strip_prefix(" (bits ")?.strip_suffix(')')?;
    let (first, last) = range.split_once(" to ")?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    let bits = last.checked_sub(first)?.checked_add(1)?;
    (bits <= 128).then_some((first, bits, site.ty))
}

/// Is it a pointer that the entry function gets, with an object of its own? Then it is NULL or points there.
fn has_object(program: &Program, id: SiteId) -> bool {
    let site = &program.sites[id.index()];
    site.kind == SiteKind::Parameter
        && matches!(program.ty(site.ty), Type::Pointer { .. })
        && has_pointee(program, &site.name)
}

/// Whether an object was made for the pointer of this name. Characters are called by the pointer to them.
fn has_pointee(program: &Program, name: &str) -> bool {
    let is_text = |site: &Site| matches!(program.ty(site.ty), Type::Array { .. }) && site.name == name;
    let is_pointee = |site: &Site| is_text(site) || site.name.strip_prefix('*') == Some(name);
    program.sites.iter().any(|site| site.kind == SiteKind::Pointee && is_pointee(site))
}

/// The bits of a value for an input; 1 for a pointer argument that points to its object.
fn value_of(program: &Program, site: SiteId, ty: TypeId, text: &str) -> Option<u128> {
    let name = &program.sites[site.index()].name;
    let is_own = text.trim().strip_prefix("&*") == Some(name.as_str()) && has_object(program, site);
    if is_own { Some(1) } else { bits_of(program, ty, text) }
}

/// The bits of a value in C notation, if it is one of that type. Binary numbers are bits, of which a bit-field has fewer
/// than its type.
fn bits_of(program: &Program, ty: TypeId, text: &str) -> Option<u128> {
    let text = text.trim();
    let width = program.size_bits(ty).min(128) as u32;
    if let Some(digits) = text.strip_prefix("0b") {
        let (value, given) = (u128::from_str_radix(digits, 2).ok()?, digits.len() as u32);
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        return match program.ty(ty) {
            Type::Bool => (value <= 1).then_some(value),
            Type::Float { .. } => (given == width).then_some(value),
            Type::Pointer { .. } => (value == 0).then_some(0),
            _ if given < width && program.is_signed(ty) => Some(sign_extend(value, given) as u128 & mask),
            _ => (value & !mask == 0).then_some(value),
        };
    }
    match program.ty(ty) {
        Type::Float { bits: 32, .. } => float(text).map(|value| u128::from((value as f32).to_bits())),
        Type::Float { bits: 64, .. } => float(text).map(|value| u128::from(value.to_bits())),
        // A `double` is not near enough to what was meant, unless it is whole.
        Type::Float { .. } => float(text).filter(|value| value.fract() == 0.0).map(extended::from_double),
        Type::Pointer { .. } => match text {
            "NULL" => Some(0),
            // An input that points somewhere points to no object of the program.
            "invalid" => Some(1),
            _ => integer(text).filter(|value| *value == 0).map(|_| 0),
        },
        Type::Bool => integer(text).filter(|value| (0..=1).contains(value)).map(|value| value as u128),
        Type::Enum { members, signed, .. } => {
            let named = members.iter().find(|(name, _)| name == text).map(|(_, value)| *value);
            fit(named.or_else(|| integer(text))?, width, *signed, text)
        }
        Type::Integer { signed, .. } => fit(integer(text)?, width, *signed, text),
        Type::Void | Type::Array { .. } | Type::Record { .. } | Type::Function { .. } => text.parse().ok(),
    }
}

/// The bits of a number, if it fits. Hexadecimal numbers are bits.
fn fit(value: i128, width: u32, signed: bool, text: &str) -> Option<u128> {
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    let is_bits = text.starts_with("0x") || text.starts_with("0X");
    let (least, most) = match (signed, width) {
        (_, 128) => (i128::MIN, i128::MAX),
        (true, _) if !is_bits => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        _ => (0, (1i128 << width) - 1),
    };
    (least..=most).contains(&value).then_some(value as u128 & mask)
}

/// A whole number as C writes it; characters, `true` and `false` too.
fn integer(text: &str) -> Option<i128> {
    match text {
        "true" => return Some(1),
        "false" => return Some(0),
        _ => {}
    }
    // `'a' (97)` is what we show to people.
    if let Some(quoted) = text.strip_prefix('\'') {
        let (inside, _) = quoted.rsplit_once('\'')?;
        return character(inside);
    }
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => u128::from_str_radix(hexadecimal, 16).ok()? as i128,
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => match digits.parse::<i128>() {
            Ok(value) => value,
            Err(_) => digits.parse::<u128>().ok()? as i128,
        },
        None => return None,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

/// What stands between the quotes of a character constant.
fn character(inside: &str) -> Option<i128> {
    let mut chars = inside.chars();
    match (chars.next()?, chars.next(), chars.next()) {
        ('\\', Some(escape), None) => Some(match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            '0' => 0,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            '\\' | '\'' | '"' => escape as i128,
            _ => return None,
        }),
        ('\\', _, _) => None,
        (plain, None, _) => Some(plain as i128),
        _ => None,
    }
}

fn float(text: &str) -> Option<f64> {
    match text {
        "INFINITY" => Some(f64::INFINITY),
        "-INFINITY" => Some(f64::NEG_INFINITY),
        "NAN" | "-NAN" => Some(f64::NAN),
        _ => text.trim_end_matches(['f', 'F']).parse().ok(),
    }
}

/// Help for somebody who misspelt an input.
fn known_names(program: &Program, wrong: &str) -> String {
    let mut sites: Vec<&nearmiss_program::program::Site> =
        program.sites.iter().filter(|site| !site.name.is_empty()).collect();
    sites.sort_by_key(|site| site.kind == SiteKind::Uninitialised);
    let mut names: Vec<&str> = Vec::new();
    for site in &sites {
        let is_ours = site.name.starts_with("result of ") || site.name.starts_with('$');
        if !names.contains(&site.name.as_str()) && !is_ours {
            names.push(&site.name);
        }
    }
    let close = names.iter().find(|name| name.eq_ignore_ascii_case(wrong) || is_one_edit(name, wrong));
    match close {
        Some(name) => format!("did you mean `{name}`?"),
        None if names.is_empty() => "the program has no inputs".to_owned(),
        None => {
            let more = if names.len() > MOST_NAMES { ", …" } else { "" };
            let names: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
            format!("its inputs are {}{more}", names.join(", "))
        }
    }
}

/// Hands out the entries while the program runs, and writes down what it gave.
struct Walk<'a> {
    program: &'a Program,
    sources: &'a Sources,
    given: &'a Given<'a>,
    /// Entries of each name that were not used yet.
    waiting: HashMap<&'a str, VecDeque<usize>>,
    /// The names that stand for a part of the objects of a site.
    of_site: BTreeMap<SiteId, Vec<(&'a str, Part)>>,
    /// Lines of calls and parameters by name and function.
    calls: HashMap<(&'a str, &'a str), Vec<u32>>,
    inputs: Inputs,
    /// So many values of calls there were when the last given one was taken.
    taken: usize,
    errors: Vec<Diagnostic>,
}

impl<'a> Walk<'a> {
    fn new(
        program: &'a Program,
        sources: &'a Sources,
        given: &'a Given<'a>,
        parts: &HashMap<&'a str, Vec<Part>>,
    ) -> Walk<'a> {
        let mut waiting: HashMap<&str, VecDeque<usize>> = HashMap::new();
        let mut of_site: BTreeMap<SiteId, Vec<(&str, Part)>> = BTreeMap::new();
        for (index, entry) in given.entries.iter().enumerate() {
            let queue = waiting.entry(&entry.name).or_default();
            // In the order of the entries: contents are written down as they are read.
            if queue.is_empty() {
                for part in parts.get(entry.name.as_str()).into_iter().flatten() {
                    of_site.entry(part.site).or_default().push((&entry.name, *part));
                }
            }
            queue.push_back(index);
        }
        let mut calls: HashMap<(&str, &str), Vec<u32>> = HashMap::new();
        for site in program.sites.iter().filter(|site| site.kind.is_read()) {
            let lines = calls.entry((&site.name, &site.function)).or_default();
            lines.push(sources.position(site.span).line);
        }
        Walk {
            program,
            sources,
            given,
            waiting,
            of_site,
            calls,
            inputs: Inputs::default(),
            taken: 0,
            errors: Vec::new(),
        }
    }

    /// The next entry for a part of the object that a site has just made.
    fn take(&mut self, name: &str, site: SiteId, earlier: Option<u32>, ty: TypeId) -> Option<u128> {
        let entries = self.given.entries;
        let queue = self.waiting.get(name)?;
        let fits = |index: &usize| self.belongs(&entries[*index], site, earlier);
        let at = queue.iter().position(fits)?;
        let index = self.waiting.get_mut(name)?.remove(at)?;
        let entry = &entries[index];
        let bits = value_of(self.program, site, ty, &entry.value);
        if bits.is_none() {
            let span = Span::new(self.given.file, entry.start, entry.end);
            let message = format!("entry {}: `{}` is no value for `{}`", index + 1, entry.value, entry.name);
            let help = format!("it is of type {}", self.program.type_name(ty));
            self.errors.push(Diagnostic::error(span, message).with_help(help));
        }
        bits
    }

    /// Whether an entry may be meant for a site.
    fn belongs(&self, entry: &Entry, id: SiteId, earlier: Option<u32>) -> bool {
        let site = &self.program.sites[id.index()];
        let at = self.sources.position(site.span);
        // `int n = nondet_int();` is a variable and a call of that name; who gives a value means the call.
        let calls = self.calls.get(&(site.name.as_str(), site.function.as_str()));
        let is_call = |lines: &Vec<u32>| entry.line.is_none_or(|line| lines.contains(&line));
        if site.kind == SiteKind::Uninitialised && calls.is_some_and(is_call) {
            return false;
        }
        // The same program may be read from another folder.
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        entry.line.is_none_or(|line| line == at.line)
            && entry.file.as_ref().is_none_or(|file| base(file) == base(&at.file))
            && entry.function.as_ref().is_none_or(|function| *function == site.function)
            && match (entry.occurrence, earlier) {
                (Some(number), Some(earlier)) => number == earlier + 1,
                _ => true,
            }
    }

    fn unused(&self) -> impl Iterator<Item = &'a Entry> {
        let mut unused: Vec<usize> = self.waiting.values().flatten().copied().collect();
        unused.sort_unstable();
        let entries = self.given.entries;
        unused.into_iter().map(move |index| &entries[index])
    }
}

impl Oracle for Walk<'_> {
    fn value(&mut self, site: SiteId, ty: TypeId) -> u128 {
        let name = &self.program.sites[site.index()].name;
        let given = self.take(name, site, None, ty);
        // Who says nothing of a pointer argument speaks of what it points to.
        let given = given.or(has_object(self.program, site).then_some(1));
        self.inputs.calls.push(given.unwrap_or(0));
        if given.is_some() {
            self.taken = self.inputs.calls.len();
        }
        given.unwrap_or(0)
    }

    fn contents(&mut self, site: SiteId, earlier: u32) -> Vec<Content> {
        let parts = self.of_site.get(&site).cloned().unwrap_or_default();
        let mut contents = Vec::new();
        for (name, Part { bit_offset, bits, ty, .. }) in parts {
            if let Some(value) = self.take(name, site, Some(earlier), ty) {
                contents.push(Content { bit_offset, bits: bits as u32, value });
            }
        }
        if !contents.is_empty() {
            self.inputs.contents.insert((site, earlier), contents.clone());
        }
        contents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_as_c_writes_them() {
        assert_eq!(integer("-12"), Some(-12));
        assert_eq!(integer("0xFFul"), Some(255));
        assert_eq!(integer("'a' (97)"), Some(97));
        assert_eq!(integer("'\\n'"), Some(10));
        assert_eq!(
            (integer("true"), integer("x"), integer(""), integer("-"), integer("''")),
            (Some(1), None, None, None, None)
        );
    }

    #[test]
    fn numbers_must_fit() {
        assert_eq!(fit(-1, 32, true, "-1"), Some(0xffff_ffff));
        assert_eq!(fit(0xffff_ffff, 32, true, "0xffffffff"), Some(0xffff_ffff));
        assert_eq!(fit(0xffff_ffff, 32, true, "4294967295"), None);
        assert_eq!(fit(256, 8, false, "256"), None);
        assert_eq!(fit(-1, 8, false, "-1"), None);
    }
}

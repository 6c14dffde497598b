//! Reads the text form of programs; the notation is described in [`crate::program_text`].
//!
//! Labels may be used before they are declared, so the lines are read in three passes: declare every label, then read
//! the types, then everything else. What comes out has no dangling ids, no type that contains itself, and no
//! expression deeper than [`MAX_DEPTH`], so that nobody who walks it has to fear for the stack.

use std::collections::HashMap;

use super::lex::{Cursor, Line, MAX_DEPTH, ParseError, Result, Token, split};
use super::{AUTHORS, CLAIM_KINDS, NOWHERE, Naturals, SEVERITIES, SITE_KINDS};
use crate::program::{
    ByteOrder, Claim, Field, Function, FunctionId, Global, GlobalInit, InitPiece, Local, PointerLayout, Program, Site,
    SiteId, SiteKind, Type, TypeId,
};
use crate::source::Diagnostic;

/// Reads a program.
pub fn parse(text: &str) -> Result<Program> {
    let lines = split(text)?;
    let mut reader = Reader::new();
    let items = reader.declare(&lines)?;
    for item in &items {
        reader.layout(item)?;
    }
    for item in &items {
        reader.ty(item)?;
    }
    reader.check_types(&items)?;
    reader.naturals = Naturals::new(&reader.program);
    for item in &items {
        reader.header(item)?;
    }
    let own_sites = std::mem::take(&mut reader.own_sites);
    reader.program.sites.extend(own_sites);
    for item in &items {
        reader.body(item)?;
    }
    match reader.start {
        Some((start, entry)) => {
            reader.program.start = start;
            reader.program.entry = entry.unwrap_or(start);
            Ok(reader.program)
        }
        None => Err(ParseError { line: lines.len() as u32 + 1, column: 1, message: "missing `start`".to_owned() }),
    }
}

/// A line outside functions, with the lines inside where it is a function.
pub(super) struct Item<'a> {
    pub(super) line: &'a Line,
    pub(super) keyword: &'a str,
    /// Number of the declared thing among its kind.
    pub(super) index: u32,
    pub(super) inside: &'a [Line],
}

pub(super) type Table = HashMap<String, u32>;

pub(super) struct Reader {
    pub(super) program: Program,
    pub(super) naturals: Naturals,
    types: Table,
    pub(super) globals: Table,
    functions: Table,
    sites: Table,
    pub(super) claims: Table,
    /// Labels of the locals of each function.
    pub(super) locals: Vec<Table>,
    /// Labels of the blocks of each function.
    pub(super) blocks: Vec<Table>,
    /// Sites of locals that do not name one; they follow those that are declared.
    own_sites: Vec<Site>,
    /// The function whose body is being read.
    pub(super) current: usize,
    start: Option<(FunctionId, Option<FunctionId>)>,
    entry: Option<FunctionId>,
}

impl Reader {
    fn new() -> Reader {
        let program = Program {
            pointer: PointerLayout::LP64,
            types: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            exprs: Vec::new(),
            places: Vec::new(),
            claims: Vec::new(),
            sites: Vec::new(),
            start: FunctionId(0),
            entry: FunctionId(0),
            reference: None,
            arguments: String::new(),
            temporal: None,
            notes: Vec::new(),
            order: ByteOrder::Little,
            assembly: false,
            quantifiers: Vec::new(),
            hardware: None,
        };
        Reader {
            naturals: Naturals::new(&program),
            program,
            types: Table::new(),
            globals: Table::new(),
            functions: Table::new(),
            sites: Table::new(),
            claims: Table::new(),
            locals: Vec::new(),
            blocks: Vec::new(),
            own_sites: Vec::new(),
            current: 0,
            start: None,
            entry: None,
        }
    }

    /// First pass: gives every label its number.
    fn declare<'a>(&mut self, lines: &'a [Line]) -> Result<Vec<Item<'a>>> {
        let mut items = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let mut cursor = Cursor::new(line, 0);
            let keyword = cursor.word("a declaration")?;
            at += 1;
            let mut inside: &[Line] = &[];
            let mut index = 0;
            if let "type" | "site" | "claim" | "global" | "function" = keyword {
                let label = match (keyword, cursor.peek()) {
                    ("global", Some(Token::Global(name))) => name.as_str(),
                    ("global", _) => return cursor.error("expected `$` and a label"),
                    _ => {
                        let label = cursor.word("a label")?;
                        cursor.at -= 1;
                        label
                    }
                };
                let table = match keyword {
                    "type" => &mut self.types,
                    "site" => &mut self.sites,
                    "claim" => &mut self.claims,
                    "global" => &mut self.globals,
                    _ => &mut self.functions,
                };
                index = table.len() as u32;
                if table.insert(label.to_owned(), index).is_some() {
                    return cursor.error(format!("`{label}` is declared twice"));
                }
            }
            match keyword {
                "pointer" | "type" | "site" | "claim" | "global" | "note" | "start" | "entry" => {}
                "function" => {
                    let is_end = |line: &Line| line.tokens.len() == 1 && Cursor::new(line, 0).keyword("end");
                    let Some(length) = lines[at..].iter().position(is_end) else {
                        return cursor.error("this function has no `end`");
                    };
                    inside = &lines[at..at + length];
                    at += length + 1;
                    self.declare_inside(inside)?;
                }
                _ => {
                    cursor.at = 0;
                    return cursor.error(
                        "expected a declaration: pointer, type, site, claim, global, note, start, entry or function",
                    );
                }
            }
            items.push(Item { line, keyword, index, inside });
        }
        Ok(items)
    }

    fn declare_inside(&mut self, lines: &[Line]) -> Result<()> {
        let (mut locals, mut blocks) = (Table::new(), Table::new());
        for line in lines {
            let mut cursor = Cursor::new(line, 0);
            let (table, label) = match line.tokens.as_slice() {
                [(Token::Word(word), _), (Token::Local(label), _), ..] if word == "local" => {
                    cursor.at = 1;
                    (&mut locals, label)
                }
                [(Token::Word(label), _), (Token::Sign(':'), _)] => (&mut blocks, label),
                _ => continue,
            };
            let index = table.len() as u32;
            if table.insert(label.clone(), index).is_some() {
                return cursor.error(format!("`{label}` is declared twice"));
            }
        }
        self.locals.push(locals);
        self.blocks.push(blocks);
        Ok(())
    }

    fn layout(&mut self, item: &Item<'_>) -> Result<()> {
        if item.keyword != "pointer" {
            return Ok(());
        }
        let mut cursor = Cursor::new(item.line, 1);
        let bits = cursor.number()?;
        let offset_bits = cursor.number()?;
        if !(2..=64).contains(&bits) || !(1..bits).contains(&offset_bits) {
            cursor.at = 1;
            return cursor.error("a pointer has 2 to 64 bits, some but not all of them offset");
        }
        self.program.pointer = PointerLayout { bits, offset_bits };
        self.program.order = if cursor.keyword("big") { ByteOrder::Big } else { ByteOrder::Little };
        cursor.finish().map(drop)
    }

    pub(super) fn label(&self, cursor: &mut Cursor<'_>, table: &Table, what: &str) -> Result<u32> {
        let word = cursor.word(what)?;
        table.get(word).copied().map_or_else(
            || {
                cursor.at -= 1;
                cursor.error(format!("there is no {} `{word}`", what.trim_start_matches("a ")))
            },
            Ok,
        )
    }

    pub(super) fn type_label(&self, cursor: &mut Cursor<'_>) -> Result<TypeId> {
        self.label(cursor, &self.types, "a type").map(TypeId)
    }

    pub(super) fn function_label(&self, cursor: &mut Cursor<'_>) -> Result<FunctionId> {
        self.label(cursor, &self.functions, "a function").map(FunctionId)
    }

    pub(super) fn site_label(&self, cursor: &mut Cursor<'_>) -> Result<SiteId> {
        self.label(cursor, &self.sites, "a site").map(SiteId)
    }

    fn ty(&mut self, item: &Item<'_>) -> Result<()> {
        if item.keyword != "type" {
            return Ok(());
        }
        let mut cursor = Cursor::new(item.line, 2);
        let cursor = &mut cursor;
        cursor.expect('=')?;
        const SIGNS: [(&str, bool); 2] = [("signed", true), ("unsigned", false)];
        let ty = match cursor.word("a kind of type")? {
            "void" => Type::Void,
            "bool" => Type::Bool,
            "integer" => Type::Integer {
                name: cursor.text()?,
                bits: cursor.bits()?,
                signed: cursor.one_of(&SIGNS)?,
                character: cursor.keyword("character"),
            },
            "enum" => {
                let (name, bits, signed) = (cursor.text()?, cursor.bits()?, cursor.one_of(&SIGNS)?);
                let mut members = Vec::new();
                while cursor.sign('(') {
                    members.push((cursor.text()?, cursor.number()?));
                    cursor.expect(')')?;
                }
                Type::Enum { name, bits, signed, members }
            }
            "float" => {
                let name = cursor.text()?;
                let bits = cursor.bits()?;
                // The last two are those of `long double`, with its padding.
                if ![32, 64, 96, 128].contains(&bits) {
                    cursor.at -= 1;
                    return cursor.error("a float has 32, 64, 96 or 128 bits");
                }
                Type::Float { name, bits }
            }
            "pointer" => Type::Pointer { to: self.type_label(cursor)? },
            "array" => Type::Array { of: self.type_label(cursor)?, length: cursor.number()? },
            kind @ ("struct" | "union") => {
                let (name, size) = (cursor.text()?, cursor.number()?);
                let mut fields = Vec::new();
                while cursor.sign('(') {
                    fields.push(Field {
                        name: cursor.text()?,
                        ty: self.type_label(cursor)?,
                        bit_offset: cursor.number()?,
                        bits: cursor.number()?,
                        bit_field: cursor.keyword("bitfield"),
                    });
                    cursor.expect(')')?;
                }
                Type::Record { name, union: kind == "union", fields, size }
            }
            "function" => Type::Function { name: cursor.text()? },
            _ => {
                cursor.at -= 1;
                return cursor
                    .error("expected void, bool, integer, enum, float, pointer, array, struct, union or function");
            }
        };
        self.program.types.push(ty);
        cursor.finish().map(drop)
    }

    /// Types must be finite: no array or record within itself, no pointer to itself but through a record.
    fn check_types(&self, items: &[Item<'_>]) -> Result<()> {
        let mut height: Vec<Option<u32>> = vec![None; self.program.types.len()];
        for item in items.iter().filter(|item| item.keyword == "type") {
            let id = TypeId(item.index);
            let chain = |mut at: TypeId| {
                for _ in 0..MAX_DEPTH {
                    match self.program.ty(at) {
                        Type::Pointer { to } => at = *to,
                        Type::Array { of, .. } => at = *of,
                        _ => return true,
                    }
                }
                false
            };
            if !chain(id) || self.height(id, &mut height, 0).is_none() {
                return Cursor::new(item.line, 1).error("this type contains itself, or too many others");
            }
        }
        Ok(())
    }

    /// How many types lie within one another, at most; nothing where it is more than [`MAX_DEPTH`].
    fn height(&self, id: TypeId, known: &mut [Option<u32>], depth: u32) -> Option<u32> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(height) = known[id.index()] {
            return (height + depth <= MAX_DEPTH).then_some(height);
        }
        let mut height = 0;
        match self.program.ty(id) {
            Type::Array { of, .. } => height = 1 + self.height(*of, known, depth + 1)?,
            Type::Record { fields, .. } => {
                for field in fields {
                    height = height.max(1 + self.height(field.ty, known, depth + 1)?);
                }
            }
            _ => {}
        }
        known[id.index()] = Some(height);
        Some(height)
    }

    /// Everything but what is inside functions.
    fn header(&mut self, item: &Item<'_>) -> Result<()> {
        let mut cursor = Cursor::new(item.line, 2);
        let cursor = &mut cursor;
        match item.keyword {
            "site" => {
                let name = cursor.text()?;
                let ty = self.type_label(cursor)?;
                let kind = cursor.one_of(&SITE_KINDS)?;
                let function = cursor.text()?;
                let writer = cursor.maybe_text();
                let span = cursor.finish()?.unwrap_or(NOWHERE);
                self.program.sites.push(Site { name, ty, span, function, kind, writer });
            }
            "claim" => {
                let id = self.name(item, cursor);
                let kinds = CLAIM_KINDS.map(|kind| (kind.word(), kind));
                let kind = cursor.one_of(&kinds)?;
                let (text, function) = (cursor.text()?, cursor.text()?);
                let span = cursor.finish()?.unwrap_or(NOWHERE);
                self.program.claims.push(Claim { id, kind, text, span, function });
            }
            "global" => {
                let name = self.name(item, cursor);
                let global = self.global(name, cursor)?;
                self.program.globals.push(global);
            }
            "note" => {
                cursor.at = 1;
                let severity = cursor.one_of(&SEVERITIES)?;
                let (message, help) = (cursor.text()?, cursor.maybe_text());
                let span = cursor.finish()?;
                self.program.notes.push(Diagnostic { severity, message, span, help });
            }
            keyword @ ("start" | "entry") => {
                cursor.at = 1;
                let function = self.function_label(cursor)?;
                cursor.finish()?;
                if keyword == "entry" {
                    self.entry = Some(function);
                    self.start = self.start.map(|(start, _)| (start, Some(function)));
                } else {
                    self.start = Some((function, self.entry));
                }
            }
            "function" => {
                let name = self.name(item, cursor);
                let function = self.function(name, item, cursor)?;
                self.program.functions.push(function);
            }
            _ => {}
        }
        Ok(())
    }

    /// The name that follows a label in quotes, or the label.
    fn name(&self, item: &Item<'_>, cursor: &mut Cursor<'_>) -> String {
        cursor.maybe_text().unwrap_or_else(|| match item.line.tokens.get(1) {
            Some((Token::Word(label) | Token::Global(label) | Token::Local(label), _)) => label.clone(),
            _ => String::new(),
        })
    }

    fn global(&self, name: String, cursor: &mut Cursor<'_>) -> Result<Global> {
        let ty = self.type_label(cursor)?;
        if !cursor.keyword("size") {
            return cursor.error("expected `size`");
        }
        let size = cursor.number()?;
        let read_only = cursor.keyword("readonly");
        let initialised = cursor.keyword("initialised");
        let address = if cursor.keyword("at") { Some(cursor.number()?) } else { None };
        let init = if cursor.keyword("unknown") {
            GlobalInit::Unknown(self.site_label(cursor)?)
        } else if cursor.keyword("known") {
            let mut pieces = Vec::new();
            while cursor.sign('(') {
                let (bit_offset, bits) = (cursor.number()?, cursor.bits()?);
                pieces.push(InitPiece { bit_offset, bits, value: cursor.number()? });
                cursor.expect(')')?;
            }
            GlobalInit::Known(pieces)
        } else {
            return cursor.error("expected `known` or `unknown`");
        };
        let span = cursor.finish()?.unwrap_or(NOWHERE);
        Ok(Global { name, ty, size, init, initialised, span, read_only, address })
    }

    fn function(&mut self, name: String, item: &Item<'_>, cursor: &mut Cursor<'_>) -> Result<Function> {
        if !cursor.keyword("returns") {
            return cursor.error("expected `returns`");
        }
        let returns = self.type_label(cursor)?;
        if !cursor.keyword("parameters") {
            return cursor.error("expected `parameters`");
        }
        let parameters: u32 = cursor.number()?;
        if parameters as usize > self.locals[item.index as usize].len() {
            cursor.at -= 1;
            return cursor.error("more parameters than locals");
        }
        let variadic = cursor.keyword("variadic");
        let author = cursor.one_of(&AUTHORS)?;
        let span = cursor.finish()?.unwrap_or(NOWHERE);
        let mut locals = Vec::new();
        for line in item.inside {
            let mut cursor = Cursor::new(line, 0);
            let cursor = &mut cursor;
            if !cursor.keyword("local") {
                continue;
            }
            let label = match cursor.peek() {
                Some(Token::Local(label)) => label.clone(),
                _ => return cursor.error("expected `%` and a label"),
            };
            cursor.at += 1;
            let local_name = cursor.maybe_text().unwrap_or(label);
            let ty = self.type_label(cursor)?;
            let site = if cursor.keyword("site") { Some(self.site_label(cursor)?) } else { None };
            let (temporary, address_taken) = (cursor.keyword("temporary"), cursor.keyword("address"));
            let span = cursor.finish()?.unwrap_or(NOWHERE);
            let site = site.unwrap_or_else(|| {
                // The sites with labels come first, so this one is numbered behind them.
                let site = SiteId((self.sites.len() + self.own_sites.len()) as u32);
                let (site_name, function) = (local_name.clone(), name.clone());
                let kind = SiteKind::Uninitialised;
                self.own_sites.push(Site { name: site_name, ty, span, function, kind, writer: None });
                site
            });
            let scope_end = u32::MAX;
            locals.push(Local { name: local_name, ty, span, scope_end, temporary, address_taken, site });
        }
        Ok(Function { name, span, returns, parameters, variadic, locals, blocks: Vec::new(), author })
    }
}

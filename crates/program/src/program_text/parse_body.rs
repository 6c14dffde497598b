//! The inside of functions: blocks, statements, expressions and places.

use super::lex::{Cursor, Line, Result, Token};
use super::parse::{Item, Reader, Table};
use super::{ASKERS, BINARY, CONVERSIONS, KNOWN, NOWHERE, ROLES, STORAGES, UNARY, field_label, natural, step};
use crate::program::{
    Base, BinaryOp, Block, BlockId, ClaimId, Decision, Expr, ExprId, ExprKind, GlobalId, LocalId, MemoryQuestion,
    ObjectKind, Operand, Place, PlaceId, Projection, Statement, StatementKind, Terminator, Type, TypeId, UnaryOp,
};
use nearmiss_logic::machine::Function as MachineFunction;

impl Reader {
    /// Reads the blocks of a function.
    pub(super) fn body(&mut self, item: &Item<'_>) -> Result<()> {
        if item.keyword != "function" {
            return Ok(());
        }
        let function = item.index as usize;
        self.current = function;
        let mut blocks = Vec::new();
        let mut statements: Option<Vec<Statement>> = None;
        for line in item.inside {
            let mut cursor = Cursor::new(line, 0);
            match line.tokens.as_slice() {
                [(Token::Word(word), _), (Token::Local(_), _), ..] if word == "local" => continue,
                [(Token::Word(_), _), (Token::Sign(':'), _)] => {
                    if statements.replace(Vec::new()).is_some() {
                        return cursor.error("the block before this one has no end: goto, branch, return or stop");
                    }
                    continue;
                }
                _ => {}
            }
            let Some(open) = &mut statements else { return cursor.error("expected a block: `b0:`") };
            match self.terminator(&mut cursor)? {
                Some(end) => {
                    blocks.push(Block { statements: std::mem::take(open), end });
                    statements = None;
                }
                None => {
                    let statement = self.statement(line)?;
                    open.push(statement);
                }
            }
        }
        if statements.is_some() {
            return Cursor::new(item.line, 0).error("the last block has no end: goto, branch, return or stop");
        }
        self.program.functions[function].blocks = blocks;
        Ok(())
    }

    fn block(&self, cursor: &mut Cursor<'_>) -> Result<BlockId> {
        self.label(cursor, &self.blocks[self.current], "a block").map(BlockId)
    }

    fn terminator(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Terminator>> {
        let end = if cursor.keyword("goto") {
            Terminator::Goto(self.block(cursor)?)
        } else if cursor.keyword("stop") {
            Terminator::Stop
        } else if cursor.keyword("return") {
            let value = match cursor.peek() {
                None | Some(Token::Span(_)) => None,
                Some(_) => Some(self.operand(cursor)?),
            };
            let span = cursor.finish()?.unwrap_or(NOWHERE);
            return Ok(Some(Terminator::Return { value, span }));
        } else if cursor.keyword("branch") {
            let condition = self.expr(cursor)?;
            let (then, otherwise) = (self.block(cursor)?, self.block(cursor)?);
            let role = cursor.one_of(&ROLES)?;
            let part = match cursor.keyword("of") {
                true => {
                    let asker = cursor.one_of(&ASKERS)?;
                    let (then, otherwise) = (cursor.one_of(&KNOWN)?, cursor.one_of(&KNOWN)?);
                    Some(Decision { span: cursor.span()?, asker, then, otherwise })
                }
                false => None,
            };
            let span = cursor.finish()?.unwrap_or(NOWHERE);
            let decision = part.unwrap_or(Decision::of_role(span, role));
            return Ok(Some(Terminator::Branch { condition, then, otherwise, span, role, decision }));
        } else {
            return Ok(None);
        };
        cursor.finish()?;
        Ok(Some(end))
    }

    fn statement(&mut self, line: &Line) -> Result<Statement> {
        let mut cursor = Cursor::new(line, 0);
        let kind = self.statement_kind(&mut cursor)?;
        let span = cursor.finish()?.unwrap_or(NOWHERE);
        Ok(Statement { kind, span })
    }

    fn statement_kind(&mut self, cursor: &mut Cursor<'_>) -> Result<StatementKind> {
        let Some(Token::Word(_)) = cursor.peek() else {
            let target = self.place(cursor)?;
            let origin = cursor.arrow()?;
            let value = self.expr(cursor)?;
            return Ok(StatementKind::Assign { target, value, origin });
        };
        Ok(match cursor.word("a statement")? {
            "copy" => {
                let target = self.place(cursor)?;
                let origin = cursor.arrow()?;
                StatementKind::Copy { target, source: self.place(cursor)?, origin }
            }
            "clear" => StatementKind::Clear { target: self.place(cursor)? },
            "declare" => StatementKind::Declare { local: self.local(cursor)? },
            "kill" => StatementKind::Kill { local: self.local(cursor)? },
            "input" => {
                let (target, site) = (self.place(cursor)?, self.site_label(cursor)?);
                let object = if cursor.keyword("or") { Some(self.expr(cursor)?) } else { None };
                StatementKind::Input { target, site, object }
            }
            "call" => {
                let target = match cursor.peek() {
                    Some(Token::Word(_)) => None,
                    _ => {
                        let target = self.place(cursor)?;
                        cursor.expect('=')?;
                        Some(target)
                    }
                };
                let function = self.function_label(cursor)?;
                let mut arguments = Vec::new();
                while !matches!(cursor.peek(), None | Some(Token::Span(_))) {
                    arguments.push(self.operand(cursor)?);
                }
                if arguments.len() < self.program.function(function).parameters as usize {
                    return cursor.error("too few arguments");
                }
                StatementKind::Call { target, function, arguments }
            }
            "assume" => StatementKind::Assume { condition: self.expr(cursor)? },
            kind @ ("claim" | "part") => {
                let claim = ClaimId(self.label(cursor, &self.claims, "a claim")?);
                StatementKind::Claim { claim, condition: self.expr(cursor)?, part: kind == "part" }
            }
            "allocate" => {
                let target = self.place(cursor)?;
                cursor.expect('=')?;
                StatementKind::Allocate {
                    target,
                    size: self.expr(cursor)?,
                    storage: cursor.one_of(&STORAGES)?,
                    zeroed: cursor.keyword("zeroed"),
                    site: self.site_label(cursor)?,
                }
            }
            "free" => StatementKind::Free { pointer: self.expr(cursor)? },
            "copybytes" => StatementKind::CopyBytes {
                target: self.expr(cursor)?,
                source: self.expr(cursor)?,
                size: self.expr(cursor)?,
            },
            "setbytes" => StatementKind::SetBytes {
                target: self.expr(cursor)?,
                value: self.expr(cursor)?,
                size: self.expr(cursor)?,
            },
            "unsupported" => StatementKind::Unsupported { what: cursor.text()? },
            _ => {
                cursor.at -= 1;
                return cursor.error("expected a statement");
            }
        })
    }

    fn operand(&mut self, cursor: &mut Cursor<'_>) -> Result<Operand> {
        if cursor.keyword("object") {
            self.place(cursor).map(Operand::Object)
        } else {
            self.expr(cursor).map(Operand::Value)
        }
    }

    fn sigil(&self, cursor: &mut Cursor<'_>, table: &Table, name: &str) -> Result<u32> {
        match table.get(name) {
            Some(number) => {
                cursor.at += 1;
                Ok(*number)
            }
            None => cursor.error(format!("there is no `{name}` here")),
        }
    }

    fn local(&self, cursor: &mut Cursor<'_>) -> Result<LocalId> {
        match cursor.peek() {
            Some(Token::Local(name)) => self.sigil(cursor, &self.locals[self.current], name).map(LocalId),
            _ => cursor.error("expected a local"),
        }
    }

    fn expr(&mut self, cursor: &mut Cursor<'_>) -> Result<ExprId> {
        cursor.nest()?;
        let id = match cursor.peek() {
            Some(Token::Word(_)) => self.constant(cursor)?,
            _ => {
                let kind = self.expr_kind(cursor)?;
                let from = natural(&self.program, &self.naturals, &kind);
                let Some((bits, ty)) = self.annotation(cursor)?.or(from) else {
                    return cursor.error("expected `:` and a type: it does not follow from the operands");
                };
                self.push(Expr { kind, bits, ty })
            }
        };
        cursor.depth -= 1;
        Ok(id)
    }

    fn push(&mut self, expr: Expr) -> ExprId {
        self.program.exprs.push(expr);
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    /// `:type` or `:type/bits`.
    fn annotation(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<(u32, TypeId)>> {
        if !cursor.sign(':') {
            return Ok(None);
        }
        let ty = self.type_label(cursor)?;
        if cursor.sign('/') {
            return Ok(Some((cursor.bits()?, ty)));
        }
        match u32::try_from(self.program.size_bits(ty)) {
            Ok(bits) if (1..=128).contains(&bits) => Ok(Some((bits, ty))),
            _ => cursor.error("expected `/` and a width: that of the type is not 1 to 128 bits"),
        }
    }

    fn constant(&mut self, cursor: &mut Cursor<'_>) -> Result<ExprId> {
        let start = cursor.at;
        let word = cursor.word("a number")?;
        let Some((bits, ty)) = self.annotation(cursor)? else { return cursor.error("expected `:` and a type") };
        let mask = u128::MAX >> (128 - bits);
        let value = match self.program.ty(ty) {
            Type::Float { bits: 64, .. } if bits == 64 && !word.starts_with("0x") => {
                word.parse::<f64>().ok().map(|value| u128::from(value.to_bits()))
            }
            Type::Float { bits: 32, .. } if bits == 32 && !word.starts_with("0x") => {
                word.parse::<f32>().ok().map(|value| u128::from(value.to_bits()))
            }
            _ => match (word.strip_prefix("0x"), word.starts_with('-')) {
                (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
                (None, true) => word.parse::<i128>().ok().map(|value| value as u128 & mask),
                (None, false) => word.parse::<u128>().ok(),
            },
        };
        match value {
            Some(value) => Ok(self.push(Expr { kind: ExprKind::Const(value), bits, ty })),
            None => {
                cursor.at = start;
                cursor.error("expected a number")
            }
        }
    }

    fn expr_kind(&mut self, cursor: &mut Cursor<'_>) -> Result<ExprKind> {
        if cursor.sign('&') {
            return Ok(ExprKind::AddressOf(self.place(cursor)?));
        }
        let deref = matches!(cursor.line_token(1), Some(Token::Sign('*')));
        if deref || !cursor.sign('(') {
            return Ok(ExprKind::Load(self.place(cursor)?));
        }
        let start = cursor.at;
        let word = cursor.word("an operator")?;
        let kind = if let Some((_, op)) = BINARY.iter().find(|(name, _)| *name == word) {
            ExprKind::Binary(*op, self.expr(cursor)?, self.expr(cursor)?)
        } else if let Some((_, op)) = UNARY.iter().find(|(name, _)| *name == word) {
            ExprKind::Unary(*op, self.expr(cursor)?)
        } else if let Some(function) = MachineFunction::named(word) {
            match function.arity() {
                1 => ExprKind::Unary(UnaryOp::Machine(function), self.expr(cursor)?),
                _ => ExprKind::Binary(BinaryOp::Machine(function), self.expr(cursor)?, self.expr(cursor)?),
            }
        } else if let Some((_, how)) = CONVERSIONS.iter().find(|(name, _)| *name == word) {
            ExprKind::Convert(*how, self.expr(cursor)?)
        } else {
            match word {
                "function" => ExprKind::FunctionAddress(self.function_label(cursor)?),
                "ite" => ExprKind::Ite(self.expr(cursor)?, self.expr(cursor)?, self.expr(cursor)?),
                "rounded" => ExprKind::Rounded { mode: self.expr(cursor)?, value: self.expr(cursor)? },
                "valid" | "writable" => ExprKind::Memory(MemoryQuestion::Valid {
                    pointer: self.expr(cursor)?,
                    size: self.expr(cursor)?,
                    write: word == "writable",
                }),
                "freeable" => ExprKind::Memory(MemoryQuestion::Freeable(self.expr(cursor)?)),
                "same" => ExprKind::Memory(MemoryQuestion::SameObject(self.expr(cursor)?, self.expr(cursor)?)),
                "lives" => ExprKind::Memory(MemoryQuestion::Lives(self.expr(cursor)?, ObjectKind::Any)),
                "livesonheap" => ExprKind::Memory(MemoryQuestion::Lives(self.expr(cursor)?, ObjectKind::Heap)),
                "liveswritable" => ExprKind::Memory(MemoryQuestion::Lives(self.expr(cursor)?, ObjectKind::Writable)),
                "objectsize" => ExprKind::Memory(MemoryQuestion::ObjectSize(self.expr(cursor)?)),
                _ => {
                    cursor.at = start;
                    return cursor.error(format!("there is no operator `{word}`"));
                }
            }
        };
        cursor.expect(')')?;
        Ok(kind)
    }

    fn place(&mut self, cursor: &mut Cursor<'_>) -> Result<PlaceId> {
        let (base, mut base_type) = match cursor.peek() {
            Some(Token::Local(_)) => {
                let local = self.local(cursor)?;
                (Base::Local(local), self.program.functions[self.current].locals[local.index()].ty)
            }
            Some(Token::Global(name)) => {
                let global = GlobalId(self.sigil(cursor, &self.globals, name)?);
                (Base::Global(global), self.program.globals[global.index()].ty)
            }
            Some(Token::Sign('(')) => {
                cursor.expect('(')?;
                cursor.expect('*')?;
                let pointer = self.expr(cursor)?;
                let to = match self.program.ty(self.program.expr(pointer).ty) {
                    Type::Pointer { to } => Some(*to),
                    _ => None,
                };
                let ty = match (cursor.peek(), to) {
                    (Some(Token::Sign(')')), Some(to)) => to,
                    _ => self.type_label(cursor)?,
                };
                cursor.expect(')')?;
                (Base::Deref(pointer), ty)
            }
            _ => return cursor.error("expected a place: %local, $global or (* pointer)"),
        };
        if cursor.sign('<') {
            base_type = self.type_label(cursor)?;
            cursor.expect('>')?;
        }
        let mut at = Some((base_type, self.program.size_bits(base_type)));
        let mut path = Vec::new();
        loop {
            let projection = match cursor.peek() {
                Some(Token::Field(name)) => {
                    let number = at.and_then(|(ty, _)| self.field(ty, name));
                    let Some(number) = number else { return cursor.error(format!("there is no field `{name}`")) };
                    cursor.at += 1;
                    Projection::Field(number)
                }
                Some(Token::FieldNumber(number)) => {
                    cursor.at += 1;
                    Projection::Field(*number)
                }
                Some(Token::Sign('[')) => {
                    cursor.at += 1;
                    let index = self.expr(cursor)?;
                    cursor.expect(']')?;
                    Projection::Index(index)
                }
                _ => break,
            };
            at = at.and_then(|(ty, _)| step(&self.program, ty, &projection));
            if at.is_none() {
                return cursor.error("this type has no such part");
            }
            path.push(projection);
        }
        if cursor.sign('{') {
            let ty = self.type_label(cursor)?;
            at = Some((ty, cursor.number()?));
            cursor.expect('}')?;
        }
        let Some((ty, bits)) = at else { return cursor.error("expected `{type bits}`") };
        self.program.places.push(Place { base, base_type, path, ty, bits });
        Ok(PlaceId(self.program.places.len() as u32 - 1))
    }

    fn field(&self, ty: TypeId, name: &str) -> Option<u32> {
        let Type::Record { fields, .. } = self.program.ty(ty) else { return None };
        (0..fields.len() as u32).find(|number| field_label(&self.program, ty, *number) == Some(name))
    }
}

//! A compact text of a tree, so that a test is a pair of strings.

use std::collections::HashMap;

use nearmiss_program::c::tree::*;
use nearmiss_program::c::{Loader, Options, front};
use nearmiss_program::program::{Type, TypeId};
use nearmiss_program::source::{Diagnostic, Sources, Span};

/// Files in memory.
#[derive(Default)]
pub struct Files(pub HashMap<String, Vec<u8>>);

impl Files {
    pub fn new(files: &[(&str, &str)]) -> Files {
        Files(files.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())).collect())
    }
}

impl Loader for Files {
    fn load(&self, path: &std::path::Path) -> std::io::Result<Vec<u8>> {
        let missing = || std::io::Error::new(std::io::ErrorKind::NotFound, "no such file");
        self.0.get(path.to_str().unwrap()).cloned().ok_or_else(missing)
    }

    fn exists(&self, path: &std::path::Path) -> bool {
        self.0.contains_key(path.to_str().unwrap())
    }
}

/// A tree with what is needed to print it, or the errors as text.
pub struct Read {
    pub tree: Tree,
    pub sources: Sources,
}

pub fn read_files(files: &[(&str, &str)], options: &Options) -> Result<Read, String> {
    let loader = Files::new(files);
    let units: Vec<String> = files.iter().filter(|f| f.0.ends_with(".c")).map(|f| f.0.to_owned()).collect();
    let mut sources = Sources::new();
    match front::read(&units, options, &loader, &mut sources) {
        Ok(tree) => {
            let read = Read { tree, sources };
            assert_eq!(read.faults(), Vec::<String>::new());
            Ok(read)
        }
        Err(errors) => Err(errors.iter().map(|e| message(e, &sources)).collect::<Vec<_>>().join("\n")),
    }
}

pub fn read_text(text: &str) -> Result<Read, String> {
    read_files(&[("a.c", text)], &Options::default())
}

pub fn message(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic.span.map(|span| format!("{}: ", sources.position(span))).unwrap_or_default();
    let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{place}{}{help}", diagnostic.message)
}

impl Read {
    pub fn notes(&self) -> String {
        self.tree.notes.iter().map(|note| message(note, &self.sources)).collect::<Vec<_>>().join("\n")
    }

    pub fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    pub fn function(&self, name: &str) -> &Function {
        self.tree.functions.iter().find(|f| f.name == name).unwrap()
    }

    pub fn object(&self, name: &str) -> &Object {
        self.tree.objects.iter().find(|f| f.name == name).unwrap()
    }

    /// The body of a function on one line.
    pub fn body(&self, name: &str) -> String {
        self.stmt(self.function(name).body.unwrap())
    }

    /// Everything defined by the user.
    pub fn whole(&self) -> String {
        let mut text = String::new();
        for (index, object) in self.tree.objects.iter().enumerate() {
            if object.storage != StorageDuration::Automatic {
                text += &format!("{:?} {}\n", object.storage, self.declaration(ObjectId(index as u32)));
            }
        }
        for function in &self.tree.functions {
            let parameters: Vec<String> = function.parameters.iter().map(|p| self.declaration(*p)).collect();
            text += &format!("{} {}({})", self.ty(function.returns), function.unique_name, parameters.join(", "));
            text += &function.body.map_or(";".to_owned(), |body| format!(" {}", self.stmt(body)));
            text.push('\n');
        }
        text
    }

    pub fn ty(&self, id: TypeId) -> String {
        match self.tree.ty(id) {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Integer { name, .. } | Type::Enum { name, .. } | Type::Float { name, .. } => name.clone(),
            Type::Record { name, .. } | Type::Function { name } => name.clone(),
            Type::Pointer { to } => format!("{} *", self.ty(*to)),
            Type::Array { of, length } => format!("{}[{length}]", self.ty(*of)),
        }
    }

    pub fn declaration(&self, id: ObjectId) -> String {
        let object = self.tree.object(id);
        let name = match object.kind {
            ObjectKind::StringLiteral => "literal",
            ObjectKind::CompoundLiteral => "compound",
            ObjectKind::Temporary => "temporary",
            _ => &object.name,
        };
        let size = object.variable_size.map(|size| format!(" sized {}", self.expr(size))).unwrap_or_default();
        let init = object.init.as_ref().map(|init| {
            let parts: Vec<String> =
                init.iter().map(|e| format!("{}+{}: {}", e.bit_offset, e.bits, self.expr(e.value))).collect();
            format!(" = {{{}}}", parts.join(", "))
        });
        format!("{} {name}{size}{}", self.ty(object.ty), init.unwrap_or_default())
    }

    pub fn stmt(&self, id: StmtId) -> String {
        let condition = |c: &Option<ExprId>| c.map(|c| self.expr(c)).unwrap_or_default();
        match &self.tree.stmt(id).kind {
            StmtKind::Empty => ";".to_owned(),
            StmtKind::Expr(e) => format!("{};", self.expr(*e)),
            StmtKind::Block(list) => {
                let parts: Vec<String> = list.iter().map(|s| self.stmt(*s)).collect();
                format!("{{ {} }}", parts.join(" "))
            }
            StmtKind::Declare(objects) => {
                let parts: Vec<String> = objects.iter().map(|o| self.declaration(*o)).collect();
                format!("{};", parts.join(", "))
            }
            StmtKind::If { condition, then, otherwise } => {
                let otherwise = otherwise.map(|s| format!(" else {}", self.stmt(s))).unwrap_or_default();
                format!("if ({}) {}{otherwise}", self.expr(*condition), self.stmt(*then))
            }
            StmtKind::While { condition, body } => {
                format!("while ({}) {}", self.expr(*condition), self.stmt(*body))
            }
            StmtKind::DoWhile { body, condition } => {
                format!("do {} while ({});", self.stmt(*body), self.expr(*condition))
            }
            StmtKind::For { init, condition: c, step, body } => format!(
                "for ({} {}; {}) {}",
                init.map_or(";".to_owned(), |s| self.stmt(s)),
                condition(c),
                condition(step),
                self.stmt(*body)
            ),
            StmtKind::Switch { value, body } => format!("switch ({}) {}", self.expr(*value), self.stmt(*body)),
            StmtKind::Case { low, high, body } if low == high => format!("case {low}: {}", self.stmt(*body)),
            StmtKind::Case { low, high, body } => format!("case {low}...{high}: {}", self.stmt(*body)),
            StmtKind::Default(body) => format!("default: {}", self.stmt(*body)),
            StmtKind::Label(label, body) => format!("L{}: {}", label.0, self.stmt(*body)),
            StmtKind::ErrorLabel(name, body) => format!("error {name}: {}", self.stmt(*body)),
            StmtKind::Goto(label) => format!("goto L{};", label.0),
            StmtKind::GotoAddress(address) => format!("goto *{};", self.expr(*address)),
            StmtKind::Break => "break;".to_owned(),
            StmtKind::Continue => "continue;".to_owned(),
            StmtKind::Return(value) => format!("return {};", condition(value)),
            StmtKind::Unsupported(what) => format!("UNSUPPORTED[{what}]"),
        }
    }

    pub fn expr(&self, id: ExprId) -> String {
        let expr = self.tree.expr(id);
        let ty = || self.ty(expr.ty);
        let op = |subtract: bool| if subtract { "-" } else { "+" };
        match &expr.kind {
            ExprKind::Const(bits) => match self.tree.ty(expr.ty) {
                Type::Integer { bits: 32, signed: true, .. } => format!("{}", *bits as u32 as i32),
                Type::Float { bits: 64, .. } => format!("{:?}", f64::from_bits(*bits as u64)),
                _ => format!("{bits}:{}", ty()),
            },
            ExprKind::ObjectAddress(object, offset) => format!("&{}+{offset}", self.name(*object)),
            ExprKind::FunctionAddress(function) => format!("&{}", self.tree.function(*function).unique_name),
            ExprKind::Object(object) => self.name(*object),
            ExprKind::Member { base, field } => match self.tree.ty(self.tree.expr(*base).ty) {
                Type::Record { fields, .. } => format!("{}.{}", self.expr(*base), fields[*field as usize].name),
                _ => "BAD MEMBER".to_owned(),
            },
            ExprKind::Element { array, index } => format!("{}[{}]", self.expr(*array), self.expr(*index)),
            ExprKind::Deref(pointer) => format!("*({})", self.expr(*pointer)),
            ExprKind::Load(lvalue) => format!("`{}", self.expr(*lvalue)),
            ExprKind::AddressOf(lvalue) => format!("&{}", self.expr(*lvalue)),
            ExprKind::Call { callee, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|a| self.expr(*a)).collect();
                format!("{}({})", self.expr(*callee), arguments.join(", "))
            }
            ExprKind::Unary(op, a) => format!("{op:?}({})", self.expr(*a)),
            ExprKind::Binary(op, a, b) => format!("{op:?}({}, {})", self.expr(*a), self.expr(*b)),
            ExprKind::PointerAdd { pointer, index, subtract } => {
                format!("({} {} [{}])", self.expr(*pointer), op(*subtract), self.expr(*index))
            }
            ExprKind::PointerDifference(a, b) => format!("Distance({}, {})", self.expr(*a), self.expr(*b)),
            ExprKind::LogicalAnd(a, b) => format!("({} && {})", self.expr(*a), self.expr(*b)),
            ExprKind::LogicalOr(a, b) => format!("({} || {})", self.expr(*a), self.expr(*b)),
            ExprKind::LogicalNot(a) => format!("!({})", self.expr(*a)),
            ExprKind::Conditional { condition, then, otherwise } => {
                let then = then.map(|then| self.expr(then)).unwrap_or_default();
                format!("({} ? {then} : {})", self.expr(*condition), self.expr(*otherwise))
            }
            ExprKind::Assign { target, value } => format!("{} = {}", self.expr(*target), self.expr(*value)),
            ExprKind::CompoundAssign { op, computation, target, value } => {
                format!("{} {op:?}[{}]= {}", self.expr(*target), self.ty(*computation), self.expr(*value))
            }
            ExprKind::Step { target, amount, subtract, old_value } => {
                let old = if *old_value { " old" } else { "" };
                format!("{} {}= [{}]{old}", self.expr(*target), op(*subtract), self.expr(*amount))
            }
            ExprKind::Comma(a, b) => format!("({}, {})", self.expr(*a), self.expr(*b)),
            ExprKind::Convert { operand, explicit: true } => format!("(({})){}", ty(), self.expr(*operand)),
            ExprKind::Convert { operand, explicit: false } => format!("({}){}", ty(), self.expr(*operand)),
            ExprKind::StatementExpr(body) => format!("({})", self.stmt(*body)),
            ExprKind::Builtin(builtin, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|a| self.expr(*a)).collect();
                format!("{builtin:?}({})", arguments.join(", "))
            }
            ExprKind::Unsupported(what) => format!("UNSUPPORTED[{what}]"),
        }
    }

    fn name(&self, id: ObjectId) -> String {
        let object = self.tree.object(id);
        match object.kind {
            ObjectKind::StringLiteral => {
                let init = object.init.iter().flatten();
                let text = init.map(|entry| match self.tree.expr(entry.value).kind {
                    ExprKind::Const(bits) => char::from_u32(bits as u32).unwrap_or('?'),
                    _ => '?',
                });
                format!("{:?}", text.collect::<String>())
            }
            ObjectKind::CompoundLiteral | ObjectKind::Temporary => format!("<{}>", self.declaration(id)),
            _ => object.name.clone(),
        }
    }
}

impl Read {
    /// What in the tree breaks the contract that `tree.rs` states.
    pub fn faults(&self) -> Vec<String> {
        let tree = &self.tree;
        let ty = |id: ExprId| tree.expr(id).ty;
        let refused = |id: ExprId| matches!(tree.expr(id).kind, ExprKind::Unsupported(_));
        let mut faults = Vec::new();
        for (index, expr) in tree.exprs.iter().enumerate() {
            let kind = &expr.kind;
            let id = ExprId(index as u32);
            let sound = match kind {
                ExprKind::Load(lvalue) => refused(*lvalue) || (self.is_lvalue(*lvalue) && ty(*lvalue) == expr.ty),
                ExprKind::AddressOf(lvalue) => {
                    self.is_lvalue(*lvalue) && matches!(tree.ty(expr.ty), Type::Pointer { .. }) || refused(*lvalue)
                }
                ExprKind::Assign { target, value } => {
                    self.is_lvalue(*target) && ty(*target) == ty(*value) && ty(*target) == expr.ty
                }
                ExprKind::CompoundAssign { op, computation, target, value } => {
                    let shift = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
                    self.is_lvalue(*target) && (shift || ty(*value) == *computation) && expr.ty == ty(*target)
                }
                ExprKind::Step { target, .. } => self.is_lvalue(*target) && expr.ty == ty(*target),
                ExprKind::Binary(Binary::ShiftLeft | Binary::ShiftRight, a, _) => ty(*a) == expr.ty,
                ExprKind::Binary(op, a, b) => {
                    let compared = *op as u32 >= Binary::Less as u32;
                    let pointers = matches!(tree.ty(ty(*a)), Type::Pointer { .. });
                    (ty(*a) == ty(*b) || pointers) && (compared || ty(*a) == expr.ty)
                }
                ExprKind::Unary(_, a) => ty(*a) == expr.ty,
                ExprKind::Member { base, field } => match tree.ty(ty(*base)) {
                    Type::Record { fields, .. } => fields.get(*field as usize).is_some_and(|f| f.ty == expr.ty),
                    _ => false,
                },
                ExprKind::Element { array, .. } => {
                    self.is_lvalue(*array) && matches!(tree.ty(ty(*array)), Type::Array { of, .. } if *of == expr.ty)
                }
                ExprKind::Deref(pointer) => matches!(tree.ty(ty(*pointer)), Type::Pointer { to } if *to == expr.ty),
                ExprKind::PointerAdd { pointer, index, .. } => ty(*pointer) == expr.ty && self.is_integer(*index),
                ExprKind::Conditional { then, otherwise, .. } => {
                    then.is_none_or(|then| ty(then) == expr.ty) && ty(*otherwise) == expr.ty
                }
                ExprKind::Comma(_, b) => ty(*b) == expr.ty,
                ExprKind::Convert { operand, .. } => !self.is_lvalue(*operand),
                ExprKind::Call { callee, arguments } => {
                    let pointer = matches!(tree.ty(ty(*callee)), Type::Pointer { to }
                        if matches!(tree.ty(*to), Type::Function { .. }));
                    pointer && arguments.iter().all(|argument| !self.is_lvalue(*argument))
                }
                _ => true,
            };
            if !sound {
                faults.push(format!("{}: {}", self.sources.position(expr.span), self.expr(id)));
            }
        }
        for object in &tree.objects {
            for entry in object.init.iter().flatten() {
                let whole = object.size * 8;
                let string = matches!(tree.ty(ty(entry.value)), Type::Array { .. });
                if (whole > 0 && entry.bit_offset + entry.bits > whole) || (self.is_lvalue(entry.value) && !string) {
                    faults.push(format!("{}: initialiser of {}", self.sources.position(object.span), object.name));
                }
            }
        }
        faults
    }

    fn is_integer(&self, id: ExprId) -> bool {
        matches!(self.tree.ty(self.tree.expr(id).ty), Type::Bool | Type::Integer { .. } | Type::Enum { .. })
    }

    fn is_lvalue(&self, id: ExprId) -> bool {
        match self.tree.expr(id).kind {
            ExprKind::Object(_) | ExprKind::Deref(_) | ExprKind::Element { .. } => true,
            ExprKind::Member { base, .. } => self.is_lvalue(base),
            _ => false,
        }
    }
}

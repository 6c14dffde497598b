//! Text of formulas to tokens, for all languages at once: names, literals in the spellings of Verilog, VHDL, nuXmv and C,
//! and symbols, the longest first.
//!
//! Comments are `--` and `//` to the end of the line, `#` as the first character of a line (but not `##`, `#-#`, `#=#`), and `/* */`.
//! `\name ` up to the next space and `` `name` `` are names whatever is in them. An `!` that touches a word of PSL
//! (`next!`, `until!_`) belongs to it; after `X` it does so only before a space or a bracket, because `X!a` is the next of
//! `!a` in LTL.

use std::ops::Range;

use smallvec::SmallVec;

use super::FormulaError;
use super::syntax::Literal;
use crate::wave::BitVector;

/// A literal wider than this is refused.
const WIDEST: u32 = 1 << 16;

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A word that may be an operator.
    Word(String),
    /// A name that is nothing but a name.
    Name(String),
    /// A number, bits or a quoted text.
    Literal(Literal),
    /// Anything else.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// A token and where it is.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spanned {
    /// What.
    pub token: Token,
    /// Which bytes.
    pub range: Range<usize>,
    /// Is it the first on its line?
    pub starts_line: bool,
}

const SYMBOLS: [&str; 75] = [
    "<->", "<=>", "|->", "|=>", "#-#", "#=#", "===", "!==", ">>>", "<<<", "[->", "[*", "[+", "[=", "##", "->", "=>",
    "<>", "[]", "&&", "||", "/\\", "\\/", "==", "!=", "<=", ">=", "<<", ">>", "**", "~^", "^~", "~&", "~|", "..", "+:",
    "-:", "/=", "::", ":=", "!", "~", "&", "|", "^", "+", "-", "*", "/", "%", "<", ">", "=", "(", ")", "[", "]", "{",
    "}", ",", ";", ":", "?", "@", "#", "$", "∧", "∨", "¬", "→", "↔", "□", "◇", "○", "⊕",
];

/// Words that an `!` may belong to.
const STRONG_WORDS: [&str; 8] =
    ["next", "until", "before", "eventually", "next_event", "next_a", "next_e", "next_event_a"];

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    starts_line: bool,
}

/// All tokens; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Spanned>, FormulaError> {
    let mut lexer = Lexer { text, at: 0, starts_line: true };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank()?;
        let (start, starts_line) = (lexer.at, std::mem::take(&mut lexer.starts_line));
        let token = lexer.token()?;
        let end = token == Token::End;
        tokens.push(Spanned { token, range: start..lexer.at, starts_line });
        if end {
            return Ok(tokens);
        }
    }
}

fn is_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn error<T>(&self, from: usize, message: impl Into<String>) -> Result<T, FormulaError> {
        Err(FormulaError { range: from..self.at.max(from), message: message.into(), help: None })
    }

    /// The characters from here that fit, and goes past them.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !fits(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn skip_blank(&mut self) -> Result<(), FormulaError> {
        loop {
            let rest = self.rest();
            let hash = rest.starts_with('#') && !["##", "#-#", "#=#"].iter().any(|symbol| rest.starts_with(symbol));
            if rest.starts_with("--") || rest.starts_with("//") || hash && self.starts_line {
                self.take_while(|c| c != '\n');
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let start = self.at;
                match comment.find("*/") {
                    Some(end) => self.at += end + 4,
                    None => {
                        self.at += 2;
                        return self.error(start, "this comment is never closed: expected `*/`");
                    }
                }
            } else {
                match self.peek() {
                    Some(c) if c.is_whitespace() => {
                        self.starts_line |= c == '\n';
                        self.at += c.len_utf8();
                    }
                    _ => return Ok(()),
                }
            }
        }
    }

    fn token(&mut self) -> Result<Token, FormulaError> {
        let Some(first) = self.peek() else { return Ok(Token::End) };
        let start = self.at;
        let rest = self.rest();
        if first.is_ascii_digit() {
            return self.number();
        }
        if (first == 'x' || first == 'X' || first == 'b' || first == 'B') && rest[1..].starts_with('"') {
            return self.vhdl_bits();
        }
        if is_start(first) || first == '$' && rest[1..].starts_with(is_start) {
            return Ok(self.word());
        }
        match first {
            '"' => return self.quoted('"').map(|text| Token::Literal(Literal::Text(text))),
            '`' => return self.quoted('`').map(Token::Name),
            '\'' => return self.tick(None),
            '\\' if !rest.starts_with("\\/") => {
                self.at += 1;
                let name = self.take_while(|c| !c.is_whitespace());
                if name.is_empty() {
                    return self.error(start, "expected a name after `\\`");
                }
                return Ok(Token::Name(name.to_owned()));
            }
            _ => {}
        }
        if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.at += symbol.len();
            return Ok(Token::Symbol(match *symbol {
                "∧" => "/\\",
                "∨" => "\\/",
                "¬" => "!",
                "→" => "->",
                "↔" => "<->",
                "□" => "[]",
                "◇" => "<>",
                "○" => "()",
                "⊕" => "^",
                "^~" => "~^",
                "<<<" => "<<",
                "/=" => "!=",
                symbol => symbol,
            }));
        }
        self.at += first.len_utf8();
        self.error(start, format!("`{}` has no meaning in a formula", first.escape_debug()))
    }

    /// A word or a hierarchical name: `top.u1.ready`, `f[1].x`, `pkg::name`, `next!`.
    fn word(&mut self) -> Token {
        let start = self.at;
        self.at += self.peek().map_or(0, char::len_utf8);
        self.take_while(is_inside);
        while let Some(length) = self.continued() {
            self.at += length;
            self.take_while(is_inside);
        }
        let word = &self.text[start..self.at];
        let after = self.rest();
        if after.starts_with('!') && !after.starts_with("!=") {
            let belongs = match word {
                "X" => after[1..].starts_with([' ', '[', '\t']),
                _ => STRONG_WORDS.contains(&word) || word == "next_event_e",
            };
            if belongs {
                self.at += 1;
                if matches!(word, "until" | "before") && self.rest().starts_with('_') {
                    self.at += 1;
                }
            }
        }
        Token::Word(self.text[start..self.at].to_owned())
    }

    /// How long the join between two parts of a name is: `.`, `::`, or indices and a dot.
    fn continued(&self) -> Option<usize> {
        let rest = self.rest();
        let mut at = 0;
        while rest[at..].starts_with('[') {
            let inside = rest[at + 1..].find(']')?;
            let index = &rest[at + 1..at + 1 + inside];
            if index.is_empty() || !index.chars().all(|c| c.is_ascii_digit()) {
                return None;
            }
            at += inside + 2;
        }
        let join = if rest[at..].starts_with("::") && at == 0 { 2 } else { 1 };
        let dot = rest[at..].starts_with('.') || join == 2;
        (dot && rest[at + join..].starts_with(is_start)).then_some(at + join)
    }

    fn quoted(&mut self, quote: char) -> Result<String, FormulaError> {
        let start = self.at;
        self.at += 1;
        let text = self.take_while(|c| c != quote && c != '\n');
        if !self.rest().starts_with(quote) {
            return self.error(start, format!("this quote is never closed: expected `{quote}`"));
        }
        self.at += 1;
        if text.is_empty() {
            return self.error(start, "there is nothing between these quotes");
        }
        Ok(text.to_owned())
    }

    /// `x"1F"` and `b"01"`.
    fn vhdl_bits(&mut self) -> Result<Token, FormulaError> {
        let start = self.at;
        let base = self.take_while(|c| c != '"');
        let digits = self.quoted('"')?;
        let bits = based(if base.eq_ignore_ascii_case("x") { 4 } else { 1 }, &digits);
        match bits.as_deref().and_then(BitVector::parse) {
            Some(bits) => Ok(Token::Literal(Literal::Bits { bits, signed: false })),
            None => self.error(start, "expected digits of this base between the quotes"),
        }
    }

    /// What starts with `'`, after a size or not: `'1'`, `'h1F`, `'0`, `8'd255`.
    fn tick(&mut self, size: Option<u32>) -> Result<Token, FormulaError> {
        let start = self.at;
        let rest = self.rest();
        let character = rest[1..].chars().next();
        if size.is_none()
            && let Some(c) = character
            && rest[1 + c.len_utf8()..].starts_with('\'')
        {
            self.at += 2 + c.len_utf8();
            let bit = BitVector::parse(&c.to_string());
            return match bit {
                Some(bits) => Ok(Token::Literal(Literal::Bits { bits, signed: false })),
                None => self.error(start, "expected one of `0 1 x z` between the quotes"),
            };
        }
        self.at += 1;
        let signed = self.rest().starts_with(['s', 'S']);
        if signed {
            self.at += 1;
        }
        let base = self.peek().map(|c| c.to_ascii_lowercase());
        let shift = match base {
            Some('b') => 1,
            Some('o') => 3,
            Some('h') => 4,
            Some('d') => 0,
            Some(c @ ('0' | '1' | 'x' | 'z')) if size.is_none() && !signed => {
                self.at += 1;
                return Ok(Token::Literal(Literal::Fill(c)));
            }
            _ => return self.error(start, "expected a base after `'`: one of `b o d h`"),
        };
        self.at += 1;
        self.take_while(|c| c == ' ');
        let digits: String = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_').replace('_', "");
        self.literal(start, size, signed, shift, &digits)
    }

    /// Bits of a width, or of at least 32, from digits; `shift` is 0 for decimal ones.
    fn literal(
        &mut self,
        start: usize,
        size: Option<u32>,
        signed: bool,
        shift: usize,
        digits: &str,
    ) -> Result<Token, FormulaError> {
        let text = match shift {
            0 if matches!(digits, "x" | "X" | "z" | "Z") => Some(digits.to_owned()),
            0 => digits.parse::<u128>().ok().map(|number| format!("0{number:b}")),
            _ => based(shift, digits),
        };
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return self.error(start, "expected digits of this base");
        };
        let width = size.unwrap_or_else(|| 32.max(u32::try_from(text.trim_start_matches('0').len()).unwrap_or(32)));
        if width == 0 || width > WIDEST {
            return self.error(start, format!("a literal has from 1 to {WIDEST} bits"));
        }
        let first = text.chars().next().filter(|c| !c.is_ascii_digit()).unwrap_or('0');
        let fill = std::iter::repeat_n(first, (width as usize).saturating_sub(text.len()));
        let text: String = fill.chain(text.chars().skip(text.len().saturating_sub(width as usize))).collect();
        match BitVector::parse(&text) {
            Some(bits) => Ok(Token::Literal(Literal::Bits { bits, signed })),
            None => self.error(start, "expected digits of this base"),
        }
    }

    fn number(&mut self) -> Result<Token, FormulaError> {
        let start = self.at;
        if let Some(token) = self.prefixed(start)? {
            return Ok(token);
        }
        let digits = self.take_while(|c| c.is_ascii_digit() || c == '_').replace('_', "");
        let rest = self.rest();
        if rest.starts_with('\'') {
            return match digits.parse::<u32>() {
                Ok(size) if (1..=WIDEST).contains(&size) => self.tick(Some(size)),
                _ => self.error(start, format!("a literal has from 1 to {WIDEST} bits")),
            };
        }
        let fraction = rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit());
        if fraction {
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
        }
        let exponent = self.rest().strip_prefix(['e', 'E']).map(|rest| (rest, rest.strip_prefix(['-', '+'])));
        let exponent =
            exponent.filter(|(rest, signed)| signed.unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit()));
        if let Some((_, signed)) = exponent {
            self.at += 1 + usize::from(signed.is_some());
            self.take_while(|c| c.is_ascii_digit());
        }
        if self.rest().starts_with(is_inside) {
            self.take_while(is_inside);
            return self.error(start, "this is neither a number nor a name");
        }
        if fraction || exponent.is_some() {
            let number: f64 = self.text[start..self.at].replace('_', "").parse().unwrap_or(f64::INFINITY);
            return if number.is_finite() {
                Ok(Token::Literal(Literal::Real(number)))
            } else {
                self.error(start, "this number is too large")
            };
        }
        match digits.parse::<i128>() {
            Ok(number) => Ok(Token::Literal(Literal::Integer(number))),
            Err(_) => self.error(start, "this number is too large: write it with a width, such as `256'hff`"),
        }
    }

    /// `0x1f`, `0b01`, and the words of nuXmv: `0ud8_255`, `0b4_1010`, `0sh8_ff`.
    fn prefixed(&mut self, start: usize) -> Result<Option<Token>, FormulaError> {
        let Some(rest) = self.rest().strip_prefix('0') else { return Ok(None) };
        let body = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())];
        let signed = body.starts_with('s');
        let based = body.strip_prefix(['u', 's']).unwrap_or(body);
        let Some(base) = based.chars().next().filter(|c| "bodhx".contains(*c)) else { return Ok(None) };
        let shift = [('b', 1), ('o', 3), ('d', 0), ('h', 4), ('x', 4)].iter().find(|(c, _)| *c == base);
        let shift = shift.map_or(0, |(_, shift)| *shift);
        self.at += 1 + body.len();
        let digits = &based[1..];
        if base != 'x'
            && let Some((size, digits)) = digits.split_once('_')
        {
            return match size.parse::<u32>() {
                Ok(size) => self.literal(start, Some(size), signed, shift, &digits.replace('_', "")).map(Some),
                Err(_) => self.error(start, "expected the width before `_`, such as `0ud8_255`"),
            };
        }
        let digits = digits.replace('_', "");
        let number = match shift {
            0 => digits.parse().ok(),
            shift => i128::from_str_radix(&digits, 1 << shift).ok(),
        };
        match number {
            Some(number) => Ok(Some(Token::Literal(Literal::Integer(number)))),
            None => self.error(start, "expected digits of this base, and at most 127 bits"),
        }
    }
}

/// Digits of a base that is a power of two, as bits.
fn based(shift: usize, digits: &str) -> Option<String> {
    let mut bits = String::new();
    for c in digits.chars().filter(|c| *c != '_') {
        match c {
            'x' | 'X' | 'z' | 'Z' | '-' => bits.extend(std::iter::repeat_n(c, shift)),
            _ => {
                let digit = c.to_digit(1 << shift)?;
                bits.push_str(&format!("{digit:0shift$b}"));
            }
        }
    }
    (!bits.is_empty()).then_some(bits)
}

/// All bits equal to one character of `0 1 x z`.
pub(super) fn filled(character: char, width: u32) -> BitVector {
    let words = (width as usize).div_ceil(64).max(1);
    let (value, unknown) = match character {
        '0' => (0, 0),
        '1' => (u64::MAX, 0),
        'x' => (u64::MAX, u64::MAX),
        _ => (0, u64::MAX),
    };
    let mut bits =
        BitVector { width, value: SmallVec::from_elem(value, words), unknown: SmallVec::from_elem(unknown, words) };
    let mask = if width.is_multiple_of(64) { u64::MAX } else { (1 << (width % 64)) - 1 };
    bits.value[words - 1] &= mask;
    bits.unknown[words - 1] &= mask;
    bits
}

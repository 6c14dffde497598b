"""Seeds faults into C programs: a small tokenizer, the statements of functions, and a maker of changes for each family.

A program is changed where it may be wrong: in functions that are not trusted, without assertions and inputs, and in tables and macros
that the harness does not use. bench/faults says what the families are.
"""
import difflib
import fnmatch
import os
import re
import shlex
import sys

from algorithms import ALGORITHMS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAMILIES = ["relation", "logic", "arithmetic", "bits", "constant", "name", "index", "left-out", "added", "type", "swapped", "algorithm", "case"]
# What no single edit undoes, by family or kind.
LASTING = {"swapped", "algorithm", "case", "term", "else", "statement"}

# Flags of programs that do not carry them in their first line, and where the part that may be wrong begins and ends.
EXAMPLES = {
    "examples/tcas/tcas.c": ("-DEQUALS -I {folder} --unwind 5 --trust main --trust read_inputs --trust 'ref_*'", None),
    "examples/correct/bubble_sort.c": ("--unwind 6 --trust occurrences", ("for (int last", "number[i + 1] = spare;")),
    "examples/correct/gcd.c": ("--unwind 12 --trust main", None),
    "examples/correct/popcount.c": ("--unwind 18 --trust main --trust ones_one_by_one", None),
    "examples/correct/saturate.c": ("--trust main", None),
}

TOKEN = re.compile(r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<directive>^[ \t]*\#[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<char>'(?:\\.|[^'\\\n])+')
    |(?P<number>\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])*)|(?P<name>[A-Za-z_]\w*)|(?P<mark><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])""", re.DOTALL | re.MULTILINE | re.VERBOSE)
KEYWORDS = set("if else while for do switch case default return break continue goto sizeof struct enum union static const int unsigned signed char short long void bool "
               "int8_t uint8_t int16_t uint16_t int32_t uint32_t".split())
TYPES = set("int unsigned signed char short long void bool uint8_t uint16_t uint32_t".split())
RELATIONS = ["<", "<=", ">", ">=", "==", "!="]
ARITHMETIC = ["+", "-", "*", "/", "%"]
BITS = ["&", "|", "^", "<<", ">>"]
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
# How tight operators bind: what an operand of one may not reach over.
TIGHT = {",": 0, "=": 1, "?": 2, ":": 2, "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "<": 9, "<=": 9, ">": 9, ">=": 9, "<<": 10, ">>": 10,
         "+": 11, "-": 11, "*": 12, "/": 12, "%": 12}
OPEN, CLOSE = {"(", "[", "{"}, {")", "]", "}"}
NARROW = {"int": ["short", "signed char", "unsigned char"], "unsigned": ["unsigned char", "unsigned short"], "long": ["short"], "uint32_t": ["uint16_t"], "uint16_t": ["uint8_t"]}


class Token:
    """A word of a text, and where it stands."""

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)


def tokens_of(text):
    return [Token(match.lastgroup, match.group(), match.start()) for match in TOKEN.finditer(text)]


def significant(text):
    """What the compiler sees of a text, to compare two of them."""
    return [" ".join(token.text.split()) for token in tokens_of(text) if token.kind != "comment"]


class Statement:
    """A statement: its tokens from first up to and without last, those of its condition, and the statements in it."""

    def __init__(self, kind, first, last, condition=None, parts=()):
        self.kind, self.first, self.last, self.condition, self.parts = kind, first, last, condition, list(parts)

    def all(self):
        yield self
        for part in self.parts:
            yield from part.all()


class Fault:
    """A change of a program: what is replaced by what, and whether something is gone."""

    def __init__(self, family, kind, edits, gone=False, besides=None):
        self.family, self.kind, self.edits, self.gone, self.besides = family, kind, edits, gone, besides
        self.can_be_undone = family not in LASTING and kind not in LASTING

    def written(self, program):
        """The fault as plain data."""
        edits = [{"at": start, "old": program.text[start:end], "new": new} for start, end, new in self.edits]
        return {"program": program.name, "family": self.family, "kind": self.kind, "edits": edits, **({"gone": True} if self.gone else {}), **({"besides": self.besides} if self.besides is not None else {})}

    @staticmethod
    def read(program, data):
        for edit in data["edits"]:
            if program.text[edit["at"]:edit["at"] + len(edit["old"])] != edit["old"]:
                sys.exit(f"{program.path} has changed since its faults were chosen; --choose chooses again")
        return Fault(data["family"], data["kind"], [(edit["at"], edit["at"] + len(edit["old"]), edit["new"]) for edit in data["edits"]], data.get("gone", False), data.get("besides"))

    def apply(self, text):
        for start, end, new in sorted(self.edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text


def line_at(text, offset):
    return text.count("\n", 0, offset) + 1


def is_code(line):
    return re.sub(r"[{};\s]|/\*.*?\*/|//.*", "", line) != ""


def around(text, line, still):
    """Where something is gone: the line, if it is still there, and the nearest lines with code on both sides."""
    lines = text.split("\n")
    code = [number for number, each in enumerate(lines, 1) if is_code(each)]
    before = [number for number in code if number < line][-1:]
    after = [number for number in code if number > line or number == line and not still][:1]
    return {*before, *after, *([line] if still else [])}


class Program:
    """A correct program, and what may be changed in it."""

    def __init__(self, path):
        self.path, self.name = path, os.path.splitext(os.path.basename(path))[0]
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        flags, self.region = EXAMPLES.get(path, (None, None))
        if flags is None:
            flags = re.match(r"// flags: (.*)", text).group(1)
        words = shlex.split(flags.replace("{folder}", os.path.join(ROOT, os.path.dirname(path))))
        self.trusted = [words[i + 1] for i, word in enumerate(words) if word == "--trust"]
        self.explain_flags = words
        self.check_flags = [word for i, word in enumerate(words) if word != "--trust" and words[i - 1] != "--trust"]
        self.compile_flags = [word for i, word in enumerate(words) if word[:2] in ("-D", "-I") or (i and words[i - 1] == "-I")]
        self.read(text)
        self.protected = self.names_of_harness()

    def read(self, text):
        self.text = text
        everything = tokens_of(text)
        self.directives = [token for token in everything if token.kind == "directive"]
        self.tokens = [token for token in everything if token.kind not in ("comment", "directive")]
        self.words = [token.text for token in self.tokens] + [""]
        self.functions, self.globals, self.trusted_ranges = self.outline()

    def outline(self):
        """The functions that may be wrong, as (name, tokens of the head, body); ranges of tokens outside of functions; of trusted functions."""
        functions, outside, trusted, i, start = [], [], [], 0, 0
        while i < len(self.tokens):
            if self.words[i] == "{" and self.words[i - 1] == ")":
                head = self.opening(i - 1) - 1
                end = self.closing(i)
                name = self.words[head]
                if any(fnmatch.fnmatchcase(name, pattern) for pattern in self.trusted):
                    trusted.append((start, end + 1))
                else:
                    functions.append((name, (start, i), self.statement(i)))
                i = start = end + 1
            elif self.words[i] == ";":
                outside.append((start, i + 1))
                i = start = i + 1
            elif self.words[i] == "{":
                i = self.closing(i) + 1
            else:
                i += 1
        return functions, outside, trusted

    def closing(self, i):
        depth = 0
        while True:
            depth += (self.words[i] in OPEN) - (self.words[i] in CLOSE)
            if depth == 0:
                return i
            i += 1

    def opening(self, i):
        depth = 0
        while True:
            depth += (self.words[i] in CLOSE) - (self.words[i] in OPEN)
            if depth == 0:
                return i
            i -= 1

    def cuts(self, i):
        """The parenthesis at i, the commas between arguments, and the closing one."""
        found, end = [i], self.closing(i)
        i += 1
        while i < end:
            if self.words[i] == ",":
                found.append(i)
            i = self.closing(i) + 1 if self.words[i] in OPEN else i + 1
        return [*found, end]

    def statement(self, i):
        word = self.words[i]
        if word == "{":
            parts, end = [], self.closing(i)
            inner = i + 1
            while inner < end:
                parts.append(self.statement(inner))
                inner = parts[-1].last
            return Statement("block", i, end + 1, None, parts)
        if word in ("if", "while", "for", "switch"):
            close = self.closing(i + 1)
            parts = [self.statement(close + 1)]
            if word == "if" and self.words[parts[0].last] == "else":
                parts.append(self.statement(parts[0].last + 1))
            return Statement(word, i, parts[-1].last, (i + 2, close), parts)
        if word in ("case", "default"):
            while self.words[i] != ":":
                i += 1
            return Statement("label", i, i + 1)
        end = i
        while self.words[end] != ";":
            end = self.closing(end) + 1 if self.words[end] in OPEN else end + 1
        return Statement(word if word in ("return", "break", "continue", "goto") else "simple", i, end + 1)

    def names_of_harness(self):
        """Names that trusted code, assertions and inputs use: what these are must not change."""
        names = set()
        for first, last in self.trusted_ranges:
            names |= set(self.words[first:last])
        for _, _, body in self.functions:
            for statement in body.all():
                if statement.kind != "block" and not statement.parts and self.is_harness(statement):
                    names |= set(self.words[statement.first:statement.last])
        for token in self.directives:
            include = re.match(r'\s*#\s*include\s+"(.*)"', token.text)
            if include:
                with open(os.path.join(ROOT, os.path.dirname(self.path), include.group(1)), encoding="utf-8") as file:
                    names |= {token.text for token in tokens_of(file.read()) if token.kind == "name"}
        if self.region:
            # The harness is the rest of the function.
            first, last = self.span_of_region()
            names |= {token.text for token in self.tokens if not first <= token.start < last}
        return names

    def with_text(self, text):
        """The same program with another text."""
        again = object.__new__(Program)
        again.__dict__.update(self.__dict__)
        again.read(text)
        return again

    def harness(self):
        """The words of trusted functions, assertions and inputs."""
        own = [self.words[first:last] for first, last in self.trusted_ranges]
        statements = [part for _, _, body in self.functions for part in body.all() if not part.parts]
        return own, [self.words[part.first:part.last] for part in statements if self.is_harness(part)]

    def span_of_region(self):
        return self.text.index(self.region[0]), self.text.index(self.region[1]) + len(self.region[1])

    def is_harness(self, statement):
        words = self.words[statement.first:statement.last]
        return any(word in ("assert", "__CPROVER_assume") or word.startswith("nondet_") for word in words)

    def may_change(self, start):
        if not self.region:
            return True
        first, last = self.span_of_region()
        return first <= start < last

    def statements(self):
        """Statements that may be wrong, with the name of their function and the block they stand in."""
        for name, _, body in self.functions:
            for block in body.all():
                for part in block.parts:
                    if not self.is_harness(part) or part.parts:
                        if self.may_change(self.tokens[part.first].start):
                            yield name, block, part

    def expression_tokens(self):
        """Indices of tokens in code that may be wrong, with the name of their function: of simple statements and conditions."""
        for name, _, part in self.statements():
            span = part.condition or ((part.first, part.last) if not part.parts else None)
            if span and part.kind not in ("block", "label"):
                for i in range(*span):
                    yield name, i
            elif part.kind == "label":
                # A label starts at its colon; its constant stands before it.
                yield name, part.first - 1

    def table_tokens(self):
        """Indices of tokens of initialisers outside of functions that the harness does not use."""
        for first, last in self.globals:
            words = self.words[first:last]
            if "=" in words:
                equals = first + words.index("=")
                if not set(words[:words.index("=")]) - KEYWORDS & self.protected and self.may_change(self.tokens[first].start):
                    yield from range(equals, last)

    def text_of(self, first, last):
        return self.text[self.tokens[first].start:self.tokens[last - 1].end]

    def replace(self, family, kind, i, new, last=None):
        return Fault(family, kind, [(self.tokens[i].start, self.tokens[(last or i + 1) - 1].end, new)])

    def removal(self, first, last):
        """An edit that takes tokens away, with their lines where nothing else stands there."""
        start, end = self.tokens[first].start, self.tokens[last - 1].end
        begin, stop = self.text.rfind("\n", 0, start) + 1, self.text.find("\n", end)
        if not self.text[begin:start].strip() and not self.text[end:stop].strip():
            return (begin, stop + 1, "")
        return (start, end, "")

    def is_binary(self, i):
        return self.tokens[i - 1].kind in ("name", "number", "char") and self.words[i - 1] not in ("return", "case") or self.words[i - 1] in (")", "]")

    def operand(self, i, step):
        """The other end of the operand of the operator at i, to the left (-1) or right (1); inclusive."""
        tight = TIGHT[self.words[i]]
        i += step
        while True:
            word = self.words[i]
            if word in (OPEN if step < 0 else CLOSE) or word in ASSIGNMENTS or word in (";", "return", "case"):
                break
            if word in TIGHT and TIGHT[word] <= tight and (self.is_binary(i) or word in ",?:"):
                break
            if word in (CLOSE if step < 0 else OPEN):
                i = self.opening(i) if step < 0 else self.closing(i)
            i += step
        return i - step


def operators(program):
    """Faults of the families relation, logic, arithmetic and bits."""
    for _, i in program.expression_tokens():
        word = program.words[i]
        binary = program.is_binary(i)
        if word in RELATIONS:
            for other in RELATIONS:
                if other != word:
                    yield program.replace("relation", word + " " + other, i, other)
        elif word in ("&&", "||"):
            yield program.replace("logic", "connective", i, "||" if word == "&&" else "&&")
        elif word == "!":
            yield program.replace("logic", "negation less", i, "")
        elif word in ("++", "--"):
            yield program.replace("arithmetic", "step", i, "--" if word == "++" else "++")
        elif word in ("+=", "-="):
            yield program.replace("arithmetic", "assignment", i, "-=" if word == "+=" else "+=")
        elif word in ("&=", "|="):
            for other in ("&=", "|=", "^=", "="):
                if other != word:
                    yield program.replace("bits", "assignment", i, other)
        elif word in ARITHMETIC and binary:
            for other in ARITHMETIC:
                if other != word:
                    yield program.replace("arithmetic", "operator", i, other)
        elif word in BITS and binary:
            for other in BITS:
                if other != word:
                    yield program.replace("bits", "operator", i, other)
        elif word == "-":
            yield program.replace("arithmetic", "sign", i, "")
        elif word == "~":
            yield program.replace("bits", "complement", i, "")
    for _, _, part in program.statements():
        if part.condition and part.kind in ("if", "while"):
            first, last = part.condition
            condition = program.text_of(first, last)
            yield program.replace("logic", "negation more", first, f"!({condition})" if last > first + 1 else "!" + condition, last)
        if not part.parts:
            for i in range(part.first, part.last):
                if program.words[i] in ("&&", "||", "=") and program.tokens[i + 1].kind == "name" and "&&" in program.words[part.first:part.last]:
                    yield program.replace("logic", "negation more", i + 1, "!" + program.words[i + 1])


def shifted(number, by):
    """A number written as it was, larger by so much; none where that is not a whole number or would be negative."""
    match = re.fullmatch(r"(0[xX])?([0-9a-fA-F]+)([uUlL]*)", number)
    if not match or (match.group(1) is None and not match.group(2).isdigit()):
        return None
    value = int(match.group(2), 16 if match.group(1) else 10) + by
    if value < 0:
        return None
    return (f"{match.group(1)}{value:0{len(match.group(2))}x}" if match.group(1) else str(value)) + match.group(3)


def constants(program):
    places = [("constant", i) for _, i in program.expression_tokens()] + [("table", i) for i in program.table_tokens()]
    numbers = sorted({program.words[i] for _, i in places if program.tokens[i].kind == "number"})
    characters = sorted({program.words[i] for _, i in places if program.tokens[i].kind == "char"})
    names = sorted({program.words[i] for _, i in places if program.tokens[i].kind == "name" and re.fullmatch(r"[A-Z][A-Z_0-9]+", program.words[i])})
    for where, i in places:
        word = program.words[i]
        table = " in a table" if where == "table" else ""
        alike = next((words for words in (numbers, characters, names) if word in words), [])
        for other in alike:
            if other != word:
                yield program.replace("constant", ("table entry" if table else "another"), i, other)
        for by in (1, -1):
            other = shifted(word, by) if program.tokens[i].kind == "number" else None
            if other:
                yield program.replace("constant", ("table entry" if table else "one off"), i, other)
    for token in program.directives:
        define = re.match(r"(\s*#\s*define\s+(\w+)\s+)(.*)", token.text)
        if define and define.group(2) not in program.protected:
            for number in re.finditer(r"\b[0-9]\w*", define.group(3)):
                start = token.start + len(define.group(1)) + number.start()
                for other in {shifted(number.group(), 1), shifted(number.group(), -1), *numbers} - {None, number.group()}:
                    yield Fault("constant", "define", [(start, start + len(number.group()), other)])


def names(program):
    fields = sorted({word for i, word in enumerate(program.words) if program.words[i - 1] in (".", "->")})
    functions = sorted(name for name, _, _ in program.functions)
    variables, shared = {}, set()
    for first, last in program.globals:
        words = program.words[first:last]
        if words[0] in ("static", "int") and "(" not in words and "{" not in words[:words.index("=") if "=" in words else None]:
            shared |= {word for i, word in enumerate(words) if re.fullmatch(r"[a-z]\w*", word) and word not in KEYWORDS and words[i - 1] not in ("struct", "enum")}
    for name, (first, last), body in program.functions:
        found = set()
        for i in range(first, body.last):
            word = program.words[i]
            if program.tokens[i].kind == "name" and re.fullmatch(r"[a-z]\w*", word) and word not in KEYWORDS and program.words[i + 1] != "(" \
                    and program.words[i - 1] not in (".", "->", "struct", "enum", "goto") and not word.endswith("_t"):
                found.add(word)
        variables[name] = found | shared
    for name, i in program.expression_tokens():
        word = program.words[i]
        if program.tokens[i].kind != "name":
            continue
        if program.words[i - 1] in (".", "->"):
            choices, kind = fields, "field"
        elif program.words[i + 1] == "(" and word in functions:
            choices, kind = functions, "function"
            cuts = program.cuts(i + 1)
            arguments = [(one + 1, two) for one, two in zip(cuts, cuts[1:])]
            for (a, b), (c, d) in zip(arguments, arguments[1:]):
                if program.text_of(a, b) != program.text_of(c, d):
                    yield program.replace("name", "arguments", a, program.text_of(c, d) + ", " + program.text_of(a, b), d)
        elif word in variables[name] and program.words[i - 1] not in TYPES and program.words[i + 1] != "(":
            choices, kind = sorted(variables[name]), "variable"
        else:
            continue
        for other in choices:
            if other != word:
                yield program.replace("name", kind, i, other)


def indices(program):
    for _, i in program.expression_tokens():
        if program.words[i] == "[" and program.words[i - 2] not in TYPES | {"*"}:
            last = program.closing(i)
            inside = program.text_of(i + 1, last)
            for by in ("+ 1", "- 1"):
                safe = f"({inside})" if set(program.words[i + 1:last]) & {*BITS, *RELATIONS, "?"} else inside
                yield program.replace("index", by, i + 1, f"{safe} {by}", last)


def left_out(program):
    for _, i in program.expression_tokens():
        word = program.words[i]
        kind = {"&&": "conjunct", "||": "disjunct"}.get(word) or ("term" if word in ("+", "-", "|", "^", "*") and program.is_binary(i) else None)
        if kind:
            right = program.operand(i, 1)
            yield Fault("left-out", kind, [(program.tokens[i - 1].end, program.tokens[right].end, "")])
            left = program.operand(i, -1)
            if kind != "term" or word != "-":
                yield Fault("left-out", kind, [(program.tokens[left].start, program.tokens[i + 1].start, "")])
    text = significant(program.text)
    for _, block, part in program.statements():
        first, last = part.first, part.last
        words = program.words[first:last]
        needed = block.kind in ("if", "while", "for")
        edit = (program.tokens[first].start, program.tokens[last - 1].end, ";") if needed else program.removal(first, last)
        if part.kind in ("return", "break", "continue"):
            yield Fault("left-out", "jump", [edit], gone=True)
        elif part.kind == "simple":
            call = len(words) > 2 and words[1] == "(" and "=" not in words
            again = sum(text[i:i + len(words)] == words for i in range(len(text))) > 1
            yield Fault("left-out", "call" if call and again else "statement", [edit], gone=True)
            if "=" in words and words[0] in KEYWORDS and "const" not in words:
                equals = first + words.index("=")
                yield Fault("left-out", "initialisation", [(program.tokens[equals - 1].end, program.tokens[last - 2].end, "")])
        elif part.kind == "if":
            if len(part.parts) == 1 and program.words[first - 1] != "else":
                yield Fault("left-out", "guard", [program.removal(first, part.parts[0].first)], gone=True)
            elif len(part.parts) == 2 and part.parts[1].kind != "if":
                yield Fault("left-out", "else", [program.removal(part.parts[0].last, last)], gone=True)


def added(program):
    conditions = {}
    for name, _, part in program.statements():
        if part.condition and part.kind in ("if", "while"):
            conditions.setdefault(name, set()).add(program.text_of(*part.condition))
    for name, _, part in program.statements():
        others = sorted(conditions.get(name, ()))
        if part.condition and part.kind in ("if", "while"):
            first, last = part.condition
            own = program.text_of(first, last)
            for other in others:
                if other != own and "\n" not in own:
                    for word in ("&&", "||"):
                        safe = [f"({text})" if re.search(r"&&|\|\||\?", text) else text for text in (own, other)]
                        yield program.replace("added", "conjunct" if word == "&&" else "disjunct", first, f" {word} ".join(safe), last)
        elif part.kind == "simple" and program.words[part.first] not in KEYWORDS:
            for other in others:
                yield program.replace("added", "guard", part.first, f"if ({other}) {program.text_of(part.first, part.last)}", part.last)


def types(program):
    ranges = [("field", first, last) for first, last in program.globals if "struct" in program.words[first:last] and program.may_change(program.tokens[first].start)]
    ranges += [("head", head[0], body.first) for _, head, body in program.functions if not program.region]
    ranges += [("declared", part.first, part.last) for _, _, part in program.statements() if part.kind == "simple"]
    for kind, first, last in ranges:
        for i in range(first, last):
            before, follower = program.words[i - 1], program.tokens[i + 1] if i + 1 < last else None
            single = before not in ("unsigned", "signed", "long", "short") and (before != "(" or kind == "head")
            if program.words[i] in NARROW and single and follower and follower.kind == "name" and follower.text not in TYPES:
                for other in NARROW[program.words[i]]:
                    yield program.replace("type", kind, i, other)
    for _, _, part in program.statements():
        words = program.words[part.first:part.last]
        if part.kind == "return" and len(words) > 2:
            first = part.first + 1
        elif part.kind == "simple" and "=" in words and "{" not in words:
            first = part.first + words.index("=") + 1
        else:
            continue
        value = program.text_of(first, part.last - 1)
        for other in ("signed char", "unsigned char", "short"):
            yield program.replace("type", "cast", first, f"({other})({value})" if part.last - 1 > first + 1 else f"({other}){value}", part.last - 1)


def swapped(program):
    for _, block, part in program.statements():
        if block.kind != "block":
            continue
        at = block.parts.index(part)
        follower = block.parts[at + 1] if at + 1 < len(block.parts) else None
        if follower and part.kind == "simple" and follower.kind in ("simple", "if") and not program.is_harness(part) and not program.is_harness(follower):
            one, two = program.text_of(part.first, part.last), program.text_of(follower.first, follower.last)
            if one != two and two.count("\n") < 4 and program.may_change(program.tokens[follower.first].start):
                spans = [(program.tokens[each.first].start, program.tokens[each.last - 1].end) for each in (part, follower)]
                yield Fault("swapped", "statements", [(*spans[0], two), (*spans[1], one)])


def algorithms(program):
    for old, new in ALGORITHMS.get(program.name, []):
        if program.text.count(old) != 1:
            sys.exit(f"{program.path}: the lines to replace are there {program.text.count(old)} times:\n{old}")
        start = program.text.index(old)
        yield Fault("algorithm", "replaced", [(start, start + len(old), new)])


def cases(program):
    for _, block, part in program.statements():
        if part.kind == "switch":
            switch = program.tokens[part.first].start
            body = part.parts[0].parts
            labels = [i for i, each in enumerate(body) if each.kind == "label"]
            for one, two in zip(labels, labels[1:] + [len(body)]):
                first = body[one].first
                while program.words[first] not in ("case", "default"):
                    first -= 1
                if two > one + 1:
                    yield Fault("case", "case of a switch", [program.removal(first, body[two - 1].last)], gone=True, besides=switch)
        elif part.kind == "if" and program.words[part.first - 1] == "else" and len(part.parts) == 2:
            yield Fault("case", "else if", [program.removal(part.first - 1, part.parts[0].last)], gone=True)
        elif part.kind == "if" and block.kind == "block" and len(part.parts) == 1:
            yield Fault("case", "if", [program.removal(part.first, part.last)], gone=True)


MAKERS = [operators, constants, names, indices, left_out, added, types, swapped, algorithms, cases]


def faulty_lines(program, fault, text):
    """The lines of the changed text that are at fault."""
    start, end, new = min(fault.edits)
    line = line_at(text, start)
    if fault.gone:
        besides = {line_at(text, fault.besides)} if fault.besides is not None else set()
        behind = text[start:].lstrip()
        if program.text[start:end].lstrip().startswith("return") and text[: len(text) - len(behind)].endswith("\n") and behind.startswith("}"):
            besides.add(line_at(text, len(text) - len(behind)))
        return around(text, line, program.text[end - 1] != "\n") | besides
    if fault.family == "swapped":
        # The second statement begins where it did, but for the difference in length of what is before it.
        later, _, _ = max(fault.edits)
        return {line, line_at(text, later + len(new) - (end - start))}
    before, after = ([each.strip() for each in lines.split("\n")] for lines in (program.text[start:end], new))
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    changed = [number for kind, _, _, first, last in matcher.get_opcodes() if kind in ("replace", "insert") for number in range(first, last)]
    return {line + number for number in changed if is_code(after[number])} or {line}


def described(program, fault, text):
    """What was changed, in a line."""
    def short(what):
        one = " ".join(what.split())
        return one if len(one) <= 76 else one[:75] + "…"

    start, end, new = min(fault.edits)
    if fault.gone:
        return f"`{short(program.text[start:end])}` is gone"
    if fault.family == "swapped":
        return f"`{short(program.text[start:end])}` and `{short(new)}` are swapped"
    if fault.family == "algorithm":
        return f"`{short(program.text[start:end])}` became `{short(new)}`"
    line = line_at(text, start) - 1
    return f"`{short(program.text.splitlines()[line])}` became `{short(text.splitlines()[line])}`"

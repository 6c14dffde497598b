//! The dependence graph of a program: which line can matter to which.
//!
//! Nodes are lines of the user's text that do something; an edge says that one line can matter to another, by a value
//! (data) or by deciding whether it is executed (control). After Ferrante, Ottenstein and Warren, "The program
//! dependence graph and its use in optimization" (1987), for whole programs as Horwitz, Reps and Binkley do
//! ("Interprocedural slicing using dependence graphs", 1990, section 3), with lines in place of statements because
//! lines are what a person reads, and without their summary edges: paths may leave a function by another call than the
//! one they came by. What was chosen where the literature leaves a choice:
//!
//! * A line is a node if a statement, condition, `return`, parameter, declaration of an object or name of a function that
//!   is defined there starts on it: a function's entry and its parameters are one node if they share a line. What no
//!   lowered function mentions, prototypes and closing braces are none.
//! * A declaration defines what the object holds first: what its initialiser says, zero if it is static, else something
//!   undefined. Like every definition it reaches the reads that no assignment hides it from. Since a first value is often
//!   never read, a declaration reaches assignments and `&` of the object as well, again as long as no assignment hides
//!   it; the initialiser of a local is such an assignment, that of a static object is not, because nothing executes it.
//! * Variables are wholes: assigning a member or an element defines the variable and kills nothing.
//! * Values flow along every path of the whole program, through calls and back, so that a function that surely assigns a
//!   global hides what was there before (`dependence/reaching.rs`).
//! * A pointer may point to every object whose address is taken and to all memory from `malloc`
//!   (`dependence/effects.rs`).
//! * A call gives values to the parameters, a `return` with a value gives it to the calls. A call decides that the entry
//!   of the function is reached, and the entry decides parameters and what stands directly in the function. That a call
//!   may not come back is no dependence.
//! * Models of the library stand at the user's call, their entries and objects too. The start function and headers of the
//!   system have no lines.
//! * No line depends on itself.
//!
//! The cost is that of the edges, and of one bit for each definition at each block where it is visible: in a function for
//! locals, everywhere for the rest. Where thousands of lines store and load through pointers, their product is what
//! there is to say (10,000 such lines: a second; 40,000: a minute).

mod control;
mod effects;
mod given;
mod live;
mod reaching;
mod wanted;

use std::collections::{BTreeMap, HashMap, VecDeque};

pub use control::{Parent, parents};
use effects::{Effects, Extent, Object, Objects, Read};
pub(crate) use given::given;
pub(crate) use live::live_at;
use reaching::{Definition, Flow};
pub use wanted::wanted_part;

use crate::program::{
    Author, Function, FunctionId, GlobalId, Local, LocalId, Program, Statement, StatementKind, Terminator,
};
use crate::source::{FileId, Sources, Span};

/// A line of the user's text, under the name by which positions show its file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Line {
    /// The file.
    pub file: String,
    /// The number, from 1.
    pub line: u32,
}

/// How one line matters to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// By a value.
    Data,
    /// By deciding whether it is executed.
    Control,
}

/// `to` depends on `from`; both are positions in [`Dependences::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// What matters.
    pub from: usize,
    /// What it matters to.
    pub to: usize,
    /// How.
    pub kind: Kind,
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// The lines, sorted.
    pub nodes: Vec<Line>,
    /// The edges, sorted.
    pub edges: Vec<Edge>,
}

impl Dependences {
    /// The position of a line in the nodes.
    pub fn node(&self, line: &Line) -> Option<usize> {
        self.nodes.binary_search(line).ok()
    }

    /// What is found by following edges in both directions: the lines given, then those one edge away, and so on until
    /// nothing new comes.
    pub fn grow(&self, from: &[usize]) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            neighbours[edge.from].push(edge.to);
            neighbours[edge.to].push(edge.from);
        }
        breadth_first(&neighbours, from)
    }

    /// Every line that can matter to the given ones, they themselves included, sorted.
    pub fn backward(&self, from: &[usize]) -> Vec<usize> {
        let mut causes = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            causes[edge.to].push(edge.from);
        }
        let mut found = breadth_first(&causes, from).concat();
        found.sort_unstable();
        found
    }
}

/// The layers of a search; none is empty, and the first is what it starts from.
fn breadth_first(neighbours: &[Vec<usize>], from: &[usize]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; neighbours.len()];
    let mut layers = Vec::new();
    let mut layer = from.to_vec();
    loop {
        layer.sort_unstable();
        layer.dedup();
        layer.retain(|node| !std::mem::replace(&mut seen[*node], true));
        if layer.is_empty() {
            return layers;
        }
        let next = layer.iter().flat_map(|node| neighbours[*node].iter().copied()).collect();
        layers.push(std::mem::replace(&mut layer, next));
    }
}

/// The graph of a program.
pub fn dependences(program: &Program, sources: &Sources) -> Dependences {
    let mut graph = Graph { program, lines: Lines::new(sources), objects: Objects::of(program), edges: Vec::new() };
    for id in functions(program) {
        graph.nodes_of(id);
        graph.calls_of(id);
        graph.local_values(id);
    }
    graph.shared_values();
    graph.control();
    graph.finish()
}

/// Lines by number while the graph is made; they become nodes when they are marked or at the end of an edge.
struct Lines<'a> {
    sources: &'a Sources,
    numbers: HashMap<(FileId, u32), LineNumber>,
    by_name: BTreeMap<Line, LineNumber>,
    marked: Vec<bool>,
}

/// A line while the graph is made.
type LineNumber = u32;

impl<'a> Lines<'a> {
    fn new(sources: &'a Sources) -> Lines<'a> {
        Lines { sources, numbers: HashMap::new(), by_name: BTreeMap::new(), marked: Vec::new() }
    }

    /// The line on which a span starts, if it is the user's.
    fn at(&mut self, span: Span) -> Option<LineNumber> {
        if self.sources.file(span.file).system {
            return None;
        }
        let physical = (span.file, self.sources.physical_line(span.file, span.start));
        if let Some(number) = self.numbers.get(&physical) {
            return Some(*number);
        }
        let position = self.sources.position(span);
        // Line markers can give two lines the same name.
        let line = Line { file: position.file, line: position.line };
        let number = *self.by_name.entry(line).or_insert(self.marked.len() as LineNumber);
        if number as usize == self.marked.len() {
            self.marked.push(false);
        }
        self.numbers.insert(physical, number);
        Some(number)
    }

    fn mark(&mut self, line: Option<LineNumber>) {
        if let Some(line) = line {
            self.marked[line as usize] = true;
        }
    }
}

struct Graph<'a> {
    program: &'a Program,
    lines: Lines<'a>,
    objects: Objects,
    edges: Vec<(LineNumber, LineNumber, Kind)>,
}

impl Graph<'_> {
    /// The line of a piece of a function: none in the start function.
    fn line(&mut self, function: FunctionId, span: Span) -> Option<LineNumber> {
        match self.program.function(function).author {
            Author::Harness => None,
            Author::User | Author::Library => self.lines.at(span),
        }
    }

    fn edge(&mut self, from: Option<LineNumber>, to: Option<LineNumber>, kind: Kind) {
        if let (Some(from), Some(to)) = (from, to)
            && from != to
        {
            self.edges.push((from, to, kind));
        }
    }

    /// Where a function is entered.
    fn entry(&mut self, id: FunctionId) -> Option<LineNumber> {
        self.line(id, self.program.function(id).span)
    }

    /// Marks the lines of a function that do something.
    fn nodes_of(&mut self, id: FunctionId) {
        let function = self.program.function(id);
        if function.blocks.is_empty() {
            return;
        }
        let entry = self.entry(id);
        self.lines.mark(entry);
        for parameter in parameters(function) {
            let line = self.line(id, parameter.span);
            self.lines.mark(line);
        }
        for block in &function.blocks {
            for span in acting(function, &block.statements).chain(self.end(&block.end)) {
                let line = self.line(id, span);
                self.lines.mark(line);
            }
        }
    }

    /// What stands in the text for the end of a block. A function that ends without `return` does so at its brace,
    /// where nobody looks for anything.
    fn end(&self, end: &Terminator) -> Option<Span> {
        match end {
            Terminator::Branch { span, .. } => Some(*span),
            Terminator::Return { span, .. } => Some(*span).filter(|span| self.lines.sources.text(*span) != "}"),
            Terminator::Goto(_) | Terminator::Stop => None,
        }
    }

    /// From calls to parameters, and from what is returned to calls.
    fn calls_of(&mut self, caller: FunctionId) {
        let program = self.program;
        for statement in statements(program.function(caller)) {
            let StatementKind::Call { target, function: callee, arguments } = &statement.kind else { continue };
            let line = self.line(caller, statement.span);
            let function = program.function(*callee);
            for parameter in parameters(function).iter().take(arguments.len()) {
                let parameter = self.line(*callee, parameter.span);
                self.edge(line, parameter, Kind::Data);
            }
            for block in function.blocks.iter().filter(|_| target.is_some()) {
                if let Some(span) = self.end(&block.end)
                    && matches!(block.end, Terminator::Return { value: Some(_), .. })
                {
                    let returned = self.line(*callee, span);
                    self.edge(returned, line, Kind::Data);
                }
            }
        }
    }

    /// Values of locals that only their function can reach: calls pass them by.
    fn local_values(&mut self, id: FunctionId) {
        let mut flow = Flow::new(self.program.function(id).locals.len(), 0);
        let body = self.lay_out(&mut flow, Space::Locals, id);
        for call in body.calls {
            flow.successors[call.from].push(call.next);
        }
        self.values(&flow);
    }

    /// Values of globals, of locals that pointers can reach and of allocated memory: through the whole program.
    fn shared_values(&mut self) {
        let program = self.program;
        let mut flow = Flow::new(self.objects.shared, self.objects.exposed);
        let bodies: Vec<Body> = functions(program).map(|id| self.lay_out(&mut flow, Space::Shared, id)).collect();
        for call in bodies.iter().flat_map(|body| &body.calls) {
            let callee = &bodies[call.callee.index()];
            flow.successors[call.from].push(callee.entry);
            callee.returns.iter().for_each(|end| flow.successors[*end].push(call.next));
        }
        let start = bodies[program.start.index()].entry;
        for (number, global) in program.globals.iter().enumerate() {
            let is_literal = global.name.starts_with('"');
            if !is_literal {
                let line = self.lines.at(global.span);
                self.lines.mark(line);
                let object = self.objects.of_global(GlobalId(number as u32));
                flow.write(start, Definition { object, line, extent: Extent::Whole, declares: true });
            }
        }
        self.values(&flow);
    }

    /// Adds a function to a flow: a segment for its parameters, then its blocks, each cut after its calls.
    fn lay_out(&mut self, flow: &mut Flow, space: Space, id: FunctionId) -> Body {
        let function = self.program.function(id);
        let mut body = Body { entry: flow.segment(), calls: Vec::new(), returns: Vec::new() };
        for (number, parameter) in parameters(function).iter().enumerate() {
            let line = self.line(id, parameter.span);
            let write = self.objects.write_local(id, LocalId(number as u32), Extent::Whole);
            happen(flow, space, body.entry, line, &Effects { writes: vec![write], ..Effects::default() });
        }
        let mut first_of_block = Vec::new();
        let mut last_of_block = Vec::new();
        for block in &function.blocks {
            let mut segment = flow.segment();
            first_of_block.push(segment);
            for statement in &block.statements {
                let line = self.line(id, statement.span);
                if let StatementKind::Call { function: callee, arguments, .. } = &statement.kind {
                    let passed = self.objects.passed(self.program, id, arguments);
                    happen(flow, space, segment, line, &passed);
                    let next = flow.segment();
                    body.calls.push(Call { from: segment, callee: *callee, next });
                    segment = next;
                }
                let effects = self.objects.effects(self.program, id, statement);
                happen(flow, space, segment, line, &effects);
            }
            let line = self.end(&block.end).and_then(|span| self.line(id, span));
            let effects = self.objects.end(self.program, id, &block.end);
            happen(flow, space, segment, line, &effects);
            if matches!(block.end, Terminator::Return { .. }) {
                body.returns.push(segment);
            }
            last_of_block.push(segment);
        }
        flow.successors[body.entry].extend(first_of_block.first());
        for (block, last) in function.blocks.iter().zip(last_of_block) {
            flow.successors[last] =
                Program::successors(&block.end).iter().map(|to| first_of_block[to.index()]).collect();
        }
        body
    }

    fn values(&mut self, flow: &Flow) {
        for (from, to) in flow.dependences() {
            self.edge(Some(from), Some(to), Kind::Data);
        }
    }

    /// From calls to entries, from there to what stands directly in the function, from conditions to what they decide.
    fn control(&mut self) {
        let program = self.program;
        for id in functions(program) {
            let function = program.function(id);
            let entry = self.entry(id);
            for parameter in parameters(function) {
                let parameter = self.line(id, parameter.span);
                self.edge(entry, parameter, Kind::Control);
            }
            for statement in statements(function) {
                if let StatementKind::Call { function: callee, .. } = statement.kind {
                    let (call, entry) = (self.line(id, statement.span), self.entry(callee));
                    self.edge(call, entry, Kind::Control);
                }
            }
            let parents = parents(program, id);
            for (number, block) in function.blocks.iter().enumerate() {
                let deciding = self.deciding(id, &parents, number, entry);
                let spans = acting(function, &block.statements).chain(self.end(&block.end));
                let mut lines: Vec<_> = spans.map(|span| self.line(id, span)).collect();
                lines.sort_unstable();
                lines.dedup();
                for line in lines {
                    deciding.iter().for_each(|from| self.edge(Some(*from), line, Kind::Control));
                }
            }
        }
    }

    /// The lines that decide whether a block is executed. A branch without a line of its own stands for what decides it.
    fn deciding(
        &mut self,
        id: FunctionId,
        parents: &[Vec<Parent>],
        block: usize,
        entry: Option<LineNumber>,
    ) -> Vec<LineNumber> {
        let function = self.program.function(id);
        let mut lines = Vec::new();
        let mut seen = vec![block];
        let mut open = VecDeque::from([block]);
        while let Some(block) = open.pop_front() {
            for parent in &parents[block] {
                match parent {
                    Parent::Entry => lines.extend(entry),
                    Parent::Block(block) => {
                        let end = self.end(&function.blocks[*block].end);
                        match end.and_then(|span| self.line(id, span)) {
                            Some(line) => lines.push(line),
                            None if seen.contains(block) => {}
                            None => {
                                seen.push(*block);
                                open.push_back(*block);
                            }
                        }
                    }
                }
            }
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Lines get their places among the nodes.
    fn finish(mut self) -> Dependences {
        for (from, to, _) in &self.edges {
            self.lines.marked[*from as usize] = true;
            self.lines.marked[*to as usize] = true;
        }
        let mut places = vec![usize::MAX; self.lines.marked.len()];
        let mut nodes = Vec::new();
        for (line, number) in self.lines.by_name {
            if self.lines.marked[number as usize] {
                places[number as usize] = nodes.len();
                nodes.push(line);
            }
        }
        let edge = |(from, to, kind): &(u32, u32, Kind)| Edge {
            from: places[*from as usize],
            to: places[*to as usize],
            kind: *kind,
        };
        let mut edges: Vec<Edge> = self.edges.iter().map(edge).collect();
        edges.sort_unstable();
        edges.dedup();
        Dependences { nodes, edges }
    }
}

/// Which variables a flow is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    /// Locals that only their function can reach.
    Locals,
    /// Everything else.
    Shared,
}

/// A function in a flow.
struct Body {
    /// The segment where it starts.
    entry: usize,
    calls: Vec<Call>,
    /// The segments that return.
    returns: Vec<usize>,
}

/// A call in a flow.
struct Call {
    from: usize,
    callee: FunctionId,
    /// The segment after it.
    next: usize,
}

/// Adds to a segment what a statement reads and then writes, as far as the flow is about it.
fn happen(flow: &mut Flow, space: Space, segment: usize, line: Option<LineNumber>, effects: &Effects) {
    let number = |object: Object| match (space, object) {
        (Space::Locals, Object::Local(local)) => Some(local.index()),
        (Space::Shared, Object::Shared(number)) => Some(number),
        _ => None,
    };
    for read in &effects.reads {
        match (read, line) {
            (Read::Object(object), Some(line)) => {
                if let Some(object) = number(*object) {
                    flow.read(segment, object, line);
                }
            }
            (Read::Pointed, Some(line)) if space == Space::Shared => flow.read_exposed(segment, line),
            _ => {}
        }
    }
    for object in effects.mentions.iter().filter_map(|object| number(*object)) {
        line.into_iter().for_each(|line| flow.mention(segment, object, line));
    }
    for write in &effects.writes {
        if let Some(object) = number(write.object) {
            flow.write(segment, Definition { object, line, extent: write.extent, declares: effects.declares });
        }
    }
}

/// The statements that make their lines nodes: not the end of an object, and not the birth of one of ours.
fn acting<'a>(function: &'a Function, statements: &'a [Statement]) -> impl Iterator<Item = Span> {
    let acts = |statement: &&Statement| match statement.kind {
        StatementKind::Declare { local } => !function.locals[local.index()].name.starts_with('$'),
        StatementKind::Kill { .. } => false,
        _ => true,
    };
    statements.iter().filter(acts).map(|statement| statement.span)
}

fn functions(program: &Program) -> impl Iterator<Item = FunctionId> + use<> {
    (0..program.functions.len() as u32).map(FunctionId)
}

fn statements(function: &Function) -> impl Iterator<Item = &Statement> {
    function.blocks.iter().flat_map(|block| &block.statements)
}

fn parameters(function: &Function) -> &[Local] {
    &function.locals[..function.parameters as usize]
}

#[cfg(test)]
mod tests;

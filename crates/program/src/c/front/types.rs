//! Types of the checker as types of the program.
//!
//! Qualifiers and typedefs go; a record or enumeration without a tag takes the name of its typedef. Equal types are one
//! entry of the table. Records of one unit differ by where they are defined; a record with a tag that another unit
//! defines alike is the same record, since both come from one header.

use std::collections::HashMap;

use rucc_types::{ArrayLen, EnumId, FloatKind, IntKind, RecordId, RecordKind, TypeKind, layout};

use super::small::WIDENS;
use super::unit::Unit;
use crate::c::promote::WIDE_INT;
use crate::program::{Field, Type, TypeId};

/// The table of types under construction.
#[derive(Default)]
pub(super) struct TypeTable {
    pub(super) types: Vec<Type>,
    interned: HashMap<Type, TypeId>,
    /// Records by what they look like, for those that several units define.
    records: HashMap<String, TypeId>,
    /// Vectors by the type and the number of their lanes, and the other way round.
    vectors: HashMap<(TypeId, u64), TypeId>,
}

/// What one unit's ids became.
#[derive(Default)]
pub(super) struct UnitTypes {
    ids: HashMap<rucc_types::TypeId, TypeId>,
    records: HashMap<RecordId, TypeId>,
    /// Names of typedefs for records and enumerations without a tag.
    typedefs: Option<HashMap<TypeKind, String>>,
}

impl TypeTable {
    /// The id of a type that is not a record.
    pub(super) fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.interned.get(&ty) {
            return *id;
        }
        let id = self.push(ty.clone());
        self.interned.insert(ty, id);
        id
    }

    /// A vector of so many lanes: a record of one array without a name.
    fn vector(&mut self, name: String, of: TypeId, length: u64, size: u64) -> TypeId {
        if let Some(found) = self.vectors.get(&(of, length)) {
            return *found;
        }
        let ty = self.intern(Type::Array { of, length });
        let field = Field { name: String::new(), ty, bit_offset: 0, bits: size * 8, bit_field: false };
        let id = self.push(Type::Record { name, union: false, fields: vec![field], size });
        self.vectors.insert((of, length), id);
        id
    }

    /// Of a vector the type of its array, the type of its lanes, and how many these are.
    pub(super) fn lanes(&self, ty: TypeId) -> Option<(TypeId, TypeId, u64)> {
        let Type::Record { fields, .. } = &self.types[ty.0 as usize] else { return None };
        let array = fields.first()?.ty;
        let Type::Array { of, length } = self.types[array.0 as usize] else { return None };
        (self.vectors.get(&(of, length)) == Some(&ty)).then_some((array, of, length))
    }

    /// A new entry of the table.
    pub(super) fn push(&mut self, ty: Type) -> TypeId {
        self.types.push(ty);
        TypeId(self.types.len() as u32 - 1)
    }

    /// A pointer to a type.
    pub(super) fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer { to })
    }

    /// A standard integer type.
    pub(super) fn integer(&mut self, unit: &Unit, kind: IntKind) -> TypeId {
        let name = match kind {
            IntKind::Short if unit.model.has_small_int() => "int",
            IntKind::UShort if unit.model.has_small_int() => "unsigned int",
            IntKind::Int | IntKind::UInt if unit.model.has_small_int() => WIDE_INT,
            kind => kind.as_str(),
        };
        self.intern(Type::Integer {
            name: name.to_owned(),
            bits: rucc_types::int_width(kind, &unit.target),
            signed: kind.is_signed(unit.target.char_is_signed),
            character: matches!(kind, IntKind::Char | IntKind::SChar | IntKind::UChar),
        })
    }

    /// Our id of a type of the unit.
    pub(super) fn convert(&mut self, unit: &Unit, cache: &mut UnitTypes, ty: rucc_types::TypeId) -> TypeId {
        if let Some(id) = cache.ids.get(&ty) {
            return *id;
        }
        let size = |ty| layout(&unit.types, ty, &unit.target).map_or(0, |layout| layout.size);
        let converted = match unit.types.kind(unit.types.canonical(ty)) {
            TypeKind::Void => self.intern(Type::Void),
            TypeKind::Bool => self.intern(Type::Bool),
            TypeKind::Int(kind) => self.integer(unit, kind),
            // The promoted value of a wide bit-field, too.
            TypeKind::BitInt { signed, width } => {
                let name = rucc_types::spell(&unit.types, &unit.names, unit.types.canonical(ty));
                self.intern(Type::Integer { name, bits: width, signed, character: false })
            }
            TypeKind::Float(kind) => {
                let bits = u32::try_from(size(ty) * 8).unwrap_or(0);
                self.intern(Type::Float { name: kind.as_str().to_owned(), bits })
            }
            kind @ TypeKind::Vector { elem, .. } => {
                let of = self.convert(unit, cache, elem);
                let name = cache
                    .typedef(unit, kind)
                    .unwrap_or_else(|| rucc_types::spell(&unit.types, &unit.names, unit.types.canonical(ty)));
                self.vector(name, of, size(ty) / size(elem).max(1), size(ty))
            }
            TypeKind::Complex(part) => {
                let of = self.convert(unit, cache, part);
                let length = size(ty) / size(part).max(1);
                self.intern(Type::Array { of, length })
            }
            TypeKind::Pointer(to) => {
                let to = self.convert(unit, cache, to);
                self.pointer(to)
            }
            TypeKind::Atomic(inner) => self.convert(unit, cache, inner),
            TypeKind::Array { elem, len } => {
                let of = self.convert(unit, cache, elem);
                let length = if let ArrayLen::Fixed(length) = len { length } else { 0 };
                self.intern(Type::Array { of, length })
            }
            TypeKind::Function(_) => {
                let name = rucc_types::spell(&unit.types, &unit.names, unit.types.canonical(ty));
                let small = unit.model.has_small_int();
                let name = if small { name.replace("short int", "int").replace("short", "int") } else { name };
                self.intern(Type::Function { name })
            }
            TypeKind::Record(id) => self.record(unit, cache, id),
            TypeKind::Enum(id) => self.enumeration(unit, cache, id),
            TypeKind::Typedef { underlying, .. } => self.convert(unit, cache, underlying),
        };
        cache.ids.insert(ty, converted);
        converted
    }

    fn record(&mut self, unit: &Unit, cache: &mut UnitTypes, id: RecordId) -> TypeId {
        if let Some(found) = cache.records.get(&id) {
            return *found;
        }
        let info = unit.types.record_info(id);
        let name = match info.tag {
            Some(tag) => format!("{} {}", info.kind.as_str(), unit.text(tag)),
            None => cache.typedef(unit, TypeKind::Record(id)).unwrap_or_else(|| info.kind.as_str().to_owned()),
        };
        let look = look(unit, id, &name);
        if let Some(found) = self.records.get(&look) {
            cache.records.insert(id, *found);
            return *found;
        }
        let union = info.kind == RecordKind::Union;
        let size = info.layout.map_or(0, |layout| layout.size);
        // Its place first: the fields may point back at it.
        let place = self.push(Type::Record { name: name.clone(), union, fields: Vec::new(), size });
        cache.records.insert(id, place);
        let mut fields = Vec::new();
        // What stands behind a member of variable length has no offset here (`variable`).
        let placed = info.variable.as_ref().and_then(|variable| variable.offsets.iter().position(Option::is_some));
        for field in info.fields.iter().take(placed.unwrap_or(info.fields.len())) {
            let ty = self.convert(unit, cache, field.ty);
            let whole = layout(&unit.types, field.ty, &unit.target).map_or(0, |layout| layout.size * 8);
            fields.push(Field {
                name: field.name.map(|name| unit.text(name).to_owned()).unwrap_or_default(),
                ty,
                bit_offset: u64::try_from(field.bit_offset()).unwrap_or(u64::MAX),
                bits: field.bits.map_or(whole, u64::from),
                bit_field: field.is_bit_field(),
            });
        }
        self.types[place.0 as usize] = Type::Record { name, union, fields, size };
        if info.layout.is_some() {
            self.records.insert(look, place);
        }
        place
    }

    fn enumeration(&mut self, unit: &Unit, cache: &mut UnitTypes, id: EnumId) -> TypeId {
        let info = unit.types.enum_info(id);
        let underlying = info.underlying.unwrap_or_else(|| unit.types.int(IntKind::UInt));
        let shape = rucc_types::integer_info(&unit.types, underlying, &unit.target);
        let bits = layout(&unit.types, underlying, &unit.target).map_or(32, |layout| layout.size as u32 * 8);
        let name = match info.tag {
            Some(tag) => format!("enum {}", unit.text(tag)),
            None => cache.typedef(unit, TypeKind::Enum(id)).unwrap_or_else(|| "enum".to_owned()),
        };
        let named = info.enumerators.iter().map(|e| (unit.text(e.name).to_owned(), e.value));
        let members = named.filter(|(name, _)| !name.starts_with(WIDENS)).collect();
        self.intern(Type::Enum { name, bits, signed: shape.is_some_and(|shape| shape.signed), members })
    }
}

impl UnitTypes {
    fn typedef(&mut self, unit: &Unit, kind: TypeKind) -> Option<String> {
        let typedefs = self.typedefs.get_or_insert_with(|| {
            let mut found = HashMap::new();
            for alias in unit.types.aliases() {
                let kind = unit.types.kind(unit.types.canonical(alias.of));
                found.entry(kind).or_insert_with(|| unit.text(alias.name).to_owned());
            }
            found
        });
        typedefs.get(&kind).cloned()
    }
}

/// A text that is equal for records that are alike. Records of one unit never are: unnamed ones and incomplete ones
/// carry their number.
fn look(unit: &Unit, id: RecordId, name: &str) -> String {
    let info = unit.types.record_info(id);
    let mut text = format!("{name} {:?}", info.layout);
    // Two versions of a program mean the same record by the same name.
    let is_compared =
        unit.is_compared && info.tag.is_none() && !name.contains(' ') && !["struct", "union"].contains(&name);
    if info.layout.is_none() || info.tag.is_none() && !is_compared {
        text += &format!(" unit {} {id:?}", unit.index);
    }
    for field in &info.fields {
        let field_name = field.name.map(|name| unit.text(name)).unwrap_or_default();
        let spelled = rucc_types::spell(&unit.types, &unit.names, field.ty);
        text += &format!("; {field_name} {} {:?} {spelled}", field.bit_offset(), field.bits);
    }
    text
}

/// Why no expression may have this type, if so.
pub(super) fn unsupported(unit: &Unit, ty: rucc_types::TypeId) -> Option<String> {
    let canonical = unit.types.canonical(ty);
    let name = || rucc_types::spell(&unit.types, &unit.names, canonical);
    match unit.types.kind(canonical) {
        TypeKind::Float(FloatKind::Float | FloatKind::Float32 | FloatKind::Double) => None,
        TypeKind::Float(FloatKind::Float64 | FloatKind::Float32x) => None,
        TypeKind::Float(FloatKind::LongDouble) if has_known_long_double(unit) => None,
        TypeKind::Float(_) => Some(format!("arithmetic in {}", name())),
        TypeKind::Complex(_) => Some(format!("complex arithmetic ({})", name())),
        TypeKind::Vector { elem, .. } => unsupported(unit, elem),
        TypeKind::BitInt { width, .. } if width > 128 => Some(format!("arithmetic in {}", name())),
        TypeKind::Atomic(inner) => unsupported(unit, inner),
        TypeKind::Record(_) if is_variable_record(unit, ty) => {
            Some("the value of a record of variable length".to_owned())
        }
        TypeKind::Record(id) if unit.types.record_info(id).reverse => Some("a record in foreign byte order".to_owned()),
        TypeKind::Enum(_) if unit.types.hardbool_of(canonical).is_some() => Some("a hardbool".to_owned()),
        _ => None,
    }
}

/// Whether `long double` is `double`, or what x86 has for it (`extended`): that is told by the bits of the significand.
fn has_known_long_double(unit: &Unit) -> bool {
    let precision = unit.target.long_double_format.precision();
    precision == 53 || precision == 64 && unit.target.little_endian
}

/// Whether a type is a record with an array of variable length in it.
pub(super) fn is_variable_record(unit: &Unit, ty: rucc_types::TypeId) -> bool {
    let kind = unit.types.kind(unit.types.canonical(ty));
    matches!(kind, TypeKind::Record(id) if unit.types.record_info(id).variable.is_some())
}

/// Whether objects of a type have padding bits that we do not know of: `_BitInt(40)` takes 64.
pub(super) fn is_padded(unit: &Unit, ty: rucc_types::TypeId) -> bool {
    let kind = unit.types.kind(unit.types.canonical(ty));
    matches!(kind, TypeKind::BitInt { width, .. } if !matches!(width, 8 | 16 | 32 | 64 | 128))
}

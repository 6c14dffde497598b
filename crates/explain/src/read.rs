//! Readers of files that are not programs: bytes in, plain values out, errors with places.

pub mod inputs;

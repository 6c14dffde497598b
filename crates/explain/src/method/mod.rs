//! The methods, a file each: plain values in, plain values out.

pub mod delta;
pub mod minimise;

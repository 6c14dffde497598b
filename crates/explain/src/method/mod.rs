//! The methods, a file each: plain values in, plain values out.

pub mod minimise;
mod values;

//! The methods, a file each: plain values in, plain values out.

pub mod cause;
pub mod delta;
pub mod minimise;
pub mod nearest;
pub mod route;
pub mod slice;

//! What `nearmiss causes` found, for people and for waveform viewers: a file per form.
//!
//! They read a [`TraceReport`](nearmiss_trace::report::TraceReport); only [`listing`] needs no more than the signals of a
//! trace. [`text`] is for a terminal, [`json`] for programs, [`html`] is a page to look at; [`gtkw`] and [`surfer`] open the
//! user's own trace in a viewer with the causes marked; [`vcd`] is a trace of its own that any viewer reads. What a cause
//! is called is decided in `sentence`, how a value is written in `value`.

pub mod gtkw;
pub mod html;
pub mod json;
pub mod listing;
mod marks;
mod pack;
#[cfg(test)]
mod sample;
pub(crate) mod sentence;
pub mod surfer;
pub mod text;
pub(crate) mod value;
pub mod vcd;
pub mod why;

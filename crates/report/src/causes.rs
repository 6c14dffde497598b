//! What `nearmiss causes` found, for people and for waveform viewers: a file per form.
//!
//! All of them read a [`TraceReport`](nearmiss_trace::report::TraceReport) and nothing else. [`html`] is a page to
//! look at; [`gtkw`] and [`surfer`] open the user's own trace in a viewer with the causes marked; [`vcd`] is a trace of its
//! own that any viewer reads. What a cause is called is decided in [`words`], how a value is written in [`value`].

pub mod gtkw;
pub mod html;
pub mod json;
pub mod listing;
mod marks;
mod pack;
#[cfg(test)]
mod sample;
pub mod sentence;
pub mod surfer;
pub mod text;
mod value;
pub mod vcd;

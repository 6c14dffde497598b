//! Builds nothing. A package without a build script has no build dependencies, and this one needs `cc` with its feature
//! `parallel`: features are shared by all that build with it, so CaDiCaL is compiled on all cores instead of one.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}

//! What sanitizers print: any text names some places, or none.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearmiss_explain::imported::sanitizer;

fuzz_target!(|bytes: &[u8]| {
    for place in sanitizer::places(bytes) {
        assert!(!place.file.is_empty() && !place.file.contains('/'));
    }
});

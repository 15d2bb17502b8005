#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| equipoise_fuzz::acpc(&String::from_utf8_lossy(bytes)));

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| equipoise_fuzz::game_file(text));

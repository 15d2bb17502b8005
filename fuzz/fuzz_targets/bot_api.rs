#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| equipoise_fuzz::bot_api(&String::from_utf8_lossy(bytes)));

//! Solves a spot file and prints what it costs: `cargo run --release --example spot -- file.toml [key=value …]`.
//!
//! Keys: `target` (% of pot), `iterations`, `threads`, `algorithm`, `iso` (true, false), `bits` (32, 16, 8, 4),
//! `strategy` (bits), `log` (true, false), `lazy` (iterations),
//! `time` (so many iterations without checks).

use std::time::Instant;

use equipoise_postflop::{Options, Precision, Progress, Solver, Storage, Verdict};

#[allow(unreachable_pub)]
#[path = "../tests/common/spot_file.rs"]
mod spot_file;

fn precision(bits: &str) -> Result<Precision, String> {
    let found = Precision::ALL.into_iter().find(|precision| precision.bits().to_string() == bits);
    found.ok_or_else(|| format!("no precision of {bits} bits"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file?")?;
    let (spot, bits) = spot_file::read(&std::fs::read_to_string(path)?)?;
    let mut options = Options { target_pct: 0.1, storage: bits, ..Options::default() };
    let mut timed = 0;
    for argument in arguments {
        let (key, value) = argument.split_once('=').ok_or("key=value")?;
        match key {
            "target" => options.target_pct = value.parse()?,
            "iterations" => options.max_iterations = value.parse()?,
            "threads" => options.threads = Some(value.parse()?),
            "algorithm" => options.algorithm = value.parse()?,
            "iso" => options.isomorphism = value.parse()?,
            "bits" => options.storage = Storage::of(precision(value)?),
            "strategy" => options.storage.strategy = precision(value)?,
            "log" => options.storage.log_encoding = value.parse()?,
            "lazy" => options.storage.lazy_normalization = Some(value.parse()?),
            "time" => timed = value.parse()?,
            _ => return Err(format!("no key {key}").into()),
        }
    }
    println!("{:?}", Solver::memory(&spot, &options));
    let start = Instant::now();
    let mut solver = Solver::new(spot, &options)?;
    println!("set-up {:.3} s, {} MiB", start.elapsed().as_secs_f64(), solver.solution().memory_bytes() >> 20);
    if timed > 0 {
        let mut best = f64::INFINITY;
        for _ in 0..25 {
            let start = Instant::now();
            solver.iterate(timed);
            let taken = start.elapsed().as_secs_f64() * 1e3 / f64::from(timed);
            print!("{taken:.3} ");
            best = best.min(taken);
        }
        println!("{best:.4} ms per iteration");
        let start = Instant::now();
        solver.check();
        println!("{:.4} ms per check", start.elapsed().as_secs_f64() * 1e3);
        return Ok(());
    }
    let reason = solver.run(&mut |progress: &Progress| {
        if let Some(exploitability) = progress.exploitability {
            println!(
                "{:5} {:.4} % {:.3} s",
                progress.iteration,
                exploitability.pct_pot,
                progress.elapsed.as_secs_f64()
            );
        }
        Verdict::Continue
    });
    let elapsed = solver.solution().elapsed().as_secs_f64();
    println!(
        "{reason:?} {:.4} ms per iteration with checks",
        1e3 * elapsed / f64::from(solver.solution().iterations())
    );
    for ev in solver.solution_mut().evs() {
        println!("{}: {} combos, ev {:.4}, equity {:.6}", ev.player, ev.combos.len(), ev.mean, ev.equity);
    }
    for (action, frequency) in solver.solution().root_frequencies() {
        println!("{action} {frequency:.4}");
    }
    Ok(())
}

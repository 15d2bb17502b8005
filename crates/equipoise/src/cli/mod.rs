//! The command line: reads arguments, calls the library, prints. One module for each command.

mod abstraction;
mod amounts;
mod atomic_file;
mod batch;
mod bench;
mod blueprint;
mod browse;
mod cache;
mod cfr;
mod compare;
mod completions;
mod equity;
mod equity_query;
mod eval;
mod export;
mod failure;
mod grid;
mod help;
mod history;
mod icm;
mod import;
mod info;
mod man;
mod new;
mod outputs;
mod play;
mod pot_odds;
mod preflop;
mod print;
mod pushfold;
mod range;
mod range_list;
mod resolve;
mod resolve_measure;
mod resume;
mod rules;
mod runouts;
mod saved;
mod serve;
mod shipped;
mod show;
mod slurm;
mod solve;
mod spot;
mod table;
mod tree;
mod typed_path;
mod upi;
mod user_ranges;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches as _, Parser, Subcommand, ValueEnum};

use equipoise::cards::KernelChoice;
use failure::{BadInput, Failure};
use print::Printer;

/// A Texas hold'em game-theory engine: hand strength, ranges, equity and exact postflop equilibria
#[derive(Parser)]
#[command(name = "equipoise", version, max_term_width = 100, after_help = OVERVIEW)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// When to use colour; NO_COLOR and CLICOLOR_FORCE are honoured too
    #[arg(long, alias = "colour", value_name = "WHEN", default_value = "auto", global = true)]
    #[arg(display_order = 101)]
    color: Colour,
}

const OVERVIEW: &str = "\
Examples:
  equipoise new srp-btn-bb -o spot.toml              a spot to begin with
  equipoise solve                                    the turn spot that ships with the program
  equipoise show x.eqp --node 'check bet:120'        a decision of a saved solution
  equipoise browse x.eqp                             walk through it in the terminal
  equipoise info x.eqp                               what was solved: ranges, bet sizes, rake, locks
  equipoise export x.eqp -o x.parquet                a whole solution for polars, duckdb or pandas
  equipoise import script.txt -o spot.toml           a spot of another program
  equipoise history hands.txt --to phh               hand histories, shown and converted
  equipoise batch run plan.toml -o folder            one spot over many flops
  equipoise serve --open                             set up, solve and browse spots in a browser
  equipoise upi < script.txt                         scripts for another solver's text protocol
  equipoise equity AhAd KcKs                         two known hands, every deal counted
  equipoise equity 'QQ+,AKs' random --board Td9d6h   ranges on a flop
  equipoise eval 'As Ks Qs Js Ts 2c 3d'              what seven cards are worth
  equipoise range 'TT+,AKs:0.5'                      a range as a grid
  equipoise pot-odds --pot 150 --call 50             the equity that a call needs
  equipoise pushfold --stack 10                      jam or fold, heads-up
  equipoise icm 5000 3000 2000 --payouts 50,30,20    what tournament stacks are worth
  equipoise rules count --blinds 1,2 --stack 400     how large heads-up no-limit hold'em is
  equipoise preflop --stack 20 --flops 25            charts before the flop, flops played to the end
  equipoise blueprint train A-20 -o x.eqb            a strategy for whole hands, and what it loses
  equipoise resolve x.eqb --line 'c x | Td9d6h'      re-solve a decision of a whole hand
  equipoise play x.eqb                               play hands against it, here in the terminal
  equipoise review hands.phhs x.eqb                  what decisions of played hands gave away
  equipoise match x.eqb call --hands 10000           two players, duplicate deals, AIVAT
  equipoise lbr x.eqb --streets 3-4                  what a simple opponent wins at least
  equipoise abstraction features Td9d6h AhKh         strength and potential of a hand
  equipoise cfr leduc --algorithm apdcfr+            how fast algorithms converge on a small game
  equipoise bench                                    how fast spots are solved on this machine

Every command explains itself with --help.
EQUIPOISE_KERNEL=portable, avx2 (the default) or avx512 are the most instructions that are used.
Exit codes: 0 done, 1 failure, 2 bad input, 75 another process is at it, 130 interrupted.
With --json what went wrong is a JSON document too, on the last line of standard error.";

#[derive(Subcommand)]
enum Command {
    New(new::NewArgs),
    Solve(solve::SolveArgs),
    Resume(resume::ResumeArgs),
    Show(show::ShowArgs),
    Browse(browse::BrowseArgs),
    Info(info::InfoArgs),
    Tree(tree::TreeArgs),
    Runouts(runouts::RunoutsArgs),
    Compare(compare::CompareArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    History(history::HistoryArgs),
    Batch(batch::BatchArgs),
    Serve(serve::ServeArgs),
    Upi(upi::UpiArgs),
    Equity(equity::EquityArgs),
    Eval(eval::EvalArgs),
    Range(range::RangeArgs),
    PotOdds(pot_odds::PotOddsArgs),
    #[command(name = "pushfold")]
    PushFold(pushfold::PushFoldArgs),
    Icm(icm::IcmArgs),
    Rules(rules::RulesArgs),
    Preflop(preflop::PreflopArgs),
    Blueprint(blueprint::BlueprintArgs),
    Resolve(resolve::ResolveArgs),
    Match(play::MatchArgs),
    Lbr(play::LbrArgs),
    Bot(play::BotArgs),
    Play(play::PlayArgs),
    Review(play::ReviewArgs),
    Translate(play::TranslateArgs),
    Abstraction(abstraction::AbstractionArgs),
    Cfr(cfr::CfrArgs),
    Bench(bench::BenchArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

#[derive(Clone, Copy, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

impl From<Colour> for anstream::ColorChoice {
    fn from(colour: Colour) -> anstream::ColorChoice {
        match colour {
            Colour::Auto => anstream::ColorChoice::Auto,
            Colour::Always => anstream::ColorChoice::Always,
            Colour::Never => anstream::ColorChoice::Never,
        }
    }
}

/// The commands as completions and man pages describe them: without `help`, which would repeat each of them.
fn described() -> clap::Command {
    Cli::command().disable_help_subcommand(true)
}

/// Help and version are answers on standard output; anything else that ends the parsing is bad input.
fn without_command(answer: &clap::Error, as_json: bool) -> ExitCode {
    if as_json && answer.use_stderr() {
        let text = answer.to_string();
        let message = text.lines().next().unwrap_or_default();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        return Failure::from(BadInput::new(message).help(answer_help(&text))).report(true);
    }
    match (answer.print(), answer.use_stderr()) {
        (Err(failed), false) => Failure::from(failed).report(as_json),
        (_, is_bad_input) => ExitCode::from(if is_bad_input { 2 } else { 0 }),
    }
}

/// What clap says after its first line, on one line.
fn answer_help(text: &str) -> String {
    let lines = text.lines().skip(1).map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("; ")
}

/// Does what the arguments say and reports failures; the exit codes are those of [`Failure::exit_code`].
pub(crate) fn run() -> ExitCode {
    // Also where the arguments cannot be read.
    let as_json = std::env::args_os().any(|argument| argument == "--json");
    let parsed =
        help::fitted(Cli::command()).try_get_matches().and_then(|found| Cli::from_arg_matches(&found));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(answer) => return without_command(&answer, as_json),
    };
    if let Err(unknown) = KernelChoice::from_environment() {
        return Failure::from(BadInput::new(unknown)).report(as_json);
    }
    equipoise_files::report_size_limits();
    user_ranges::install();
    anstream::ColorChoice::from(cli.color).write_global();
    let printer = Printer::new();
    let done = match cli.command {
        Command::New(args) => args.run(&printer),
        Command::Solve(args) => args.run(&printer),
        Command::Resume(args) => args.run(&printer),
        Command::Show(args) => args.run(&printer),
        Command::Browse(args) => args.run(&printer),
        Command::Info(args) => args.run(&printer),
        Command::Tree(args) => args.run(&printer),
        Command::Runouts(args) => args.run(&printer),
        Command::Compare(args) => args.run(&printer),
        Command::Export(args) => args.run(&printer),
        Command::Import(args) => args.run(&printer),
        Command::History(args) => args.run(&printer),
        Command::Batch(args) => args.run(&printer),
        Command::Serve(args) => args.run(&printer),
        Command::Upi(args) => args.run(),
        Command::Equity(args) => args.run(&printer),
        Command::Eval(args) => args.run(&printer),
        Command::Range(args) => args.run(&printer),
        Command::PotOdds(args) => args.run(&printer),
        Command::PushFold(args) => args.run(&printer),
        Command::Icm(args) => args.run(&printer),
        Command::Rules(args) => args.run(&printer),
        Command::Preflop(args) => args.run(&printer),
        Command::Blueprint(args) => args.run(&printer),
        Command::Resolve(args) => args.run(&printer),
        Command::Match(args) => args.run(&printer),
        Command::Lbr(args) => args.run(&printer),
        Command::Bot(args) => args.run(&printer),
        Command::Play(args) => args.run(&printer),
        Command::Review(args) => args.run(&printer),
        Command::Translate(args) => args.run(&printer),
        Command::Abstraction(args) => args.run(&printer),
        Command::Cfr(args) => args.run(&printer),
        Command::Bench(args) => args.run(&printer),
        Command::Completions(args) => args.run(&printer),
        Command::Man(args) => args.run(&printer),
    };
    done.map_or_else(|failure: Failure| failure.report(as_json), |()| ExitCode::SUCCESS)
}

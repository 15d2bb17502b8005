//! `equipoise history`.

mod document;
mod reading;
mod report;
mod spot;

use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use equipoise::histories::{Format, History, HistoryError, HistoryReader, Stakes};

use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::rules::Blinds;
use super::watch::is_interrupted;
use reading::Reading;
use spot::SpotArgs;

/// Show hand histories, convert them, and make spots of them
///
/// Reads ACPC match states and logs, Slumbot's action strings and the answers of its API, PHH (.phh and .phhs) and
/// PokerStars' text; the format is recognised by what it says. Hands are read one by one, so that a file may have any number,
/// and each is played by the rules: an error names the hand, the line and what is legal.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct HistoryArgs {
    /// The file; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Only this hand of the file, the first being 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    hand: Option<u64>,

    /// Write the hands in another format: phh, acpc or slumbot
    #[arg(long, value_name = "FORMAT", value_parser = str::parse::<Format>, conflicts_with_all = ["json", "spot"])]
    to: Option<Format>,

    #[command(flatten)]
    spot: SpotArgs,

    /// Skip hands that cannot be read, and list them on standard error
    #[arg(long)]
    keep_going: bool,

    /// Small and big blind of formats that do not say them (ACPC, Slumbot), in chips
    #[arg(long, value_name = "SMALL,BIG", value_parser = str::parse::<Blinds>, default_value = "50,100")]
    blinds: Blinds,

    /// Stack of formats that do not say it, in chips
    #[arg(long, value_name = "CHIPS", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    stack: u64,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise history match.log --hand 3
  equipoise history hands.txt --to phh > hands.phhs
  echo 'b250c/kb333c/kk/b917f' | equipoise history - --json
  equipoise history hands.txt --hand 7 --spot --oop 'QQ-22,AQs-A2s' --ip '15%' | equipoise solve -

--to acpc and --to slumbot write one hand a line; --to phh a document, or sections [1], [2], … of several.
--spot makes a spot file of the moment a street begins with two players left (docs/histories.md).

JSON, amounts in the unit of the history, players from the first left of the button to the button
(heads-up the big blind and the button): in `hands` for each one
  id, format, currency     what the history calls it, and how it is written
  players, positions       names; sb, bb, btn, …
  blinds, antes, stacks    small and big blind; by seat, before posting
  cards                    by seat, null if unknown
  hero                     the seat whose history it is
  streets                  street, board (the cards that came), pot and behind when it began, and
                           actions: player, action (fold, check, call, bet, raise), to (the street's
                           total), all_in
  winnings                 by seat; null if the hand is not over or cards are unknown
  rake                     what the house took, if the history says so

A progress bar is shown on a terminal after two seconds where standard output is none. Ctrl-C then ends what is written with a
whole hand (exit code 130).";

impl HistoryArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let Blinds([small, big]) = self.blinds;
        let stakes = Stakes {
            small_blind: u64::from(small.count()),
            big_blind: u64::from(big.count()),
            stack: self.stack,
        };
        let (input, mut reading) = match self.file == Path::new("-") {
            true => (Reading::of_standard_input(), None),
            false => {
                let cannot =
                    |error: io::Error| BadInput::new(format!("cannot read {}: {error}", self.file.display()));
                Reading::of(File::open(&self.file).map_err(cannot)?)?
            }
        };
        let mut output = Output::new(self, printer);
        let read = self.each(HistoryReader::new(input, &stakes), reading.as_mut(), &mut output);
        drop(reading);
        // What was begun is ended, so that standard output holds one document.
        let ended = output.end();
        let (num_hands, num_bad) = read?;
        ended?;
        if is_interrupted() {
            return Err(Failure::Interrupted(format!("after {num_hands} hands")));
        }
        match (self.hand, num_hands) {
            (Some(hand), 0) => Err(BadInput::new(format!("{} has no hand {hand}", self.name())).into()),
            (None, 0) if num_bad == 0 => Err(BadInput::new(format!("{} has no hands", self.name())).into()),
            _ => Ok(()),
        }
    }

    fn name(&self) -> String {
        if self.file == Path::new("-") {
            "standard input".to_owned()
        } else {
            self.file.display().to_string()
        }
    }

    /// Gives every hand that is wanted to the output; how many, and how many could not be read.
    fn each(
        &self,
        reader: HistoryReader<Box<dyn BufRead>>,
        mut reading: Option<&mut Reading>,
        output: &mut Output<'_>,
    ) -> Result<(u64, u64), Failure> {
        let (mut num_hands, mut num_bad) = (0, 0);
        for (id, hand) in (1..).zip(reader) {
            if self.hand.is_some_and(|wanted| id < wanted) {
                if reading.as_mut().is_some_and(|reading| reading.after(id).is_break()) {
                    break;
                }
                continue;
            }
            let taken = match hand {
                Ok(hand) => output.hand(id, &hand)?.map_err(|reason| format!("hand {id}: {reason}")),
                Err(error) => Err(self.failed(error)?),
            };
            match taken {
                Ok(()) => num_hands += 1,
                Err(message) if self.keep_going => {
                    num_bad += 1;
                    eprintln!("{}: {message}", self.name());
                }
                Err(message) => {
                    let input = BadInput::new(format!("{}: {message}", self.name()));
                    return Err(input.help("--keep-going reads the rest").into());
                }
            }
            let is_stopped = reading.as_mut().is_some_and(|reading| reading.after(id).is_break());
            if self.hand == Some(id) || is_stopped {
                break;
            }
        }
        if num_bad > 0 {
            let hands = if num_bad == 1 { "hand" } else { "hands" };
            eprintln!("{num_bad} {hands} could not be read");
        }
        Ok((num_hands, num_bad))
    }

    /// What is said about a hand that cannot be read; an input that fails ends the work.
    fn failed(&self, error: HistoryError) -> Result<String, Failure> {
        match error.problem {
            equipoise::histories::Problem::Io(failed) if failed.kind() == io::ErrorKind::IsADirectory => {
                Err(BadInput::new(format!("cannot read {}: it is a folder", self.name())).into())
            }
            equipoise::histories::Problem::Io(failed) => {
                Err(anyhow::Error::new(failed).context(format!("cannot read {}", self.name())).into())
            }
            _ => Ok(error.to_string()),
        }
    }
}

/// Where hands go, one after the other.
struct Output<'a> {
    args: &'a HistoryArgs,
    printer: &'a Printer,
    out: BufWriter<io::StdoutLock<'static>>,
    num_hands: u64,
    /// The first document of PHH, until it is known whether there are more.
    first: Option<String>,
}

/// Why a hand is not written, if it is not.
type Taken = Result<(), String>;

impl<'a> Output<'a> {
    fn new(args: &'a HistoryArgs, printer: &'a Printer) -> Output<'a> {
        Output { args, printer, out: BufWriter::new(io::stdout().lock()), num_hands: 0, first: None }
    }

    fn hand(&mut self, id: u64, hand: &History) -> Result<Taken, Failure> {
        if let Some(format) = self.args.to {
            return match hand.write(format) {
                Ok(text) => self.converted(format, &text).map(Ok),
                Err(problem) => Ok(Err(problem.to_string())),
            };
        }
        if self.args.spot.is_wanted() {
            return match self.args.spot.toml(hand) {
                Ok(text) => {
                    self.num_hands += 1;
                    self.out.write_all(text.as_bytes())?;
                    Ok(Ok(()))
                }
                Err(reason) => Ok(Err(reason)),
            };
        }
        if self.args.json.json {
            let before = if self.num_hands == 0 {
                format!("{{\"schema_version\":{SCHEMA_VERSION},\"hands\":[\n")
            } else {
                ",\n".to_owned()
            };
            self.num_hands += 1;
            self.out.write_all(before.as_bytes())?;
            serde_json::to_writer(&mut self.out, &document::document(hand)).map_err(io::Error::from)?;
            return Ok(Ok(()));
        }
        self.num_hands += 1;
        let text = report::report(id, hand, self.printer);
        self.out.write_all(text.as_bytes())?;
        Ok(Ok(()))
    }

    fn converted(&mut self, format: Format, text: &str) -> Result<(), Failure> {
        self.num_hands += 1;
        match (format, self.num_hands) {
            (Format::Phh, 1) => self.first = Some(text.to_owned()),
            (Format::Phh, number) => {
                if let Some(first) = self.first.take() {
                    write!(self.out, "[1]\n{first}")?;
                }
                write!(self.out, "\n[{number}]\n{text}")?;
            }
            _ => writeln!(self.out, "{text}")?,
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Failure> {
        if let Some(first) = self.first.take() {
            self.out.write_all(first.as_bytes())?;
        }
        if self.args.json.json {
            let begun = if self.num_hands == 0 {
                format!("{{\"schema_version\":{SCHEMA_VERSION},\"hands\":[")
            } else {
                String::new()
            };
            writeln!(self.out, "{begun}\n]}}")?;
        }
        Ok(self.out.flush()?)
    }
}

//! Commands line by line.

use std::io::{self, BufRead};

use crate::session::{Next, Session};

/// The longest line that is taken: strategies of dozens of actions fit many times over.
const LONGEST: usize = 16 << 20;

/// Answers every line until the input ends, `exit` comes or nobody listens any more.
///
/// # Errors
/// When the input cannot be read.
pub fn serve(mut input: impl BufRead, session: &mut Session) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        match read_line(&mut input, &mut line)? {
            Line::Whole => {
                if session.command(&line) == Next::Exit {
                    return Ok(());
                }
            }
            Line::TooLong => session.too_long(LONGEST),
            Line::End => return Ok(()),
        }
    }
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads up to the next newline; what is too long is skipped without being kept.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let (mut is_too_long, mut is_any) = (false, false);
    loop {
        let part = match input.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = part.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(part.len());
        is_any |= !part.is_empty();
        let is_end = end.is_some() || part.is_empty();
        is_too_long |= line.len() + taken > LONGEST;
        if !is_too_long {
            line.extend_from_slice(&part[..taken]);
        }
        let used = taken + usize::from(end.is_some());
        input.consume(used);
        if is_end {
            return Ok(match (is_any, is_too_long) {
                (false, _) => Line::End,
                (true, true) => Line::TooLong,
                (true, false) => Line::Whole,
            });
        }
    }
}

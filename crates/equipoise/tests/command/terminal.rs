//! The program in a pseudo-terminal of 80 columns and 24 lines, as somebody meets it over ssh.

use std::fs;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::common::binary;

const LINES: u16 = 24;
const COLUMNS: u16 = 80;

/// The program in a terminal, and what the terminal shows.
pub(crate) struct Terminal {
    child: Child,
    keys: fs::File,
    heard: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    transcript: Vec<u8>,
}

impl Terminal {
    /// A command of the program, with colours or without.
    pub(crate) fn open(args: &[&str], colour: bool) -> Terminal {
        let size = Winsize { ws_row: LINES, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(Some(&size), None).unwrap();
        let mut command = binary();
        let side = || pty.slave.try_clone().unwrap();
        command.args(args).env("TERM", "xterm-256color").stdin(side()).stdout(side()).stderr(side());
        if !colour {
            command.env("NO_COLOR", "1");
        }
        let child = command.spawn().unwrap();
        drop(command);
        drop(pty.slave);
        let keys = fs::File::from(pty.master);
        let mut output = keys.try_clone().unwrap();
        let (sender, heard) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The end of a terminal whose other side has gone is an error.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let [lines, columns] = [LINES, COLUMNS].map(|count| NonZeroU16::new(count).unwrap());
        Terminal { child, keys, heard, screen: vt100::Parser::new(lines, columns, 0), transcript: Vec::new() }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// What Ctrl-C does. This terminal is nobody's controlling terminal, so its keys send no signals.
    pub(crate) fn interrupt(&self) {
        kill(Pid::from_raw(self.child.id().cast_signed()), Signal::SIGINT).unwrap();
    }

    /// Waits until the terminal shows all these words.
    #[track_caller]
    pub(crate) fn shows(&mut self, words: &[&str]) -> String {
        let started = Instant::now();
        loop {
            let screen = self.contents();
            if words.iter().all(|word| screen.contains(word)) {
                return screen;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{words:?} in\n{screen}");
            if let Ok(bytes) = self.heard.recv_timeout(Duration::from_millis(100)) {
                self.hear(&bytes);
            }
        }
    }

    /// What is on the screen after more was written, or a second.
    pub(crate) fn wait(&mut self) -> String {
        if let Ok(bytes) = self.heard.recv_timeout(Duration::from_secs(1)) {
            self.hear(&bytes);
        }
        self.contents()
    }

    /// Ends a program that has taken the terminal over, with a key.
    pub(crate) fn end(mut self, key: &str) {
        self.press(key);
        assert_eq!(self.ended(), Some(0));
        assert!(!self.screen().alternate_screen(), "the terminal is given back");
    }

    /// Waits for the program to end; its exit code.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        let status = self.child.wait().unwrap();
        while let Ok(bytes) = self.heard.recv_timeout(Duration::from_millis(500)) {
            self.hear(&bytes);
        }
        status.code()
    }

    /// What is on the screen now.
    pub(crate) fn contents(&self) -> String {
        self.screen().contents()
    }

    /// Everything that was ever written, with the sequences that move the cursor.
    pub(crate) fn transcript(&self) -> String {
        String::from_utf8_lossy(&self.transcript).into_owned()
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.transcript.extend_from_slice(bytes);
        self.screen.process(bytes);
    }

    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }
}

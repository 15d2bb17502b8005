//! Small changes of bytes, as a fuzzer makes them.

/// SplitMix64: the same numbers for the same seed, everywhere.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `count`, or 0.
    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    fn choose<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// What changes are made from.
pub(crate) struct Mutator {
    /// What every input begins as.
    seeds: Vec<Vec<u8>>,
    /// Words that mean something to some parser.
    words: Vec<Vec<u8>>,
    /// Those of them that are numbers.
    numbers: Vec<Vec<u8>>,
}

/// No input is longer.
const MOST_BYTES: usize = 1 << 14;

impl Mutator {
    pub(crate) fn new(seeds: Vec<Vec<u8>>, words: Vec<Vec<u8>>) -> Mutator {
        let is_number = |word: &&Vec<u8>| word.iter().any(u8::is_ascii_digit) && is_numeric(word);
        let numbers = words.iter().filter(is_number).cloned().collect();
        Mutator { seeds, words, numbers }
    }

    pub(crate) fn seeds(&self) -> &[Vec<u8>] {
        &self.seeds
    }

    /// A seed after one to eight changes, fewer more often.
    pub(crate) fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let mut input = rng.choose(&self.seeds).clone();
        let num_changes = 1 + (rng.next().trailing_ones() as usize).min(7);
        for _ in 0..num_changes {
            self.change(&mut input, rng);
        }
        input.truncate(MOST_BYTES);
        input
    }

    fn change(&self, input: &mut Vec<u8>, rng: &mut Rng) {
        let at = rng.below(input.len() + 1);
        let end = input.len().min(at + rng.below(9));
        match rng.below(10) {
            0 => drop(input.drain(at..end)),
            1 => drop(input.splice(at..at, input[at..end].to_vec())),
            2 => input.insert(at, rng.next() as u8),
            3 if at < input.len() => input[at] ^= 1 << rng.below(8),
            4 => drop(input.splice(at..at, rng.choose(&self.words).iter().copied())),
            5 => drop(input.splice(at..end, rng.choose(&self.words).iter().copied())),
            6 | 7 => self.change_number(input, rng),
            8 => repeat_line(input, rng),
            _ => {
                // The beginning of this and the end of another.
                let other = rng.choose(&self.seeds);
                input.truncate(at);
                input.extend(&other[rng.below(other.len() + 1)..]);
            }
        }
    }

    /// Puts a number from the dictionary, or half or twice as many digits, in place of a number of the input.
    fn change_number(&self, input: &mut Vec<u8>, rng: &mut Rng) {
        let is_digit = |at: usize| input.get(at).is_some_and(u8::is_ascii_digit);
        let starts: Vec<usize> =
            (0..input.len()).filter(|&at| is_digit(at) && (at == 0 || !is_digit(at - 1))).collect();
        if starts.is_empty() {
            return;
        }
        let start = *rng.choose(&starts);
        let end = (start..).find(|&at| !is_digit(at)).unwrap_or(start);
        let digits = &input[start..end];
        let number = match rng.below(4) {
            0 => digits.repeat(2),
            1 => digits[..digits.len() / 2].to_vec(),
            _ => rng.choose(&self.numbers).clone(),
        };
        input.splice(start..end, number);
    }
}

/// Takes a line twice, or not at all.
fn repeat_line(input: &mut Vec<u8>, rng: &mut Rng) {
    let lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return;
    }
    let (chosen, to) = (rng.below(lines.len()), rng.below(lines.len()));
    let line = lines[chosen].to_vec();
    let start: usize = lines[..chosen].iter().map(|line| line.len()).sum();
    let there: usize = lines[..to].iter().map(|line| line.len()).sum();
    if rng.below(2) == 0 {
        input.drain(start..start + line.len());
    } else {
        input.splice(there..there, line);
    }
}

fn is_numeric(word: &[u8]) -> bool {
    word.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
}

/// The words of a dictionary as fuzzers read them: a line each, in quotes, with `\\`, `\"` and `\x1b`.
pub(crate) fn dictionary_words(dictionary: &str) -> Vec<Vec<u8>> {
    let line = |line: &str| {
        let quoted = line.trim().strip_prefix('"')?.strip_suffix('"')?;
        let mut word = Vec::new();
        let mut bytes = quoted.bytes();
        while let Some(byte) = bytes.next() {
            word.push(match byte {
                b'\\' => match bytes.next()? {
                    b'x' => {
                        let mut digit = || char::from(bytes.next()?).to_digit(16);
                        (digit()? << 4 | digit()?) as u8
                    }
                    escaped => escaped,
                },
                byte => byte,
            });
        }
        Some(word)
    };
    let lines = dictionary.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|text| line(text).unwrap_or_else(|| panic!("no word of a dictionary: {text}"))).collect()
}

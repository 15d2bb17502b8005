//! The canonical bytes of a spot: what files keep and hashes are made of. `docs/formats.md` lists them byte by byte.

use equipoise_cards::{Board, Card, Combo, Range};
use equipoise_game::{ByteReader, Line, PerPlayer, Prizes, TreeConfig, TreeError};
use thiserror::Error;
use twox_hash::XxHash3_64;

use crate::problem::lock::{Lock, LockedStrategy};
use crate::problem::spot::{Spot, SpotError};

/// The version of the bytes of a spot for chips.
const CHIPS: u16 = 1;
/// Of one for prizes, which follow the rest.
const PRIZES: u16 = 2;

/// Why bytes are no spot.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SpotBytesError {
    /// Written by a newer version.
    #[error("they have version {found}, this program reads {CHIPS} and {PRIZES}")]
    Version {
        /// The version that they have.
        found: u16,
    },
    /// No spot has such bytes.
    #[error("they end too early or too late, or hold a value that does not exist")]
    Form,
    /// They describe a spot that cannot be.
    #[error(transparent)]
    Spot(#[from] SpotError),
}

impl Spot {
    /// The canonical bytes: board, ranges, betting and locks, everything that defines the problem and nothing else. The
    /// same problem has the same bytes on every machine, however it was written down.
    ///
    /// ```
    /// use equipoise_cards::Street;
    /// use equipoise_game::{Chips, Preset, TreeConfig};
    /// use equipoise_postflop::Spot;
    /// let mut config = TreeConfig::new(Street::River, Chips::new(200), Chips::new(900));
    /// Preset::Standard.apply(&mut config);
    /// let spot = Spot::new(["QQ+,AK".parse()?, "JJ-77,AQ".parse()?], "Td9d6hQc2h".parse()?, &config)?;
    /// let again = Spot::from_bytes(&spot.to_bytes())?;
    /// assert_eq!((again.ranges(), again.content_hash()), (spot.ranges(), spot.content_hash()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let prizes = &self.tree().config().prizes;
        let version = if prizes.is_some() { PRIZES } else { CHIPS };
        let mut bytes = version.to_le_bytes().to_vec();
        write_cards(self.board().cards(), &mut bytes);
        for range in self.ranges() {
            // 0 has one form only.
            range.weights().iter().for_each(|weight| bytes.extend((weight + 0.0).to_le_bytes()));
        }
        self.tree().config().write_bytes(&mut bytes);
        bytes.extend((self.locks().len() as u32).to_le_bytes());
        self.locks().iter().for_each(|lock| lock.write_bytes(&mut bytes));
        prizes.iter().for_each(|prizes| prizes.write_bytes(&mut bytes));
        bytes
    }

    /// The spot that [`to_bytes`](Self::to_bytes) has written, checked as any other.
    ///
    /// # Errors
    /// [`SpotBytesError`] says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Spot, SpotBytesError> {
        Spot::from_bytes_unless(bytes, TreeConfig::DEFAULT_MAX_NODES, &|| false)
    }

    /// The same with a limit for the nodes of the betting tree; cancelled by `is_cancelled`.
    pub(crate) fn from_bytes_unless(
        bytes: &[u8],
        max_nodes: usize,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Spot, SpotBytesError> {
        let mut bytes = ByteReader::new(bytes);
        let version = bytes.u16().ok_or(SpotBytesError::Form)?;
        if ![CHIPS, PRIZES].contains(&version) {
            return Err(SpotBytesError::Version { found: version });
        }
        let parts = read_parts(&mut bytes, version == PRIZES);
        let (board, ranges, mut config, locks) = parts.ok_or(SpotBytesError::Form)?;
        config.max_nodes = max_nodes;
        let spot = Spot::new_unless(ranges, board, &config, is_cancelled)?;
        if is_cancelled() {
            return Err(SpotError::Tree(TreeError::Cancelled).into());
        }
        Ok(spot.with_locks(locks)?)
    }

    /// A 64-bit hash (XXH3) of the [canonical bytes](Self::to_bytes): the `spot_hash` of [`Header`](crate::Header).
    #[must_use]
    pub fn content_hash(&self) -> u64 {
        hash(&self.to_bytes())
    }
}

/// The hash of a spot with these bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

type Parts = (Board, PerPlayer<Range>, TreeConfig, Vec<Lock>);

fn read_parts(bytes: &mut ByteReader<'_>, has_prizes: bool) -> Option<Parts> {
    let board = Board::new(&read_cards(bytes)?).ok()?;
    let ranges = PerPlayer::new(read_range(bytes)?, read_range(bytes)?);
    let mut config = TreeConfig::read_bytes(bytes)?;
    let locks = bytes.list(Lock::read_bytes)?;
    config.prizes = if has_prizes { Some(Prizes::read_bytes(bytes)?) } else { None };
    bytes.is_empty().then_some((board, ranges, config, locks))
}

fn read_range(bytes: &mut ByteReader<'_>) -> Option<Range> {
    let mut weights = [0.0; Combo::COUNT];
    for weight in &mut weights {
        *weight = bytes.f32()?;
    }
    Range::from_weights(weights).ok()
}

fn write_cards(cards: &[Card], to: &mut Vec<u8>) {
    to.push(cards.len() as u8);
    to.extend(cards.iter().map(|card| card.id()));
}

fn read_cards(bytes: &mut ByteReader<'_>) -> Option<Vec<Card>> {
    let count = bytes.u8()?.into();
    bytes.items(count, |bytes| Card::try_new(bytes.u8()?))
}

fn write_frequencies(frequencies: &[f64], to: &mut Vec<u8>) {
    to.push(frequencies.len() as u8);
    to.extend(frequencies.iter().flat_map(|frequency| (frequency + 0.0).to_le_bytes()));
}

fn read_frequencies(bytes: &mut ByteReader<'_>) -> Option<Vec<f64>> {
    let count = bytes.u8()?.into();
    bytes.items(count, ByteReader::f64)
}

impl Lock {
    /// Appends the canonical bytes of a lock that fits a spot: no decision has more than 255 actions.
    pub(crate) fn write_bytes(&self, to: &mut Vec<u8>) {
        self.line.write_bytes(to);
        write_cards(&self.runout, to);
        match &self.strategy {
            LockedStrategy::Every(frequencies) => {
                to.push(0);
                write_frequencies(frequencies, to);
            }
            LockedStrategy::Combos(combos) => {
                to.push(1);
                to.extend((combos.len() as u32).to_le_bytes());
                for (combo, frequencies) in combos {
                    to.extend((combo.index() as u16).to_le_bytes());
                    write_frequencies(frequencies, to);
                }
            }
        }
    }

    fn read_bytes(bytes: &mut ByteReader<'_>) -> Option<Lock> {
        let line = Line::read_bytes(bytes)?;
        let runout = read_cards(bytes)?;
        let strategy = match bytes.u8()? {
            0 => LockedStrategy::Every(read_frequencies(bytes)?),
            1 => {
                let combo = |bytes: &mut ByteReader<'_>| {
                    let combo = Combo::from_index(bytes.u16()?.into())?;
                    Some((combo, read_frequencies(bytes)?))
                };
                LockedStrategy::Combos(bytes.list(combo)?)
            }
            _ => return None,
        };
        Some(Lock::new(line, strategy).on(runout))
    }
}

#[cfg(test)]
mod tests {
    use equipoise_cards::Street;
    use equipoise_game::{Chips, Payouts, Preset};

    use super::*;

    fn spot() -> Spot {
        let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(150));
        Preset::Simple.apply(&mut config);
        let ranges = ["AA,QQ:0.25,JTs".parse().unwrap(), "KK,AQs:0.5".parse().unwrap()];
        Spot::new(ranges, "Qd9d6h3c".parse().unwrap(), &config).unwrap()
    }

    fn locked() -> Spot {
        let actions = spot().tree().node(spot().tree().root()).num_children();
        let mut frequencies = vec![0.0; actions];
        frequencies[0] = 1.0;
        let root = Lock::new(Line::root(), LockedStrategy::Every(frequencies));
        let combos = ["AhAs", "QhQs"].map(|text| (text.parse().unwrap(), vec![0.25, 0.75]));
        let line: Line = "check check | check".parse().unwrap();
        let river = Lock::new(line.clone(), LockedStrategy::Combos(combos.to_vec()));
        let num = spot().tree().node(spot().tree().find(&line).unwrap()).num_children();
        let fit = |(combo, _): &(Combo, Vec<f64>)| {
            let mut frequencies = vec![0.0; num];
            (frequencies[0], frequencies[1]) = (0.25, 0.75);
            (*combo, frequencies)
        };
        let LockedStrategy::Combos(combos) = &river.strategy else { unreachable!() };
        let strategy = LockedStrategy::Combos(combos.iter().map(fit).collect());
        let river = Lock::new(line, strategy).on(vec!["2h".parse().unwrap()]);
        spot().with_locks(vec![root, river]).unwrap()
    }

    /// The locked spot, played for prizes.
    fn for_prizes() -> Spot {
        let mut config = spot().tree().config().clone();
        let stacks = PerPlayer::new(Chips::new(150), Chips::new(400));
        let payouts = Payouts::new(vec![50.0, 30.0]).unwrap();
        config.prizes = Some(Prizes::icm(stacks, payouts, vec![Chips::new(90)]).unwrap());
        let spot = Spot::new(spot().ranges().clone(), *spot().board(), &config).unwrap();
        spot.with_locks(locked().locks().to_vec()).unwrap()
    }

    #[test]
    fn spots_read_back() {
        for spot in [spot(), locked(), for_prizes()] {
            let bytes = spot.to_bytes();
            let read = Spot::from_bytes(&bytes).unwrap();
            assert_eq!(
                (read.ranges(), read.board(), read.locks()),
                (spot.ranges(), spot.board(), spot.locks())
            );
            assert_eq!(read.tree().nodes(), spot.tree().nodes());
            assert_eq!(read.tree().config().prizes, spot.tree().config().prizes);
            assert_eq!(read.to_bytes(), bytes);
        }
        assert_ne!(spot().content_hash(), locked().content_hash());
        assert_ne!(for_prizes().content_hash(), locked().content_hash());
    }

    #[test]
    fn the_rake_is_part_of_the_hash() {
        let spot = spot();
        let mut config = spot.tree().config().clone();
        config.rake.rate = 0.05;
        let raked = Spot::new(spot.ranges().clone(), *spot.board(), &config).unwrap();
        assert_ne!(spot.content_hash(), raked.content_hash());
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let bytes = locked().to_bytes();
        for len in (0..bytes.len()).step_by(7) {
            assert!(Spot::from_bytes(&bytes[..len]).is_err(), "{len}");
        }
        assert_eq!(Spot::from_bytes(&[&bytes[..], &[0]].concat()).unwrap_err(), SpotBytesError::Form);
        let newer = [&[9, 0], &bytes[2..]].concat();
        assert_eq!(Spot::from_bytes(&newer).unwrap_err(), SpotBytesError::Version { found: 9 });
        // A weight above 1, and a pot of 0 chips.
        let mut heavy = bytes.clone();
        heavy[7..11].copy_from_slice(&1.5_f32.to_le_bytes());
        assert_eq!(Spot::from_bytes(&heavy).unwrap_err(), SpotBytesError::Form);
        let mut poor = bytes.clone();
        let pot = 7 + 2 * 4 * Combo::COUNT + 1;
        assert_eq!(poor[pot..pot + 4], 100_u32.to_le_bytes());
        poor[pot..pot + 4].fill(0);
        assert!(matches!(Spot::from_bytes(&poor).unwrap_err(), SpotBytesError::Spot(SpotError::Tree(_))));
    }

    #[test]
    fn any_changed_byte_gives_a_spot_or_a_reason() {
        let bytes = for_prizes().to_bytes();
        let cards_and_betting = (0..7).chain(7 + 2 * 4 * Combo::COUNT..bytes.len());
        for at in cards_and_betting {
            for change in [1, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                if let Ok(spot) = Spot::from_bytes(&changed) {
                    let written = spot.to_bytes();
                    assert_eq!(Spot::from_bytes(&written).unwrap().to_bytes(), written, "byte {at}");
                }
            }
        }
    }
}

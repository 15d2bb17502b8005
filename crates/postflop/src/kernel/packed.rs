//! Rows of eight numbers packed into few bits.
//!
//! Two families, each with or without a sign:
//!
//! * *linear*: whole numbers times a scale, which eight numbers share: the largest magnitude among them, rounded up to
//!   the 16 upper bits of an `f32`;
//! * *logarithmic*: a small floating-point number, whose steps grow with it. With 8 bits its exponent has five bits, and
//!   no scale is needed; with 4 bits it is relative to a scale as above, and counts octaves (with a sign) or half octaves.
//!
//! Rounding is stochastic and unbiased, so that what is added or decays by less than half a step is not lost in the mean.
//! The noise depends on a seed only.
//!
//! The loops are over plain arrays; compiled for the instructions of the caller, each is a few vector instructions.

// Closures are not always compiled for the instructions of their caller; loops are.
#![allow(clippy::needless_range_loop)]

use super::Kernel;
use super::lanes::Lanes;
use super::rows::{Cell, HalfRow, Row};

/// How eight numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Float32,
    Float16,
    Linear8 { signed: bool },
    Linear4 { signed: bool },
    Log8 { signed: bool },
    Log4 { signed: bool },
}

/// Octaves of an 8-bit logarithmic number lie from 2⁻¹⁷ up to 2¹⁵.
const LOWEST_OCTAVE: i32 = -17;

impl Format {
    /// Bytes of eight numbers.
    pub(crate) const fn row_bytes(self) -> usize {
        match self {
            Format::Float32 => 32,
            Format::Float16 => 16,
            Format::Linear8 { .. } => 10,
            Format::Log8 { .. } => 8,
            Format::Linear4 { .. } | Format::Log4 { .. } => 6,
        }
    }
}

/// Xorshift random numbers, one stream per lane.
#[derive(Clone, Copy, Debug)]
struct Noise([u32; 8]);

impl Noise {
    #[inline(always)]
    fn new(seed: u32) -> Noise {
        let mut lanes = [0; 8];
        for lane in 0..8 {
            let mut state = seed ^ 0x9e37_79b9_u32.wrapping_mul(lane as u32 + 1);
            state = (state ^ state >> 16).wrapping_mul(0x85eb_ca6b);
            state = (state ^ state >> 13).wrapping_mul(0xc2b2_ae35);
            lanes[lane] = (state ^ state >> 16) | 1;
        }
        Noise(lanes)
    }

    #[inline(always)]
    fn next(&mut self) -> [u32; 8] {
        for lane in 0..8 {
            let mut state = self.0[lane];
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            self.0[lane] = state;
        }
        self.0
    }

    /// Numbers from 0 to below 1.
    #[inline(always)]
    fn fractions(&mut self) -> [f32; 8] {
        let bits = self.next();
        let mut fractions = [0.0; 8];
        for lane in 0..8 {
            fractions[lane] = fraction(bits[lane]);
        }
        fractions
    }
}

/// A number from 0 to below 1, from 24 random bits.
#[inline(always)]
fn fraction(bits: u32) -> f32 {
    (bits >> 8).cast_signed() as f32 * (1.0 / 16_777_216.0)
}

/// The largest magnitude, rounded up to the upper half of its bits.
#[inline(always)]
fn scale(numbers: &[f32; 8]) -> u16 {
    let mut largest = 0;
    for lane in 0..8 {
        // Magnitudes are ordered as their bits are.
        largest = largest.max(numbers[lane].to_bits() & 0x7fff_ffff);
    }
    ((largest + 0xffff) >> 16) as u16
}

#[inline(always)]
fn unscaled(scale: u16) -> f32 {
    f32::from_bits(u32::from(scale) << 16)
}

/// Added to a small number, this leaves its integer in the last 23 bits.
const ROUNDER: f32 = 1.5 * 8_388_608.0;

/// Whole numbers from −`steps` (or 0) to `steps`, in proportion to the scale.
#[inline(always)]
fn to_linear(numbers: &[f32; 8], scale: f32, steps: f32, noise: &mut Noise) -> [i32; 8] {
    let factor = if scale > 0.0 { steps / scale } else { 0.0 };
    let fractions = noise.fractions();
    let mut codes = [0; 8];
    for lane in 0..8 {
        // Rounding the number plus a fraction less half to the nearest is stochastic rounding. Conversion by addition,
        // since the instruction for it would be issued lane by lane.
        let noisy = numbers[lane] * factor + (fractions[lane] - 0.5);
        codes[lane] = (noisy + ROUNDER).to_bits().cast_signed() - ROUNDER.to_bits().cast_signed();
    }
    let steps = steps as i32;
    for lane in 0..8 {
        codes[lane] = codes[lane].clamp(-steps, steps);
    }
    codes
}

#[inline(always)]
fn from_linear(codes: &[i32; 8], scale: f32, steps: f32) -> [f32; 8] {
    let factor = scale / steps;
    let mut numbers = [0.0; 8];
    for lane in 0..8 {
        numbers[lane] = codes[lane] as f32 * factor;
    }
    numbers
}

/// Codes of magnitudes: 0 for 0, then from 1 for 2^`lowest` on, 2^`mantissa` codes per octave, up to `most`.
#[inline(always)]
fn to_log(
    numbers: &[f32; 8],
    factor: f32,
    lowest: i32,
    mantissa: u32,
    most: i32,
    noise: &mut Noise,
) -> [i32; 8] {
    let shift = 23 - mantissa;
    let first = ((127 + lowest) as u32) << mantissa;
    let smallest = f32::from_bits(first << shift);
    let random = noise.next();
    let mut codes = [0; 8];
    for lane in 0..8 {
        let magnitude = numbers[lane].abs() * factor;
        // Between two codes the bits of a float grow linearly: noise below the cut rounds without bias.
        let bits = magnitude.to_bits() + (random[lane] & ((1 << shift) - 1));
        let above = (bits >> shift) as i32 - first as i32 + 1;
        let below = i32::from(fraction(random[lane]) * smallest < magnitude);
        codes[lane] = if magnitude >= smallest { above.min(most) } else { below };
    }
    codes
}

#[inline(always)]
fn from_log(codes: &[i32; 8], scale: f32, lowest: i32, mantissa: u32) -> [f32; 8] {
    let shift = 23 - mantissa;
    let first = ((127 + lowest) as u32) << mantissa;
    let mut numbers = [0.0; 8];
    for lane in 0..8 {
        let magnitude = f32::from_bits((first + codes[lane] as u32).wrapping_sub(1) << shift);
        numbers[lane] = if codes[lane] == 0 { 0.0 } else { magnitude * scale };
    }
    numbers
}

/// Octaves below the scale at which a 4-bit logarithmic number begins, and bits of its mantissa.
#[inline(always)]
const fn small_log(signed: bool) -> (i32, u32, i32) {
    if signed { (-6, 0, 7) } else { (-7, 1, 15) }
}

/// Bits of the mantissa of an 8-bit logarithmic number, and its largest code.
#[inline(always)]
const fn large_log(signed: bool) -> (u32, i32) {
    if signed { (2, 127) } else { (3, 255) }
}

/// Puts a sign into the bit above the magnitude.
#[inline(always)]
fn with_signs(codes: [i32; 8], numbers: &[f32; 8], bit: u32, signed: bool) -> [i32; 8] {
    let mut signs = codes;
    if signed {
        for lane in 0..8 {
            signs[lane] |= ((numbers[lane].to_bits() >> 31) << bit) as i32;
        }
    }
    signs
}

/// Applies the sign above the magnitude.
#[inline(always)]
fn apply_signs(numbers: [f32; 8], codes: &[i32; 8], bit: u32, signed: bool) -> [f32; 8] {
    let mut with = numbers;
    if signed {
        for lane in 0..8 {
            with[lane] = f32::from_bits(with[lane].to_bits() | ((codes[lane] as u32 >> bit & 1) << 31));
        }
    }
    with
}

#[inline(always)]
fn put_bytes(codes: &[i32; 8], to: &mut [u8]) {
    for (byte, code) in to.iter_mut().zip(codes) {
        *byte = *code as u8;
    }
}

#[inline(always)]
fn put_nibbles(codes: &[i32; 8], to: &mut [u8]) {
    for (at, byte) in to.iter_mut().enumerate().take(4) {
        *byte = (codes[at] & 15) as u8 | ((codes[at + 4] & 15) << 4) as u8;
    }
}

/// The bytes as numbers, with or without their sign.
#[inline(always)]
fn bytes(from: &[u8], signed: bool) -> [i32; 8] {
    let mut codes = [0; 8];
    for (code, byte) in codes.iter_mut().zip(from) {
        *code = if signed { i32::from(*byte as i8) } else { i32::from(*byte) };
    }
    codes
}

#[inline(always)]
fn nibbles(from: &[u8], signed: bool) -> [i32; 8] {
    let mut codes = [0; 8];
    for at in 0..4 {
        codes[at] = i32::from(from[at] & 15);
        codes[at + 4] = i32::from(from[at] >> 4);
    }
    if signed {
        for code in &mut codes {
            *code = (*code ^ 8) - 8;
        }
    }
    codes
}

/// Steps of a linear number to one side.
#[inline(always)]
const fn steps(bits: u32, signed: bool) -> f32 {
    (if signed { (1 << (bits - 1)) - 1 } else { (1 << bits) - 1 }) as f32
}

/// Writes rows as bytes.
pub(crate) struct Encode<'a> {
    pub format: Format,
    pub rows: &'a [Row],
    pub to: &'a mut [u8],
    pub seed: u32,
}

impl Kernel for Encode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Encode { format, rows, to, seed } = self;
        let mut noise = Noise::new(seed);
        let pairs = rows.iter().zip(to.chunks_exact_mut(format.row_bytes()));
        match format {
            Format::Float32 => {
                for (row, to) in pairs {
                    for (bytes, number) in to.chunks_exact_mut(4).zip(row.0) {
                        bytes.copy_from_slice(&number.to_le_bytes());
                    }
                }
            }
            Format::Float16 => {
                let mut noise = V::noise(seed);
                for (row, to) in pairs {
                    let mut half = HalfRow::default();
                    noise = V::next_noise(noise);
                    half.set_noisily(V::load(row), noise);
                    for (bytes, number) in to.chunks_exact_mut(2).zip(half.0) {
                        bytes.copy_from_slice(&number.to_le_bytes());
                    }
                }
            }
            Format::Linear8 { signed } => {
                for (row, to) in pairs {
                    let scale = scale(&row.0);
                    to[8..].copy_from_slice(&scale.to_le_bytes());
                    put_bytes(&to_linear(&row.0, unscaled(scale), steps(8, signed), &mut noise), to);
                }
            }
            Format::Linear4 { signed } => {
                for (row, to) in pairs {
                    let scale = scale(&row.0);
                    to[4..].copy_from_slice(&scale.to_le_bytes());
                    put_nibbles(&to_linear(&row.0, unscaled(scale), steps(4, signed), &mut noise), to);
                }
            }
            Format::Log8 { signed } => {
                let (mantissa, most) = large_log(signed);
                for (row, to) in pairs {
                    let codes = to_log(&row.0, 1.0, LOWEST_OCTAVE, mantissa, most, &mut noise);
                    put_bytes(&with_signs(codes, &row.0, 7, signed), to);
                }
            }
            Format::Log4 { signed } => {
                let (lowest, mantissa, most) = small_log(signed);
                for (row, to) in pairs {
                    let scale = scale(&row.0);
                    to[4..].copy_from_slice(&scale.to_le_bytes());
                    let factor = if scale == 0 { 0.0 } else { 1.0 / unscaled(scale) };
                    let codes = to_log(&row.0, factor, lowest, mantissa, most, &mut noise);
                    put_nibbles(&with_signs(codes, &row.0, 3, signed), to);
                }
            }
        }
    }
}

/// Reads rows from bytes.
pub(crate) struct Decode<'a> {
    pub format: Format,
    pub from: &'a [u8],
    pub rows: &'a mut [Row],
}

impl Kernel for Decode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Decode { format, from, rows } = self;
        let pairs = rows.iter_mut().zip(from.chunks_exact(format.row_bytes()));
        let scale_at = |from: &[u8], at: usize| unscaled(u16::from_le_bytes([from[at], from[at + 1]]));
        match format {
            Format::Float32 => {
                for (row, from) in pairs {
                    for (number, bytes) in row.0.iter_mut().zip(from.chunks_exact(4)) {
                        *number = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                    }
                }
            }
            Format::Float16 => {
                for (row, from) in pairs {
                    let mut half = HalfRow::default();
                    for (number, bytes) in half.0.iter_mut().zip(from.chunks_exact(2)) {
                        *number = u16::from_le_bytes([bytes[0], bytes[1]]);
                    }
                    half.get::<V>().store(row);
                }
            }
            Format::Linear8 { signed } => {
                for (row, from) in pairs {
                    row.0 = from_linear(&bytes(from, signed), scale_at(from, 8), steps(8, signed));
                }
            }
            Format::Linear4 { signed } => {
                for (row, from) in pairs {
                    row.0 = from_linear(&nibbles(from, signed), scale_at(from, 4), steps(4, signed));
                }
            }
            Format::Log8 { signed } => {
                let (mantissa, most) = large_log(signed);
                for (row, from) in pairs {
                    let codes = bytes(from, false);
                    let magnitudes = from_log(&masked(&codes, most), 1.0, LOWEST_OCTAVE, mantissa);
                    row.0 = apply_signs(magnitudes, &codes, 7, signed);
                }
            }
            Format::Log4 { signed } => {
                let (lowest, mantissa, most) = small_log(signed);
                for (row, from) in pairs {
                    let codes = nibbles(from, false);
                    let scale = scale_at(from, 4);
                    let magnitudes = from_log(&masked(&codes, most), scale, lowest, mantissa);
                    row.0 = apply_signs(magnitudes, &codes, 3, signed);
                }
            }
        }
    }
}

/// The bits of a magnitude.
#[inline(always)]
fn masked(codes: &[i32; 8], mask: i32) -> [i32; 8] {
    let mut masked = [0; 8];
    for lane in 0..8 {
        masked[lane] = codes[lane] & mask;
    }
    masked
}

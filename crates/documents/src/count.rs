//! Counts that may be too large for some readers.

use serde::{Serialize, Serializer};

/// A count in JSON: a number as long as every reader can hold it exactly, a string above 2⁵³.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // A count is all there is.
pub struct JsonCount(pub u128);

impl Serialize for JsonCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(count) if count <= 1 << 53 => serializer.serialize_u64(count),
            _ => serializer.collect_str(&self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_are_strings() {
        for (count, want) in [
            (0, "0"),
            (1 << 53, "9007199254740992"),
            ((1 << 53) + 1, "\"9007199254740993\""),
            (u128::MAX, "\"340282366920938463463374607431768211455\""),
        ] {
            assert_eq!(serde_json::to_string(&JsonCount(count)).unwrap(), want);
        }
    }
}

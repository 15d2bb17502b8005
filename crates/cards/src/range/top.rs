//! The best x percent of combos.

use super::run::ClassSet;
use super::{Range, RangeError};
use crate::card::Rank;
use crate::combo::Combo;
use crate::hand_class::HandClass;

/// Every class and its `2 · wins + ties`, best first.
///
/// The numbers belong to one combo of the class, all-in before the flop against a random combo, over all
/// C(50, 2) · C(48, 5) = 2,097,572,400 deals; divided by twice that number they are the exact equity. They come from
/// an exhaustive count over the 134,459 boards that differ in more than suits: rank the live combos, sweep them in
/// order of strength, weight the board by the number of boards it stands for. No two classes are equal, so the order
/// needs no tie rule. The counts of all 1,326 combos sum to 1,326 · 2,097,572,400, as each deal shares out two halves
/// of a pot between two combos.
#[rustfmt::skip]
const BY_EQUITY: [(&str, u32); HandClass::COUNT] = [
    ("AA", 3_574_419_148), ("KK", 3_456_618_076), ("QQ", 3_352_976_364), ("JJ", 3_249_956_564),
    ("TT", 3_146_852_786), ("99", 3_022_906_058), ("88", 2_901_489_486), ("AKs", 2_812_619_406),
    ("77", 2_778_697_066), ("AQs", 2_777_557_648), ("AJs", 2_743_317_574), ("AKo", 2_740_271_595),
    ("ATs", 2_710_163_670), ("AQo", 2_703_008_959), ("AJo", 2_666_570_709), ("KQs", 2_659_738_722),
    ("66", 2_654_886_824), ("A9s", 2_633_762_831), ("ATo", 2_631_264_233), ("KJs", 2_624_790_516),
    ("A8s", 2_598_632_551), ("KTs", 2_592_119_485), ("KQo", 2_578_159_800), ("A7s", 2_558_365_366),
    ("A9o", 2_549_507_227), ("KJo", 2_540_944_046), ("55", 2_530_717_766), ("QJs", 2_527_960_911),
    ("K9s", 2_516_603_411), ("A5s", 2_513_853_498), ("A6s", 2_513_136_230), ("A8o", 2_511_742_479),
    ("KTo", 2_506_133_992), ("QTs", 2_494_750_222), ("A4s", 2_476_546_510), ("A7o", 2_468_473_350),
    ("K8s", 2_446_287_516), ("A3s", 2_442_426_752), ("QJo", 2_438_834_411), ("K9o", 2_425_293_951),
    ("A5o", 2_420_453_161), ("A6o", 2_419_862_398), ("Q9s", 2_419_101_794), ("K7s", 2_413_791_403),
    ("JTs", 2_413_376_906), ("A2s", 2_407_127_850), ("QTo", 2_403_431_287), ("44", 2_392_189_918),
    ("A4o", 2_379_892_121), ("K6s", 2_376_160_871), ("K8o", 2_350_127_356), ("Q8s", 2_350_025_012),
    ("A3o", 2_342_761_931), ("K5s", 2_340_593_683), ("J9s", 2_335_121_239), ("Q9o", 2_322_450_407),
    ("JTo", 2_317_721_143), ("K7o", 2_315_189_251), ("A2o", 2_304_332_573), ("K4s", 2_302_489_977),
    ("Q7s", 2_278_058_571), ("K6o", 2_274_745_067), ("K3s", 2_267_684_534), ("T9s", 2_266_533_059),
    ("J8s", 2_266_034_488), ("33", 2_252_502_302), ("Q6s", 2_249_124_793), ("Q8o", 2_248_588_890),
    ("K5o", 2_236_598_359), ("J9o", 2_233_964_817), ("K2s", 2_232_309_054), ("Q5s", 2_213_753_197),
    ("T8s", 2_195_502_632), ("K4o", 2_195_213_225), ("J7s", 2_195_100_337), ("Q4s", 2_175_405_007),
    ("Q7o", 2_171_644_643), ("T9o", 2_161_828_275), ("J8o", 2_160_086_896), ("K3o", 2_157_382_145),
    ("Q6o", 2_140_532_877), ("Q3s", 2_140_331_266), ("98s", 2_131_165_248), ("T7s", 2_124_380_950),
    ("J6s", 2_122_991_082), ("K2o", 2_118_914_099), ("22", 2_111_584_984), ("Q2s", 2_104_663_674),
    ("Q5o", 2_102_610_047), ("J5s", 2_097_020_718), ("T8o", 2_085_879_427), ("J7o", 2_084_229_054),
    ("Q4o", 2_060_977_485), ("97s", 2_060_559_942), ("J4s", 2_058_576_574), ("T6s", 2_053_132_211),
    ("J3s", 2_023_386_467), ("Q3o", 2_022_875_163), ("98o", 2_017_740_169), ("87s", 2_010_998_885),
    ("T7o", 2_009_815_656), ("J6o", 2_007_136_533), ("96s", 1_989_685_474), ("J2s", 1_987_582_097),
    ("Q2o", 1_984_112_061), ("T5s", 1_980_790_433), ("J5o", 1_979_306_579), ("T4s", 1_952_021_583),
    ("97o", 1_942_260_018), ("86s", 1_939_972_106), ("J4o", 1_937_585_709), ("T6o", 1_933_626_279),
    ("95s", 1_918_098_843), ("T3s", 1_916_867_042), ("76s", 1_903_411_309), ("J3o", 1_899_374_667),
    ("87o", 1_889_946_808), ("T2s", 1_881_081_228), ("85s", 1_868_726_945), ("96o", 1_866_476_357),
    ("J2o", 1_860_482_433), ("T5o", 1_856_391_409), ("94s", 1_840_073_188), ("75s", 1_832_252_004),
    ("T4o", 1_825_060_325), ("93s", 1_814_998_261), ("86o", 1_814_018_446), ("65s", 1_809_508_009),
    ("84s", 1_791_395_097), ("95o", 1_790_032_326), ("T3o", 1_786_903_085), ("92s", 1_779_377_877),
    ("76o", 1_775_500_515), ("74s", 1_755_639_231), ("T2o", 1_748_047_643), ("54s", 1_739_031_009),
    ("85o", 1_737_944_702), ("64s", 1_733_992_584), ("83s", 1_714_702_682), ("94o", 1_706_209_587),
    ("75o", 1_699_535_755), ("82s", 1_689_453_378), ("73s", 1_679_565_482), ("93o", 1_678_876_575),
    ("65o", 1_675_721_321), ("53s", 1_665_177_248), ("63s", 1_658_490_084), ("84o", 1_654_850_021),
    ("92o", 1_640_215_041), ("43s", 1_621_085_688), ("74o", 1_617_221_098), ("72s", 1_600_694_981),
    ("54o", 1_600_669_542), ("64o", 1_594_595_021), ("52s", 1_587_834_115), ("62s", 1_580_267_589),
    ("83o", 1_572_500_215), ("42s", 1_545_030_496), ("82o", 1_544_974_255), ("73o", 1_535_517_681),
    ("53o", 1_521_359_660), ("63o", 1_513_508_859), ("32s", 1_509_598_969), ("43o", 1_474_421_119),
    ("72o", 1_450_834_082), ("52o", 1_438_290_523), ("62o", 1_429_501_394), ("42o", 1_392_777_591),
    ("32o", 1_355_167_195),
];

/// The classes of [`BY_EQUITY`], read from their names at compile time.
const CLASSES: [HandClass; HandClass::COUNT] = {
    let mut classes = [HandClass::new(Rank::ACE, Rank::ACE, false); HandClass::COUNT];
    let mut i = 0;
    while i < HandClass::COUNT {
        let name = BY_EQUITY[i].0.as_bytes();
        let (Some(high), Some(low)) = (Rank::from_char(name[0] as char), Rank::from_char(name[1] as char))
        else {
            panic!("a name in the table of equities has an unknown rank");
        };
        classes[i] = HandClass::new(high, low, name.len() == 3 && name[2] == b's');
        i += 1;
    }
    classes
};

impl HandClass {
    /// Twice the number of deals of one combo, all-in before the flop against a random combo:
    /// 2 · C(50, 2) · C(48, 5).
    pub const DEAL_HALVES: u32 = 4_195_144_800;

    /// Every class, best first by its exact all-in equity against a random combo.
    ///
    /// ```
    /// use equipoise_cards::HandClass;
    /// let best: Vec<String> = HandClass::by_equity().take(8).map(|class| class.to_string()).collect();
    /// assert_eq!(best, ["AA", "KK", "QQ", "JJ", "TT", "99", "88", "AKs"]);
    /// ```
    pub fn by_equity() -> impl DoubleEndedIterator<Item = HandClass> + ExactSizeIterator {
        CLASSES.into_iter()
    }

    /// `2 · wins + ties` of one combo of this class, all-in before the flop against a random combo, over all deals.
    ///
    /// Divided by [`HandClass::DEAL_HALVES`] it is the exact equity:
    ///
    /// ```
    /// use equipoise_cards::HandClass;
    /// let aces: HandClass = "AA".parse()?;
    /// let equity = f64::from(aces.equity_halves()) / f64::from(HandClass::DEAL_HALVES);
    /// assert!((equity - 0.852037133).abs() < 1e-9);
    /// # Ok::<(), equipoise_cards::ParseHandClassError>(())
    /// ```
    #[must_use]
    pub fn equity_halves(self) -> u32 {
        CLASSES.iter().zip(BY_EQUITY).find(|&(&class, _)| class == self).map_or(0, |(_, (_, halves))| halves)
    }
}

impl Range {
    /// The best `percent` % of the 1,326 combos, by equity against a random combo.
    ///
    /// Classes are taken whole and best first, as long as that brings the number of combos nearer to `percent` % of
    /// 1,326; any `percent` above 0 gives at least one class. So 15 % (198.9 combos) is 200 combos, 100 % is
    /// everything and 0 % nothing.
    ///
    /// ```
    /// use equipoise_cards::Range;
    /// assert_eq!(Range::top(0.5)?.to_string(), "AA");
    /// assert_eq!(Range::top(15.0)?.num_combos(), 200);
    /// assert_eq!(Range::top(100.0)?, Range::full());
    /// # Ok::<(), equipoise_cards::RangeError>(())
    /// ```
    ///
    /// # Errors
    /// [`RangeError::Percent`] unless `percent` lies in 0..=100.
    pub fn top(percent: f64) -> Result<Range, RangeError> {
        let mut range = Range::empty();
        best_classes(percent)?.iter().for_each(|class| range.paint(class, 1.0));
        Ok(range)
    }
}

/// The classes of [`Range::top`].
pub(super) fn best_classes(percent: f64) -> Result<ClassSet, RangeError> {
    if !(0.0..=100.0).contains(&percent) {
        return Err(RangeError::Percent { percent });
    }
    let target = percent / 100.0 * Combo::COUNT as f64;
    let (mut classes, mut count) = (ClassSet::EMPTY, 0);
    for class in HandClass::by_equity() {
        let next = count + class.num_combos();
        let is_nearer = (next as f64 - target).abs() < (count as f64 - target).abs();
        if !(is_nearer || count == 0 && percent > 0.0) {
            break;
        }
        classes.insert(class);
        count = next;
    }
    Ok(classes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_class_once_in_falling_order() {
        let mut seen = [false; HandClass::COUNT];
        for (class, (name, halves)) in HandClass::by_equity().zip(BY_EQUITY) {
            assert_eq!(class.to_string(), name);
            assert_eq!(class.equity_halves(), halves);
            assert!(!std::mem::replace(&mut seen[class.index()], true));
        }
        assert!(BY_EQUITY.windows(2).all(|pair| pair[0].1 > pair[1].1));
    }

    #[test]
    fn equities_are_a_zero_sum() {
        let sum: u64 =
            HandClass::all().map(|class| class.num_combos() as u64 * u64::from(class.equity_halves())).sum();
        assert_eq!(2 * sum, Combo::COUNT as u64 * u64::from(HandClass::DEAL_HALVES));
    }

    #[test]
    fn equities_are_those_of_the_reference() {
        for (name, want) in [
            ("AA", 0.852037133),
            ("KK", 0.823957),
            ("AKs", 0.670446),
            ("T9s", 0.540275),
            ("72o", 0.345836),
            ("32o", 0.323032),
        ] {
            let class: HandClass = name.parse().unwrap();
            let equity = f64::from(class.equity_halves()) / f64::from(HandClass::DEAL_HALVES);
            assert!((equity - want).abs() < 6e-7, "{name} {equity}");
        }
    }

    #[test]
    fn whole_classes_nearest_to_the_share() {
        for (percent, combos) in [(0.0, 0), (1e-9, 6), (0.45, 6), (0.69, 12), (1.0, 12), (100.0, 1326)] {
            assert_eq!(Range::top(percent).unwrap().num_combos(), combos, "{percent}");
        }
        for tenth in 1..=1000 {
            let percent = f64::from(tenth) / 10.0;
            let count = Range::top(percent).unwrap().num_combos();
            // The widest class has 12 combos, so the nearest total is at most 6 away; one class is the least.
            assert!((count as f64 - percent * 13.26).abs() <= 6.0, "{percent} {count}");
        }
        for percent in [-1.0, 100.5, f64::NAN, f64::INFINITY] {
            assert!(matches!(Range::top(percent), Err(RangeError::Percent { .. })));
        }
    }
}

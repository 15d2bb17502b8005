//! From what the user wrote to a problem that can be solved.

use std::num::NonZeroU32;

use crate::cards::{Board, BoardError, Card, CardSet, ParseRangeError, Range, Street, parse_cards};
use crate::cfr::{self, Algorithm, AlgorithmError, AsymmetryMode, ParameterError};
use crate::game::{
    BetMenu, Chips, ConfigError, Line, LineError, MenuKey, MenuKind, ParseLineError, ParseMenuError, Payouts,
    PerPlayer, Player, Preset, Prizes, PrizesError, Rake, TreeConfig, TreeCount, TreeError,
};
use crate::postflop::{Options, Precision, Spot, SpotCount, SpotError, Storage};

use super::amount::{Amount, CHIPS_PER_BIG_BLIND};
use super::document::{Document, nearest};
use super::error::{Cause, SpotFileError};
use super::file::{CardsFile, SolverFile, SpotFile, StreetFile, TreeFile};
use super::{Problem, ProblemCount, SCHEMA_VERSION, locks, precision_key};

pub(super) fn resolve(
    document: &Document<'_>,
    file: &SpotFile,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Problem, SpotFileError> {
    let Outline { ranges, board, config, options } = outline(document, file)?;
    let spot = Spot::new_unless(ranges, board, &config, is_cancelled)
        .map_err(|error| of_spot(document, error, &config, is_cancelled))?;
    let locks = locks::resolve(document, &file.locks, &spot)?;
    let spot = spot.with_locks(locks).map_err(|error| document.wrong("locks", error))?;
    Ok(Problem { spot, options, text: String::new() })
}

/// What [`resolve`] would find, counted; locks are left out.
pub(super) fn count(
    document: &Document<'_>,
    file: &SpotFile,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<ProblemCount, SpotFileError> {
    let Outline { ranges, board, config, options } = outline(document, file)?;
    let spot = SpotCount::new(ranges, board, &config, is_cancelled)
        .map_err(|error| of_spot(document, error, &config, is_cancelled))?;
    Ok(ProblemCount { spot, options, has_locks: !file.locks.is_empty() })
}

/// What a file says but for its locks.
struct Outline {
    ranges: PerPlayer<Range>,
    board: Board,
    config: TreeConfig,
    options: Options,
}

fn outline(document: &Document<'_>, file: &SpotFile) -> Result<Outline, SpotFileError> {
    if let Some(found) = file.schema_version.filter(|&version| version != SCHEMA_VERSION) {
        return Err(document.wrong("schema_version", Cause::Version { found }));
    }
    let ranges = [("ranges.oop", &file.ranges.oop), ("ranges.ip", &file.ranges.ip)];
    let [oop, ip] = ranges.map(|(place, text)| range(document, place, text.as_deref()));
    let board = board(document, &file.cards)?;
    let options = options(document, &file.solver, board.street())?;
    let config = config(document, file, &board)?;
    Ok(Outline { ranges: PerPlayer::new(oop?, ip?), board, config, options })
}

pub(super) fn range(
    document: &Document<'_>,
    place: &str,
    text: Option<&str>,
) -> Result<Range, SpotFileError> {
    let text = text.ok_or_else(|| document.missing(place, "\"QQ+,AKs\""))?;
    text.parse()
        .map_err(|error: ParseRangeError| document.wrong_inside(place, Some((text, error.at())), error))
}

fn board(document: &Document<'_>, cards: &CardsFile) -> Result<Board, SpotFileError> {
    let flop = cards.flop.as_deref().ok_or_else(|| document.missing("cards.flop", "\"Td9d6h\""))?;
    if let (None, Some(_)) = (&cards.turn, &cards.river) {
        return Err(document.wrong("cards.river", Cause::RiverWithoutTurn).help(turn_advice(cards)));
    }
    let streets = [
        (Street::Flop, Some(flop), 3),
        (Street::Turn, cards.turn.as_deref(), 1),
        (Street::River, cards.river.as_deref(), 1),
    ];
    let mut dealt = Vec::new();
    for (street, text, expected) in streets {
        let Some(text) = text else { continue };
        let place = format!("cards.{street}");
        let cards = self::cards(document, &place, text)?;
        if cards.len() != expected {
            return Err(document.wrong(&place, Cause::NumCards { street, expected, found: cards.len() }));
        }
        dealt.extend(cards);
        // Checked street by street, so that the error stands at the right one.
        if let Err(error @ BoardError::Duplicate { .. }) = Board::new(&dealt) {
            return Err(document.wrong(&place, error));
        }
    }
    Board::new(&dealt).map_err(|error| document.wrong("cards", error))
}

/// A turn that the file's other cards leave possible.
fn turn_advice(cards: &CardsFile) -> String {
    let written = [&cards.flop, &cards.river].into_iter().flatten();
    let taken: CardSet = written.filter_map(|text| parse_cards(text).ok()).flatten().collect();
    let examples = ["Qc", "7s"].into_iter().flat_map(parse_cards).flatten();
    let free = examples.chain(Card::ALL).find(|&card| !taken.contains(card));
    free.map_or_else(|| "add the turn".to_owned(), |card| format!("add under [cards]: turn = \"{card}\""))
}

pub(super) fn cards(document: &Document<'_>, place: &str, text: &str) -> Result<Vec<Card>, SpotFileError> {
    parse_cards(text).map_err(|error| document.wrong_inside(place, Some((text, error.at())), error))
}

fn config(document: &Document<'_>, file: &SpotFile, board: &Board) -> Result<TreeConfig, SpotFileError> {
    let tree = &file.tree;
    let big_blind = big_blind(document, tree.big_blind)?;
    let amount = |written: Option<Amount>| written.map(|amount| amount.in_chips(big_blind));
    let pot = chips(document, "tree.starting_pot", amount(tree.starting_pot), "200")?;
    let stack = chips(document, "tree.effective_stack", amount(tree.effective_stack), "900")?;
    let mut config = TreeConfig::new(board.street(), pot, stack);
    config.prizes = prizes(document, tree, stack, &amount)?;
    config.rake = Rake { rate: tree.rake_rate.unwrap_or(0.0), cap: amount(tree.rake_cap) };
    let thresholds = &mut config.thresholds;
    for (slot, written) in [
        (&mut thresholds.add_allin, tree.add_allin_threshold),
        (&mut thresholds.force_allin, tree.force_allin_threshold),
        (&mut thresholds.merging, tree.merging_threshold),
    ] {
        *slot = written.unwrap_or(*slot);
    }
    thresholds.add_allin_without_sizes = tree.add_allin_without_sizes.unwrap_or(false);
    if let Some(name) = &tree.preset {
        name.parse::<Preset>().map_err(|error| document.wrong("tree.preset", error))?.apply(&mut config);
    }
    let sizes = &file.bet_sizes;
    for (street, menus) in
        [(Street::Flop, &sizes.flop), (Street::Turn, &sizes.turn), (Street::River, &sizes.river)]
    {
        set_menus(document, &mut config, street, menus)?;
    }
    config.add_lines = lines(document, "tree.add_lines", &tree.add_lines)?;
    config.remove_lines = lines(document, "tree.remove_lines", &tree.remove_lines)?;
    config.check().map_err(|error| of_config(document, error))?;
    Ok(config)
}

/// What is played for, if it is not chips.
fn prizes(
    document: &Document<'_>,
    tree: &TreeFile,
    effective: Chips,
    amount: &dyn Fn(Option<Amount>) -> Option<f64>,
) -> Result<Option<Prizes>, SpotFileError> {
    let stack = |place: &str, written: Option<Amount>| {
        amount(written).map_or(Ok(effective), |value| chips(document, place, Some(value), ""))
    };
    let stacks =
        PerPlayer::new(stack("tree.oop_stack", tree.oop_stack)?, stack("tree.ip_stack", tree.ip_stack)?);
    let made = match (&tree.payouts, &tree.prize_table) {
        (Some(_), Some(_)) => {
            let message = "is given beside `payouts`: prizes follow from one of the two";
            return Err(document.wrong("tree.prize_table", message).help("remove one of them"));
        }
        (Some(payouts), None) => {
            let payouts = Payouts::new(payouts.clone());
            let payouts = payouts.map_err(|error| of_prizes(document, error.into()))?;
            let others = tree.other_stacks.iter().flatten().enumerate();
            let others = others.map(|(at, &other)| {
                chips(document, &format!("tree.other_stacks.{at}"), amount(Some(other)), "")
            });
            Prizes::icm(stacks, payouts, others.collect::<Result<_, _>>()?)
        }
        (None, Some(points)) => {
            if tree.other_stacks.is_some() {
                let message = "means nothing beside `prize_table`, which says what stacks are worth";
                return Err(document.wrong("tree.other_stacks", message).help("remove one of them"));
            }
            Prizes::table(stacks, points.clone())
        }
        (None, None) => {
            let alone = [
                ("other_stacks", tree.other_stacks.is_some()),
                ("oop_stack", tree.oop_stack.is_some()),
                ("ip_stack", tree.ip_stack.is_some()),
            ];
            let Some((key, _)) = alone.into_iter().find(|(_, is_written)| *is_written) else {
                return Ok(None);
            };
            let message = "means nothing where chips are played for: only the effective stack counts";
            return Err(document
                .wrong(&format!("tree.{key}"), message)
                .help("write payouts = [50, 30, 20] or prize_table too, or remove it"));
        }
    };
    made.map(Some).map_err(|error| of_prizes(document, error))
}

fn of_prizes(document: &Document<'_>, error: PrizesError) -> SpotFileError {
    let is_table = matches!(error, PrizesError::Point { .. } | PrizesError::Reach { .. });
    let (place, help) = match &error {
        PrizesError::TooManyOthers { .. } | PrizesError::NoStack => ("tree.other_stacks", None),
        PrizesError::Stacks { .. } => {
            ("tree.effective_stack", Some("the deeper player's chips are said with oop_stack or ip_stack"))
        }
        PrizesError::Rake => ("tree.rake_rate", None),
        _ if is_table => ("tree.prize_table", None),
        _ => ("tree.payouts", None),
    };
    let wrong = document.wrong(place, ConfigError::from(error));
    match help {
        Some(help) => wrong.help(help),
        None => wrong,
    }
}

/// How many chips a big blind has.
fn big_blind(document: &Document<'_>, written: Option<f64>) -> Result<f64, SpotFileError> {
    match written {
        Some(chips) if !(chips.is_finite() && chips > 0.0) => {
            Err(document.wrong("tree.big_blind", format!("a big blind of {chips} chips makes no sense")))
        }
        _ => Ok(written.unwrap_or(CHIPS_PER_BIG_BLIND)),
    }
}

fn chips(
    document: &Document<'_>,
    place: &str,
    written: Option<f64>,
    example: &str,
) -> Result<Chips, SpotFileError> {
    let value = written.ok_or_else(|| document.missing(place, example))?;
    Chips::try_from(value).map_err(|error| document.wrong(place, error))
}

/// Puts the sizes that are written in place of those that a preset has set.
fn set_menus(
    document: &Document<'_>,
    config: &mut TreeConfig,
    street: Street,
    file: &StreetFile,
) -> Result<(), SpotFileError> {
    let Some(menus) = config.menus_mut(street) else { return Ok(()) };
    for (key, text, slot) in [
        ("oop_bet", &file.oop_bet, &mut menus.oop.bet),
        ("oop_raise", &file.oop_raise, &mut menus.oop.raise),
        ("ip_bet", &file.ip_bet, &mut menus.ip.bet),
        ("ip_raise", &file.ip_raise, &mut menus.ip.raise),
    ] {
        if let Some(text) = text {
            *slot = menu(document, street, key, text)?;
        }
    }
    if let Some(text) = &file.oop_donk {
        menus.donk = Some(menu(document, street, "oop_donk", text)?);
    }
    Ok(())
}

fn menu(document: &Document<'_>, street: Street, key: &str, text: &str) -> Result<BetMenu, SpotFileError> {
    text.parse().map_err(|error: ParseMenuError| {
        document.wrong_inside(&format!("bet_sizes.{street}.{key}"), Some((text, error.at())), error)
    })
}

fn lines(document: &Document<'_>, place: &str, texts: &[String]) -> Result<Vec<Line>, SpotFileError> {
    let line = |(i, text): (usize, &String)| {
        text.parse().map_err(|error: ParseLineError| {
            document.wrong_inside(&format!("{place}.{i}"), Some((text, error.at())), error)
        })
    };
    texts.iter().enumerate().map(line).collect()
}

fn options(document: &Document<'_>, file: &SolverFile, street: Street) -> Result<Options, SpotFileError> {
    let mut options = Options::for_street(street);
    options.algorithm = algorithm(document, file, options.algorithm)?;
    options.storage = storage(document, file)?;
    options.isomorphism = file.isomorphism.unwrap_or(options.isomorphism);
    options.keep_best = file.keep_best.unwrap_or(options.keep_best);
    if file.max_iterations == Some(0) {
        return Err(
            document.wrong("solver.max_iterations", "0 iterations would solve nothing: write 1 or more")
        );
    }
    options.max_iterations = file.max_iterations.unwrap_or(options.max_iterations);
    if let Some(target) = file.target_exploitability_pct.filter(|&t| !(t.is_finite() && t >= 0.0)) {
        let message = format!("{target} must be 0 or more, in percent of the starting pot");
        return Err(document.wrong("solver.target_exploitability_pct", message));
    }
    options.target_pct = file.target_exploitability_pct.unwrap_or(options.target_pct);
    Ok(options)
}

/// The algorithm of the file, or else this one, with the parameters that have keys of their own.
fn algorithm(
    document: &Document<'_>,
    file: &SolverFile,
    default: Algorithm,
) -> Result<Algorithm, SpotFileError> {
    let named = file.algorithm.as_deref().map(str::parse::<Algorithm>).transpose();
    let named = named.map_err(|error: AlgorithmError| document.wrong("solver.algorithm", error))?;
    let mut parameters = cfr::Options::default();
    parameters.alpha = file.alpha;
    parameters.beta = file.beta;
    parameters.gamma = file.gamma;
    parameters.offset = file.offset;
    parameters.asymmetry_alpha = file.asymmetry_alpha;
    parameters.alpha_max = file.alpha_max;
    parameters.lambda = file.lambda;
    parameters.kappa = file.kappa;
    parameters.dcfr_beta = file.dcfr_beta;
    parameters.horizon = file.horizon;
    parameters.look_ahead = file.look_ahead;
    let mode = file.asymmetry_mode.as_deref().map(|text| asymmetry_mode(document, text));
    parameters.asymmetry_mode = mode.transpose()?;
    let with = named.unwrap_or(default).with_options(&parameters);
    with.map_err(|error| of_parameter(document, &error))
}

/// The mode, without the number that may stand after it in the brackets of a name.
fn asymmetry_mode(document: &Document<'_>, text: &str) -> Result<AsymmetryMode, SpotFileError> {
    let modes = [(AsymmetryMode::Auto, "alpha_max"), (AsymmetryMode::Fixed, "asymmetry_alpha")];
    text.parse().map_err(|_: ParameterError| {
        let (word, number) = text.trim().split_once(char::is_whitespace).unwrap_or((text, ""));
        let known = modes.map(|(mode, key)| (mode.to_string(), key));
        let near = nearest(word, &known.each_ref().map(|(mode, _)| mode.as_str()));
        let found = known.iter().find(|(mode, _)| Some(mode.as_str()) == near);
        let help = match found {
            Some((mode, key)) if number.trim().parse::<f64>().is_ok() => {
                let number = number.trim();
                format!("the number has a key of its own: asymmetry_mode = \"{mode}\", {key} = {number}")
            }
            Some((mode, _)) => format!("did you mean '{mode}'?"),
            None => "a number goes into `alpha_max` with auto, into `asymmetry_alpha` with fixed".to_owned(),
        };
        let message = format!("'{text}' is no asymmetry mode: write auto or fixed");
        document.wrong("solver.asymmetry_mode", message).help(help)
    })
}

fn of_parameter(document: &Document<'_>, error: &ParameterError) -> SpotFileError {
    let key = match error {
        ParameterError::NotOfAlgorithm { key, .. }
        | ParameterError::NotANumber { key, .. }
        | ParameterError::OutOfRange { key, .. }
        | ParameterError::Twice { key }
        | ParameterError::NeedsMode { key, .. }
        | ParameterError::NoSign { key, .. } => key,
        _ => "asymmetry_mode",
    };
    document.wrong(&format!("solver.{key}"), error.clone())
}

/// Iterations between two normalisations where the file does not say.
const LAZY_FREQ: NonZeroU32 = NonZeroU32::new(10).unwrap();

fn storage(document: &Document<'_>, file: &SolverFile) -> Result<Storage, SpotFileError> {
    let name = file.quantization.as_deref();
    let mut storage = Storage::of(name.map_or(Ok(Precision::Bits32), |name| precision(document, name))?);
    for (key, written, slot) in [
        ("regret_bits", file.regret_bits, &mut storage.regrets),
        ("strategy_bits", file.strategy_bits, &mut storage.strategy),
    ] {
        if let Some(written) = written {
            let found = Precision::ALL.into_iter().find(|precision| precision.bits() == written);
            *slot = found.ok_or_else(|| {
                let message = format!("numbers of {written} bits are not known");
                document.wrong(&format!("solver.{key}"), message).help("write 32, 16, 8 or 4")
            })?;
        }
    }
    storage.log_encoding = file.log_encoding.unwrap_or(false);
    if storage.log_encoding && storage.regrets.min(storage.strategy) > Precision::Bits8 {
        let message = "only numbers of 8 and 4 bits have another encoding, and there are none";
        let help =
            "write `quantization = \"8bit\"` too, or remove it: wider numbers are floating-point already";
        return Err(document.wrong("solver.log_encoding", message).help(help));
    }
    storage.lazy_normalization = lazy_normalization(document, file)?;
    Ok(storage)
}

fn lazy_normalization(
    document: &Document<'_>,
    file: &SolverFile,
) -> Result<Option<NonZeroU32>, SpotFileError> {
    let place = "solver.lazy_normalization_freq";
    match (file.lazy_normalization, file.lazy_normalization_freq) {
        (Some(true), None) => Ok(Some(LAZY_FREQ)),
        (Some(true), Some(every)) => NonZeroU32::new(every).map(Some).ok_or_else(|| {
            document.wrong(place, "every 0 iterations makes no sense").help("write 1 or more")
        }),
        (_, Some(_)) => Err(document
            .wrong(place, "means nothing without lazy normalisation")
            .help("write `lazy_normalization = true` too, or remove it")),
        _ => Ok(None),
    }
}

fn precision(document: &Document<'_>, name: &str) -> Result<Precision, SpotFileError> {
    let keys = Precision::ALL.map(precision_key);
    let found = Precision::ALL.into_iter().zip(&keys).find(|(_, key)| name.eq_ignore_ascii_case(key));
    found.map(|(precision, _)| precision).ok_or_else(|| {
        // Only the number tells them apart: '2bit' is as near to '32bit' as to '4bit'.
        let bits: String = name.chars().filter(char::is_ascii_digit).collect();
        let help = keys.iter().find(|key| key.strip_suffix("bit") == Some(&bits)).map_or_else(
            || format!("write one of {}", keys.join(", ")),
            |near| format!("did you mean '{near}'?"),
        );
        document.wrong("solver.quantization", format!("'{name}' is no quantization")).help(help)
    })
}

fn of_spot(
    document: &Document<'_>,
    error: SpotError,
    config: &TreeConfig,
    is_cancelled: &dyn Fn() -> bool,
) -> SpotFileError {
    match error {
        SpotError::Tree(TreeError::Config(error)) => of_config(document, error),
        SpotError::Tree(TreeError::Line(error)) => of_line(document, error, config),
        SpotError::Tree(TreeError::TooManyNodes { street, .. }) => {
            let wrong = document.wrong(&format!("bet_sizes.{street}"), error);
            match sizes_to_drop(config, is_cancelled) {
                Some(dropped) => wrong.help(dropped),
                None => wrong,
            }
        }
        // A menu has fewer sizes than that: only added lines can exceed it.
        SpotError::TooManyActions { .. } => document.wrong("tree.add_lines", error),
        SpotError::NoCombo { player, .. } => document
            .wrong(&format!("ranges.{player}"), error)
            .help("add combos that use none of the board's cards"),
        SpotError::NoDeal => document.wrong("ranges.ip", error).help("widen one of the ranges"),
        _ => document.wrong("tree", error),
    }
}

/// Nodes that may be walked for one count of a smaller tree.
const COUNT_WORK: u64 = 1 << 18;

/// What to drop where a tree has too many nodes, in words; `None` if dropping does not help.
fn sizes_to_drop(config: &TreeConfig, is_cancelled: &dyn Fn() -> bool) -> Option<String> {
    let measure = |_: usize, config: &TreeConfig| {
        TreeCount::with_work(config, COUNT_WORK, is_cancelled).map(|count| count.num_nodes()).ok()
    };
    config.thin_out(measure).map(|(name, nodes)| format!("{name} it has {nodes}"))
}

/// Points at the line that does not fit.
fn of_line(document: &Document<'_>, error: LineError, config: &TreeConfig) -> SpotFileError {
    let text = error.to_string();
    for (key, lines) in [("add_lines", &config.add_lines), ("remove_lines", &config.remove_lines)] {
        if let Some(i) = lines.iter().position(|line| text.contains(&format!("'{line}'"))) {
            return document.wrong(&format!("tree.{key}.{i}"), error);
        }
    }
    document.wrong("tree", error)
}

fn of_config(document: &Document<'_>, error: ConfigError) -> SpotFileError {
    let place = match &error {
        ConfigError::ZeroPot => "tree.starting_pot".to_owned(),
        ConfigError::TooManyChips { what, .. } => format!("tree.{}", what.replace(' ', "_")),
        ConfigError::RakeRate { .. } => "tree.rake_rate".to_owned(),
        ConfigError::RakeCap { .. } => "tree.rake_cap".to_owned(),
        ConfigError::Prizes(error) => return of_prizes(document, error.clone()),
        ConfigError::Threshold { name, .. } => format!("tree.{name}"),
        ConfigError::RaiseSizeInBets { key, .. }
        | ConfigError::BadSize { key, .. }
        | ConfigError::TooManySizes { key, .. } => menu_place(*key),
        ConfigError::FlopDonk => {
            menu_place(MenuKey { street: Street::Flop, player: Player::Oop, kind: MenuKind::Donk })
        }
        _ => "tree".to_owned(),
    };
    document.wrong(&place, error)
}

/// `flop oop_bet` is `bet_sizes.flop.oop_bet` in the file.
fn menu_place(key: MenuKey) -> String {
    format!("bet_sizes.{}", key.to_string().replace(' ', "."))
}

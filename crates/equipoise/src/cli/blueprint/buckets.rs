//! The buckets of a blueprint: a folder that is given, or a cache.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use equipoise::abstraction::{AbstractionConfig, CardAbstraction, StreetBuckets, StreetConfig};
use equipoise::blueprint::bucketed::BucketedError;
use equipoise::blueprint::whole::{Blueprint, BlueprintBuckets, StreetView};
use equipoise::cards::Street;
use equipoise::game_file::{BucketsText, StreetText};
use equipoise::progress::Part;

use crate::cli::cache::cache_folder;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::note;
use crate::cli::watch::{Watch, catch_interrupts};

use super::game_error;

/// The buckets that a game asks for; what it leaves open is the default.
pub(super) fn config(text: &BucketsText) -> Result<AbstractionConfig, Failure> {
    let default = AbstractionConfig::default();
    let street = |name: &str, text: &StreetText, default: StreetConfig| {
        let method = match &text.method {
            Some(method) => {
                method.parse().map_err(|error| BadInput::new(format!("[buckets.{name}] method: {error}")))?
            }
            None => default.method,
        };
        Ok::<_, Failure>(StreetConfig { method, buckets: text.buckets.unwrap_or(default.buckets) })
    };
    let config = AbstractionConfig {
        flop: street("flop", &text.flop, default.flop)?,
        turn: street("turn", &text.turn, default.turn)?,
        river: street("river", &text.river, default.river)?,
        samples_per_street: text.samples_per_street.or(default.samples_per_street),
        random_seed: text.random_seed.unwrap_or(default.random_seed),
        threads: None,
    };
    config.check().map_err(|error| BadInput::new(format!("[buckets] {error}")))?;
    Ok(config)
}

/// What a game tells apart beside its buckets.
pub(super) fn views(text: &BucketsText) -> Result<[StreetView; 3], Failure> {
    let view = |(name, text): (&str, &StreetText)| {
        let view = text.view.as_deref().unwrap_or("buckets");
        view.parse::<StreetView>().map_err(|()| {
            BadInput::new(format!("[buckets.{name}] view: '{view}' is none"))
                .help("there are buckets, texture and, on the flop, lossless")
        })
    };
    let streets = [("flop", &text.flop), ("turn", &text.turn), ("river", &text.river)];
    let [flop, turn, river] = streets.map(view);
    Ok([flop?, turn?, river?])
}

/// Buckets with what is told apart beside them.
fn viewed(abstraction: CardAbstraction, views: [StreetView; 3]) -> Result<BlueprintBuckets, Failure> {
    BlueprintBuckets::new(abstraction, views).map_err(game_error)
}

/// The folder of all that is kept.
fn cache() -> Result<PathBuf, Failure> {
    let none = || {
        BadInput::new("there is no folder for buckets: neither EQUIPOISE_CACHE nor HOME is set")
            .help("give a folder with --buckets, made by `equipoise abstraction build`")
    };
    Ok(cache_folder().ok_or_else(none)?)
}

/// The folder of a configuration in the cache.
fn folder(config: &AbstractionConfig) -> Result<PathBuf, Failure> {
    Ok(cache()?.join("buckets").join(config.name()))
}

/// The buckets to train in, and takes Ctrl-C from now on.
pub(super) fn for_training(
    given: Option<&Path>,
    config: &AbstractionConfig,
    views: [StreetView; 3],
) -> Result<BlueprintBuckets, Failure> {
    let found = match given {
        Some(folder) => {
            catch_interrupts()?;
            load(folder)?
        }
        None => cached(config)?,
    };
    viewed(found, views)
}

/// The buckets of a blueprint: those of the folder that is given, or of the cache. Takes Ctrl-C from now on.
pub(in crate::cli) fn of(blueprint: &Blueprint, given: Option<&Path>) -> Result<BlueprintBuckets, Failure> {
    let source = blueprint.header().source.as_ref().ok_or_else(|| game_error(BucketedError::NoSource))?;
    let found = match (given, source.config()) {
        (Some(folder), _) => {
            catch_interrupts()?;
            load(folder)?
        }
        (None, Some(config)) => cached(&config)?,
        (None, None) => {
            return Err(BadInput::new(
                "the buckets of this blueprint cannot be made again from what it says",
            )
            .help("give their folder with --buckets")
            .into());
        }
    };
    BlueprintBuckets::of_blueprint(blueprint.header(), found).map_err(|error| {
        let is_other = matches!(error, BucketedError::OtherBuckets { .. });
        let help = "give the folder of its buckets with --buckets; numbers from others would mean nothing";
        let input = BadInput::new(error);
        if is_other { input.help(help).into() } else { input.into() }
    })
}

fn load(folder: &Path) -> Result<CardAbstraction, Failure> {
    CardAbstraction::load(folder).map_err(|error| {
        BadInput::new(error).help("`equipoise abstraction build -o DIR` makes such a folder").into()
    })
}

/// The buckets of the cache; those that are not there are built.
fn cached(config: &AbstractionConfig) -> Result<CardAbstraction, Failure> {
    let folder = folder(config)?;
    let file = |street| CardAbstraction::file(&folder, street);
    // The last first: each may be made from the next.
    let missing: Vec<Street> = [Street::River, Street::Turn, Street::Flop]
        .into_iter()
        .filter(|&street| !file(street).exists())
        .collect();
    if missing.is_empty() {
        catch_interrupts()?;
        return load(&folder);
    }
    note(format!("building buckets in {}, once", folder.display()));
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut watch = Watch::start()?;
    for (at, &street) in missing.iter().enumerate() {
        let next = Street::ALL.get(street as usize + 1).map(|&next| StreetBuckets::load(&file(next)));
        let next = next.transpose().map_err(BadInput::new)?;
        let mut part = Part::of(&mut watch, at, missing.len());
        let built = StreetBuckets::build_on(street, config, next.as_ref(), &mut part);
        let built = built.map_err(|error| match error {
            equipoise::abstraction::AbstractionError::Cancelled => {
                Failure::Interrupted("while building buckets; finished streets are kept".to_owned())
            }
            error => Failure::Runtime(error.into()),
        })?;
        built.save(&file(street)).map_err(|error| Failure::Runtime(error.into()))?;
    }
    watch.finish();
    load(&folder)
}

/// The buckets of two blueprints; the second is absent if it is the first. Takes Ctrl-C from now on.
pub(super) fn of_both(
    [first, second]: [&Blueprint; 2],
) -> Result<(BlueprintBuckets, Option<BlueprintBuckets>), Failure> {
    let found = of(first, None)?;
    if first.header().source == second.header().source {
        return Ok((found, None));
    }
    Ok((found, Some(of(second, None)?)))
}

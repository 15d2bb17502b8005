//! Blueprints that can be played against: files of the library, and those that were named when the server was started.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use equipoise_abstraction::CardAbstraction;
use equipoise_blueprint::bucketed::BucketedError;
use equipoise_blueprint::whole::{Blueprint, BlueprintBuckets, BlueprintFileError, BlueprintHeader};
use equipoise_cards::Street;
use equipoise_documents::api::{BlueprintRow, BlueprintsDocument, DamagedDocument};
use equipoise_documents::command::stack_and_sizes;
use equipoise_play::Strategy;

use crate::config::Config;
use crate::error::ApiError;
use crate::library::{Stamp, is_word, locked};
use crate::work::Cancel;

const ENDING: &str = ".eqb";

/// How a blueprint's buckets come to where the server looks for them.
const BUILDS: &str =
    "`equipoise serve --blueprint` with this file builds its buckets once, and so does `equipoise play`";

/// A blueprint with its buckets.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) id: String,
    pub(crate) blueprint: Blueprint,
    buckets: BlueprintBuckets,
    path: PathBuf,
    stamp: Stamp,
}

impl Opened {
    pub(crate) fn strategy(&self) -> Strategy<'_> {
        Strategy { blueprint: &self.blueprint, buckets: &self.buckets }
    }

    /// The stacks that it was trained for, in big blinds.
    pub(crate) fn stack_bb(&self) -> f64 {
        stack_and_sizes(self.blueprint.header()).0
    }
}

/// What a file said of itself when it was like this, or why it cannot be used.
type Known = (Stamp, Result<BlueprintRow, String>);

/// All of them.
#[derive(Debug)]
pub(crate) struct Blueprints {
    library: PathBuf,
    named: Vec<PathBuf>,
    /// A folder of buckets, for every blueprint; otherwise
    buckets: Option<PathBuf>,
    /// the cache, where each has one of its own.
    cache: Option<PathBuf>,
    known: Mutex<HashMap<PathBuf, Known>>,
    /// Open as long as somebody sits at them.
    open: Mutex<Vec<Weak<Opened>>>,
}

impl Blueprints {
    /// Those of a library, and those that are named.
    pub(crate) fn new(config: &Config, library: &Path) -> Blueprints {
        Blueprints {
            library: library.to_owned(),
            named: config.blueprints.clone(),
            buckets: config.buckets.clone(),
            cache: config.bucket_cache.clone(),
            known: Mutex::default(),
            open: Mutex::default(),
        }
    }

    /// All files with their ids: the named ones first, in their order.
    fn files(&self) -> io::Result<Vec<(String, PathBuf)>> {
        let mut found: Vec<(String, PathBuf)> = Vec::new();
        for path in &self.named {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            let stem = name.strip_suffix(ENDING).unwrap_or(&name).to_owned();
            let names = (2..).map(|number: u64| format!("{stem}-{number}{ENDING}"));
            let is_free = |name: &String| found.iter().all(|(other, _)| other != name);
            let id = std::iter::once(name).chain(names).find(is_free).unwrap_or_default();
            found.push((id, path.clone()));
        }
        let mut own = Vec::new();
        for entry in fs::read_dir(&self.library)?.flatten() {
            let name = entry.file_name().into_string().ok();
            let is_blueprint = |name: &String| name.ends_with(ENDING) && is_word(name);
            let Some(name) = name.filter(is_blueprint) else { continue };
            // A link could lead out of the library.
            if entry.file_type().is_ok_and(|kind| kind.is_file()) && found.iter().all(|(id, _)| *id != name) {
                own.push((name, entry.path()));
            }
        }
        own.sort();
        found.extend(own);
        Ok(found)
    }

    /// What they say of themselves.
    pub(crate) fn list(&self, cancel: &Cancel) -> Result<BlueprintsDocument, ApiError> {
        let mut list = BlueprintsDocument::default();
        for (id, path) in self.files().map_err(unreadable)? {
            // What has been read is known next time.
            cancel.check("list")?;
            match self.row(&id, &path) {
                Ok(row) => list.blueprints.push(row),
                Err(message) => list.damaged.push(DamagedDocument { id, message }),
            }
        }
        Ok(list)
    }

    fn row(&self, id: &str, path: &Path) -> Result<BlueprintRow, String> {
        let stamp = stamp(path).map_err(|error| error.to_string())?;
        let known = locked(&self.known).get(path).filter(|(known, _)| *known == stamp).cloned();
        let (_, row) = known.unwrap_or_else(|| {
            let row = Blueprint::open(path).map_err(|error| reason(&error)).map(|blueprint| {
                let header = blueprint.header();
                let (stack_bb, menu) = stack_and_sizes(header);
                BlueprintRow {
                    id: id.to_owned(),
                    stack_bb,
                    menu,
                    boards: header.boards,
                    exploitability_mbb: header.exploitability.map(|found| found.mbb),
                    bytes: stamp.len,
                    missing: self.missing(header),
                }
            });
            (stamp, row)
        });
        locked(&self.known).insert(path.to_owned(), (stamp, row.clone()));
        // Buckets may have come since.
        row.map(|row| {
            let missing = row.missing.filter(|_| {
                Blueprint::open(path).map_or(true, |blueprint| self.missing(blueprint.header()).is_some())
            });
            BlueprintRow { missing, ..row }
        })
    }

    /// The folder of a blueprint's buckets, or why there is none.
    fn folder(&self, header: &BlueprintHeader) -> Result<PathBuf, String> {
        let source = header.source.as_ref().ok_or_else(|| BucketedError::NoSource.to_string())?;
        if let Some(folder) = &self.buckets {
            return Ok(folder.clone());
        }
        let config = source.config();
        let config = config
            .ok_or("its buckets cannot be made again: start the server with --buckets and their folder")?;
        let cache =
            self.cache.as_ref().ok_or("the server has no folder of buckets: start it with --buckets")?;
        Ok(cache.join(config.name()))
    }

    /// What is missing before a blueprint can play.
    fn missing(&self, header: &BlueprintHeader) -> Option<String> {
        let folder = match self.folder(header) {
            Ok(folder) => folder,
            Err(reason) => return Some(reason),
        };
        let streets = [Street::Flop, Street::Turn, Street::River];
        let is_there = streets.iter().all(|&street| CardAbstraction::file(&folder, street).exists());
        (!is_there).then(|| format!("its buckets are not built yet: {BUILDS}"))
    }

    fn path(&self, id: &str) -> Result<PathBuf, ApiError> {
        let found = self.files().map_err(unreadable)?.into_iter().find(|(other, _)| other == id);
        found.map(|(_, path)| path).ok_or_else(|| {
            let shown: String = id.chars().take(128).collect();
            ApiError::not_found(format!("there is no blueprint '{shown}'"))
                .help("GET /api/v1/blueprints lists them")
        })
    }

    /// A blueprint, without buckets.
    pub(crate) fn blueprint(&self, id: &str) -> Result<Blueprint, ApiError> {
        Blueprint::open(&self.path(id)?).map_err(|error| ApiError::bad_input(reason(&error)))
    }

    /// Opens a blueprint with its buckets, or takes the one that is open.
    pub(crate) fn open(&self, id: &str) -> Result<Arc<Opened>, ApiError> {
        let path = self.path(id)?;
        let stamp = stamp(&path).map_err(unreadable)?;
        let is_same = |opened: &Arc<Opened>| opened.path == path && opened.stamp == stamp;
        let mut open = locked(&self.open);
        open.retain(|weak| weak.strong_count() > 0);
        if let Some(found) = open.iter().filter_map(Weak::upgrade).find(is_same) {
            return Ok(found);
        }
        let blueprint = Blueprint::open(&path).map_err(|error| ApiError::bad_input(reason(&error)))?;
        let header = blueprint.header();
        if let Some(missing) = self.missing(header) {
            return Err(ApiError::conflict(missing).at_key("blueprint"));
        }
        let unusable = |error: &dyn std::fmt::Display| {
            let help = format!("other buckets would mean nothing to it: {BUILDS}");
            ApiError::conflict(format!("its buckets cannot be used: {error}")).at_key("blueprint").help(help)
        };
        let folder = self.folder(header).map_err(|reason| ApiError::conflict(reason).at_key("blueprint"))?;
        let abstraction = CardAbstraction::load(&folder).map_err(|error| unusable(&error))?;
        let buckets =
            BlueprintBuckets::of_blueprint(header, abstraction).map_err(|error| unusable(&error))?;
        let opened = Arc::new(Opened { id: id.to_owned(), blueprint, buckets, path, stamp });
        open.push(Arc::downgrade(&opened));
        Ok(opened)
    }
}

/// A file that was named when the server was started may be a link.
fn stamp(path: &Path) -> io::Result<Stamp> {
    Stamp::of(&path.canonicalize()?)
}

fn unreadable(error: io::Error) -> ApiError {
    ApiError::internal(format!("the blueprints cannot be read: {error}"))
}

/// Why a file cannot be used, without the place where it is.
fn reason(error: &BlueprintFileError) -> String {
    match error {
        BlueprintFileError::Io { source, .. } => format!("the file cannot be read: {source}"),
        BlueprintFileError::Invalid { reason, .. } => format!("the file cannot be used: {reason}"),
        error => error.to_string(),
    }
}

//! What people write about solutions: a title, tags and notes, each solution's in a small file of its own.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use equipoise_documents::api::LabelsDocument;
use equipoise_files::AtomicFile;

use crate::error::ApiError;

/// Beside the solutions, out of their list.
const FOLDER: &str = ".labels";
const LONGEST_TITLE: usize = 120;
const LONGEST_TAG: usize = 40;
const MOST_TAGS: usize = 20;
const LONGEST_NOTES: usize = 10_000;

/// The same without blanks around texts and without empty or repeated tags, if nothing is too long.
pub(crate) fn checked(labels: &LabelsDocument) -> Result<LabelsDocument, ApiError> {
    let check = |key: &str, text: &str, most: usize| match text.chars().count() <= most {
        true => Ok(()),
        false => Err(ApiError::bad_input(format!("more than {most} characters")).at_key(key)),
    };
    let mut tags: Vec<String> = Vec::new();
    for tag in labels.tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()) {
        check("tags", tag, LONGEST_TAG)?;
        if !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
    }
    if tags.len() > MOST_TAGS {
        return Err(ApiError::bad_input(format!("more than {MOST_TAGS} tags")).at_key("tags"));
    }
    let (title, notes) = (labels.title.trim().to_owned(), labels.notes.trim().to_owned());
    check("title", &title, LONGEST_TITLE)?;
    check("notes", &notes, LONGEST_NOTES)?;
    Ok(LabelsDocument { title, tags, notes })
}

/// Those of a solution; none where its file is missing or damaged.
pub(crate) fn of(library: &Path, id: &str) -> LabelsDocument {
    let read = fs::read(path(library, id)).ok();
    read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Those of all solutions that have any, by id.
pub(crate) fn all(library: &Path) -> HashMap<String, LabelsDocument> {
    let entries = fs::read_dir(library.join(FOLDER)).into_iter().flatten();
    let labels = entries.filter_map(|entry| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        let id = name.strip_suffix(".json")?;
        Some((id.to_owned(), of(library, id)))
    });
    labels.collect()
}

/// Writes those of a solution down.
pub(crate) fn write(library: &Path, id: &str, labels: &LabelsDocument) -> io::Result<()> {
    fs::create_dir_all(library.join(FOLDER))?;
    let mut file = AtomicFile::create(&path(library, id))?;
    serde_json::to_writer_pretty(&mut file, labels)?;
    file.write_all(b"\n")?;
    file.finish()
}

/// Forgets those of a solution that is deleted.
pub(crate) fn remove(library: &Path, id: &str) {
    // Most have none.
    let _ = fs::remove_file(path(library, id));
}

fn path(library: &Path, id: &str) -> PathBuf {
    library.join(FOLDER).join(format!("{id}.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(title: &str, tags: &[&str], notes: &str) -> LabelsDocument {
        LabelsDocument {
            title: title.to_owned(),
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            notes: notes.to_owned(),
        }
    }

    #[test]
    fn blanks_and_repeated_tags_are_dropped() {
        let found = checked(&labels(" BTN v BB · Q72r ", &["srp", " ", "srp ", "100bb"], "c-bets small\n"));
        assert_eq!(found.unwrap(), labels("BTN v BB · Q72r", &["srp", "100bb"], "c-bets small"));
    }

    #[test]
    fn what_is_too_long_is_refused() {
        let long = "x".repeat(LONGEST_NOTES + 1);
        let tags: Vec<String> = (0..=MOST_TAGS).map(|n| n.to_string()).collect();
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        for wrong in
            [labels(&long, &[], ""), labels("", &[&long], ""), labels("", &[], &long), labels("", &tags, "")]
        {
            assert!(checked(&wrong).is_err());
        }
    }

    #[test]
    fn damaged_files_say_nothing() {
        let folder = std::env::temp_dir().join(format!("equipoise-labels-{}", std::process::id()));
        let written = labels("a", &["b"], "c");
        write(&folder, "x.eqp", &written).unwrap();
        assert_eq!(of(&folder, "x.eqp"), written);
        fs::write(path(&folder, "y.eqp"), "{").unwrap();
        let all = all(&folder);
        assert_eq!((all["x.eqp"].clone(), all["y.eqp"].clone()), (written, LabelsDocument::default()));
        remove(&folder, "x.eqp");
        assert_eq!(of(&folder, "x.eqp"), LabelsDocument::default());
        fs::remove_dir_all(folder).unwrap();
    }
}

//! Finds specification files in folders and groups those that belong together.

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use domain::{DocNumber, PartOrder, SpecFileName, Version};

/// Folders nested deeper than this are not followed. The walk is recursive, and although links to folders are not
/// followed, a folder may be mounted inside itself.
const MAX_DEPTH: u32 = 32;

/// Files that hold one document version, in the order of the text; an archive is a source by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecificationSource {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Their total length in bytes.
    pub bytes: u64,
}

impl SpecificationSource {
    /// Name of the source: the name of its first file.
    pub fn name(&self) -> String {
        let first = self.files.first().and_then(|path| path.file_name());
        first.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

impl SpecificationSource {
    /// Whether all its files are `.doc`.
    fn is_legacy(&self) -> bool {
        self.files.iter().all(|file| lowercase_extension(file) == "doc")
    }
}

/// A file that is skipped before it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedPath {
    /// The file.
    pub path: PathBuf,
    /// Why, as one fragment.
    pub reason: String,
}

/// What a run will read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePlan {
    /// What to read, in order.
    pub sources: Vec<SpecificationSource>,
    /// The skipped files.
    pub skipped: Vec<SkippedPath>,
}

/// Walks the paths and groups the files there. Sources come in the order of the paths, and within one by name; legacy files
/// come last. A path that does not exist is an error, because it is most likely a typo.
pub fn plan_sources(paths: &[PathBuf]) -> io::Result<SourcePlan> {
    let mut plan = SourcePlan::default();
    let mut files = Vec::new();
    for path in paths {
        fs::metadata(path).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))
        })?;
        collect_files(path, 0, &mut files, &mut plan.skipped);
    }
    let mut seen = HashSet::new();
    files.retain(|path| seen.insert(path.clone()));
    let mut groups: BTreeMap<(PathBuf, DocNumber, Option<Version>), Vec<PartFile>> =
        BTreeMap::new();
    for path in files {
        match classify_file(path) {
            FileClass::Foreign(skipped) => plan.skipped.push(skipped),
            FileClass::Alone(path) => plan.push_source(vec![path]),
            FileClass::Part(candidate) => {
                let folder = candidate.path.parent().unwrap_or(Path::new("")).to_owned();
                let key = (folder, candidate.name.number.clone(), candidate.name.version);
                groups.entry(key).or_default().push(candidate);
            }
        }
    }
    groups.into_values().for_each(|group| plan.add_version_parts(group));
    let position = |source: &SpecificationSource| {
        let first = source.files.first();
        paths.iter().position(|path| first.is_some_and(|file| file.starts_with(path)))
    };
    // Of a version that exists as `.docx` and as `.doc`, also in another folder, the `.docx` is read first.
    let key = |source: &SpecificationSource| (source.is_legacy(), position(source));
    plan.sources.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.files.cmp(&b.files)));
    plan.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(plan)
}

/// A bare document with a readable name.
struct PartFile {
    path: PathBuf,
    name: SpecFileName,
}

enum FileClass {
    Foreign(SkippedPath),
    Alone(PathBuf),
    Part(PartFile),
}

/// Collects the files under a path. What cannot be read is added to `skipped`: one bad file must not end a run over
/// thousands.
fn collect_files(
    path: &Path,
    depth: u32,
    files: &mut Vec<PathBuf>,
    skipped: &mut Vec<SkippedPath>,
) {
    let mut skip = |reason: String| skipped.push(SkippedPath { path: path.to_owned(), reason });
    let kind = match fs::metadata(path) {
        Ok(meta) => meta.file_type(),
        Err(error) => return skip(format!("cannot be read: {error}")),
    };
    if path.to_str().is_none() {
        return skip("its name is not UTF-8".to_owned());
    }
    if kind.is_file() {
        return files.push(path.to_owned());
    }
    if !kind.is_dir() {
        return skip("neither a file nor a folder".to_owned());
    }
    if depth > MAX_DEPTH {
        return skip(format!("a folder more than {MAX_DEPTH} levels deep"));
    }
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return skip(format!("cannot be read: {error}")),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if link && entry.path().is_dir() {
            let reason = "a symbolic link to a folder is not followed".to_owned();
            skipped.push(SkippedPath { path: entry.path(), reason });
        } else if !hidden {
            collect_files(&entry.path(), depth + 1, files, skipped);
        }
    }
}

fn lowercase_extension(path: &Path) -> String {
    path.extension().map(|ext| ext.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

fn classify_file(path: PathBuf) -> FileClass {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let skip = |reason: &str| SkippedPath { path: path.clone(), reason: reason.to_owned() };
    if name.starts_with("~$") {
        return FileClass::Foreign(skip("a lock file of Word"));
    }
    match lowercase_extension(&path).as_str() {
        "zip" => FileClass::Alone(path),
        "docx" | "docm" | "doc" => match SpecFileName::parse_name(&name) {
            // Only its cover says which version a whole text without a version in its name is.
            Ok(name) if name.version.is_some() || name.order != PartOrder::Main => {
                FileClass::Part(PartFile { path, name })
            }
            _ => FileClass::Alone(path),
        },
        "pdf" => FileClass::Foreign(skip("a PDF; use the Word file of this version")),
        "xlsx" | "xls" | "htm" | "html" => FileClass::Foreign(skip(
            "not an archive or Word document; import registers with `specbox tdocs import`",
        )),
        _ => FileClass::Foreign(skip("not an archive or Word document")),
    }
}

impl SourcePlan {
    fn push_source(&mut self, files: Vec<PathBuf>) {
        let length = |path: &PathBuf| fs::metadata(path).map_or(0, |meta| meta.len());
        let bytes = files.iter().map(length).sum();
        self.sources.push(SpecificationSource { files, bytes });
    }

    /// Joins the parts of one version; skips copies with tracked changes and second copies.
    fn add_version_parts(&mut self, mut group: Vec<PartFile>) {
        group.sort_by_key(PartFile::sort_key);
        let clean = group.iter().filter(|candidate| !candidate.name.revision_marked);
        let clean: HashSet<PartOrder> = clean.map(|part| part.name.order.clone()).collect();
        let mut taken: Vec<PartFile> = Vec::new();
        for candidate in group {
            let same = taken.iter().find(|known| known.name.order == candidate.name.order);
            let reason = if candidate.name.revision_marked && clean.contains(&candidate.name.order)
            {
                "a copy with tracked changes; the clean copy is used".to_owned()
            } else if let Some(known) = same {
                candidate.surplus_reason(known)
            } else {
                taken.push(candidate);
                continue;
            };
            self.skipped.push(SkippedPath { path: candidate.path, reason });
        }
        self.push_source(taken.into_iter().map(|part| part.path).collect());
    }
}

impl PartFile {
    /// Why this file is skipped in favour of another one of the same part. Only equal bytes make a copy.
    fn surplus_reason(&self, taken: &Self) -> String {
        let name = taken.path.file_name().unwrap_or_default().to_string_lossy();
        let is_legacy = lowercase_extension(&self.path) == "doc";
        if have_equal_bytes(&self.path, &taken.path).unwrap_or(false) {
            format!("a copy of {name} with the same content")
        } else if is_legacy && lowercase_extension(&taken.path) != "doc" {
            format!("a .doc version of {name}, which is used instead")
        } else {
            format!(
                "{name} is used instead; it has the same part and version but different content. To use this file, \
                 ingest it alone"
            )
        }
    }

    /// Sorts in text order; among copies of a part clean ones first, then .docx, then the shortest name.
    fn sort_key(&self) -> (PartOrder, bool, bool, usize, PathBuf) {
        let legacy = lowercase_extension(&self.path) == "doc";
        let length = self.path.as_os_str().len();
        (self.name.order.clone(), self.name.revision_marked, legacy, length, self.path.clone())
    }
}

/// Whether two files have the same bytes.
fn have_equal_bytes(first: &Path, second: &Path) -> io::Result<bool> {
    if fs::metadata(first)?.len() != fs::metadata(second)?.len() {
        return Ok(false);
    }
    let (mut first, mut second) =
        (BufReader::new(File::open(first)?), BufReader::new(File::open(second)?));
    loop {
        let (a, b) = (first.fill_buf()?, second.fill_buf()?);
        let length = a.len().min(b.len());
        if length == 0 || a[..length] != b[..length] {
            return Ok(a.is_empty() && b.is_empty());
        }
        first.consume(length);
        second.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_equal_bytes_make_a_copy() {
        let dir = tempfile::tempdir().expect("temporary folder");
        for (name, bytes) in [
            ("38331-i00.docx", "text"),
            ("38331-i00 (1).docx", "text"),
            ("38331-i00-other.docx", "texts"),
            ("38331-i00.doc", "old"),
        ] {
            fs::write(dir.path().join(name), bytes).expect("written");
        }
        let plan = plan_sources(&[dir.path().to_owned()]).expect("readable");
        assert_eq!(plan.sources[0].files, [dir.path().join("38331-i00.docx")]);
        let mut reasons: Vec<&str> = plan.skipped.iter().map(|s| s.reason.as_str()).collect();
        reasons.sort_unstable();
        assert!(reasons[0].contains("but different content"), "{reasons:?}");
        assert!(reasons[1].starts_with("a .doc version of 38331-i00.docx"), "{reasons:?}");
        assert!(reasons[2].starts_with("a copy of 38331-i00.docx"), "{reasons:?}");
    }

    #[test]
    fn sources_come_in_the_order_of_the_arguments() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = |name: &str| dir.path().join(name);
        for name in ["a/38300-i00.zip", "b/38331-i00.zip", "b/36331-i00.zip", "38304-i00.zip"] {
            fs::create_dir_all(path(name).parent().expect("inside")).expect("folder");
            fs::write(path(name), name).expect("written");
        }
        let arguments = [path("38304-i00.zip"), path("b"), path("a")];
        let plan = plan_sources(&arguments).expect("readable");
        let order: Vec<_> = plan.sources.iter().map(|source| source.files[0].clone()).collect();
        let named = ["38304-i00.zip", "b/36331-i00.zip", "b/38331-i00.zip", "a/38300-i00.zip"];
        assert_eq!(order, named.map(path));
    }

    fn plan_files(names: &[&str]) -> (Vec<Vec<String>>, Vec<String>) {
        let dir = tempfile::tempdir().expect("temporary folder");
        for name in names {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("inside")).expect("folder");
            fs::write(path, b"x").expect("written");
        }
        let plan = plan_sources(&[dir.path().to_owned()]).expect("readable");
        let short = |path: &PathBuf| {
            path.strip_prefix(dir.path()).expect("inside").to_string_lossy().into_owned()
        };
        let sources = plan.sources.iter().map(|s| s.files.iter().map(short).collect()).collect();
        (sources, plan.skipped.iter().map(|s| short(&s.path)).collect())
    }

    #[test]
    fn parts_of_a_version_are_joined_in_order() {
        let (sources, skipped) = plan_files(&[
            "a/38101-1-i20_sAnnexes.docx",
            "a/38101-1-i20_s06-06.docx",
            "a/38101-1-i20_cover.docx",
            "a/38101-2-i20.docx",
        ]);
        let joined = vec![
            "a/38101-1-i20_cover.docx".to_owned(),
            "a/38101-1-i20_s06-06.docx".into(),
            "a/38101-1-i20_sAnnexes.docx".into(),
        ];
        assert_eq!(sources, [joined, vec!["a/38101-2-i20.docx".into()]]);
        assert!(skipped.is_empty());
    }

    #[test]
    fn whole_texts_without_a_version_in_their_names_are_read_alone() {
        let (sources, skipped) = plan_files(&["38331 new.docx", "38331 old.docx", "38331.docx"]);
        assert_eq!(sources, [["38331 new.docx"], ["38331 old.docx"], ["38331.docx"]]);
        assert!(skipped.is_empty());
    }

    #[test]
    fn legacy_files_come_last_and_only_a_marked_copy_of_the_same_part_is_left_out() {
        let (sources, skipped) = plan_files(&[
            "a/28623-i30.doc",
            "b/28623-i30.docx",
            "c/38101-1-i20_s06-06_rm.docx",
            "c/38101-1-i20_cover.docx",
        ]);
        let parts = vec!["c/38101-1-i20_cover.docx", "c/38101-1-i20_s06-06_rm.docx"];
        assert_eq!(sources, [vec!["b/28623-i30.docx"], parts, vec!["a/28623-i30.doc"]]);
        assert!(skipped.is_empty());
    }

    #[test]
    fn second_copies_and_foreign_files_are_left_out() {
        let (sources, skipped) = plan_files(&[
            "23854-130_cl.docx",
            "23854-130_rm.docx",
            "38859-i00.docx",
            "38859-i00~2.docx",
            "notes.txt",
            "~$331-i00.docx",
            ".hidden/38331-i00.zip",
        ]);
        assert_eq!(sources, [vec!["23854-130_cl.docx"], vec!["38859-i00.docx"]]);
        assert_eq!(
            skipped,
            ["23854-130_rm.docx", "38859-i00~2.docx", "notes.txt", "~$331-i00.docx"]
        );
    }

    #[test]
    fn what_cannot_be_read_is_named_and_does_not_affect_the_rest() {
        let dir = tempfile::tempdir().expect("temporary folder");
        fs::write(dir.path().join("38331-i00.docx"), b"x").expect("written");
        let dangling = dir.path().join("38300-i00.docx");
        std::os::unix::fs::symlink("/no/such/file", &dangling).expect("linked");
        let socket = dir.path().join("38304-i00.docx");
        let _listening = std::os::unix::net::UnixListener::bind(&socket).expect("bound");
        let plan = plan_sources(&[dir.path().to_owned()]).expect("readable");
        assert_eq!(plan.sources.len(), 1);
        let skipped: Vec<_> = plan.skipped.iter().map(|skipped| skipped.path.clone()).collect();
        assert_eq!(skipped, [dangling, socket]);
    }

    #[test]
    fn a_path_that_is_not_there_is_an_error() {
        let error = plan_sources(&[PathBuf::from("/no/such/folder")]).expect_err("missing");
        assert!(error.to_string().contains("/no/such/folder"), "{error}");
    }
}

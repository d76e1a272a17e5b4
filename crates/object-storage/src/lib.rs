//! Depots of packs in object storage: S3 and compatible stores, Azure, Google.
//!
//! Owns the way from an address such as `s3://bucket/folder` to a depot. Credentials, region and endpoint come from the
//! environment, by the names that the providers' own tools use (`AWS_ACCESS_KEY_ID`, `AZURE_STORAGE_ACCOUNT_NAME`,
//! `GOOGLE_SERVICE_ACCOUNT`). Knows nothing of packs.

#![forbid(unsafe_code)]

use std::{fmt, sync::Arc, time::Duration};

use futures_util::TryStreamExt;
use object_store::{
    ClientConfigKey, ObjectStore, ObjectStoreExt, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    azure::{AzureConfigKey, MicrosoftAzureBuilder},
    gcp::{GoogleCloudStorageBuilder, GoogleConfigKey},
    path::Path,
};
use pack::{Depot, DepotStorage, PackError, TarStorage};
use tokio::runtime::{Builder, Runtime};

/// How often a request is repeated, and for how long at most: a third of the default of `object_store`, so that a
/// backup to a store that does not answer fails after about a minute.
const MAX_RETRIES: usize = 6;
const MAX_RETRYING: Duration = Duration::from_secs(60);
/// How long a request may take: a large object on a slow line takes longer than the 30 seconds that are usual.
const MAX_REQUEST: &str = "5 minutes";
/// How long connecting to the store may take.
const MAX_CONNECTING: &str = "10 seconds";

/// Whether a location is an address of object storage, and no path.
pub fn is_address(location: &str) -> bool {
    location.contains("://")
}

/// Opens the depot at a location: an address of object storage (`s3://`, `az://`, `gs://`), a folder, or a bundle in one file.
pub fn open_depot(location: &str) -> Result<Depot, PackError> {
    match location.strip_prefix("file://") {
        Some(path) if path.starts_with('/') => Ok(Depot::in_folder(path)),
        Some(_) => Err(remote("open", location, "write file:///absolute/path".to_owned())),
        None if is_address(location) => Ok(Depot::new(Arc::new(ObjectStorage::open(location)?))),
        None if std::path::Path::new(location).is_file() => {
            Ok(Depot::new(Arc::new(TarStorage::open(location.as_ref())?)))
        }
        None => Ok(Depot::in_folder(location)),
    }
}

/// A folder in a bucket or container. Requests run on a separate runtime, because callers must not be tasks of
/// another one.
struct ObjectStorage {
    address: String,
    store: Box<dyn ObjectStore>,
    folder: Path,
    runtime: Runtime,
}

impl ObjectStorage {
    fn open(address: &str) -> Result<Self, PackError> {
        let failed = |reason: &dyn fmt::Display| remote("open", address, reason.to_string());
        // Fails if there is one already: TLS has one provider in a program.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (scheme, rest) = address.split_once("://").unwrap_or_default();
        let retry = RetryConfig {
            max_retries: MAX_RETRIES,
            retry_timeout: MAX_RETRYING,
            ..RetryConfig::default()
        };
        let store: Box<dyn ObjectStore> = match scheme {
            "s3" | "s3a" => {
                let key = AmazonS3ConfigKey::Client;
                let builder = AmazonS3Builder::from_env()
                    .with_config(key(ClientConfigKey::Timeout), MAX_REQUEST)
                    .with_config(key(ClientConfigKey::ConnectTimeout), MAX_CONNECTING)
                    .with_url(address)
                    .with_retry(retry);
                Box::new(builder.build().map_err(|error| failed(&error))?)
            }
            "az" | "azure" | "abfs" | "abfss" => {
                let key = AzureConfigKey::Client;
                let builder = MicrosoftAzureBuilder::from_env()
                    .with_config(key(ClientConfigKey::Timeout), MAX_REQUEST)
                    .with_config(key(ClientConfigKey::ConnectTimeout), MAX_CONNECTING)
                    .with_url(address)
                    .with_retry(retry);
                Box::new(builder.build().map_err(|error| failed(&error))?)
            }
            "gs" => {
                let key = GoogleConfigKey::Client;
                let builder = GoogleCloudStorageBuilder::from_env()
                    .with_config(key(ClientConfigKey::Timeout), MAX_REQUEST)
                    .with_config(key(ClientConfigKey::ConnectTimeout), MAX_CONNECTING)
                    .with_url(address)
                    .with_retry(retry);
                Box::new(builder.build().map_err(|error| failed(&error))?)
            }
            _ => {
                return Err(failed(&"object storage URLs must begin with s3://, az:// or gs://"));
            }
        };
        let (bucket, folder) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(failed(&"the name of the bucket or container is missing"));
        }
        let folder = Path::parse(folder).map_err(|error| failed(&error))?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| failed(&error))?;
        Ok(Self { address: address.to_owned(), store, folder, runtime })
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.folder.clone(), |path, part| path.join(part))
    }

    fn remote(&self, action: &'static str, name: &str, source: object_store::Error) -> PackError {
        remote(
            action,
            &format!("{}/{name}", self.address.trim_end_matches('/')),
            source.to_string(),
        )
    }
}

fn remote(action: &'static str, name: &str, reason: String) -> PackError {
    PackError::Remote { action, name: name.to_owned(), reason }
}

impl DepotStorage for ObjectStorage {
    fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, PackError> {
        let path = self.path(name);
        let read = self.runtime.block_on(async {
            let found = self.store.get(&path).await?;
            if found.meta.size > limit { Ok(None) } else { found.bytes().await.map(Some) }
        });
        match read {
            Ok(Some(bytes)) => Ok(Some(bytes.into())),
            Ok(None) => Err(PackError::TooLarge { what: "object", limit }),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.remote("read", name, error)),
        }
    }

    fn size(&self, name: &str) -> Result<Option<u64>, PackError> {
        match self.runtime.block_on(self.store.head(&self.path(name))) {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.remote("look for", name, error)),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), PackError> {
        let path = self.path(name);
        let put = self.store.put(&path, bytes.to_vec().into());
        self.runtime.block_on(put).map_err(|error| self.remote("write", name, error))?;
        Ok(())
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, PackError> {
        let path = self.path(folder);
        let listed = self.runtime.block_on(self.store.list(Some(&path)).try_collect::<Vec<_>>());
        let listed = listed.map_err(|error| self.remote("list", folder, error))?;
        let names = listed.iter().filter_map(|found| found.location.filename().map(str::to_owned));
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        Ok(names)
    }

    fn location(&self) -> String {
        self.address.clone()
    }
}

impl fmt::Debug for ObjectStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectStorage").field("address", &self.address).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_addresses_are_told_apart() {
        for location in ["/mnt/disk", "relative/folder"] {
            let depot = open_depot(location).expect("a folder");
            assert_eq!(depot.location(), location);
        }
        let folder = open_depot("file:///mnt/disk").expect("a folder");
        assert_eq!(folder.local_folder(), Some(std::path::Path::new("/mnt/disk")));
        let error = open_depot("ftp://host/depot").expect_err("refused");
        assert!(error.to_string().starts_with("cannot open ftp://host/depot: "), "{error}");
        for address in ["s3://", "s3:///folder", "file://folder", "file://"] {
            assert!(open_depot(address).is_err(), "{address}");
        }
        assert!(!is_address("s3:/one/slash") && is_address("s3://bucket"));
    }
}

//! The accounts on a PostgreSQL server, for several programs at once.
//!
//! Each table is one of the schema `specbox`, with the ordered bytes of keys and the bytes of values: the meaning of
//! rows is implemented once, above, for both kinds of database. Changes are serializable transactions, which are
//! repeated if they conflict with another program's.

use std::{
    ops::Bound,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use postgres::{
    Client, Config, Row,
    error::SqlState,
    types::{ToSql, Type},
};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::task::block_in_place;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::tables::{AccountsServer, ByteRow, KeyBounds, Scan, ServerRows};
use crate::AccessError;

/// Version of the tables.
const FORMAT_VERSION: i64 = 1;
/// Connections that are kept for later: fewer than may be open, because a server has few for all programs.
const MAX_IDLE: usize = 8;
/// How long a server may take to accept a connection: less than [`SESSION_TIMEOUT`], so that requests report this
/// error.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a server that has something to answer may be silent.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two probes of a silent server, and how many may go unanswered: it counts as gone after 25 s.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEPALIVE_RETRIES: u32 = 3;
/// Sessions at the same time; PostgreSQL accepts 100 from all programs by default, so four programs fit.
const MAX_SESSIONS: usize = 24;
/// How long a request waits for a session.
const SESSION_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a change is repeated while it conflicts with others.
const RETRY_TIME: Duration = Duration::from_secs(10);
/// The longest wait before a change is repeated.
const MAX_RETRY_WAIT_MICROS: u64 = 4_000;
/// Settings of a connection: no statement may keep a request waiting forever, and what is committed is on the disk.
const SESSION_SETTINGS: &str = "SET statement_timeout = '10s'; \
                                SET idle_in_transaction_session_timeout = '60s'; \
                                SET synchronous_commit = on";
/// Held while the tables are made, so that programs that start at the same time do not make them twice.
const CREATION_LOCK: i64 = 0x7370_6563_626f_7801;

/// The accounts on a server.
pub(super) struct PostgresAccounts {
    config: Config,
    tls: MakeRustlsConnect,
    idle: Mutex<Vec<Client>>,
    /// Sessions that may still begin.
    free: Mutex<usize>,
    ended: Condvar,
}

impl PostgresAccounts {
    /// Connects to the server and creates the tables if they do not exist.
    pub(super) fn open(url: &str, tables: &[String]) -> Result<Self, AccessError> {
        let mut config: Config = url.parse().map_err(server_error)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        // A server that disappeared without closing its connections must not keep requests waiting.
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE_TIMEOUT);
        }
        config.keepalives_idle(SILENCE_TIMEOUT).keepalives_interval(KEEPALIVE_INTERVAL);
        config.keepalives_retries(KEEPALIVE_RETRIES);
        if config.get_application_name().is_none() {
            config.application_name("specbox");
        }
        let provider = rustls::crypto::ring::default_provider();
        let tls = ClientConfig::builder_with_provider(provider.into())
            .with_safe_default_protocol_versions()
            .and_then(BuilderVerifierExt::with_platform_verifier)
            .map_err(|error| AccessError::Server(Box::new(error)))?
            .with_no_client_auth();
        let opened = Self {
            config,
            tls: MakeRustlsConnect::new(tls),
            idle: Mutex::default(),
            free: Mutex::new(MAX_SESSIONS),
            ended: Condvar::new(),
        };
        opened.make_tables(tables)?;
        Ok(opened)
    }

    fn make_tables(&self, tables: &[String]) -> Result<(), AccessError> {
        if self.has_tables()? {
            return Ok(());
        }
        let session = self.begin("BEGIN")?;
        let lock = "SELECT pg_advisory_xact_lock($1)";
        session.query(lock, &[(&CREATION_LOCK, Type::INT8)])?;
        let mut statements = "CREATE SCHEMA IF NOT EXISTS specbox; \
                              CREATE TABLE IF NOT EXISTS specbox.format (version bigint NOT NULL);"
            .to_owned();
        for table in tables {
            statements.push_str(&format!(
                "CREATE TABLE IF NOT EXISTS specbox.{table} \
                 (key bytea PRIMARY KEY, value bytea NOT NULL);"
            ));
        }
        session.run(&statements)?;
        if read_version(&session)?.is_none() {
            session.run(&format!("INSERT INTO specbox.format VALUES ({FORMAT_VERSION})"))?;
        }
        session.commit()
    }

    /// Whether the tables exist and have this version. A user who may only use them need not be allowed to create
    /// them.
    fn has_tables(&self) -> Result<bool, AccessError> {
        let session = self.begin("BEGIN READ ONLY")?;
        let found = session.query("SELECT to_regclass('specbox.format') IS NOT NULL", &[])?;
        if !found.first().is_some_and(|row| row.get(0)) {
            return Ok(false);
        }
        match read_version(&session)? {
            None => Ok(false),
            Some(FORMAT_VERSION) => Ok(true),
            Some(found) => Err(AccessError::ServerFormat { found, known: FORMAT_VERSION }),
        }
    }

    /// A connection with a transaction that was begun. One that the server closed meanwhile is replaced.
    fn begin(&self, statement: &str) -> Result<ServerSession<'_>, AccessError> {
        let permit = self.wait_for_session()?;
        while let Some(mut client) = self.lock_idle().pop() {
            match block_in_place(|| client.batch_execute(statement)) {
                Ok(()) => return Ok(ServerSession::new(permit, client)),
                Err(error) if client.is_closed() => {
                    tracing::debug!(%error, "a connection to the accounts was closed");
                    block_in_place(|| drop(client));
                }
                Err(error) => {
                    block_in_place(|| drop(client));
                    return Err(server_error(error));
                }
            }
        }
        let client = block_in_place(|| {
            let mut client = self.config.connect(self.tls.clone())?;
            client.batch_execute(SESSION_SETTINGS)?;
            client.batch_execute(statement)?;
            Ok(client)
        });
        Ok(ServerSession::new(permit, client.map_err(server_error)?))
    }

    /// Waits until there are few enough sessions.
    fn wait_for_session(&self) -> Result<SessionPermit<'_>, AccessError> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = block_in_place(|| {
            self.ended.wait_timeout_while(free, SESSION_TIMEOUT, |free| *free == 0)
        });
        let (mut free, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() {
            return Err(AccessError::Server("too many requests wait for the database".into()));
        }
        *free -= 1;
        Ok(SessionPermit(self))
    }

    fn lock_idle(&self) -> MutexGuard<'_, Vec<Client>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One attempt at a change.
    fn try_write(
        &self,
        change: &mut dyn FnMut(&dyn ServerRows) -> Result<(), AccessError>,
    ) -> Result<(), AccessError> {
        let session = self.begin("BEGIN ISOLATION LEVEL SERIALIZABLE")?;
        change(&session)?;
        session.commit()
    }
}

impl Drop for PostgresAccounts {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut *self.lock_idle());
        block_in_place(|| drop(idle));
    }
}

impl AccountsServer for PostgresAccounts {
    fn begin_read(&self) -> Result<Box<dyn ServerRows + '_>, AccessError> {
        Ok(Box::new(self.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?))
    }

    fn write(
        &self,
        change: &mut dyn FnMut(&dyn ServerRows) -> Result<(), AccessError>,
    ) -> Result<(), AccessError> {
        let end = Instant::now() + RETRY_TIME;
        let mut wait_micros = 100;
        loop {
            match self.try_write(change) {
                Err(error) if is_conflict(&error) && Instant::now() < end => {}
                outcome => return outcome,
            }
            // At random, so that programs whose changes conflicted do not conflict again.
            let micros = rand::random_range(0..=wait_micros);
            thread::sleep(Duration::from_micros(micros));
            wait_micros = (wait_micros * 2).min(MAX_RETRY_WAIT_MICROS);
        }
    }
}

/// The place of a session, which the next one gets when it is dropped.
struct SessionPermit<'a>(&'a PostgresAccounts);

impl Drop for SessionPermit<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.ended.notify_one();
    }
}

/// A transaction on a connection, undone when dropped without a commit.
struct ServerSession<'a> {
    permit: SessionPermit<'a>,
    client: Mutex<Option<Client>>,
}

impl<'a> ServerSession<'a> {
    fn new(permit: SessionPermit<'a>, client: Client) -> Self {
        Self { permit, client: Mutex::new(Some(client)) }
    }

    /// The accounts it belongs to.
    fn server(&self) -> &'a PostgresAccounts {
        self.permit.0
    }

    fn with_client<T>(
        &self,
        act: impl FnOnce(&mut Client) -> Result<T, postgres::Error>,
    ) -> Result<T, AccessError> {
        let mut client = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        let client = client.as_mut().ok_or(AccessError::OnlyRead)?;
        block_in_place(|| act(client)).map_err(server_error)
    }

    fn run(&self, statements: &str) -> Result<(), AccessError> {
        self.with_client(|client| client.batch_execute(statements))
    }

    fn query(
        &self,
        statement: &str,
        parameters: &[(&(dyn ToSql + Sync), Type)],
    ) -> Result<Vec<Row>, AccessError> {
        self.with_client(|client| client.query_typed(statement, parameters))
    }

    fn commit(self) -> Result<(), AccessError> {
        self.run("COMMIT")?;
        let client = self.client.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(client) = client {
            self.server().keep(client);
        }
        Ok(())
    }
}

impl PostgresAccounts {
    /// Keeps a connection for later, unless there are enough.
    fn keep(&self, client: Client) {
        let mut idle = self.lock_idle();
        if idle.len() < MAX_IDLE {
            idle.push(client);
            return;
        }
        drop(idle);
        block_in_place(|| drop(client));
    }
}

impl Drop for ServerSession<'_> {
    fn drop(&mut self) {
        let client = self.client.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut client) = client else { return };
        match block_in_place(|| client.batch_execute("ROLLBACK")) {
            Ok(()) => self.server().keep(client),
            Err(_) => block_in_place(|| drop(client)),
        }
    }
}

impl ServerRows for ServerSession<'_> {
    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, AccessError> {
        let statement = format!("SELECT value FROM specbox.{table} WHERE key = $1");
        let rows = self.query(&statement, &[(&key, Type::BYTEA)])?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    fn scan(
        &self,
        table: &str,
        bounds: &KeyBounds,
        scan: Scan,
    ) -> Result<Vec<ByteRow>, AccessError> {
        let (condition, from, to) = key_condition(bounds);
        let order = if scan.is_backward { "DESC" } else { "ASC" };
        let statement = format!(
            "SELECT key, value FROM specbox.{table} WHERE {condition} ORDER BY key {order} \
             OFFSET $3 LIMIT $4"
        );
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let (skipped, limit) = (count(scan.skipped), count(scan.limit));
        let parameters: [(&(dyn ToSql + Sync), Type); 4] = [
            (&from, Type::BYTEA),
            (&to, Type::BYTEA),
            (&skipped, Type::INT8),
            (&limit, Type::INT8),
        ];
        let rows = self.query(&statement, &parameters)?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    fn put(&self, table: &str, key: &[u8], value: &[u8]) -> Result<(), AccessError> {
        let statement = format!(
            "INSERT INTO specbox.{table} (key, value) VALUES ($1, $2) \
             ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        );
        self.query(&statement, &[(&key, Type::BYTEA), (&value, Type::BYTEA)])?;
        Ok(())
    }

    fn remove(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, AccessError> {
        let statement = format!("DELETE FROM specbox.{table} WHERE key = $1 RETURNING value");
        let rows = self.query(&statement, &[(&key, Type::BYTEA)])?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    fn remove_range(&self, table: &str, bounds: &KeyBounds) -> Result<(), AccessError> {
        let (condition, from, to) = key_condition(bounds);
        let statement = format!("DELETE FROM specbox.{table} WHERE {condition}");
        self.query(&statement, &[(&from, Type::BYTEA), (&to, Type::BYTEA)])?;
        Ok(())
    }
}

fn read_version(session: &ServerSession<'_>) -> Result<Option<i64>, AccessError> {
    let versions = session.query("SELECT max(version) FROM specbox.format", &[])?;
    Ok(versions.first().and_then(|row| row.get(0)))
}

/// The condition that a key is within bounds, $1 and $2; an open end is not compared.
fn key_condition((from, to): &KeyBounds) -> (String, Option<&[u8]>, Option<&[u8]>) {
    let (lower, from) = match from {
        Bound::Included(key) => ("key >= $1", Some(key.as_slice())),
        Bound::Excluded(key) => ("key > $1", Some(key.as_slice())),
        Bound::Unbounded => ("$1 IS NULL", None),
    };
    let (upper, to) = match to {
        Bound::Included(key) => ("key <= $2", Some(key.as_slice())),
        Bound::Excluded(key) => ("key < $2", Some(key.as_slice())),
        Bound::Unbounded => ("$2 IS NULL", None),
    };
    (format!("{lower} AND {upper}"), from, to)
}

/// Whether a change can be repeated because it conflicted with another program's.
fn is_conflict(error: &AccessError) -> bool {
    let AccessError::Server(error) = error else { return false };
    let code = error.downcast_ref::<postgres::Error>().and_then(postgres::Error::code);
    let conflicts = [
        &SqlState::T_R_SERIALIZATION_FAILURE,
        &SqlState::T_R_DEADLOCK_DETECTED,
        &SqlState::UNIQUE_VIOLATION,
    ];
    code.is_some_and(|code| conflicts.contains(&code))
}

fn server_error(error: postgres::Error) -> AccessError {
    AccessError::Server(Box::new(error))
}

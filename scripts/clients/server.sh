# Sourced by scripts/check-clients: a real server over the sample corpus, with its own certificate authority, that accepts
# API keys over MCP too and pages of the origin http://127.0.0.1:$SPECBOX_PAGE_PORT. Sets SPECBOX_URL, SPECBOX_KEY,
# SPECBOX_CA and SPECBOX_PAGE_PORT; stops with the script.

start_sample_server() { # program
    local program=$1
    data=$(mktemp -d)
    server=
    trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi; rm -rf "$data"' EXIT
    "$program" --data-dir "$data" ingest data/sample/archive >/dev/null 2>&1
    "$program" --data-dir "$data" meetings import data/sample/mirror/meetings.csv >/dev/null
    "$program" --data-dir "$data" tdocs import data/sample/mirror >/dev/null
    export SPECBOX_MIRROR="$PWD/data/sample/mirror"
    "$program" --data-dir "$data" sync tdocs --meeting R1-190 >/dev/null
    SPECBOX_PAGE_PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    sed -i -e 's/^#:accept_keys = false$/accept_keys = true/' \
        -e "s|^#:cors_origins = .*|cors_origins = [\"http://127.0.0.1:$SPECBOX_PAGE_PORT\"]|" "$data/specbox.toml"
    [ "$(grep -cE '^(accept_keys|cors_origins) = ' "$data/specbox.toml")" = 2 ] || {
        echo "specbox.toml has no accept_keys or cors_origins" >&2
        exit 1
    }
    SPECBOX_KEY=$("$program" --data-dir "$data" key create --name clients | python3 -c 'import json, sys; print(json.load(sys.stdin)["key"])')
    "$program" --data-dir "$data" serve --listen 127.0.0.1:0 2>"$data/said" &
    server=$!
    for _ in $(seq 300); do
        grep -q "is running at" "$data/said" && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    SPECBOX_URL=$(sed -n 's/^specbox is running at //p' "$data/said")
    [ -n "$SPECBOX_URL" ] || { cat "$data/said" >&2; exit 1; }
    SPECBOX_CA=$data/tls/ca.pem
    export SPECBOX_URL SPECBOX_KEY SPECBOX_CA SPECBOX_PAGE_PORT
}

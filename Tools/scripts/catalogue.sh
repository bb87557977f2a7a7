#!/usr/bin/env bash
# A server and two devices with the packages of this machine: loaded on one, changed on both, equal at the end.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${BIN:-$(swift build --no-color-diagnostics -c release --package-path "$root" --show-bin-path)}
work=$(mktemp -d)
server=
finish() { [ -z "$server" ] || { kill -TERM "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }; rm -rf "$work"; }
trap finish EXIT
say() { printf '\n== %s\n' "$*"; }

"$bin/realm-object-server" --port 0 --data "$work/server" --log-level warn >"$work/server.out" 2>"$work/server.log" &
server=$!
port=
for _ in $(seq 3000); do
  port=$(sed -n 's/.*:\([0-9][0-9]*\).*/\1/p' "$work/server.out" | head -n 1)
  [ -n "$port" ] && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done
[ -n "$port" ] || { echo "catalogue: the server did not start" >&2; cat "$work/server.log" >&2; exit 1; }
export REALM_SERVER=http://127.0.0.1:$port
device() { local name=$1 verb=$2; shift 2; "$bin/package-catalogue" "$verb" --data "$work/$name" "$@"; }

index() { if [ -n "${INDEX:-}" ]; then cat "$INDEX"; else apt-cache dumpavail; fi; }
limited() { if [ -n "${LIMIT:-}" ]; then awk -v RS= -v ORS='\n\n' -v n="$LIMIT" 'NR <= n'; else cat; fi; }

say "one device loads the packages of this machine"
index | limited >"$work/index"
time device one load --register <"$work/index"
say "another device receives them"
time device two digest
say "both change packages, the first ones both of them"
device one upgrade editors +one
device two upgrade editors +two
device two upgrade shells +two
device one upgrade utils +one
say "the same query on both"
query='dependents.@count > 10 AND section == "libs" LIMIT(5)'
device one find "$query" | tee "$work/one.txt"
device two find "$query" >"$work/two.txt"
cmp "$work/one.txt" "$work/two.txt"
say "both hold the same"
device one digest | tee "$work/one.txt"
device two digest | tee "$work/two.txt"
cmp "$work/one.txt" "$work/two.txt"

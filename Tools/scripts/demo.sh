#!/usr/bin/env bash
# A server, two users, a real todo.txt, a conflict made offline, a kill: at the end both print the same list.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${BIN:-$(swift build --no-color-diagnostics -c release --package-path "$root" --show-bin-path)}
work=$(mktemp -d)
server=
port=

stop_server() { [ -z "$server" ] || { kill "${1:--TERM}" "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; server=; }; }
finish() { stop_server -KILL; rm -rf "$work"; }
trap finish EXIT

say() { printf '\n== %s\n' "$*"; }

start_server() {
  "$bin/realm-object-server" --port "${port:-0}" --data "$work/server" --log-level warn >"$work/server.out" 2>>"$work/server.log" &
  server=$!
  for _ in $(seq 3000); do
    if [ -z "$port" ]; then
      port=$(sed -n 's/.*:\([0-9][0-9]*\).*/\1/p' "$work/server.out" | head -n 1)
    fi
    [ -n "$port" ] && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  echo "demo: the server did not start" >&2
  cat "$work/server.out" "$work/server.log" >&2
  exit 1
}

ann() { "$bin/todo" --data "$work/ann" --wait 15 --list Inbox "$@"; }
bob() { "$bin/todo" --data "$work/bob" --wait 15 --list Inbox --of ann "$@"; }
bob_self() { "$bin/todo" --data "$work/bob" "$@"; }

say "a server, and two users"
start_server
url=http://127.0.0.1:$port
REALM_PASSWORD=ann-secret "$bin/todo" --data "$work/ann" --server "$url" --user ann login --register
REALM_PASSWORD=bob-secret "$bin/todo" --data "$work/bob" --server "$url" --user bob login --register

say "ann imports a todo.txt and shares it with bob"
cat >"$work/todo.txt" <<'TEXT'
(A) 2026-11-01 Call the plumber about the kitchen sink +house @phone due:2026-11-25
(B) 2026-11-02 Book train tickets to Zürich +trip @computer
2026-11-03 Water the plants @home
x 2026-11-10 2026-11-04 Pay the electricity bill +house
(C) 2026-11-05 Read the chapter on operational transformation +study
2026-11-06 Send photos to 世界旅行 group @phone
TEXT
ann import "$work/todo.txt"
ann share bob --write
bob list

say "both go offline and edit the same things"
"$bin/todo" --data "$work/ann" offline
bob_self offline
ann edit "Water the plants" --title "Water the plants on the balcony"
sleep 0.05
bob edit "Water the plants" --title "Water the plants, not the cactus"
ann move "Book train tickets" first
bob move "Book train tickets" last
ann rm "Read the chapter"
bob edit "Read the chapter" --priority A --notes "half done"
ann add "Buy oat milk"
bob add "Buy rye bread"
bob done "Call the plumber"

say "ann comes back; the server is killed in the middle"
ann online
acknowledged=$(ann list --json | tr -d ' \n')
stop_server -KILL
start_server

say "bob comes back"
bob online
ann sync
bob sync

ann list --json >"$work/ann.json"
bob list --json >"$work/bob.json"
say "what ann sees"
ann list
say "what bob sees"
bob list

if ! cmp -s "$work/ann.json" "$work/bob.json"; then
  echo "demo: the two sides differ" >&2
  diff "$work/ann.json" "$work/bob.json" >&2 || true
  exit 1
fi
for title in "Buy oat milk" "Buy rye bread" "not the cactus" "Call the plumber"; do
  grep -q "$title" "$work/ann.json" || { echo "demo: '$title' is missing" >&2; exit 1; }
done
if grep -q "Read the chapter" "$work/ann.json"; then
  echo "demo: an erased item is still there" >&2
  exit 1
fi
[ -n "$acknowledged" ] || { echo "demo: nothing was acknowledged before the kill" >&2; exit 1; }
say "both sides are equal, and nothing acknowledged is missing"

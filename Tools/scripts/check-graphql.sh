#!/usr/bin/env bash
# Does tutorial 7: a server, the app todo, GraphQL by curl, by clients from PyPI and in headless Chromium. Skipped with a line
# when the clients cannot be had.
#   check-graphql.sh FOLDER-OF-PROGRAMS [FOLDER-FOR-SCREENSHOTS]
set -euo pipefail
programs=$(cd "$1" && pwd)
folder=$(cd "$(dirname "$0")/../.." && pwd)
command -v python3 >/dev/null || { echo "check-graphql: skipped, there is no python3"; exit 0; }
scratch=$(mktemp -d)
screenshots=${2:-$scratch}
mkdir -p "$screenshots"
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$scratch"' EXIT
python=${PYTHON:-python3}
if ! "$python" -c 'import gql, graphql, sgqlc, websockets' 2>/dev/null; then
  if python3 -m venv "$scratch/venv" 2>/dev/null && "$scratch/venv/bin/pip" install -q 'gql[all]' sgqlc 2>/dev/null; then
    python=$scratch/venv/bin/python
  else
    echo "check-graphql: skipped, the Python packages are missing and cannot be installed: pip install 'gql[all]' sgqlc"
    exit 0
  fi
fi
export HOME=$scratch XDG_DATA_HOME=$scratch/share XDG_CONFIG_HOME=$scratch/config
"$programs/realm-object-server" --data "$scratch/data" --port 0 >"$scratch/server.log" 2>&1 &
server=$!
for _ in $(seq 300); do
  port=$(sed -n 's/.*127\.0\.0\.1:\([0-9][0-9]*\).*/\1/p' "$scratch/server.log" | head -n 1)
  [ -n "$port" ] && break
  sleep 0.1
done
[ -n "$port" ] || { echo "check-graphql: the server did not start" >&2; cat "$scratch/server.log" >&2; exit 1; }
REALM_PASSWORD=secret-of-ann "$programs/todo" login --server "http://127.0.0.1:$port" --user ann --register >/dev/null
"$programs/todo" add "Buy milk" --list Groceries --create >/dev/null
"$programs/todo" sync >/dev/null 2>&1 || true
realm=$("$programs/realm-object-server" --data "$scratch/data" realms --json | grep -o '"/[^"]*/todo/ann"' | tr -d '"' | head -n 1)
"$programs/realm-object-server" --data "$scratch/data" graphql "$realm" '{ todoLists { name items { title } } }'
"$python" "$folder/Tools/conformance/graphql_clients.py" "http://127.0.0.1:$port" ann secret-of-ann \
  "$folder/Docs/Tutorials/07-graphql.md" "$screenshots"

#!/usr/bin/env bash
# Does tutorial 11 in headless Chromium: every view and action of Studio against a server with two synced clients and one that
# holds a part of a realm by queries beside it, and 'realm studio' over a file. Skipped with a line when browser or packages cannot be had.
#   check-studio.sh FOLDER-OF-PROGRAMS [FOLDER-FOR-SCREENSHOTS]
# PAGES=folder tries pages that are not compiled in, ONLY=data,users some steps.
# LARGE=1 also times the pages over 1,000,000 objects (OBJECTS) and 30,000 realms (REALMS); the programs are to be of a release build.
set -euo pipefail
programs=$(cd "$1" && pwd)
folder=$(cd "$(dirname "$0")/../.." && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || { echo "check-studio: skipped, there is no Chromium: apt install chromium"; exit 0; }
command -v python3 >/dev/null || { echo "check-studio: skipped, there is no python3"; exit 0; }
scratch=$(mktemp -d)
screenshots=${2:-}
[ -z "$screenshots" ] || mkdir -p "$screenshots"
processes=()
trap 'for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done; wait 2>/dev/null || true; rm -rf "$scratch"' EXIT
python=${PYTHON:-python3}
if ! "$python" -c 'import playwright, axe_playwright_python' 2>/dev/null; then
  if python3 -m venv "$scratch/venv" 2>/dev/null && "$scratch/venv/bin/pip" install -q playwright axe-playwright-python 2>/dev/null; then
    python=$scratch/venv/bin/python
  else
    echo "check-studio: skipped, the Python packages are missing and cannot be installed: pip install playwright axe-playwright-python"
    exit 0
  fi
fi
export HOME=$scratch XDG_DATA_HOME=$scratch/share XDG_CONFIG_HOME=$scratch/config

# The first address in a log, once it is there.
address() {
  local found=
  for _ in $(seq 600); do
    found=$(grep -o 'http://127\.0\.0\.1:[0-9][0-9]*[^ ]*' "$1" | head -n 1 || true)
    [ -n "$found" ] && break
    sleep 0.1
  done
  [ -n "$found" ] || { echo "check-studio: nothing was started" >&2; cat "$1" >&2; exit 1; }
  echo "$found"
}

# A receiver that does not answer yet: the first message becomes a dead letter at once.
receiver=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$scratch/server.conf" <<CONF
webhook-retries = 0

[webhook.lists]
url = "http://127.0.0.1:$receiver/hook"
pattern = "todo"
CONF
"$programs/realm-object-server" --config "$scratch/server.conf" --data "$scratch/data" --port 0 --no-first-administrator >"$scratch/server.log" 2>&1 &
processes+=($!)
server=$(address "$scratch/server.log" | grep -o 'http://127\.0\.0\.1:[0-9]*')
echo secret-of-root | "$programs/realm-object-server" --data "$scratch/data" users create root --admin >/dev/null
for user in ann bob; do
  REALM_PASSWORD=secret-of-$user "$programs/todo" --data "$scratch/$user" login --server "$server" --user $user --register >/dev/null
  "$programs/todo" --data "$scratch/$user" add "Buy milk" --list Groceries --create >/dev/null
  "$programs/todo" --data "$scratch/$user" sync >/dev/null 2>&1 || true
done
# Two devices stay connected to the lists of ann.
"$programs/todo" --data "$scratch/ann" share bob --write >/dev/null
"$programs/todo" --data "$scratch/ann" watch >"$scratch/ann.log" 2>&1 &
processes+=($!)
"$programs/todo" --data "$scratch/bob" --of ann watch >"$scratch/bob.log" 2>&1 &
processes+=($!)
# A device that holds a part of a realm by its queries.
REALM_PASSWORD=secret-of-root "$programs/chat" --data "$scratch/chat-root" --wait 60 --server "$server" --user root login >/dev/null
"$programs/chat" --data "$scratch/chat-root" --wait 60 lockdown >/dev/null
REALM_PASSWORD=secret-of-bob "$programs/chat" --data "$scratch/chat-bob" --wait 60 --server "$server" --user bob login >/dev/null
"$programs/chat" --data "$scratch/chat-bob" --wait 60 create-room hall >/dev/null
"$programs/chat" --data "$scratch/chat-bob" --wait 60 watch hall >"$scratch/chat.log" 2>&1 &
processes+=($!)
cat >"$scratch/pets.json" <<'JSON'
[{"id": 1, "name": "Rex"}, {"id": 2, "name": "<b>Ada</b>"}]
JSON
"$programs/realm" import "$scratch/pets.realm" "$scratch/pets.json" --class Dog --key id >/dev/null
"$programs/realm" studio "$scratch/pets.realm" >"$scratch/file.log" 2>&1 &
processes+=($!)
local_address=$(address "$scratch/file.log")
"$programs/realm" studio "$scratch/pets.realm" --read-only >"$scratch/read-only.log" 2>&1 &
processes+=($!)
large=()
if [ -n "${LARGE:-}" ]; then
  "$python" -c 'import sys
print("id,name,age,email")
for n in range(int(sys.argv[1])): print(f"{n},person-{n:08},{n * 7919 % 90},p{n}@example.org")' "${OBJECTS:-1000000}" >"$scratch/people.csv"
  "$programs/realm" import "$scratch/people.realm" "$scratch/people.csv" --class Person --key id >/dev/null
  rm "$scratch/people.csv"
  "$programs/realm" studio "$scratch/people.realm" >"$scratch/million.log" 2>&1 &
  processes+=($!)
  large=(--million "$(address "$scratch/million.log")" --realms "${REALMS:-30000}")
fi
"$python" "$folder/Tools/conformance/studio_pages.py" --browser "$browser" --server "$server" --file "$local_address" \
  --read-only "$(address "$scratch/read-only.log")" --todo "$programs/todo" --data "$scratch" --receiver "$receiver" "${large[@]}" ${PAGES:+--pages "$PAGES"} ${ONLY:+--only "$ONLY"} ${screenshots:+--screenshots "$screenshots"}

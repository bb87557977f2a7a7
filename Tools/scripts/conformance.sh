#!/usr/bin/env bash
# Runs our WebSocket server against a Python peer. Skipped with a line when the peer's package cannot be had.
#   conformance.sh PATH-OF-websocket-echo
set -euo pipefail
echo_server=$1
folder=$(cd "$(dirname "$0")/../conformance" && pwd)
command -v python3 >/dev/null || { echo "conformance: skipped, there is no python3"; exit 0; }
scratch=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
python=python3
if ! python3 -c 'import wsproto' 2>/dev/null; then
  if python3 -m venv "$scratch/venv" 2>/dev/null && "$scratch/venv/bin/pip" install -q wsproto 2>/dev/null; then
    python=$scratch/venv/bin/python
  else
    echo "conformance: skipped, the Python package wsproto is missing and cannot be installed: pip install wsproto"
    exit 0
  fi
fi
"$echo_server" 0 >"$scratch/out" &
server=$!
for _ in $(seq 3000); do
  grep -q listening "$scratch/out" && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done
port=$(sed -n 's/.*:\([0-9]*\)$/\1/p' "$scratch/out")
[ -n "$port" ] || { echo "conformance: the echo server did not start" >&2; exit 1; }
"$python" "$folder/conformance.py" "$port"
